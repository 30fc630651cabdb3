"""The Hoeffding adaptive tree predicts and grows as its slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from helpers.tree_cases import EAGER, assert_agrees
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.learners.trees.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream

#: Trees that grow after few instances.
eager = st.builds(HoeffdingAdaptiveTree, **EAGER, own_draws=st.booleans())


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
    learner = HoeffdingAdaptiveTree(600, 0.01)
    predictions = assert_agrees(learner, stream, prequential(len(stream)))
    assert predictions.size["switches"] > 0


def test_worse_alternates_are_dropped():
    stream = drifting(4000, 1, period=4000, noise=0.1)
    y = stream.y.copy()
    y[2200:2400] = (y[2200:2400] + 1) % 3  # a short disturbance
    stream = Stream(stream.X, y, stream.schema)
    learner = HoeffdingAdaptiveTree(2000, leaf_prediction="majority")
    predictions = assert_agrees(learner, stream, prequential(len(stream)))
    assert predictions.size["prunings"] > 0


def test_equals_its_naive_twin_past_the_first_pools():
    stream = drifting(3000, 5, period=300)
    learner = HoeffdingAdaptiveTree(10, 0.9, 2.0)
    predictions = assert_agrees(learner, stream, prequential(len(stream)))
    # The first pools have room for 80 nodes and 12 leaves.
    assert predictions.size["nodes"] > 320


def test_replaced_branches_do_not_count():
    stream, learner = drifting(20_000, 3, period=3000), HoeffdingAdaptiveTree(50, 0.01)
    large, small = (learner.run(stream, prequential(n)) for n in (10_000, 20_000))
    assert small.size["nodes"] < large.size["nodes"]
    assert small.model_bytes < large.model_bytes


def test_own_draws_equal_the_naive_twin_with_any_seed():
    stream, learner = drifting(2000, 4), HoeffdingAdaptiveTree(50, 0.01, own_draws=True)
    assert_agrees(learner, stream, prequential(len(stream)), seed=99)


def test_without_own_draws_the_seed_does_not_matter():
    stream, tape = drifting(3000, 2), prequential(3000)
    first, second = (HoeffdingAdaptiveTree(50, 0.01).run(stream, tape, seed) for seed in (1, 2))
    assert first.label.tobytes() == second.label.tobytes()


# MOA 2024.07 (the jar of capymoa 0.15.1), the runs whose predictions are in test_golden.py:
# alternateTrees and switchedAlternateTrees at the end.
REAL_ALTERNATES = {"elec2": (85, 4), "elec2_mlj": (53, 5), "ozone": (0, 0), "kdd99": (42, 6)}


@pytest.mark.parametrize("name", REAL_ALTERNATES)
def test_alternates_on_real_streams(real_stream, name):
    stream = real_stream(name)
    size = HoeffdingAdaptiveTree().run(stream, prequential(len(stream))).size
    assert (size["alternates"], size["switches"]) == REAL_ALTERNATES[name]
