"""The k nearest neighbours predict as MOA's and as their slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import learners as naive

from streameval.learners.knn import KNN
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream

learners = st.builds(KNN, st.integers(1, 40), st.integers(1, 70))
nan = np.nan


def assert_agrees(learner, stream, tape=None):
    """Compare every prediction of a run, by default a prequential one, with the slow twin's."""
    tape = prequential(len(stream)) if tape is None else tape
    expected = naive.run(naive.twin(learner, stream), stream, tape)
    assert learner.run(stream, tape).label.tolist() == expected


@settings(max_examples=150)
@given(strategies.cases(exponents=(-5, 5)), learners)
def test_equals_its_naive_twin(case, learner):
    assert_agrees(learner, *case)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 8, 9, 16, 17, 60]))
def test_equals_its_naive_twin_where_very_many_are_equally_far(seed, k):
    rng = np.random.default_rng(seed)
    stream = Stream(
        rng.integers(0, 2, (400, 2)).astype(float),
        rng.integers(0, 3, 400),
        strategies.schema(3, [2, 0]),
    )
    assert_agrees(KNN(k, 150), stream)


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
    assert_agrees(KNN(k, 40), stream)


@pytest.mark.parametrize("odd", [np.nan, 1.7e308, -1.7e308])
def test_equals_its_naive_twin_around_a_value_unlike_the_others(odd):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 2))
    X[[30, 31, 90], [0, 1, 0]] = odd
    stream = Stream(X, rng.integers(0, 3, 120), strategies.schema(3, [0, 0]))
    assert_agrees(KNN(3, 20), stream)


def test_the_model_is_no_larger_than_that_of_moa():
    # Measured by MOA on its RandomRBF, see benchmarks/throughput.csv.
    stream = Stream(np.zeros((1, 10)), np.zeros(1, dtype=int), strategies.schema(2, [0] * 10))
    assert KNN().run(stream, prequential(1)).model_bytes < 158_800


# --- By hand ----------------------------------------------------------------------------


def ask(learnt, labels, asked, learner, n_values=None, weights=None):
    """Learn instances, then return the scores (3,) of one more."""
    n = len(learnt)
    X = np.array([*learnt, asked], dtype=float)
    stream = Stream(X, np.array([*labels, 0]), strategies.schema(3, n_values or [0] * X.shape[1]))
    weights = np.ones(n) if weights is None else weights
    tape = Tape(np.arange(n + 1), np.append(np.full(n, LEARN), PREDICT), np.append(weights, 1))
    return learner.run(stream, tape, scores=True).scores[0].tolist()


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


def test_ranges_are_those_of_the_window():
    learnt, asked = [[1000, 0], [0, 10], [10, 0]], [4, 4]
    # In 0..1000 the first attribute says next to nothing.
    assert ask(learnt, [2, 0, 1], asked, KNN(1)) == [0, 1, 0]
    # In a window of two it has 0..10, and both are equally far.
    assert ask(learnt, [2, 0, 1], asked, KNN(1, 2)) == [0.5, 0.5, 0]


def test_nominal_values_are_equal_or_not():
    assert ask([[0], [3], [1]], [0, 1, 2], [2], KNN(1), [4]) == pytest.approx([1 / 3] * 3)
    assert ask([[0], [3], [1]], [0, 1, 2], [3], KNN(1), [4]) == [0, 1, 0]


def test_a_missing_value_is_as_far_as_it_could_be():
    # From 3 in 0..10 that is 0.7, as far as 10 is; 9.9 is nearer.
    learnt, labels = [[0, 1], [10, 0], [nan, 0]], [0, 1, 2]
    assert ask(learnt, labels, [3, 0], KNN(1), [0, 2]) == [0, 0.5, 0.5]
    assert ask([*learnt, [9.9, 0]], [*labels, 0], [3, 0], KNN(1), [0, 2]) == [1, 0, 0]


def test_two_missing_values_are_one_apart():
    assert ask([[nan], [0], [10]], [0, 1, 2], [nan], KNN(1)) == pytest.approx([1 / 3] * 3)
    assert ask([[nan], [5], [0], [10]], [0, 1, 2, 2], [nan], KNN(1)) == [0, 1, 0]


def test_the_oldest_vote_where_distances_are_undefined():
    learnt = [[nan, 1], [nan, 2], [nan, 3], [nan, 4]]
    assert ask(learnt, [0, 1, 2, 1], [5, 4], KNN(1)) == [1, 0, 0]
    assert ask(learnt, [0, 1, 2, 1], [5, 4], KNN(2, 3)) == [0, 0.5, 0.5]
    assert ask(learnt, [0, 1, 2, 1], [nan, 4], KNN(1)) == [0, 1, 0]


def test_a_weight_is_learnt_once_or_not_at_all():
    learnt, labels = [[0], [0], [0]], [0, 1, 2]
    scores = ask(learnt, labels, [0], KNN(), weights=[0, 2, 0.5])
    assert scores == [0, 0.5, 0.5]


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
