"""Plots of results, as the report draws them; needs the extra ``pipeline``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from streameval.base import settings as base_settings
from streameval.base.arrays import Floats, Integers
from streameval.base.values import check_integer
from streameval.drawing import style
from streameval.drawing.ages import PANELS, draw_accuracy_by_age, draw_age_panels, set_age_axis
from streameval.drawing.alarm_worth import draw as draw_alarm_worth
from streameval.drawing.bins import (
    draw_binned_errors,
    draw_binned_measures,
    draw_error,
    draw_measure,
    set_bin_axes,
)
from streameval.drawing.control_differences import draw as draw_control_differences
from streameval.drawing.curves import DrawableMeasure, draw_panel, measure_curves, pivot_measure
from streameval.drawing.label_budget import draw as draw_label_budget
from streameval.drawing.looks import CLASS_LOOKS, distinct_looks
from streameval.drawing.panels import (
    Panels,
    add_title_and_legend,
    axes_for_panels,
    show_in_notebooks,
)
from streameval.drawing.sequences import draw_sequence, fit_y_axis, sample_sequence
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import axis_numbers, axis_times, set_time_axis
from streameval.evaluation.age_bins import ages_in_units
from streameval.evaluation.bins import correct_by_label_count
from streameval.evaluation.task import task_of
from streameval.learners.registry import load_learners
from streameval.significance.confidence_sequence import ConfidenceSequence

if TYPE_CHECKING:
    from streameval.evaluation.verdicts import ComparisonPlan, Verdict
    from streameval.streams.stream import Stream
    from streameval.streams.timeline import Timeline

#: Colour of the region of practical equality.
ROPE_COLOR = "0.85"


def draw_curves(
    curves: pd.DataFrame,
    measures: Sequence[str],
    learners: Sequence[str],
    title: str,
    registry: Mapping[str, DrawableMeasure],
    ax: object = None,
    begin: Any = (),
) -> Axes | Panels:
    """Draw measures over time as the report draws them, or into axes; see `measure_curves`."""

    def draw(panels: Sequence[Axes]) -> None:
        for axes, name in zip(panels, measures, strict=True):
            draw_panel(axes, registry[name], pivot_measure(curves, name, learners))
            set_time_axis(axes, axis_times(curves), begin, length_factor=style.AXIS_FACTOR)

    if ax is not None:
        return _draw_into_axes(ax, measures, draw, title, learners)
    with distinct_looks(learners):
        figure = measure_curves(
            curves,
            measures=measures,
            learners=learners,
            titles=_titles(learners),
            title=title,
            simulated=False,
            registry=registry,
            begin=begin,
        )
    return show_in_notebooks(figure.axes)


def mark_nominal_coverage(target: Axes | Panels, measures: object, level: float) -> None:
    """Mark the nominal coverage with a line in the panels of interval coverage."""
    names = [measures] if isinstance(measures, str) else list(measures)  # type: ignore[call-overload]
    panels = [target] if isinstance(target, Axes) else list(target)
    # With several panels per measure, the measures repeat in the same order.
    for axes, name in zip(panels, names * (len(panels) // len(names)), strict=True):
        if name == "interval_coverage":
            axes.axhline(level, color="black", linewidth=0.8, linestyle=(0, (1, 1)), zorder=0)


def draw_bins(
    frames: Mapping[str, pd.DataFrame],
    measures: Sequence[str],
    learners: Sequence[str],
    stream: Stream,
    ax: object = None,
) -> Axes | Panels:
    """Draw measures of classifiers, or errors of regressors, by bin as the report does."""
    bins, target = frames["bins"], stream.schema.target
    is_regression = task_of(stream).is_error

    def draw(panels: Sequence[Axes]) -> None:
        for axes, name in zip(panels, measures, strict=True):
            if is_regression:
                draw_error(axes, bins, name, learners, target)
            else:
                draw_measure(axes, bins, name, learners)
            set_bin_axes([axes], int(bins["bin"].max()))

    if ax is not None:
        return _draw_into_axes(ax, measures, draw, stream.name, learners)
    # The figure of an item also needs the target's name, and a frame of curves over time. The frame
    # is empty here, so there are no such panels.
    all_frames = {
        **frames,
        "size": pd.DataFrame({"target": [target]}),
        "stages": correct_by_label_count({}, bins=(), points=1),
    }
    draw_all = draw_binned_errors if is_regression else draw_binned_measures
    figure = _draw_item(draw_all, all_frames, stream.name, learners, measures=measures)
    return show_in_notebooks(figure.axes[: len(measures)])


def draw_ages(
    ages: pd.DataFrame, learners: Sequence[str], stream: Stream, ax: object = None
) -> Axes | Panels:
    """Draw accuracies, or errors, by age as the report does."""
    ages = ages_in_units(ages, stream, unit_name="")  # the unit that suits the ages

    def draw(panels: Sequence[Axes]) -> None:
        draw_age_panels(panels, ages, learners)
        for axes in panels:
            set_age_axis(axes, ages, "time")

    if ax is not None:
        return _draw_into_axes(ax, [text for _, text, _ in PANELS], draw, "", learners)
    figure = _draw_item(draw_accuracy_by_age, {"ages": ages}, stream.name, learners, clock="time")
    return show_in_notebooks(figure.axes[: len(PANELS)])


@style.styled
def _draw_into_axes(
    ax: object,
    subjects: Sequence[str],
    draw: Callable[[Sequence[Axes]], None],
    title: str,
    learners: Sequence[str],
) -> Axes | Panels:
    """Draw into a user's axes, one for each subject, and add a legend of the learners."""
    panels = axes_for_panels(ax, subjects)
    with distinct_looks(learners):
        draw(panels)
        return add_title_and_legend(
            panels, title, style.learner_handles(learners, _titles(learners))
        )


