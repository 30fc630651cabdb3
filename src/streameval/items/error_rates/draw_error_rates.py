"""Rates of rejection, size against power, and rates of verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from streameval.base.rounding import format_number
from streameval.drawing import style
from streameval.drawing.looks import CLASSES
from streameval.drawing.subject import Subject
from streameval.evaluation.decisions import DECISIONS
from streameval.measures.registry import measure_words
from streameval.report.names import READING_TITLES, SCHEME_TITLES, VALIDATIONS
from streameval.significance.significance_test import LEVEL

#: Apart in grey, too.
MARKERS = {"bootstrap_validation": "o", "cross_validation": "s", "split_validation": "^"}


@style.styled
def draw_type_errors(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw rates of rejection of the longest runs: a panel for each reading and alternative."""
    frame, level = frames["rates"], subject.settings.level
    rows = frame[frame["instances"] == frame["instances"].max()]
    tests = [name for name in DECISIONS if name in set(rows["test"])]
    alternatives = list(dict.fromkeys(rows["alternative"]))
    schemes = [name for name in SCHEME_TITLES if name in set(rows["scheme"])]
    readings = [name for name in READING_TITLES if name in set(rows["reading"])]
    drawn = style.sheet(0.12 + 0.036 * len(tests) * len(readings), **subject.stream)
    grid = drawn.subplots(len(readings), len(alternatives), sharex=True, sharey=True, squeeze=False)
    for line, reading in zip(grid, readings, strict=True):
        for axes, alternative in zip(line, alternatives, strict=True):
            part = rows[(rows["reading"] == reading) & (rows["alternative"] == alternative)]
            _draw_rates(axes, part, tests, schemes, level)
            if reading == readings[0]:
                axes.set_title(alternative, loc="left", pad=3)
        line[0].set_yticks(range(len(tests)), [DECISIONS[name].title for name in tests])
        line[0].set_ylabel(READING_TITLES[reading])
    for axes in grid[-1]:
        axes.set_xlabel("proportion rejected")
    grid[0, 0].set_xticks([0, 0.5, 1])
    grid[0, 0].set_ylim(len(tests) - 0.5, -0.5)
    grid[0, 0].set_xlim(-0.03, 1.03)
    style.legend(drawn, [*_scheme_handles(schemes), style.level_handle(level, "tests")], columns=4)
    return drawn


def _draw_rates(
    axes: Axes, part: pd.DataFrame, tests: list[str], schemes: list[str], level: float
) -> None:
    axes.axvline(level, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)
    for number, scheme in enumerate(schemes):
        of_scheme = part[part["scheme"] == scheme].set_index("test").reindex(tests)
        places = np.arange(len(tests)) + 0.24 * (number - (len(schemes) - 1) / 2)
        ends = of_scheme["low"], of_scheme["high"]
        axes.hlines(places, *ends, color=_color(scheme), linewidth=0.8)
        axes.plot(
            of_scheme["value"],
            places,
            color=_color(scheme),
            linestyle="",
            marker=MARKERS[scheme],
            markersize=3.4,
            clip_on=False,
        )


def _color(scheme: str) -> str:
    return CLASSES[list(SCHEME_TITLES).index(scheme)].color


def _scheme_handles(schemes: list[str]) -> list[Line2D]:
    return [
        Line2D([], [], color=_color(name), marker=MARKERS[name], linewidth=0.8, label=title)
        for name, title in SCHEME_TITLES.items()
        if name in schemes
    ]


#: Tests of a family share a colour.
COLORS: Mapping[str, str] = {"instances": "#D55E00", "folds": "#0072B2", "time": "#009E73"}
#: Marker sizes of the shortest and the longest streams, in points.
SIZES = (2.5, 5.0)
#: Height of a row, and of all above and below the rows.
_ROW_MM, _REST_MM = 5.2, 38.0
#: Room for half of a marker beside the axis of a narrow panel.
_SIDE = 0.08


