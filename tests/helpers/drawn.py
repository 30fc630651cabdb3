"""Names of learners, and readers of drawings, for tests of figures."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from helpers.figure_layout import text_faults
from streameval.drawing import style
from streameval.drawing.subject import Subject

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
AT = np.arange(1000, 21000, 1000)
TREE = style.learner_look("hoeffding_tree").color


def drawing(draw: Callable[..., Figure], *names: str) -> Callable[..., Figure]:
    """A function that draws frames of these names, and takes settings by theirs."""
    of_subject = ("titles", "title", "simulated", "picture", "drifts")

    def draw_frames(*frames: pd.DataFrame, **about: Any) -> Figure:
        settings = {key: value for key, value in about.items() if key not in of_subject}
        rest = {key: value for key, value in about.items() if key in of_subject}
        subject = Subject(settings=SimpleNamespace(**settings), **rest)
        return draw(dict(zip(names, frames, strict=True)), subject)

    return draw_frames


def legend_names(figure: Figure) -> list[str]:
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def vertical_lines(axes: Axes) -> list[float]:
    """Places of lines over the whole height of a panel."""
    ends = [(list(line.get_xdata()), list(line.get_ydata())) for line in axes.lines]
    return [float(x[0]) for x, y in ends if y == [0, 1] and len(set(x)) == 1]


def dots(axes: Axes, shape: str) -> list[Line2D]:
    """The single markers of a shape, from top to bottom."""
    lines = [line for line in axes.lines if line.get_marker() == shape]
    return sorted(lines, key=lambda line: line.get_ydata()[0])


def steady(axes: Axes) -> dict[str, float]:
    """The heights of the horizontal lines by their colours."""
    return {
        line.get_color(): line.get_ydata()[0]
        for line in axes.lines
        if list(line.get_xdata()) == [0, 1] and line.get_ydata()[0] == line.get_ydata()[1]
    }


def line_of(axes: Axes, color: str, dash: str | None = None) -> Line2D:
    """The one line that has a colour, a dash, and more points than two."""
    (line,) = [
        line
        for line in axes.lines
        if line.get_color() == color
        and len(line.get_xdata()) > 2
        and dash in (None, line.get_linestyle())
    ]
    return line


def cells(frame: pd.DataFrame, **keys: str) -> pd.Series:
    """Which rows have all of these keys."""
    return (frame[list(keys)] == pd.Series(keys)).all(axis=1)


def prior(classes: int = 2) -> pd.DataFrame:
    shares = 2.0 ** -np.arange(1, classes + 1)
    parts = [
        pd.DataFrame({"instance": AT, "class": f"class {i}", "proportion": share})
        for i, share in enumerate(shares)
    ]
    return pd.concat(parts[::-1], ignore_index=True)


def autocorrelation(lags: int = 350) -> pd.DataFrame:
    lag = np.arange(1, lags + 1)
    return pd.DataFrame({"lag": lag, "autocorrelation": np.cos(lag * 2 * np.pi / 48) / 3})


def colored(axes: Axes, color: str) -> list[np.ndarray]:
    return [np.asarray(line.get_ydata()) for line in axes.lines if line.get_color() == color]


def assert_no_text_collides(figure: Figure) -> None:
    """No two axis labels, panel titles, tick labels or legends lie over each other."""
    assert text_faults(figure) == []
