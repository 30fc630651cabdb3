"""Measures and errors by bin of the time to the label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.drawing import scales, style
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import begin_of, on_axis, places_of, tune_time_axis
from streameval.evaluation.roles import BEST
from streameval.measures.registry import AS_IN_MOA, DELAYED, MEASURES
from streameval.measures.regression import REGRESSION_MEASURES, SkillMeasure

#: Heights of the panel of a measure, of a learner's squares, and of the row of those over time.
_PANEL_MM, _ROW_MM, _STAGES_MM, _REST_MM = 50.0, 3.2, 38.0, 36.0
#: Height of the rest beside rows of several lines, which would overlap in lower panels.
_REST_OF_LONG_MM = 52.0
#: The axis of accuracy over time fits what is seen after this part of the labels.
_SETTLED = 0.1
#: The size of a square, and the width of the edge of a hollow one.
_SQUARE, _EDGE = 3.6, 0.5


@style.styled
def draw_binned_measures(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each measure by bin, and panels over time for some bins.

    Between them is where each learner may be the most accurate one, if that excludes any.
    """
    bins, contrasts, stages = (frames[name] for name in ("bins", "contrasts", "stages"))
    measures, learners, titles = (
        subject.settings.measures,
        subject.settings.learners,
        subject.titles,
    )
    best, bin_numbers = contrasts[contrasts["reference"] == BEST], sorted(stages["bin"].unique())
    with_squares = tells(best, learners)
    row_mm = scales.row_mm(_row_names(learners, titles), _ROW_MM)
    heights = [_PANEL_MM] * len(measures) + [row_mm * len(learners)] * with_squares
    over_time_mm = _STAGES_MM * bool(bin_numbers)
    rest_mm = _REST_MM if row_mm == _ROW_MM else _REST_OF_LONG_MM
    whole_mm = rest_mm + sum(heights) + over_time_mm
    figure = style.sheet(whole_mm / style.WIDTH_MM[2], **subject.stream)
    ratios = [*heights, *([over_time_mm] if bin_numbers else [])]
    grid = figure.add_gridspec(len(ratios), max(len(bin_numbers), 1), height_ratios=ratios)
    by_bin = [figure.add_subplot(grid[row, :]) for row in range(len(heights))]
    for axes, measure in zip(by_bin, measures, strict=False):
        draw_measure(axes, bins, measure, learners)
    if with_squares:
        draw_squares(by_bin[-1], best, learners, titles, "may be the most accurate")
    tune_bins(by_bin, int(bins["bin"].max()))
    over_time: list[Axes] = []
    for column, b in enumerate(bin_numbers):
        first = over_time[0] if over_time else None
        axes = figure.add_subplot(grid[-1, column], sharex=first, sharey=first)
        rows = stages[stages["bin"] == b]
        accuracy, at = rows["correct"] / rows["labels"], on_axis(places_of(rows, "labels"))
        points = rows.assign(accuracy=accuracy, at=at)
        style.learner_lines(axes, points, "at", "accuracy", learners, marked=False)
        axes.set_title(f"bin {b}", loc="left", pad=3)
        over_time.append(axes)
    if over_time:
        _tune_stages(over_time, stages)
    style.legend(figure, style.learner_handles(learners, titles), columns=4)
    return figure


def draw_measure(axes: Axes, bins: pd.DataFrame, name: str, learners: Sequence[str]) -> None:
    """Draw a measure of classifiers by bin."""
    measure = MEASURES[name.removesuffix(DELAYED).removesuffix(AS_IN_MOA)]
    style.learner_lines(axes, bins, "bin", name, learners)
    if measure.lower < 0:
        style.zero_line(axes)
    values = bins.loc[bins["learner"].isin(learners), name]
    notes = scales.fit(axes, measure, values.to_numpy(dtype=float))
    axes.set_title(" · ".join(notes), loc="right", pad=2.5)
    under = "\nover baselines\nwith the same delay" if name.endswith(DELAYED) else ""
    under = "\nas in MOA" if name.endswith(AS_IN_MOA) else under
    axes.set_ylabel(f"{measure.title} {style.symbol_text(measure.symbol)}".strip() + under)


