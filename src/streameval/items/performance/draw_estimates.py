"""What estimators say of learners in several orders (Žliobaitė et al. 2015, Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.errors import DataError
from streameval.items.subject import Subject
from streameval.measures.registry import MEASURES, Measure
from streameval.report import scales, style
from streameval.report.names import variant_titles
from streameval.report.results import (
    as_numbers,
)
from streameval.report.scales import Mark

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


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    shown = {"measures": subject.settings.measures, "learners": subject.settings.learners}
    return estimates(frames["estimates"], **shown, titles=subject.titles, **subject.stream)


@style.styled
def estimates(
    frame: pd.DataFrame,
    *,
    measures: Sequence[str],
    learners: Sequence[str],
    titles: Mapping[str, str],
    title: str,
    simulated: bool,
) -> Figure:
    """Draw a row of panels per variant of the stream, with a column per measure.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns variant (as in `streameval.streams.variants`), learner, estimator (a key of
        `ESTIMATORS`), measure, value (NaN where undefined, which is marked). Variants come in
        the order of their first rows. An estimator may be left out, also for some measures.
    measures, learners : sequence of str
        What to draw, in this order, from left to right and from top to bottom.
    titles : mapping of str to str
        Names of the learners, for people.
    title : str
        What stands above: the stream, for people.
    simulated : bool
        Whether the stream is simulated; it is then marked.
    """
    chosen = _checked(frame, measures, learners)
    variants = variant_titles(frame["variant"])
    names = scales.broken([titles.get(name, name) for name in learners])
    panel_mm = 6 + scales.row_mm(names, ROW_MM) * len(learners)
    drawn = style.figure(columns=2, aspect=(34 + panel_mm * len(variants)) / style.WIDTH_MM[2])
    style.headline(drawn, title, simulated)
    panels = drawn.subplots(len(variants), len(measures), sharex="col", sharey=True, squeeze=False)
    for axes in panels.flat:
        scales.dot_rows(axes, names)
    for row, variant in zip(panels, variants, strict=True):
        row[0].set_ylabel(variants[variant], fontweight="bold")
        for axes, name in zip(row, measures, strict=True):
            part = chosen[(chosen["variant"] == variant) & (chosen["measure"] == name)]
            _draw_panel(axes, MEASURES[name], part, learners)
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
    """Return about how wide a panel is, with the gap beside it."""
    widest = max((len(line) for name in names for line in name.split("\n")), default=0)
    return (style.WIDTH_MM[2] - LEFT_MM - style.MM_PER_LEGEND_LETTER * widest) / panels


def _label(measure: Measure, letters: int) -> str:
    """Return title and symbol of a measure in lines of so many letters, long words broken."""
    # Wherever it breaks, the symbol takes the room that is seen, and not that of its formula.
    stand_in = "\0" * len(measure.symbol)
    lines = fill(f"{measure.title} {stand_in}", letters)
    return lines.replace(stand_in, style.symbol_text(measure.symbol))


def _checked(frame: pd.DataFrame, measures: Sequence[str], learners: Sequence[str]) -> pd.DataFrame:
    """Return the rows that are drawn, with numbers as values."""
    if frame.empty:
        raise DataError("Estimates: expected at least one variant of the stream, found none.")
    chosen = frame[frame["measure"].isin(measures) & frame["learner"].isin(learners)]
    return chosen.assign(value=as_numbers(chosen["value"], "Estimates"))


def _draw_panel(axes: Axes, measure: Measure, part: pd.DataFrame, learners: Sequence[str]) -> None:
    if measure.lower < 0:
        style.zero_line(axes, along="x")
    shown = [name for name in ESTIMATORS if name in set(part["estimator"])]
    for learner, estimator, value in zip(
        part["learner"], part["estimator"], part["value"], strict=True
    ):
        y = scales.dot_height(learners.index(learner), shown.index(estimator), len(shown))
        scales.draw_dot(axes, ESTIMATORS[estimator], value, y, style.learner_look(learner).color)