def _draw_item(
    draw: Callable[[Mapping[str, pd.DataFrame], Subject], Figure],
    frames: Mapping[str, pd.DataFrame],
    stream: str,
    learners: Sequence[str],
    **settings: Any,
) -> Figure:
    """Draw frames as the figure of an item, with these settings, on a stream."""
    item_settings = SimpleNamespace(learners=learners, **settings)
    subject = Subject(settings=item_settings, titles=_titles(learners), title=stream)
    with distinct_looks(learners):
        return draw(frames, subject)


def draw_detector_results(
    frames: Mapping[str, pd.DataFrame], stream: str, learner: str, begin: Any = ()
) -> Axes | Panels:
    """Draw error rates, alarms and the effect of resets as the report does.

    `frames` come from the study ``alarm_worth``. Errors and alarms with a column ``time`` have an
    axis of dates; see `set_time_axis` for `begin`.
    """
    figure = _draw_item(partial(draw_alarm_worth, begin=begin), frames, stream, [learner])
    return show_in_notebooks(figure.axes)


def draw_budget(curves: pd.DataFrame, stream: Stream, learners: Sequence[str]) -> Axes | Panels:
    """Draw accuracy by the labels that are learnt as the report does."""
    return show_in_notebooks(
        _draw_item(draw_label_budget, {"curves": curves}, stream.name, learners).axes
    )


def draw_over_streams(
    frames: Mapping[str, pd.DataFrame], settings: Any, titles: Mapping[str, str]
) -> Axes:
    """Draw the differences of a control from other learners as the report does.

    `settings` have the ``control`` and the ``rope``.
    """
    learners = list(dict.fromkeys([settings.control, *frames["others"]["learner"]]))
    subject = Subject(settings=settings, titles=titles)
    with distinct_looks(learners):
        (axes,) = draw_control_differences(frames, subject, settings.rope).axes
    show_in_notebooks([axes])
    return axes


@style.styled
def draw_difference(
    sequences: Mapping[tuple[str, str], ConfidenceSequence],
    plan: ComparisonPlan,
    stream: str,
    points: int,
    timelines: Mapping[tuple[str, str], Timeline],
    ax: object = None,
) -> Axes | Panels:
    """Draw the differences of pairs over time, with a panel for each pair.

    `timelines` have the arrivals of the instances of each pair.
    """
    points, series = check_integer(points, "points"), []
    for pair, sequence in sequences.items():
        instances, sample = sample_sequence(sequence, timelines[pair], points)
        series.append(_Series(*pair, *sample, instances.axis, instances.begin))
    look, label = CLASS_LOOKS[0], "95 % confidence sequence: holds at all times at once"
    mean = Line2D([], [], color=look.color, linestyle=look.dash, label="mean so far")
    band = Patch(facecolor=look.color, alpha=style.BAND_OPACITY, linewidth=0, label=label)
    axis_label = f"mean difference {plan.task.difference_phrase}\nso far, A − B"
    title = f"{stream}, {plan.title}"
    return _draw_differences(plan, series, _draw_over_time, axis_label, title, (mean, band), ax)


