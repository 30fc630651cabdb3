"""Lengths of time as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import ConfigError
from streameval.base.values import date_text, duration_text, parse_duration, round_step


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1, "1 second"),
        (0.25, "0.25 seconds"),
        (90, "1 minute 30 seconds"),
        (86_400 + 5 * 60, "1 day"),  # the hour between them is none
        (12 * 86_400 + 4 * 3600 + 59 * 60, "12 days 4 hours"),
        (4000 * 86_400, "4,000 days"),
        (-7200, "−2 hours"),
    ],
)
def test_the_two_largest_units_are_written(seconds, text):
    assert duration_text(seconds) == text


@given(st.integers(0, 10**6), st.sampled_from(["day", "hour", "minute", "second"]))
def test_formatted_durations_can_be_parsed(number, unit):
    seconds = parse_duration(f"{number} {unit}{'s' * (number != 1)}", "delay")
    text = duration_text(seconds).replace(",", "")
    read = parse_duration(text, "delay")
    assert read == seconds or abs(read - seconds) < 86_400  # two units are left


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1 day 12 hours", 129_600),
        ("1.5 hours", 5400),
        ("2 Weeks", 14 * 86_400),
        ("90minutes", 5400),
        ("1 day, 1 second", 86_401),
    ],
)
def test_lengths_are_read(text, seconds):
    assert parse_duration(text, "delay") == seconds


@pytest.mark.parametrize("text", ["", "3 months", "days", "-3 days", "5", "1 d"])
def test_invalid_durations_are_refused(text):
    with pytest.raises(ConfigError, match=r"delay: .*number of instances"):
        parse_duration(text, "delay")


def test_dates_have_a_time_of_day_if_there_is_one():
    assert date_text(0) == "1970-01-01"
    assert date_text(86_400 * 365 + 3600 * 13 + 60) == "1971-01-01 13:01"
    assert date_text(0, "+02:00") == "1970-01-01 02:00"
    assert date_text(86_400 * 200, "Europe/Berlin") == "1970-07-20 01:00"
    assert date_text(86_400, "no such zone") == "1970-01-02"
    assert date_text(-1) == "1969-12-31 23:59:59"
    assert date_text(1e15) == "1,000,000,000,000,000 s after 1970"


@given(st.floats(1, 1e12), st.integers(1, 100))
def test_steps_cover_what_they_should(longest, most):
    step = round_step(longest, most)
    assert step * most >= int(longest)
    assert isinstance(step, int)
