"""Runs whose predictions are binned segment by segment: as if all were made and then binned."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from helpers.binned import binned_labels, binned_values
from helpers.numbers import friedman

from streameval.evaluation.reevaluation import ALWAYS_VOTING, reevaluated, run_in_bins
from streameval.learners.baselines import NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.regression.baselines import TargetMean
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.bins import PAPER, PUBLISHED
from streameval.protocols.reevaluation import ReevaluationPlan
from streameval.streams.generators.random_tree import RandomTree

WAYS = [(10, PUBLISHED), (10, PAPER), (3, PUBLISHED)]


@pytest.fixture
def short_segments(monkeypatch):
    """Make segments of 100 events; return weak references to those that were made."""
    made, segments = [], ReevaluationPlan.segments

    def short(plan):
        for tape, polls in segments(plan, 100):
            made.append(weakref.ref(polls))
            yield tape, polls
            del tape, polls

    monkeypatch.setattr(ReevaluationPlan, "segments", short)
    return made


def same(found, expected):
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.made, expected.made)


@pytest.mark.parametrize(
    "learner",
    [NoChange(), NaiveBayes(), HoeffdingTree(), TemporallyAugmented(NaiveBayes()), TargetMean()],
    ids=lambda learner: learner.name,
)
def test_bins_are_those_of_the_whole(learner, short_segments):
    is_of_numbers = learner == TargetMean()
    stream = friedman(400) if is_of_numbers else RandomTree(classes=3).stream(400)
    made = reevaluated(stream, 3, delay=40)
    found, seconds = run_in_bins(made, learner, WAYS)
    assert len(short_segments) > 20
    assert seconds > 0
    predicted = learner.play(made.stream, made.tape).predicted
    silent = False if learner.name in ALWAYS_VOTING else None
    for one, (bins, rule) in zip(found, WAYS, strict=True):
        if is_of_numbers:
            same(one, binned_values(made.polls, predicted, bins, rule))
        else:
            same(one, binned_labels(made.polls, predicted, bins, rule, silent=silent))


def test_segments_are_not_kept(short_segments, monkeypatch):
    alive, play = [], NaiveBayes.play_segments

    def watched(learner, stream, tapes, seed):
        for found in play(learner, stream, tapes, seed):
            gc.collect()
            alive.append(sum(segment() is not None for segment in short_segments))
            yield found

    monkeypatch.setattr(NaiveBayes, "play_segments", watched)
    gc.freeze()  # what was there before is not looked through each time
    try:
        run_in_bins(reevaluated(RandomTree().stream(400), 3, delay=40), NaiveBayes(), WAYS)
    finally:
        gc.unfreeze()
    assert len(alive) == len(short_segments) > 20
    assert max(alive) <= 2
