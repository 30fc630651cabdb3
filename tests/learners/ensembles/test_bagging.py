"""Bagging: members, resets and rough votes; pools that grow."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from helpers.tree_cases import assert_agrees, turning
from hypothesis import given, settings
from numba import njit
from test_ensembles import RESTLESS_BAGGING

from streameval.compiled.kernel_cache import cached
from streameval.learners.bayes import class_statistics, scoreboard, scoring
from streameval.learners.bayes.gaussian_record import STALENESS, YOUTH
from streameval.learners.bayes.scoring import FEW
from streameval.learners.ensembles.bagging import OnlineBagging
from streameval.protocols.prequential import prequential
from streameval.streams.generators.random_rbf import RandomRbf
from streameval.streams.generators.random_tree import RandomTree


@cached  # it takes ten seconds to compile
@njit
def rough_and_exact(stats, scores, X, y, start):
    """Learn the first rows; give rough shares, their errors and exact shares of the others."""
    k = stats.score.shape[0]
    prior, rough, exact = np.zeros(k), np.zeros((len(X), k)), np.zeros((len(X), k))
    error = np.full(len(X), np.inf)
    for i in range(len(X)):
        complete = class_statistics.load(stats, X[i])
        if i < start:
            prior[y[i]] += 1.0
            class_statistics.observe(stats, 0, y[i], 1.0, X[i], complete, prior[y[i]])
        elif complete:
            scores.stale[0] = STALENESS
            scoreboard.forget(scores)
            scoreboard.score_classes(stats, 0, prior, X[i], scores, 0, y[i])
            scoreboard.write_probabilities(stats, scores, 0)
            error[i] = scores.error[0]
            for j in range(scores.n_candidates[0]):
                rough[i, scores.candidate[j]] = scores.probability[scores.candidate[j], 0]
            scoring.votes(stats, 0, prior, X[i], exact[i])
            exact[i] /= exact[i].sum()
    return rough, error, exact


@settings(max_examples=60)
@given(strategies.streams(rows=(20, 200)))
def test_rough_shares_are_as_near_as_they_say(stream):
    stats = class_statistics.make(stream.schema, 1)
    scores = scoreboard.make_scores(1, stream.n_classes)
    rough, error, exact = rough_and_exact(stats, scores, stream.X, stream.y, len(stream) // 2)
    known = np.isfinite(error)
    assert (np.abs(rough - exact).max(axis=1)[known] <= error[known] + 1e-12).all()


@pytest.mark.parametrize("classes", [3, FEW + 4])
def test_rough_shares_of_stale_statistics_are_as_near_as_they_say(classes):
    # Past a class weight of 8192 what scores are made of is derived anew only now and then.
    stream = RandomRbf(classes=classes).stream(40_000 if classes == 3 else 250_000)
    stats = class_statistics.make(stream.schema, 1)
    scores = scoreboard.make_scores(1, stream.n_classes)
    start = len(stream) - 1000
    assert np.bincount(stream.y).max() > YOUTH
    rough, error, exact = rough_and_exact(stats, scores, stream.X, stream.y, start)
    known = np.isfinite(error)
    assert known[start:].mean() > 0.99
    assert (np.abs(rough - exact).max(axis=1)[known] <= error[known] + 1e-12).all()
    assert np.median(error[known]) < 0.05


@pytest.mark.parametrize("binary_splits", [False, True])
def test_equals_its_naive_twin_past_the_first_pool(binary_splits):
    stream = turning(1200, 3)
    learner = OnlineBagging(20, 0.5, 0.5, binary_splits, members=3)
    found = assert_agrees(learner, stream, prequential(len(stream)))
    # The first pool has room for 2·(3·(5 + 1) + 1) = 38 nodes.
    assert found.size["nodes"] > 2 * 38


@pytest.mark.parametrize("classes", [4, FEW + 4])
def test_equals_its_naive_twin_past_many_resets(classes):
    stream = turning(1500, classes)
    found = assert_agrees(RESTLESS_BAGGING, stream, prequential(len(stream)))
    assert found.size["resets"] >= 5


def test_the_model_is_as_large_as_its_trees():
    stream = RandomTree(classes=3).stream(1500)
    learner = OnlineBagging(20, 0.5, 0.5)
    sizes = [learner.play(stream, prequential(n)).model_bytes for n in (1, 500, 1500)]
    assert sizes == sorted(set(sizes))


def test_scores_are_the_shares_of_the_members():
    stream = RandomTree(classes=3).stream(2000)
    found = OnlineBagging(20, 0.5, 0.5).play(stream, prequential(len(stream)), scores=True)
    np.testing.assert_allclose(found.scores.sum(axis=1), 1.0, rtol=1e-6)
    assert np.array_equal(found.scores.argmax(axis=1), found.label)
    assert len(np.unique(found.scores)) > 1000
