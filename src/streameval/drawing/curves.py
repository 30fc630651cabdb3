"""Measures over a sliding window, one panel per measure (Bifet et al. 2013, Figures 2 to 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from textwrap import fill
from typing import Any, Protocol

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.drawing import scales, style
from streameval.drawing.drift_marks import mark_drifts
from streameval.drawing.looks import wrapped_learner
from streameval.drawing.time_axis import axis_numbers, axis_times, set_time_axis
from streameval.evaluation.curve_tables import wide_curves
from streameval.measures.registry import MEASURES
from streameval.streams.drift_marks import DriftMarks

#: A line is drawn as points if at most this proportion of its values are defined.
MAX_DEFINED_OF_POINTS = 0.5


class DrawableMeasure(scales.Ranged, Protocol):
    """A measure that can be drawn."""

    @property
    def symbol(self) -> str:
        """Symbol for axes."""

    @property
    def title(self) -> str:
        """Title for axes."""


@style.styled
def measure_curves(
    curves: pd.DataFrame,
    *,
    measures: Sequence[str],
    learners: Sequence[str],
    titles: Mapping[str, str],
    title: str,
    simulated: bool,
    registry: Mapping[str, DrawableMeasure] = MEASURES,
    begin: Any = (),
    drifts: DriftMarks | None = None,
) -> Figure:
    """Draw one panel per measure and one line per learner, with gaps at undefined values.

    `registry` has the measures by name. The axes of errors, which have no upper limit, begin at 0.
    `drifts` are marked. Curves with a column ``time`` have an axis of dates; see `set_time_axis`
    for `begin`.
    """
    # Wrapped forms of one learner have the same colour, so each of them gets its own panel.
    has_one_color = len({wrapped_learner(name) for name in learners}) == 1
    panel_per_learner = len(measures) == 1 and len(learners) > 1 and has_one_color
    groups = [[name] for name in learners] if panel_per_learner else [list(learners)]
    panel_contents = list(product(measures, groups))
    # In millimetres: 24 for title, axis and legend, and 34 for each panel.
    figure = style.titled_figure(
        (24 + 34 * len(panel_contents)) / style.FULL_WIDTH_MM, title, simulated
    )
    panels = figure.subplots(
        len(panel_contents), 1, sharex=True, sharey=panel_per_learner, squeeze=False
    )[:, 0]
    for axes, (name, group) in zip(panels, panel_contents, strict=True):
        draw_panel(axes, registry[name], pivot_measure(curves, name, group))
        if panel_per_learner:
            axes.set_title(titles.get(group[0], group[0]), loc="left", pad=2.5)
    if panel_per_learner:
        scales.fit(panels[0], registry[measures[0]], pivot_measure(curves, measures[0], learners))
    marks = mark_drifts(panels, curves, drifts)
    handles = [] if panel_per_learner else style.learner_handles(learners, titles)
    if handles or marks:
        style.legend(figure, [*handles, *marks], columns=5)
    set_time_axis(panels[-1], axis_times(curves), begin, length_factor=style.AXIS_FACTOR)
    figure.align_ylabels(list(panels))
    return figure


def pivot_measure(curves: pd.DataFrame, measure: str, learners: Sequence[str]) -> pd.DataFrame:
    """Values of a measure from curves: a row for each instance, a column for each learner."""
    return wide_curves(curves[curves["measure"] == measure], learners)


def draw_panel(axes: Axes, measure: DrawableMeasure, table: pd.DataFrame) -> None:
    """Draw a line for each learner, a column of a table of `pivot_measure`."""
    symbol = style.symbol_text(measure.symbol)
    positions = axis_numbers(table.index)
    for number, name in enumerate(table.columns):
        _draw_line(axes, positions, table[name].to_numpy(dtype=float), str(name), number)
    if measure.lower < 0:
        style.zero_line(axes)
    values, notes = table.to_numpy(dtype=float), list[str]()
    if np.isinf(measure.upper):
        scales.fit_costs(axes, values)
    else:
        notes = scales.fit(axes, measure, values)
    if table.isna().to_numpy().any():
        notes.append(f"gaps: {symbol} is undefined")
    if len(positions) == 1:
        notes.append(style.ONE_WINDOW_NOTE)
    axes.set_title(" · ".join(notes), loc="right", pad=2.5)
    axes.set_ylabel(f"{fill(measure.title, 22)} {symbol}")


def _draw_line(
    axes: Axes, positions: np.ndarray, values: np.ndarray, learner: str, number: int
) -> None:
    look = style.learner_look(learner)
    is_defined = np.isfinite(values)
    # If most of a line would be gaps, points are clearer than short strokes.
    is_scattered = 0 < is_defined.sum() <= MAX_DEFINED_OF_POINTS * len(values)
    step = max(1, len(positions) // style.MARKERS_PER_LINE)
    axes.plot(
        positions,
        values,
        color=look.color,
        linestyle="none" if is_scattered else look.dash,
        marker="" if is_scattered else look.marker,
        # Markers of successive learners are a fifth of a step apart, so that the markers of close
        # lines do not cover each other.
        markevery=(number * step // 5 % step, step),
        zorder=look.layer,
    )
    # A value between two gaps has no line, so it is drawn as a point.
    padded = np.concatenate(([False], is_defined, [False]))
    is_single = is_defined if is_scattered else is_defined & ~padded[:-2] & ~padded[2:]
    axes.plot(
        positions[is_single],
        values[is_single],
        color=look.color,
        linestyle="none",
        marker=".",
        markersize=3.5,
        markeredgewidth=0,
        zorder=look.layer,
    )
