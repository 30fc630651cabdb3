"""The adaptive random forest for regression."""

from __future__ import annotations

import pytest
from helpers import numbers
from naive import regression as naive

from streameval.learners.regression.adaptive_random_forest import AdaptiveRandomForestRegressor
from streameval.learners.regression.fimt_dd import FimtDD
from streameval.measures.regression import mean_absolute_error
from streameval.protocols.prequential import prequential


@pytest.mark.parametrize("form", ["corrected", "moa"])
@pytest.mark.parametrize(("mode", "size"), [("sqrt", 1), ("sqrt_inverse", 1), ("size", 3)])
def test_trees_are_replaced_as_in_the_twin(form, mode, size):
    learner = AdaptiveRandomForestRegressor(
        form=form,
        members=2,
        grace_period=100,
        drift_delta=0.5,
        warning_delta=0.9,
        subspace_mode=mode,
        subspace=size,
    )
    stream, tape = numbers.friedman(2000), prequential(2000)
    predictions, twin = learner.run(stream, tape, 5), naive.twin(learner, stream, 5)
    assert predictions.value.tolist() == naive.run(twin, stream, tape)
    assert predictions.size == twin.size()
    assert predictions.size["drifts"] > 0
    assert predictions.size["leaves"] > 2


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


def test_detection_can_be_switched_off():
    stream, tape = numbers.friedman(4000), prequential(4000)
    predictions = AdaptiveRandomForestRegressor(members=3, drift_detection=False).run(stream, tape)
    assert predictions.size["drifts"] == predictions.size["warnings"] == 0
