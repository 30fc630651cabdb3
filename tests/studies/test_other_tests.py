"""The tests that do not decide: each of the registry is shown, or named with the reason."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

import streameval as se
from streameval.significance.registry import TESTS
from streameval.studies.other_tests import NOT_SHOWN, OTHERS, not_shown

STREAM = se.generate("sea", rows=400)


def compared(**options):
    return se.compare(STREAM, ["naive_bayes", "majority"], folds=5, **options)


@pytest.mark.parametrize("runs", [1, 2])
def test_every_test_is_shown_or_named_with_the_reason(runs):
    found = compared(runs=runs)
    titles = {one.title: one.test for one in OTHERS}
    shown = {titles[one.test] for one in found.other_tests()} | {found.test}
    silent = not_shown(runs)
    assert shown | {*silent} == {*TESTS}
    assert not shown & {*silent}
    assert all(silent.values())
    assert found.to_dict(more=True)["tests_not_shown"] == silent
    words = " ".join("\n".join(found.lines(more=True)).split())
    for name, why in silent.items():
        assert f"{TESTS[name].title} ({why})" in words.partition("Not shown: ")[2]


def test_no_test_is_both_shown_and_not():
    assert not {one.test for one in OTHERS} & {*NOT_SHOWN}
    assert len({one.title for one in OTHERS}) == len(OTHERS)


@pytest.mark.parametrize(
    ("validation", "correlation"),
    [("cross_validation", 1 / 5), ("split_validation", 4 / 5), ("bootstrap_validation", 1 / np.e)],
)
def test_the_bayesian_test_has_probabilities_for_the_rope_of_the_comparison(
    validation, correlation
):
    found = compared(validation=validation, rope=0.2)
    (one,) = [one for one in found.other_tests() if one.test == "Bayesian correlated t"]
    gaps = found._known.differences("naive_bayes", "majority")[0]
    scale = np.sqrt((1 / 5 + correlation / (1 - correlation)) * gaps.var(ddof=1))
    posterior = scipy.stats.t(4, gaps.mean(), scale)  # Corani and Benavoli (2015), Equation 9
    below, above = posterior.cdf(-0.2), posterior.sf(0.2)
    assert np.isnan(one.p_value)
    assert one.first_better == pytest.approx(above)
    assert one.second_better == pytest.approx(below)
    assert one.practically_equal == pytest.approx(1 - below - above)
    plain = found.to_dict(more=True)["tests"]
    assert [row["test"] for row in plain if row["p_value"] is None] == [one.test]
    said = f"A better {100 * above:.1f} %, practically equal {100 * (1 - below - above):.1f} %"
    assert said in "\n".join(found.lines(more=True))


def test_tests_of_one_thing_stand_together_under_it():
    told = "\n".join(compared().lines(more=True))
    assert max(map(len, told.splitlines())) <= 100
    tests = compared().other_tests()
    for estimand in {one.estimand for one in tests}:
        _, _, behind = told.replace("\n", " ").partition(f"{estimand[1:]}:")
        first = behind.partition(":")[0]
        for one in tests:
            assert (f"  {one.test} " in first) is (one.estimand == estimand)
