"""What results of both tasks tell in their views: tables, reasons, sentences, and JSON."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.rides import OF_NUMBERS, rides, rides_of, written

import streameval as se
from streameval.api.result_view import DisplayOptions
from streameval.base.values import duration_text
from streameval.view.mixin import view_of
from streameval.view.parts import Table
from streameval.view.text import text_lines


def text_of(result, **display):
    """What people read."""
    return "\n".join(text_lines(view_of(result, DisplayOptions(**display))))


def tables_of(result, **display):
    """The heads and the cells of each table that people read."""
    parts = view_of(result, DisplayOptions(**display)).parts_for("text")
    return [part.cells for part in parts if isinstance(part, Table)]


def table_of(result, **display):
    return tables_of(result, **display)[0]


def number(cell):
    return float(cell.replace("−", "-"))


def test_sentences_say_why_an_error_cannot_be_told(tmp_path):
    """The errors of the tree fall all the time."""
    frame = rides()[["hour", "warm", "weather", "cnt", "known"]]
    read = se.read(written(frame, tmp_path / "rides.csv"), "cnt", numeric_target=True)
    result = se.evaluate(read, "fimt_dd")
    first, *others = result.sentences()
    assert len(others) == 1
    assert first.startswith("fimt_dd cannot be told from the previous target (its mean ")
    assert "error is lower by 30.26; no interval, as" in first
    assert "the effective sample size of" in first


def test_the_wait_for_labels_is_said_in_time_and_in_instances(tmp_path):
    frame = rides_of(OF_NUMBERS)
    path, times = written(frame, tmp_path / "rides.csv"), {"time": "hour", "label_time": "known"}
    read = se.read(path, OF_NUMBERS.target, **times, **OF_NUMBERS.reader_options)
    first = text_of(se.evaluate(read, "fimt_dd")).split("\n\n")[1]
    waits = [
        (frame["hour"] <= (pd.Timestamp.max if row.known is pd.NaT else row.known)).sum()
        - (frame["hour"] <= row.hour).sum()
        for row in frame.itertuples()
    ]
    seconds = (frame["known"] - frame["hour"]).dropna().dt.total_seconds().median()
    for fact in ("400 ", "median", duration_text(seconds), f"{np.median(waits):.0f} instances"):
        assert fact in first.splitlines()[0]
    assert "\n15 labels have not arrived;" in first
    assert "they are not scored." in first


@pytest.mark.filterwarnings("ignore::streameval.StreamWarning")
def test_a_single_row_has_nothing_to_score():
    single = se.from_arrays([[1.0, 2.0]], [7.5], numeric_target=True)
    for delay in (None, 0):  # nothing has been learnt before it
        with pytest.raises(se.StreamevalError, match="nothing to score"):
            se.evaluate(single, "amrules", delay=delay)


@pytest.mark.parametrize("value", [1e-9, 1e9])
def test_errors_of_any_magnitude_are_shown(value):
    y = value * (np.arange(50) % 2)
    stream = se.from_arrays(np.arange(50.0)[:, None], y, numeric_target=True)
    heads, _, mean = table_of(se.evaluate(stream, ["previous_target", "target_mean"]))
    so_far = np.append(0, np.cumsum(y)[:-1] / np.arange(1, 50))
    error = number(mean[heads.index("Mean absolute error (MAE)")])
    assert error == pytest.approx(np.abs(y - so_far)[1:].mean(), rel=1e-3)
