"""Measures at the end of a stream by estimator, and accuracies of wrapped learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.drawing import scales, style
from streameval.drawing.scales import Mark
from streameval.drawing.subject import Subject
from streameval.evaluation.roles import AUGMENTED, CORRECTED
from streameval.measures.registry import MEASURES, Measure
from streameval.report.names import variant_titles
from streameval.view.numbers import number_text

#: All estimators, in the order in which their dots lie below each other.
ESTIMATORS = {
    "cumulative": Mark("cumulative", "o", filled=True),
    "windowed": Mark("last window", "s"),
    "faded": Mark("faded", "D"),
    "algorithm_1": Mark("Algorithm 1", "^"),
}
ROW_MM = 5.4
#: Width of what is left of the panels, but for the names; and the least gap between two texts.
LEFT_MM, GAP_MM = 9.0, 2.0
#: A panel this narrow has room for three numbers at its axis.
NARROW_MM = 25.0


@style.styled
def draw_estimates(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a row of panels for each order of the instances, with a column for each measure."""
    frame, titles = frames["estimates"], subject.titles
    measures, learners = subject.settings.measures, subject.settings.learners
    chosen = frame[frame["measure"].isin(measures) & frame["learner"].isin(learners)]
    variants = variant_titles(frame["variant"])
    names = scales.broken([titles.get(name, name) for name in learners])
    panel_mm = 6 + scales.row_mm(names, ROW_MM) * len(learners)
    drawn = style.sheet((34 + panel_mm * len(variants)) / style.WIDTH_MM[2], **subject.stream)
    panels = drawn.subplots(len(variants), len(measures), sharex="col", sharey=True, squeeze=False)
    for axes in panels.flat:
        scales.dot_rows(axes, names)
    for row, variant in zip(panels, variants, strict=True):
        row[0].set_ylabel(variants[variant], fontweight="bold")
        for axes, name in zip(row, measures, strict=True):
            part = chosen[(chosen["variant"] == variant) & (chosen["measure"] == name)]
            _draw_estimators(axes, MEASURES[name], part, learners)
    room_mm = _room_mm(names, len(measures))
    letters = max(4, int((room_mm - GAP_MM) / style.MM_PER_LEGEND_LETTER))
    for column, name in zip(panels.T, measures, strict=True):
        values = chosen.loc[chosen["measure"] == name, "value"]
        notes = [scales.fit(axes, MEASURES[name], values, along="x") for axes in column]
        column[0].set_title(fill(" · ".join(notes[0]), min(letters, 22)), loc="right", pad=2.5)
        column[-1].set_xlabel(_label(MEASURES[name], letters))
        if room_mm < NARROW_MM:
            for axes in column:
                scales.thin(axes)
    lines = max(axes.get_xlabel().count("\n") for axes in panels[-1])
    style.make_room(drawn, lines * style.LINE_MM)
    shown = set(chosen["estimator"])
    handles = [mark.handle() for name, mark in ESTIMATORS.items() if name in shown]
    if chosen["value"].isna().any():
        handles.append(scales.undefined_handle())
    style.legend(drawn, handles, columns=len(handles))
    return drawn


def _room_mm(names: Sequence[str], panels: int) -> float:
    """Return the approximate width of a panel, with the gap beside it."""
    widest = max((len(line) for name in names for line in name.split("\n")), default=0)
    return (style.WIDTH_MM[2] - LEFT_MM - style.MM_PER_LEGEND_LETTER * widest) / panels


def _label(measure: Measure, letters: int) -> str:
    """Return title and symbol of a measure in lines of so many letters, long words broken."""
    # Wherever it breaks, the symbol takes the room that is seen, and not that of its formula.
    stand_in = "\0" * len(measure.symbol)
    lines = fill(f"{measure.title} {stand_in}", letters)
    return lines.replace(stand_in, style.symbol_text(measure.symbol))


