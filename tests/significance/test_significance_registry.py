"""The registry of significance tests, and the walk that adds one."""

from __future__ import annotations

import importlib
import pkgutil

import pytest
from helpers import walks

from streameval import significance
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import SignificanceTest


def test_every_test_of_the_package_is_registered_under_its_name():
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.iter_modules(significance.__path__, f"{significance.__name__}.")
    ]
    there = {
        found.name: found
        for module in modules
        for found in vars(module).values()
        if isinstance(found, SignificanceTest)
    }
    assert dict(TESTS) == there


def test_every_test_says_what_it_is_about():
    for name, test in TESTS.items():
        assert isinstance(test, SignificanceTest)
        assert test.name == name
        for text in (test.title, test.null, test.estimand, test.assumptions, test.reference):
            assert text
        assert test.evidence._fields


BINOMIAL = """
import json
from streameval.significance.registry import TESTS
test, found = TESTS["binomial"], TESTS["binomial"](9, 10, 0.5)
print(json.dumps([test.title, found.statistic, found.p_value]))
"""


def test_the_walk_adds_a_test(tmp_path):
    module, line = walks.blocks("## A new significance test")
    folder = walks.copy_package(tmp_path) / "significance"
    (folder / "binomial.py").write_text(module, encoding="utf-8")
    walks.register(folder / "registry.py", line)
    title, statistic, p_value = walks.run(tmp_path, "-c", BINOMIAL)
    assert title == "Binomial test of accuracy"
    assert statistic == 0.9
    assert p_value == pytest.approx(22 / 1024)  # 0, 1, 9 or 10 of 10 fair coins
