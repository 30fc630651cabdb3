"""Accuracy by bin, its intervals, and who may be the best."""

from __future__ import annotations

import numpy as np
import pytest

from streameval.significance.intervals import CONFIDENCE, series_interval
from streameval.studies.binned_measures import contrasts, stages

N, BINS = 3000, 4


@pytest.fixture(scope="module")
def correct():
    rng = np.random.default_rng(1)
    rates = {"no_change": 0.5, "good": 0.8, "middle": 0.65}
    found = {name: rng.random((N, BINS)) < rate for name, rate in rates.items()}
    found["no_change"][:, -1] = rng.random(N) < 0.95  # the best one in the last bin
    return found


def test_differences_to_the_most_accurate_other_learner(correct):
    frame = contrasts(correct)
    for row in frame.to_dict("records"):
        b = row["bin"]
        others = {name: right[:, b].mean() for name, right in correct.items()}
        del others[row["learner"]]
        if row["reference"] == "best":
            assert row["other"] == max(others, key=others.get)
        else:
            assert (row["reference"], row["other"]) == ("no_change", "no_change")
        one, other = (correct[row[name]][:, b].astype(float) for name in ("learner", "other"))
        comparisons = BINS * (2 if row["reference"] == "best" else 1)
        together = series_interval(one - other, 1 - (1 - CONFIDENCE) / comparisons)
        alone = series_interval(one - other)
        assert row["difference"] == pytest.approx(one.mean() - other.mean(), abs=1e-12)
        assert (row["low"], row["high"]) == pytest.approx(alone[1:])
        assert (row["band_low"], row["band_high"]) == pytest.approx(together[1:])
        assert row["band_low"] < row["low"] < row["high"] < row["band_high"]
    counts = frame.groupby("reference").size().to_dict()
    assert counts == {"best": 3 * BINS, "no_change": 2 * BINS}


def test_the_bands_tell_who_may_be_the_best(correct):
    frame = contrasts(correct)
    best = frame[(frame["reference"] == "best") & ~(frame["band_high"] < 0)]
    assert set(zip(best["learner"], best["bin"], strict=True)) == {
        *(("good", b) for b in range(BINS - 1)),
        ("no_change", BINS - 1),
    }


def test_equal_learners_are_seldom_told_apart():
    # The level: of 200 families of independent learners that are equally accurate, about 5 %.
    rng, told = np.random.default_rng(2), 0
    for _ in range(200):
        found = {name: rng.random((300, BINS)) < 0.6 for name in ("a", "b", "c")}
        frame = contrasts(found)
        own = frame[frame["learner"] == "a"]
        told += bool((own["band_high"] < 0).any() or (own["band_low"] > 0).any())
    # The probability of more than 20 of 200, if each has 0.05, is below 0.001.
    assert told <= 20


def test_too_few_labels_have_no_interval():
    frame = contrasts({name: np.ones((3, 2), dtype=bool) for name in ("a", "b")})
    assert frame[["low", "high", "band_low", "band_high"]].isna().all(axis=None)
    assert (frame["difference"] == 0).all()


def test_stages_count_correct_predictions_so_far(correct):
    frame = stages(correct, [0, 3], 7)
    assert frame["labels"].max() == N
    assert frame.groupby(["learner", "bin"]).size().unique().tolist() == [7]
    for row in frame.to_dict("records"):
        assert row["correct"] == correct[row["learner"]][: row["labels"], row["bin"]].sum()
