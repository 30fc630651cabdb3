"""The tests that do not decide: each of the registry is shown, or named with the reason."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy

import streameval as se
from streameval.evaluation.further_tests import INAPPLICABLE, PAIR_TESTS, inapplicable_tests
from streameval.significance.registry import TESTS

STREAM = se.generate("sea", rows=400)


def compared(protocol="prequential", learners=("naive_bayes", "majority"), **options):
    return se.compare(STREAM, list(learners), protocol, **options)


@pytest.mark.parametrize(
    ("protocol", "runs"),
    [
        ("prequential", 1),
        ("cross_validation", 2),
        ("split_validation", 1),
        ("bootstrap_validation", 1),
    ],
)
def test_every_test_is_shown_or_named_with_the_reason(protocol, runs):
    comparison = compared(protocol, runs=runs)
    applied = {test.test for test in comparison.further_tests()}
    silent = inapplicable_tests(comparison.plan, comparison._runs)
    assert applied | {*silent} == {test.title for test in PAIR_TESTS} | {
        TESTS[name].title for name in INAPPLICABLE
    }
    assert not applied & {*silent}
    assert sorted([*{test.test for test in PAIR_TESTS}, *INAPPLICABLE]) == sorted(TESTS)
    assert len({test.title for test in PAIR_TESTS}) == len(PAIR_TESTS)
    assert all(silent.values())
    assert comparison.to_dict(more=True)["tests_not_shown"] == silent
    words = " ".join("\n".join(comparison.lines(more=True)).split())
    for name, why in silent.items():
        assert f"{name} {why}" in words.partition("Tests that do not apply here:")[2]


@pytest.mark.parametrize(
    ("protocol", "applied"),
    [
        ("prequential", set()),
        ("bootstrap_validation:tested=learnt", set()),
        ("bootstrap_validation:tested=held_out", {"corrected", "bayesian"}),
        ("cross_validation:tested=learnt", set()),
        ("cross_validation:tested=held_out", {"corrected", "bayesian", "bayle"}),
        ("split_validation:tested=learnt", {"bayle"}),
    ],
)
def test_tests_over_folds_are_shown_where_their_assumptions_hold(protocol, applied):
    """Bayle et al.: each instance tests one model. Nadeau and Bengio: none that learns it."""
    titles = {
        "corrected": "Corrected t (Nadeau, Bengio)",
        "bayesian": "Bayesian correlated t",
        "bayle": "k-fold interval (Bayle et al.)",
    }
    titles_applied = {test.test for test in compared(protocol).further_tests()}
    assert {name for name, title in titles.items() if title in titles_applied} == applied


def test_the_correction_takes_the_sizes_that_the_folds_have():
    """In 5-fold cross-validation a model is tested on 80 instances, and learns 320."""
    comparison = compared("cross_validation:5:held_out", rope=0.2)
    tests = {test.test: test for test in comparison.further_tests()}
    bayesian = tests["Bayesian correlated t"]
    gaps = comparison._runs.differences("naive_bayes", "majority")[0]
    ratio = comparison._runs.n_tested[0].mean() / (400 * comparison.learnt_proportion)
    assert ratio == pytest.approx(1 / 4, rel=0.01)  # but for rows before the first label
    scale = np.sqrt((1 / 5 + ratio) * gaps.var(ddof=1))
    posterior = scipy.stats.t(4, gaps.mean(), scale)  # Corani and Benavoli (2015), Equation 9
    below, above = posterior.cdf(-0.2), posterior.sf(0.2)
    assert math.isnan(bayesian.p_value)
    assert bayesian.first_better == pytest.approx(above)
    assert bayesian.second_better == pytest.approx(below)
    assert bayesian.practically_equal == pytest.approx(1 - below - above)
    corrected = tests["Corrected t (Nadeau, Bengio)"].p_value
    assert corrected == pytest.approx(2 * scipy.stats.t(4).sf(abs(gaps.mean()) / scale))
    plain = comparison.to_dict(more=True)["tests"]
    assert [row["test"] for row in plain if row["p_value"] is None] == [bayesian.test]
    said = f"A better {100 * above:.1f} %, practically equal {100 * (1 - below - above):.1f} %"
    assert said in "\n".join(comparison.lines(more=True))


def test_runs_and_folds_that_do_not_differ_are_no_evidence():
    """Two learners that draw nothing: their differences in two runs are equal, not certain."""
    assert "t over runs" not in set(compared(runs=2).tests["test"])
    first = type("First", (), {"learn": lambda *_: None, "predict": lambda *_: 0})
    last = type("Second", (), {"learn": lambda *_: None, "predict": lambda *_: 1})
    stream = se.from_arrays(np.arange(400.0)[:, None], ["a", "a", "a", "b"] * 100)
    comparison = se.compare(stream, [first, last], "split_validation:4:all:in_turn")
    p_values = comparison.tests.set_index("test")["p_value"]
    assert p_values[["Paired t", "Sign test, exact"]].notna().sum() in (0, 2)
