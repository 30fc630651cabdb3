"""Accuracy by age, latencies and classes of labels, and bias while labels are pending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.ticker import MaxNLocator

from streameval.drawing import scales, style
from streameval.drawing.ages import draw_accuracy_by_age as draw_accuracy_by_age
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import begin_of, on_axis, places_of, tune_time_axis
from streameval.items.pending.tables import errors
from streameval.report.names import ESTIMATOR_TITLES

#: The panels from top to bottom.
_VARIANTS = {
    "time_last": "time so far; the inputs just before the label are learnt",
    "time_each": "time so far; the inputs of each prediction are learnt",
    "later_last": "inputs known later; those just before the label are learnt",
    "later_each": "inputs known later; those of each prediction are learnt",
    "both_each": "both; the inputs of each prediction are learnt",
}
_VARIANT_MM, _VARIANTS_REST_MM = 40.0, 30.0


@style.styled
def draw_evolving_inputs(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each variant, with the gain of each learner and its interval."""
    learners, inputs = subject.settings.learners, frames["inputs"]
    ends = ("gain_low", "gain_high")
    there = {name: text for name, text in _VARIANTS.items() if name in set(inputs["variant"])}
    height_mm = _VARIANTS_REST_MM + _VARIANT_MM * len(there)
    drawn = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    points = inputs.copy()
    points[["gain", *ends]] *= 100
    panels = drawn.subplots(len(there), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, (variant, text) in zip(panels, there.items(), strict=True):
        style.zero_line(axes)
        rows = points[points["variant"] == variant]
        style.learner_lines(axes, rows, "age", "gain", learners, ends=ends)
        axes.set_title(text, loc="left", pad=3)
        axes.set_ylabel("gain (points)")
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    panels[-1].set_xlim(0, max(float(inputs["age"].max()), 1.0) * style.MARKER_ROOM)
    panels[-1].set_xlabel(f"time since the instance has arrived ({inputs['unit'].iloc[0]})")
    handles = style.learner_handles(learners, subject.titles)
    style.legend(drawn, [*handles, style.band_handle("95 % interval")], columns=4)
    return drawn


_ASPECT = 0.86
_HEIGHTS = (3, 4)
#: Panels side by side, and letters of the title of one.
_COLUMNS, _TITLE_LETTERS = 4, 24
_THIN, _THICK = 0.6, 1.6
#: Latencies are drawn up to this fraction: a few labels take very long.
_MOST = 0.975


@style.styled
def draw_label_waiting(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw latencies and classes above, and the bias in the latest instances below."""
    classes, latency, stopping = (frames[name] for name in ("classes", "latency", "stopping"))
    drawn = style.sheet(_ASPECT, **subject.stream)
    grid = drawn.add_gridspec(2, 2, height_ratios=_HEIGHTS)
    names = list(dict.fromkeys(classes["class"]))
    left, right = drawn.add_subplot(grid[0, 0]), drawn.add_subplot(grid[0, 1])
    _draw_latency(left, latency, names)
    left.set_xlabel(f"time from an instance to its label ({''.join(latency['unit'].head(1))})")
    _draw_classes(right, classes, names)
    below = _draw_biases(drawn, grid[1, :], stopping, subject)
    about = {"begin": begin_of(classes), "what": "labels that have arrived"}
    for axes in (right, *below):
        ticks = 8 if axes is right else 4
        tune_time_axis(axes, places_of(classes, "labels"), **about, ticks=ticks)
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
        (line,) = axes.plot(rows["latency"], rows["fraction"], **look.line)
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
            at = on_axis(places_of(classes[own], "labels"))
            axes.plot(at, share, color=look.color, linewidth=width)
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
        at = on_axis(places_of(own, "labels"))
        axes.plot(at, own["bias"], color=style.learner_look(learner).color)
        name = subject.titles.get(learner, learner)
        axes.set_title(fill(name, _TITLE_LETTERS), loc="left", pad=3)
        axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
        axes.tick_params(
            labelleft=number % columns == 0, labelbottom=number + columns >= len(learners)
        )
        axes.set_ylabel("" if number % columns else "bias")
        panels.append(axes)
    return panels


_ESTIMATOR_MM, _LAW_MM, _LAWS_REST_MM, _LAW_COLUMNS = 8.5, 14.0, 24.0, 2
_MARKER = 3.6


@style.styled
def draw_censored_accuracy(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each law, with a row for each kind of weights and a dot for each learner."""
    estimates, learners = frames["censored"], subject.settings.learners
    found = errors(estimates)
    laws = list(dict.fromkeys(found["law"]))
    count = -(-len(laws) // _LAW_COLUMNS)
    height_mm = _LAWS_REST_MM + count * (_LAW_MM + _ESTIMATOR_MM * len(ESTIMATOR_TITLES))
    drawn = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    panels = drawn.subplots(count, _LAW_COLUMNS, sharex=True, sharey=True, squeeze=False)
    for place, axes in enumerate(panels.flat):
        if place >= len(laws):
            axes.set_visible(False)
            continue
        _draw_law(axes, found[found["law"] == laws[place]], learners)
        axes.set_title(str(laws[place]).replace("_", " "), loc="left", pad=3)
        if place + _LAW_COLUMNS >= len(laws):
            axes.set_xlabel("estimate minus accuracy (points)")
            axes.tick_params(labelbottom=True)
    style.legend(drawn, style.learner_handles(learners, subject.titles), columns=4)
    return drawn


def _draw_law(axes: Axes, found: pd.DataFrame, learners: Sequence[str]) -> None:
    scales.dot_rows(axes, list(ESTIMATOR_TITLES.values()))
    style.zero_line(axes, along="x")
    for number, learner in enumerate(learners):
        look = style.learner_look(learner)
        own = found[found["learner"] == learner].set_index("estimator").to_dict("index")
        for row, name in enumerate(ESTIMATOR_TITLES):
            error, low, high = (100 * float(own[name][end]) for end in ("error", "low", "high"))
            y = scales.dot_height(row, number, len(learners))
            axes.plot([low, high], [y, y], color=look.color)
            marker = look.marker or "o"  # a line of few points has to be marked
            axes.plot([error], [y], marker, color=look.color, markersize=_MARKER)
