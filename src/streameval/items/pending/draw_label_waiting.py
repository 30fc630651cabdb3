"""Labels that wait: their latency and classes, and the bias of stopping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.ticker import MaxNLocator

from streameval.items.subject import Subject
from streameval.report import style

_ASPECT = 0.86
_HEIGHTS = (3, 4)
#: Panels side by side, and letters of the title of one.
_COLUMNS, _TITLE_LETTERS = 4, 24
_THIN, _THICK = 0.6, 1.6
#: Latencies are drawn up to this fraction: a few labels take very long.
_MOST = 0.975


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw latencies and classes above, and the bias in the latest instances below."""
    classes, latency, stopping = (frames[name] for name in ("classes", "latency", "stopping"))
    drawn = style.figure(columns=2, aspect=_ASPECT)
    style.headline(drawn, **subject.stream)
    grid = drawn.add_gridspec(2, 2, height_ratios=_HEIGHTS)
    names = list(dict.fromkeys(classes["class"]))
    left, right = drawn.add_subplot(grid[0, 0]), drawn.add_subplot(grid[0, 1])
    _draw_latency(left, latency, names)
    left.set_xlabel(f"time from an instance to its label ({''.join(latency['unit'].head(1))})")
    _draw_classes(right, classes, names)
    below = _draw_biases(drawn, grid[1, :], stopping, subject)
    for axes in (right, *below):
        axes.set_xlim(0, classes["labels"].max())
        style.thousands(axes, "labels that have arrived", 8 if axes is right else 4)
    for axes in below:
        axes.set_xlabel("")
    over = (
        f"bias: over the latest {int(stopping['window'].max()):,} instances, in points of accuracy"
    )
    drawn.supxlabel(f"{right.get_xlabel()}; {over}", fontsize=style.SMALL)
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
    shown = names[:1] if len(names) == 2 else names  # of two, the other is what is left
    for number, name in enumerate(shown):
        own, look = classes["class"] == name, _look(number)
        for state, width in (("arrived", _THICK), ("pending", _THIN)):
            share = classes.loc[own, state] / whole.loc[own, state]
            axes.plot(classes.loc[own, "labels"], share, color=look.color, linewidth=width)
    axes.set_ylim(0, 1)
    one = style.shortened(shown)[0] if len(shown) == 1 else "the class"
    axes.set_ylabel(f"fraction of {one}")
    axes.set_title("thick: arrived, thin: pending", loc="right", pad=3)


def _draw_biases(
    drawn: Figure, place: SubplotSpec, stopping: pd.DataFrame, subject: Subject
) -> list[Axes]:
    """Draw a panel for each learner, as their lines in one would run through each other."""
    learners: Sequence[str] = subject.settings.learners
    points = stopping[stopping["window"] > 0].assign(bias=100 * stopping["bias"])
    columns = min(len(learners), _COLUMNS)
    rows = -(-len(learners) // columns)
    grid = place.subgridspec(rows, columns)
    panels: list[Axes] = []
    for number, learner in enumerate(learners):
        same = panels[0] if panels else None
        axes = drawn.add_subplot(grid[divmod(number, columns)], sharex=same, sharey=same)
        style.zero_line(axes)
        own = points[points["learner"] == learner]
        axes.plot(own["labels"], own["bias"], color=style.learner_look(learner).color)
        name = subject.titles.get(learner, learner)
        axes.set_title(fill(name, _TITLE_LETTERS), loc="left", pad=3)
        axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
        axes.tick_params(
            labelleft=number % columns == 0, labelbottom=number + columns >= len(learners)
        )
        axes.set_ylabel("" if number % columns else "bias")
        panels.append(axes)
    return panels