@style.styled
def draw_test_choice(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a row for each test: its size, then its power against each alternative.

    Of the lengths of the stream only the shortest and the longest one are drawn; the table has all.
    """
    frame, seconds, level = frames["choice"], frames["seconds"], subject.settings.level
    tests = list(dict.fromkeys(frame["test"]))
    alternatives = list(dict.fromkeys(frame["alternative"]))
    lengths = sorted({int(frame["instances"].min()), int(frame["instances"].max())})
    shown = frame[frame["instances"].isin(lengths)]
    aspect = (_REST_MM + _ROW_MM * len(tests)) / style.WIDTH_MM[2]
    drawn = style.sheet(aspect, "Which test: how often it errs, and what it notices")
    panels = drawn.subplots(1, 1 + len(alternatives), sharey=True, squeeze=False)[0]
    _draw_choice(panels[0], shown[shown["alternative"] == alternatives[0]], "size", tests, lengths)
    panels[0].axvline(level, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)
    longest = max(shown["size"].max() * 1.12, 2 * level)
    panels[0].set_xlim(-_SIDE * longest, longest)
    panels[0].set_title("no difference", loc="left", pad=3)
    panels[0].set_xlabel("proportion rejected")
    panels[0].set_yticks(range(len(tests)), [DECISIONS[test].title for test in tests])
    panels[0].set_ylim(len(tests) - 0.4, -0.6)
    for axes, name in zip(panels[1:], alternatives, strict=True):
        _draw_choice(axes, shown[shown["alternative"] == name], "power", tests, lengths)
        axes.set_xlim(-_SIDE, 1 + _SIDE)
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_title(fill(name, 11), loc="left", pad=3)
    for axes in panels:
        axes.tick_params(axis="y", length=0)
    panels[1 + len(alternatives) // 2].set_xlabel("power at equal size")
    handles = [*_family_handles(tests), style.level_handle(level, "tests")]
    style.legend(drawn, [*handles, *_length_handles(lengths, seconds)], columns=3)
    return drawn


def _draw_choice(
    axes: Axes, part: pd.DataFrame, column: str, tests: list[str], lengths: list[int]
) -> None:
    for row, test in enumerate(tests):
        color = COLORS[DECISIONS[test].family]
        found = part[part["test"] == test].sort_values("instances")
        axes.plot(found[column], [row] * len(found), color=color, linewidth=0.8)
        for length, value in zip(found["instances"], found[column], strict=True):
            axes.plot(value, row, zorder=2.5, **_marker(lengths, int(length), color))


def _marker(lengths: list[int], length: int, color: str) -> dict[str, Any]:
    """Return the marker of a length: the longest filled, the shortest small and hollow."""
    is_longest = length == lengths[-1]
    return {
        "color": color,
        "marker": "o",
        "linestyle": "",
        "markersize": SIZES[is_longest],
        "markerfacecolor": color if is_longest else "white",
        "markeredgecolor": color,
    }


def _family_handles(tests: list[str]) -> list[Line2D]:
    families = dict.fromkeys(DECISIONS[test].family for test in tests)
    return [
        Line2D([], [], color=COLORS[name], linewidth=2.5, label=f"tests of {name}")
        for name in families
    ]


def _length_handles(lengths: list[int], seconds: pd.DataFrame) -> list[Line2D]:
    """Return markers by length, with the core-seconds that a run of both learners takes."""
    each = (seconds["seconds"] / seconds["runs"] / seconds["instances"]).mean()
    return [
        Line2D(
            *([], []),
            label=f"n = {n:,} ({format_number(n * each, '.2g')} s a run)",
            **_marker(lengths, n, "0.35"),
        )
        for n in lengths
    ]


#: Colours, markers and dashes of the validations.
_LOOKS = {
    name: (look, marker)
    for name, look, marker in zip(VALIDATIONS, style.CLASSES, "os^DvP", strict=False)
}
_TITLES = {
    "false": "Verdicts for one of two learners that are equal, simulated",
    "right": "Verdicts for the better of two learners, simulated",
}


@style.styled
def draw_verdict_calibration(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the proportions of false verdicts, or of correct ones, by the length of the stream."""
    from streameval.items.error_rates.verdict_laws import APART, INSIDE  # loads learners

    rates, picture = frames["rates"], subject.picture
    is_right = rates["law"].isin(list(APART))
    shown = rates[is_right if picture == "right" else ~is_right]

    def panel(axes: Axes, law: str, part: pd.DataFrame) -> None:
        column = "better" if law in INSIDE or picture == "right" else "excludes"
        _draw_lines(axes, part, "validation", column, _LOOKS)
        if picture == "false":
            _draw_level(axes)

    columns = 5 if picture == "false" else 3
    drawn, axes = _by_law(shown, _TITLES[picture], columns, "streams", panel)
    axes.set_ylim(bottom=-0.02, top=1.02 if picture == "right" else None)
    handles = _handles(shown["validation"], VALIDATIONS, _LOOKS)
    if picture == "false":
        handles.append(style.level_handle(LEVEL, "verdicts"))
    style.legend(drawn, handles, columns=5)
    return drawn


@style.styled
def draw_interval_coverage(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw how often the learners' intervals miss, by law and by the length of the stream."""
    found = frames["coverage"]
    shown = found[found["learner"] == "learner"]
    of_runs = np.where(shown["runs"] == 1, "", ", " + shown["runs"].astype(str) + " runs")
    shown = shown.assign(law=shown["law"] + of_runs, title=shown["title"] + of_runs)

    names = dict.fromkeys(shown["measure"])
    titles = {name: style.symbol_text(measure_words(name)) for name in names}
    looks = dict(zip(names, zip(style.CLASSES, "os^D", strict=False), strict=False))

    def panel(axes: Axes, law: str, part: pd.DataFrame) -> None:
        _draw_lines(axes, part[part["interval"] > 0.5], "measure", "missed", looks)
        _draw_level(axes)

    title = "Intervals of single measures that miss the expected value, simulated"
    drawn, axes = _by_law(shown, title, 5, "intervals", panel)
    axes.set_ylim(bottom=-0.02)
    handles = _handles(shown["measure"], titles, looks)
    style.legend(drawn, [*handles, style.level_handle(LEVEL, "intervals")], columns=3)
    return drawn


def _by_law(
    shown: pd.DataFrame,
    title: str,
    columns: int,
    of_what: str,
    panel: Callable[[Axes, str, pd.DataFrame], None],
) -> tuple[Figure, Axes]:
    """Return a figure with a panel for each law by the lengths of the streams, and its first axes.

    All panels share their axes. `panel` is given the axes, the law and its rows, and draws.
    """
    laws = list(dict.fromkeys(shown["law"]))
    columns = min(len(laws), columns) or 1
    rows = -(-len(laws) // columns) or 1
    drawn = style.sheet(0.14 + 0.26 * rows, title)
    grid = drawn.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes, law in zip(grid.flat, laws, strict=False):
        part = shown[shown["law"] == law]
        panel(axes, law, part)
        axes.set_title(fill(str(part["title"].iloc[0]), 20), loc="left", pad=3)
    for place, axes in enumerate(grid.flat):
        if place >= len(laws):
            axes.remove()
        elif place + columns >= len(laws):  # none is below it
            axes.set_xlabel("instances")
            axes.tick_params(labelbottom=True)
    for axes in grid[:, 0]:
        axes.set_ylabel(f"proportion of {of_what}")
    first: Axes = grid[0, 0]
    first.set_xscale("log")
    first.xaxis.set_major_locator(FixedLocator(sorted(shown["instances"].unique())))
    first.xaxis.set_minor_locator(NullLocator())
    first.xaxis.set_major_formatter(FuncFormatter(lambda n, _: short(int(n))))
    return drawn, first


def _draw_level(axes: Axes) -> None:
    axes.axhline(LEVEL, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)


def short(n: int) -> str:
    """Return a number of instances in thousands from 1,000 on: 300, 1k, 100k."""
    return f"{n // 1000}k" if n >= 1000 and n % 1000 == 0 else f"{n}"


def _draw_lines(
    axes: Axes,
    part: pd.DataFrame,
    by: str,
    column: str,
    looks: Mapping[str, tuple[style.Look, str]],
) -> None:
    """Draw a line for each group, side by side, with the intervals of a rate."""
    for number, (name, found) in enumerate(part.groupby(by, sort=False)):
        look, marker = looks[str(name)]
        ordered = found.sort_values("instances")
        at = ordered["instances"].to_numpy(dtype=float) * 1.06 ** (number - 1.5)
        low, high = ordered[f"{column}_low"], ordered[f"{column}_high"]
        axes.vlines(at, low, high, color=look.color, linewidth=0.6)
        axes.plot(at, ordered[column], marker=marker, markersize=2.5, linewidth=0.8, **look.line)


def _handles(
    shown: pd.Series, titles: Mapping[str, str], looks: Mapping[str, tuple[style.Look, str]]
) -> list[Line2D]:
    """Return the legend handles of groups that are shown."""
    among = set(shown)
    return [
        style.handle(look, titles[name], marker=marker, markersize=3, linewidth=0.8)
        for name, (look, marker) in looks.items()
        if name in among
    ]


draw_recorded_choice = draw_test_choice
