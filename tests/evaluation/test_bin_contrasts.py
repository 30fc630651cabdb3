"""Differences between learners and between bins, and who may be the best."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.signal import lfilter

from streameval.evaluation.bins import (
    END_COLUMNS,
    differences_between_bins,
    differences_by_bin,
)
from streameval.significance.simultaneous import column_block_means, simultaneous_width
from streameval.significance.stream_mean import stream_mean

N, BINS = 3000, 4


@pytest.fixture(scope="module")
def correct():
    rng = np.random.default_rng(1)
    rates = {"no_change": 0.5, "good": 0.8, "middle": 0.65}
    right = {name: rng.random((N, BINS)) < rate for name, rate in rates.items()}
    right["no_change"][:, -1] = rng.random(N) < 0.95  # the best one in the last bin
    return right


@pytest.mark.parametrize("is_numeric", [True, False])
def test_learners_are_compared_with_others_and_with_their_first_predictions(correct, is_numeric):
    rng = np.random.default_rng(1)
    gains = correct
    if is_numeric:
        gains = {name: right - rng.random((N, BINS)) for name, right in correct.items()}
    frame = differences_by_bin(gains, "best", "no_change", "first")
    counts = frame.groupby("reference").size().to_dict()
    assert counts == {"best": 3 * BINS, "no_change": 2 * BINS, "first": 3 * (BINS - 1)}
    values = {name: gain.astype(float) for name, gain in gains.items()}
    pairs = [values[first] - values[second] for first, second in combinations(values, 2)]
    for row in frame.to_dict("records"):
        name, other, b, reference = (row[k] for k in ("learner", "other", "bin", "reference"))
        means = {key: gain[:, b].mean() for key, gain in values.items() if key != name}
        assert other == {"best": max(means, key=means.get), "first": name}.get(reference, reference)
        first = reference == "first"
        series = values[name][:, b] - values[other][:, 0 if first else b]
        family = values[name] - values[other]
        if first:
            family = values[name][:, 1:] - values[name][:, :1]
        elif reference == "best":
            family = np.concatenate(pairs, axis=1)
        alone = stream_mean(series)
        half = simultaneous_width(column_block_means(family)) * alone.standard_error
        expected = (alone.mean, alone.low, alone.high, alone.mean - half, alone.mean + half)
        assert tuple(row[key] for key in ("difference", *END_COLUMNS)) == pytest.approx(expected)
        assert row["band_low"] < row["low"] < row["high"] < row["band_high"]
    best = frame[(frame["reference"] == "best") & ~frame["behind"]]
    assert set(zip(best["learner"], best["bin"], strict=True)) == {
        *(("good", b) for b in range(BINS - 1)),
        ("no_change", BINS - 1),
    }


def told_behind(draw, families, seed):
    """Number of families of equally good learners with a false exclusion in some bin."""
    rng, n_excluded = np.random.default_rng(seed), 0
    for _ in range(families):
        learners = {name: draw(rng, number) for number, name in enumerate("abcd")}
        n_excluded += bool(differences_by_bin(learners, "best")["behind"].any())
    return n_excluded


def skewed(rng, number, n=300, dependence=0.0, spread=(0.3, 0.3, 1.5, 1.5)):
    """Minus absolute errors with mean 1, (n, BINS): lognormal, of two learners with huge ones."""
    noise = rng.standard_normal((n, BINS + 1))
    noise[1:] *= (1 - dependence**2) ** 0.5
    noise = lfilter([1], [1, -dependence], noise, axis=0)
    noise = 0.8**0.5 * noise[:, :1] + 0.2**0.5 * noise[:, 1:]  # neighbouring bins have much alike
    size = spread[number]
    return -np.exp(size * noise - size**2 / 2)


@pytest.mark.parametrize(
    ("dependence", "spread"), [(0.0, (0.3, 0.3, 0.3, 2.0)), (0.5, (0.3, 0.3, 1.5, 1.5))]
)
def test_equally_good_regressors_are_seldom_excluded(dependence, spread):
    def draw(rng, number):
        return skewed(rng, number, dependence=dependence, spread=spread)

    # The probability of more than 6 of 40, if each has 0.05, is 0.003. The band alone is wrong in
    # up to 30 % of these.
    assert told_behind(draw, 40, 5) <= 6


def test_a_learner_that_is_much_worse_is_excluded():
    def draw(rng, number):
        return skewed(rng, number, n=3000, spread=(0.3, 0.3, 0.3, 0.8)) - 0.5 * (number == 3)

    assert told_behind(draw, 3, 7) == 3


def test_where_a_few_errors_are_huge_nobody_is_excluded():
    rng = np.random.default_rng(8)
    steady = -np.ones((3000, BINS)) + rng.normal(0, 0.01, (3000, BINS))
    rare = np.where(rng.random((3000, BINS)) < 0.005, -1000.0, 0.0)
    frame = differences_by_bin({"steady": steady, "rare": rare}, "best")
    assert not frame["behind"].any()


def test_too_few_labels_have_no_interval():
    gains = {name: np.ones((3, 2), bool) for name in ("a", "b")}
    frame = differences_by_bin(gains, "best", "b", "first")
    assert len(frame) == 4 + 2 + 2
    assert frame[END_COLUMNS].isna().all(axis=None)
    assert (frame["difference"] == 0).all()


@pytest.mark.parametrize(("n", "has_bands"), [(100, False), (300, True)])
def test_bands_need_more_labels_than_intervals(n, has_bands):
    draws = np.random.default_rng(1)
    frame = differences_by_bin({name: draws.random((n, 2)) for name in "ab"}, "best")
    assert frame["low"].notna().all()
    assert (frame["band_low"].notna() == has_bands).all()


def test_instances_that_somebody_does_not_predict_are_left_out():
    draws = np.random.default_rng(4)
    gains = {name: -draws.random((600, 3)) for name in "ab"}
    known = differences_by_bin({name: gain[100:] for name, gain in gains.items()}, "best", "first")
    gains["a"][:100, 1] = np.nan
    assert differences_by_bin(gains, "best", "first").equals(known)


def test_pairs_compare_any_two_cells_at_the_same_labels(correct):
    frame = differences_between_bins(correct, [0, 3])
    cells = len(correct) * 2
    assert len(frame) == cells * (cells - 1) // 2
    for row in frame.to_dict("records"):
        sides = ((row["learner"], row["bin"]), (row["other"], row["other_bin"]))
        first, other = (correct[name][:, b] for name, b in sides)
        exact = stream_mean(first.astype(float) - other)
        assert row["difference"] == pytest.approx(exact.mean, abs=1e-12)
        if (first != other).any():
            assert (row["low"], row["high"]) == pytest.approx(exact[1:3], nan_ok=True)
    right = correct["good"][:400]
    (row,) = differences_between_bins({"a": right, "b": right}, [0]).to_dict("records")
    assert (row["difference"], row["low"], row["high"]) == (0.0, 0.0, 0.0)
    assert differences_between_bins(correct, []).empty
    (row,) = differences_between_bins({"a": right[:0], "b": right[:0]}, [0]).to_dict("records")
    assert np.isnan([row["difference"], row["low"], row["high"]]).all()
