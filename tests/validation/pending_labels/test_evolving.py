"""Evolving instances: inputs of each prediction, the tape over them, and their effect."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.study_inputs import stream_input_for
from hypothesis import assume, given
from hypothesis import strategies as st
from naive import waiting as naive
from protocols.test_reevaluation import array, times

from pending_labels import evolving_inputs
from pending_labels.evolving_inputs import TIME_SINCE_ARRIVAL, evolving_stream
from streameval.evaluation.reevaluation import reevaluate
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.later_inputs import LaterInput
from streameval.streams.stream import Attribute, Stream


def delayed(arrival, due):
    plain = RandomTree().stream(len(arrival))
    return Stream(plain.X, plain.y, plain.schema, time=np.array(arrival), label_time=array(due))


@given(given_times=times(most=15), every=st.integers(1, 4), data=st.data(), waiting=st.booleans())
def test_inputs_and_events_are_those_of_each_prediction(given_times, every, data, waiting):
    arrival, due = given_times
    each = data.draw(st.booleans())
    reevaluation = reevaluate(delayed(arrival, due), every)
    assume(len(reevaluation.prediction_events))
    waits = st.lists(st.integers(0, 30), min_size=len(due), max_size=len(due))
    known = [t + wait for t, wait in zip(arrival, data.draw(waits), strict=True)]
    later = np.arange(len(due), dtype=float)
    block = LaterInput(Attribute("later"), later, np.array(known))
    stream, tape = evolving_stream(reevaluation, [block], waiting=waiting, each=each)
    prediction_events = [
        *zip(
            reevaluation.prediction_events.row,
            reevaluation.prediction_events.time,
            reevaluation.prediction_events.kind,
            strict=True,
        )
    ]
    rows = naive.evolving_rows(
        prediction_events, reevaluation.stream.X.tolist(), later, known, waiting
    )
    np.testing.assert_array_equal(stream.X, np.array(rows, dtype=float))
    assert stream.y.tolist() == reevaluation.stream.y[reevaluation.prediction_events.row].tolist()
    names = [attribute.name for attribute in stream.schema.attributes]
    assert names[reevaluation.stream.X.shape[1] :] == ["later", TIME_SINCE_ARRIVAL][: 1 + waiting]
    events = []
    for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
        assert op & PREDICT or each
        events.append((row, bool(op & LEARN), weight))
    expected = naive.evolving_events(prediction_events, each)
    assert [event[:2] for event in events] == [event[:2] for event in expected]
    assert [event[2] for event in events] == pytest.approx([event[2] for event in expected])
    assert tape.predict_rows.tolist() == [*range(len(prediction_events))]


def test_inputs_that_do_not_change_change_nothing():
    reevaluation = reevaluate(RandomTree().stream(300), 5, delay=40)
    expected = NaiveBayes().run(reevaluation.stream, reevaluation.tape).label
    assert NaiveBayes().run(*evolving_stream(reevaluation)).label.tolist() == expected.tolist()


def test_the_study_has_all_variants_that_it_can():
    law = {"latency": [60], "distribution": "geometric"}
    item = {"learners": ["naive_bayes"], "delay": {"markov_ozone": law}, "ages": 5}
    frame = evolving_inputs.study(stream_input_for("evolving_inputs", "markov_ozone", item))[
        "inputs"
    ]
    assert list(dict.fromkeys(frame["variant"])) == ["plain", "time_last", "time_each"]
    plain = frame[frame["variant"] == "plain"]
    assert (plain["gain"] == 0).all()  # it is compared with itself, which takes no interval
    assert plain[["gain_low", "gain_high"]].isna().all(axis=None)


def test_planes_that_have_left_tell_when_they_arrive(real_stream):
    stream = real_stream("dataexpo_atl_evolving")
    assert not np.isnan(stream.X[:, -2:]).any()
    item = {"learners": ["naive_bayes", "hoeffding_tree"], "known_at": {"DepDelay": "left"}}
    item |= {"labels": {stream.name: 6227}, "ages": 12}
    frame = evolving_inputs.study(stream_input_for("evolving_inputs", stream, item))["inputs"]
    assert set(frame["variant"]) == set(evolving_inputs.VARIANTS)
    later = frame[(frame["variant"] == "later_each") & (frame["age"] > 60)]
    assert (later["gain_low"] > 0.03).all()
    first = frame[(frame["variant"] == "both_each") & (frame["age"] == 0)]
    assert (first["gain"] < 0.05).all()
