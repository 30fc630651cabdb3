"""Lay out how often verdicts are given, by law, validation and length."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.names import VALIDATIONS
from streameval.report.tables import Layout, number_text

COLUMNS = ("title", "validation", "instances", "streams", "interval", "excludes", "better", "equal")


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a row for each law, validation and length."""
    shown = pd.DataFrame(
        {
            "Learners": table["title"],
            "Validation": [VALIDATIONS[name] for name in table["validation"]],
            "Instances": [number_text(int(n)) for n in table["instances"]],
            "Streams": [number_text(int(n)) for n in table["streams"]],
            "with an interval": [number_text(value, 2) for value in table["interval"]],
            "verdict, region 0": [_rate(row, "excludes") for _, row in table.iterrows()],
            "verdict, region 1": [_rate(row, "better") for _, row in table.iterrows()],
            "practically equal": [number_text(value, 2) for value in table["equal"]],
            "before": [number_text(value, 2) for value in table["by_other"]],
        },
        dtype=object,
    )
    return Layout(shown, "ll" + "r" * 7)


def _rate(row: pd.Series, name: str) -> str:
    value, low, high = (number_text(float(row[f"{name}{end}"]), 3) for end in ("", "_low", "_high"))
    return f"{value} ({low} to {high})"
