"""Measures by bin of the time to the label, and over time (Grzenda et al. 2019)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.evaluation.roles import BEST
from streameval.items.subject import Subject
from streameval.measures.registry import MEASURES
from streameval.report import scales, style
from streameval.report.names import DELAYED

#: Heights of the panel of a measure, of a learner's squares, and of the row of those over time.
_PANEL_MM, _ROW_MM, _STAGES_MM, _REST_MM = 50.0, 3.2, 38.0, 36.0
#: The axis of accuracy over time fits what is seen after this part of the labels.
_SETTLED = 0.1
#: The size of a square, and the width of the edge of a hollow one.
_SQUARE, _EDGE = 3.6, 0.5


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    settings = subject.settings
    return binned_measures(
        frames["bins"],
        frames["contrasts"],
        frames["stages"],
        measures=settings.measures,
        learners=settings.learners,
        titles=subject.titles,
        **subject.stream,
    )


@style.styled
def binned_measures(
    bins: pd.DataFrame,
    contrasts: pd.DataFrame,
    stages: pd.DataFrame,
    *,
    measures: Sequence[str],
    learners: Sequence[str],
    titles: Mapping[str, str],
    title: str,
    simulated: bool,
) -> Figure:
    """Draw a panel for each measure by bin, and panels over time for some bins.

    Between them is where each learner may be the most accurate one, if that excludes any.

    Parameters
    ----------
    bins : pandas.DataFrame
        Columns learner, bin, and the measures.
    contrasts : pandas.DataFrame
        Columns learner, reference, bin, behind; see `studies.binned_measures.contrasts`.
    stages : pandas.DataFrame
        Columns labels, learner, bin, correct; see `studies.binned_measures.stages`. Without rows
        there are no panels over time.
    measures, learners : sequence of str
        What is drawn, from top to bottom and in the legend.
    titles : mapping of str to str
        Names of the learners, for people.
    title : str
        What stands above: the stream, for people.
    simulated : bool
        Whether the stream is simulated; it is then marked.
    """
    best, shown = contrasts[contrasts["reference"] == BEST], sorted(stages["bin"].unique())
    with_squares = tells(best, learners)
    heights = [_PANEL_MM] * len(measures) + [_ROW_MM * len(learners)] * with_squares
    over_time_mm = _STAGES_MM * bool(shown)
    whole_mm = _REST_MM + sum(heights) + over_time_mm
    drawn = style.figure(columns=2, aspect=whole_mm / style.WIDTH_MM[2])
    style.headline(drawn, title, simulated)
    ratios = [*heights, *([over_time_mm] if shown else [])]
    grid = drawn.add_gridspec(len(ratios), max(len(shown), 1), height_ratios=ratios)
    by_bin = [drawn.add_subplot(grid[row, :]) for row in range(len(heights))]
    for axes, measure in zip(by_bin, measures, strict=False):
        _draw_measure(axes, bins, measure, learners)
    if with_squares:
        draw_squares(by_bin[-1], best, learners, titles, "may be the most accurate")
    tune_bins(by_bin, int(bins["bin"].max()))
    over_time: list[Axes] = []
    for column, b in enumerate(shown):
        beside = over_time[0] if over_time else None
        axes = drawn.add_subplot(grid[-1, column], sharex=beside, sharey=beside)
        _draw_stage(axes, stages[stages["bin"] == b], learners)
        axes.set_title(f"bin {b}", loc="left", pad=3)
        over_time.append(axes)
    if over_time:
        _tune_stages(over_time, stages)
    style.legend(drawn, style.learner_handles(learners, titles), columns=4)
    return drawn


def _draw_measure(axes: Axes, bins: pd.DataFrame, name: str, learners: Sequence[str]) -> None:
    plain = name.removesuffix(DELAYED)
    measure = MEASURES[plain]
    style.learner_lines(axes, bins, "bin", name, learners)
    if measure.lower < 0:
        style.zero_line(axes)
    values = bins.loc[bins["learner"].isin(learners), name]
    notes = scales.fit(axes, measure, values.to_numpy(dtype=float))
    axes.set_title(" · ".join(notes), loc="right", pad=2.5)
    under = "" if plain == name else "\nover baselines\nwith the same delay"
    axes.set_ylabel(f"{measure.title} {style.symbol_text(measure.symbol)}".strip() + under)


def tells(best: pd.DataFrame, learners: Sequence[str]) -> bool:
    """Return whether some learner is surely worse than another one in some bin."""
    return bool(best.loc[best["learner"].isin(learners), "behind"].any())


def draw_squares(
    axes: Axes,
    best: pd.DataFrame,
    learners: Sequence[str],
    titles: Mapping[str, str],
    what: str,
) -> None:
    """Draw a square where a learner is not surely worse than another one.

    It is hollow where there is no interval that could exclude the learner.
    """
    possible = best[best["learner"].isin(learners) & ~best["behind"].astype(bool)]
    is_open = possible["band_high"].isna()
    for number, name in enumerate(learners):
        own, color = possible["learner"] == name, style.learner_look(name).color
        filled, hollow = possible.loc[own & ~is_open, "bin"], possible.loc[own & is_open, "bin"]
        places = [number] * len(filled)
        axes.plot(filled, places, "s", color=color, markersize=_SQUARE, markeredgewidth=0)
        if len(hollow):
            places, size = [number] * len(hollow), _SQUARE - _EDGE
            axes.plot(hollow, places, "s", c=color, ms=size, mew=_EDGE, mfc="none", mec=color)
    what += " (hollow: no interval)" if is_open.any() else ""
    axes.set_yticks(range(len(learners)), [titles.get(name, name) for name in learners])
    axes.set_ylim(len(learners) - 0.5, -0.5)
    axes.set_title(what, loc="left", pad=3)


def tune_bins(panels: Sequence[Axes], last: int) -> None:
    """Put numbers of bins at the axes of panels, and a name below the lowest one."""
    step = max(1, last // 10)
    for axes in panels:
        axes.set_xlim(-0.5, last + 0.5)
        axes.set_xticks([*range(0, last - step // 2, step), last])
    panels[-1].set_xlabel("bin of the time from an instance to its label")


def _draw_stage(axes: Axes, rows: pd.DataFrame, learners: Sequence[str]) -> None:
    points = rows.assign(accuracy=rows["correct"] / rows["labels"])
    style.learner_lines(axes, points, "labels", "accuracy", learners, marked=False)


def _tune_stages(panels: Sequence[Axes], stages: pd.DataFrame) -> None:
    later = stages[stages["labels"] >= _SETTLED * stages["labels"].max()]
    accuracy = (later["correct"] / later["labels"]).to_numpy(dtype=float)
    scales.fit(panels[0], MEASURES["accuracy"], accuracy)
    panels[0].set_xlim(0, stages["labels"].max())
    panels[0].set_ylabel("accuracy so far")
    for axes in panels:
        axes.set_xlim(panels[0].get_xlim())
        style.thousands(axes, "labels", ticks=4)
    for axes in panels[1:]:
        axes.tick_params(axis="y", labelleft=False)
