"""Estimates of accuracy, and how closely they follow another one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from streameval.base.errors import ConfigError
from streameval.detectors.adwin import adwin_trace
from streameval.evaluation.error_simulation import dependent_errors
from streameval.items.performance.reference_distances import (
    distances,
    predictions_until_full,
    running_accuracies,
)
from streameval.significance.stream_mean import stream_mean

CORRECT = st.lists(st.booleans(), min_size=1, max_size=60).map(np.array)


@given(correct=CORRECT, window=st.integers(1, 70))
def test_windows_hold_the_last_predictions(correct, window):
    accuracies = running_accuracies(correct, [window])[f"window_{window}"]
    expected = [correct[max(0, t - window) : t].mean() for t in range(1, len(correct) + 1)]
    assert accuracies == pytest.approx(expected, abs=1e-12)


def test_adwin_estimates_the_accuracy_from_the_losses():
    correct = np.random.default_rng(1).random(4000) < np.repeat((0.9, 0.4), 2000)
    accuracies = running_accuracies(correct, [100])["adwin"]
    trace = adwin_trace(~correct)
    assert trace.cut.any()
    after = np.arange(1, 4001)
    total = np.concatenate(([0], np.cumsum(correct)))
    expected = (total[after] - total[after - trace.width]) / trace.width
    assert accuracies == pytest.approx(expected, abs=1e-12)
    assert accuracies[-1] == pytest.approx(0.4, abs=0.05)


def test_distances_and_their_differences_by_hand():
    reference = np.full(40, 0.5)
    estimates = {"near": reference + 0.1, "far": reference - np.tile((0.1, 0.5), 20)}
    apart, closer = distances("tree", estimates, reference, 1000)
    assert apart["estimator"].tolist() == ["near", "far"]
    assert apart["distance"].tolist() == pytest.approx([0.1, 0.3])
    (row,) = closer.to_dict("records")
    assert (row["learner"], row["estimator"], row["other"]) == ("tree", "near", "far")
    assert row["instances"] == 1000
    # Forty values say too little for an interval.
    assert row["difference"] == pytest.approx(-0.2)
    assert np.isnan([row["low"], row["high"]]).all()


def test_longer_comparisons_have_the_interval_of_a_mean_over_a_stream():
    draws = np.random.default_rng(3).random((3, 500))
    estimates = {"one": draws[0], "other": draws[1]}
    apart, closer = distances("tree", estimates, draws[2], 1000)
    gaps = [np.abs(draws[number] - draws[2]) for number in (0, 1)]
    for row, gap in zip(apart.to_dict("records"), gaps, strict=True):
        assert (row["distance"], row["low"], row["high"]) == stream_mean(gap)[:3]
    (row,) = closer.to_dict("records")
    expected = stream_mean(gaps[0] - gaps[1])[:3]
    assert (row["difference"], row["low"], row["high"]) == expected
    assert row["low"] < row["difference"] < row["high"]


@pytest.mark.parametrize(("window", "n"), [(100, 10_000), (1000, 40_000)])
def test_intervals_hold_the_mean_distance_of_windows(window, n):
    # Of 100 streams by more than sampling error; a window has hardly 40 independent parts.
    errors = dependent_errors(np.random.default_rng(2), np.full(n, 0.3), 0.9, 100)
    so_far = np.pad(errors.cumsum(axis=1), ((0, 0), (1, 0)))
    means = (so_far[:, window:] - so_far[:, :-window]) / window
    reference = np.full(means.shape[1], 0.3)
    frame = pd.concat(distances("tree", {"w": mean}, reference, n)[0] for mean in means)
    truth = frame["distance"].mean()
    missed = (frame["low"] > truth) | (frame["high"] < truth)
    assert missed.sum() <= binom.ppf(0.999, len(frame), 0.05)
    assert frame["low"].notna().mean() > 0.4


def test_windows_as_long_as_the_stream_are_refused():
    assert predictions_until_full([10, 96], 100, "mine") == 96
    with pytest.raises(ConfigError, match=r"'mine': .*\b100\b.* 97\b"):
        predictions_until_full([10, 97], 100, "mine")
