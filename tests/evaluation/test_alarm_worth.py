"""What alarms are worth: against random ones of the same rate, no resets, and No-Change."""

from __future__ import annotations

import numpy as np
import pytest

from streameval.evaluation.alarm_worth import (
    WORTH,
    alarm_worth,
    error_curves,
    worth_rows,
)
from streameval.evaluation.verdict_words import FIRST
from streameval.learners.baselines import NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.wrappers.resetting import Resetting
from streameval.protocols.prequential import prequential
from streameval.streams.drifts import spaced, with_drifts
from streameval.streams.generators.random_tree import RandomTree


@pytest.fixture(scope="module")
def stream():
    return with_drifts(RandomTree(seed=3).stream(6000), "relabelled", spaced(6000, 3))


@pytest.fixture(scope="module")
def found(stream):
    detectors = ["hddm_a", "every:400", "never"]
    return alarm_worth(stream, prequential(len(stream)), NaiveBayes(), detectors, runs=4)


def test_accuracies_are_those_of_the_learner_itself(found, stream):
    tape = prequential(len(stream))
    kept, reset, previous = (
        (one.play(stream, tape).label == stream.y).mean()
        for one in (NaiveBayes(), Resetting(NaiveBayes(), "hddm_a"), NoChange())
    )
    assert found.accuracy("never") == kept
    assert found.accuracy("hddm_a") == reset
    assert found.accuracy("no_change") == previous
    assert found.kappa_temporal("hddm_a") == pytest.approx(1 - (1 - reset) / (1 - previous))
    alarms = Resetting(NaiveBayes(), "hddm_a").play(stream, tape).alarms.changes
    assert found.by_detector["hddm_a"].alarms.tolist() == alarms.tolist()


def test_random_alarms_have_the_rate_of_the_detector(found, stream):
    # Every 400th of 6,000 is 15; 4 runs of random alarms have 60 in all, or 60 ± 4 √60.
    assert found.by_detector["every:n=400"].rate == 15 / 6000
    tape = prequential(len(stream))
    resets = Resetting(NaiveBayes(), "chance:0.0025:1")
    counts = [len(resets.play(stream, tape, seed).alarms.changes) for seed in range(4)]
    assert abs(sum(counts) - 60) < 4 * np.sqrt(60)


def test_alarms_at_drifts_are_worth_more_than_random_ones(found):
    one = found.by_detector["hddm_a"]
    assert one.over_random.verdict == FIRST
    assert one.over_random.low > 0
    assert one.over_never.difference > 0.05
    # It is ahead of the mean of the random runs by the difference of the accuracies.
    gap = found.accuracy("hddm_a") - found.accuracy("hddm_a at random")
    assert one.over_random.difference == pytest.approx(gap, abs=1e-12)


def test_no_alarms_are_worth_nothing(found):
    one = found.by_detector["never"]
    assert one.rate == 0
    assert one.over_random.difference == one.over_never.difference == 0
    assert "equal" in one.over_never.reason


def test_intervals_hold_for_all_comparisons_at_once(stream):
    tape = prequential(len(stream))
    alone, beside = (
        alarm_worth(stream, tape, NaiveBayes(), detectors, runs=4).by_detector["every:n=400"]
        for detectors in (["every:400"], ["every:400", "every:300", "every:200"])
    )
    width, wider = (one.over_never.high - one.over_never.low for one in (alone, beside))
    assert wider > width
    assert alone.over_never.difference == beside.over_never.difference


def test_equal_keys_give_equal_results(stream):
    tape = prequential(len(stream))
    one, again = (
        alarm_worth(stream, tape, NaiveBayes(), ["ddm"], runs=3, workers=n) for n in (1, 2)
    )
    assert worth_rows(one) == worth_rows(again)


def test_rows_say_what_is_not_there(found):
    rows = {row["detector"]: row for row in worth_rows(found)}
    assert list(rows) == ["hddm_a", "every:n=400", "never", "no_change"]
    assert all(tuple(row) == WORTH for row in rows.values())
    assert rows["no_change"]["over_random"] is None
    assert rows["no_change"]["kappa_temporal"] == 0
    assert rows["every:n=400"]["alarms"] == 15


def test_error_curves_are_means_over_the_window(found, stream):
    curves = error_curves(found, 1000, 6)
    assert curves["instance"].tolist() == [1000, 2000, 3000, 4000, 5000, 6000]
    label = NaiveBayes().play(stream, prequential(len(stream))).label
    wrong = (label != stream.y).reshape(6, 1000).mean(axis=1)
    assert curves["never"] == pytest.approx(wrong)
    assert len(error_curves(found, 10**9, 5)["never"]) == 1
