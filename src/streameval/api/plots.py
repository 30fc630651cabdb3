"""Drawing results; needs the extra ``pipeline``."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from streameval import report as _report  # noqa: F401  it says what to install for drawings
from streameval import settings
from streameval.api.arguments import whole
from streameval.evaluation.age_bins import in_units
from streameval.items.pending.draw_waiting import draw_accuracy_by_age
from streameval.items.performance.draw_measures import Shown, measure_curves
from streameval.items.reevaluation.draw_bins import draw_binned_errors, draw_binned_measures
from streameval.items.subject import Subject
from streameval.learners.registry import load_learners
from streameval.report.looks import looks_apart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from streameval.api.compared import Compared
    from streameval.evaluation.verdicts import Verdict
    from streameval.streams.stream import Stream
from dataclasses import dataclass

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from streameval.report import style
from streameval.report.looks import CLASSES


def draw_curves(
    curves: pd.DataFrame,
    measures: Sequence[str],
    learners: Sequence[str],
    title: str,
    known: Mapping[str, Shown],
) -> Figure:
    """Draw measures over time as the report draws them; see `measure_curves`."""
    titles = _titles(learners)
    with looks_apart(learners):
        drawn = measure_curves(
            curves,
            measures=measures,
            learners=learners,
            titles=titles,
            title=title,
            simulated=False,
            known=known,
        )
    return _shown(drawn)


def draw_bins(
    frames: Mapping[str, pd.DataFrame],
    measures: Sequence[str],
    learners: Sequence[str],
    stream: Stream,
) -> Figure:
    """Draw measures of classifiers by bin as the report does."""
    return _as_item(draw_binned_measures, frames, stream, learners, measures=measures)


def draw_error_bins(
    frames: Mapping[str, pd.DataFrame],
    measures: Sequence[str],
    learners: Sequence[str],
    stream: Stream,
) -> Figure:
    """Draw errors of regressors by bin as the report does."""
    given = {**frames, "size": pd.DataFrame({"target": [stream.schema.target]})}
    return _as_item(draw_binned_errors, given, stream, learners, measures=measures)


def draw_ages(ages: pd.DataFrame, learners: Sequence[str], stream: Stream) -> Figure:
    """Draw accuracies, or errors, by age as the report does."""
    frames = {"ages": in_units(ages, stream, "")}
    return _as_item(draw_accuracy_by_age, frames, stream, learners, clock="time")


def _as_item(
    draw: Callable[[Mapping[str, pd.DataFrame], Subject], Figure],
    frames: Mapping[str, pd.DataFrame],
    stream: Stream,
    learners: Sequence[str],
    **settings: Any,
) -> Figure:
    """Draw frames as the figure of an item with these settings."""
    about = SimpleNamespace(learners=learners, **settings)
    subject = Subject(settings=about, titles=_titles(learners), title=stream.name)
    with looks_apart(learners):
        drawn = draw(frames, subject)
    return _shown(drawn)


def draw_difference(found: Compared, points: int) -> Figure:
    """Draw the differences of all pairs over time; see `running_differences`."""
    points = whole(points, "points")
    titles = _titles(found.learners)
    drawn = running_differences(
        [_running(found, pair, titles, points) for pair in found.pairs],
        rope=found.plan.rope,
        title=f"{found.stream.name}, {found.plan.title}",
        simulated=False,
        what=found.plan.quantity.about,
        factor=found.plan.quantity.factor,
        unit=found.plan.quantity.unit,
    )
    return _shown(drawn)


def draw_differences_by_bin(found: Compared) -> Figure:
    """Draw the differences of all pairs by bin; see `bin_differences`."""
    titles = _titles(found.learners)
    drawn = bin_differences(
        [
            BinDifference(
                titles[first],
                titles[second],
                *(
                    np.array([getattr(one, name) for one in verdicts])
                    for name in ("difference", "low", "high")
                ),
            )
            for (first, second), verdicts in found.by_bin.items()
        ],
        rope=found.plan.rope,
        title=found.stream.name,
        what=found.plan.quantity.about,
        factor=found.plan.quantity.factor,
        unit=found.plan.quantity.unit,
    )
    return _shown(drawn)


def _running(
    found: Compared, pair: Verdict, titles: Mapping[str, str], points: int
) -> RunningDifference:
    time = found.over_time(pair.first, pair.second)
    n = len(time.mean)
    at = np.unique(np.linspace(0, n - 1, min(points, n)).round().astype(np.int64))
    ends = (part[at] for part in time)
    return RunningDifference(titles[pair.first], titles[pair.second], at + 1, *ends)


def _titles(learners: Sequence[str]) -> dict[str, str]:
    """Return the titles of learners."""
    known = load_learners(settings.locate("config/learners.yaml"))
    return {name: known[name].title if name in known else name for name in learners}


def _shown(drawn: Figure) -> Figure:
    """Add the method by which notebooks show a figure without pyplot."""
    drawn._repr_png_ = partial(_png, drawn)  # type: ignore[attr-defined]
    return drawn


def _png(drawn: Figure) -> bytes:
    content = io.BytesIO()
    drawn.savefig(content, format="png")
    return content.getvalue()


#: The vertical axis shows the band from this fraction of the stream on: at first it is as wide as
#: all possible differences.
SHOWN_FROM = 0.05
ROPE_COLOR = "0.85"


@dataclass(frozen=True)
class RunningDifference:
    """The mean difference in accuracy, A - B, so far; arrays of one shape (points,).

    Parameters
    ----------
    first, second : str
        Names of A and B, for people.
    instance : ndarray of int64
        Numbers of instances so far, from 1.
    mean, low, high : ndarray of float64
        Proportions, or errors; the ends are NaN where there is no confidence sequence.
    """

    first: str
    second: str
    instance: NDArray[np.int64]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@style.styled
def running_differences(
    pairs: Sequence[RunningDifference],
    *,
    rope: float,
    title: str,
    simulated: bool,
    what: str = "in accuracy",
    factor: float = 100.0,
    unit: str = " points",
) -> Figure:
    """Draw a panel for each pair.

    Parameters
    ----------
    pairs : sequence of RunningDifference
        One or more.
    rope : float
        Differences up to this are practically none, a grey region; a proportion.
    title : str
        The title: the name of the stream.
    simulated : bool
        Whether the stream is simulated; it is then marked.
    what : str
        The quantity of the differences, as in "in accuracy".
    factor, unit
        By which differences are shown.
    """
    drawn, panels = _panels(len(pairs), f"mean difference {what}\nso far, A − B", unit)
    style.headline(drawn, title, simulated)
    for axes, pair in zip(panels, pairs, strict=True):
        _draw(axes, pair, rope, factor)
    has_bands = any(np.isfinite(pair.low).any() for pair in pairs)
    look, label = CLASSES[0], "95 % confidence sequence: holds at all times at once"
    mean = Line2D([], [], color=look.color, linestyle=look.dash, label="mean so far")
    bands = Patch(facecolor=look.color, alpha=style.FAINT, linewidth=0, label=label)
    _legend(drawn, mean, bands if has_bands else None, factor * rope, unit)
    return drawn


def _panels(count: int, label: str, unit: str) -> tuple[Figure, list[Axes]]:
    """Return a figure and its panels, two in a row; the label is at the left ones."""
    rows = -(-count // 2)
    drawn = style.figure(columns=2, aspect=(26 + 46 * rows) / style.WIDTH_MM[2])
    grid = drawn.subplots(rows, min(count, 2), squeeze=False)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    for axes in grid[:, 0]:
        axes.set_ylabel(f"{label} ({unit.strip()})" if unit else label)
    return drawn, list(grid.flat[:count])


def _draw(axes: Axes, pair: RunningDifference, rope: float, factor: float) -> None:
    look = CLASSES[0]
    mean, low, high = (factor * part for part in (pair.mean, pair.low, pair.high))
    region = factor * rope
    axes.axhspan(-region, region, color=ROPE_COLOR, linewidth=0, zorder=1.2)
    style.zero_line(axes)
    style.band(axes, pair.instance, low, high, look)
    axes.plot(pair.instance, mean, color=look.color, linestyle=look.dash)
    late = pair.instance >= SHOWN_FROM * pair.instance[-1]
    ends = [part[late] for part in (mean, low, high)]
    least = min(np.nanmin(np.concatenate(ends)), -2 * region, 0.0)
    most = max(np.nanmax(np.concatenate(ends)), 2 * region, 0.0)
    room = 0.05 * (most - least)
    axes.set_ylim(least - room, most + room)
    axes.set_xlim(0, pair.instance[-1])
    style.thousands(axes)
    axes.set_title(f"A: {pair.first}, B: {pair.second}", loc="left", pad=3)


def _legend(
    drawn: Figure, differences: Artist, ends: Artist | None, region: float, unit: str
) -> None:
    """Put a legend below: the differences, their intervals, and what is practically none."""
    equal = f"practically equal (±{region:.4g}{unit})"
    rope = Patch(facecolor=ROPE_COLOR, linewidth=0, label=equal) if region else None
    style.legend(drawn, [one for one in (differences, ends, rope) if one], columns=3)


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
    drawn, panels = _panels(len(pairs), f"difference {what},\nA − B", unit)
    style.headline(drawn, title, simulated=False)
    for axes, pair in zip(panels, pairs, strict=True):
        _draw_bins(axes, pair, rope, factor)
    has_ends = any(np.isfinite(pair.low).any() for pair in pairs)
    look, label = CLASSES[0], "95 % interval: holds for all bins at once"
    dots = Line2D(
        [], [], color=look.color, linestyle="", marker="o", markersize=3, label="difference"
    )
    ends = Line2D([], [], color=look.color, linewidth=1.2, label=label)
    _legend(drawn, dots, ends if has_ends else None, factor * rope, unit)
    return drawn


def _draw_bins(axes: Axes, pair: BinDifference, rope: float, factor: float) -> None:
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