def tells(best: pd.DataFrame, learners: Sequence[str]) -> bool:
    """Whether some learner is surely worse than another one in some bin."""
    return bool(best.loc[best["learner"].isin(learners), "behind"].any())


def draw_squares(
    axes: Axes, best: pd.DataFrame, learners: Sequence[str], titles: Mapping[str, str], what: str
) -> None:
    """Draw a square where a learner is not surely worse than another one.

    It is hollow where there is no interval that could exclude the learner.
    """
    possible = best[best["learner"].isin(learners) & ~best["behind"].astype(bool)]
    is_open = possible["band_high"].isna()
    for number, name in enumerate(learners):
        of_learner, color = possible["learner"] == name, style.learner_look(name).color
        filled, hollow = (
            possible.loc[of_learner & ~is_open, "bin"],
            possible.loc[of_learner & is_open, "bin"],
        )
        places = [number] * len(filled)
        axes.plot(filled, places, "s", color=color, markersize=_SQUARE, markeredgewidth=0)
        if len(hollow):
            places, size = [number] * len(hollow), _SQUARE - _EDGE
            axes.plot(hollow, places, "s", c=color, ms=size, mew=_EDGE, mfc="none", mec=color)
    what += " (hollow: no interval)" if is_open.any() else ""
    axes.set_yticks(range(len(learners)), _row_names(learners, titles))
    axes.set_ylim(len(learners) - 0.5, -0.5)
    axes.set_title(what, loc="left", pad=3)


def _row_names(learners: Sequence[str], titles: Mapping[str, str]) -> list[str]:
    """Titles of learners, broken into lines that leave the panels their width."""
    return scales.broken([titles.get(name, name) for name in learners])


