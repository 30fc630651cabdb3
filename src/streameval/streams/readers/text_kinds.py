"""The kind of the distinct texts of a column: numbers, truth values, times, or nominal values.

Importing this module loads `pyarrow.compute`, which is not needed for most files.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.base.errors import DataError, excerpt
from streameval.streams.arrow_arrays import booleans, is_one_of
from streameval.streams.readers.dates import all_match, existing_dates, match_mask, seconds_of_texts
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import FirstRow, Origin
from streameval.streams.readers.values import BLANKS, TRUTH, YEAR_LAST, ValueRules

#: How dates with the year last are converted.
_CONVERT = (
    "Convert the column, with pandas by to_datetime(column, dayfirst=True), or dayfirst=False "
    "if the month comes first"
)


def nominal_texts_or_numbers(
    origin: Origin, name: str, raw: pa.Array, roles: Roles, first_row: FirstRow
) -> tuple[NDArray[np.intp], list[str], Floats | None]:
    """Indices of the texts that are not missing, with nominal texts or with numbers.

    A nominal column has these texts and None; another column has [] and their numbers. For the
    parameters see `streameval.streams.readers.texts.number_lookup`.
    """
    rules = roles.rules
    texts = pc.replace_substring_regex(pc.utf8_trim(raw, BLANKS), f"^[{BLANKS}\r\n]+$", "")
    missing = is_one_of(texts, rules.missing_texts)
    is_present = pc.invert(pc.or_kleene(missing, texts.is_null()))
    present = texts.filter(is_present)
    indices = np.flatnonzero(booleans(is_present))
    if roles.is_numeric(name):
        _check_numbers(origin, name, texts, is_present, first_row, roles)
        return indices, [], _numbers(present, rules)
    is_undeclared = not roles.has_types and not roles.is_nominal(name)
    is_time = name in roles.times
    # A column without any value is numeric, whatever its kind.
    may_be_numbers = is_undeclared or is_time or not len(present)
    numbers = _numbers_of_any_kind(present, rules) if may_be_numbers else None
    if numbers is None and is_time:
        _refuse_times(origin, name, texts, is_present, first_row, roles)
    if numbers is None and is_undeclared and all_match(present, YEAR_LAST):
        _refuse_year_last(origin, name, texts, is_present, first_row)
    return indices, present.to_pylist() if numbers is None else [], numbers


def _numbers_of_any_kind(texts: pa.Array, rules: ValueRules) -> Floats | None:
    """Numbers, truth values or times of texts, or None if the texts are nominal."""
    if not len(texts):
        return np.empty(0)
    if all_match(texts, rules.number):
        return _numbers(texts, rules)
    if all_match(texts, TRUTH):
        return booleans(pc.equal(pc.utf8_lower(texts), "true")).astype(np.float64)
    return seconds_of_texts(texts)


def _numbers(texts: pa.Array, rules: ValueRules) -> Floats:
    numbers = [rules.number_of(text) for text in texts.to_pylist()]
    return rules.without_missing(np.array(numbers, np.float64))


# --- checks ---------------------------------------------------------------------------


def _check_numbers(
    origin: Origin,
    name: str,
    texts: pa.Array,
    is_present: pa.Array,
    first_row: FirstRow,
    roles: Roles,
) -> None:
    is_target = name == roles.target
    is_wrong = pc.and_not(is_present, match_mask(texts, roles.rules.number))
    if not pc.any(is_wrong).as_py():
        return
    examples = texts.filter(is_wrong)[:3].to_pylist()
    wrong_texts = ", ".join(repr(excerpt(text, 30)) for text in examples)
    row, _ = first_row(booleans(is_wrong))
    raise DataError(
        f"{origin.place_of(row)}: expected numbers in the {'target' if is_target else 'column'} "
        f"{excerpt(name)!r}, found texts like [{wrong_texts}]. Correct them, "
        + ("choose classifiers if these are classes, " if is_target else "")
        + "or name the text that means a missing value (--missing TEXT)"
        + ("." if roles.has_types else ", or the mark that groups digits (--thousands MARK).")
    )


def _refuse_year_last(
    origin: Origin, name: str, texts: pa.Array, is_present: pa.Array, first_row: FirstRow
) -> NoReturn:
    row, i = first_row(booleans(is_present))
    raise DataError(
        f"{origin.place_of(row)}: expected dates like 2024-12-31 in the column {excerpt(name)!r}, "
        f"found {excerpt(texts[i].as_py(), 40)!r}. {_CONVERT}; or leave it out "
        "(--drop COLUMN), or take its texts as names (--nominal COLUMN)."
    )


def _refuse_times(
    origin: Origin,
    name: str,
    texts: pa.Array,
    is_present: pa.Array,
    first_row: FirstRow,
    roles: Roles,
) -> NoReturn:
    """Name the first text that is not a time, or is not of the kind of most texts."""
    numbers = booleans(match_mask(texts, roles.rules.number))
    kinds = [numbers, *existing_dates(texts)]
    of_main_kind = max(kinds, key=np.count_nonzero)
    row, i = first_row(booleans(is_present) & ~of_main_kind)
    text = texts[i]
    advice = _CONVERT if all_match(pa.array([text]), YEAR_LAST) else "Correct or convert them"
    raise DataError(
        f"{origin.place_of(row)}: expected times in the column {excerpt(name)!r}, all numbers or "
        "all dates like 2020-01-31 or 2020-01-31 12:30:00, found "
        f"{excerpt(text.as_py(), 40)!r}. {advice}."
    )
