"""Lay out mean ranks of learners over streams."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.measures.registry import MEASURES
from streameval.report.tables import Layout, number_text, p_text


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a row for each learner, the best first."""
    rows = [
        [
            subject.titles.get(row["learner"], row["learner"]),
            number_text(float(row["mean_rank"]), 2),
            number_text(float(row["mean"])),
            _alike(row["alike"], subject),
        ]
        for row in table.to_dict("records")
    ]
    one = table.iloc[0]
    chi2, gap = (number_text(float(one[key]), 2) for key in ("statistic", "critical_difference"))
    about = (
        f"{int(one['streams'])} streams. Friedman: χ² = {chi2}, p {p_text(one['p_value'])}. The "
        f"critical difference is {gap} ranks."
    )
    number = int(one["simulated"])
    simulated = (
        f"{number} of the streams only resemble{'s a real one' if number == 1 else ' real ones'}."
    )
    notes = (about, simulated) if one["simulated"] else (about,)
    name = subject.settings.measure
    symbol = name if name == "accuracy" else MEASURES[name].symbol
    header = ["Learner", "Mean rank", f"Mean {symbol}"]
    cells = pd.DataFrame(rows, columns=[*header, "Does not differ from"], dtype=object)
    return Layout(cells, "lrrl", notes)


def _alike(names: object, subject: Subject) -> str:
    """Return the titles of learners; an empty cell of a file is NaN."""
    known = str(names).split() if isinstance(names, str) else []
    return ", ".join(subject.titles.get(name, name) for name in known) or "none"
