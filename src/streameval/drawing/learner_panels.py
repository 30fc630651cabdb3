"""Pictures of learners on a page: over time, in pairs, and by section, order and bin.

Sections are consecutive parts of the stream. The order of instances is that of the stream, or
random. Bins divide the time from the arrival of an instance to the arrival of its label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullLocator

from streameval.base.arrays import Floats, Integers
from streameval.drawing import style
from streameval.drawing.canvas import NARROW, PageLegend, canvas, learner_legend, wrapped_title
from streameval.drawing.dot_rows import ZERO_COLOR, Dot, DotRow, draw_dot_rows, hollow, marker_edge
from streameval.drawing.looks import learner_look
from streameval.drawing.sequences import draw_sequence, fit_y_axis
from streameval.drawing.time_axis import axis_numbers, set_time_axis
from streameval.evaluation.task import Task
from streameval.evaluation.verdicts import ComparisonPlan, Verdict
from streameval.significance.confidence_sequence import ConfidenceSequence
from streameval.significance.intervals import Interval
from streameval.significance.stream_mean import N_SECTIONS, StreamMean
from streameval.streams.timeline import Timeline

#: Colour of dots that belong to no single learner.
DOT_COLOR = "#0072b2"
#: Colour of the marks in legends.
LEGEND_COLOR = "#444444"
#: Height of a rank in the picture of ranks, in pixels.
RANK_ROW_HEIGHT = 26
#: Height of the title and the axis in the picture of ranks, in pixels.
RANK_MARGINS = 90
#: Height of the picture by bin without its legend, in pixels.
BINS_HEIGHT = 270


def draw_over_time(
    curves: pd.DataFrame,
    signals: Mapping[str, Timeline],
    leads: Mapping[str, tuple[Timeline, ConfidenceSequence]],
    titles: dict[str, str],
    task: Task,
    window: int,
    begin: pd.DatetimeIndex | Integers,
    width: int,
) -> Figure:
    """Draw the measure over a sliding window, signals of drift, and the lead over a baseline.

    `leads` are the differences so far from the first baseline of the task, by learner. `signals`
    are those of the drift detector ADWIN (adaptive windowing); without them, there is no panel of
    signals. The axis starts at `begin`.
    """
    # In pixels; each learner has a row of signals.
    heights = [190, 10 + 13 * len(signals), 150] if signals else [190, 150]
    legend = learner_legend(titles, width)
    figure = canvas(width, 116 + sum(heights) + legend.height)  # 116: titles and axis
    panels = figure.subplots(
        len(heights), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights}
    )[:, 0]
    for name in reversed(titles):  # the first learner is drawn last, on top of the others
        # The factor is 100 for accuracy, which is shown in %, and 1 for errors.
        panels[0].plot(
            axis_numbers(curves.index), task.factor * curves[name], **learner_look(name).line
        )
    panels[0].set_title(wrapped_title(f"{task.axis_label}, last {window:,} predictions", width))
    if signals:
        _draw_signals(panels[1], signals)
        note = "" if any(map(len, signals.values())) else ": none"
        panels[1].set_title(f"drift signals (ADWIN){note}")
    _draw_leads(panels[-1], leads, task)
    base = next(iter(task.baselines.values()))  # the baseline of `leads`
    unit = task.unit.strip()  # empty in regression, whose measure is the mean absolute error (MAE)
    title = f"{unit} ahead of {base} so far" if unit else f"MAE below that of the {base} so far"
    panels[-1].set_title(wrapped_title(title, width))
    set_time_axis(panels[-1], curves.index, begin, ticks=8 if width > NARROW else 4)
    legend.add(figure)
    return figure


def _draw_signals(axes: Axes, signals: Mapping[str, Timeline]) -> None:
    for number, (name, instances) in enumerate(signals.items()):
        color, positions = learner_look(name).color, axis_numbers(instances.axis)
        heights = np.full(len(positions), -number)
        edge = marker_edge(color, width=1.4, size=9)
        axes.plot(positions, heights, "|", color=color, **edge)
    axes.set_ylim(0.3 - len(signals), 0.7)
    axes.yaxis.set_major_locator(NullLocator())
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)


def _draw_leads(
    axes: Axes, leads: Mapping[str, tuple[Timeline, ConfidenceSequence]], task: Task
) -> None:
    scaled = {
        name: ConfidenceSequence(*(task.factor * part for part in lead))
        for name, (_, lead) in leads.items()
    }
    for name, (instances, _) in leads.items():
        draw_sequence(axes, axis_numbers(instances.axis), scaled[name], learner_look(name))
    fit_y_axis(axes, list(scaled.values()))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.axhline(0, color=ZERO_COLOR, linewidth=1.0)


def draw_over_baselines(
    differences: Mapping[str, Mapping[str, StreamMean]],
    titles: dict[str, str],
    task: Task,
    width: int,
) -> Figure:
    """Draw the differences of learners from each baseline, with a panel for each baseline.

    `differences` are mean differences with their intervals, by learner and baseline. A baseline has
    no difference from itself.
    """
    panels = []
    for base, title in task.baselines.items():
        rows = []
        for name, by_baseline in differences.items():
            color = learner_look(name).color
            dots = [Dot(by_baseline[base], color)] if base in by_baseline else []
            rows.append(DotRow(titles[name], dots))
        if any(row.dots for row in rows):
            panels.append((f"over {title}", rows))
    return draw_dot_rows(panels, task, width)


def draw_pairs(
    pairs: Sequence[Verdict], titles: dict[str, str], plan: ComparisonPlan, width: int
) -> Figure:
    """Draw the difference of each pair, its interval and the region of practical equality."""
    rows = []
    for pair in pairs:
        name = f"{titles[pair.first]} − {titles[pair.second]}"
        interval = Interval(pair.difference, pair.low, pair.high)
        rows.append(DotRow(name, [Dot(interval, DOT_COLOR)]))
    title = f"difference in {plan.task.name}"
    return draw_dot_rows([(title, rows)], plan.task, width, rope=plan.rope)


def draw_orders(
    values_by_order: Mapping[str, Sequence[StreamMean]],
    titles: dict[str, str],
    task: Task,
    width: int,
) -> Figure:
    """Draw the value of each learner in the order of the stream and in random order."""
    rows = []
    for name, (in_order, shuffled) in values_by_order.items():
        color = learner_look(name).color
        dots = [Dot(shuffled, color, is_hollow=True), Dot(in_order, color)]
        rows.append(DotRow(titles[name], dots))
    look: dict[str, Any] = {"color": LEGEND_COLOR, "linestyle": "", "marker": "o"}
    handles = [
        Line2D([], [], label="order of the stream", **look),
        Line2D([], [], label="random order", **look, **hollow(LEGEND_COLOR)),
    ]
    legend = PageLegend(handles, width)
    return draw_dot_rows([(task.axis_label, rows)], task, width, legend=legend, zero_line=False)


def draw_ranks(ranks: dict[str, Floats], titles: dict[str, str], task: Task, width: int) -> Figure:
    """Draw the rank of each learner in each section of the stream."""
    legend = learner_legend({name: titles[name] for name in ranks}, width)
    figure = canvas(width, RANK_MARGINS + RANK_ROW_HEIGHT * len(ranks) + legend.height)
    axes = figure.subplots()
    for name, values in reversed(ranks.items()):
        look = learner_look(name)
        axes.plot(np.arange(1, N_SECTIONS + 1), values, **look.line)
        axes.plot(np.arange(1, N_SECTIONS + 1), values, "o", color=look.color, zorder=look.layer)
    axes.set_ylim(len(ranks) + 0.5, 0.5)
    axes.set_yticks(range(1, len(ranks) + 1))
    axes.set_xticks(range(1, N_SECTIONS + 1))
    axes.set_xlabel("section of the stream")
    axes.set_title(f"rank by {task.name}")
    legend.add(figure)
    return figure


def draw_by_bin(
    bins: pd.DataFrame,
    ends: tuple[str, str],
    titles: dict[str, str],
    task: Task,
    width: int,
) -> Figure:
    """Draw the measure by the time to the label, with intervals between the columns `ends`."""
    legend = learner_legend(titles, width)
    figure = canvas(width, BINS_HEIGHT + legend.height)
    axes = figure.subplots()
    scaled = {name: task.factor * bins[name] for name in (task.measure, *ends)}
    rows = bins[["learner", "bin"]].assign(**scaled)
    names = [*reversed(titles)]
    style.learner_lines(axes, rows, "bin", task.measure, names, ends=ends, marked=False)
    axes.set_xlim(0, bins["bin"].max())
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_xlabel("bin of the time to the label (0: on arrival)")
    axes.set_title(wrapped_title(f"{task.axis_label} by bin", width))
    legend.add(figure)
    return figure
