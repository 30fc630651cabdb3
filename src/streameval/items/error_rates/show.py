"""Figures, tables and captions of error rates of tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.base.errors import ConfigError, unknown_name_text
from streameval.drawing import style
from streameval.drawing.looks import CLASS_LOOKS
from streameval.drawing.subject import Subject
from streameval.evaluation.decisions import DECISIONS
from streameval.items.columns import (
    stream_name,
    stream_notes,
    text_frame_table,
)
from streameval.items.error_rates import RejectionsSettings
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.text_templates import TextTemplates
from streameval.report.names import READING_TITLES, SCHEME_TITLES
from streameval.significance.intervals import mean_of_rates
from streameval.view.numbers import number_text, upper_bound_text
from streameval.view.parts import Table

#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "rejections": TextTemplates(
        title="Rejections of equal accuracy by test and scheme",
        menu_entry="rejections by test and scheme",
        caption=(
            "Proportion of runs, {scope}, in which a test rejects equal accuracy. In the columns "
            "Same, learners differ only by their seeds, and the proportion should be the level of "
            "the test; in the other columns it should be 1."
        ),
    ),
    "type_errors": TextTemplates(
        menu_entry="rejections by test",
        caption=(
            "rate of rejection of equal accuracy by each test at {percent} % ({learners}; a single "
            "learner is compared with itself): {runs} runs of {longest} instances in {folds} "
            "folds, by validation scheme and by the instances on which a model is tested. Same: "
            "the predictions as they are; if one learner is compared with itself, only seeds "
            "differ. Swapped: the two predictions for each instance are exchanged with probability "
            "1/2. Noise: the given proportion of the second learner's predictions is replaced. "
            "Bars are 95 % intervals."
        ),
        evaluation="{schemes}, {folds} folds",
    ),
}


TEXTS["recorded_rejections"] = TEXTS["rejections"].with_prefix(
    "Recorded {when}, {length}, {runs} runs of each scheme; not computed in this run.",
    title="Rejections of equal accuracy by test and scheme, as recorded",
    menu_entry="rejections by test and scheme, recorded",
)


#: Markers of schemes, which also tell them apart without colours.
MARKERS = {"bootstrap_validation": "o", "cross_validation": "s", "split_validation": "^"}


@style.styled
def draw_type_errors(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw rejection rates of the longest runs, a panel for each reading and alternative."""
    frame, level = frames["rates"], subject.settings.level
    rows = frame[frame["instances"] == frame["instances"].max()]
    tests = [name for name in DECISIONS if name in set(rows["test"])]
    alternatives = list(dict.fromkeys(rows["alternative"]))
    schemes = [name for name in SCHEME_TITLES if name in set(rows["scheme"])]
    readings = [name for name in READING_TITLES if name in set(rows["reading"])]
    # The height grows with the number of lines: one for each test and reading.
    figure = style.titled_figure(
        0.12 + 0.036 * len(tests) * len(readings), **subject.stream_arguments
    )
    grid = figure.subplots(
        len(readings), len(alternatives), sharex=True, sharey=True, squeeze=False
    )
    for row, reading in zip(grid, readings, strict=True):
        for axes, alternative in zip(row, alternatives, strict=True):
            part = rows[(rows["reading"] == reading) & (rows["alternative"] == alternative)]
            _draw_rates(axes, part, tests, schemes, level)
            if reading == readings[0]:
                axes.set_title(alternative, loc="left", pad=3)
        row[0].set_yticks(range(len(tests)), [DECISIONS[name].title for name in tests])
        row[0].set_ylabel(READING_TITLES[reading])
    for axes in grid[-1]:
        axes.set_xlabel("proportion rejected")
    grid[0, 0].set_xticks([0, 0.5, 1])
    grid[0, 0].set_ylim(len(tests) - 0.5, -0.5)
    grid[0, 0].set_xlim(-0.03, 1.03)
    style.legend(figure, [*_scheme_handles(schemes), style.level_handle(level, "tests")], columns=4)
    return figure


def _draw_rates(
    axes: Axes, part: pd.DataFrame, tests: list[str], schemes: list[str], level: float
) -> None:
    axes.axvline(level, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)
    for index, scheme in enumerate(schemes):
        scheme_rates = part[part["scheme"] == scheme].set_index("test").reindex(tests)
        # Schemes are side by side around the line of a test; lines are 1 apart.
        heights = np.arange(len(tests)) + 0.24 * (index - (len(schemes) - 1) / 2)
        ends = scheme_rates["low"], scheme_rates["high"]
        axes.hlines(heights, *ends, color=_color(scheme), linewidth=0.8)
        axes.plot(
            scheme_rates["value"],
            heights,
            color=_color(scheme),
            linestyle="",
            marker=MARKERS[scheme],
            markersize=3.4,
            clip_on=False,
        )


def _color(scheme: str) -> str:
    return CLASS_LOOKS[list(SCHEME_TITLES).index(scheme)].color


def _scheme_handles(schemes: list[str]) -> list[Line2D]:
    return [
        Line2D([], [], color=_color(name), marker=MARKERS[name], linewidth=0.8, label=title)
        for name, title in SCHEME_TITLES.items()
        if name in schemes
    ]


