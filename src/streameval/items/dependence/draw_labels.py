"""Class proportions, autocorrelation and dependence of the labels of a stream."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from streameval.drawing import style
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import begin_of, on_axis, tune_time_axis
from streameval.evaluation.curve_tables import places_at

#: About how wide a panel is.
PANEL_MM = 74.0


@style.styled
def draw_class_distribution(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw class proportions over time beside the autocorrelation of the label.

    Lags of the natural period, where the settings name one, are marked.
    """
    drawn = style.sheet(0.4, **subject.stream)
    left, right = drawn.subplots(1, 2)
    lines = _draw_prior(left, frames["prior"])
    marks = _draw_autocorrelation(right, frames["autocorrelation"], subject.settings.period)
    keys = [_key_above(drawn, left, lines)]
    if marks:
        keys.append(_key_above(drawn, right, marks))
    style.make_room(drawn, max(keys) - style.LEGEND_ROOM_MM)
    return drawn


def _draw_prior(axes: Axes, prior: pd.DataFrame) -> list[Line2D]:
    shares = largest(prior.pivot_table("share", "instance", "class", sort=False, observed=True))
    places, lines = places_at(prior, shares.index), list[Line2D]()
    for number, name in enumerate(style.shortened(list(shares.columns))):
        look = style.CLASSES[number] if number < len(style.CLASSES) else style.REST
        lines += axes.plot(
            on_axis(places),
            shares.iloc[:, number],
            marker="" if len(shares) > 1 else "o",  # of a single point there is no line to see
            label=name,
            **look.line,
        )
    if len(shares) == 1:
        axes.text(0.5, 0.5, style.ONE_WINDOW, transform=axes.transAxes, ha="center", va="center")
    axes.set_ylim(0, 1)
    axes.set_ylabel("proportion of instances")
    if isinstance(places, pd.DatetimeIndex):
        tune_time_axis(axes, places, begin_of(prior))
    else:
        style.thousands(axes)
    return lines


def largest(shares: pd.DataFrame) -> pd.DataFrame:
    """Keep the largest classes, first the largest; sum the others up."""
    mean = shares.mean().sort_values(ascending=False, kind="stable")
    kept, rest = mean.index[: len(style.CLASSES)], mean.index[len(style.CLASSES) :]
    table = shares[kept].rename(columns=str)
    if len(rest):
        table[f"{len(rest)} others"] = shares[rest].sum(axis=1)
    return table


def _draw_autocorrelation(axes: Axes, frame: pd.DataFrame, period: int | None) -> list[Line2D]:
    """Draw the curve, and return what stands for the multiples, if there are any."""
    lags, values = frame["lag"].to_numpy(), frame["autocorrelation"].to_numpy()
    style.zero_line(axes)
    axes.plot(lags, values, color=style.CLASSES[0].color)
    axes.set_xlim(0, lags.max())
    axes.set_xlabel("lag (instances)")
    axes.set_ylabel("autocorrelation of the label")
    if period is None or period > lags.max():
        return []
    multiples = np.arange(period, lags.max() + 1, period)
    axes.grid(visible=False, axis="x")
    axes.set_xticks(multiples if len(multiples) <= 8 else multiples[1::2])
    for lag in multiples:
        axes.axvline(lag, color="#D55E00", linewidth=0.7, linestyle=style.DOTTED, zorder=1)
    mark = Line2D([], [], color="#D55E00", linewidth=0.7, linestyle=style.DOTTED)
    mark.set_label(f"multiples of {period}")
    return [mark]


def _key_above(drawn: Figure, axes: Axes, lines: list[Line2D]) -> float:
    """Name lines above a panel, in as many columns as it is wide for; return the height in mm."""
    for columns in range(min(3, len(lines)), 0, -1):
        key = axes.legend(
            handles=lines,
            loc="lower left",
            bbox_to_anchor=(0, 1.0),
            borderaxespad=0.2,
            ncols=columns,
            handlelength=2.4,
            columnspacing=1.2,
        )
        width, height = style.legend_size_mm(drawn, key)
        if width <= PANEL_MM:
            break
    return height


@style.styled
def draw_dependence(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the probability of a class after a run of the class, by the length of the run.

    The right panel has what the earliest label of the run adds.
    """
    orders = frames["dependence"]
    largest = orders[orders["order"] == 0].sort_values("share", ascending=False, kind="stable")
    names = largest["class"].tolist()
    shown = names[: len(style.CLASSES)]
    drawn = style.sheet(0.42, **subject.stream)
    left, right = drawn.subplots(1, 2)
    lines = _draw_by_order(left, orders, shown, "share")
    left.set_ylabel("proportion that is of the class again")
    left.set_ylim(0, 1.02)
    style.zero_line(right)
    _draw_by_order(right, orders, shown, "delta")
    right.set_ylabel("increase from the ℓ-th label, Δ(ℓ)")
    for axes in (left, right):
        axes.set_xlabel("previous labels, all of the class, ℓ")
        axes.set_xlim(0, orders["order"].max())
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    rest = len(names) - len(shown)
    smaller = "smaller one" if rest == 1 else "smaller ones"
    heading = f"class ({rest} {smaller} left out)" if rest else "class"
    style.legend(drawn, lines, columns=len(lines), title=heading)
    return drawn


def _draw_by_order(axes: Axes, orders: pd.DataFrame, names: list[str], column: str) -> list[Line2D]:
    lines = []
    labels = style.shortened([str(name) for name in names])
    for look, name, label in zip(style.CLASSES, names, labels, strict=False):
        part = orders[orders["class"] == name]
        lines += axes.plot(
            part["order"],
            part[column],
            marker=".",  # or a lone point would not be seen
            markersize=3.5,
            markeredgewidth=0,
            label=label,
            **look.line,
        )
    return lines
