"""The meaning of the distinct texts of a column; see `readers.table`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from streameval.errors import DataError, excerpt
from streameval.streams.arrow_arrays import integers, is_one_of, truths
from streameval.streams.readers.dates import (
    TwoReadingsError,
    all_match,
    are_like_dates,
    existing,
    measured,
)
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import BLANKS, Origin, nominal_codes

Numbers = NDArray[np.float64]
#: The first row with one of the texts, and where it is among them.
First = Callable[[NDArray[np.bool_]], tuple[int, int]]
_NUMBER = {
    sign: rf"^[+-]?(\d+[{sign}]?\d*|[{sign}]\d+)([eE][+-]?\d+)?$|^(?i:[+-]?(inf|infinity|nan))$"
    for sign in ".,"
}


class Texts(NamedTuple):
    """The texts of a column.

    Parameters
    ----------
    distinct : Array of str
        Those that occur, in this order.
    place : ndarray of int64
        Where the text of each row is among them; their number where there is none.
    """

    distinct: pa.Array
    place: NDArray[np.int64]

    def first(self, which: NDArray[np.bool_]) -> tuple[int, int]:
        """Return the first row that has one of the texts, and where it is among them."""
        row = int(np.flatnonzero(np.append(which, False)[self.place])[0])
        return row, int(self.place[row])


def texts_of(chunks: pa.ChunkedArray) -> Texts:
    """Return the texts of a column of Arrow."""
    if not pa.types.is_dictionary(chunks.type):
        chunks = chunks.dictionary_encode()
    chunks = chunks.unify_dictionaries()
    raw = chunks.chunk(0).dictionary if chunks.num_chunks else pa.array([], pa.string())
    rows = [integers(chunk.indices, missing=len(raw)) for chunk in chunks.chunks]
    return Texts(raw, np.concatenate(rows) if rows else np.empty(0, np.int64))


def meaning(
    origin: Origin, name: str, raw: pa.Array, roles: Roles, first: First
) -> tuple[tuple[str, ...] | None, Numbers]:
    """Return what the texts of a column mean.

    Parameters
    ----------
    origin : Origin
        Where they were read.
    name : str
        The column.
    raw : Array of str
        The distinct texts.
    roles : Roles
        The requested kinds.
    first : callable
        As `Texts.first`, for messages.

    Returns
    -------
    values : tuple of str or None
        The values of a nominal column.
    numbers : ndarray of float64
        The number or code of each text; NaN if it is missing, and behind them for no text.
    """
    texts = pc.replace_substring_regex(pc.utf8_trim(raw, BLANKS), f"^[{BLANKS}\r\n]+$", "")
    missing = is_one_of(texts, [text.strip(BLANKS) for text in roles.missing])
    known = pc.invert(pc.or_kleene(missing, texts.is_null()))
    present = texts.filter(known)
    where = np.flatnonzero(truths(known))
    values: tuple[str, ...] | None = None
    if roles.is_numeric(name):
        _check_numbers(origin, name, texts, known, first, roles)
        found: Numbers | None = _numbers(present, roles.decimal)
    else:
        free = not roles.typed and not roles.is_nominal(name)
        is_time = name in roles.times
        try:
            found = _measure(present, roles) if free or is_time or not len(present) else None
        except TwoReadingsError as error:
            row, _ = first(truths(pc.equal(texts, error.text)))
            raise _unread(origin, name, row, error) from None
        if found is None and is_time:
            _refuse_times(origin, name, texts, known, first, roles)
    if found is None:
        is_target = name == roles.target
        suffix = roles.strip_label_suffix if is_target else ""
        labels = [text.removesuffix(suffix) for text in present.to_pylist()]
        found, values = nominal_codes(labels, roles.classes if is_target else None)
    # The last place is for null.
    lookup = np.full(len(texts) + 1, np.nan)
    lookup[where] = found
    return values, lookup


def _measure(texts: pa.Array, roles: Roles) -> Numbers | None:
    """Return the numbers, truth values or times of texts, or None if they are names."""
    if not len(texts):
        return np.empty(0)
    if all_match(texts, _NUMBER[roles.decimal]):
        return _numbers(texts, roles.decimal)
    if all_match(texts, "^(?i:true|false)$"):
        return truths(pc.equal(pc.utf8_lower(texts), "true")).astype(np.float64)
    return measured(texts, roles.day_first)


def _numbers(texts: pa.Array, decimal: str) -> Numbers:
    return np.array([float(text.replace(decimal, ".")) for text in texts.to_pylist()], np.float64)


# --- checks ---------------------------------------------------------------------------


def _check_numbers(
    origin: Origin,
    name: str,
    texts: pa.Array,
    known: pa.Array,
    first: First,
    roles: Roles,
) -> None:
    is_target = name == roles.target
    wrong = pc.and_not(known, pc.match_substring_regex(texts, _NUMBER[roles.decimal]))
    if not pc.any(wrong).as_py():
        return
    found = ", ".join(repr(excerpt(text, 30)) for text in texts.filter(wrong)[:3].to_pylist())
    row, _ = first(truths(wrong))
    raise DataError(
        f"{origin.at(row)}: expected numbers in the {'target' if is_target else 'column'} "
        f"{excerpt(name)!r}, found texts like [{found}]. Correct them, "
        + ("choose classifiers if these are classes, " if is_target else "")
        + "or name the text that means a missing value (`missing`)."
    )


def _unread(origin: Origin, name: str, row: int, error: TwoReadingsError) -> DataError:
    day, month = error.readings
    return DataError(
        f"{origin.at(row)}: expected dates in the column {excerpt(name)!r} of which some can be "
        f"read in one way only, found {excerpt(error.text, 40)!r} and others like it. Say what "
        f"comes first: --day-first ({day}) or --month-first ({month}); in Python and YAML "
        "day_first is true or false."
    )


def _refuse_times(
    origin: Origin,
    name: str,
    texts: pa.Array,
    known: pa.Array,
    first: First,
    roles: Roles,
) -> NoReturn:
    """Name the first text that is no time, or is of another kind than most."""
    numbers = truths(pc.match_substring_regex(texts, _NUMBER[roles.decimal]))
    kinds = [numbers, *existing(texts)]
    right = max(kinds, key=np.count_nonzero)
    row, place = first(truths(known) & ~right)
    found = excerpt(texts[place].as_py(), 40)
    raise DataError(
        f"{origin.at(row)}: expected times in the column {excerpt(name)!r}, all numbers or all "
        f"dates like 2020-01-31 or 2020-01-31 12:30:00, found {found!r}. Correct or convert them."
    )


def look_like_dates(distinct: pa.Array) -> bool:
    """Return whether a text is written like a date."""
    return bool(are_like_dates(pc.utf8_trim(distinct.drop_null(), BLANKS)).any())
