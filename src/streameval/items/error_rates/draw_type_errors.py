"""How often each test rejects, by scheme of validation (Bifet et al. 2015, Section 4.1)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.evaluation.decisions import DECISIONS
from streameval.items.subject import Subject
from streameval.report import style
from streameval.report.looks import CLASSES
from streameval.report.names import READING_TITLES, SCHEME_TITLES

#: Apart in grey, too.
MARKERS = {"bootstrap_validation": "o", "cross_validation": "s", "split_validation": "^"}


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    return type_errors(frames["rates"], level=subject.settings.level, **subject.stream)


@style.styled
def type_errors(frame: pd.DataFrame, *, level: float, title: str, simulated: bool) -> Figure:
    """Draw rates of rejection of the longest runs: a panel for each reading and alternative.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns scheme, reading, alternative, instances, test, value, low, high.
    level : float
        The tests' level, a line.
    title : str
        What stands above: the stream, for people.
    simulated : bool
        Whether the stream is simulated; it is then marked.
    """
    rows = frame[frame["instances"] == frame["instances"].max()]
    tests = [name for name in DECISIONS if name in set(rows["test"])]
    alternatives = list(dict.fromkeys(rows["alternative"]))
    schemes = [name for name in SCHEME_TITLES if name in set(rows["scheme"])]
    readings = [name for name in READING_TITLES if name in set(rows["reading"])]
    drawn = style.figure(columns=2, aspect=0.12 + 0.036 * len(tests) * len(readings))
    style.headline(drawn, title, simulated)
    grid = drawn.subplots(len(readings), len(alternatives), sharex=True, sharey=True, squeeze=False)
    for line, reading in zip(grid, readings, strict=True):
        for axes, alternative in zip(line, alternatives, strict=True):
            part = rows[(rows["reading"] == reading) & (rows["alternative"] == alternative)]
            _draw(axes, part, tests, schemes, level)
            if reading == readings[0]:
                axes.set_title(alternative, loc="left", pad=3)
        line[0].set_yticks(range(len(tests)), [DECISIONS[name].title for name in tests])
        line[0].set_ylabel(READING_TITLES[reading])
    for axes in grid[-1]:
        axes.set_xlabel("proportion rejected")
    grid[0, 0].set_xticks([0, 0.5, 1])
    grid[0, 0].set_ylim(len(tests) - 0.5, -0.5)
    grid[0, 0].set_xlim(-0.03, 1.03)
    style.legend(drawn, [*_handles(schemes), style.level_handle(level, "tests")], columns=4)
    return drawn


def _draw(
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


def _handles(schemes: list[str]) -> list[Line2D]:
    return [
        Line2D(
            [],
            [],
            color=_color(name),
            marker=MARKERS[name],
            linewidth=0.8,
            label=SCHEME_TITLES[name],
        )
        for name in schemes
    ]
