"""Figures, tables and captions of the size and power of each test."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_uppercase
from textwrap import fill
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.base.rounding import format_number
from streameval.drawing import style
from streameval.drawing.subject import Subject
from streameval.evaluation.decisions import DECISIONS
from streameval.items.columns import (
    text_frame_table,
)
from streameval.items.text_templates import TextTemplates
from streameval.view.numbers import number_with_interval
from streameval.view.parts import Table

#: Title, menu entry and captions of each kind. Settings in braces are filled in.
TEXTS = {
    "test_choice": TextTemplates(
        title="Type I error of each test by the length of the stream",
        menu_entry="size of tests by length of the stream",
        caption=(
            "Size: proportion of runs of one learner against itself in which the test rejects, as "
            "a mean over these streams with its 95 % interval; it should be {percent} %. The "
            "verdict follows from the interval at the greatest length: too often if it is above "
            "the level, too rarely if it is below, otherwise at its level. Shorter streams are "
            "included there with their full length."
        ),
        pictures={
            "choice": (
                "Left: rate of rejection for two runs of the same learner, which should be at the "
                "dashed line. Right: power by kind of difference, at the level that gives the "
                "nominal size. Means over the shortest and over the longest streams; the table has "
                "the other lengths."
            ),
        },
    ),
}


TEXTS["recorded_choice"] = TEXTS["test_choice"].with_prefix(
    "Recorded {when}, {length}, {runs} runs of each scheme. Not computed in this run.",
    title="Type I error of each test by the length of the stream, as recorded",
    menu_entry="size of tests by length of the stream, recorded",
)


#: Colours of tests by family.
COLORS: Mapping[str, str] = {"instances": "#D55E00", "folds": "#0072B2", "time": "#009E73"}
#: Marker sizes of the shortest and the longest streams, in points.
MARKER_SIZES = (2.5, 5.0)
#: Height of a row.
_ROW_MM = 5.2
#: Height above and below the rows.
_MARGINS_MM = 38.0
#: Margin for half a marker at the end of an axis, as a fraction of its length.
_SIDE = 0.08


@style.styled
def draw_test_choice(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a row for each test: its size, then its power against each alternative.

    Only the smallest and the greatest length of the stream are drawn; the table has all lengths.
    """
    frame, seconds, level = frames["choice"], frames["seconds"], subject.settings.level
    tests = list(dict.fromkeys(frame["test"]))
    alternatives = list(dict.fromkeys(frame["alternative"]))
    lengths = sorted({int(frame["instances"].min()), int(frame["instances"].max())})
    rows = frame[frame["instances"].isin(lengths)]
    aspect = (_MARGINS_MM + _ROW_MM * len(tests)) / style.FULL_WIDTH_MM
    figure = style.titled_figure(aspect, "Error rates and power of the tests")
    panels = figure.subplots(1, 1 + len(alternatives), sharey=True, squeeze=False)[0]
    # The size of a test is repeated in the rows of each alternative.
    _draw_choice(panels[0], rows[rows["alternative"] == alternatives[0]], "size", tests, lengths)
    panels[0].axvline(level, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)
    x_max = max(rows["size"].max() * 1.12, 2 * level)  # room for markers and the dashed line
    panels[0].set_xlim(-_SIDE * x_max, x_max)
    panels[0].set_title("no difference", loc="left", pad=3)
    panels[0].set_xlabel("proportion rejected")
    panels[0].set_yticks(range(len(tests)), [DECISIONS[test].title for test in tests])
    panels[0].set_ylim(len(tests) - 0.4, -0.6)  # the first test is at the top
    for axes, name in zip(panels[1:], alternatives, strict=True):
        _draw_choice(axes, rows[rows["alternative"] == name], "power", tests, lengths)
        axes.set_xlim(-_SIDE, 1 + _SIDE)
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_title(fill(name, 11), loc="left", pad=3)
    for axes in panels:
        axes.tick_params(axis="y", length=0)
    panels[1 + len(alternatives) // 2].set_xlabel("power at equal size")
    handles = [*_family_handles(tests), style.level_handle(level, "tests")]
    style.legend(figure, [*handles, *_length_handles(lengths, seconds)], columns=3)
    return figure


def _draw_choice(
    axes: Axes, part: pd.DataFrame, column: str, tests: list[str], lengths: list[int]
) -> None:
    for row, test in enumerate(tests):
        color = COLORS[DECISIONS[test].unit]
        rows = part[part["test"] == test].sort_values("instances")
        axes.plot(rows[column], [row] * len(rows), color=color, linewidth=0.8)
        for length, value in zip(rows["instances"], rows[column], strict=True):
            axes.plot(value, row, zorder=2.5, **_marker(lengths, int(length), color))


def _marker(lengths: list[int], length: int, color: str) -> dict[str, Any]:
    """The marker of a length: the longest filled, the shortest small and hollow."""
    is_longest = length == lengths[-1]
    return {
        "color": color,
        "marker": "o",
        "linestyle": "",
        "markersize": MARKER_SIZES[is_longest],
        "markerfacecolor": color if is_longest else "white",
        "markeredgecolor": color,
    }


def _family_handles(tests: list[str]) -> list[Line2D]:
    families = dict.fromkeys(DECISIONS[test].unit for test in tests)
    return [
        Line2D([], [], color=COLORS[name], linewidth=2.5, label=f"tests of {name}")
        for name in families
    ]


def _length_handles(lengths: list[int], seconds: pd.DataFrame) -> list[Line2D]:
    """Markers by length, with the core-seconds that a run of both learners takes."""
    per_instance = (seconds["seconds"] / seconds["runs"] / seconds["instances"]).mean()
    return [
        Line2D(
            *([], []),
            label=f"n = {n:,} ({format_number(n * per_instance, '.2g')} s a run)",
            **_marker(lengths, n, "0.35"),
        )
        for n in lengths
    ]


draw_recorded_choice = draw_test_choice
#: Letters in the table; the notes below it say for each letter what its tests are about.
_LETTERS = ascii_uppercase


def layout_test_choice(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each test, its size at each length, a verdict."""
    sizes = table.drop_duplicates(["test", "instances"])
    letter_of_estimand: dict[str, str] = {}
    rows = []
    for test, part in sizes.groupby("test", sort=False):
        ordered = part.sort_values("instances")
        cells = {"Test": DECISIONS[str(test)].title}
        cells |= {
            f"n = {row.instances:,}": number_with_interval(row.size, row.size_low, row.size_high, 2)
            for row in ordered.itertuples()
        }
        cells["rejects"] = str(ordered["verdict"].iloc[-1])
        estimand = str(ordered["estimand"].iloc[-1])
        next_letter = _LETTERS[len(letter_of_estimand)]
        cells["is about"] = letter_of_estimand.setdefault(estimand, next_letter)
        rows.append(cells)
    table_of_rates = pd.DataFrame(rows, dtype=object).fillna("")
    lengths = [str(name) for name in table_of_rates if str(name).startswith("n = ")]
    table_of_rates = table_of_rates[["Test", *lengths, "rejects", "is about"]]
    notes = [f"{letter}: {estimand}." for estimand, letter in letter_of_estimand.items()]
    return text_frame_table(table_of_rates, "l" + "r" * len(lengths) + "ll", tuple(notes))


layout_recorded_choice = layout_test_choice
