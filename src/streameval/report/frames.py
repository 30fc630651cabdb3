"""Checks of the tidy frames that tables, figures and the scorecard are made of."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from streameval.errors import DataError


def require_columns(frame: pd.DataFrame, columns: Iterable[str], what: str) -> None:
    """Raise a `DataError` if a frame, called `what`, lacks a column."""
    lacking = [column for column in columns if column not in frame.columns]
    if lacking:
        raise DataError(
            f"{what}: expected the column {lacking[0]!r}, found "
            f"{', '.join(map(str, frame.columns)) or 'none'}. Run the study again."
        )


def as_numbers(column: pd.Series, what: str) -> pd.Series:
    """Return a column of numbers, also where it was read from text; empty text is NaN.

    Raises
    ------
    DataError
        If a value is not a number.
    """
    numbers = pd.to_numeric(column, errors="coerce").astype(float)
    wrong = column[numbers.isna() & column.notna() & (column != "")]
    if len(wrong):
        raise DataError(f"{what}: expected numbers in {column.name!r}, found {wrong.iloc[0]!r}.")
    return numbers


def known_numbers(column: pd.Series, what: str) -> pd.Series:
    """Return a column of numbers, as `as_numbers` does, none of which may be undefined."""
    numbers = as_numbers(column, what)
    if numbers.isna().any():
        raise DataError(
            f"{what}: expected a number in every row of {column.name!r}, found none in row "
            f"{int(numbers.isna().argmax())}. Leave the row out, or find out why it has none."
        )
    return numbers


def as_flags(column: pd.Series, what: str) -> pd.Series:
    """Return a column of truth values, also where it was read from text.

    Raises
    ------
    DataError
        If a value is neither true nor false.
    """
    meaning = {"true": True, "false": False, "1": True, "0": False}
    flags = column.astype(str).str.lower().map(meaning)
    if flags.isna().any():
        wrong = column[flags.isna()].iloc[0]
        raise DataError(f"{what}: expected true or false in {column.name!r}, found {wrong!r}.")
    return flags.astype(bool)
