"""MOA's own numbers of validation with folds."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.golden import HYPERPLANE, LEARNERS, generated, nested_drifts, percent

from streameval.evaluation.folds import run_over_tapes
from streameval.measures.moa import moa_evaluate
from streameval.protocols.folds import SCHEMES, RoundRobinAllotment

# Run with MOA as packed in CapyMOA 0.15.1: EvaluatePrequentialCV with
# BasicClassificationPerformanceEvaluator, -i 20000 -f 20000, -l bayes.NaiveBayes on the stream of
# `nested_drifts`, -a Cross-Validation, Split-Validation, Bootstrap-Validation; last -w 5 -r 7.
# Mean over the folds and sample standard deviation of accuracy, kappa, kappa temporal, kappa M.
DRIFTING_SEA = [
    (
        ("cross_validation", 10, 1),
        (83.6925, 64.37295720482346, 64.99033920137397, 57.61533463287849),
        (0.07119027711391156, 0.18145197607471494, 0.1528344291840107, 0.18502996001017105),
    ),
    (
        ("split_validation", 10, 1),
        (83.038, 62.97211829192358, 63.58522971232289, 55.91423001949318),
        (0.324903404448494, 0.9800612705234159, 0.6975169696189182, 0.8444532929135631),
    ),
    (
        ("bootstrap_validation", 10, 1),
        (83.632, 64.27669191713512, 64.8604551309575, 57.45808966861599),
        (0.1928038727135247, 0.4857501791943527, 0.4139198641338028, 0.5011146789175408),
    ),
    (
        ("bootstrap_validation", 5, 7),
        (83.481, 63.853220353415075, 64.53628166595107, 57.06562703053932),
        (0.1664106366792711, 0.46859909525336385, 0.35725770004135937, 0.4325162746699623),
    ),
]


def mean_and_deviation(learner, stream, scheme, folds=10, seed=1):
    tapes = SCHEMES[scheme](len(stream), folds, allotment=RoundRobinAllotment(seed))
    values = [
        percent(moa_evaluate(stream.y, result.label, stream.n_classes, positions=[len(stream)]))[0]
        for result in run_over_tapes(LEARNERS[learner], stream, tapes)
    ]
    return np.mean(values, axis=0), np.std(values, axis=0, ddof=1)


@pytest.mark.parametrize(("how", "mean", "deviation"), DRIFTING_SEA)
def test_naive_bayes_on_drifting_sea(how, mean, deviation):
    result = mean_and_deviation("naive_bayes", nested_drifts(20_000), *how)
    np.testing.assert_allclose(result, (mean, deviation), rtol=0, atol=1e-11)


# The same with -l (meta.OzaBag -l trees.RandomHoeffdingTree) -i 100000 on RandomRBFGeneratorDrift
# -c 5 -k 0 -s 0: correct predictions of each fold. With the C library's exponential in place of
# Java's, a leaf of one tree splits nine instances too early, and 54497 are correct in the fifth.
FOREST = [58274, 57095, 57357, 57013, 54482, 55522, 57452, 56395, 57638, 57256]


def test_a_forest_on_many_clouds_at_rest():
    stream = generated(100_000, "random_rbf_drift", classes=5, drifting=0, speed=0.0)
    tapes = SCHEMES["cross_validation"](len(stream), 10, allotment=RoundRobinAllotment(1))
    result = run_over_tapes(LEARNERS["random_forest"], stream, tapes)
    assert [np.count_nonzero(fold.label == stream.y) for fold in result] == FOREST


def test_a_tree_on_a_turning_hyperplane():
    # The same with -l trees.HoeffdingTree -s (generators.HyperplaneGenerator -k 10 -t 0.001).
    stream = generated(20_000, **HYPERPLANE)
    mean = (86.259, 72.51694054544721, 72.25441696113073, 72.19828022255943)
    deviation = (0.17505237311540062, 0.350183510027591, 0.3534626413233692, 0.35417779082528794)
    result = mean_and_deviation("hoeffding_tree", stream, "cross_validation")
    np.testing.assert_allclose(result, (mean, deviation), rtol=0, atol=1e-11)
