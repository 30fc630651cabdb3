"""Binned predictions of a study equal those of `evaluate`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers.binned import binned_labels, binned_values
from helpers.numbers import friedman

import streameval as se
from streameval.evaluation.bins import bin_table
from streameval.evaluation.delays import ALWAYS_VOTING
from streameval.evaluation.reevaluation import reevaluate, run_in_bins
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.regression.baselines import TargetMean
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.bins import PAPER, PUBLISHED, RULES
from streameval.streams.generators.random_tree import RandomTree

WAYS = [(10, PUBLISHED), (10, PAPER), (3, PUBLISHED)]


def same(actual, expected):
    np.testing.assert_array_equal(actual.values, expected.values)
    np.testing.assert_array_equal(actual.is_new, expected.is_new)


@pytest.mark.parametrize(
    "learner",
    [NoChange(), NaiveBayes(), HoeffdingTree(), TemporallyAugmented(NaiveBayes()), TargetMean()],
    ids=lambda learner: learner.name,
)
def test_bins_are_those_of_all_predictions(learner):
    is_of_numbers = learner == TargetMean()
    stream = friedman(400) if is_of_numbers else RandomTree(classes=3).stream(400)
    reevaluated = reevaluate(stream, 3, delay=40)
    binned, seconds = run_in_bins(reevaluated, learner, WAYS)
    assert seconds > 0
    predicted = learner.run(reevaluated.stream, reevaluated.tape).predicted
    silent = False if learner.name in ALWAYS_VOTING else None
    for counted, (bins, rule) in zip(binned, WAYS, strict=True):
        if is_of_numbers:
            same(counted, binned_values(reevaluated.prediction_events, predicted, bins, rule))
        else:
            same(
                counted,
                binned_labels(
                    reevaluated.prediction_events, predicted, bins, rule, without_votes=silent
                ),
            )


@pytest.mark.parametrize("sorted_by_name", [False, True])
@pytest.mark.parametrize("rule", RULES)
def test_bins_of_a_study_are_those_of_evaluate(rule, sorted_by_name):
    plain = RandomTree(classes=3).stream(400)
    stream = replace(plain, schema=replace(plain.schema, sorted_by_name=sorted_by_name))
    measures = se.evaluate(stream, "majority", delay=40, every=3, progress=False)
    bins = measures.bins(5, rule, ["majority"])
    reevaluated = reevaluate(stream, 3, delay=40)
    scored = reevaluated.scored(rule)
    assert scored.sum() == (400 if rule == PUBLISHED else 359)
    (binned,), _ = run_in_bins(reevaluated, Majority(), [(5, rule)], scored=scored)
    table = bin_table(
        reevaluated.stream.y[reevaluated.prediction_events.labelled_rows[scored]], binned, 3
    )
    for name in ("accuracy", "kappa", "predictions", "calculated", "missing"):
        np.testing.assert_array_equal(table[name], bins[name], err_msg=name)