#: The value of the column ``stream`` for the average over all streams.
ALL_STREAMS = "all"
#: Columns that identify an average.
_AVERAGE_KEYS = ["test", "reading", "scheme", "alternative"]
#: Order of schemes in the table.
_SCHEMES = ["bootstrap_validation", "cross_validation", "split_validation"]


def study_rejections(
    stream_inputs: StreamInputs, item: ItemInput[RejectionsSettings]
) -> pd.DataFrame:
    """The table of an item: rejection rates of tests, by stream and on average.

    The interval of an average covers the randomness of runs, not the choice of streams: there are
    too few for statements about other streams. `gap` is the true difference in accuracy.
    """
    rates, gaps = (item.frames_of_streams(name) for name in ("rates", "gaps"))
    settings = item.settings
    parts = [_final_rates(name, rates[name], gaps[name]) for name in rates]
    frame = pd.concat(parts, ignore_index=True)
    for column, names in (("test", settings.tests), ("alternative", settings.alternatives)):
        available = list(frame[column].unique())
        for name in names:
            if name not in available:
                raise ConfigError(
                    f"Rejections: there is {unknown_name_text(column, name, available)}"
                )
    is_chosen = frame["test"].isin(settings.tests) & frame["reading"].isin(settings.readings)
    frame = frame[is_chosen & frame["alternative"].isin(settings.alternatives)]
    averages = _averages(frame)
    table = pd.concat([frame, averages]) if settings.by_stream else averages
    keys = {
        "stream": [*rates, ALL_STREAMS],
        "test": settings.tests,
        "reading": settings.readings,
        "alternative": settings.alternatives,
        "scheme": _SCHEMES,
    }
    for column, order in keys.items():
        table[column] = pd.Categorical(table[column], list(order), ordered=True)
    table = table.sort_values(list(keys)).astype(dict.fromkeys(keys, str))
    return table[list(item.columns)].reset_index(drop=True)


def _final_rates(name: str, rates: pd.DataFrame, gaps: pd.DataFrame) -> pd.DataFrame:
    """The rates of a stream at its full length, with the true differences."""
    longest = rates[rates["instances"] == rates["instances"].max()]
    keys = ["scheme", "reading", "alternative", "instances"]
    merged: pd.DataFrame = longest.merge(gaps[[*keys, "gap"]], on=keys)
    return merged.assign(stream=name, streams=1)


def _averages(frame: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for key, cell in frame.groupby(_AVERAGE_KEYS, sort=False):
        mean = mean_of_rates(cell["value"], cell["runs"])
        identity = (*key, ALL_STREAMS, bool(cell["simulated"].any()))
        sizes = (int(cell["instances"].min()), len(cell), int(cell["runs"].sum()))
        rows.append((*identity, *sizes, *mean, float(cell["gap"].mean())))
    columns = [*_AVERAGE_KEYS, "stream", "simulated", "instances", "streams", "runs", "value"]
    columns += ["low", "high", "gap"]
    return pd.DataFrame(rows, columns=columns)


def layout_rejections(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a column for each alternative and scheme."""
    rows: dict[str, dict[str, str]] = {}
    groups: dict[str, str] = {}
    for row in table.to_dict("records"):
        name = f"{row['alternative']}: {SCHEME_TITLES[row['scheme']]}"
        groups[name] = str(row["alternative"])
        rows.setdefault(_row_name(row, subject), {})[name] = number_text(row["value"], 2)
    cells = pd.DataFrame(rows.values(), dtype=object)
    first_head = "Stream" if subject.settings.by_stream else "Test"
    cells.insert(0, first_head, list(rows))
    widest = ((table["high"] - table["low"]) / 2).max()
    shortest, longest = (number_text(int(table["instances"].agg(end))) for end in ("min", "max"))
    lengths = longest if shortest == longest else f"{shortest} to {longest}"
    if not subject.settings.by_stream:
        lengths = f"at least {shortest}"  # `_averages` keeps the smallest number of streams
    note = (
        f"Runs of {lengths} instances. The CSV has 95 % intervals, the true difference in accuracy "
        "behind each cell, and the number of runs. The widest interval is "
        f"±{upper_bound_text(widest, 2)}."
    )
    notes = (note, *stream_notes(table))
    return text_frame_table(cells, "l" + "r" * len(groups), notes, ("", *groups.values()))


def _row_name(row: Mapping[Any, Any], subject: Subject) -> str:
    reading, test = str(row["reading"]), str(row["test"])
    parts = []
    if subject.settings.by_stream:
        is_average = row["stream"] == ALL_STREAMS
        name = stream_name(str(row["stream"]), bool(row["simulated"]), subject.streams)
        parts.append("Average" if is_average else name)
    if not subject.settings.by_stream or len(subject.settings.tests) > 1:
        parts.append(DECISIONS[test].title)
    if not subject.settings.by_stream or len(subject.settings.readings) > 1:
        parts.append(READING_TITLES[reading])
    return ", ".join(parts)


# Both kinds have the same functions; `function_of` finds a function by its kind's name.
study_recorded_rejections = study_rejections
layout_recorded_rejections = layout_rejections
