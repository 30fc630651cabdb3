"""Which test to use: size against power, over the length of the stream."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.report import style
from streameval.report.frames import known_numbers, require_columns
from streameval.report.subject import Subject
from streameval.studies.decisions import DECISIONS

COLUMNS = ("test", "alternative", "instances", "size", "power")
#: Tests of a family share a colour.
COLORS: Mapping[str, str] = {"instances": "#D55E00", "folds": "#0072B2", "time": "#009E73"}
#: Of the tests of a family, in their order.
MARKERS = "os^Dv"
#: Marker sizes of the shortest and the longest streams, in points.
SIZES = (2.5, 6.5)


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    return test_choice(frames["choice"], frames["seconds"], level=subject.settings.level)


@style.styled
def test_choice(frame: pd.DataFrame, seconds: pd.DataFrame, *, level: float) -> Figure:
    """Draw power at equal size over measured size: a panel for each alternative.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns test, alternative, instances, size, power.
    seconds : pandas.DataFrame
        Columns instances, runs, seconds: what the learners took.
    level : float
        The tests' level, a line.

    Raises
    ------
    DataError
        If a column is missing or a number is not known.
    """
    require_columns(frame, COLUMNS, "Choice of a test")
    for column in ("size", "power"):
        known_numbers(frame[column], "Choice of a test")
    alternatives = list(dict.fromkeys(frame["alternative"]))
    columns = min(len(alternatives), 3)
    rows = -(-len(alternatives) // columns)
    drawn = style.figure(columns=2, aspect=0.12 + 0.36 * rows)
    style.headline(drawn, "Which test: how often it errs, and what it notices", False)
    grid = drawn.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    lengths = sorted(frame["instances"].unique())
    for axes, name in zip(grid.flat, alternatives, strict=False):
        _draw(axes, frame[frame["alternative"] == name], lengths, level)
        axes.set_title(name, loc="left", pad=3)
    for axes in grid.flat[len(alternatives) :]:
        axes.set_visible(False)
    for axes in grid[-1]:
        axes.set_xlabel("rejected without a difference")
    for axes in grid[:, 0]:
        axes.set_ylabel("power at equal size")
    grid[0, 0].set_ylim(-0.03, 1.03)
    grid[0, 0].set_xlim(-0.02, max(frame["size"].max() * 1.08, 2 * level))
    style.legend(drawn, [*_handles(frame), *_length_handles(lengths, seconds)], columns=4)
    return drawn


def _draw(axes: Axes, part: pd.DataFrame, lengths: list[int], level: float) -> None:
    axes.axvline(level, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)
    for test, found in part.groupby("test", sort=False):
        color, marker = _look(str(test))
        ordered = found.sort_values("instances")
        axes.plot(ordered["size"], ordered["power"], color=color, linewidth=0.7)
        for length, size, power in ordered[["instances", "size", "power"]].to_numpy():
            axes.plot(
                size,
                power,
                color=color,
                marker=marker,
                markersize=_size(lengths, length),
                clip_on=False,
                zorder=2.5,
            )


def _size(lengths: list[int], length: float) -> float:
    return float(np.interp(lengths.index(int(length)), [0, max(len(lengths) - 1, 1)], SIZES))


def _look(test: str) -> tuple[str, str]:
    family = DECISIONS[test].family
    relatives = [name for name, decision in DECISIONS.items() if decision.family == family]
    return COLORS[family], MARKERS[relatives.index(test)]


def _handles(frame: pd.DataFrame) -> list[Line2D]:
    found = []
    for test in dict.fromkeys(frame["test"]):
        color, marker = _look(test)
        label = DECISIONS[test].title
        found.append(Line2D([], [], color=color, marker=marker, linewidth=0.7, label=label))
    return found


def _length_handles(lengths: list[int], seconds: pd.DataFrame) -> list[Line2D]:
    """Return markers by length, with the core-seconds that a run of both learners takes."""
    require_columns(seconds, ("instances", "runs", "seconds"), "Seconds of runs")
    each = (seconds["seconds"] / seconds["runs"] / seconds["instances"]).mean()
    return [
        Line2D(
            [],
            [],
            color="0.35",
            linestyle="",
            marker="o",
            markersize=_size(lengths, length),
            label=f"n = {length:,}, {length * each:.2g} s",
        )
        for length in lengths
    ]
