"""Figures of measures of classifiers, and of errors of regressors, by bin of the label delay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.drawing import scales, style
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import axis_numbers, axis_start, axis_times, set_time_axis
from streameval.evaluation.roles import BEST
from streameval.measures.registry import DELAYED_SUFFIX, MEASURES, MOA_SUFFIX
from streameval.measures.regression import REGRESSION_MEASURES, SkillMeasure

#: Height of the panel of a measure.
_PANEL_MM = 50.0
#: Height of a learner's row of squares.
_ROW_MM = 3.2
#: Height of the row of panels over time.
_OVER_TIME_MM = 38.0
#: Height of title, axes and legend.
_MARGINS_MM = 36.0
#: The same height if names of rows have several lines, which need more room.
_MARGINS_OF_LONG_MM = 52.0
#: Panels over time fit their accuracy axis to the values after this fraction of the labels, since
#: the first accuracies are of few labels.
_SETTLED_AFTER = 0.1
#: Size of a square in points.
_SQUARE = 3.6
#: Width of the edge of a hollow square in points.
_EDGE = 0.5


@style.styled
def draw_binned_measures(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each measure by bin, and panels over time for some bins.

    `subject` has the settings of the figure, and titles of learners and of the stream.
    `frames` has the measures (``bins``), the differences from the best other learner
    (``contrasts``), and for some bins the correct predictions so far (``stages``). Between the
    panels by bin and those over time, a panel of squares marks the bins in which a learner may be
    the most accurate. There is no such panel if no learner can be excluded in any bin.
    """
    bins, contrasts, stages = (frames[name] for name in ("bins", "contrasts", "stages"))
    measures, learners, titles = (
        subject.settings.measures,
        subject.settings.learners,
        subject.titles,
    )
    from_best = contrasts[contrasts["reference"] == BEST]
    bin_numbers = sorted(stages["bin"].unique())
    with_squares = excludes_any(from_best, learners)
    row_mm = scales.row_mm(_row_names(learners, titles), _ROW_MM)
    heights = [_PANEL_MM] * len(measures) + [row_mm * len(learners)] * with_squares
    over_time_mm = _OVER_TIME_MM * bool(bin_numbers)
    margins_mm = _MARGINS_MM if row_mm == _ROW_MM else _MARGINS_OF_LONG_MM
    height_mm = margins_mm + sum(heights) + over_time_mm
    figure = style.titled_figure(height_mm / style.FULL_WIDTH_MM, **subject.stream_arguments)
    ratios = [*heights, *([over_time_mm] if bin_numbers else [])]
    grid = figure.add_gridspec(len(ratios), max(len(bin_numbers), 1), height_ratios=ratios)
    by_bin = [figure.add_subplot(grid[row, :]) for row in range(len(heights))]
    for axes, measure in zip(by_bin, measures, strict=False):
        draw_measure(axes, bins, measure, learners)
    if with_squares:
        draw_squares(by_bin[-1], from_best, learners, titles, "may be the most accurate")
    set_bin_axes(by_bin, int(bins["bin"].max()))
    over_time: list[Axes] = []
    for column, b in enumerate(bin_numbers):
        first = over_time[0] if over_time else None
        axes = figure.add_subplot(grid[-1, column], sharex=first, sharey=first)
        rows = stages[stages["bin"] == b]
        points = rows.assign(
            accuracy=rows["correct"] / rows["labels"],
            position=axis_numbers(axis_times(rows, "labels")),
        )
        style.learner_lines(axes, points, "position", "accuracy", learners, marked=False)
        axes.set_title(f"bin {b}", loc="left", pad=3)
        over_time.append(axes)
    if over_time:
        _set_axes_over_time(over_time, stages)
    style.legend(figure, style.learner_handles(learners, titles), columns=4)
    return figure


def draw_measure(axes: Axes, bins: pd.DataFrame, name: str, learners: Sequence[str]) -> None:
    """Draw a measure of classifiers by bin."""
    measure = MEASURES[name.removesuffix(DELAYED_SUFFIX).removesuffix(MOA_SUFFIX)]
    style.learner_lines(axes, bins, "bin", name, learners)
    if measure.lower < 0:
        style.zero_line(axes)
    values = bins.loc[bins["learner"].isin(learners), name]
    notes = scales.fit(axes, measure, values.to_numpy(dtype=float))  # on values outside the axis
    axes.set_title(" · ".join(notes), loc="right", pad=2.5)
    note = "\nover baselines\nwith the same delay" if name.endswith(DELAYED_SUFFIX) else ""
    note = "\nas in MOA" if name.endswith(MOA_SUFFIX) else note
    axes.set_ylabel(f"{measure.title} {style.symbol_text(measure.symbol)}".strip() + note)


