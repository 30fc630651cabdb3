"""The examples in the docstrings of the public names are true."""

from __future__ import annotations

import doctest
import inspect

import pytest

import streameval as se

#: What is a class of others, or has nothing to show.
WITHOUT = {"StreamWarning", "StreamevalError", "UndefinedMeasureWarning", "Stream"}


def examples(name: str) -> list[doctest.DocTest]:
    """The examples of a public name and of its public methods, also of inherited ones."""
    finder, named = doctest.DocTestFinder(exclude_empty=True), getattr(se, name)
    bases = inspect.getmro(named)[1:] if inspect.isclass(named) else ()
    parts = [named, *(base for base in bases if base.__module__.startswith("streameval."))]
    lists = [finder.find(part, part.__name__, globs={}) for part in parts]
    return [test for tests in lists for test in tests if test.examples]


def run(test: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    assert runner.run(test, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("name", sorted({*se.__all__} - WITHOUT))
def test_examples_are_true(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tests = examples(name)
    assert tests, f"{name} has no example"
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
