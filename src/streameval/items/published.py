"""Published values as columns of a table's data, and as texts of the table for people."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

from streameval.base.values import enumeration
from streameval.report.number_verdicts import DIFFERS, REPRODUCED, WITHIN
from streameval.report.published_values import OurValues, PublishedValue, compare_published_file
from streameval.view.numbers import number_text

#: End of the name of a row with published values.
PUBLISHED = ", published"
#: End of the name of a row with the differences ours - published.
DIFFERENCE = ", difference"
#: Signs of verdicts on published numbers.
_SIGNS = {REPRODUCED: "=", WITHIN: "≈", DIFFERS: "≠"}


def with_published_columns(
    table: pd.DataFrame, ours: Mapping[tuple[str, ...], OurValues], path: Path | None
) -> pd.DataFrame:
    """Add published values to the rows of a table, each compared with ours.

    Parameters
    ----------
    table : DataFrame
        Any columns, with the index 0, 1, ...
    ours : mapping
        Our values of each row, in the order of rows. The keys are stream, learner, measure and, if
        rows are about bins, bin.
    path : Path or None
        The file of published values.

    Returns
    -------
    DataFrame
        With the columns published (as printed), difference (in the same unit), agreement (the
        scorecard's verdict), rule, why and source; empty where nothing is published.
    """
    texts = ("published", "agreement", "rule", "why", "source")
    table = table.assign(**dict.fromkeys(texts, ""), difference=np.nan)
    if path is None:
        return table
    rows = {key: row for row, key in enumerate(ours)}
    for key, (value, comparison) in compare_published_file(path, ours).items():
        cells = [value.printed, comparison.verdict, comparison.rule, comparison.reason]
        table.loc[rows[key], [*texts]] = [*cells, value.source]
        table.loc[rows[key], "difference"] = comparison.difference
    return table


def published_texts(
    rows: pd.DataFrame, is_percent: bool, digits: int
) -> tuple[list[str], list[str]]:
    """Texts of published values, with the signs of their verdicts, and texts of differences.

    With `is_percent` both are percentages, otherwise fractions. Differences have at least `digits`
    decimals. A text is "" where nothing is published.
    """
    printed, differences = list[str](), list[str]()
    for row in rows.to_dict("records"):
        if not row["published"]:
            printed.append("")
            differences.append("")
            continue
        # Only the number is used; its stream, learner and measure do not matter.
        value = PublishedValue("", "", "", printed=row["published"], source=row["source"])
        factor = (100.0 if is_percent else 1.0) / (100.0 if value.is_percent else 1.0)
        # A verdict may continue with ", at a lower scale".
        sign = next((_SIGNS[name] for name in _SIGNS if row["agreement"].startswith(name)), "")
        decimals = _decimals(value, is_percent)
        number = number_text(Fraction(value.number(is_percent)), decimals)
        printed.append(f"{number} {sign}".strip())
        difference = factor * float(row["difference"])
        text = number_text(difference, max(decimals, digits))
        differences.append(f"+{text}" if difference > 0 else text)
    return printed, differences


def _decimals(value: PublishedValue, is_percent: bool) -> int:
    """Number of decimals of a published number, as a percentage or a fraction."""
    exponent = value.number(is_percent).as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def published_notes(table: pd.DataFrame) -> list[str]:
    """The note on published values, their signs and sources; empty if no value is published."""
    published = table[table["published"] != ""]
    if published.empty:
        return []
    meanings = {
        REPRODUCED: f"{REPRODUCED}: ours has the published digits",
        WITHIN: f"{WITHIN} of our seeds",
        DIFFERS: DIFFERS,
    }
    notes = [
        f"{_SIGNS[verdict]} {meaning}"
        for verdict, meaning in meanings.items()
        if published["agreement"].str.startswith(verdict).any()
    ]
    sources = enumeration([*dict.fromkeys(published["source"])])
    return [f"Published: {'; '.join(notes)}. Differences are ours − published. From {sources}."]
