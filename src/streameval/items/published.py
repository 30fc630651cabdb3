"""Published values as columns of a table's data, and as rows of the table for people."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

from streameval.base.values import enumeration
from streameval.report.number_verdicts import DIFFERS, REPRODUCED, WITHIN
from streameval.report.published_values import Ours, PublishedValue, agreements
from streameval.view.numbers import number_text

#: Ends of the names of rows with published values, and with the differences ours - published.
PUBLISHED, DIFFERENCE = ", published", ", difference"
#: Signs of verdicts on published numbers.
_SIGNS = {REPRODUCED: "=", WITHIN: "≈", DIFFERS: "≠"}


def with_published_columns(
    table: pd.DataFrame, ours: Mapping[tuple[str, ...], Ours], path: Path | None
) -> pd.DataFrame:
    """Add published values to the rows of a table, each compared with ours.

    Parameters
    ----------
    table : DataFrame
        Any columns, with the index 0, 1, ...
    ours : mapping
        Our values of each row, in order, by stream, learner, measure and any bin.
    path : Path or None
        The file of published values.

    Returns
    -------
    DataFrame
        With the columns published (as it is printed), difference (in its unit), agreement (the
        scorecard's verdict), rule, why and source; empty where nothing is published.
    """
    texts = ("published", "agreement", "rule", "why", "source")
    table = table.assign(**dict.fromkeys(texts, ""), difference=np.nan)
    if path is None:
        return table
    rows = {about: row for row, about in enumerate(ours)}
    for about, (value, comparison) in agreements(path, ours).items():
        cells = [value.printed, comparison.verdict, comparison.rule, comparison.reason]
        table.loc[rows[about], [*texts]] = [*cells, value.source]
        table.loc[rows[about], "difference"] = comparison.difference
    return table


def published_texts(
    rows: pd.DataFrame, is_percent: bool, digits: int
) -> tuple[list[str], list[str]]:
    """The texts of published values with the signs of their verdicts, and of differences.

    Both are in per cent or fractions, with at least `digits` decimals of differences; "" where
    nothing is published.
    """
    printed, differences = list[str](), list[str]()
    for row in rows.to_dict("records"):
        if not row["published"]:
            printed.append("")
            differences.append("")
            continue
        value = PublishedValue("", "", "", row["published"], row["source"])
        factor = (100.0 if is_percent else 1.0) / (100.0 if value.is_percent else 1.0)
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
    """The note on published values, their signs and sources; none where there are none."""
    known = table[table["published"] != ""]
    if known.empty:
        return []
    signs = {
        "=": f"{REPRODUCED}: ours has the published digits",
        "≈": f"{WITHIN} of our seeds",
        "≠": DIFFERS,
    }
    notes = [
        f"{sign} {words}"
        for (verdict, sign), words in zip(_SIGNS.items(), signs.values(), strict=True)
        if known["agreement"].str.startswith(verdict).any()
    ]
    sources = enumeration([*dict.fromkeys(known["source"])])
    return [f"Published: {'; '.join(notes)}. Differences are ours − published. From {sources}."]
