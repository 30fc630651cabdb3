"""Which test to use: size against power, over the length of the stream."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.evaluation.decisions import DECISIONS
from streameval.items.subject import Subject
from streameval.report import style

#: Tests of a family share a colour.
COLORS: Mapping[str, str] = {"instances": "#D55E00", "folds": "#0072B2", "time": "#009E73"}
#: Marker sizes of the shortest and the longest streams, in points.
SIZES = (2.5, 5.0)
#: Height of a row, and of all above and below the rows.
_ROW_MM, _REST_MM = 5.2, 38.0
#: Room for half of a marker beside the axis of a narrow panel.
_SIDE = 0.08


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    return test_choice(frames["choice"], frames["seconds"], level=subject.settings.level)


@style.styled
def test_choice(frame: pd.DataFrame, seconds: pd.DataFrame, *, level: float) -> Figure:
    """Draw a row for each test: how often it errs, then its power against each alternative.

    Of the lengths of the stream only the shortest and the longest one are drawn; the table has all.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns test, alternative, instances, size, power.
    seconds : pandas.DataFrame
        Columns instances, runs, seconds: what the learners took.
    level : float
        The tests' level, a line.
    """
    tests = list(dict.fromkeys(frame["test"]))
    alternatives = list(dict.fromkeys(frame["alternative"]))
    lengths = sorted({int(frame["instances"].min()), int(frame["instances"].max())})
    shown = frame[frame["instances"].isin(lengths)]
    aspect = (_REST_MM + _ROW_MM * len(tests)) / style.WIDTH_MM[2]
    drawn = style.figure(columns=2, aspect=aspect)
    style.headline(drawn, "Which test: how often it errs, and what it notices", False)
    panels = drawn.subplots(1, 1 + len(alternatives), sharey=True, squeeze=False)[0]
    _draw(panels[0], shown[shown["alternative"] == alternatives[0]], "size", tests, lengths)
    panels[0].axvline(level, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)
    longest = max(shown["size"].max() * 1.12, 2 * level)
    panels[0].set_xlim(-_SIDE * longest, longest)
    panels[0].set_title("no difference", loc="left", pad=3)
    panels[0].set_xlabel("rejected")
    panels[0].set_yticks(range(len(tests)), [DECISIONS[test].title for test in tests])
    panels[0].set_ylim(len(tests) - 0.4, -0.6)
    for axes, name in zip(panels[1:], alternatives, strict=True):
        _draw(axes, shown[shown["alternative"] == name], "power", tests, lengths)
        axes.set_xlim(-_SIDE, 1 + _SIDE)
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_title(fill(name, 11), loc="left", pad=3)
    for axes in panels:
        axes.tick_params(axis="y", length=0)
    panels[1 + len(alternatives) // 2].set_xlabel("power at equal size")
    handles = [*_family_handles(tests), style.level_handle(level, "tests")]
    style.legend(drawn, [*handles, *_length_handles(lengths, seconds)], columns=3)
    return drawn


def _draw(
    axes: Axes, part: pd.DataFrame, column: str, tests: list[str], lengths: list[int]
) -> None:
    for row, test in enumerate(tests):
        color = COLORS[DECISIONS[test].family]
        found = part[part["test"] == test].sort_values("instances")
        axes.plot(found[column], [row] * len(found), color=color, linewidth=0.8)
        for length, value in zip(found["instances"], found[column], strict=True):
            axes.plot(value, row, zorder=2.5, **_marker(lengths, int(length), color))


def _marker(lengths: list[int], length: int, color: str) -> dict[str, Any]:
    """Return how a length is drawn: the longest filled, the shortest small and hollow."""
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
        Line2D([], [], label=f"n = {n:,} ({n * each:.2g} s a run)", **_marker(lengths, n, "0.35"))
        for n in lengths
    ]
