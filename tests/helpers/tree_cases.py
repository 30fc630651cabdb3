"""What tests of trees share: parameters that let them grow early, and the comparison."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from naive import learners as naive

from streameval.learners.trees.hoeffding_tree import LEAF_PREDICTIONS
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Stream

#: Parameters of trees that grow after few instances.
EAGER = {
    "grace_period": st.sampled_from([5, 10, 20, 30]),
    "split_confidence": st.sampled_from([1e-7, 0.05, 0.5, 0.9]),
    "tie_threshold": st.sampled_from([0.0, 0.05, 0.4, 2.0]),
    "binary_splits": st.booleans(),
    "pre_prune": st.booleans(),
    "leaf_prediction": st.sampled_from(LEAF_PREDICTIONS),
}


def assert_agrees(learner, stream, tape, seed=1):
    """Compare every prediction and the size at the end with those of the slow twin."""
    twin = naive.twin(learner, stream, seed)
    expected = naive.run(twin, stream, tape)
    played = learner.run(stream, tape, seed)
    assert played.label.tolist() == expected
    assert played.size == twin.size()
    return played


def turning(n, classes):
    """A stream whose labels change their meaning, back and forth."""
    stream = RandomTree(classes=classes).stream(n)
    y = (stream.y + np.arange(n) // 300) % classes
    return Stream(stream.X, y, stream.schema)
