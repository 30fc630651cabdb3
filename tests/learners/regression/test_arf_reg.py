"""The adaptive random forest for regression."""

from __future__ import annotations

from helpers import numbers

from streameval.learners.regression.adaptive_random_forest import AdaptiveRandomForestRegressor
from streameval.learners.regression.fimt_dd import FimtDD
from streameval.measures.regression import mean_absolute_error
from streameval.protocols.prequential import prequential


def test_a_corrected_forest_is_better_than_its_tree_and_than_moas():
    stream, tape = numbers.friedman(8000), prequential(8000)
    tree, forest, of_moa = (
        mean_absolute_error(stream.y, learner.run(stream, tape).value)
        for learner in (
            FimtDD(regression_tree=True, grace_period=50, split_confidence=0.01),
            AdaptiveRandomForestRegressor(members=10),
            AdaptiveRandomForestRegressor(members=10, form="moa"),
        )
    )
    assert forest < of_moa
    assert forest < tree