def tune_bins(panels: Sequence[Axes], last: int) -> None:
    """Put numbers of bins at the axes of panels, and a name below the lowest one."""
    step = max(1, last // 10)
    for axes in panels:
        axes.set_xlim(-0.5, last + 0.5)
        axes.set_xticks([*range(0, last - step // 2, step), last])
    panels[-1].set_xlabel("bin of the time from an instance to its label")


def _tune_stages(panels: Sequence[Axes], stages: pd.DataFrame) -> None:
    later = stages[stages["labels"] >= _SETTLED * stages["labels"].max()]
    accuracy = (later["correct"] / later["labels"]).to_numpy(dtype=float)
    scales.fit(panels[0], MEASURES["accuracy"], accuracy)
    panels[0].set_ylabel("accuracy so far")
    places, begin = places_of(stages, "labels"), begin_of(stages)
    for axes in panels:
        tune_time_axis(axes, places, begin, what="labels", ticks=4)
        if len(begin):  # the year stands at the right end, and panels are narrow
            axes.xaxis.labelpad += style.SMALL
    for axes in panels[1:]:
        axes.tick_params(axis="y", labelleft=False)


#: Heights of the panel of a measure, of a skill, of differences, of a learner's squares, and of the
#: rest.
_ERROR_MM, _SKILL_MM, _EXCESS_MM, _SQUARES_MM, _ERRORS_REST_MM = 60.0, 40.0, 50.0, 3.6, 34.0
#: Largest factor by which an axis is extended to show intervals to their ends.
_WIDEST = 5.0
#: The measure that has intervals over seeds.
_OVER_SEEDS = "mean_absolute_error"
_SEEDS = ("seeds_low", "seeds_high")


@style.styled
def draw_binned_errors(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each measure by bin, and one for the skill over each baseline.

    Below are differences to the best other learner, and who may be the best, if that excludes any.
    """
    measures, learners = subject.settings.measures, subject.settings.learners
    bins, contrasts = frames["bins"], frames["contrasts"]
    target = str(frames["size"]["target"].iloc[0])
    skills = frames["skills"]
    best = contrasts[contrasts["reference"] == BEST]
    skilled = [name for name in learners if name in set(skills["learner"])]
    baselines = list(dict.fromkeys(skills["baseline"])) if skilled else []
    heights = [_ERROR_MM] * len(measures) + [_SKILL_MM] * len(baselines)
    with_squares = tells(best, learners)
    if len(best):
        row_mm = scales.row_mm(_row_names(learners, subject.titles), _SQUARES_MM)
        heights += [_EXCESS_MM] + [row_mm * len(learners)] * with_squares
    figure = style.sheet((_ERRORS_REST_MM + sum(heights)) / style.WIDTH_MM[2], **subject.stream)
    grid = figure.add_gridspec(len(heights), 1, height_ratios=heights)
    panels = [figure.add_subplot(grid[row]) for row in range(len(heights))]
    handles: list[Artist] = [*style.learner_handles(learners, subject.titles)]
    for axes, measure in zip(panels, measures, strict=False):
        draw_error(axes, bins, measure, learners, target)
    for axes, baseline in zip(panels[len(measures) :], baselines, strict=False):
        title = subject.titles.get(baseline, baseline)
        called = f"the {title[:1].lower()}{title[1:]}"
        _draw_skill(axes, skills[skills["baseline"] == baseline], skilled, called)
    if skilled or len(best):
        of_what = "" if skilled else " of a difference"
        handles.append(style.bar_handle(f"95 % interval{of_what}"))
    if _OVER_SEEDS in measures and _SEEDS[0] in bins and bins[_SEEDS[0]].notna().any():
        handles.append(style.band_handle("band: 95 % interval over seeds"))
    if len(best):
        _draw_excess(panels[len(measures) + len(baselines)], best, learners, target)
    if with_squares:
        what = "may have the smallest absolute error"
        draw_squares(panels[-1], best, learners, subject.titles, what)
    tune_bins(panels, int(bins["bin"].max()))
    style.legend(figure, handles, columns=3)
    return figure


def draw_error(
    axes: Axes, bins: pd.DataFrame, name: str, learners: Sequence[str], target: str
) -> None:
    """Draw a measure of regressors by bin."""
    measure = REGRESSION_MEASURES[name]
    ends = _SEEDS if name == _OVER_SEEDS and _SEEDS[0] in bins else None
    style.learner_lines(axes, bins, "bin", name, learners, ends=ends)
    seen = bins.loc[bins["learner"].isin(learners), [name, ends[1]] if ends else [name]]
    values = seen.to_numpy(dtype=np.float64)
    if measure.lower < 0:
        style.zero_line(axes)
        axes.set_title(" · ".join(scales.fit(axes, measure, values)), loc="right", pad=2.5)
        axes.set_ylabel(f"{measure.title} {measure.symbol}")
    else:
        scales.costs(axes, values)
        axes.set_ylabel(f"{measure.title} {measure.symbol}\nin units of {target}")


def _draw_skill(axes: Axes, rows: pd.DataFrame, learners: Sequence[str], baseline: str) -> None:
    style.zero_line(axes)
    style.learner_lines(axes, rows, "bin", "skill", learners, bars=("low", "high"))
    values = rows.loc[rows["learner"].isin(learners), ["skill", "low", "high"]]
    measure = SkillMeasure(f"Skill over {baseline}")
    axes.set_title(" · ".join(scales.fit(axes, measure, values)), loc="right", pad=2.5)
    axes.set_ylabel(fill(measure.title, 20))


def _draw_excess(axes: Axes, best: pd.DataFrame, learners: Sequence[str], target: str) -> None:
    """Draw the excess of errors over the smallest one of the other learners, with intervals.

    The axis shows all of them, unless very wide ones would press the others together.
    """
    rows = best[best["learner"].isin(learners)]
    rows = rows.assign(excess=-rows["difference"], low=-rows["band_high"], high=-rows["band_low"])
    style.zero_line(axes)
    style.learner_lines(axes, rows, "bin", "excess", learners, bars=("low", "high"))
    room = np.nan_to_num((rows["high"] - rows["low"]).median())
    usual = rows["excess"].min() - room, rows["excess"].max() + room
    all_ends = rows[["excess", "low", "high"]].to_numpy()
    is_wide = np.ptp(all_ends[~np.isnan(all_ends)]) > _WIDEST * np.ptp(usual)
    scales.zoom(axes, usual if is_wide else all_ends, least=1e-9, bounds=(-np.inf, np.inf))
    axes.set_ylabel(f"MAE minus the smallest\nof the others, in units of {target}")
