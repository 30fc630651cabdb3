"""Tables of rejections, of verdicts and of intervals."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

import pandas as pd

from streameval.base.errors import ConfigError, unknown
from streameval.drawing.subject import Subject
from streameval.evaluation.decisions import DECISIONS
from streameval.items.columns import (
    count,
    laid_out,
    number,
    of_texts,
    stream_name,
    stream_notes,
    text,
    with_ends,
)
from streameval.items.error_rates.settings import RejectionsSettings
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.measures.registry import measure_words
from streameval.report.names import READING_TITLES, SCHEME_TITLES, VALIDATIONS
from streameval.significance.intervals import mean_of_rates
from streameval.view.blocks import Column, Table
from streameval.view.numbers import in_brackets, number_text, upper_bound_text

#: The name of the average over all streams.
ALL = "all"
_CELL = ["test", "reading", "scheme", "alternative"]
_ORDER = ["bootstrap_validation", "cross_validation", "split_validation"]


def study_rejections(given: StreamInputs, item: ItemInput[RejectionsSettings]) -> pd.DataFrame:
    """Return the table of an item: how often tests reject, by stream and on average.

    The interval of an average is about these very streams, from their runs: so few tell too little
    of others. `gap` is the true difference in accuracy.
    """
    rates, gaps = (item.frames_of_streams(name) for name in ("rates", "gaps"))
    settings = item.settings
    parts = [_of_stream(name, rates[name], gaps[name]) for name in rates]
    frame = pd.concat(parts, ignore_index=True)
    for column, wanted in (("test", settings.tests), ("alternative", settings.alternatives)):
        known = list(frame[column].unique())
        for name in wanted:
            if name not in known:
                raise ConfigError(f"Rejections: there is {unknown(column, name, known)}")
    chosen = frame["test"].isin(settings.tests) & frame["reading"].isin(settings.readings)
    frame = frame[chosen & frame["alternative"].isin(settings.alternatives)]
    averages = _averages(frame)
    shown = pd.concat([frame, averages]) if settings.by_stream else averages
    keys = {
        "stream": [*rates, ALL],
        "test": settings.tests,
        "reading": settings.readings,
        "alternative": settings.alternatives,
        "scheme": _ORDER,
    }
    for column, order in keys.items():
        shown[column] = pd.Categorical(shown[column], list(order), ordered=True)
    shown = shown.sort_values(list(keys)).astype(dict.fromkeys(keys, str))
    return shown[list(item.columns)].reset_index(drop=True)


def _of_stream(name: str, rates: pd.DataFrame, gaps: pd.DataFrame) -> pd.DataFrame:
    """Return the rates of a stream at its full length, with the true differences."""
    longest = rates[rates["instances"] == rates["instances"].max()]
    keys = ["scheme", "reading", "alternative", "instances"]
    found: pd.DataFrame = longest.merge(gaps[[*keys, "gap"]], on=keys)
    return found.assign(stream=name, streams=1)


def _averages(frame: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for key, cell in frame.groupby(_CELL, sort=False):
        mean = mean_of_rates(cell["value"], cell["runs"])
        counted = (int(cell["instances"].min()), len(cell), int(cell["runs"].sum()))
        about = (*key, ALL, bool(cell["simulated"].any()))
        rows.append((*about, *counted, *mean, float(cell["gap"].mean())))
    columns = [*_CELL, "stream", "simulated", "instances", "streams", "runs", "value"]
    columns += ["low", "high", "gap"]
    return pd.DataFrame(rows, columns=columns)


def layout_rejections(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a column for each alternative and scheme."""
    rows: dict[str, dict[str, str]] = {}
    groups: dict[str, str] = {}
    for row in table.to_dict("records"):
        name = f"{row['alternative']}: {SCHEME_TITLES[row['scheme']]}"
        groups[name] = str(row["alternative"])
        rows.setdefault(_name(row, subject), {})[name] = number_text(row["value"], 2)
    cells = pd.DataFrame(rows.values(), dtype=object)
    first = "Stream" if subject.settings.by_stream else "Test"
    cells.insert(0, first, list(rows))
    widest = ((table["high"] - table["low"]) / 2).max()
    shortest, longest = (number_text(int(table["instances"].agg(end))) for end in ("min", "max"))
    lengths = longest if shortest == longest else f"{shortest} to {longest}"
    if not subject.settings.by_stream:
        lengths = f"at least {shortest}"  # all that averages say of their streams
    note = (
        f"Runs of {lengths} instances. The CSV has 95 % intervals, the true difference in accuracy "
        "behind each cell, and the number of runs. The widest interval is "
        f"±{upper_bound_text(widest, 2)}."
    )
    notes = (note, *stream_notes(table))
    return of_texts(cells, "l" + "r" * len(groups), notes, ("", *groups.values()))


