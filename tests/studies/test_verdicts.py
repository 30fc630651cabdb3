"""One verdict about two learners."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy
from hypothesis import given

from streameval.errors import ConfigError
from streameval.studies.verdicts import (
    BY_FOLDS,
    BY_RUNS,
    EQUAL,
    FIRST,
    SECOND,
    UNDECIDED,
    check_rope,
    decide,
    deciding_test,
    judged,
)

PAIR = [("a", "b")]
differences = st.lists(st.floats(-0.5, 0.5, width=32), min_size=2, max_size=12)
ropes = st.floats(0, 0.2)


@pytest.mark.parametrize(
    ("low", "high", "p_value", "expected"),
    [
        (-0.01, 0.01, 0.9, EQUAL),  # the ends belong to the region
        (0.001, 0.01, 1e-9, EQUAL),  # also where 0 is rejected
        (-0.01, np.nextafter(0.01, 1), 0.9, UNDECIDED),
        (np.nextafter(-0.01, -1), 0.0, 0.05, SECOND),  # 5 % is enough
        (np.nextafter(-0.01, -1), 0.0, np.nextafter(0.05, 1), UNDECIDED),
        (0.001, 0.02, 0.01, FIRST),
        (-0.02, -0.001, 0.01, SECOND),
        (0.02, 0.03, 0.06, UNDECIDED),  # adjusted for more pairs
        (-0.5, 0.5, np.nan, UNDECIDED),
    ],
)
def test_the_borders_of_the_rule(low, high, p_value, expected):
    assert decide(low, high, p_value, (low + high) / 2, 0.01) == expected


@given(differences, ropes)
def test_one_pair_has_the_interval_and_the_p_value_of_its_t_test(values, rope):
    (found,) = judged(PAIR, [values], BY_FOLDS, rope)
    if len(set(values)) == 1:
        assert (found.low, found.high) == (values[0], values[0])
        assert found.p_value == float(values[0] == 0)
        return
    expected = scipy.stats.ttest_1samp(np.array(values), 0.0)
    interval = expected.confidence_interval(0.95)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-6)
    assert (found.low, found.high) == pytest.approx(tuple(interval), rel=1e-6, abs=1e-9)
    assert found.low <= found.difference <= found.high


@given(differences, ropes)
def test_the_verdict_follows_from_interval_and_p_value(values, rope):
    (found,) = judged(PAIR, [values], BY_RUNS, rope)
    within = -rope <= found.low and found.high <= rope
    assert (found.verdict == EQUAL) == within
    if found.verdict in (FIRST, SECOND):
        assert found.p_value <= 0.05
        assert (found.verdict == FIRST) == (found.difference > 0)
    elif not within:
        assert found.p_value > 0.05


@given(differences, ropes)
def test_the_other_way_round_it_is_the_same_verdict(values, rope):
    (found,) = judged(PAIR, [values], BY_FOLDS, rope)
    (turned,) = judged([("b", "a")], [[-value for value in values]], BY_FOLDS, rope)
    assert turned.verdict == {FIRST: SECOND, SECOND: FIRST}.get(found.verdict, found.verdict)
    assert (turned.low, turned.high) == (-found.high, -found.low)
    assert turned.words == found.words or found.verdict in (EQUAL, UNDECIDED)


@given(differences, ropes, ropes)
def test_a_wider_region_only_makes_more_practically_equal(values, one, other):
    narrow, wide = sorted((one, other))
    (before,) = judged(PAIR, [values], BY_FOLDS, narrow)
    (after,) = judged(PAIR, [values], BY_FOLDS, wide)
    assert after.verdict in (before.verdict, EQUAL)


@given(st.lists(differences, min_size=2, max_size=6), ropes)
def test_more_pairs_never_give_more_verdicts(several, rope):
    pairs = [(f"a{i}", f"b{i}") for i in range(len(several))]
    for found, values in zip(judged(pairs, several, BY_FOLDS, rope), several, strict=True):
        (alone,) = judged([(found.first, found.second)], [values], BY_FOLDS, rope)
        assert found.p_value >= alone.p_value
        assert found.low <= alone.low
        assert found.high >= alone.high
        assert found.verdict in (alone.verdict, UNDECIDED) or alone.verdict == EQUAL


def test_holm_and_bonferroni_of_three_pairs():
    rng = np.random.default_rng(1)
    several = [rng.normal(mean, 0.01, 10) for mean in (0.0, 0.011, 0.03)]
    found = judged([("a", "b"), ("a", "c"), ("b", "c")], several, BY_FOLDS, 0.0)
    alone = [scipy.stats.ttest_1samp(values, 0.0) for values in several]
    p = [one.pvalue for one in alone]
    assert p[2] < p[1] < p[0]
    expected = [max(p[0], 2 * p[1], 3 * p[2]), max(2 * p[1], 3 * p[2]), 3 * p[2]]
    assert [one.p_value for one in found] == pytest.approx(expected)
    for one, test in zip(found, alone, strict=True):
        interval = test.confidence_interval(1 - 0.05 / 3)
        assert (one.low, one.high) == pytest.approx(tuple(interval))


def test_one_run_is_judged_by_its_folds_and_more_by_runs():
    assert [deciding_test(runs) for runs in (1, 2, 5)] == [BY_FOLDS, BY_RUNS, BY_RUNS]


@pytest.mark.parametrize("rope", [-0.01, 1.5, np.nan, "1", True, None])
def test_a_region_that_is_none(rope):
    with pytest.raises(ConfigError, match="rope: expected a difference in accuracy from 0 to 1"):
        check_rope(rope)
