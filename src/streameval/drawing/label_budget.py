"""Accuracy by the proportion of labels that are learnt, with a panel for each learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from streameval.drawing import scales, style
from streameval.drawing.style import CLASS_LOOKS, Look
from streameval.drawing.subject import Subject
from streameval.protocols.partial import Strategy, strategy_words

#: Titles of strategies by name. Colours of strategies are those of classes, in this order.
STRATEGIES = {name: strategy_words(name).removeprefix("by ") for name in get_args(Strategy)}
#: Markers of strategies.
MARKERS = dict(zip(STRATEGIES, "os^DvP", strict=True))
#: Titles of baselines.
BASELINES = {"no_change": "No-Change", "majority": "Majority"}
#: The strategy of learning all labels.
ALL_LABELS = "all"
#: Height of the figure as a fraction of its width.
HEIGHT = 0.5


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    curves, learners = frames["curves"], list(subject.settings.learners)
    figure = style.titled_figure(HEIGHT, **subject.stream_arguments)
    panels = np.atleast_1d(figure.subplots(1, len(learners), sharex=True, sharey=True))
    for axes, learner in zip(panels, learners, strict=True):
        _draw_panel(axes, curves, learner)
        axes.set_title(subject.titles.get(learner, learner), loc="left")
    scales.zoom(
        panels[0], curves[["accuracy", "low", "high"]].to_numpy(dtype=float), min_length=0.02
    )
    panels[0].set_ylabel("accuracy")
    strategies = set(curves.loc[curves["learner"].isin(learners), "strategy"])
    present = [name for name in STRATEGIES if name in strategies]
    handles = [
        *(_handle(_look(name), STRATEGIES[name], marker=MARKERS[name]) for name in present),
        *(_handle(style.learner_look(name), title) for name, title in BASELINES.items()),
        Line2D([], [], color="0.3", linewidth=0.8, label="with all labels (horizontal)"),
    ]
    style.legend(figure, handles, columns=4)
    return figure


def _look(strategy: str) -> Look:
    return CLASS_LOOKS[list(STRATEGIES).index(strategy)]


def _handle(look: Look, label: str, **more: Any) -> Line2D:
    return style.handle(look, label, markersize=3.5, **more)


def _draw_panel(axes: Axes, curves: pd.DataFrame, learner: str) -> None:
    rows = curves[curves["learner"] == learner]
    with_all_labels = rows.loc[rows["strategy"] == ALL_LABELS, "accuracy"]
    axes.axhline(float(with_all_labels.iloc[0]), color="0.3", linewidth=0.8)
    for name in BASELINES:
        baseline_rows = curves[curves["learner"] == name]
        look = style.learner_look(name)
        _draw_curve(axes, baseline_rows[baseline_rows["strategy"] != ALL_LABELS], look, marker="")
        with_all_labels = baseline_rows.loc[baseline_rows["strategy"] == ALL_LABELS, "accuracy"]
        if name == "no_change":
            axes.axhline(float(with_all_labels.iloc[0]), **{**look.line, "linewidth": 0.8})
    for name, marker in MARKERS.items():
        strategy_rows = rows[rows["strategy"] == name]
        if len(strategy_rows):
            _draw_curve(axes, strategy_rows, _look(name), marker)
    axes.set_xscale("log")
    proportions = curves.loc[
        (curves["strategy"] != ALL_LABELS) & (curves["proportion"] > 0), "proportion"
    ]
    is_short = proportions.max() < 100 * proportions.min()  # less than two powers of ten
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if is_short else (1.0,)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.6g} %"))
    axes.set_xlabel("labels learnt")


def _draw_curve(axes: Axes, rows: pd.DataFrame, look: Look, marker: str) -> None:
    # A proportion of 0 has no position on a logarithmic axis.
    rows = rows[rows["labels"] > 0].sort_values("proportion", kind="stable")
    x = rows["proportion"].to_numpy(dtype=float)
    if (rows["runs"] > 1).any():
        style.band(axes, x, rows["low"], rows["high"], look)
    axes.plot(x, rows["accuracy"], marker=marker, markersize=3.5, **look.line)
