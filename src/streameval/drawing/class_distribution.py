"""Proportions of classes over time, and the autocorrelation of a label or a target."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from streameval.drawing import style
from streameval.drawing.time_axis import on_axis


def largest(shares: pd.DataFrame) -> pd.DataFrame:
    """Keep the largest classes, first the largest; sum the others up."""
    mean = shares.mean().sort_values(ascending=False, kind="stable")
    kept, rest = mean.index[: len(style.CLASSES)], mean.index[len(style.CLASSES) :]
    table = shares[kept].rename(columns=str)
    if len(rest):
        table[f"{len(rest)} others"] = shares[rest].sum(axis=1)
    return table


def draw_proportions(axes: Axes, shares: pd.DataFrame, places: Any) -> list[Line2D]:
    """Draw a line for each column of `largest`, at dates or numbers of instances."""
    lines = list[Line2D]()
    looks = [*style.CLASSES, style.REST]
    names = style.shortened([str(name) for name in shares.columns])
    for index, (name, look) in enumerate(zip(names, looks, strict=False)):
        lines += axes.plot(
            on_axis(places),
            shares.iloc[:, index],
            marker="" if len(shares) > 1 else "o",  # of a single point there is no line to see
            label=name,
            **look.line,
        )
    axes.set_ylim(0, 1)
    return lines


def draw_autocorrelation(axes: Axes, frame: pd.DataFrame) -> None:
    """Draw the autocorrelation by lag."""
    axes.plot(frame["lag"], frame["autocorrelation"], color=style.CLASSES[0].color)
    axes.set_xlim(0, frame["lag"].max())
    axes.set_xlabel("lag (instances)")
