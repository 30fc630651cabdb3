"""Each compiled function is used, and tests compare it with a slow, literal twin."""

from __future__ import annotations

import gc

import pytest
from helpers import twins

ONE = """
from streameval.compiled.kernels import inlined, kernel

@inlined
def _step(x): return x

@kernel
def _run(x): return _step(x)

@kernel
def other(x): return x

class One:
    def play(self, x): return _run(x)
"""
REGISTRY = 'LEARNERS = {"one": "streameval.learners.one:One"}'
TWIN = "def one(x): return x"
CALLED = "from naive import learners as naive\nfrom streameval.learners.one import One\n"


@pytest.fixture(scope="module")
def sources():
    gc.disable()  # which would walk through millions of nodes of trees again and again
    try:
        found = twins.Sources(twins.texts())
        gc.freeze()
    finally:
        gc.enable()
    yield found
    gc.unfreeze()


def test_each_compiled_function_is_compared_with_its_twin(sources):
    missing = sorted(".".join(place) for place in sources.compiled() - sources.compared())
    assert not missing, "write their twins in tests/naive, and a test in the folder of each"


def test_each_compiled_function_is_used(sources):
    assert not sorted(".".join(place) for place in sources.compiled() - sources.used())


def compared(test, module="learners.test_one"):
    """Return the names of what a test compares, of the functions above."""
    modules = {"streameval.learners.one": ONE, "streameval.learners.registry": REGISTRY}
    found = twins.Sources(
        {**modules, "naive.learners": TWIN, "naive.detectors": "def uniforms(): ...", module: test}
    ).compared()
    return sorted(name for _, name in found)


def test_what_a_compared_function_calls_is_compared_with_it():
    test = "def test_one(): assert One().play(1) == naive.one(1)"
    assert compared(CALLED + test) == ["_run", "_step"]


@pytest.mark.parametrize(
    "test",
    [
        "def same(x): assert One().play(x) == naive.one(x)\ndef test_one(): same(1)",
        "def made(): return One()\ndef test_one(made): assert made.play(1) == naive.one(1)",
        "ALL = [One()]\ndef test_one():\n    for one in ALL: one.play(1) == naive.one(1)",
    ],
)
def test_helpers_fixtures_and_lists_are_followed(test):
    assert compared(CALLED + test) == ["_run", "_step"]


@pytest.mark.parametrize(
    "test",
    [
        "def test_one(): assert One().play(1) == 1",  # no twin
        "def test_one(): assert naive.one(1) == 1",  # no function of the package
        "def test_one(): assert One().play(1) == 1\ndef test_two(): assert naive.one(1) == 1",
        "from naive.detectors import uniforms\ndef test_one(): assert One().play(uniforms())",
    ],
)
def test_a_test_without_either_of_the_two_compares_nothing(test):
    assert compared(CALLED + test) == []


def test_what_a_test_of_another_folder_uses_is_its_input():
    test = "def test_one(): assert One().play(1) == naive.one(1)"
    assert compared(CALLED + test, module="detectors.test_one") == []


@pytest.mark.parametrize(("key", "found"), [("one", ["_run", "_step"]), ("two", [])])
def test_an_entry_of_a_registry_is_compared_by_its_key(key, found):
    test = (
        "from naive import learners as naive\nfrom streameval.learners.registry import LEARNERS\n"
        f"def test_one(): assert LEARNERS['{key}']().play(1) == naive.one(1)"
    )
    assert compared(test) == found


def test_what_nothing_uses_is_found():
    found = twins.Sources({"streameval.learners.one": ONE})
    assert [name for _, name in found.compiled() - found.used()] == ["other"]
