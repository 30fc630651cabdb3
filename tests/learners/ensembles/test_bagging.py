"""Bagging: members and resets; pools that grow."""

from __future__ import annotations

import pytest
from helpers.tree_cases import assert_agrees, turning
from test_ensembles import RESTLESS_BAGGING

from streameval.learners.bayes.engine import FEW_CLASSES
from streameval.learners.ensembles.bagging import OnlineBagging
from streameval.protocols.prequential import prequential


@pytest.mark.parametrize("binary_splits", [False, True])
def test_equals_its_naive_twin_past_the_first_pool(binary_splits):
    stream = turning(1200, 3)
    learner = OnlineBagging(20, 0.5, 0.5, binary_splits, members=3)
    predictions = assert_agrees(learner, stream, prequential(len(stream)))
    # The first pool has room for 2·(3·(5 + 1) + 1) = 38 nodes.
    assert predictions.size["nodes"] > 2 * 38


@pytest.mark.parametrize("classes", [4, FEW_CLASSES + 4])
def test_equals_its_naive_twin_past_many_resets(classes):
    stream = turning(1500, classes)
    predictions = assert_agrees(RESTLESS_BAGGING, stream, prequential(len(stream)))
    assert predictions.size["resets"] >= 5
