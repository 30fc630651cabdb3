"""The Hoeffding adaptive tree answers and grows as its slow twin."""

from __future__ import annotations

from dataclasses import asdict

import naive_learners as naive
import numpy as np
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_adaptive_tree import HoeffdingAdaptiveTree as Twin

from streameval.learners.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streameval.learners.hoeffding_tree import LEAF_PREDICTIONS
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream


def assert_agrees(learner, stream, tape):
    """Compare every answer and the tree at the end; return the twin and the answers."""
    twin = Twin(stream.schema.n_values.tolist(), **asdict(learner))
    expected = naive.play(twin, stream, tape)
    found = learner.play(stream, tape)
    assert found.label.tolist() == expected
    assert found.size == twin.size()
    return twin, found


#: Trees that grow after few instances.
eager = st.builds(
    HoeffdingAdaptiveTree,
    grace_period=st.sampled_from([5, 10, 20, 30]),
    split_confidence=st.sampled_from([1e-7, 0.05, 0.5, 0.9]),
    tie_threshold=st.sampled_from([0.0, 0.05, 0.4, 2.0]),
    binary_splits=st.booleans(),
    pre_prune=st.booleans(),
    leaf_prediction=st.sampled_from(LEAF_PREDICTIONS),
)


@settings(max_examples=120)
@given(strategies.cases(rows=(1, 250)), eager)
def test_equals_its_naive_twin(case, learner):
    assert_agrees(learner, *case)


@settings(max_examples=60)
@given(strategies.cases(rows=(1, 150), exponents=(-150, 150)), eager)
def test_equals_its_naive_twin_at_any_scale(case, learner):
    assert_agrees(learner, *case)


def drifting(n, seed, period=700, missing=0.0, noise=0.3):
    """Three classes that are told by other values in every other period."""
    rng = np.random.default_rng(seed)
    y, turned = rng.integers(0, 3, n), np.arange(n) // period % 2
    nominal = np.where(rng.random(n) < noise, rng.integers(0, 3, n), (y + turned) % 3)
    nominal[: period // 2] %= 2  # value 2 is new later
    X = np.column_stack([nominal, rng.integers(0, 4, n), rng.normal(size=n) + 2 * y * turned])
    X[rng.random(X.shape) < missing] = np.nan
    return Stream(X, y, strategies.schema(3, [3, 4, 0]))


@settings(max_examples=10)
@given(st.integers(0, 1000), st.sampled_from([0.0, 0.1]), eager)
def test_equals_its_naive_twin_when_concepts_drift(seed, missing, learner):
    stream = drifting(2000, seed, missing=missing)
    assert_agrees(learner, stream, prequential(len(stream)))


def test_better_alternates_are_switched_to():
    stream = drifting(4000, 1, noise=0.6)
    twin, _ = assert_agrees(HoeffdingAdaptiveTree(600, 0.01), stream, prequential(len(stream)))
    assert twin.switches > 0


def test_worse_alternates_are_dropped():
    stream = drifting(4000, 1, period=4000, noise=0.1)
    y = stream.y.copy()
    y[2200:2400] = (y[2200:2400] + 1) % 3  # a short disturbance
    stream = Stream(stream.X, y, stream.schema)
    learner = HoeffdingAdaptiveTree(2000, leaf_prediction="majority")
    twin, _ = assert_agrees(learner, stream, prequential(len(stream)))
    assert twin.prunings > 0


def test_equals_its_naive_twin_past_the_first_pools():
    stream = drifting(3000, 5, period=300)
    learner = HoeffdingAdaptiveTree(10, 0.9, 2.0)
    _, found = assert_agrees(learner, stream, prequential(len(stream)))
    # The first pools have room for 80 nodes and 12 leaves.
    assert found.size["nodes"] > 320


def test_replaced_branches_do_not_count():
    stream, learner = drifting(20_000, 3, period=3000), HoeffdingAdaptiveTree(50, 0.01)
    large, small = (learner.play(stream, prequential(n)) for n in (10_000, 20_000))
    assert small.size["nodes"] < large.size["nodes"]
    assert small.model_bytes < large.model_bytes
