"""The Hoeffding tree predicts and grows as its slow twin."""

from __future__ import annotations

import numpy as np
from helpers import strategies
from helpers.every_learner import assert_agrees

from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import PREDICT, Tape
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Stream


def two_values(n):
    """A nominal attribute of three values that is the class; the third does not occur."""
    y = np.arange(n) % 2
    return y.astype(float)[:, None], y


def test_a_value_unseen_at_the_split_gets_a_leaf_when_it_is_learnt():
    X, y = two_values(10)
    X, y = np.vstack([X, [[2.0]], [[2.0]]]), np.append(y, [1, 1])
    stream = Stream(X, y, strategies.schema(2, [3]))
    grown = HoeffdingTree(10).run(stream, prequential(10))
    assert grown.size == {"nodes": 3, "leaves": 2, "depth": 1}
    # Of five zeros and five ones the split node predicts 0, until there is a leaf of one 1.
    predictions = assert_agrees(HoeffdingTree(10), stream, prequential(12))
    assert predictions.label[-2:].tolist() == [0, 1]
    assert predictions.size == {"nodes": 4, "leaves": 3, "depth": 1}


def test_a_nominal_attribute_without_values_can_still_be_split():
    # MOA 2024.07 (the jar of capymoa 0.15.1), trees.HoeffdingTree -g 10 -c 0.9 -p -l MC, on
    # these ten rows: predictions 0 1 1 1 1 1 0 0 0 0, then 1 node and no leaf.
    y = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 1])
    stream = Stream(np.full((10, 1), np.nan), y, strategies.schema(2, [1]))
    learner = HoeffdingTree(10, 0.9, pre_prune=False, leaf_prediction="majority")
    predictions = assert_agrees(learner, stream, prequential(10))
    assert predictions.label.tolist() == [0, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    assert predictions.size == {"nodes": 1, "leaves": 0, "depth": 0}


def test_a_leaf_of_constants_is_reset_when_no_split_competes():
    y = np.tile([0, 1, 1], 20)
    stream = Stream(np.ones((60, 2)), y, strategies.schema(2, [0, 0]))
    for pre_prune in (True, False):
        learner = HoeffdingTree(10, pre_prune=pre_prune)
        predictions = assert_agrees(learner, stream, prequential(60))
        assert predictions.size == {"nodes": 1, "leaves": 1, "depth": 0}


def test_the_model_grows_in_bytes_as_in_nodes():
    stream = RandomTree(classes=3).stream(1500)
    learner = HoeffdingTree(20, 0.5, 0.5)
    sizes = [learner.run(stream, prequential(n)).model_bytes for n in (1, 500, 1500)]
    assert sizes == sorted(set(sizes))
    few = learner.run(stream, Tape(np.zeros(1), np.full(1, PREDICT), np.ones(1)))
    assert 0 < few.model_bytes < sizes[0]  # a leaf that has learnt nothing has no records
