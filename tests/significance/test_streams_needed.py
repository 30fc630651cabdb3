"""Power of Wilcoxon's test over streams, and how many streams it takes."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from naive import significance as naive

from streameval.base.errors import DataError
from streameval.significance.streams_needed import (
    simulated_noise,
    streams_needed,
    wilcoxon_power,
    wilcoxon_rejects,
)

untied = st.lists(st.integers(-99, 99).filter(bool), min_size=2, max_size=9, unique_by=abs)


@given(untied, st.sampled_from([0.01, 0.05, 0.2]))
def test_rejections_are_those_of_the_twin(values, level):
    assert wilcoxon_rejects([values], level).tolist() == [naive.signed_ranks(values)[2] <= level]


def test_many_streams_are_rejected_as_by_scipy():
    rows = np.random.default_rng(2).normal(0.3, 1, (300, 60))
    result = wilcoxon_rejects(rows, 0.05)
    expected = scipy.stats.wilcoxon(rows, axis=1, method="approx", correction=False).pvalue < 0.05
    assert result.tolist() == expected.tolist()


def test_noise_is_as_large_as_the_differences_and_symmetric():
    values = np.random.default_rng(3).exponential(2.0, 10)
    noise = simulated_noise(values, 40)
    assert noise.std() == pytest.approx(values.std(ddof=1), rel=0.02)
    assert abs(noise.mean()) < 4 * noise.std() / math.sqrt(noise.size)


def test_the_power_is_that_of_normal_differences():
    # Differences of many streams are normal; the power of the t-test with 3/π of the streams.
    values = scipy.special.ndtri((np.arange(200) + 0.5) / 200)
    for streams, shift in ((20, 0.5), (40, 0.5), (12, 1.0)):
        sample = np.random.default_rng(streams).normal(shift, 1, (20_000, streams))
        expected = scipy.stats.wilcoxon(sample, axis=1, method="approx").pvalue < 0.05
        assert wilcoxon_power(values, shift, streams) == pytest.approx(expected.mean(), abs=0.035)


def test_streams_needed_reach_the_power_and_one_fewer_does_not():
    values = np.random.default_rng(4).normal(0.02, 0.03, 8)
    needed = int(streams_needed(values, 0.02))
    assert wilcoxon_power(values, 0.02, needed) >= 0.8 > wilcoxon_power(values, 0.02, needed - 1)
    # Half of the difference takes about four times as many, where many are needed.
    assert streams_needed(values, 0.005) == pytest.approx(4 * streams_needed(values, 0.01), rel=0.1)
    # The mean of the differences at hand does not matter, nor does the unit.
    assert streams_needed(values - 0.5, 0.02) == needed
    assert streams_needed(100 * values, 2.0) == needed
    assert streams_needed(values, 0.02, level=0.01) > needed


def test_the_fewest_and_the_most_streams():
    assert streams_needed([1.0, 1.0, 1.0], 0.1) == 6  # nothing varies; fewer cannot reject
    assert streams_needed([0.0, 1.0, 3.0], 100.0) == 6
    assert streams_needed([0.0, 1.0, 3.0], 0.001) == math.inf


@pytest.mark.parametrize(
    ("differences", "difference"),
    [([1.0], 0.1), ([1.0, math.nan], 0.1), ([1.0, 2.0], 0.0), ([1.0, 2.0], math.nan)],
)
def test_what_cannot_be_simulated_is_refused(differences, difference):
    with pytest.raises(DataError, match="expected"):
        streams_needed(differences, difference)
    with pytest.raises(DataError, match="expected"):
        wilcoxon_power(differences, difference, 10)
