"""How often verdicts are given, over the length of the stream: a panel for each law."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from streameval.items.error_rates.verdict_laws import APART, INSIDE
from streameval.items.subject import Subject
from streameval.report import style
from streameval.report.names import VALIDATIONS
from streameval.significance.significance_test import LEVEL

COLUMNS = ("law", "title", "validation", "instances", "excludes", "better")
#: Colours, markers and dashes of the validations.
_LOOKS = {
    name: (look, marker)
    for name, look, marker in zip(VALIDATIONS, style.CLASSES, "os^D", strict=False)
}
_TITLES = {
    "false": "Verdicts for one of two learners that are equal, simulated",
    "right": "Verdicts for the better of two learners, simulated",
}


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a picture of an item from its frames."""
    return verdict_calibration(frames["rates"], subject.picture)


@style.styled
def verdict_calibration(rates: pd.DataFrame, picture: str) -> Figure:
    """Draw the proportions of false verdicts, or of right ones.

    Parameters
    ----------
    rates : pandas.DataFrame
        See `streameval.items.error_rates.verdict_calibration.rates`.
    picture : {"false", "right"}
        Which.
    """
    is_right = rates["law"].isin(list(APART))
    shown = rates[is_right if picture == "right" else ~is_right]
    laws = list(dict.fromkeys(shown["law"]))
    columns = min(len(laws), 5 if picture == "false" else 3) or 1
    rows = -(-len(laws) // columns) or 1
    drawn = style.figure(columns=2, aspect=0.14 + 0.26 * rows)
    style.headline(drawn, _TITLES[picture], simulated=False)
    grid = drawn.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes, law in zip(grid.flat, laws, strict=False):
        part = shown[shown["law"] == law]
        column = "better" if law in INSIDE or picture == "right" else "excludes"
        _draw(axes, part, column)
        axes.set_title(fill(str(part["title"].iloc[0]), 20), loc="left", pad=3)
        if picture == "false":
            axes.axhline(LEVEL, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)
    for place, axes in enumerate(grid.flat):
        if place >= len(laws):
            axes.remove()
        elif place + columns >= len(laws):  # none is below it
            axes.set_xlabel("instances")
            axes.tick_params(labelbottom=True)
    for axes in grid[:, 0]:
        axes.set_ylabel("proportion of streams")
    lengths = sorted(shown["instances"].unique())
    grid[0, 0].set_xscale("log")
    grid[0, 0].xaxis.set_major_locator(FixedLocator(lengths))
    grid[0, 0].xaxis.set_minor_locator(NullLocator())
    grid[0, 0].xaxis.set_major_formatter(FuncFormatter(lambda n, _: short(int(n))))
    grid[0, 0].set_ylim(bottom=-0.02, top=1.02 if picture == "right" else None)
    found = [name for name in _LOOKS if name in set(shown["validation"])]
    handles = [_handle(name) for name in found]
    if picture == "false":
        handles.append(style.level_handle(LEVEL, "verdicts"))
    style.legend(drawn, handles, columns=5)
    return drawn


def short(n: int) -> str:
    """Return a number of instances in thousands from 1,000 on: 300, 1k, 100k."""
    return f"{n // 1000}k" if n >= 1000 and n % 1000 == 0 else f"{n}"


def _draw(axes: Axes, part: pd.DataFrame, column: str) -> None:
    """Draw a line for each validation, side by side."""
    for number, (name, found) in enumerate(part.groupby("validation", sort=False)):
        look, marker = _LOOKS[str(name)]
        ordered = found.sort_values("instances")
        at = ordered["instances"].to_numpy(dtype=float) * 1.06 ** (number - 1.5)
        low, high = ordered[f"{column}_low"], ordered[f"{column}_high"]
        axes.vlines(at, low, high, color=look.color, linewidth=0.6)
        axes.plot(
            at,
            ordered[column],
            color=look.color,
            marker=marker,
            markersize=2.5,
            linewidth=0.8,
            linestyle=look.dash,
        )


def _handle(name: str) -> Line2D:
    look, marker = _LOOKS[name]
    return Line2D(
        [],
        [],
        color=look.color,
        marker=marker,
        markersize=3,
        linewidth=0.8,
        linestyle=look.dash,
        label=VALIDATIONS[name],
    )
