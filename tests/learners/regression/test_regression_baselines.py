"""Baselines that repeat a target: tests beyond those of every regressor."""

from __future__ import annotations

import numpy as np
from helpers import numbers
from helpers.segments import segments
from hypothesis import given
from hypothesis import strategies as st
from naive import regression as naive

from streameval.learners.regression.baselines import PreviousTarget, Seasonal
from streameval.protocols.prequential import delayed, prequential
from streameval.protocols.reevaluation import reevaluation
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream


def stream_of(targets):
    y = np.asarray(targets, dtype=np.float64)
    return Stream(np.empty((len(y), 0)), y, numbers.schema([]), "numbers")


@given(n=st.integers(1, 90), delay=st.integers(0, 40), period=st.integers(1, 30))
def test_under_a_delay_they_are_earlier_targets(n, delay, period):
    stream = stream_of(np.random.default_rng(n).normal(size=n))
    tape, row = delayed(n, delay), np.arange(n)
    previous = PreviousTarget().run(stream, tape).value
    # A target is known after `delay` further instances: row - delay - 1 is the latest one.
    latest = row - delay - 1
    expected = np.where(latest >= 0, stream.y[np.maximum(latest, 0)], np.nan)
    np.testing.assert_array_equal(previous, expected)
    seasons = np.ceil((delay + 1) / period).astype(int)  # the fewest that reach back so far
    before = row - seasons * period
    expected = np.where(before >= 0, stream.y[np.maximum(before, 0)], np.nan)
    np.testing.assert_array_equal(Seasonal(period).run(stream, tape).value, expected)


@given(
    waits=st.lists(st.integers(0, 50), min_size=1, max_size=150),
    every=st.integers(1, 9),
    period=st.integers(1, 20),
    size=st.integers(1, 60),
)
def test_targets_in_any_order_and_tapes_in_segments(waits, every, period, size):
    clock = np.arange(len(waits))
    stream = stream_of(np.random.default_rng(size).normal(size=len(waits)))
    tape, _ = reevaluation(clock, clock + np.array(waits), every=every)
    for learner in (PreviousTarget(), Seasonal(period)):
        expected = naive.run(naive.twin(learner, stream), stream, tape)
        np.testing.assert_array_equal(learner.run(stream, tape).value, expected)
        parts = learner.run_segments(stream, segments(tape, size))
        np.testing.assert_array_equal(np.concatenate([part.value for part in parts]), expected)


def test_rows_beyond_the_first_room():
    stream = stream_of(np.arange(5000.0))
    predictions = Seasonal(7).run(stream, prequential(5000)).value
    np.testing.assert_array_equal(predictions[7:], np.arange(4993.0))
    # A row that is learnt first of all, and far away.
    tape = Tape(np.array([4900, 4907, 4921, 4893]), [LEARN, PREDICT, PREDICT, PREDICT], np.ones(4))
    np.testing.assert_array_equal(Seasonal(7).run(stream, tape).value, [4900, 4900, np.nan])
