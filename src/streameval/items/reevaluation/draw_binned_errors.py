"""Errors of regressors by bin of the time to the label (Grzenda et al. 2019, Figure 14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.evaluation.number_measures import SkillMeasure
from streameval.evaluation.roles import BEST
from streameval.items.reevaluation.draw_binned_measures import draw_squares, tells, tune_bins
from streameval.items.subject import Subject
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.report import scales, style

#: Heights of the panel of a measure, of a skill, of differences, of a learner's squares, and of the
#: rest.
_PANEL_MM, _SKILL_MM, _EXCESS_MM, _ROW_MM, _REST_MM = 60.0, 40.0, 50.0, 3.6, 34.0
#: Intervals are seen to their ends if the axis gets at most so many times longer than is usual.
_WIDEST = 5.0
#: The measure that has intervals over seeds.
_OVER_SEEDS = "mean_absolute_error"
_SEEDS = ("seeds_low", "seeds_high")


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each measure by bin, and one for the skill over each baseline.

    Below are the differences to the best other learner, and where each learner may be the best one,
    if that excludes any.
    """
    measures, learners = subject.settings.measures, subject.settings.learners
    bins, contrasts = frames["bins"], frames["contrasts"]
    target = str(frames["size"]["target"].iloc[0])
    skills = frames["skills"]
    best = contrasts[contrasts["reference"] == BEST]
    skilled = [name for name in learners if name in set(skills["learner"])]
    baselines = list(dict.fromkeys(skills["baseline"])) if skilled else []
    heights = [_PANEL_MM] * len(measures) + [_SKILL_MM] * len(baselines)
    with_squares = tells(best, learners)
    if len(best):
        heights += [_EXCESS_MM] + [_ROW_MM * len(learners)] * with_squares
    drawn = style.figure(columns=2, aspect=(_REST_MM + sum(heights)) / style.WIDTH_MM[2])
    style.headline(drawn, **subject.stream)
    grid = drawn.add_gridspec(len(heights), 1, height_ratios=heights)
    panels = [drawn.add_subplot(grid[row]) for row in range(len(heights))]
    handles: list[Artist] = [*style.learner_handles(learners, subject.titles)]
    for axes, measure in zip(panels, measures, strict=False):
        _draw_measure(axes, bins, measure, learners, target)
    for axes, baseline in zip(panels[len(measures) :], baselines, strict=False):
        title = subject.titles.get(baseline, baseline)
        called = f"the {title[:1].lower()}{title[1:]}"
        _draw_skill(axes, skills[skills["baseline"] == baseline], skilled, called)
    if skilled or len(best):
        of_what = "" if skilled else " of a difference"
        handles.append(style.bar_handle(f"95 % interval{of_what}"))
    if _OVER_SEEDS in measures and bins["seeds_low"].notna().any():
        handles.append(style.band_handle("band: 95 % interval over seeds"))
    if len(best):
        _draw_excess(panels[len(measures) + len(baselines)], best, learners, target)
    if with_squares:
        what = "may have the smallest absolute error"
        draw_squares(panels[-1], best, learners, subject.titles, what)
    tune_bins(panels, int(bins["bin"].max()))
    style.legend(drawn, handles, columns=3)
    return drawn


def _draw_measure(
    axes: Axes, bins: pd.DataFrame, name: str, learners: Sequence[str], target: str
) -> None:
    measure = REGRESSION_MEASURES[name]
    ends = _SEEDS if name == _OVER_SEEDS else None
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
    """Draw by how much errors exceed the smallest one of the other learners, with intervals.

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