def _draw_estimators(
    axes: Axes, measure: Measure, part: pd.DataFrame, learners: Sequence[str]
) -> None:
    if measure.lower < 0:
        style.zero_line(axes, along="x")
    shown = [name for name in ESTIMATORS if name in set(part["estimator"])]
    for learner, estimator, value in zip(
        part["learner"], part["estimator"], part["value"], strict=True
    ):
        y = scales.dot_height(learners.index(learner), shown.index(estimator), len(shown))
        scales.draw_dot(axes, ESTIMATORS[estimator], value, y, style.learner_look(learner).color)


#: How ids of a learner end, alone and in its wrappers.
MARKS = {
    "": Mark("ordinary", "o"),
    CORRECTED: Mark("Temporal Correction", "^", filled=True),
    AUGMENTED: Mark("Temporally Augmented", "s", filled=True),
}
PANELS = {"cumulative": "accuracy over all instances", "faded": "faded accuracy"}
_BASELINES = ("no_change", "majority")
#: The axis is at least so long.
LEAST_SPAN = 0.02
#: A baseline that would make the axis longer than this many times what the learners take is left
#: out, and said to be beside it.
STRETCH = 2.5


@style.styled
def draw_wrapped(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw accuracies of learners alone and in two wrappers, beside those of the baselines.

    They are cumulative and faded, on the instances in their own order.
    """
    frame, learners, titles = frames["estimates"], subject.settings.learners, subject.titles
    rows = frame[(frame["variant"] == "original") & (frame["measure"] == "accuracy")]
    ids = [learner + form for learner in learners for form in MARKS]
    values = pd.DataFrame({name: _column(rows, name, [*_BASELINES, *ids]) for name in PANELS})
    near = [name for name in _BASELINES if _is_near(values.loc[[name]], values.loc[ids])]
    names = scales.broken([titles.get(learner, learner) for learner in learners])
    height_mm = 34 + scales.row_mm(names, 8.0) * len(learners)
    drawn = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    for axes, name in zip(drawn.subplots(1, 2, sharex=True, sharey=True), PANELS, strict=True):
        scales.dot_rows(axes, names)
        _draw_wrappers(axes, values[name], learners, near)
        far = [
            f"{titles.get(other, other)} ({number_text(values[name][other], 3)}) lies beyond the "
            "axis"
            for other in _BASELINES
            if other not in near
        ]
        axes.set_title("\n".join(far), loc="right", pad=2.5)
        axes.set_xlabel(PANELS[name])
        scales.zoom(axes, values.loc[[*near, *ids]], LEAST_SPAN, along="x")
    handles = [mark.handle() for mark in MARKS.values()]
    handles += style.learner_handles(near, titles)
    if values.isna().to_numpy().any():
        handles.append(scales.undefined_handle())
    style.legend(drawn, handles, columns=len(handles))
    return drawn


def _column(rows: pd.DataFrame, estimator: str, learners: Sequence[str]) -> pd.Series:
    """Return an estimator's accuracies by learner."""
    return rows[rows["estimator"] == estimator].set_index("learner")["value"][list(learners)]


def _is_near(baseline: pd.DataFrame, others: pd.DataFrame) -> bool:
    """Return whether a baseline leaves the differences between the others large enough to see."""
    together = _length(pd.concat([baseline, others]))
    return together <= STRETCH * max(_length(others), LEAST_SPAN)


def _length(values: pd.DataFrame) -> float:
    known = values.to_numpy(dtype=float)
    known = known[np.isfinite(known)]
    return float(np.ptp(known)) if known.size else 0.0


def _draw_wrappers(
    axes: Axes, values: pd.Series, learners: Sequence[str], baselines: Sequence[str]
) -> None:
    for name in baselines:
        axes.axvline(values[name], **style.learner_look(name).line)
    for row, learner in enumerate(learners):
        for number, (form, mark) in enumerate(MARKS.items()):
            y = scales.dot_height(row, number, len(MARKS))
            color = style.learner_look(learner).color
            scales.draw_dot(axes, mark, values[learner + form], y, color)
