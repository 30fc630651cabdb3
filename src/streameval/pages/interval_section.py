"""Section of a page on the prediction intervals of regressors."""

from __future__ import annotations

import math

from streameval.evaluation.number_measures import number_measures
from streameval.pages.findings import Findings
from streameval.pages.page import Section, number, present
from streameval.view.blocks import Words, texts_table

#: The measures that are shown, with whether they are in the unit of the target.
_SHOWN = {
    "interval_coverage": False,
    "mean_interval_width": True,
    "normalised_interval_width": False,
    "interval_score": True,
    "limited_intervals": False,
    "infinite_intervals": False,
}
_NOTE = (
    "Interval score: the width, and a penalty for each target outside; the less, the better. "
    "Skill: one less the ratio of the scores, 0 is as good as the baseline with the same kind of "
    "intervals. These numbers have no intervals of their own: simulated ones are false too often."
)


def interval_section(found: Findings, prefix: str) -> list[Section]:
    """Return the section on prediction intervals; none where there are none."""
    if not found.intervals:
        return []
    known = number_measures(found.all_learners, found.intervals)
    first = next(iter(found.intervals.values()))
    keys = [
        name for name in first if name in known and (name in _SHOWN or known[name].symbol == "S")
    ]
    heads = ["", *(known[name].title for name in keys)]
    rows = [
        [found.title(name), *(_cell(found, key, float(row[key])) for key in keys)]
        for name, row in found.intervals.items()
    ]
    level = first["coverage"]
    nominal = "" if math.isnan(level) else f", with a nominal coverage of {level:g}"
    arrival = " on arrival" if found.waiting is not None else ""
    caption = (
        f"Prediction intervals{arrival}{nominal}; widths and scores in the unit of the target."
    )
    parts = present([texts_table(caption, heads, rows), Words([_NOTE], note=True)])
    return [Section(f"{prefix}intervals", "Prediction intervals", parts)]


def _cell(found: Findings, measure: str, value: float) -> str:
    if math.isinf(value):
        return "infinite"
    return "–" if math.isnan(value) else number(value, found.digits if _SHOWN.get(measure) else 3)
