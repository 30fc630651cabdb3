"""The difference of two learners in each bin of the time to the label, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from streameval.report import style
from streameval.report.figures.running_differences import ROPE_COLOR
from streameval.report.looks import CLASSES


@dataclass(frozen=True)
class BinDifference:
    """The difference A - B in each bin; arrays of one shape (bins,).

    Parameters
    ----------
    first, second : str
        Names of A and B, for people.
    difference, low, high : ndarray of float64
        Proportions, or errors; the ends are NaN where there is no interval.
    """

    first: str
    second: str
    difference: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@style.styled
def bin_differences(
    pairs: Sequence[BinDifference],
    *,
    rope: float,
    title: str,
    what: str,
    factor: float,
    unit: str,
) -> Figure:
    """Draw a panel for each pair; see `running_differences`."""
    rows, columns = -(-len(pairs) // 2), min(len(pairs), 2)
    drawn = style.figure(columns=2, aspect=(26 + 46 * rows) / style.WIDTH_MM[2])
    style.headline(drawn, title, simulated=False)
    grid = drawn.subplots(rows, columns, squeeze=False)
    for axes, pair in zip(grid.flat, pairs, strict=False):
        _draw(axes, pair, rope, factor)
    for axes in grid.flat[len(pairs) :]:
        axes.set_visible(False)
    for axes in grid[:, 0]:
        of = f" ({unit.strip()})" if unit else ""
        axes.set_ylabel(f"difference {what},\nA − B{of}")
    has_ends = any(np.isfinite(pair.low).any() for pair in pairs)
    size = f"±{factor * rope:.4g}{unit}" if rope else ""
    style.legend(drawn, _handles(size, has_ends), columns=3)
    return drawn


def _draw(axes: Axes, pair: BinDifference, rope: float, factor: float) -> None:
    look, at = CLASSES[0], np.arange(len(pair.difference))
    mean, low, high = (factor * part for part in (pair.difference, pair.low, pair.high))
    axes.axhspan(-factor * rope, factor * rope, color=ROPE_COLOR, linewidth=0, zorder=1.2)
    style.zero_line(axes)
    axes.vlines(at, low, high, color=look.color, linewidth=1.2)
    axes.plot(at, mean, color=look.color, linestyle="", marker="o", markersize=4)
    axes.set_xlim(-0.5, len(at) - 0.5)
    axes.set_xlabel("bin of the time to the label (0: on arrival)")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title(f"A: {pair.first}, B: {pair.second}", loc="left", pad=3)


def _handles(size: str, has_ends: bool) -> list[Artist]:
    look = CLASSES[0]
    found: list[Artist] = [
        Line2D([], [], color=look.color, linestyle="", marker="o", markersize=3, label="difference")
    ]
    if has_ends:
        label = "95 % interval: holds for all bins at once"
        found.append(Line2D([], [], color=look.color, linewidth=1.2, label=label))
    if size:
        found.append(Patch(facecolor=ROPE_COLOR, linewidth=0, label=f"practically equal ({size})"))
    return found
