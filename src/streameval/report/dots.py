"""Parts of figures with a row of dots for each learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from streameval.report import style

#: Share of a row's height over which its dots are spread, so that they do not cover each other.
SPREAD = 0.74
#: Where what is undefined is marked, right of a panel, as a share of its width.
OUTSIDE = 1.035
UNDEFINED_COLOR = "0.35"
#: Letters after which a name is broken.
LETTERS = 30


@dataclass(frozen=True)
class Mark:
    """The mark of a kind of value: its title, its shape, and whether it is filled."""

    title: str
    shape: str
    filled: bool = False

    def line(self, x: float, y: float, color: str) -> Line2D:
        """Return a dot."""
        return Line2D(
            [x],
            [y],
            linestyle="none",
            marker=self.shape,
            markersize=3.7,
            markeredgewidth=0.9,
            markeredgecolor=color,
            markerfacecolor=color if self.filled else "white",
            color=color,
            label=self.title,
            zorder=3,
            clip_on=False,  # a value on the edge of its panel is seen whole
        )

    def handle(self) -> Line2D:
        """Return the dot that stands for this kind in a legend."""
        return self.line(np.nan, np.nan, "0.2")


def broken(names: Sequence[str]) -> list[str]:
    """Return names whose lines leave the panels beside them their room."""
    return [fill(name, LETTERS) for name in names]


def row_mm(names: Sequence[str], least: float) -> float:
    """Return the height of rows, enough for dots and for the name with the most lines."""
    return max([least, *(style.LINE_MM * (name.count("\n") + 1) for name in names)])


def rows(axes: Axes, names: Sequence[str]) -> None:
    """Give each name a row of height 1 around 0, 1, ... from top to bottom, every other shaded."""
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), labels=list(names))
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    for row in range(1, len(names), 2):
        axes.axhspan(row - 0.5, row + 0.5, color="#EEF2F6", linewidth=0, zorder=0.5)


def height(row: int, number: int, count: int) -> float:
    """Return where in its row the `number`-th of `count` dots lies."""
    return row + SPREAD * ((number + 0.5) / count - 0.5)


def draw(axes: Axes, mark: Mark, value: float, y: float, color: str) -> None:
    """Draw a dot; a value that is undefined gets a cross right of the panel."""
    if np.isfinite(value):
        axes.add_line(mark.line(value, y, color))
        return
    cross = _cross(OUTSIDE, y)
    cross.set(transform=axes.get_yaxis_transform(), clip_on=False)
    axes.add_line(cross)


def undefined_handle() -> Line2D:
    """Return the cross that stands for undefined values in a legend."""
    return _cross(np.nan, np.nan)


def _cross(x: float, y: float) -> Line2D:
    return Line2D(
        [x],
        [y],
        linestyle="none",
        marker="x",
        markersize=3.2,
        markeredgewidth=0.8,
        markeredgecolor=UNDEFINED_COLOR,
        label="undefined (right of its panel)",
    )
