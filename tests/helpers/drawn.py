"""What tests of figures share: names of learners, and how to read back what was drawn."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.report import style

NAN = float("nan")
TITLES = {
    "no_change": "No-Change",
    "majority": "Majority",
    "naive_bayes": "Naive Bayes",
    "ddm_nb": "DDM",
    "ddm_random": "DDM-random",
    "hoeffding_tree": "Hoeffding tree",
    "hoeffding_adaptive_tree": "Hoeffding adaptive tree",
    "leveraging_bagging": "Leveraging bagging",
}
INSIDE = [
    *("naive_bayes", "ddm_nb", "hoeffding_tree"),
    *("hoeffding_adaptive_tree", "leveraging_bagging"),
]
ALL = ["no_change", "majority", *INSIDE]
TREE = style.learner_look("hoeffding_tree").color


def legend_names(drawn: Figure) -> list[str]:
    (legend,) = drawn.legends
    return [text.get_text() for text in legend.get_texts()]


def is_marked_simulated(drawn: Figure) -> bool:
    return "simulated stream" in [text.get_text() for text in drawn.texts]


def dots(axes: Axes, shape: str) -> list[Line2D]:
    """Return the single markers of a shape, from top to bottom."""
    found = [line for line in axes.lines if line.get_marker() == shape]
    return sorted(found, key=lambda line: line.get_ydata()[0])


def x_of(lines: Sequence[Line2D]) -> list[float]:
    return [line.get_xdata()[0] for line in lines]


def steady(axes: Axes) -> dict[str, float]:
    """Return the heights of the horizontal lines by their colours."""
    return {
        line.get_color(): line.get_ydata()[0]
        for line in axes.lines
        if list(line.get_xdata()) == [0, 1] and line.get_ydata()[0] == line.get_ydata()[1]
    }


def line_of(axes: Axes, color: str, dash: str | None = None) -> Line2D:
    """Return the one line that has a colour, a dash, and more points than two."""
    (line,) = [
        line
        for line in axes.lines
        if line.get_color() == color
        and len(line.get_xdata()) > 2
        and dash in (None, line.get_linestyle())
    ]
    return line


def cells(frame: pd.DataFrame, **keys: str) -> pd.Series:
    """Return which rows have all of these keys."""
    return (frame[list(keys)] == pd.Series(keys)).all(axis=1)
