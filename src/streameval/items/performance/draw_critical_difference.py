"""Mean ranks of learners with critical differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.base.arrays import Floats
from streameval.drawing import style
from streameval.drawing.subject import Subject
from streameval.measures.registry import MEASURES
from streameval.view.numbers import number_text, p_text

#: Letters after which a name is broken.
LETTERS = 30
#: Heights in mm, from the top: the ruler of the critical difference, the axis, and what is below.
RULER, AXIS, BARS, BAR, LABELS = 5.0, 13.0, 16.0, 2.2, 2.5
#: Height of the row of a name of one line, and of the title above all.
ROW, TITLE = 4.6, 7.0
#: Free width beside the axis and beside names, in mm.
GAP = 3.0
DARK = "0.25"


@style.styled
def draw_critical_difference(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the mean ranks of learners, and bars that join those that do not differ."""
    frame, scores, titles = frames["ranks"], frames["scores"], subject.titles
    measure, level = MEASURES[subject.settings.measure].title, subject.settings.level
    frame = frame.sort_values("mean_rank", kind="stable", ignore_index=True)
    names = [
        fill(f"{titles.get(name, name)} ({number_text(rank, 2)})", LETTERS)
        for name, rank in zip(frame["learner"], frame["mean_rank"].tolist(), strict=True)
    ]
    ranks, gap = frame["mean_rank"].to_numpy(float), float(frame["critical_difference"].iloc[0])
    joined = groups(ranks, gap)
    first = -(-len(names) // 2)
    sides = [list(range(first)), list(range(len(names) - 1, first - 1, -1))]
    top = BARS + BAR * len(joined) + LABELS
    rows = [_rows([names[i] for i in side], top) for side in sides]
    simulated = scores.loc[scores["simulated"], "stream"].unique()
    text = _about(frame.iloc[0], simulated, level)
    height = max(end for _, end in rows) + style.LINE_MM * (text.count("\n") + 1) + GAP

    width = style.WIDTH_MM[2]
    drawn = style.figure(columns=2, aspect=(height + TITLE) / width)
    style.headline(drawn, f"{measure}: mean ranks of learners", bool(len(simulated)))
    drawn.set_layout_engine("none")  # all is placed in mm
    axes = drawn.add_axes((0, 0, 1, height / (height + TITLE)))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()

    letters = max(len(line) for name in names for line in name.split("\n"))
    side = letters * style.MM_PER_LEGEND_LETTER + 2 * GAP
    ends = (side + GAP, width - side - GAP)
    place = np.interp(np.arange(1, len(names) + 1), [1, len(names)], ends)
    at = np.interp(ranks, [1, len(names)], ends)
    _axis(axes, place, gap)
    for number, (low, high) in enumerate(joined):
        y = BARS + BAR * number
        ends_of_bar = (at[low] - 0.8, at[high] + 0.8)
        axes.plot(ends_of_bar, (y, y), color=DARK, linewidth=2.2, solid_capstyle="butt", zorder=3)
    for of_side, (heights, _), edge, align in zip(
        sides, rows, (side, width - side), ("right", "left"), strict=True
    ):
        beside = -1 if align == "right" else 1
        for i, y in zip(of_side, heights, strict=True):
            look = style.learner_look(str(frame["learner"].iloc[i]))
            line = {**look.line, "zorder": 2}
            axes.plot([at[i], at[i], edge], [AXIS, y, y], linewidth=1.0, **line)
            axes.plot(at[i], AXIS, color=look.color, marker=look.marker or "o", zorder=4)
            axes.text(edge + beside * GAP / 2, y, names[i], ha=align, va="center")
    axes.text(GAP, height - GAP / 2, text, ha="left", va="bottom", color=DARK)
    return drawn


def groups(ranks: Floats, gap: float) -> list[tuple[int, int]]:
    """Return the ends of the longest runs of learners that are less than a gap apart.

    `ranks` are mean ranks in increasing order, `gap` is the critical difference.
    """
    found: list[tuple[int, int]] = []
    for low in range(len(ranks)):
        near = np.flatnonzero(ranks - ranks[low] < gap * (1 - 1e-12))
        high = int(near[-1])
        if high > low and (not found or high > found[-1][1]):
            found.append((low, high))
    return found


def _axis(axes: Axes, place: Floats, gap: float) -> None:
    """Draw the axis of ranks, and above it a ruler as long as the critical difference."""
    line: dict[str, Any] = {"color": DARK, "linewidth": 0.8, "solid_capstyle": "projecting"}
    axes.plot([place[0], place[-1]], [AXIS, AXIS], **line)
    for rank, x in enumerate(place, start=1):
        axes.plot([x, x], [AXIS - 1.2, AXIS], **line)
        axes.text(x, AXIS - 1.6, str(rank), ha="center", va="bottom")
    each = (place[-1] - place[0]) / (len(place) - 1)
    # A ruler longer than the axis is broken off there: no two learners can differ.
    is_whole = gap <= len(place) - 1
    end = place[0] + min(gap, len(place) - 1) * each
    axes.plot([place[0], end], [RULER, RULER], **line)
    for x in (place[0], end) if is_whole else (place[0],):
        axes.plot([x, x], [RULER - 0.8, RULER + 0.8], **line)
    text = f"CD = {number_text(gap, 2)}" + ("" if is_whole else ", longer than the axis")
    axes.text(place[0], RULER - 1.2, text, ha="left", va="bottom")


def _rows(names: Sequence[str], top: float) -> tuple[list[float], float]:
    """Return the middle of the row of each name, and where the last one ends."""
    heights = [ROW + style.LINE_MM * name.count("\n") for name in names]
    ends = top + np.cumsum([0.0, *heights])
    return [float(end + high / 2) for end, high in zip(ends[:-1], heights, strict=True)], ends[-1]


def _about(row: pd.Series, simulated: Sequence[str], level: float) -> str:
    """Return the notes of the diagram: streams, Friedman's test, and simulated streams."""
    chi2, p = number_text(float(row["statistic"]), 2), p_text(row["p_value"])
    text = (
        f"N = {int(row['streams'])} streams. Friedman: χ² = {chi2}, p {p}. Bars join learners "
        f"that do not differ by Nemenyi's test at {100 * level:g} %. 1 is the best rank."
    )
    if len(simulated):
        text += f" Simulated streams: {', '.join(map(str, simulated))}."
    room = style.WIDTH_MM[2] - 2 * GAP
    return fill(text, int(room / style.MM_PER_LEGEND_LETTER))
