"""Learners that run over a tape in segments predict as over the whole."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.every_learner import EVERY, called, stream_for
from helpers.other_learners import MODELS
from helpers.segments import segments

from streameval.base import memory
from streameval.base.errors import DataError
from streameval.learners.adapters.retrained import Retrained
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.learner import CompiledRun
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.reevaluation import reevaluation
from streameval.protocols.tape import Tape, join_tapes

N = 300


CUSTOM = MODELS["plain"]
RETRAINED = Retrained("sklearn.tree.DecisionTreeClassifier", every=70, window=90)
WHOLE = [
    TemporallyAugmented(NaiveBayes(), lags=2),
    TemporalCorrection(NaiveBayes()),
    PredictionAugmented(NaiveBayes()),
    SklearnLearner("sklearn.linear_model.SGDClassifier"),
]


@pytest.fixture(scope="module")
def stream():
    return stream_for(NaiveBayes())


@pytest.fixture(scope="module")
def tape():
    clock = np.arange(N)
    return reevaluation(clock, clock + 3 * (clock % 7), every=4)[0]


@pytest.mark.parametrize(
    ("learner", "most"),
    [(learner, most) for learner in (*EVERY, CUSTOM, RETRAINED) for most in (1, 100)]
    + [(learner, 100) for learner in WHOLE],
    ids=lambda value: str(value) if isinstance(value, int) else called(value),
)
def test_predictions_in_segments_are_those_of_the_whole(learner, tape, most):
    stream = stream_for(learner)
    tapes = [*segments(tape, most)]
    parts = [*learner.run_segments(stream, tapes, 5)]
    expected = learner.run(stream, tape, 5)
    for segment, part in zip(tapes, parts, strict=True):
        assert part.row.tolist() == segment.predict_rows.tolist()
        if hasattr(part, "label"):
            assert (part.n_classes, part.scores) == (3, None)
    joined_up = np.concatenate([part.predicted for part in parts])
    np.testing.assert_array_equal(joined_up, expected.predicted)
    assert {part.predicted.dtype for part in parts} == {expected.predicted.dtype}
    assert (parts[-1].model_bytes, parts[-1].size) == (expected.model_bytes, expected.size)
    assert sum(part.seconds for part in parts) > 0


@pytest.mark.parametrize("learner", [NaiveBayes(), CUSTOM, RETRAINED], ids=called)
def test_a_segment_is_not_needed_before_its_predictions(learner, stream, tape):
    taken = []

    def tapes():
        for segment in segments(tape, 100):
            taken.append(segment)
            yield segment

    for number, _ in enumerate(learner.run_segments(stream, tapes()), start=1):
        assert len(taken) == number
    assert len(taken) > 5


def test_a_play_completes_a_tape_before_it_goes_on(stream):
    both = (np.full(300, 3), np.ones(300))
    first, second = Tape(np.arange(300), *both), Tape(np.arange(300, 600), *both)
    run = CompiledRun(NaiveBayes(), stream, first)
    run.advance(10)
    run.continue_with(second)
    run.advance(300)
    expected = NaiveBayes().run(stream, join_tapes([first, second]))
    assert run.predictions(0.0).label.tolist() == expected.label[300:].tolist()
    assert run.predictions(0.0).row.tolist() == [*range(300, 600)]
    with pytest.raises(DataError, match=r"refers to rows 0\.\.600, stream"):
        run.continue_with(Tape([0, 600], [3, 3], [1, 1]))


def test_segments_that_must_be_joined_need_room(stream, tape, monkeypatch):
    tapes = [*segments(tape, 100)]
    monkeypatch.setattr(memory, "_MIN_CHECKED_BYTES", 0)
    monkeypatch.setattr(memory, "free_bytes", lambda: 9 * len(tape))
    with pytest.raises(DataError, match=r"events, not in segments.*without a wrapper"):
        next(TemporallyAugmented(NaiveBayes()).run_segments(stream, tapes))
    assert len([*NaiveBayes().run_segments(stream, tapes)]) == len(tapes)


def test_no_segments_have_no_predictions(stream):
    for learner in (NaiveBayes(), CUSTOM, PredictionAugmented(NaiveBayes())):
        assert [*learner.run_segments(stream, [])] == []
