"""Results in notebooks: measures, differences from the baselines, and a line over time or bins."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from streameval.view import notebook
from streameval.view.words import score

#: Reasons that are given in sentences; more are only at the values.
_MOST_REASONS = 2


class Column(NamedTuple):
    """A measure of all learners.

    Parameters
    ----------
    name : str
        Of the measure.
    values : sequence of float
        By learner; NaN where undefined.
    reasons : sequence of str
        Why, in the same order.
    upper : float
        The greatest possible value.
    """

    name: str
    values: Sequence[float]
    reasons: Sequence[str]
    upper: float


class Gap(NamedTuple):
    """By how much a learner is better than a baseline.

    Parameters
    ----------
    value, low, high : float
        Above 0 the learner is better; ends of the 95 % interval, NaN where there is none.
    text : str
        These numbers.
    reason : str
        Why there is no interval.
    """

    value: float
    low: float
    high: float
    text: str
    reason: str


class View(NamedTuple):
    """A result, as a notebook shows it.

    Parameters
    ----------
    summary : str
        The result in a line.
    learners, baselines : sequence of str
        The names of the rows, and those among them that are baselines.
    columns : sequence of Column
        The measures.
    gaps : mapping of str to mapping
        By the head of a column, then by learner; a baseline is not compared with itself.
    head : str
        What lines are about.
    lines : mapping of str to sequence of float
        By learner; empty without lines.
    notes : sequence of str
        Sentences below.
    """

    summary: str
    learners: Sequence[str]
    baselines: Sequence[str]
    columns: Sequence[Column]
    gaps: Mapping[str, Mapping[str, Gap]]
    head: str
    lines: Mapping[str, Sequence[float]]
    notes: Sequence[str]


def result_html(view: View) -> str:
    """Return a result for notebooks."""
    shown = notebook.chosen(view.learners, view.baselines)
    heads = ["", *(column.name.replace("_", " ") for column in view.columns), *view.gaps]
    rows = [[notebook.name(name)] for name in shown]
    for column in view.columns:
        low, high = notebook.scale(column.values)
        low, high = max(low, -1.0), column.upper if math.isfinite(column.upper) else high
        own = dict(zip(view.learners, zip(column.values, column.reasons, strict=True), strict=True))
        for row, name in zip(rows, shown, strict=True):
            value, why = own[name]
            row.append(notebook.cell(score(value), notebook.bar(value, low, high), why=why))
    gaps = [gap for column in view.gaps.values() for gap in column.values()]
    low, high = notebook.scale([end for gap in gaps for end in gap[:3]])
    for column_of in view.gaps.values():
        for row, name in zip(rows, shown, strict=True):
            gap = column_of.get(name)
            if gap is None:  # the baseline itself
                row.append(notebook.cell(""))
                continue
            drawn = notebook.interval(gap.value, (gap.low, gap.high), low, high)
            text = "undefined" if math.isnan(gap.value) else gap.text
            row.append(notebook.cell(text, drawn, why=gap.reason))
    if view.lines:
        heads.append(view.head)
        values = [value for name in shown for value in view.lines[name]]
        known = [value for value in values if not math.isnan(value)] or [0.0]
        for row, name in zip(rows, shown, strict=True):
            row.append(_line(view.lines[name], min(known), max(known)))
    reasons = dict.fromkeys(gap.reason for gap in gaps if gap.reason)
    notes = [*view.notes, *_why_none(reasons)]
    return notebook.fragment(
        notebook.paragraph(view.summary),
        notebook.table(heads, rows, notebook.rest(len(shown), len(view.learners), "learners")),
        *(notebook.paragraph(note, note=True) for note in notes),
    )


def _line(values: Sequence[float], low: float, high: float) -> str:
    first, last = score(values[0]), score(values[-1])
    return notebook.cell(f"{first} → {last}", notebook.line(values, low, high))


def _why_none(reasons: Collection[str]) -> list[str]:
    """Return why differences have no interval."""
    if len(reasons) > _MOST_REASONS:
        return ["No interval where there are no brackets; the tip of each cell says why."]
    return [f"No interval: {reason}." for reason in reasons]
