"""Measures and errors by bin of the time to the label, and predictions made in between."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from streameval.drawing import scales, style
from streameval.drawing.bins import draw_binned_errors as draw_binned_errors
from streameval.drawing.bins import draw_binned_measures as draw_binned_measures
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import begin_of, on_axis, places_of, tune_time_axis
from streameval.measures.registry import MEASURES

#: Lines in the order of the numbers of bins, from light to dark.
_DASHES = (style.DOTTED, style.SHORT, style.DASH_DOT, style.LONG, style.SOLID, style.DASH_DOT_DOT)
_MARKERS = "os^Dv*"
_LEARNER_MM, _NUMBERS_REST_MM = 50.0, 26.0
#: From this many bins on, single ones are not marked.
_MANY = 30


@style.styled
def draw_bin_numbers(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each learner and a line for each number of bins."""
    frame, learners = frames["bin_numbers"], subject.settings.learners
    height_mm = _NUMBERS_REST_MM + _LEARNER_MM * len(learners)
    drawn = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    panels = drawn.subplots(len(learners), 1, sharex=True, squeeze=False)[:, 0]
    numbers = sorted(frame["bins"].unique().tolist())
    measure, handles = MEASURES["accuracy"], list[Line2D]()
    for axes, learner in zip(panels, learners, strict=True):
        handles, color = [], style.learner_look(learner).color
        own = frame[frame["learner"] == learner]
        for place, bins in enumerate(numbers):
            rows = own[own["bins"] == bins].sort_values("bin")
            look: dict[str, Any] = {
                "color": color,
                "alpha": 0.35 + 0.65 * (place + 1) / len(numbers),
                "linestyle": _DASHES[place % len(_DASHES)],
                "marker": _MARKERS[place % len(_MARKERS)] if bins < _MANY else "",
            }
            axes.plot(100 * rows["bin"] / bins, rows["accuracy"], **look)
            handles.append(Line2D([], [], label=f"B = {bins}", **{**look, "color": "0.25"}))
        scales.fit(axes, measure, own["accuracy"].to_numpy(dtype=float))
        axes.set_title(subject.titles.get(learner, learner), loc="left", pad=3)
        axes.set_ylabel(f"{measure.title} {style.symbol_text(measure.symbol)}")
    panels[-1].set_xlim(0, 100 * style.MARKER_ROOM)
    panels[-1].set_xlabel("end of the bin (% of the time from an instance to its label)")
    style.legend(drawn, handles, columns=6)
    return drawn


_COST_MM, _COSTS_REST_MM = 36.0, 26.0


@style.styled
def draw_repredictions(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw three panels, with a line for each number of labels between two predictions."""
    frame, window = frames["repredictions"], subject.settings.window
    panels_of = {
        "made": f"made over\n{window:,} labels",
        "buffered": "kept for\npending labels",
        "per_label": "for each label,\non average",
    }
    height_mm = _COSTS_REST_MM + _COST_MM * len(panels_of)
    drawn = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    panels = drawn.subplots(len(panels_of), 1, sharex=True)
    handles = []
    for place, (every, rows) in enumerate(frame.groupby("every")):
        look = style.CLASSES[place % len(style.CLASSES)]
        for axes, column in zip(panels, panels_of, strict=True):
            axes.plot(on_axis(places_of(rows, "labels")), rows[column], **look.line)
        handles.append(Line2D([], [], label=f"K = {every}", **look.line))
    for axes, text in zip(panels, panels_of.values(), strict=True):
        axes.set_ylabel(f"predictions\n{text}")
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    places, what = places_of(frame, "labels"), "labels that have arrived"
    tune_time_axis(panels[-1], places, begin_of(frame), what=what)
    drawn.align_ylabels(list(panels))
    style.legend(drawn, handles, columns=6)
    return drawn
