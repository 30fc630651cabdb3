"""Checks of the tidy frames that tables, figures and the scorecard are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from streameval.errors import ConfigError, DataError
from streameval.measures.registry import MEASURES


def require_columns(frame: pd.DataFrame, columns: Iterable[str], what: str) -> None:
    """Raise a `DataError` if a frame lacks a column; `what` names the frame for people."""
    lacking = [column for column in columns if column not in frame.columns]
    if lacking:
        raise DataError(
            f"{what}: expected the column {lacking[0]!r}, found "
            f"{', '.join(map(str, frame.columns)) or 'none'}. Make the frame anew with "
            "streameval.studies."
        )


def require_among(wanted: Iterable[object], found: Iterable[object], what: str) -> None:
    """Raise a `DataError` if something wanted was not found; `what` says what it is none of."""
    found = list(found)
    lacking = [name for name in wanted if name not in found]
    if lacking:
        raise DataError(
            f"{what} {lacking[0]!r}, found {', '.join(map(str, found)) or 'none'}. "
            "Play it, or leave it out."
        )


def require_measures(names: Iterable[str], known: Iterable[str] = MEASURES) -> None:
    """Raise a `ConfigError` if a name is not that of a measure that is known."""
    unknown = [name for name in names if name not in [*known]]
    if unknown:
        raise ConfigError(f"No measure is called {unknown[0]!r}. There are {', '.join(known)}.")


def require_once(frame: pd.DataFrame, keys: Sequence[str], what: str) -> None:
    """Raise a `DataError` if two rows of a frame have the same keys."""
    twice = frame[frame.duplicated(list(keys))]
    if len(twice):
        first = twice[list(keys)].head(1).to_dict("records")[0]
        where = ", ".join(f"{key} {value!r}" for key, value in first.items())
        raise DataError(f"{what}: expected one row for {where}, found more. Keep one of them.")


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
