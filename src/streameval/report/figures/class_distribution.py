"""Class shares over time beside the autocorrelation of the label (Bifet et al. 2013, Figure 1)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.report import style
from streameval.report.frames import require_columns


@style.styled
def class_distribution(
    prior: pd.DataFrame,
    autocorrelation: pd.DataFrame,
    *,
    title: str,
    simulated: bool,
    period: int | None = None,
) -> Figure:
    """Draw how the classes' shares drift, and how long labels remember.

    Parameters
    ----------
    prior : pandas.DataFrame
        Columns instance (last of its window, from 1), class, share (fraction).
    autocorrelation : pandas.DataFrame
        Columns lag (instances), autocorrelation.
    title : str
        What stands above: the stream, for people.
    simulated : bool
        Whether the stream is simulated; it is then marked.
    period : int, optional
        Lags whose multiples are marked, for instance 48 half-hours in a day.

    Raises
    ------
    DataError
        If a column is missing.
    """
    require_columns(prior, ("instance", "class", "share"), "Class prior")
    require_columns(autocorrelation, ("lag", "autocorrelation"), "Autocorrelation")
    drawn = style.figure(columns=2, aspect=0.4)
    style.headline(drawn, title, simulated)
    left, right = drawn.subplots(1, 2)
    _draw_prior(left, prior)
    _draw_autocorrelation(right, autocorrelation, period)
    return drawn


def _draw_prior(axes: Axes, prior: pd.DataFrame) -> None:
    shares = _largest(prior.pivot_table("share", "instance", "class", sort=False, observed=True))
    lines = []
    for number, name in enumerate(shares.columns):
        look = style.CLASSES[number] if number < len(style.CLASSES) else style.REST
        lines += axes.plot(
            shares.index, shares[name], color=look.color, linestyle=look.dash, label=name
        )
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of the class")
    style.thousands(axes)
    _key_above(axes, lines)


def _largest(shares: pd.DataFrame) -> pd.DataFrame:
    """Keep the largest classes, first the largest; sum the others up."""
    mean = shares.mean().sort_values(ascending=False, kind="stable")
    kept, rest = mean.index[: len(style.CLASSES)], mean.index[len(style.CLASSES) :]
    table = shares[kept].rename(columns=str)
    if len(rest):
        table[f"{len(rest)} others"] = shares[rest].sum(axis=1)
    return table


def _draw_autocorrelation(axes: Axes, frame: pd.DataFrame, period: int | None) -> None:
    lags, values = frame["lag"].to_numpy(), frame["autocorrelation"].to_numpy()
    style.zero_line(axes)
    axes.plot(lags, values, color=style.CLASSES[0].color)
    axes.set_xlim(0, lags.max())
    axes.set_xlabel("lag (instances)")
    axes.set_ylabel("autocorrelation of the label")
    if period is None or period > lags.max():
        return
    multiples = np.arange(period, lags.max() + 1, period)
    axes.grid(visible=False, axis="x")
    axes.set_xticks(multiples if len(multiples) <= 8 else multiples[1::2])
    for lag in multiples:
        axes.axvline(lag, color="#D55E00", linewidth=0.7, linestyle=style.DOTTED, zorder=1)
    mark = Line2D([], [], color="#D55E00", linewidth=0.7, linestyle=style.DOTTED)
    mark.set_label(f"multiples of {period}")
    _key_above(axes, [mark])


def _key_above(axes: Axes, lines: list[Line2D]) -> None:
    axes.legend(
        handles=lines,
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        borderaxespad=0.2,
        ncols=3,  # as many names as fit above half a page
        handlelength=2.4,
        columnspacing=1.2,
    )
