"""Rough probabilities are as near to the exact ones as they say."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given, settings
from numba import njit

from streameval.compiled.kernel_cache import cache_on_disk
from streameval.learners.bayes import class_statistics, engine, exact
from streameval.learners.bayes.engine import FEW_CLASSES, scoreboard
from streameval.learners.bayes.engine.terms import LARGEST_EAGER_WEIGHT, STALENESS
from streameval.streams.generators.random_rbf import RandomRbf


@cache_on_disk  # it takes ten seconds to compile
@njit
def rough_and_exact(stats, scores, X, y, start):
    """Learn the first rows; give rough shares, their errors and exact shares of the others."""
    k = stats.score.shape[0]
    prior, rough, wanted = np.zeros(k), np.zeros((len(X), k)), np.zeros((len(X), k))
    error = np.full(len(X), np.inf)
    for i in range(len(X)):
        complete = engine.load_instance(stats, X[i])
        if i < start:
            prior[y[i]] += 1.0
            engine.learn_instance(stats, 0, y[i], 1.0, X[i], complete, prior[y[i]])
        elif complete:
            scores.staleness[0] = STALENESS
            engine.reset_candidates(scores)
            engine.score_classes(stats, 0, prior, X[i], scores, 0, y[i])
            scoreboard.write_probabilities(stats, scores, 0)
            error[i] = scores.error[0]
            for j in range(scores.n_candidates[0]):
                rough[i, scores.candidate[j]] = scores.probability[scores.candidate[j], 0]
            exact.votes(stats, 0, prior, X[i], wanted[i])
            wanted[i] /= wanted[i].sum()
    return rough, error, wanted


@settings(max_examples=60)
@given(strategies.streams(rows=(20, 200)))
def test_rough_shares_are_as_near_as_they_say(stream):
    stats = class_statistics.make(stream.schema, 1)
    scores = engine.make_scores(1, stream.n_classes)
    rough, error, wanted = rough_and_exact(stats, scores, stream.X, stream.y, len(stream) // 2)
    known = np.isfinite(error)
    assert (np.abs(rough - wanted).max(axis=1)[known] <= error[known] + 1e-12).all()


@pytest.mark.parametrize("classes", [3, FEW_CLASSES + 4])
def test_rough_shares_of_stale_statistics_are_as_near_as_they_say(classes):
    # Past a class weight of 8192 what scores are made of is derived anew only now and then.
    stream = RandomRbf(classes=classes).stream(40_000 if classes == 3 else 250_000)
    stats = class_statistics.make(stream.schema, 1)
    scores = engine.make_scores(1, stream.n_classes)
    start = len(stream) - 1000
    assert np.bincount(stream.y).max() > LARGEST_EAGER_WEIGHT
    rough, error, wanted = rough_and_exact(stats, scores, stream.X, stream.y, start)
    known = np.isfinite(error)
    assert known[start:].mean() > 0.99
    assert (np.abs(rough - wanted).max(axis=1)[known] <= error[known] + 1e-12).all()
    assert np.median(error[known]) < 0.05
