"""What the distinct texts of a column are: numbers, truth values, times, or names.

To import this module loads Arrow's library of computations, which most files do without.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.base.errors import DataError, excerpt
from streameval.streams.arrow_arrays import is_one_of, truths
from streameval.streams.readers.dates import all_match, dates_that_exist, matching, seconds_of_texts
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import First, Origin
from streameval.streams.readers.values import BLANKS, TRUTH, YEAR_LAST, ValueRules

#: How dates with the year last are converted.
_CONVERT = (
    "Convert the column, with pandas by to_datetime(column, dayfirst=True), or dayfirst=False "
    "if the month comes first"
)


def meaning_of(
    origin: Origin, name: str, raw: pa.Array, roles: Roles, first: First
) -> tuple[NDArray[np.intp], list[str], Floats | None]:
    """Places of the texts that are not missing, and the texts, if they are names.

    Otherwise what they mean; for the parameters see `streameval.streams.readers.texts.meaning`.
    """
    rules = roles.rules
    texts = pc.replace_substring_regex(pc.utf8_trim(raw, BLANKS), f"^[{BLANKS}\r\n]+$", "")
    missing = is_one_of(texts, rules.missing_texts)
    known = pc.invert(pc.or_kleene(missing, texts.is_null()))
    present = texts.filter(known)
    where = np.flatnonzero(truths(known))
    if roles.is_numeric(name):
        _check_numbers(origin, name, texts, known, first, roles)
        return where, [], _numbers(present, rules)
    free = not roles.typed and not roles.is_nominal(name)
    is_time = name in roles.times
    numbers = _measure(present, rules) if free or is_time or not len(present) else None
    if numbers is None and is_time:
        _refuse_times(origin, name, texts, known, first, roles)
    if numbers is None and free and all_match(present, YEAR_LAST):
        _refuse_year_last(origin, name, texts, known, first)
    return where, present.to_pylist() if numbers is None else [], numbers


def _measure(texts: pa.Array, rules: ValueRules) -> Floats | None:
    """Numbers, truth values or times of texts, or None if they are names."""
    if not len(texts):
        return np.empty(0)
    if all_match(texts, rules.number):
        return _numbers(texts, rules)
    if all_match(texts, TRUTH):
        return truths(pc.equal(pc.utf8_lower(texts), "true")).astype(np.float64)
    return seconds_of_texts(texts)


def _numbers(texts: pa.Array, rules: ValueRules) -> Floats:
    numbers = [rules.number_of(text) for text in texts.to_pylist()]
    return rules.without_missing(np.array(numbers, np.float64))


# --- checks ---------------------------------------------------------------------------


def _check_numbers(
    origin: Origin, name: str, texts: pa.Array, known: pa.Array, first: First, roles: Roles
) -> None:
    is_target = name == roles.target
    wrong = pc.and_not(known, matching(texts, roles.rules.number))
    if not pc.any(wrong).as_py():
        return
    wrong_texts = ", ".join(repr(excerpt(text, 30)) for text in texts.filter(wrong)[:3].to_pylist())
    row, _ = first(truths(wrong))
    raise DataError(
        f"{origin.at(row)}: expected numbers in the {'target' if is_target else 'column'} "
        f"{excerpt(name)!r}, found texts like [{wrong_texts}]. Correct them, "
        + ("choose classifiers if these are classes, " if is_target else "")
        + "or name the text that means a missing value (--missing TEXT)"
        + ("." if roles.typed else ", or the mark that groups digits (--thousands MARK).")
    )


def _refuse_year_last(
    origin: Origin, name: str, texts: pa.Array, known: pa.Array, first: First
) -> NoReturn:
    row, place = first(truths(known))
    raise DataError(
        f"{origin.at(row)}: expected dates like 2024-12-31 in the column {excerpt(name)!r}, found "
        f"{excerpt(texts[place].as_py(), 40)!r}. {_CONVERT}; or leave it out (--drop COLUMN), or "
        "take its texts as names (--nominal COLUMN)."
    )


def _refuse_times(
    origin: Origin, name: str, texts: pa.Array, known: pa.Array, first: First, roles: Roles
) -> NoReturn:
    """Name the first text that is no time, or is of another kind than most."""
    numbers = truths(matching(texts, roles.rules.number))
    kinds = [numbers, *dates_that_exist(texts)]
    right = max(kinds, key=np.count_nonzero)
    row, place = first(truths(known) & ~right)
    text = texts[place]
    advice = _CONVERT if all_match(pa.array([text]), YEAR_LAST) else "Correct or convert them"
    raise DataError(
        f"{origin.at(row)}: expected times in the column {excerpt(name)!r}, all numbers or all "
        "dates like 2020-01-31 or 2020-01-31 12:30:00, found "
        f"{excerpt(text.as_py(), 40)!r}. {advice}."
    )
