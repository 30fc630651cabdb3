"""Differences between learners and between bins, and who may be the best."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from helpers.binned import correct_chains

from streameval.evaluation.bins import (
    correct_by_label_count,
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


def test_differences_to_the_most_accurate_other_learner(correct):
    frame = differences_by_bin(correct, "best", "no_change")
    for row in frame.to_dict("records"):
        b = row["bin"]
        others = {name: right[:, b].mean() for name, right in correct.items()}
        del others[row["learner"]]
        if row["reference"] == "best":
            assert row["other"] == max(others, key=others.get)
        else:
            assert (row["reference"], row["other"]) == ("no_change", "no_change")
        first, other = (correct[row[name]][:, b].astype(float) for name in ("learner", "other"))
        pair = [(row["learner"], "no_change")]
        both = [*combinations(correct, 2)] if row["reference"] == "best" else pair
        gaps = [correct[name] * 1.0 - correct[second] for name, second in both]
        half = simultaneous_width(column_block_means(np.concatenate(gaps, axis=1)))
        alone = stream_mean(first - other)
        band = (alone.mean - half * alone.standard_error, alone.mean + half * alone.standard_error)
        assert row["difference"] == pytest.approx(first.mean() - other.mean(), abs=1e-12)
        assert (row["low"], row["high"]) == pytest.approx((alone.low, alone.high))
        assert (row["band_low"], row["band_high"]) == pytest.approx(band)
        assert row["band_low"] < row["low"] < row["high"] < row["band_high"]
    counts = frame.groupby("reference").size().to_dict()
    assert counts == {"best": 3 * BINS, "no_change": 2 * BINS}


def test_the_bands_tell_who_may_be_the_best(correct):
    frame = differences_by_bin(correct, "best", "no_change")
    best = frame[(frame["reference"] == "best") & ~(frame["band_high"] < 0)]
    assert set(zip(best["learner"], best["bin"], strict=True)) == {
        *(("good", b) for b in range(BINS - 1)),
        ("no_change", BINS - 1),
    }


def test_equal_learners_are_seldom_told_apart():
    # The level: of 200 families of independent learners that are equally accurate, at most 5 %.
    rng, n_excluded = np.random.default_rng(2), 0
    for _ in range(200):
        gains = {name: rng.random((300, BINS)) < 0.6 for name in ("a", "b", "c")}
        frame = differences_by_bin(gains, "best")
        of_a = frame[frame["learner"] == "a"]
        n_excluded += bool((of_a["band_high"] < 0).any() or (of_a["band_low"] > 0).any())
    # The probability of more than 20 of 200, if each has 0.05, is below 0.001.
    assert n_excluded <= 20


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
    for t in range(1, n):
        noise[t] = dependence * noise[t - 1] + (1 - dependence**2) ** 0.5 * noise[t]
    noise = 0.8**0.5 * noise[:, :1] + 0.2**0.5 * noise[:, 1:]  # neighbouring bins have much alike
    size = spread[number]
    return -np.exp(size * noise - size**2 / 2)


@pytest.mark.parametrize("dependence", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("spread", [(0.3, 0.3, 1.5, 1.5), (0.3, 0.3, 0.3, 2.0)])
def test_equally_good_regressors_are_seldom_excluded(dependence, spread):
    def draw(rng, number):
        return skewed(rng, number, dependence=dependence, spread=spread)

    # The probability of more than 10 of 80, if each has 0.05, is 0.002. The band alone is wrong in
    # up to 30 % of these.
    assert told_behind(draw, 80, 5) <= 10


@pytest.mark.parametrize(("n", "dependence"), [(300, 0.0), (300, 0.9), (1000, 0.9)])
def test_equally_good_classifiers_are_seldom_excluded(n, dependence):
    def draw(rng, _):
        common, separate = (correct_chains(rng, n, 0.5, dependence, size) for size in (1, BINS))
        return np.where(rng.random((n, BINS)) < 0.5, common, separate)

    assert told_behind(draw, 80, 6) <= 10


def test_a_learner_that_is_much_worse_is_excluded():
    def draw(rng, number):
        return skewed(rng, number, n=3000, spread=(0.3, 0.3, 0.3, 0.8)) - 0.5 * (number == 3)

    assert told_behind(draw, 10, 7) == 10


def test_where_a_few_errors_are_huge_nobody_is_excluded():
    rng = np.random.default_rng(8)
    steady = -np.ones((3000, BINS)) + rng.normal(0, 0.01, (3000, BINS))
    rare = np.where(rng.random((3000, BINS)) < 0.005, -1000.0, 0.0)
    frame = differences_by_bin({"steady": steady, "rare": rare}, "best")
    assert not frame["behind"].any()


@pytest.mark.parametrize("kind", [float, bool])
def test_too_few_labels_have_no_interval(kind):
    frame = differences_by_bin(
        {name: np.ones((3, 2), kind) for name in ("a", "b")}, "best", "b", "first"
    )
    assert len(frame) == 4 + 2 + 2
    assert frame[["low", "high", "band_low", "band_high"]].isna().all(axis=None)
    assert (frame["difference"] == 0).all()


@pytest.mark.parametrize("is_numeric", [True, False])
def test_learners_are_compared_with_others_and_with_their_first_predictions(is_numeric):
    rng = np.random.default_rng(1)
    errors = {name: rng.random((600, 3)) * size for name, size in (("a", 1), ("target_mean", 2))}
    errors["a"][:, 2] *= 0.2
    gains = {name: -error if is_numeric else error < 0.5 for name, error in errors.items()}
    frame = differences_by_bin(gains, "best", "target_mean", "first")
    assert frame.groupby(["learner", "reference"]).size().to_dict() == {
        ("a", "best"): 3,
        ("a", "first"): 2,
        ("a", "target_mean"): 3,
        ("target_mean", "best"): 3,
        ("target_mean", "first"): 2,
    }
    for row in frame.to_dict("records"):
        mine, others = (gains[row[name]] * 1.0 for name in ("learner", "other"))
        is_first, b = row["reference"] == "first", row["bin"]
        gain, other = mine[:, b], others[:, 0 if is_first else b]
        assert row["difference"] == pytest.approx(gain.mean() - other.mean())
        family = mine[:, 1:] - mine[:, :1] if is_first else mine - others
        alone = stream_mean(gain - other)
        half = simultaneous_width(column_block_means(family)) * alone.standard_error
        assert (row["low"], row["high"]) == pytest.approx((alone.low, alone.high))
        assert row["band_low"] == pytest.approx(alone.mean - half)
        assert row["band_high"] == pytest.approx(alone.mean + half)
    best = frame[frame["reference"] == "best"]
    assert (best.loc[best["learner"] == "a", "band_low"] > 0).all()
    assert (best.loc[best["learner"] == "target_mean", "band_high"] < 0).all()


def test_instances_that_somebody_does_not_predict_are_left_out():
    draws = np.random.default_rng(4)
    gains = {name: -draws.random((600, 3)) for name in "ab"}
    known = differences_by_bin({name: gain[100:] for name, gain in gains.items()}, "best", "first")
    gains["a"][:100, 1] = np.nan
    assert differences_by_bin(gains, "best", "first").equals(known)


def test_stages_count_correct_predictions_so_far(correct):
    frame = correct_by_label_count(correct, [0, 3], 7)
    assert frame["labels"].max() == N
    assert frame.groupby(["learner", "bin"]).size().unique().tolist() == [7]
    for row in frame.to_dict("records"):
        assert row["correct"] == correct[row["learner"]][: row["labels"], row["bin"]].sum()


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


def test_pairs_that_are_correct_at_the_same_labels_differ_by_0():
    right = np.arange(400)[:, None] % 3 > 0
    (row,) = differences_between_bins({"a": right, "b": right}, [0]).to_dict("records")
    assert (row["difference"], row["low"], row["high"]) == (0.0, 0.0, 0.0)
    assert differences_between_bins({"a": right, "b": right}, []).empty
    (row,) = differences_between_bins({"a": right[:0], "b": right[:0]}, [0]).to_dict("records")
    assert np.isnan([row["difference"], row["low"], row["high"]]).all()
