"""Runs whose predictions are binned piece by piece: as if all were made and then binned."""

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
def short_pieces(monkeypatch):
    """Make pieces of 100 events; return weak references to those that were made."""
    made, pieces = [], ReevaluationPlan.pieces

    def short(plan):
        for tape, polls in pieces(plan, 100):
            made.append(weakref.ref(polls))
            yield tape, polls
            del tape, polls

    monkeypatch.setattr(ReevaluationPlan, "pieces", short)
    return made


def same(found, expected):
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.made, expected.made)


@pytest.mark.parametrize(
    "learner",
    [NoChange(), NaiveBayes(), HoeffdingTree(), TemporallyAugmented(NaiveBayes()), TargetMean()],
    ids=lambda learner: learner.name,
)
def test_bins_are_those_of_the_whole(learner, short_pieces):
    is_of_numbers = learner == TargetMean()
    stream = friedman(400) if is_of_numbers else RandomTree(classes=3).stream(400)
    made = reevaluated(stream, 3, delay=40)
    found, seconds = run_in_bins(made, learner, WAYS)
    assert len(short_pieces) > 20
    assert seconds > 0
    predicted = learner.play(made.stream, made.tape).predicted
    silent = False if learner.name in ALWAYS_VOTING else None
    for one, (bins, rule) in zip(found, WAYS, strict=True):
        if is_of_numbers:
            same(one, binned_values(made.polls, predicted, bins, rule))
        else:
            same(one, binned_labels(made.polls, predicted, bins, rule, silent=silent))


def test_pieces_are_not_kept(short_pieces, monkeypatch):
    alive, play = [], NaiveBayes.play_pieces

    def watched(learner, stream, tapes, seed):
        for found in play(learner, stream, tapes, seed):
            gc.collect()
            alive.append(sum(piece() is not None for piece in short_pieces))
            yield found

    monkeypatch.setattr(NaiveBayes, "play_pieces", watched)
    gc.freeze()  # what was there before is not looked through each time
    try:
        run_in_bins(reevaluated(RandomTree().stream(400), 3, delay=40), NaiveBayes(), WAYS)
    finally:
        gc.unfreeze()
    assert len(alive) == len(short_pieces) > 20
    assert max(alive) <= 2