def excludes_any(from_best: pd.DataFrame, learners: Sequence[str]) -> bool:
    """Whether some learner is certainly worse than another in some bin.

    `from_best` has the differences of learners from the best other learner.
    """
    return bool(from_best.loc[from_best["learner"].isin(learners), "behind"].any())


def draw_squares(
    axes: Axes,
    from_best: pd.DataFrame,
    learners: Sequence[str],
    titles: Mapping[str, str],
    title: str,
) -> None:
    """Draw a square in each bin in which a learner is not certainly worse than another.

    The square is hollow if there is no interval that could exclude the learner.
    """
    possible = from_best[from_best["learner"].isin(learners) & ~from_best["behind"].astype(bool)]
    is_open = possible["band_high"].isna()
    for number, name in enumerate(learners):
        is_of_learner, color = possible["learner"] == name, style.learner_look(name).color
        filled = possible.loc[is_of_learner & ~is_open, "bin"]
        hollow = possible.loc[is_of_learner & is_open, "bin"]
        rows = [number] * len(filled)
        axes.plot(filled, rows, "s", color=color, markersize=_SQUARE, markeredgewidth=0)
        if len(hollow):
            edge: dict[str, Any] = {"markeredgewidth": _EDGE, "markeredgecolor": color}
            size = _SQUARE - _EDGE  # the edge is drawn half outside
            rows = [number] * len(hollow)
            axes.plot(
                hollow, rows, "s", color=color, markersize=size, markerfacecolor="none", **edge
            )
    title += " (hollow: no interval)" if is_open.any() else ""
    axes.set_yticks(range(len(learners)), _row_names(learners, titles))
    axes.set_ylim(len(learners) - 0.5, -0.5)
    axes.set_title(title, loc="left", pad=3)


def _row_names(learners: Sequence[str], titles: Mapping[str, str]) -> list[str]:
    """Titles of learners in several lines, so that panels stay wide."""
    return scales.wrap_names([titles.get(name, name) for name in learners])


