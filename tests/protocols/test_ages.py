"""Predictions in force at an age, against a search of all predictions."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import waiting as naive
from protocols.test_reevaluation import TIES, array, times

from streameval.base.errors import ConfigError, DataError
from streameval.protocols.ages import CLOCKS, prediction_ages
from streameval.protocols.reevaluation import NEVER, reevaluation


@given(
    given_times=times(),
    every=st.integers(1, 6),
    ties=TIES,
    clock=st.sampled_from(CLOCKS),
    pending=st.booleans(),
)
def test_equal_those_searched_for(given_times, every, ties, clock, pending):
    arrival, due = given_times
    _, prediction_events = reevaluation(arrival, array(due), every, ties, pending=pending)
    if not len(prediction_events):
        return
    result = prediction_ages(prediction_events, clock)
    ages, waited = naive.ages(
        [*zip(prediction_events.row, prediction_events.time, prediction_events.kind, strict=True)],
        clock,
    )
    scored = prediction_events.scored.tolist()
    assert result.latency.tolist() == [ages[row][-1][0] for row in scored]
    assert sorted(result.age_at_end) == sorted(waited[row] for row in ages if row not in scored)
    at = sorted({0, 1, *result.latency.tolist(), int(result.age.max()) + 5})
    expected = [[naive.in_force(ages[row], age) for age in at] for row in scored]
    assert result.in_force(at).tolist() == expected
    at_risk, pending_ones = result.at_risk(at)
    assert at_risk.tolist() == [(result.latency > age).sum() for age in at]
    assert pending_ones.tolist() == [(result.age_at_end >= age).sum() for age in at]


def test_by_hand():
    # Labels of rows 1 and 2 arrive at 3 and 5, that of row 0 at 9, that of row 3 never. With K = 1
    # row 0 is predicted at 0, again at 5 (one label has been learnt), and last at 9.
    _, prediction_events = reevaluation([0, 1, 2, 6], [9, 3, 5, NEVER], 1, pending=True)
    result = prediction_ages(prediction_events)
    assert prediction_events.scored.tolist() == [1, 2, 0]
    assert result.latency.tolist() == [2, 3, 9]
    assert result.age_at_end.tolist() == [3]
    at_zero = prediction_events.time[result.in_force([0, 4, 5, 8, 9])[2]]
    assert at_zero.tolist() == [0, 0, 5, 5, 9]
    scored, pending = result.at_risk([0, 2, 3, 4])
    assert scored.tolist() == [3, 2, 1, 1]
    assert pending.tolist() == [1, 1, 1, 0]
    assert prediction_ages(prediction_events, "labels").latency.tolist() == [0, 1, 2]
    assert prediction_ages(prediction_events, "instances").latency.tolist() == [1, 0, 3]


def test_what_cannot_be_is_an_error():
    _, prediction_events = reevaluation([0], [1])
    with pytest.raises(ConfigError, match="time, labels, instances, found 'days'"):
        prediction_ages(prediction_events, "days")
    nothing = dataclasses.replace(
        prediction_events,
        row=prediction_events.row[:0],
        time=prediction_events.time[:0],
        kind=prediction_events.kind[:0],
        scored=prediction_events.row[:0],
    )
    with pytest.raises(DataError, match="found none"):
        prediction_ages(nothing)
