"""One verdict about two learners."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.stats import binom

from streameval.base.errors import ConfigError
from streameval.evaluation.differences import Difference
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK
from streameval.evaluation.verdict_words import (
    BEATS,
    EQUAL,
    LOSES_TO,
    REGION_FRACTION,
    UNDECIDED,
    best_learner_sentence,
    decide,
    difference_predicate,
    region_of,
)
from streameval.evaluation.verdicts import check_rope, judge_pair
from streameval.significance.stream_mean import Sample, stream_mean

PAIR = ("a", "b")


def _series(n, better, worse, seed):
    draws = np.random.default_rng(seed).random(n)
    return 1.0 * (draws < better) - (draws > 1.0 - worse)


proportions = st.floats(0, 0.5)
series = st.builds(_series, st.integers(100, 300), proportions, proportions, st.integers(0, 99))
ropes = st.floats(0, 0.2)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.01, 0.01, EQUAL),  # the ends belong to the region
        (0.001, 0.01, EQUAL),  # also where 0 is excluded
        (-0.01, np.nextafter(0.01, 1), UNDECIDED),
        (np.nextafter(0.01, 1), 0.02, BEATS),
        (-0.02, np.nextafter(-0.01, -1), LOSES_TO),
        (0.01, 0.02, UNDECIDED),  # ahead, but perhaps by a point
        (-0.02, -0.01, UNDECIDED),
        (np.nan, np.nan, UNDECIDED),
    ],
)
def test_the_borders_of_the_rule(low, high, expected):
    assert decide(low, high, 0.01) == expected


@given(series, ropes, st.integers(1, 6))
def test_the_verdict_follows_from_the_interval(values, rope, pairs):
    verdict = judge_pair(PAIR, values, rope, pairs=pairs)
    interval = stream_mean(values, 1 - 0.05 / pairs)
    assert verdict.difference == interval.mean
    if np.isnan(verdict.low):
        assert verdict.verdict == UNDECIDED
        assert verdict.reason
        return
    assert (verdict.low, verdict.high) == (interval.low, interval.high)
    assert (verdict.verdict == EQUAL) == (-rope <= verdict.low and verdict.high <= rope)
    assert (verdict.verdict == BEATS) == (verdict.low > rope)
    assert (verdict.verdict == LOSES_TO) == (verdict.high < -rope)
    assert bool(verdict.reason) == (verdict.verdict == UNDECIDED)


@given(series, ropes)
def test_the_p_value_agrees_with_the_simultaneous_interval(values, rope):
    for pairs in (1, 3, 10):
        verdict = judge_pair(PAIR, values, rope, pairs=pairs)
        if not np.isnan(verdict.low) and abs(verdict.p_value - 0.05) > 1e-9:
            assert (verdict.p_value < 0.05) == (not verdict.low <= 0 <= verdict.high)


@given(series, ropes)
def test_the_other_way_round_it_is_the_same_verdict(values, rope):
    verdict = judge_pair(PAIR, values, rope)
    turned = judge_pair(("b", "a"), -values, rope)
    assert turned.verdict == {BEATS: LOSES_TO, LOSES_TO: BEATS}.get(
        verdict.verdict, verdict.verdict
    )
    assert (turned.sections_ahead, turned.sections_behind) == (
        verdict.sections_behind,
        verdict.sections_ahead,
    )
    assert turned.difference_text == verdict.with_learners_exchanged.difference_text
    assert turned.sentence == verdict.with_learners_exchanged.sentence


@given(st.integers(1, 400), st.integers(0, 12), st.sampled_from([-1, 1]), st.integers(0, 2**32 - 1))
def test_differences_to_one_side_are_said_as_such_where_there_is_no_interval(n, few, sign, seed):
    """All of one sign, of all instances or of some, or none at all."""
    for count in (min(few, n), n):
        values = np.zeros(n)
        values[np.random.default_rng(seed).permutation(n)[:count]] = sign
        verdict = judge_pair(("A", "B"), values, 0.001)
        if not np.isnan(verdict.low):
            continue
        side = "better" if sign > 0 else "worse"
        expected = f"A is {side} than B in {count:,} of {n:,} instances and "
        if count == n:
            expected = f"A is {side} than B in all {n:,} instances ("
        elif count == 0:
            expected = f"A is as good as B in each of {n:,} instances ("
        assert verdict.sentence.startswith(expected)
        assert (
            "cannot be told from" not in verdict.sentence + verdict.short_sentence + verdict.outcome
        )


def test_one_that_is_always_right_is_ahead_of_one_that_is_always_wrong():
    verdict = judge_pair(("A", "B"), np.ones(800), 0.01)
    sections = (verdict.sections_ahead, verdict.sections_behind)
    assert (*sections, verdict.outcome) == (12, 0, "no verdict")
    assert verdict.sentence == (
        "A is better than B in all 800 instances (+100.00 points; no interval, as all 800 values "
        "are equal)"
    )
    few = judge_pair(("A", "B"), -np.repeat([0.0, 1.0], [793, 7]), 0.01)
    assert few.signs == (7, 793, 0)
    assert few.with_learners_exchanged.signs == (0, 793, 7)
    both = judge_pair(("A", "B"), np.repeat([0.0, 1.0, -1.0], [790, 6, 4]), 0.01)
    assert both.signs == (4, 790, 6)
    assert both.sentence.startswith("A cannot be told from B (+0.25 points; no interval")


def test_one_run_names_no_side_where_other_seeds_are_not_covered():
    verdict = judge_pair(("A", "B"), np.ones(800), 0.01, no_interval_reason="one run")
    assert (verdict.outcome, verdict.signs) == (UNDECIDED, None)
    assert verdict.sentence == "A cannot be told from B (+100.00 points; no interval, as one run)"


def test_runs_that_differ_count():
    values = np.tile([0.2, 0.0, 0.1], 500) + np.random.default_rng(1).normal(size=1500) * 0.1
    assert judge_pair(PAIR, values, 0.01).verdict == BEATS
    assert judge_pair(PAIR, Sample(values, [-0.3, 0.1, 0.5]), 0.01).verdict == UNDECIDED


def test_the_region_follows_the_error_of_the_better_baseline():
    half = region_of({"No-Change": 0.4, "Majority": 0.5}, CLASSIFICATION_TASK)
    assert (half.rope, half.baseline) == (pytest.approx(0.01), "Majority")  # a point
    rare = region_of({"No-Change": 0.99, "Majority": 0.995}, CLASSIFICATION_TASK)
    assert (rare.rope, rare.baseline) == (pytest.approx(0.0001), "Majority")
    errors = region_of(
        {"previous target": 3.0, "mean": 8.0, "target 24 before": np.nan}, REGRESSION_TASK
    )
    assert (errors.rope, errors.baseline) == (pytest.approx(0.06), "previous target")
    assert region_of({}, CLASSIFICATION_TASK).rope == 0.0


def test_a_difference_at_the_edge_is_rarely_called_practically_equal():
    """In at most 5 % of 300 streams, or sampling error above; at 0 in nearly all of them.

    The region is that of each stream, a part of the error of its own baseline. One of the learners
    is correct alone in a proportion `apart` of the instances.
    """
    draws, error, n, apart = np.random.default_rng(1), 0.5, 4000, 0.02
    counts = {}
    for edge in (1.0, -1.0, 0.0):
        gap = edge * REGION_FRACTION * error
        equal = 0
        for _ in range(300):
            baseline = float((draws.random(n) >= error).mean())
            rope = region_of({"Majority": baseline}, CLASSIFICATION_TASK).rope
            which = draws.random(n)
            series = 1.0 * (which < (apart + gap) / 2) - (which > 1.0 - (apart - gap) / 2)
            equal += judge_pair(PAIR, series, rope).verdict == EQUAL
        counts[edge] = equal
    most = binom.ppf(0.999, 300, 0.05)
    assert max(counts[1.0], counts[-1.0]) <= most
    assert counts[0.0] >= 240


@pytest.mark.parametrize(
    ("ends", "task", "said"),
    [
        ((-0.0549, -0.06, -0.05), CLASSIFICATION_TASK, "loses to B by 5.49 points [5.00, 6.00]"),
        (
            (-0.001, -0.002, 0.001),
            CLASSIFICATION_TASK,
            "is practically equal to B (−0.10 points [−0.20, +0.10]; within ±1 point)",
        ),
        (
            (0.02, 0.005, 0.035),
            CLASSIFICATION_TASK,
            "cannot be told from B (+2.00 points [+0.50, +3.50]; perhaps within ±1 point)",
        ),
        (
            (-15.48, -16.0, -14.96),
            REGRESSION_TASK,
            "loses to B: its mean absolute error is higher by 15.48 [14.96, 16.00]",
        ),
        (
            (-0.5, -2.0, 1.0),
            REGRESSION_TASK,
            "cannot be told from B (its mean absolute error is higher by 0.500 [−1.000, +2.000])",
        ),
    ],
)
def test_the_words_of_a_verdict(ends, task, said):
    """Positive is better, in words: of errors, the lower one."""
    assert difference_predicate("B", Difference(*ends, 1, ""), task, 0.01) == said


@pytest.mark.parametrize("rope", [-0.01, 1.5, np.nan, "1", True])
def test_a_region_that_is_none(rope):
    with pytest.raises(ConfigError, match=r"rope: .*accuracy from 0 to 1"):
        check_rope(rope)


NAMES = {"no_change": "No-Change", "majority": "Majority"}


@pytest.mark.parametrize(
    ("no_change", "majority", "text"),
    [
        ((0.02, 0.05), (0.03, 0.06), "it beats No-Change and Majority"),
        (
            (-0.02, 0.05),
            (-0.001, 0.004),
            "it cannot be told from No-Change and is practically equal to Majority",
        ),
        (
            (np.nan, np.nan),
            (0.02, 0.06),
            "it beats Majority; without an interval there is no verdict against No-Change",
        ),
    ],
)
def test_the_summary_is_about_the_best_learner_and_claims_nothing_without_an_interval(
    no_change, majority, text
):
    def differences(*intervals):
        return {
            name: Difference(0.03, *interval, 900, "few" if np.isnan(interval[0]) else "")
            for name, interval in zip(NAMES, intervals, strict=True)
        }

    over = {"a": differences((0.5, 0.6), (0.5, 0.6)), "b": differences(no_change, majority)}
    values = {"a": 0.71, "b": 0.805, "c": np.nan}
    said = best_learner_sentence(values, over, 0.01, CLASSIFICATION_TASK, NAMES)
    assert said == f"b has the highest accuracy of 3 learners, 80.50 %; {text}."
    # Of errors, too, a positive difference favours the subject, and the least one is the best.
    assert best_learner_sentence({"a": 7.5, "b": 4.25}, over, 0.01, REGRESSION_TASK, NAMES) == (
        f"b has the lowest mean absolute error of 2 learners, 4.25; {text}."
    )


def test_the_summary_of_three_baselines_and_of_nothing():
    ends = {"x": (0.1, 0.2), "y": (-0.2, -0.1), "z": (-0.2, 0.1)}
    over = {"a": {name: Difference(0, *interval, 900, "") for name, interval in ends.items()}}
    assert best_learner_sentence(
        {"a": 1.5}, over, 0.0, REGRESSION_TASK, {name: name for name in ends}
    ) == ("a has a mean absolute error of 1.5; it beats x, loses to y and cannot be told from z.")
    text = best_learner_sentence({"a": np.nan}, over, 0.0, CLASSIFICATION_TASK, NAMES)
    assert text == "No accuracy is defined: nothing could be scored."