def set_bin_axes(panels: Sequence[Axes], last: int) -> None:
    """Set limits and ticks of the bin axes of panels, and label the lowest axis."""
    step = max(1, last // 10)
    for axes in panels:
        axes.set_xlim(-0.5, last + 0.5)
        # The last bin has a tick. Other ticks keep half a step away from it.
        axes.set_xticks([*range(0, last - step // 2, step), last])
    panels[-1].set_xlabel("bin of the time from an instance to its label")


def _set_axes_over_time(panels: Sequence[Axes], stages: pd.DataFrame) -> None:
    later = stages[stages["labels"] >= _SETTLED_AFTER * stages["labels"].max()]
    accuracy = (later["correct"] / later["labels"]).to_numpy(dtype=float)
    scales.fit(panels[0], MEASURES["accuracy"], accuracy)
    panels[0].set_ylabel("accuracy so far")
    times, begin = axis_times(stages, "labels"), axis_start(stages)
    for axes in panels:
        set_time_axis(axes, times, begin, noun="labels", ticks=4)
        if len(begin):  # in a narrow panel the year, at the end of the axis, would touch the label
            axes.xaxis.labelpad += style.SMALL
    for axes in panels[1:]:
        axes.tick_params(axis="y", labelleft=False)


#: Height of the panel of an error measure.
_ERROR_MM = 60.0
#: Height of the panel of a skill.
_SKILL_MM = 40.0
#: Height of the panel of the excess: the error minus the smallest error of the other learners.
_EXCESS_MM = 50.0
#: Height of a learner's row of squares in figures of errors.
_ERROR_ROW_MM = 3.6
#: Height of title, axes and legend in figures of errors.
_ERRORS_MARGINS_MM = 34.0
#: Largest factor by which an axis is extended to show intervals to their ends.
_MAX_EXTENSION = 5.0
#: The measure that has intervals over seeds.
_MEASURE_WITH_SEEDS = "mean_absolute_error"
#: Columns of the lower and the upper ends of these intervals.
_SEED_INTERVAL = ("seeds_low", "seeds_high")


@style.styled
def draw_binned_errors(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each measure by bin, and a panel for the skill over each baseline.

    Below is a panel of the differences from the best other learner. Then a panel of squares marks
    the bins in which a learner may be the best, unless no learner can be excluded in any bin.
    """
    measures, learners = subject.settings.measures, subject.settings.learners
    bins, contrasts = frames["bins"], frames["contrasts"]
    target = str(frames["size"]["target"].iloc[0])  # its name: "size" describes the stream
    skills = frames["skills"]
    from_best = contrasts[contrasts["reference"] == BEST]
    learners_with_skill = [name for name in learners if name in set(skills["learner"])]
    baselines = list(dict.fromkeys(skills["baseline"])) if learners_with_skill else []
    heights = [_ERROR_MM] * len(measures) + [_SKILL_MM] * len(baselines)
    with_squares = excludes_any(from_best, learners)
    if len(from_best):
        row_mm = scales.row_mm(_row_names(learners, subject.titles), _ERROR_ROW_MM)
        heights += [_EXCESS_MM] + [row_mm * len(learners)] * with_squares
    figure = style.titled_figure(
        (_ERRORS_MARGINS_MM + sum(heights)) / style.FULL_WIDTH_MM, **subject.stream_arguments
    )
    grid = figure.add_gridspec(len(heights), 1, height_ratios=heights)
    panels = [figure.add_subplot(grid[row]) for row in range(len(heights))]
    handles: list[Artist] = [*style.learner_handles(learners, subject.titles)]
    for axes, measure in zip(panels, measures, strict=False):
        draw_error(axes, bins, measure, learners, target)
    for axes, baseline in zip(panels[len(measures) :], baselines, strict=False):
        title = subject.titles.get(baseline, baseline)
        baseline_text = f"the {title[:1].lower()}{title[1:]}"
        _draw_skill(
            axes, skills[skills["baseline"] == baseline], learners_with_skill, baseline_text
        )
    if learners_with_skill or len(from_best):
        # Without panels of skills, only the differences from the best have bars.
        addition = "" if learners_with_skill else " of a difference"
        handles.append(style.bar_handle(f"95 % interval{addition}"))
    if (
        _MEASURE_WITH_SEEDS in measures
        and _SEED_INTERVAL[0] in bins
        and bins[_SEED_INTERVAL[0]].notna().any()
    ):
        handles.append(style.band_handle("band: 95 % interval over seeds"))
    if len(from_best):
        _draw_excess(panels[len(measures) + len(baselines)], from_best, learners, target)
    if with_squares:
        title = "may have the smallest absolute error"
        draw_squares(panels[-1], from_best, learners, subject.titles, title)
    set_bin_axes(panels, int(bins["bin"].max()))
    style.legend(figure, handles, columns=3)
    return figure


def draw_error(
    axes: Axes, bins: pd.DataFrame, name: str, learners: Sequence[str], target: str
) -> None:
    """Draw a measure of regressors by bin."""
    measure = REGRESSION_MEASURES[name]
    ends = _SEED_INTERVAL if name == _MEASURE_WITH_SEEDS and _SEED_INTERVAL[0] in bins else None
    style.learner_lines(axes, bins, "bin", name, learners, ends=ends)
    # The axis of errors starts at 0, so lower ends do not matter.
    rows = bins.loc[bins["learner"].isin(learners), [name, ends[1]] if ends else [name]]
    values = rows.to_numpy(dtype=np.float64)
    if measure.lower < 0:
        style.zero_line(axes)
        axes.set_title(" · ".join(scales.fit(axes, measure, values)), loc="right", pad=2.5)
        axes.set_ylabel(f"{measure.title} {measure.symbol}")
    else:
        scales.fit_costs(axes, values)
        axes.set_ylabel(f"{measure.title} {measure.symbol}\nin units of {target}")


def _draw_skill(axes: Axes, rows: pd.DataFrame, learners: Sequence[str], baseline: str) -> None:
    style.zero_line(axes)
    style.learner_lines(axes, rows, "bin", "skill", learners, bars=("low", "high"))
    values = rows.loc[rows["learner"].isin(learners), ["skill", "low", "high"]]
    measure = SkillMeasure(f"Skill over {baseline}")
    axes.set_title(" · ".join(scales.fit(axes, measure, values)), loc="right", pad=2.5)
    axes.set_ylabel(fill(measure.title, 20))


def _draw_excess(axes: Axes, from_best: pd.DataFrame, learners: Sequence[str], target: str) -> None:
    """Draw each error minus the smallest error of the other learners, with intervals.

    The axis shows whole intervals, unless very wide intervals would make differences unreadable.
    """
    rows = from_best[from_best["learner"].isin(learners)]
    # A difference is positive for a better learner, an excess for a worse one.
    rows = rows.assign(excess=-rows["difference"], low=-rows["band_high"], high=-rows["band_low"])
    style.zero_line(axes)
    style.learner_lines(axes, rows, "bin", "excess", learners, bars=("low", "high"))
    typical_width = np.nan_to_num((rows["high"] - rows["low"]).median())
    typical_ends = rows["excess"].min() - typical_width, rows["excess"].max() + typical_width
    all_ends = rows[["excess", "low", "high"]].to_numpy()
    is_wide = np.ptp(all_ends[~np.isnan(all_ends)]) > _MAX_EXTENSION * np.ptp(typical_ends)
    # An axis needs some length if all values are equal.
    scales.zoom(
        axes, typical_ends if is_wide else all_ends, min_length=1e-9, bounds=(-np.inf, np.inf)
    )
    axes.set_ylabel(f"MAE minus the smallest\nof the others, in units of {target}")
