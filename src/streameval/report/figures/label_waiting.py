"""Labels that wait: their latency and classes, and the bias of stopping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from streameval.report import style
from streameval.report.frames import require_among, require_columns
from streameval.report.subject import Subject

_ASPECT = 0.78
_HEIGHTS = (3, 4)
_THIN, _THICK = 0.6, 1.6
#: Latencies are drawn up to this fraction: a few labels take very long.
_MOST = 0.975


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw latencies and classes above, and the bias in the latest instances below."""
    learners = subject.settings.learners
    classes, latency, stopping = (frames[name] for name in ("classes", "latency", "stopping"))
    require_columns(classes, ("labels", "class", "arrived", "pending"), "Classes")
    require_columns(latency, ("class", "fraction", "latency"), "Latency")
    require_columns(stopping, ("labels", "learner", "window", "bias"), "Stopping")
    require_among(learners, stopping["learner"].unique(), "Stopping: no learner")
    drawn = style.figure(columns=2, aspect=_ASPECT)
    style.headline(drawn, **subject.stream)
    grid = drawn.add_gridspec(2, 2, height_ratios=_HEIGHTS)
    names = list(dict.fromkeys(classes["class"]))
    left, right = drawn.add_subplot(grid[0, 0]), drawn.add_subplot(grid[0, 1])
    _draw_latency(left, latency, names)
    left.set_xlabel(f"time from an instance to its label ({subject.settings.unit})")
    _draw_classes(right, classes, names)
    below = drawn.add_subplot(grid[1, :])
    window = int(stopping["window"].max())
    _draw_bias(below, stopping[stopping["window"] > 0], learners, window)
    for axes in (right, below):
        axes.set_xlim(0, classes["labels"].max() / 1000)
        axes.set_xlabel("labels that have arrived (thousands)")
    style.legend(drawn, style.learner_handles(learners, subject.titles), columns=4)
    return drawn


def _look(number: int) -> style.Look:
    return style.CLASSES[number] if number < len(style.CLASSES) else style.REST


def _draw_latency(axes: Axes, latency: pd.DataFrame, names: Sequence[str]) -> None:
    for number, name in enumerate(names):
        rows, look = latency[latency["class"] == name], _look(number)
        (line,) = axes.plot(
            rows["latency"], rows["fraction"], color=look.color, linestyle=look.dash
        )
        line.set_label(style.shortened([name])[0])
    shown = latency[latency["fraction"] <= _MOST]["latency"]
    axes.set_xlim(0, max(float(shown.max()), 1.0))
    axes.set_ylim(0, 1)
    axes.set_ylabel("fraction of labels")
    axes.legend(loc="lower right")


def _draw_classes(axes: Axes, classes: pd.DataFrame, names: Sequence[str]) -> None:
    whole = classes.groupby("labels")[["arrived", "pending"]].transform("sum")
    for number, name in enumerate(names):
        own, look = classes["class"] == name, _look(number)
        for state, width in (("arrived", _THICK), ("pending", _THIN)):
            share = classes.loc[own, state] / whole.loc[own, state]
            labels = classes.loc[own, "labels"] / 1000
            axes.plot(labels, share, color=look.color, linewidth=width)
    axes.set_ylim(0, 1)
    axes.set_ylabel("fraction of the class")
    axes.set_title("thick: arrived, thin: pending", loc="right", pad=3)


def _draw_bias(axes: Axes, stopping: pd.DataFrame, learners: Sequence[str], window: int) -> None:
    style.zero_line(axes)
    points = stopping.assign(labels=stopping["labels"] / 1000, bias=100 * stopping["bias"])
    style.learner_lines(axes, points, "labels", "bias", learners, marked=False)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.set_ylabel(f"bias in the latest {window:,}\ninstances (points of accuracy)")
