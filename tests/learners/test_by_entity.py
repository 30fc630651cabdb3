"""Baselines on a stream with groups: a model for each entity, as their slow twins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import strategies
from helpers.every_learner import called, task_of
from helpers.numbers import with_numbers
from helpers.segments import segments
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import entities as naive
from naive import learners as naive_learners
from naive import regression as naive_regression

from streameval.evaluation.task import REGRESSION_TASK
from streameval.learners.baselines import Majority, MovingMajority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.label_forecasts import LabelProportions, LabelTransitions
from streameval.learners.regression.baselines import PreviousTarget, Seasonal, TargetMean
from streameval.protocols.prequential import prequential
from streameval.protocols.reevaluation import reevaluation
from streameval.streams.groups import Groups
from streameval.streams.stream import Attribute, Schema, Stream

LEARNERS = [
    *(NoChange(), Majority(), MovingMajority(3), LabelProportions(), LabelTransitions()),
    *(PreviousTarget(), TargetMean(), Seasonal(1), Seasonal(3)),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=called)
@settings(max_examples=20)
@given(case=strategies.cases(), entities=st.integers(1, 6), seed=st.integers(0, 99))
def test_entities_have_models_of_their_own_as_in_the_twin(learner, case, entities, seed):
    is_regressor = task_of(learner) is REGRESSION_TASK
    stream, tape = with_numbers(case[0]) if is_regressor else case[0], case[1]
    code = np.random.default_rng(seed).integers(0, entities, len(stream), dtype=np.int32)
    stream = replace(stream, groups=Groups("machine", code, tuple("abcdef")))
    twins = naive_regression if is_regressor else naive_learners
    waits = isinstance(learner, Seasonal)
    expected = naive.run(lambda: twins.twin(learner, stream), stream, tape, waits=waits)
    np.testing.assert_allclose(learner.run(stream, tape).predicted, expected, rtol=1e-12)


def stream_of(y, code, classes=("a", "b", "c")):
    schema = Schema((Attribute("x"),), classes=classes)
    return Stream(np.zeros((len(y), 1)), np.array(y), schema).grouped(np.array(code))


def test_scores_are_those_of_the_entity():
    stream, steps = stream_of([2, 1, 2, 1, 0, 1], [0, 1, 0, 1, 0, 1]), []
    predictions = NoChange().run(stream, prequential(6), scores=True, progress=steps.append)
    # First machine 0, then 1, which asks all, so class 2; then each keeps its label.
    assert predictions.label.tolist() == [0, 2, 2, 1, 2, 1]
    assert predictions.row.tolist() == [0, 1, 2, 3, 4, 5]
    assert predictions.scores[2:].argmax(axis=1).tolist() == [2, 1, 2, 1]
    np.testing.assert_array_equal(predictions.scores[2:].sum(axis=1), 1.0)
    assert sum(steps) == 6


def test_learners_that_read_inputs_see_the_stream_as_it_comes():
    rng = np.random.default_rng(2)
    stream = Stream(
        rng.normal(size=(200, 2)), rng.integers(0, 2, 200), strategies.schema(2, [0, 0])
    )
    grouped, tape = stream.grouped(rng.integers(0, 5, 200)), prequential(200)
    assert not NaiveBayes.one_model_per_entity
    expected = NaiveBayes().run(stream, tape).label.tolist()
    assert NaiveBayes().run(grouped, tape).label.tolist() == expected


def test_a_tape_in_segments_has_the_predictions_of_the_whole():
    rng = np.random.default_rng(3)
    stream = stream_of(rng.integers(0, 3, 120), rng.integers(0, 4, 120))
    clock = np.arange(120)
    tape, _ = reevaluation(clock, clock + rng.integers(1, 30, 120), every=5)
    whole = NoChange().run(stream, tape).label
    tapes = [*segments(tape, 37)]
    assert len(tapes) > 2
    labels = [segment.label for segment in NoChange().run_segments(stream, tapes)]
    assert np.concatenate(labels).tolist() == whole.tolist()
