"""Kernels contain their parts, which are compiled no further than it takes to link them."""

from __future__ import annotations

import numpy as np
import pytest

from streameval.compiled import kernels

pytestmark = pytest.mark.compiled


@kernels.part
def add_one(values):
    for i in range(values.shape[0]):
        values[i] += 1.0


@kernels.inlined
def add_two(values):
    add_one(values)
    add_one(values)


@kernels.kernel
def add_three(values):
    add_two(values)
    add_one(values)


@pytest.fixture(scope="module")
def compiled():
    """The parts as compiled for a kernel that was not in the cache."""
    fresh = kernels.njit(nogil=True)(add_three.py_func)
    fresh(np.zeros(3))
    return [next(iter(part.overloads.values())) for part in (add_one, add_two)]


def test_kernels_do_what_their_parts_do():
    values = np.arange(4.0)
    add_three(values)
    assert values.tolist() == [3.0, 4.0, 5.0, 6.0]


def test_parts_have_no_machine_code(compiled):
    for found in compiled:
        assert found.library.get_pointer_to_function(found.fndesc.llvm_func_name) == 0


def test_what_an_inlined_function_calls_need_not_be_inlined(compiled):
    one, two = ("alwaysinline" in _head(found) for found in compiled)
    assert two
    assert not one


def _head(found):
    """The line that begins a function, and the attributes that it refers to."""
    text, name = found.library.get_llvm_str(), found.fndesc.llvm_func_name
    head = next(line for line in text.splitlines() if line.startswith("define") and name in line)
    groups = [f"attributes {word}" for word in head.split() if word.startswith("#")]
    return head + "".join(
        line for line in text.splitlines() if any(line.startswith(group) for group in groups)
    )