def _name(row: Mapping[Any, Any], subject: Subject) -> str:
    reading, test = str(row["reading"]), str(row["test"])
    parts = []
    if subject.settings.by_stream:
        is_average = row["stream"] == "all"
        name = stream_name(str(row["stream"]), bool(row["simulated"]), subject.streams)
        parts.append("Average" if is_average else name)
    if not subject.settings.by_stream or len(subject.settings.tests) > 1:
        parts.append(DECISIONS[test].title)
    if not subject.settings.by_stream or len(subject.settings.readings) > 1:
        parts.append(READING_TITLES[reading])
    return ", ".join(parts)


def layout_verdict_calibration(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, validation and length."""
    columns = [
        text("Learners", "title"),
        Column("Validation", ["validation"], VALIDATIONS.__getitem__, kind="text"),
        count("Instances", "instances"),
        count("Streams", "streams"),
        number("with an interval", "interval", 2),
        with_ends("excludes 0", "excludes", 3),
        with_ends("verdict", "better", 3),
        number("practically equal", "equal", 2),
        number("before", "by_other", 2),
    ]
    return laid_out(table, columns)


def layout_interval_coverage(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, length, learner and measure."""
    columns = [
        text("Law", "title"),
        count("Instances", "instances"),
        count("Streams", "streams"),
        text("Learner", "learner"),
        Column("Measure", ["measure", "runs"], _measure, kind="text"),
        number("expected", "expected"),
        number("± error", "error"),
        number("median width", "width"),
        number("with an interval", "interval", 2),
        with_ends("missed", "missed", 3),
    ]
    return laid_out(table, columns)


def _measure(measure: str, runs: int) -> str:
    words = measure_words(measure)
    return words if runs == 1 else f"{words}, {runs} runs"


#: What stands for the long texts that say what tests are about, and are below the table.
_LETTERS = ascii_uppercase


def layout_test_choice(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each test, its size at each length, a verdict."""
    once = table.drop_duplicates(["test", "instances"])
    about: dict[str, str] = {}
    rows = []
    for test, found in once.groupby("test", sort=False):
        ordered = found.sort_values("instances")
        cells = {"Test": DECISIONS[str(test)].title}
        cells |= {
            f"n = {row.instances:,}": in_brackets(row.size, row.size_low, row.size_high, 2)
            for row in ordered.itertuples()
        }
        cells["rejects"] = str(ordered["verdict"].iloc[-1])
        estimand = str(ordered["estimand"].iloc[-1])
        cells["is about"] = about.setdefault(estimand, _LETTERS[len(about)])
        rows.append(cells)
    shown = pd.DataFrame(rows, dtype=object).fillna("")
    lengths = [str(name) for name in shown if str(name).startswith("n = ")]
    shown = shown[["Test", *lengths, "rejects", "is about"]]
    notes = [f"{letter}: {estimand}." for estimand, letter in about.items()]
    return of_texts(shown, "l" + "r" * len(lengths) + "ll", tuple(notes))


layout_recorded_choice = layout_test_choice
study_recorded_rejections = study_rejections
layout_recorded_rejections = layout_rejections
