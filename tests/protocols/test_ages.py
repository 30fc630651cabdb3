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
from streameval.protocols.reevaluation import reevaluation


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
    scored = prediction_events.labelled_rows.tolist()
    assert result.latency.tolist() == [ages[row][-1][0] for row in scored]
    assert sorted(result.age_at_end) == sorted(waited[row] for row in ages if row not in scored)
    at = sorted({0, 1, *result.latency.tolist(), int(result.age.max()) + 5})
    expected = [[naive.in_force(ages[row], age) for age in at] for row in scored]
    assert result.latest_predictions(at).tolist() == expected
    at_risk, pending_ones = result.at_risk(at)
    assert at_risk.tolist() == [(result.latency > age).sum() for age in at]
    assert pending_ones.tolist() == [(result.age_at_end >= age).sum() for age in at]


def test_what_cannot_be_is_an_error():
    _, prediction_events = reevaluation([0], [1])
    with pytest.raises(ConfigError, match="time, labels, instances, found 'days'"):
        prediction_ages(prediction_events, "days")
    nothing = dataclasses.replace(
        prediction_events,
        row=prediction_events.row[:0],
        time=prediction_events.time[:0],
        kind=prediction_events.kind[:0],
        labelled_rows=prediction_events.row[:0],
    )
    with pytest.raises(DataError, match="found none"):
        prediction_ages(nothing)
