"""The interval for the mean of a stream's instances: its twin, its refusals, and its coverage."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from naive import series as naive
from scipy.signal import lfilter
from scipy.special import stdtrit
from scipy.stats import binom, norm
from scipy.stats import t as student

from streameval.base.errors import ConfigError
from streameval.evaluation.coverage import LASTING_RATES
from streameval.significance.entities import order_by_entity
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.series import (
    RunLengths,
    error_runs,
    initial_positive_variance,
    variance_of,
)
from streameval.significance.stream_mean import (
    DEFAULT_T_QUANTILE,
    MIN_EFFECTIVE_SIZE,
    MIN_ERROR_RUNS,
    MIN_RARE_SIZE,
    MIN_SECTION_RARE_SIZE,
    MIN_SECTION_SIZE,
    N_SECTIONS,
    SECTION_THRESHOLD,
    SIZE_PER_DEGREE_OF_FREEDOM,
    Sample,
    section_signs,
    stream_mean,
)

#: Series of -1, 0 and 1 in runs, of bytes, which hypothesis draws fast.
TERNARY = st.binary(min_size=60, max_size=100).map(
    lambda drawn: [float(byte % 3 - 1) for byte in drawn for _ in range(1 + byte // 86)]
)


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=2, max_size=60))
def test_the_initial_positive_sequence_is_that_of_its_twin(values):
    # Sums of covariances of whole numbers can be exactly 0, where rounding would decide.
    values = [value + math.sin(t) / 7 for t, value in enumerate(values)]
    expected, reach = naive.initial_positive_and_reach(values)
    long_run = initial_positive_variance(values)
    assert long_run.variance == pytest.approx(expected, abs=1e-12)
    if expected > np.var(values) + 1e-9:  # otherwise rounding decides whether it is more
        assert long_run.max_lag == reach


RUNS = st.lists(st.floats(-1, 1), min_size=2, max_size=6)


@given(
    TERNARY,
    st.sampled_from([0.8, 0.95]),
    st.just([]) | RUNS,
    st.integers(0, 8),
    st.randoms(use_true_random=False),
)
def test_the_interval_is_that_of_its_twin(values, confidence, runs, entities, random):
    code = [random.randrange(entities) for _ in values] if entities else None
    order = order_by_entity(np.array(code)) if entities else None
    result = stream_mean(Sample(values, runs, order=order), confidence)
    assume(not result.reason)
    expected = naive.stream_mean(values, confidence, runs, code)
    found = (result.mean, result.low, result.high, result.standard_error, result.df)
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("entities", [1, 20])
def test_entities_one_after_the_other_have_the_interval_of_their_series(entities):
    draws, n = np.random.default_rng(1), 20_000
    values = np.sign(lfilter([1.0], [1.0, -0.5], draws.normal(size=n)))
    order = order_by_entity(np.sort(draws.integers(0, entities, n)))
    plain = stream_mean(values)
    assert not plain.reason
    assert stream_mean(Sample(values, order=order)) == plain
    assert section_signs(Sample(values, order=order)).tolist() == section_signs(values).tolist()


@pytest.mark.parametrize("order", ["random", "rounds", "nearly blocks"])
def test_the_interval_of_entities_is_as_wide_as_it_has_to_be(order):
    # Each entity is a chain of its own. What it adds to the variance counts once, near or far.
    draws, dependence, n, entities = np.random.default_rng(5), 0.8, 50_000, 5
    code = {
        "random": lambda: draws.integers(0, entities, n),
        "rounds": lambda: np.arange(n) % entities,
        "nearly blocks": lambda: np.sort(np.arange(n) * entities // n + draws.integers(0, 2, n)),
    }[order]()
    in_entities = order_by_entity(code.astype(np.int32))
    errors = []
    for _ in range(20):
        chains = lfilter([np.sqrt(1.0 - dependence**2)], [1.0, -dependence], draws.normal(size=n))
        values = np.empty(n)
        values[in_entities] = chains
        errors.append(
            stream_mean(Sample(values, order=in_entities), with_p_value=False).standard_error
        )
    needed = np.sqrt((1.0 + dependence) / (1.0 - dependence) / n)
    assert 0.85 <= np.mean(errors) / needed <= 1.2


@given(TERNARY, st.integers(1, 8), st.integers(0, 99))
def test_errors_are_worth_the_least_of_both_orders(values, entities, seed):
    order = order_by_entity(np.random.default_rng(seed).integers(0, entities, len(values)))
    series = np.array(values)
    each = [error_runs(series), error_runs(series[order])]
    result = error_runs(series, order=order)
    assert result.effective_size in {item.effective_size for item in each}
    assert result.effective_size <= min(
        (item.effective_size for item in each if item.n_runs > 1), default=len(values)
    )


@given(TERNARY, st.floats(0.01, 0.5))
def test_the_p_value_agrees_with_the_interval(values, level):
    result = stream_mean(values, 1.0 - level)
    assume(not result.reason and abs(result.p_value - level) > 1e-9)
    assert (result.p_value < level) == (not result.low <= 0.0 <= result.high)


@pytest.mark.parametrize("n", [1, 2, 100, 65_537, 200_003, 1_048_593])
def test_a_long_series_has_the_variance_that_numpy_computes(n):
    draws = np.random.default_rng(n)
    for series in (draws.normal(size=n), draws.choice([-1, 0, 1], n).astype(np.int8)):
        assert variance_of(series) == series.astype(np.float64).var()


@given(TERNARY, st.sampled_from([1, 1000]))
def test_small_whole_numbers_are_as_floats(values, times):
    series = np.tile(values, times)
    assert repr(stream_mean(series.astype(np.int8))) == repr(stream_mean(series))  # NaN too
    with pytest.raises(ConfigError, match="at least 1"):
        stream_mean(np.empty(0, np.int8))


def test_the_usual_quantile_is_that_of_students_t():
    assert float(stdtrit(N_SECTIONS - 1, (1.0 + CONFIDENCE) / 2.0)) == DEFAULT_T_QUANTILE


@given(TERNARY)
def test_without_a_p_value_the_interval_is_the_same(values):
    result, expected = stream_mean(values, with_p_value=False), stream_mean(values)
    assert np.isnan(result.p_value)
    assert result._replace(p_value=expected.p_value) == expected or expected.reason


def test_long_series_are_averaged_before_their_dependence_is_measured():
    """White noise of variance 1 has the long-run variance 1, here with a relative error of 2 %."""
    noise = np.random.default_rng(1).normal(size=1_000_000)
    assert initial_positive_variance(noise).variance == pytest.approx(1.0, rel=0.05)


def test_alternating_values_count_as_independent():
    values = np.tile([1.0, -1.0], 500)
    assert stream_mean(values).effective_size == 1000.0


def test_huge_errors_have_the_interval_of_small_ones():
    """Errors of targets near 1e100, whose variances have squares above all numbers."""
    rng = np.random.default_rng(4)
    values, runs = rng.normal(3, 1, 1000), [2.5, 3.0, 3.75]
    small = stream_mean(Sample(values, runs))
    unit = 2.0**500
    huge = stream_mean(Sample(values * unit, np.array(runs) * unit))
    assert (huge.low / unit, huge.high / unit) == pytest.approx((small.low, small.high), rel=1e-12)
    assert huge.df == pytest.approx(small.df, rel=1e-12)


def test_what_is_too_little_is_less_than_what_is_needed():
    draws, worth = np.random.default_rng(8), set()
    for n in range(60, 68):
        for _ in range(60):
            reason = stream_mean(draws.integers(0, 2, n), with_p_value=False).reason
            worth |= {*map(int, re.findall(r"instances is (\d+);", reason))}
    assert max(worth) == 59


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.zeros(1000), "all 1,000 values are equal"),
        (np.full(1000, 0.1), "all 1,000 values are equal"),
        ([1.0], "there is only one value"),
        (np.tile([1.0, 0.0], 25), "there are only 50 instances; at least 60 are needed"),
        (np.repeat([1.0, 0.0], 5000), "the effective sample size of 10,000 dependent instances is"),
        (np.eye(1, 1000)[0], "all but a few of 1,000 instances have the same value"),
    ],
)
def test_too_little_evidence_has_no_interval_and_a_reason(values, reason):
    result = stream_mean(values)
    assert reason in result.reason
    assert np.isnan([result.low, result.high, result.p_value]).all()
    assert result.mean == pytest.approx(np.mean(values))


@pytest.mark.parametrize(("values", "runs"), [([], ()), ([np.nan], ()), ([0.0, 1.0], [1.0])])
def test_no_values_and_single_runs_are_refused(values, runs):
    with pytest.raises(ConfigError, match="expected"):
        stream_mean(Sample(values, runs))


@given(TERNARY)
def test_sections_of_swapped_learners_are_mirrored(values):
    assert (section_signs(values) == -section_signs([-value for value in values])).all()


def test_sections_say_where_which_learner_is_ahead():
    draws = np.random.default_rng(1)
    level = np.repeat([0.5, -0.5], 600)
    result = section_signs(level + draws.normal(size=1200) * 0.3)
    assert result.tolist() == [1] * 6 + [-1] * 6


@pytest.mark.parametrize(("n", "dependence"), [(400, 0.0), (2000, 0.9)])
def test_sections_of_a_constant_level_are_rarely_told_apart(n, dependence):
    """At most 5 % of series; of 200, by more than sampling error."""
    draws = np.random.default_rng(n)
    result = 0
    for _ in range(200):
        first, second = (_autoregressive(n, dependence, draws) < norm.ppf(0.25) for _ in range(2))
        result += section_signs(first.astype(float) - second).any()
    assert result <= binom.ppf(0.999, 200, 0.05)


def test_short_sections_are_not_told_apart():
    """12 sections of 29 values, each of another level."""
    level = np.repeat([0.8, -0.8], 174) + np.random.default_rng(1).normal(size=348) * 0.01
    assert not section_signs(level).any()
    assert section_signs(np.repeat(level, 2)[:720] + np.tile([0.1, -0.1], 348)).any()


@pytest.mark.parametrize("n", [24, 100, 804])
def test_sections_of_equal_values_are_decided_by_their_value(n):
    level = np.sign(np.arange(n) * 2 - n + 0.5)
    for values in (np.ones(n), -np.ones(n), np.zeros(n), np.full(n, 0.3)):
        assert (section_signs(values) == np.sign(values[0])).all()
        assert not section_signs(values, margin=1.0).any()
    if n % 12 == 0:
        assert section_signs(level).tolist() == [-1] * 6 + [1] * 6


def test_sections_with_few_exceptions_from_one_value_are_decided_by_it():
    values = np.ones(1200)
    values[50::60] = 0.0
    assert (section_signs(values) == 1).all()
    assert not section_signs(1.0 - values).any()


def _autoregressive(n, coefficient, draws):
    """Normal values of variance 1, far from their start."""
    before = int(20 / (1 - coefficient))
    steps = draws.normal(size=n + before) * np.sqrt(1 - coefficient**2)
    return lfilter([1.0], [1.0, -coefficient], steps)[before:]


def _over_no_change(n, of_labels, of_errors, draws):
    """Errors of a learner, a quarter of all predictions, and errors of No-Change."""
    labels = _autoregressive(n + 1, of_labels, draws) > 0
    return _autoregressive(n, of_errors, draws) < norm.ppf(0.25), labels[1:] != labels[:-1]


@pytest.mark.parametrize(
    ("n", "of_labels", "of_errors", "least", "most"),
    [
        (300, 0.9, 0.9, 0.0, 0.3),
        (600, 0.9, 0.9, 0.7, 1.0),
        (2000, 0.99, 0.99, 0.0, 0.2),
    ],
)
def test_intervals_over_no_change_miss_rarely_or_are_not_there(
    n, of_labels, of_errors, least, most
):
    """At most 5 % of the streams have one that misses, and of those with one if most have one."""
    draws, number = np.random.default_rng([n, 40]), 200
    expected = np.arccos(of_labels) / np.pi - 0.25
    n_intervals = missed = 0
    for _ in range(number):
        errors, other = _over_no_change(n, of_labels, of_errors, draws)
        difference = other.astype(np.int8) - errors.astype(np.int8)
        result = stream_mean(
            Sample(difference, run_lengths=error_runs(errors, other)), with_p_value=False
        )
        n_intervals += not result.reason
        missed += not result.reason and not result.low <= expected <= result.high
    assert least * number <= n_intervals <= most * number
    assert missed <= binom.ppf(0.999, n_intervals if least else number, 0.05)


def test_errors_are_worth_what_their_dependence_leaves():
    """Autoregressive: n (1 - φ) / (1 + φ), whatever the proportion of errors."""
    draws = np.random.default_rng(1)
    for coefficient in (0.0, 0.5, 0.9, 0.99):
        values = _autoregressive(200_000, coefficient, draws)
        for proportion in (0.5, 0.1):
            result = error_runs(values < norm.ppf(proportion)).effective_size
            expected = 200_000 * (1 - coefficient) / (1 + coefficient)
            assert result == pytest.approx(expected, rel=0.15)


def test_errors_of_a_chain_are_worth_a_part_of_what_they_are():
    """Kept with probability 0.9: 0.1 / 1.9 of the values, of which a third is counted."""
    draws, n = np.random.default_rng(1), 50_000
    sample = draws.random(n) < 0.3
    latest = np.maximum.accumulate(np.where(draws.random(n) >= 0.9, np.arange(n), 0))
    assert error_runs(sample[latest]).effective_size / (n * 0.1 / 1.9) == pytest.approx(1 / 3, 0.1)


@given(st.lists(st.booleans(), max_size=3000), st.lists(st.integers(0, 3000), max_size=5))
def test_runs_in_parts_are_those_of_the_whole(values, cuts):
    whole, in_parts = RunLengths(), RunLengths()
    series = np.array(values, np.bool_)
    whole.add(series)
    for part in np.split(series, sorted(cut for cut in cuts if cut <= len(series))):
        in_parts.add(part)
    assert (whole.n_runs, whole.effective_size) == (in_parts.n_runs, in_parts.effective_size)
    assert whole.n_runs == 1 + sum(a != b for a, b in itertools.pairwise(values))
    assert 0.0 <= whole.effective_size <= len(values)


def test_few_runs_of_errors_are_named():
    mean = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], size=1000)
    few = stream_mean(Sample(mean, run_lengths=error_runs(np.repeat([0.0, 1.0, 0.0, 1.0], 250))))
    assert few.reason == "errors come in only 4 runs; at least 20 are needed"
    slow = stream_mean(Sample(mean, run_lengths=error_runs(np.arange(1000) // 25 % 2)))
    assert slow.reason.startswith("errors come in only 40 runs: the effective sample size of")
    assert np.isnan([few.low, slow.high, slow.p_value]).all()
    assert not stream_mean(Sample(mean, run_lengths=error_runs(np.zeros(1000)))).reason


def test_few_runs_of_errors_leave_few_degrees_of_freedom():
    draws = np.random.default_rng(1)
    run_lengths = error_runs(_autoregressive(2000, 0.9, draws) < 0)
    assert 20 < run_lengths.effective_size < 11 * 12
    result = stream_mean(Sample(draws.normal(size=2000), run_lengths=run_lengths))
    assert result.df == run_lengths.effective_size / 12
    half = student.ppf(0.975, result.df) * result.standard_error
    assert (result.low, result.high) == pytest.approx((result.mean - half, result.mean + half))


def test_the_thresholds_are_those_that_were_set_before_the_calibration():
    assert (MIN_EFFECTIVE_SIZE, MIN_RARE_SIZE, N_SECTIONS) == (60, 10, 12)
    assert (MIN_ERROR_RUNS, SIZE_PER_DEGREE_OF_FREEDOM) == (20, 12)
    assert (SECTION_THRESHOLD, MIN_SECTION_SIZE, MIN_SECTION_RARE_SIZE) == (3.2, 30, 5)


@pytest.mark.parametrize("entities", LASTING_RATES)
def test_intervals_are_about_these_entities(entities):
    draws, number, excluded = np.random.default_rng(entities), 600, 0
    for _ in range(number):
        code = draws.integers(0, entities, 2000)
        effect = draws.normal(0.0, 0.1, entities)[code]  # of half the difference of the learners
        first, second = (draws.random(2000) < np.clip(0.25 + s * effect, 0.0, 1.0) for s in (1, -1))
        series = second.astype(np.int8) - first.astype(np.int8)
        result = stream_mean(Sample(series, order=order_by_entity(code)), with_p_value=False)
        excluded += not result.reason and not result.low <= 0.0 <= result.high
    assert excluded / number == pytest.approx(LASTING_RATES[entities], abs=0.011)
