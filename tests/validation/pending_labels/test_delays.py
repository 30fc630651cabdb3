"""The study of inputs for a learner while labels are delayed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.study_inputs import stream_input_of

from pending_labels.delays import MEASURED, OPTIONS, study
from streameval.base.errors import ConfigError
from streameval.items.inputs import silent
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.prequential import delayed, prequential
from streameval.significance.stream_mean import stream_mean
from streameval.streams.generators.markov import Markov

DELAYS = [0, 2, 19]
N = 1_500


@pytest.fixture(scope="module")
def stream():
    return Markov(priors=[0.5, 0.3, 0.2], persistence=0.9, attributes=2, separation=0.7).stream(N)


def study_of(stream, learners, delays, announce=silent):
    item = {"learners": tuple(learners), "delays": tuple(delays)}
    return study(stream_input_of("delays", stream, learners, announce=announce, **item))["delays"]


@pytest.fixture(scope="module")
def frame(stream):
    return study_of(stream, {"naive_bayes": NaiveBayes()}, DELAYS)


def known_from(delay):
    """The first instance that is scored: nobody knows a label before."""
    return delay + 1 if delay else 0


def value(frame, delay, learner, option, measure="accuracy"):
    index = ["delay", "learner", "option", "measure"]
    return frame.set_index(index)["value"][delay, learner, option, measure]


def test_there_is_a_row_for_each_delay_learner_option_and_measure(frame):
    roles = [("no_change", "ordinary"), ("majority", "ordinary")]
    roles += [("naive_bayes", option) for option in OPTIONS]
    keys = frame[["delay", "learner", "option", "measure"]].itertuples(index=False, name=None)
    assert list(keys) == [
        (delay, *role, measure) for delay in DELAYS for role in roles for measure in MEASURED
    ]
    assert (frame["reason"] == "").all()
    assert frame.index.tolist() == list(range(len(frame)))


def test_each_option_is_its_learner_on_the_delayed_tape(stream, frame):
    bayes = NaiveBayes()
    options = {
        "ordinary": bayes,
        "older_label": TemporallyAugmented(bayes),
        "predicted_label": PredictionAugmented(bayes),
        "both": PredictionAugmented(bayes, older=True),
    }
    for delay in DELAYS:
        tape = delayed(N, delay)
        for option, learner in options.items():
            right = learner.run(stream, tape).label == stream.y
            assert value(frame, delay, "naive_bayes", option) == np.mean(right[known_from(delay) :])
    at_once = np.mean(bayes.run(stream, prequential(N)).label == stream.y)
    assert value(frame, 0, "naive_bayes", "ordinary") == at_once


def test_no_change_repeats_the_latest_label_that_has_arrived(stream, frame):
    for delay in DELAYS:
        repeated = np.concatenate((np.zeros(delay + 1), stream.y[: -delay - 1]))
        expected = np.mean((repeated == stream.y)[known_from(delay) :])
        assert value(frame, delay, "no_change", "ordinary") == expected
        assert value(frame, delay, "no_change", "ordinary", "kappa_temporal") == 0
        for option in OPTIONS:
            accuracy = value(frame, delay, "naive_bayes", option)
            assert value(frame, delay, "naive_bayes", option, "kappa_temporal") == pytest.approx(
                (accuracy - expected) / (1 - expected)
            )


def test_gains_have_intervals_that_respect_dependence(stream, frame):
    bayes = NaiveBayes()
    tape = delayed(N, 2)
    right = {
        name: (learner.run(stream, tape).label == stream.y).astype(float)
        for name, learner in (("alone", bayes), ("older", TemporallyAugmented(bayes)))
    }
    row = frame[(frame["delay"] == 2) & (frame["option"] == "older_label")].iloc[0]
    expected = stream_mean((right["older"] - right["alone"])[known_from(2) :])[:3]
    assert (row["measure"], row["learner"]) == ("accuracy", "naive_bayes")
    assert tuple(row[["gain", "low", "high"]]) == expected
    has_gain = frame["gain"].notna()
    assert (has_gain == ((frame["measure"] == "accuracy") & (frame["option"] != "ordinary"))).all()
    assert (frame["low"].notna() == has_gain).all()
    assert (frame["high"].notna() == has_gain).all()


def test_delays_come_in_order(stream, frame):
    again = study_of(stream, {"naive_bayes": NaiveBayes()}, [19, 0, 2])
    pd.testing.assert_frame_equal(again, frame)


def test_a_learner_can_be_left_without_labels(stream):
    frame = study_of(stream, {}, [N])
    assert set(frame["learner"]) == {"no_change", "majority"}
    assert np.isnan(value(frame, N, "majority", "ordinary"))
    assert set(frame["reason"]) == {"there are no predictions"}


def test_each_run_is_announced(stream):
    calls = []
    frame = study_of(stream, {"naive_bayes": NaiveBayes()}, [0, 3], calls.append)
    roles = frame[["delay", "learner", "option"]].drop_duplicates()
    assert [text.partition(":")[0] for text in calls] == [
        f"delay {delay}, {learner}, {option}"
        for delay, learner, option in roles.itertuples(index=False)
    ]


def test_undefined_values_have_reasons(stream):
    frame = study_of(replace(stream, y=np.zeros(N)), {}, [0])
    undefined = frame[frame["measure"] != "accuracy"]
    assert undefined["value"].isna().all()
    assert (undefined["reason"] != "").all()


def test_what_cannot_be_compared_is_an_error(stream):
    with pytest.raises(ConfigError, match="found temporally_augmented"):
        study_of(stream, {"bayes": TemporallyAugmented(NaiveBayes())}, [4])
