"""Lay out measures of learners over whole streams."""

from __future__ import annotations

import pandas as pd

from streameval.measures.registry import MEASURES
from streameval.report.subject import Subject
from streameval.report.tables import DECIMALS, Layout, plain_layout


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: measures by their symbols."""
    symbols = {name: MEASURES[name].symbol for name in subject.settings.measures}
    return plain_layout(table, DECIMALS, symbols | {"accuracy": "accuracy"})
