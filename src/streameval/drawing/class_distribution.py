"""Proportions of classes over time, and the autocorrelation of a label or a target."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from streameval.drawing import style
from streameval.drawing.time_axis import axis_numbers


def largest_classes(proportions: pd.DataFrame) -> pd.DataFrame:
    """Columns of the largest classes in descending order, and a column with the sum of the others.

    `proportions` has a column for each class. There are as many largest classes as `CLASS_LOOKS`.
    """
    mean = proportions.mean().sort_values(ascending=False, kind="stable")
    large, small = mean.index[: len(style.CLASS_LOOKS)], mean.index[len(style.CLASS_LOOKS) :]
    table = proportions[large].rename(columns=str)
    if len(small):
        table[f"{len(small)} others"] = proportions[small].sum(axis=1)
    return table


def draw_proportions(axes: Axes, proportions: pd.DataFrame, times: Any) -> list[Line2D]:
    """Draw a line for each column of `largest_classes` over dates or counts of instances."""
    lines = list[Line2D]()
    looks = [*style.CLASS_LOOKS, style.OTHER_CLASSES_LOOK]
    names = style.shorten_names([str(name) for name in proportions.columns])
    for index, (name, look) in enumerate(zip(names, looks, strict=False)):
        lines += axes.plot(
            axis_numbers(times),
            proportions.iloc[:, index],
            marker="" if len(proportions) > 1 else "o",  # a single point has no line
            label=name,
            **look.line,
        )
    axes.set_ylim(0, 1)
    return lines


def draw_autocorrelation(axes: Axes, frame: pd.DataFrame) -> None:
    """Draw the autocorrelation by lag."""
    axes.plot(frame["lag"], frame["autocorrelation"], color=style.CLASS_LOOKS[0].color)
    axes.set_xlim(0, frame["lag"].max())
    axes.set_xlabel("lag (instances)")
