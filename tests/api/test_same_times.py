"""A hint where instances arrive at the same time, whose labels nobody can know one by one."""

from __future__ import annotations

import pandas as pd
import pytest

import streameval as se

FRAME = pd.DataFrame({"x": range(60), "y": [*"uvvuv"] * 12})
DAYS = pd.date_range("2024-01-01", periods=60)
HINT = "48 of 60 instances arrive at the same time as the previous instance"


@pytest.mark.parametrize("numbers", [False, True])
def test_repeated_times_are_said_unless_labels_have_a_delay(numbers):
    days = range(60) if numbers else DAYS
    frame = FRAME.assign(day=[day for day in days[:12] for _ in range(5)])
    stream = se.from_pandas(frame, "y", time="day")
    text = " ".join("\n".join(se.evaluate(stream, "majority").lines()).split())
    assert HINT in text
    assert ("(--label-time)" if numbers else "(--delay '0 seconds')") in text
    late = se.from_pandas(frame.assign(due=frame.day), "y", time="day", label_time="due")
    others = [
        se.evaluate(late, "majority"),
        se.evaluate(stream, "majority", protocol="cross_validation:5:held_out"),
        se.evaluate(se.from_pandas(FRAME.assign(day=days), "y", time="day"), "majority"),
        se.evaluate(se.from_pandas(frame, "y", drop=["day"]), "majority"),
    ]
    if not numbers:
        others.append(se.evaluate(stream, "majority", delay="0 seconds"))
        assert others[-1].measures("accuracy").equals(others[0].measures("accuracy"))
    assert not any("same time as" in "\n".join(stream.lines()) for stream in others)
