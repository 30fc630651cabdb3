"""Figures, tables and captions of measures over a stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.base.arrays import Floats
from streameval.drawing import scales, style
from streameval.drawing.curves import measure_curves
from streameval.drawing.drift_marks import mark_drifts
from streameval.drawing.scales import DotMark
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import axis_numbers, axis_start, axis_times, set_time_axis
from streameval.evaluation.regression_measures import named_measure, phrase_of_measure
from streameval.evaluation.roles import AUGMENTED, CLASSIFICATION_BASELINES, CORRECTED
from streameval.items.columns import (
    count_column,
    frame_table,
    learner_column,
    number_column,
    plain_table,
    stream_names,
    stream_notes,
    text_column,
    text_frame_table,
    with_failed_cells,
)
from streameval.items.inputs import (
    FAILED,
    ItemInput,
    StreamInput,
    StreamInputs,
    table_over_streams,
    with_failed_column,
)
from streameval.items.performance import (
    ADWIN,
    HOLD_OUT,
    MAX_IN_DIAGRAM,
    MIN_RANKED,
    ROUNDING_FACTOR,
    WINDOW,
    HoldoutDistancesSettings,
    KappaSignificanceSettings,
    OverallMeasuresSettings,
)
from streameval.items.text_templates import TextTemplates
from streameval.measures.registry import MEASURES, Measure
from streameval.report.names import variant_titles
from streameval.report.published_values import OurValues, compare_published_file
from streameval.significance.significance_test import LEVEL
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE
from streameval.view.numbers import NO_VALUE, number_text, p_text, plus_minus
from streameval.view.parts import Column, Table

if TYPE_CHECKING:
    from streameval.evaluation.predictions import PredictionTable

#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "critical_difference": TextTemplates(
        title="Mean ranks of learners over streams",
        menu_entry="mean ranks of learners",
        caption=(
            "Learners by their mean rank over the streams; 1 is the best. Friedman's test is a "
            "test of the hypothesis that all are equal. By Nemenyi's test, at {percent} % for all "
            "pairs together, two learners differ if their mean ranks are at least the critical "
            "difference (CD) apart. The tests take streams as a sample of independent domains."
        ),
        pictures={
            "ranks": (
                "Each learner at its mean rank over the streams; 1 is the best. Bars join learners "
                "whose mean ranks are less than the critical difference (CD) apart: by Nemenyi's "
                "test they do not differ (Demšar, 2006). If there are many learners, each has a "
                "bar as long as the CD: two learners differ if their bars do not overlap. The "
                "tests take streams as a sample of independent domains; streams of one generator "
                "are not independent."
            ),
        },
    ),
    "estimates": TextTemplates(
        menu_entry="{measures} by four estimators",
        caption=(
            "{measures} over all predictions, over the last {window} predictions, with fading "
            "weights, and by Algorithm 1 of Žliobaitė et al. (2015). κ_t below 0 means worse than "
            "repeating the previous label.{shuffled}"
        ),
    ),
    "holdout": TextTemplates(
        menu_entry="accuracy by ADWIN and over sliding windows, against a hold-out",
        caption=(
            "accuracy on {fresh} fresh instances of the current concept (hold-out), and the "
            "estimates of ADWIN (δ = {delta}) and of sliding windows of {windows} predictions. "
            "Right: mean distance of each estimate to the hold-out, once all windows are full, "
            "with 95 % intervals that account for dependence, where the effective sample size is "
            "at least {effective}; the dotted line is the distance of an error-free estimate, due "
            "to the sampling error of the hold-out."
        ),
        evaluation="test-then-train (prequential) and hold-out",
    ),
    "holdout_distances": TextTemplates(
        title="Distance of estimates of accuracy to the hold-out",
        menu_entry="distance of estimates to the hold-out",
        caption=(
            "Mean absolute distance of each estimate of accuracy to the accuracy on fresh "
            "instances of the current concept. Last column: the distance of an error-free "
            "estimate, due to the sampling error of the hold-out."
        ),
    ),
    "kappa_significance": TextTemplates(
        title="Kappa and its significance",
        menu_entry="κ and its significance test",
        caption=(
            "κ of each learner over whole streams, its standard error, and z of the test that it "
            "is better than chance (Equations 11 and 12 of Žliobaitė et al., 2015). The test "
            "assumes independent predictions, and does not compare with repeating the previous "
            "label."
        ),
    ),
    "measures": TextTemplates(
        menu_entry="{measures} over time",
        caption="{measures} over a sliding window of {window} instances.{kappa_m}{below_no_change}",
    ),
    "overall_measures": TextTemplates(
        title="Measures over whole streams",
        menu_entry="measures over whole streams",
        caption=(
            "Measures of learners over whole streams. κ compares with chance, κ_t with repeating "
            "the previous label (No-Change), κ_m with the most frequent label so far (Majority), "
            "κ⁺ combines κ and κ_t. At zero a learner is as good as the baseline. Cells are empty "
            "where a measure is undefined; results/measures.csv has the reason."
        ),
    ),
    "windows": TextTemplates(
        menu_entry="accuracy by ADWIN and over sliding windows",
        caption=(
            "accuracy over sliding windows of {windows} predictions, and the mean of ADWIN's "
            "window, whose length adapts (δ = {delta}). A window that is not yet full holds all "
            "predictions so far. Right: mean distance of each window to ADWIN, once all windows "
            "are full, with 95 % intervals that account for dependence, where the effective "
            "sample size is at least {effective}."
        ),
    ),
    "wrapped": TextTemplates(
        menu_entry="accuracy of learners with and without wrappers",
        caption=(
            "accuracy of each learner as it is, corrected by the previous label (Temporal "
            "Correction), and with the previous label as an input (Temporally Augmented), with "
            "the two baselines."
        ),
    ),
}

#: Note of a table without ranks.
_NO_RANKS = f"No ranks: fewer than {MIN_RANKED} learners ran on all of the streams."

#: Largest number of letters in a line of a name.
NAME_LETTERS = 30
#: Position of the ruler of the critical difference, in mm from the top.
RULER_MM = 5.0
#: Position of the axis of ranks, in mm from the top.
AXIS_MM = 13.0
#: Position of the first bar, in mm from the top.
FIRST_BAR_MM = 16.0
#: Distance from each bar to the next.
BAR_STEP_MM = 2.2
#: Distance from the last bar to the names.
BELOW_BARS_MM = 2.5
#: Height of a name of one line.
NAME_MM = 4.6
#: Height of the title.
TITLE_MM = 7.0
#: Free width beside the axis and beside names.
GAP_MM = 3.0
#: Grey of axes, bars and notes.
DARK = "0.25"
#: Largest number of learners in a figure with a row for each learner.
MAX_LEARNER_ROWS = 50
#: Height of such a row.
LEARNER_ROW_MM = 3.6
#: Approximate number of ticks of the axis of ranks in that figure.
RANK_TICKS = 8


@style.styled
def draw_critical_difference(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the mean ranks of learners; bars join learners that do not differ.

    Up to `MAX_IN_DIAGRAM` learners are in the diagram of Demšar (2006): the better half has names
    on the left, the other half on the right.
    """
    frame, scores, titles = frames["ranks"], frames["scores"], subject.titles
    measure, level = (
        named_measure(subject.settings.measure_or_default).title,
        subject.settings.level,
    )
    frame = frame.sort_values("mean_rank", kind="stable", ignore_index=True)
    if len(frame) > MAX_IN_DIAGRAM:
        return _draw_rows(frame, scores, subject)
    names = [
        fill(f"{titles.get(name, name)} ({number_text(rank, 2)})", NAME_LETTERS)
        for name, rank in zip(frame["learner"], frame["mean_rank"].tolist(), strict=True)
    ]
    ranks = frame["mean_rank"].to_numpy(float)
    critical_difference = float(frame["critical_difference"].iloc[0])
    bars = runs_of_equals(ranks, critical_difference)
    n_left = -(-len(names) // 2)  # rounded up
    # Indices of learners, from the top row down: the best and the worst learner are on top.
    left = list(range(n_left))
    right = list(range(len(names) - 1, n_left - 1, -1))
    top = FIRST_BAR_MM + BAR_STEP_MM * len(bars) + BELOW_BARS_MM
    rows = [_name_rows([names[i] for i in indices], top) for indices in (left, right)]
    simulated = scores.loc[scores["simulated"], "stream"].unique()
    text = _notes(frame.iloc[0], simulated, level)
    height = (
        max(lower_end for _, lower_end in rows) + style.LINE_MM * (text.count("\n") + 1) + GAP_MM
    )

    width = style.FULL_WIDTH_MM
    figure = style.figure(columns=2, aspect=(height + TITLE_MM) / width)
    style.add_title(figure, f"{measure}: mean ranks of learners", bool(len(simulated)))
    figure.set_layout_engine("none")  # positions are in mm
    axes = figure.add_axes((0, 0, 1, height / (height + TITLE_MM)))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()

    letters = max(len(line) for name in names for line in name.split("\n"))
    name_width = letters * style.MM_PER_LEGEND_LETTER + 2 * GAP_MM
    axis_ends = (name_width + GAP_MM, width - name_width - GAP_MM)
    ticks = np.interp(np.arange(1, len(names) + 1), [1, len(names)], axis_ends)
    x = np.interp(ranks, [1, len(names)], axis_ends)
    _rank_axis(axes, ticks, critical_difference)
    for index, (low, high) in enumerate(bars):
        y = FIRST_BAR_MM + BAR_STEP_MM * index
        bar_ends = (x[low] - 0.8, x[high] + 0.8)  # just beyond the two learners
        axes.plot(bar_ends, (y, y), color=DARK, linewidth=2.2, solid_capstyle="butt", zorder=3)
    for indices, (name_middles, _), name_x, align in zip(
        (left, right), rows, (name_width, width - name_width), ("right", "left"), strict=True
    ):
        direction = -1 if align == "right" else 1
        for i, y in zip(indices, name_middles, strict=True):
            look = style.learner_look(str(frame["learner"].iloc[i]))
            line = {**look.line, "zorder": 2}
            axes.plot([x[i], x[i], name_x], [AXIS_MM, y, y], linewidth=1.0, **line)
            axes.plot(x[i], AXIS_MM, color=look.color, marker=look.marker or "o", zorder=4)
            axes.text(name_x + direction * GAP_MM / 2, y, names[i], ha=align, va="center")
    axes.text(GAP_MM, height - GAP_MM / 2, text, ha="left", va="bottom", color=DARK)
    return figure


def _draw_rows(frame: pd.DataFrame, scores: pd.DataFrame, subject: Subject) -> Figure:
    """Draw many learners: a row for each, the best on top, with a bar as long as the CD."""
    best = frame.head(MAX_LEARNER_ROWS)
    names = [subject.titles.get(name, name) for name in best["learner"]]
    labels = [
        name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1]}…" for name in names
    ]
    critical_difference = float(frame["critical_difference"].iloc[0])
    simulated = scores.loc[scores["simulated"], "stream"].unique()
    bars = (
        f"Bars are as long as the critical difference, {number_text(critical_difference, 2)}: "
        "learners whose bars do not overlap differ"
    )
    n_others = len(frame) - len(best)
    others = f" The table has the other {n_others} learners." if n_others else ""
    text = _notes(frame.iloc[0], simulated, subject.settings.level, bars, others)
    height_below = style.LINE_MM * (text.count("\n") + 1) + 4 * GAP_MM
    height = TITLE_MM + AXIS_MM + LEARNER_ROW_MM * len(best) + height_below
    width = style.FULL_WIDTH_MM
    figure = style.figure(columns=2, aspect=height / width)
    title = f"{named_measure(subject.settings.measure_or_default).title}: mean ranks of learners"
    style.add_title(figure, title, bool(len(simulated)))
    figure.set_layout_engine("none")  # positions are in mm
    name_width = max(map(len, labels)) * style.MM_PER_LEGEND_LETTER + 4 * GAP_MM
    bottom, top = height_below / height, 1 - (TITLE_MM + GAP_MM) / height - 0.02
    panel_width = 1 - (name_width + GAP_MM) / width
    axes = figure.add_axes((name_width / width, bottom, panel_width, top - bottom))
    ranks, half_bar = best["mean_rank"].to_numpy(float), critical_difference / 2
    for row, (name, rank) in enumerate(zip(best["learner"], ranks.tolist(), strict=True)):
        look = style.learner_look(str(name))
        ends = (rank - half_bar, rank + half_bar)
        axes.plot(ends, (row, row), color=look.color, linewidth=1.6, solid_capstyle="butt")
        axes.plot(rank, row, color=look.color, marker="o", markersize=5)
    axes.set_ylim(len(best) - 0.3, -0.7)  # the best on top, with 0.7 of a row of free height
    axes.set_yticks(range(len(best)), labels)
    axes.set_xlim(min(1.0, ranks[0] - half_bar) - 0.5, max(ranks[-1] + half_bar, 2.0) + 0.5)
    step = -(-len(frame) // RANK_TICKS)  # rounded up
    # Multiples of the step, and 1, the best rank.
    style.fixed_ticks(axes.xaxis, [1, *range(step, int(axes.get_xlim()[1]) + 1, step)])
    axes.set_xlabel("mean rank; 1 is the best")
    axes.grid(visible=True, axis="y", linewidth=0.3)
    figure.text(GAP_MM / width, GAP_MM / 2 / height, text, ha="left", va="bottom", color=DARK)
    return figure


def runs_of_equals(ranks: Floats, critical_difference: float) -> list[tuple[int, int]]:
    """First and last index of each run of learners that do not differ, if no other run contains it.

    `ranks` are mean ranks in increasing order.
    """
    runs: list[tuple[int, int]] = []
    for first in range(len(ranks)):
        alike = np.flatnonzero(ranks - ranks[first] < critical_difference * ROUNDING_FACTOR)
        last = int(alike[-1])
        if last > first and (not runs or last > runs[-1][1]):
            runs.append((first, last))
    return runs


def _rank_axis(axes: Axes, ticks: Floats, critical_difference: float) -> None:
    """Draw the axis of ranks, and above it a ruler as long as the critical difference."""
    line: dict[str, Any] = {"color": DARK, "linewidth": 0.8, "solid_capstyle": "projecting"}
    axes.plot([ticks[0], ticks[-1]], [AXIS_MM, AXIS_MM], **line)
    for rank, x in enumerate(ticks, start=1):
        axes.plot([x, x], [AXIS_MM - 1.2, AXIS_MM], **line)
        axes.text(x, AXIS_MM - 1.6, str(rank), ha="center", va="bottom")
    mm_per_rank = (ticks[-1] - ticks[0]) / (len(ticks) - 1)
    # No two learners can differ if the critical difference exceeds the range of ranks. The ruler
    # then ends with the axis, without a mark at its end.
    fits = critical_difference <= len(ticks) - 1
    end = ticks[0] + min(critical_difference, len(ticks) - 1) * mm_per_rank
    axes.plot([ticks[0], end], [RULER_MM, RULER_MM], **line)
    for x in (ticks[0], end) if fits else (ticks[0],):
        axes.plot([x, x], [RULER_MM - 0.8, RULER_MM + 0.8], **line)
    number = number_text(critical_difference, 2)
    text = f"CD = {number}" + ("" if fits else ", longer than the axis")
    axes.text(ticks[0], RULER_MM - 1.2, text, ha="left", va="bottom")


def _name_rows(names: Sequence[str], top: float) -> tuple[list[float], float]:
    """The middle of the row of each name, and the lower end of the last row, in mm from the top."""
    heights = [NAME_MM + style.LINE_MM * name.count("\n") for name in names]
    ends = top + np.cumsum([0.0, *heights])
    middles = [float(end + height / 2) for end, height in zip(ends[:-1], heights, strict=True)]
    return middles, ends[-1]


def _notes(
    row: pd.Series,
    simulated: Sequence[str],
    level: float,
    bars: str = "Bars join learners that do not differ",
    others: str = "",
) -> str:
    """The notes of the figure: number of streams, Friedman's test, and simulated streams."""
    chi2, p = number_text(float(row["statistic"]), 2), p_text(row["p_value"])
    text = (
        f"N = {int(row['streams'])} streams. Friedman: χ² = {chi2}, p {p}. {bars} by "
        f"Nemenyi's test at {100 * level:g} %. 1 is the best rank.{others}"
    )
    if len(simulated):
        text += f" Simulated streams: {', '.join(map(str, simulated))}."
    return fill(text, int((style.FULL_WIDTH_MM - 2 * GAP_MM) / style.MM_PER_LEGEND_LETTER))


#: All estimators, in the order of their dots from top to bottom.
ESTIMATORS = {
    "cumulative": DotMark("cumulative", "o", filled=True),
    "windowed": DotMark("last window", "s"),
    "faded": DotMark("faded", "D"),
    "algorithm_1": DotMark("Algorithm 1", "^"),
}
#: Height of a learner's row.
ROW_MM = 5.4
#: Width to the left of the panels, without the names.
LEFT_MM = 9.0
#: Smallest gap between the texts of two panels.
TEXT_GAP_MM = 2.0
#: A narrower panel has room for only three numbers at its axis.
NARROW_MM = 25.0


@style.styled
def draw_estimates(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a row of panels for each order of the instances, with a column for each measure."""
    frame, titles = frames["estimates"], subject.titles
    measures, learners = subject.settings.measures, subject.settings.learners
    chosen = frame[frame["measure"].isin(measures) & frame["learner"].isin(learners)]
    variants = variant_titles(frame["variant"])
    names = scales.wrap_names([titles.get(name, name) for name in learners])
    # 6 mm are between panels; 34 mm are for the title, the axis labels and the legend.
    panel_height_mm = 6 + scales.row_mm(names, ROW_MM) * len(learners)
    figure = style.titled_figure(
        (34 + panel_height_mm * len(variants)) / style.FULL_WIDTH_MM, **subject.stream_arguments
    )
    panels = figure.subplots(len(variants), len(measures), sharex="col", sharey=True, squeeze=False)
    for axes in panels.flat:
        scales.dot_rows(axes, names)
    for row, variant in zip(panels, variants, strict=True):
        row[0].set_ylabel(variants[variant], fontweight="bold")
        for axes, name in zip(row, measures, strict=True):
            part = chosen[(chosen["variant"] == variant) & (chosen["measure"] == name)]
            _draw_estimators(axes, MEASURES[name], part, learners)
    panel_width = _panel_width_mm(names, len(measures))
    letters = max(4, int((panel_width - TEXT_GAP_MM) / style.MM_PER_LEGEND_LETTER))
    for column, name in zip(panels.T, measures, strict=True):
        values = chosen.loc[chosen["measure"] == name, "value"]
        notes = [scales.fit(axes, MEASURES[name], values, along="x") for axes in column]
        # Lines of at most 22 letters, even in a wide panel.
        column[0].set_title(fill(" · ".join(notes[0]), min(letters, 22)), loc="right", pad=2.5)
        column[-1].set_xlabel(_label(MEASURES[name], letters))
        if panel_width < NARROW_MM:
            for axes in column:
                scales.limit_ticks(axes)
    lines = max(axes.get_xlabel().count("\n") for axes in panels[-1])
    style.make_room(figure, lines * style.LINE_MM)
    estimators = set(chosen["estimator"])
    handles = [mark.handle() for name, mark in ESTIMATORS.items() if name in estimators]
    if chosen["value"].isna().any():
        handles.append(scales.undefined_handle())
    style.legend(figure, handles, columns=len(handles))
    return figure


def _panel_width_mm(names: Sequence[str], panels: int) -> float:
    """The approximate width of a panel, with the gap beside it."""
    widest = max((len(line) for name in names for line in name.split("\n")), default=0)
    return (style.FULL_WIDTH_MM - LEFT_MM - style.MM_PER_LEGEND_LETTER * widest) / panels


def _label(measure: Measure, letters: int) -> str:
    """Title and symbol of a measure in lines of at most `letters` letters; splits long words."""
    # The TeX code of a symbol is longer than the symbol, so a stand-in takes its place in `fill`.
    stand_in = "\0" * len(measure.symbol)
    lines = fill(f"{measure.title} {stand_in}", letters)
    return lines.replace(stand_in, style.symbol_text(measure.symbol))


def _draw_estimators(
    axes: Axes, measure: Measure, part: pd.DataFrame, learners: Sequence[str]
) -> None:
    if measure.lower < 0:
        style.zero_line(axes, along="x")
    estimators = [name for name in ESTIMATORS if name in set(part["estimator"])]
    for learner, estimator, value in zip(
        part["learner"], part["estimator"], part["value"], strict=True
    ):
        y = scales.dot_y(learners.index(learner), estimators.index(estimator), len(estimators))
        scales.draw_dot(axes, ESTIMATORS[estimator], value, y, style.learner_look(learner).color)


#: Marks of a learner without and in its wrappers, by the suffix of its id.
MARKS = {
    "": DotMark("ordinary", "o"),
    CORRECTED: DotMark("Temporal Correction", "^", filled=True),
    AUGMENTED: DotMark("Temporally Augmented", "s", filled=True),
}
#: Titles of the panels, by estimator.
PANELS = {"cumulative": "accuracy over all instances", "faded": "faded accuracy"}
_BASELINES = ("no_change", "majority")
#: Smallest length of the axis of accuracies.
MIN_SPAN = 0.02
#: A baseline is left out, with a note, if the axis would be longer with it than this multiple of
#: the range of the learners.
STRETCH = 2.5


@style.styled
def draw_wrapped(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw accuracies of learners without and in two wrappers, and of the baselines.

    The panels have cumulative and faded accuracies, for instances in their original order.
    """
    frame, learners, titles = frames["estimates"], subject.settings.learners, subject.titles
    rows = frame[(frame["variant"] == "original") & (frame["measure"] == "accuracy")]
    ids = [learner + suffix for learner in learners for suffix in MARKS]
    values = pd.DataFrame(
        {name: _accuracies_by_learner(rows, name, [*_BASELINES, *ids]) for name in PANELS}
    )
    near = [name for name in _BASELINES if _is_near(values.loc[[name]], values.loc[ids])]
    names = scales.wrap_names([titles.get(learner, learner) for learner in learners])
    height_mm = 34 + scales.row_mm(names, 8.0) * len(learners)
    figure = style.titled_figure(height_mm / style.FULL_WIDTH_MM, **subject.stream_arguments)
    for axes, name in zip(figure.subplots(1, 2, sharex=True, sharey=True), PANELS, strict=True):
        scales.dot_rows(axes, names)
        _draw_wrappers(axes, values[name], learners, near)
        notes = [
            f"{titles.get(baseline, baseline)} ({number_text(values[name][baseline], 3)}) lies "
            "beyond the axis"
            for baseline in _BASELINES
            if baseline not in near
        ]
        axes.set_title("\n".join(notes), loc="right", pad=2.5)
        axes.set_xlabel(PANELS[name])
        scales.zoom(axes, values.loc[[*near, *ids]], MIN_SPAN, along="x")
    handles = [mark.handle() for mark in MARKS.values()]
    handles += style.learner_handles(near, titles)
    if values.isna().to_numpy().any():
        handles.append(scales.undefined_handle())
    style.legend(figure, handles, columns=len(handles))
    return figure


def _accuracies_by_learner(
    rows: pd.DataFrame, estimator: str, learners: Sequence[str]
) -> pd.Series:
    """An estimator's accuracies by learner."""
    return (
        rows[rows["estimator"] == estimator].set_index("learner")["value"].reindex(list(learners))
    )


def _is_near(baseline: pd.DataFrame, others: pd.DataFrame) -> bool:
    """Whether differences between the others remain visible on an axis with the baseline."""
    length = _range(pd.concat([baseline, others]))
    return length <= STRETCH * max(_range(others), MIN_SPAN)


def _range(values: pd.DataFrame) -> float:
    numbers = values.to_numpy(dtype=float)
    finite = numbers[np.isfinite(numbers)]
    return float(np.ptp(finite)) if finite.size else 0.0


def _draw_wrappers(
    axes: Axes, values: pd.Series, learners: Sequence[str], baselines: Sequence[str]
) -> None:
    for name in baselines:
        axes.axvline(values[name], **style.learner_look(name).line)
    for row, learner in enumerate(learners):
        for index, (suffix, mark) in enumerate(MARKS.items()):
            y = scales.dot_y(row, index, len(MARKS))
            color = style.learner_look(learner).color
            scales.draw_dot(axes, mark, values[learner + suffix], y, color)


#: Looks and names of the estimators that are not windows.
FIXED_LOOKS = {
    HOLD_OUT: (style.Look("#000000", style.SOLID, "", 2.4), "hold-out"),
    ADWIN: (style.Look("#AA4499", style.SOLID, "o", 2.3), "ADWIN"),
}
#: Looks of windows, from the shortest on. Curves of short windows fill the panel, so they are thin
#: and pale and lie below the other curves.
WINDOW_LOOKS = (
    style.Look("#9DD3E8", style.SOLID, "", 1.6),
    style.Look("#117733", style.SHORT, "s", 2.1),
    style.Look("#D55E00", style.DASH_DOT, "^", 2.2),
    style.Look("#332288", style.DASH_DOT_DOT, "v", 2.0),
    style.Look("#661100", style.DOTTED, "D", 2.0),
)
#: Look of the line at the distance of an error-free estimate to the hold-out.
FLOOR = style.Look("#4D4D4D", style.DOTTED)
#: Smallest upper end of the axis of distances, which begins at 0.
MIN_DISTANCE = 0.01
#: Height of a learner's panels.
PANEL_MM = 52.0


@style.styled
def draw_windows(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a row of two panels for each learner: estimates over time, and distances.

    Distances are to the hold-out, or to ADWIN if there is no hold-out.
    """
    curves, distances = frames["following"], frames["distances"]
    learners: Sequence[str] = subject.settings.learners
    looks = _looks(curves["estimator"])
    reference = HOLD_OUT if HOLD_OUT in looks else ADWIN
    aspect = (24 + PANEL_MM * len(learners)) / style.FULL_WIDTH_MM
    figure = style.titled_figure(aspect, **subject.stream_arguments)
    panels = figure.subplots(len(learners), 2, squeeze=False, sharex="col", width_ratios=(3.4, 1))
    for (left, right), learner in zip(panels, learners, strict=True):
        _draw_curves(left, curves[curves["learner"] == learner], looks)
        _draw_distances(right, distances[distances["learner"] == learner], looks)
        left.set_title(subject.titles.get(learner, learner), loc="left", pad=3)
    left, right = panels[-1]
    set_time_axis(left, axis_times(curves), axis_start(curves), length_factor=style.AXIS_FACTOR)
    largest = float(np.nanmax(distances[["distance", "high"]].to_numpy(dtype=float)))
    right.set_xlim(0, max(MIN_DISTANCE, 1.06 * largest))  # 6 % of free width
    scales.limit_ticks(right)
    right.set_xlabel(f"mean distance to\n{FIXED_LOOKS[reference][1]} (accuracy)")
    figure.align_ylabels(list(panels[:, 0]))
    handles = [style.handle(*looks[name]) for name in looks]
    if "floor" in distances:
        handles.append(style.handle(FLOOR, "the hold-out's own error"))
    marks = mark_drifts(panels[:, 0], curves, subject.drifts)
    style.legend(figure, [*handles, *marks], columns=len(handles))
    return figure


draw_holdout = draw_windows  # `function_of` finds functions by name


def _looks(estimators: pd.Series) -> dict[str, tuple[style.Look, str]]:
    """Look and name of each estimator; windows are last, from the shortest on."""
    names = set(estimators)
    looks = {name: FIXED_LOOKS[name] for name in FIXED_LOOKS if name in names}
    lengths = sorted(int(name.removeprefix(WINDOW)) for name in names if name.startswith(WINDOW))
    for index, length in enumerate(lengths):
        look = WINDOW_LOOKS[index % len(WINDOW_LOOKS)]
        looks[f"{WINDOW}{length}"] = (look, f"window of {length:,}")
    return looks


def _draw_curves(
    axes: Axes, curves: pd.DataFrame, looks: Mapping[str, tuple[style.Look, str]]
) -> None:
    for index, (name, (look, _)) in enumerate(looks.items()):
        part = curves[curves["estimator"] == name].sort_values("instance")
        step = max(1, len(part) // style.MARKERS_PER_LINE)
        axes.plot(
            axis_numbers(axis_times(part)),
            part["accuracy"],
            linewidth=0.6 if look is WINDOW_LOOKS[0] else 1.0,  # see `WINDOW_LOOKS`
            marker=look.marker,
            markevery=(index * step // 5 % step, step),  # shifted, so that markers do not overlap
            **look.line,
        )
    scales.zoom(axes, curves["accuracy"], min_length=0.1)
    axes.set_ylabel("accuracy")


def _draw_distances(
    axes: Axes, distances: pd.DataFrame, looks: Mapping[str, tuple[style.Look, str]]
) -> None:
    names = [name for name in looks if name in set(distances["estimator"])]
    rows = distances.set_index("estimator").loc[names]
    for y, name in enumerate(names):
        look, row = looks[name][0], rows.loc[name]
        axes.errorbar(
            row["distance"],
            y,
            xerr=[[row["distance"] - row["low"]], [row["high"] - row["distance"]]],
            color=look.color,
            marker=look.marker or "x",
            markeredgecolor=None if look.marker else look.color,
            markeredgewidth=None if look.marker else 1.2,
            elinewidth=0.9,
        )
    if "floor" in rows:
        axes.axvline(float(rows["floor"].iloc[0]), **FLOOR.line)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(
        range(len(names)), [looks[name][1].removeprefix("window of ") for name in names]
    )
    axes.set_ylabel("window (predictions)")
    axes.grid(visible=False, axis="y")


def draw_measures(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    curves, settings = frames["curves"], subject.settings
    return measure_curves(
        curves,
        measures=settings.measures,
        learners=settings.learners,
        titles=subject.titles,
        begin=axis_start(curves),
        drifts=subject.drifts,
        **subject.stream_arguments,
    )


def wide_measures(
    predictions: PredictionTable, learners: Sequence[str], measures: Sequence[str]
) -> pd.DataFrame:
    """A row for each learner with a column for each measure, NaN where undefined."""
    # Imported here, as layouts do not need its compiled kernels.
    from streameval.evaluation.measurements import overall_measures

    rows = overall_measures(predictions, learners, measures)
    wide = rows.pivot(index="learner", columns="measure", values="value")  # noqa: PD010
    return wide.loc[[*learners], [*measures]].rename_axis(columns=None).reset_index()


def study_overall_measures(
    stream_inputs: StreamInputs, item: ItemInput[OverallMeasuresSettings]
) -> pd.DataFrame:
    """The table for several streams: columns stream, simulated, learner and the measures."""
    measures = item.settings.measures
    learners = tuple(dict.fromkeys((*CLASSIFICATION_BASELINES, *item.settings.learners)))

    def part(stream_input: StreamInput[Any]) -> pd.DataFrame:
        return wide_measures(stream_input.predictions(), learners, measures)

    table = table_over_streams(stream_inputs, part, (*item.columns, *measures))
    if item.settings.published:
        table = with_published_measures(table, measures, item.resource(item.settings.published))
    table = with_failed_column(table, stream_inputs)
    return table.assign(learner=[item.titles.get(name, name) for name in table["learner"]])


#: Suffixes of the columns with the difference to a published value, and with the verdict.
_DIFFERENCE, _VERDICT = "difference", "agreement"
#: Suffixes of all columns about the published values of a measure.
_PUBLISHED_SUFFIXES = ("published", _DIFFERENCE, _VERDICT)


def with_published_measures(
    table: pd.DataFrame, measures: Sequence[str], path: Path
) -> pd.DataFrame:
    """Add columns with published values, differences and verdicts for each published measure."""
    rows = table.to_dict("records")
    ours: dict[tuple[str, ...], OurValues] = {
        (row["stream"], row["learner"], name): OurValues(
            [row[name]], reason="undefined", is_simulated=row["simulated"]
        )
        for row in rows
        for name in measures
    }
    table, comparisons = table.copy(), compare_published_file(path, ours)
    published_measures = {measure for _, _, measure in comparisons}
    for name in measures:
        if name in published_measures:
            # A pair is the published value and its comparison with ours.
            pairs = [comparisons.get((row["stream"], row["learner"], name)) for row in rows]
            printed, difference, agreement = (f"{name}_{suffix}" for suffix in _PUBLISHED_SUFFIXES)
            table[printed] = [pair[0].printed if pair else "" for pair in pairs]
            table[difference] = [pair[1].difference if pair else np.nan for pair in pairs]
            table[agreement] = [pair[1].verdict if pair else "" for pair in pairs]
    return table


def layout_overall_measures(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item; headings are the symbols of measures.

    If there is only one stream, a note names it instead of a column.
    """
    measures = list(subject.settings.measures)
    names = stream_names(table, subject.streams)
    possible_columns = [f"{name}_{suffix}" for name in measures for suffix in _PUBLISHED_SUFFIXES]
    published_columns = [name for name in possible_columns if name in table]
    cells = table[["learner", *measures, *published_columns]].copy()
    for name in published_columns:
        if name.endswith(_DIFFERENCE):
            values = cells[name].tolist()
            cells[name] = ["" if np.isnan(value) else number_text(value) for value in values]
    notes = stream_notes(table)
    if len(set(names)) == 1:
        notes = (f"Stream: {names[0]}.", *notes)
    else:
        cells = cells.assign(stream=names)[["stream", *cells.columns]]
    symbols = {name: MEASURES[name].symbol for name in measures}
    heads = symbols | {"accuracy": "accuracy"}
    for name in published_columns:
        measure, _, suffix = name.rpartition("_")
        heads[name] = "Verdict" if suffix == _VERDICT else f"{heads[measure]}, {suffix}"
    layout = plain_table(cells, heads, notes)
    if FAILED not in table:
        return layout
    rows = [{**row, FAILED: error} for row, error in zip(layout.rows, table[FAILED], strict=True)]
    return with_failed_cells(replace(layout, rows=rows), measures)


def study_kappa_significance(
    stream_inputs: StreamInputs, item: ItemInput[KappaSignificanceSettings]
) -> pd.DataFrame:
    """The significance test of κ > 0 (Žliobaitė et al. 2015, Equations 11 and 12)."""

    def part(stream_input: StreamInput[Any]) -> pd.DataFrame:
        measures = item.columns[3:]  # after stream, simulated and learner
        return wide_measures(stream_input.predictions(), item.settings.learners, measures)

    return with_failed_column(table_over_streams(stream_inputs, part, item.columns), stream_inputs)


def layout_kappa_significance(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out κ with its standard error and test: a line for each stream and learner."""
    level = f"Above chance: by the one-sided test at {100 * LEVEL:g} %."
    caveat = (
        "Both standard errors assume independent predictions. Labels in runs violate this, and z "
        "is then too large."
    )
    columns = [
        text_column("Stream", "name"),
        learner_column(subject),
        number_column("κ", "kappa"),
        number_column("δ_κ", "kappa_standard_error"),
        number_column("z", "kappa_z", 1),
        Column("above chance", ["kappa_p_value"], _rejects, kind="text"),
    ]
    names = pd.Series(stream_names(table, subject.streams), table.index, dtype=object)
    # The name of a stream stands in the first of its rows.
    with_names = table.assign(name=names.where(names != names.shift(), ""))
    return with_failed_cells(
        frame_table(with_names, columns, (level, caveat)),
        ("kappa", "kappa_standard_error", "kappa_z", "kappa_p_value"),
    )


def _rejects(p_value: float) -> str:
    if np.isnan(p_value):
        return NO_VALUE
    return "yes" if p_value < LEVEL else "no"


def study_holdout_distances(
    stream_inputs: StreamInputs, item: ItemInput[HoldoutDistancesSettings]
) -> pd.DataFrame:
    """The table: column stream, then the columns of the frame of `holdout`."""
    parts = [
        frame.assign(stream=name, learner=[item.titles.get(key, key) for key in frame["learner"]])
        for name, frame in item.frames_of_streams("distances").items()
    ] or [pd.DataFrame(columns=[*item.columns])]
    return pd.concat(parts, ignore_index=True)[[*item.columns]]


def layout_holdout_distances(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a line for each stream and learner."""
    names = list(dict.fromkeys(table["estimator"]))
    rows = []
    for (stream, learner), part in table.groupby(["stream", "learner"], sort=False):
        by_estimator = part.set_index("estimator")
        ends = by_estimator[["distance", "low", "high"]]
        distances = [plus_minus(*ends.loc[name]) if name in ends.index else "" for name in names]
        instances = number_text(int(part["instances"].iloc[0]))
        title = subject.streams.get(str(stream), str(stream))
        rows.append(
            [title, learner, instances, *distances, number_text(float(part["floor"].iloc[0]))]
        )
    header = ["Stream", "Learner", "Instances", *map(_estimator_title, names), "Hold-out's own"]
    note = (
        "Mean absolute distance of estimates of accuracy to the hold-out, ± half of the 95 % "
        "interval, which accounts for dependence; without an interval where the effective sample "
        f"size of tests is less than {MIN_EFFECTIVE_SIZE}."
    )
    cells = pd.DataFrame(rows, columns=header, dtype=object)
    return text_frame_table(cells, "ll" + "r" * (len(names) + 2), (note,))


def _estimator_title(estimator: str) -> str:
    if estimator == ADWIN:
        return "ADWIN"
    return f"Window of {int(estimator.removeprefix(WINDOW)):,}"


def layout_critical_difference(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each learner, the best first."""
    if table.empty:  # too many learners failed
        return text_frame_table(pd.DataFrame(columns=["Learner", "Mean rank"]), "lr", (_NO_RANKS,))
    test = table.iloc[0]  # the same in all rows
    chi2, critical_difference = (
        number_text(float(test[key]), 2) for key in ("statistic", "critical_difference")
    )
    test_note = (
        f"{int(test['streams'])} streams. Friedman: χ² = {chi2}, p {p_text(test['p_value'])}. "
        f"The critical difference is {critical_difference} ranks."
    )
    n_simulated = int(test["simulated"])
    resemblance = "resembles a real one" if n_simulated == 1 else "resemble real ones"
    simulated_note = f"{n_simulated} of the streams only {resemblance}."
    notes = (test_note, simulated_note) if n_simulated else (test_note,)
    symbol = phrase_of_measure(subject.settings.measure_or_default)
    columns = [
        learner_column(subject),
        number_column("Mean rank", "mean_rank", 2),
        number_column(f"Mean {symbol}", "mean"),
    ]
    places = dict[str, int]()
    if len(table) > MAX_IN_DIAGRAM:  # the names of many learners do not fit into a cell
        table = table.assign(place=range(1, len(table) + 1))
        places = dict(zip(table["learner"], range(1, len(table) + 1), strict=True))
        columns.insert(0, count_column("Place", "place"))
    columns.append(
        Column(
            "Does not differ from",
            ["alike"],
            lambda names: _places_text(names, places) if places else _titles(names, subject),
            kind="text",
        )
    )
    return frame_table(table, columns, notes)


def _places_text(names: object, places: Mapping[str, int]) -> str:
    """The first and last place of some learners; they have all places in between."""
    listed = [places[name] for name in _ids(names)]
    return f"places {min(listed)} to {max(listed)}" if listed else "none"


def _titles(names: object, subject: Subject) -> str:
    return ", ".join(subject.titles.get(name, name) for name in _ids(names)) or "none"


def _ids(names: object) -> list[str]:
    """The ids of learners in a cell; an empty cell of a file is NaN."""
    return names.split() if isinstance(names, str) else []
