"""The examples in the docstrings of the public names are true."""

from __future__ import annotations

import doctest
import inspect

import pytest

import streameval as se

#: What is a class of others, or has nothing to show.
WITHOUT = {"StreamWarning", "StreamevalError", "UndefinedMeasureWarning", "Stream"}


def parts() -> dict[str, object]:
    """The public names, and the classes of the package that they inherit from, each once."""
    named = {name: getattr(se, name) for name in {*se.__all__} - WITHOUT}
    bases = {base for value in named.values() if inspect.isclass(value) for base in value.__mro__}
    inherited = {base for base in bases if base.__module__.startswith("streameval.")}
    return named | {base.__name__: base for base in inherited - {*named.values()}}


PARTS = parts()


def run(test: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    assert runner.run(test, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("name", sorted(PARTS))
def test_examples_are_true(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tests = doctest.DocTestFinder().find(PARTS[name], name, globs={})
    assert any(test.examples for test in tests), f"{name} has no example"
    for test in tests:
        run(test)


def test_the_first_example_is_true():
    (test,) = doctest.DocTestFinder(recurse=False).find(se, "streameval", globs={})
    run(test)


@pytest.mark.parametrize("name", sorted({*se.__all__} - {"Stream"}))
def test_public_names_are_documented_and_typed(name):
    value = getattr(se, name)
    assert inspect.getdoc(value)
    if inspect.isfunction(value):
        signature = inspect.signature(value)
        assert signature.return_annotation is not inspect.Signature.empty
        for parameter in signature.parameters.values():
            assert parameter.annotation is not inspect.Parameter.empty, parameter
