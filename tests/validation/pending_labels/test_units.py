"""Lengths of time are shown in days where times are dates."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers.study_inputs import stream_input_for

import streameval as se
from pending_labels import accuracy_by_age, label_waiting
from streameval.base.errors import ConfigError
from streameval.base.settings import ROOT
from streameval.evaluation.age_bins import DEFAULT_UNIT_NAME, time_unit


@pytest.fixture(scope="module")
def loans():
    """A stream whose times are dates, to the day."""
    file = ROOT / "examples" / "loans.csv"
    return se.read(file, target="paid", time="asked", label_time="settled")


@pytest.mark.parametrize(
    ("named", "longest", "name", "length"),
    [
        ("", 86_400 * 30, "days", 86_400),
        ("", 86_400 * 1.5, "hours", 3600),
        ("", 1.0, "seconds", 1),
        ("weeks", 86_400 * 30, "weeks", 604_800),
        ("hour", 86_400 * 30, "hours", 3600),
    ],
)
def test_units_of_dates(loans, named, longest, name, length):
    unit = time_unit(loans, named, longest * loans.ticks)
    assert unit == (name, length * loans.ticks)


def test_other_times_have_the_name_that_is_given(loans):
    plain = replace(loans, ticks=0)
    assert time_unit(plain, "", 100) == (DEFAULT_UNIT_NAME, 1)
    assert time_unit(plain, "minutes", 100) == ("minutes", 1)
    with pytest.raises(ConfigError, match=r"weeks, .*seconds.* found 'fortnights'"):
        time_unit(loans, "fortnights", 100)


def test_the_frames_of_a_dated_stream_are_in_days(loans):
    waits = (loans.label_time - loans.time) / (86_400 * loans.ticks)
    known = label_waiting.study(
        stream_input_for("label_waiting", loans, {"learners": ["majority"]})
    )
    latency = known["latency"]
    assert set(latency["unit"]) == {"days"}
    assert latency["latency"].max() == pytest.approx(waits[loans.label_time < 2**62].max())
    ages = accuracy_by_age.study(
        stream_input_for("accuracy_by_age", loans, {"learners": ["majority"]})
    )
    assert set(ages["ages"]["unit"]) == {"days"}
    assert 30 < ages["ages"]["age"].max() < latency["latency"].max()
    other = {"learners": ["majority"], "clock": "labels"}
    by_labels = accuracy_by_age.study(stream_input_for("accuracy_by_age", loans, other))
    assert set(by_labels["ages"]["unit"]) == {"labels"}
