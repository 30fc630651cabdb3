"""The registry of significance tests."""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np
import pytest
from test_fold_tests import OVER_FOLDS

from streameval import significance
from streameval.base.errors import ConfigError, DataError
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import SignificanceTest


def test_every_test_of_the_package_is_registered_under_its_name():
    modules = [
        importlib.import_module(result.name)
        for result in pkgutil.iter_modules(significance.__path__, f"{significance.__name__}.")
    ]
    there = {
        result.name: result
        for module in modules
        for result in vars(module).values()
        if isinstance(result, SignificanceTest)
    }
    assert dict(TESTS) == there


def test_every_test_says_what_it_is_about():
    for test in TESTS.values():
        for text in (test.title, test.null, test.estimand, test.assumptions, test.reference):
            assert text
        assert test.evidence._fields


OVER_SERIES = {"diebold_mariano": 3, "e_process": 1, "fluctuation": 20, "series_t": 4}
#: What a test refuses, and the facts of the message.
REFUSED = [
    *[
        ("bayesian_correlated_t", ([0.1, 0.2], *wrong), "correlations from 0 .*1 .*rope")
        for wrong in ((1, 0.01), (np.nan, 0.01), (0.1, -1))
    ],
    *[
        ("bayesian_signed_rank", wrong, r"finite differences .*least 0, found shape \(")
        for wrong in (([0.1, np.nan], 0.01), ([[0.1, 0.2]], 0.01), ([0.1, 0.2], -1))
    ],
    ("bayesian_signed_rank", ([],), "at least 1 streams .*found 0"),
    ("corrected_t", ([1, 2], [-1]), "at least 0, found -1"),
    ("e_process", ([0.0, 1.5],), r"differences between -1 and 1, found 0 to 1\.5"),
    *[
        ("friedman", (scores,), "2 learners .*2 streams")
        for scores in ([[1, 2]], [[1], [2]], [[1, 2], [np.nan, 1]])
    ],
    ("kfold_interval", ([9.0], [1.0], [1.0]), "found 1 folds.* 9 instances"),
    ("kfold_interval", ([9.0, 1.0], [1.0, 0.0], [1.0, 0.0]), "found 2 folds.* 1 instances"),
    *[
        (name, ([3, 3], [2, count]), "integers of at least 0 in only_b, found")
        for name in ("mcnemar", "mcnemar_exact")
        for count in (-1, 0.5, np.nan)
    ],
    *[
        (name, (values,), message)
        for name in ("streams_sign", "streams_wilcoxon")
        for values, message in (([], "at least 1 streams .*found 0"), (1.0, "a single number"))
    ],
    ("runs_permutation", ([[1, 2], [3, 4]],), r"found an array of shape \(2, 2\)"),
    ("runs_t", ([1],), "at least 2 runs"),
    *[
        (name, (values, *more), message)
        for name, more in OVER_FOLDS.items()
        for values, message in (
            (np.zeros((3, 0)), r"at least \d folds .*found 0"),
            (1.0, "found a single number"),
        )
    ],
    *[
        (name, (np.zeros(least - 1),), f"at least {least} differences, found {least - 1}")
        for name, least in OVER_SERIES.items()
    ],
    *[
        (name, ([[0.0] * 30, [0.0] * 29 + [value]],), "finite .*found 1 .*NaN")
        for name in OVER_SERIES
        for value in (np.nan, np.inf)
    ],
]


@pytest.mark.parametrize(("name", "evidence", "message"), REFUSED)
def test_what_is_no_evidence_is_refused(name, evidence, message):
    error = ConfigError if name in (*OVER_SERIES, "kfold_interval") else DataError
    with pytest.raises(error, match=message):
        TESTS[name](*evidence)


def test_every_test_refuses_something():
    # What these two are given has been counted and checked.
    assert {name for name, *_ in REFUSED} == TESTS.keys() - {"kappa_z", "label_order"}
