"""Measures of prediction intervals equal their twins, scikit-learn's and MOA's."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import intervals as naive
from sklearn.metrics import mean_pinball_loss

from streameval.base.errors import ConfigError, DataError
from streameval.learners.adapters.moa import find_jar
from streameval.measures.prediction_intervals import (
    INTERVAL_MEASURES,
    interval_coverage,
    interval_score,
    mean_interval_width,
    normalised_interval_width,
)

each = pytest.mark.parametrize("name", INTERVAL_MEASURES)
number = st.integers(-200, 200).map(lambda n: n / 8)
ends = st.one_of(
    st.tuples(number, number).map(sorted),
    st.sampled_from([(-math.inf, math.inf), (math.inf, -math.inf), (0.0, math.inf)]),
)
levels = st.sampled_from([0.1, 0.5, 0.8, 0.9, 0.95])


@each
@given(
    rows=st.lists(st.tuples(number, ends), max_size=30),
    coverage=levels,
)
def test_measures_equal_their_twins(name, rows, coverage):
    true = [y for y, _ in rows]
    low, high = ([end[i] for _, end in rows] for i in (0, 1))
    result = float(INTERVAL_MEASURES[name].function(true, low, high, coverage))
    expected = getattr(naive, name)(true, low, high, coverage)
    # The twin rounds once, numpy at each of up to 30 sums.
    assert result == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@given(rows=st.lists(st.tuples(number, st.tuples(number, number)), min_size=1), coverage=levels)
def test_the_score_is_the_sum_of_two_pinball_losses_of_scikit_learn(rows, coverage):
    true = [y for y, _ in rows]
    low, high = np.sort([end for _, end in rows], axis=1).T
    alpha = 1 - coverage
    losses = [
        mean_pinball_loss(true, low, alpha=alpha / 2),
        mean_pinball_loss(true, high, alpha=1 - alpha / 2),
    ]
    expected = 2 / alpha * sum(losses)
    assert float(interval_score(true, low, high, coverage)) == pytest.approx(expected, rel=1e-9)


@given(rows=st.lists(st.tuples(number, st.tuples(number, number)), min_size=1), coverage=levels)
def test_the_score_is_at_least_the_width_and_equals_it_where_all_are_covered(rows, coverage):
    true = np.array([y for y, _ in rows])
    low, high = np.sort([end for _, end in rows], axis=1).T
    score, width = interval_score(true, low, high, coverage), mean_interval_width(true, low, high)
    assert score >= width - 1e-12
    inside = np.clip(true, low, high)
    assert interval_score(inside, low, high, coverage) == width


@each
def test_leading_axes_no_intervals_and_missing_ones(name):
    function = INTERVAL_MEASURES[name].function
    true, first, second = np.random.default_rng(1).normal(size=(3, 3, 4, 50))
    low, high = np.minimum(first, second), np.maximum(first, second)
    result = function(true, low, high, 0.9)
    assert result.shape == (3, 4)
    assert result[1, 2] == function(true[1, 2], low[1, 2], high[1, 2], 0.9)
    assert np.isnan(function([], [], [], 0.9))
    assert np.isnan(function([1.0, 2.0], [0.0, math.nan], [2.0, math.nan], 0.9))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0], [0.0], [1.0, 2.0]), r"\(1,\), \(2,\) and \(1,\)"),
        (([1.0, 2.0], [0.0, 3.0], [1.0, 2.5]), "from 3.0 to 2.5 at index 1"),
        ((1.0, 0.0, 2.0), "shape"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(DataError, match=message):
        interval_coverage(*arguments)


@pytest.mark.parametrize("coverage", [0.0, 90, math.nan])
def test_a_coverage_that_is_none(coverage):
    with pytest.raises(ConfigError, match=f"between 0 and 1, found {coverage}"):
        interval_score([1.0], [0.0], [2.0], coverage)


def _rounded(true, low, high):
    """Coverage and NMPIW in per cent with two digits, as MOA rounds, and the width."""
    percent = [
        100 * float(f(true, low, high)) for f in (interval_coverage, normalised_interval_width)
    ]
    return [
        math.floor(100 * percent[0] + 0.5) / 100,
        pytest.approx(float(mean_interval_width(true, low, high)), rel=1e-9),
        math.floor(100 * percent[1] + 0.5) / 100,
    ]


@pytest.mark.moa
@pytest.mark.parametrize("shift", [0.0, 10.0])
def test_measures_are_those_of_the_moa_that_is_there(shift):
    """MOA's range of targets begins with 0: without `reset` with both ends, with it with one."""
    draws = np.random.default_rng(7)
    true = draws.normal(size=300) + shift
    value = true + draws.normal(size=300)
    radius = draws.exponential(2.0, size=300)
    low, high = value - radius, value + radius
    lines = "".join(
        f"{' '.join(map(repr, map(float, row)))}\n"
        for row in zip(true, low, value, high, strict=True)
    )
    program = str(Path(__file__).with_name("Intervals.java"))
    command = ["java", "-cp", str(find_jar()), program, "40"]
    out = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
    fresh, reset, window = ([float(each) for each in line.split()] for line in out.splitlines())
    expected = _rounded(true, low, high)
    assert reset == expected
    assert window == _rounded(true[-40:], low[-40:], high[-40:])
    assert fresh[:2] == expected[:2]
    least = min(true.min(), 0.0)
    width = float(mean_interval_width(true, low, high))
    assert fresh[2] == math.floor(1e4 * width / (true.max() - least) + 0.5) / 100
    assert (fresh[2] == expected[2]) == (shift == 0.0)
