"""Axes of figures: scales of measures, and rows of dots for learners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Literal, Protocol, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullLocator
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.drawing import style

Along: TypeAlias = Literal["x", "y"]

#: Below this value, an axis of a measure is logarithmic. In a window in which No-Change errs once,
#: κ_t may be below -100. All other values would then form a line on a linear axis.
LINEAR_TO = -1.0
#: The lower end of such an axis is at most this value, so that its shaded part is visible.
MAX_LOWER_END = -1.5
#: An axis of costs is logarithmic if the ratio of the largest and the smallest cost is above this.
MAX_LINEAR_RATIO = 20.0


class Ranged(Protocol):
    """A measure with a smallest and a largest possible value."""

    @property
    def lower(self) -> float:
        """The smallest possible value."""

    @property
    def upper(self) -> float:
        """The largest possible value."""


def fit(axes: Axes, measure: Ranged, values: ArrayLike, along: Along = "y") -> list[str]:
    """Set the limits and ticks of an axis to a measure's values, in steps of a tenth.

    If the measure can be negative, the axis includes 0. Return notes on the axis, if it needs any.
    """
    finite = _finite(values)
    if finite.size == 0:
        _limit(axes, along, max(measure.lower, LINEAR_TO), min(measure.upper, 1))
        return []
    low, high = float(finite.min()), float(finite.max())
    if measure.lower < 0:
        low, high = min(low, 0.0), max(high, 0.0)
    if low < LINEAR_TO and measure.lower < LINEAR_TO and measure.upper <= 1:
        return [bend(axes, low, high, along)]
    # Rounded first, so that 0.3 stays 0.3 in spite of binary fractions.
    bottom, top = np.floor(round(10 * low, 9)) / 10, np.ceil(round(10 * high, 9)) / 10
    if top - bottom < 0.1:  # the curve is flat
        bottom, top = bottom - 0.1, top + 0.1
    # An estimate, unlike the measure itself, may lie outside the measure's range.
    bottom, top = max(bottom, min(measure.lower, low)), min(top, max(measure.upper, high))
    _limit(axes, along, bottom, top, margin=0.04)
    _set_ticks(axes, along, 5)
    return []


def bend(axes: Axes, low: float, high: float, along: Along = "y") -> str:
    """Make an axis logarithmic below `LINEAR_TO`, shade that part, and return a note on it."""
    start, end = min(1.2 * low, MAX_LOWER_END), max(1.1, high)  # with some room at both ends
    if along == "x":
        axes.set_xscale("symlog", linthresh=-LINEAR_TO, linscale=1.0)
        axes.set_xlim(start, end)
        axes.axvspan(start, LINEAR_TO, color="0.92", linewidth=0, zorder=0)
    else:
        axes.set_yscale("symlog", linthresh=-LINEAR_TO, linscale=1.0)
        axes.set_ylim(start, end)
        axes.axhspan(start, LINEAR_TO, color="0.92", linewidth=0, zorder=0)
    if along == "x":  # there is room for one power of ten only: the largest on the axis
        powers = sorted({0, int(np.log10(-start))})
    else:
        powers = list(range(int(np.ceil(np.log10(-low))) + 1))
    ticks = [1.0, 0.0, *(-(10.0**power) for power in powers)]
    axis = _axis(axes, along)
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(FixedLocator([]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: style.with_minus_sign(value)))
    return "shaded: logarithmic below −1"


def limit_ticks(axes: Axes) -> None:
    """Limit the x axis of a narrow panel to three ticks, unless `bend` has set its ticks."""
    if axes.get_xscale() == "linear":
        axes.xaxis.set_major_locator(MaxNLocator(2, steps=[1, 2, 5, 10]))


def zoom(
    axes: Axes,
    values: ArrayLike,
    min_length: float,
    bounds: tuple[float, float] = (0.0, 1.0),
    along: Along = "y",
) -> None:
    """Set the limits of an axis to the data, with a little room on both sides.

    The axis has at least the length `min_length`, within `bounds`, so that noise does not fill the
    panel.
    """
    finite = _finite(values)
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if high - low < min_length:
        start = (low + high - min_length) / 2
        start = max(min(start, bounds[1] - min_length), bounds[0])
        low, high = min(low, start), max(high, start + min_length)
    _limit(axes, along, low, high, margin=0.06)
    _set_ticks(axes, along, 7 if along == "y" else 5)


def fit_costs(axes: Axes, values: ArrayLike) -> None:
    """Start a y axis at 0, or make it logarithmic if values differ by a large factor.

    The largest factor of a linear axis is `MAX_LINEAR_RATIO`. Values are not negative; missing
    values are NaN.
    """
    finite = _finite(values)
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if low > 0 and high > MAX_LINEAR_RATIO * low:
        axes.set_yscale("log")
        axes.set_ylim(low / 1.3, high * 1.3)
        steps = (1.0, 2.0, 5.0) if high < 100 * low else (1.0,)
        axes.yaxis.set_major_locator(LogLocator(subs=steps))
        axes.yaxis.set_minor_locator(NullLocator())
    else:
        axes.set_ylim(0, 1.08 * high or 1.0)  # 1 if all values are 0
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{round(value, 9):,.9g}"))


def ticks_with_room(
    values: Sequence[float], position: Callable[[float], float], min_distance: float
) -> list[float]:
    """Sorted values whose numbers have room at an axis; the first values take precedence.

    `position` returns the position of a value on the axis. `min_distance` is the smallest distance
    of two values, as a fraction of the distance between the smallest and the largest value.
    """
    room = min_distance * (position(max(values)) - position(min(values)))
    chosen: list[float] = []
    for value in values:
        if all(abs(position(value) - position(other)) >= room for other in chosen):
            chosen.append(value)
    return sorted(set(chosen))


def _finite(values: ArrayLike) -> Floats:
    numbers = np.asarray(values, dtype=np.float64)
    return numbers[np.isfinite(numbers)]


def _axis(axes: Axes, along: Along) -> Axis:
    return axes.xaxis if along == "x" else axes.yaxis


def _limit(axes: Axes, along: Along, low: float, high: float, margin: float = 0.0) -> None:
    """Set limits; the margin is a fraction of the length."""
    room = margin * (high - low)
    (axes.set_xlim if along == "x" else axes.set_ylim)(low - room, high + room)


def _set_ticks(axes: Axes, along: Along, max_intervals: int) -> None:
    """Set ticks at round numbers, with at most `max_intervals` intervals between them."""
    axis = _axis(axes, along)
    axis.set_major_locator(MaxNLocator(max_intervals, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: style.with_minus_sign(round(value, 9))))


#: Fraction of a row's height over which its dots are spread, so that they do not cover each other.
SPREAD = 0.74
#: Position of marks of undefined values, right of a panel, as a fraction of its width.
UNDEFINED_POSITION = 1.035
UNDEFINED_COLOR = "0.35"
#: Largest number of letters in a line of a name.
MAX_LINE_LETTERS = 30


@dataclass(frozen=True)
class DotMark:
    """A kind of dot in rows of dots: title in the legend, shape, and whether it is filled."""

    title: str
    shape: str
    filled: bool = False

    def line(self, x: float, y: float, color: str) -> Line2D:
        """The dot at a position."""
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
            clip_on=False,  # a mark on the edge of its panel is drawn completely
        )

    def handle(self) -> Line2D:
        """The legend handle of this kind."""
        return self.line(np.nan, np.nan, "0.2")


def wrap_names(names: Sequence[str]) -> list[str]:
    """Names in lines of at most `MAX_LINE_LETTERS` letters, which leave room for panels."""
    return [fill(name, MAX_LINE_LETTERS) for name in names]


def row_mm(names: Sequence[str], min_mm: float) -> float:
    """Height of rows: at least `min_mm`, and enough for the name with the most lines."""
    return max([min_mm, *(style.LINE_MM * (name.count("\n") + 1) for name in names)])


#: Colour of every other row.
ROW_COLOR = "#EEF2F6"


def dot_rows(axes: Axes, names: Sequence[str]) -> None:
    """Give each name a row of height 1 around 0, 1, ... from top to bottom; shade every other."""
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), labels=list(names))
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    for row in range(1, len(names), 2):
        axes.axhspan(row - 0.5, row + 0.5, color=ROW_COLOR, linewidth=0, zorder=0.5)


def dot_y(row: int, number: int, count: int) -> float:
    """Vertical position of dot `number` of `count` dots in a row."""
    return row + SPREAD * ((number + 0.5) / count - 0.5)


def draw_dot(axes: Axes, mark: DotMark, value: float, y: float, color: str) -> None:
    """Draw a dot; an undefined value gets a cross right of the panel."""
    if np.isfinite(value):
        axes.add_line(mark.line(value, y, color))
        return
    cross = _cross(UNDEFINED_POSITION, y)
    cross.set(transform=axes.get_yaxis_transform(), clip_on=False)
    axes.add_line(cross)


def undefined_handle() -> Line2D:
    """The legend handle of undefined values, a cross."""
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