@style.styled
def draw_differences_by_bin(
    verdicts_by_pair: Mapping[tuple[str, str], Sequence[Verdict]],
    plan: ComparisonPlan,
    stream: str,
    ax: object = None,
) -> Axes | Panels:
    """Draw the differences of pairs by bin, with a panel for each pair."""
    series = []
    for pair, verdicts in verdicts_by_pair.items():
        values = np.array([(verdict.difference, verdict.low, verdict.high) for verdict in verdicts])
        mean, low, high = values.T
        series.append(_Series(*pair, mean, low, high, np.arange(len(verdicts))))
    look, label = CLASS_LOOKS[0], "95 % interval: holds for all bins at once"
    dots = Line2D(
        [], [], color=look.color, linestyle="", marker="o", markersize=3, label="difference"
    )
    ends = Line2D([], [], color=look.color, linewidth=1.2, label=label)
    axis_label = f"difference {plan.task.difference_phrase},\nA − B"
    return _draw_differences(plan, series, _draw_by_bin, axis_label, stream, (dots, ends), ax)


class _Series(NamedTuple):
    """The difference A - B of a pair; all arrays have the shape (points,).

    `x` are dates, counts of instances or bins. An axis of time starts at `begin`.
    """

    first: str
    second: str
    mean: Floats
    low: Floats
    high: Floats
    x: pd.DatetimeIndex | Integers
    begin: pd.DatetimeIndex | Integers = np.zeros(1, np.int64)


def _draw_differences(
    plan: ComparisonPlan,
    pairs: Sequence[_Series],
    draw: Callable[[Axes, _Series, float], None],
    axis_label: str,
    title: str,
    handles_of_kinds: tuple[Artist, Artist],
    ax: object,
) -> Axes | Panels:
    """Draw a panel for each pair, with the region of practical equality in grey."""
    unit, factor = plan.task.unit, plan.task.factor
    rope, titles = factor * plan.rope, _titles([name for series in pairs for name in series[:2]])
    new_figure = None if ax is not None else _sheet(len(pairs), title)
    panels = (
        new_figure.axes
        if new_figure
        else axes_for_panels(ax, [f"{series.first} and {series.second}" for series in pairs])
    )
    # In a new figure, only the left panel of each row of two has a label.
    for axes in panels[:: min(len(pairs), 2)] if new_figure else panels:
        axes.set_ylabel(f"{axis_label} ({unit.strip()})" if unit else axis_label)
    for axes, pair in zip(panels, pairs, strict=False):
        axes.axhspan(-rope, rope, color=ROPE_COLOR, linewidth=0, zorder=1.2)
        style.zero_line(axes)
        mean, low, high = (factor * part for part in (pair.mean, pair.low, pair.high))
        draw(axes, pair._replace(mean=mean, low=low, high=high), rope)
        axes.set_title(f"A: {titles[pair.first]}, B: {titles[pair.second]}", loc="left", pad=3)
    value_handle, interval_handle = handles_of_kinds
    handles = [value_handle]
    if any(np.isfinite(pair.low).any() for pair in pairs):
        handles.append(interval_handle)
    if rope:
        label = f"practically equal (±{plan.rope_text})"
        handles.append(Patch(facecolor=ROPE_COLOR, linewidth=0, label=label))
    if new_figure is None:
        return add_title_and_legend(panels, "", handles)
    style.legend(new_figure, handles, columns=3)
    return show_in_notebooks(new_figure.axes[: len(pairs)])


def _sheet(panels: int, title: str) -> Figure:
    """A figure with a title and `panels` panels, two in a row."""
    rows = -(-panels // 2)
    # In millimetres: 26 for title and legend, and 46 for each row of panels.
    figure = style.figure(columns=2, aspect=(26 + 46 * rows) / style.FULL_WIDTH_MM)
    grid = figure.subplots(rows, min(panels, 2), squeeze=False)
    for axes in grid.flat[panels:]:
        axes.set_visible(False)
    style.add_title(figure, title, simulated=False)
    return figure


def _draw_over_time(axes: Axes, pair: _Series, rope: float) -> None:
    sequence = ConfidenceSequence(pair.mean, pair.low, pair.high)
    draw_sequence(axes, axis_numbers(pair.x), sequence, CLASS_LOOKS[0])
    fit_y_axis(axes, [sequence], 2 * rope)  # shows the whole region of practical equality
    set_time_axis(axes, pair.x, pair.begin, ticks=5)


def _draw_by_bin(axes: Axes, pair: _Series, rope: float) -> None:
    look = CLASS_LOOKS[0]
    axes.vlines(pair.x, pair.low, pair.high, color=look.color, linewidth=1.2)
    axes.plot(pair.x, pair.mean, color=look.color, linestyle="", marker="o", markersize=4)
    axes.set_xlim(-0.5, len(pair.x) - 0.5)
    axes.set_xlabel("bin of the time to the label (0: on arrival)")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _titles(learners: Sequence[str]) -> dict[str, str]:
    """Titles of learners from the registry; unknown learners have their ids."""
    registry = load_learners(base_settings.locate("config/learners.yaml"))
    return {name: registry[name].title if name in registry else name for name in learners}
