"""The k nearest neighbours predict as MOA's and as their slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from helpers.every_learner import assert_agrees
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.learners.knn import KNN
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream

learners = st.builds(KNN, st.integers(1, 40), st.integers(1, 70))
nan = np.nan


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 8, 9, 16, 17, 60]))
def test_equals_its_naive_twin_where_very_many_are_equally_far(seed, k):
    rng = np.random.default_rng(seed)
    stream = Stream(
        rng.integers(0, 2, (250, 2)).astype(float),
        rng.integers(0, 3, 250),
        strategies.schema(3, [2, 0]),
    )
    assert_agrees(KNN(k, 150), stream, prequential(250))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.sampled_from([0.0, 0.02]), st.booleans())
def test_equals_its_naive_twin_where_distances_differ_by_less_than_float32_holds(
    seed, k, missing, is_far
):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (200, 3)) + 10.0 ** rng.uniform(-12, -5) * rng.normal(size=(200, 3))
    X[rng.random(X.shape) < missing] = nan
    X[::7, 0] += 1e6 * is_far  # and soon leaves the window again
    stream = Stream(X, rng.integers(0, 3, 200), strategies.schema(3, [0, 0, 0]))
    assert_agrees(KNN(k, 40), stream, prequential(200))


@pytest.mark.parametrize("odd", [np.nan, 1.7e308, -1.7e308])
def test_equals_its_naive_twin_around_a_value_unlike_the_others(odd):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 2))
    X[[30, 31, 90], [0, 1, 0]] = odd
    stream = Stream(X, rng.integers(0, 3, 120), strategies.schema(3, [0, 0]))
    assert_agrees(KNN(3, 20), stream, prequential(120))


def test_the_model_is_no_larger_than_that_of_moa():
    # Measured by MOA on its RandomRBF, see benchmarks/throughput.csv.
    stream = Stream(np.zeros((1, 10)), np.zeros(1, dtype=int), strategies.schema(2, [0] * 10))
    assert KNN().run(stream, prequential(1)).model_bytes < 158_800


# --- By hand ----------------------------------------------------------------------------


def test_votes_of_moa():
    # Run with MOA as packed in CapyMOA 0.15.1: lazy.kNN -k 2 -w 4, predict, then train.
    X = [[0, 0], [8, 0], [4, 1], [nan, 0], [2, nan], [nan, nan], [5, 0], [4, 0], [3, 1]]
    votes = [(0, 0, 1), (1, 0, 1), (1, 0, 1), (0, 1, 1), (2, 1, 1), (1, 1, 0), (1, 0, 1), (0, 0, 2)]
    stream = Stream(
        np.array(X), np.array([2, 0, 1, 0, 2, 1, 2, 2, 1]), strategies.schema(3, [0, 2])
    )
    predictions = KNN(2, 4).run(stream, prequential(9), scores=True)
    expected = np.array(votes) / np.sum(votes, axis=1, keepdims=True)
    np.testing.assert_allclose(predictions.scores[1:], expected, rtol=1e-7)


# --- Properties -------------------------------------------------------------------------


@settings(max_examples=30)
@given(strategies.cases(), learners, st.integers(-30, 30))
def test_units_do_not_matter(case, learner, exponent):
    stream, tape = case
    numeric = stream.schema.n_values == 0
    scale = np.where(numeric, 2.0**exponent, 1.0)  # powers of two round nothing
    scaled = Stream(stream.X * scale, stream.y, stream.schema)
    np.testing.assert_array_equal(learner.run(stream, tape).label, learner.run(scaled, tape).label)


@settings(max_examples=30)
@given(strategies.streams(rows=(2, 100)), learners)
def test_only_the_window_matters(stream, learner):
    n = len(stream)
    op = np.append(np.full(n - 1, LEARN), PREDICT)
    rows = np.arange(n)
    kept = max(0, n - 1 - learner.window)
    everything = Tape(rows, op, np.ones(n))
    window = Tape(rows[kept:], op[kept:], np.ones(n - kept))
    np.testing.assert_array_equal(
        learner.run(stream, everything, scores=True).scores,
        learner.run(stream, window, scores=True).scores,
    )
