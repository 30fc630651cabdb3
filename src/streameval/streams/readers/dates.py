"""Texts that may be numbers, truth values, dates or times, and what they mean then.

To import this module loads Arrow's library of computations, which most files do without.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats
from streameval.base.errors import DataError, excerpt
from streameval.base.values import OFFSET
from streameval.streams.arrow_arrays import in_seconds, is_one_of, truths
from streameval.streams.readers.dialect import THOUSANDS
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import BLANKS, First, Origin
from streameval.streams.readers.times import LOCAL, MIXED, NUMBERS, ZONED

Numbers = Floats
#: Digits in front of the decimal sign, not grouped, and grouped by marks.
_DIGITS, _GROUPS = r"\d+", r"\d+|\d{1,3}([%s]\d{2,3})*[%s]\d{3}"
_CLOCK = r"\d{2}:\d{2}(:\d{2}(\.\d+)?)?"
#: The end of a date-time with a zone.
_ZONED = rf":\d{{2}}(\.\d+)?{OFFSET}$"
#: Dates and date-times of ISO 8601.
ISO = rf"^\d{{4}}-\d{{2}}-\d{{2}}([ T]{_CLOCK}{OFFSET}?)?$"
#: In other dates the hour may have one digit.
_HOURS = rf"([ T]\d{{1,2}}:\d{{2}}(:\d{{2}}(\.\d+)?)?{OFFSET}?)?"
#: Dates with the year first, which every country reads alike.
_YEAR_FIRST = rf"^\d{{4}}/\d{{1,2}}/\d{{1,2}}{_HOURS}$"
#: Dates with the year last, which are refused: they start with the day or with the month.
_YEAR_LAST = rf"^\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{4}}{_HOURS}$"
_FORMS = (ISO, _YEAR_FIRST)
#: How dates with the year last are converted.
_CONVERT = (
    "Convert the column, with pandas by to_datetime(column, dayfirst=True), or dayfirst=False "
    "if the month comes first"
)


def measured(texts: pa.Array) -> Numbers | None:
    """Seconds of texts that are all dates or all times of day, otherwise None."""
    if all_match(texts, f"^{_CLOCK}$"):
        epoch = pa.scalar("1970-01-01T", texts.type)
        return _moments(pc.binary_join_element_wise(epoch, texts, pa.scalar("", texts.type)))
    written = _in_iso(texts)
    return None if written is None else _moments(written)


def are_like_dates(texts: pa.Array) -> Flags:
    """Return which texts are written like dates, whether there are such days or not."""
    return np.logical_or.reduce([truths(pc.match_substring_regex(texts, form)) for form in _FORMS])


def existing(texts: pa.Array) -> list[Flags]:
    """Return which texts are dates that exist, for each form of dates."""
    flags = []
    for form in _FORMS:
        of_form = pc.match_substring_regex(texts, form)
        exist = truths(of_form)
        if exist.any():
            exist[exist] = _existing(_rewritten(texts.filter(of_form), form))
        flags.append(exist)
    return flags


def all_match(texts: pa.Array, pattern: str) -> bool:
    """Return whether all texts match a regular expression."""
    return bool(pc.all(pc.match_substring_regex(texts, pattern)).as_py())


def _in_iso(texts: pa.Array) -> pa.Array | None:
    """Dates of one form as those of ISO 8601, or None if the texts are not all of one form."""
    for form in _FORMS:
        if all_match(texts, form):
            return _rewritten(texts, form)
    return None


def _rewritten(texts: pa.Array, form: str) -> pa.Array:
    if form == ISO:
        return texts
    texts = pc.replace_substring_regex(texts, r"^(\d{4})/(\d{1,2})/(\d{1,2})", r"\1-\2-\3")
    for short, padded in (
        (r"^(\d{4})-(\d)-", r"\1-0\2-"),
        (r"^(\d{4}-\d{2})-(\d)([ T]|$)", r"\1-0\2\3"),
        (r"([ T])(\d):", r"\10\2:"),
    ):
        texts = pc.replace_substring_regex(texts, short, padded)
    return texts


def _moments(texts: pa.Array) -> Numbers | None:
    """Return seconds since 1970, or None if a date does not exist."""
    # To the microsecond, the precision of a double.
    texts = pc.replace_substring_regex(texts, r"(\.\d{6})\d+", r"\1")
    zoned = pc.match_substring_regex(texts, _ZONED)
    out = np.empty(len(texts))
    try:
        for mask, zone in ((zoned, "UTC"), (pc.invert(zoned), None)):
            moments = texts.filter(mask).cast(pa.timestamp("us", zone))
            out[truths(mask)] = in_seconds(pa.chunked_array([moments]), 10**6)
    except pa.ArrowInvalid:
        return None
    return out


def _existing(dates: pa.Array) -> Flags:
    n = len(dates)
    if _moments(dates) is not None or n == 1:
        return np.full(n, _moments(dates) is not None)
    return np.concatenate([_existing(dates.slice(0, n // 2)), _existing(dates.slice(n // 2))])


def read(
    origin: Origin, name: str, raw: pa.Array, roles: Roles, first: First
) -> tuple[NDArray[np.intp], list[str], Numbers | None]:
    """Return the places of the texts that are not missing, and the texts, if they are names.

    Otherwise what they mean; for the parameters see `streameval.streams.readers.texts.meaning`.
    """
    texts = pc.replace_substring_regex(pc.utf8_trim(raw, BLANKS), f"^[{BLANKS}\r\n]+$", "")
    missing = is_one_of(texts, [text.strip(BLANKS) for text in roles.missing])
    known = pc.invert(pc.or_kleene(missing, texts.is_null()))
    present = texts.filter(known)
    where = np.flatnonzero(truths(known))
    if roles.is_numeric(name):
        _check_numbers(origin, name, texts, known, first, roles)
        return where, [], _numbers(present, roles)
    free = not roles.typed and not roles.is_nominal(name)
    is_time = name in roles.times
    found = _measure(present, roles) if free or is_time or not len(present) else None
    if found is None and is_time:
        _refuse_times(origin, name, texts, known, first, roles)
    if found is None and free and all_match(present, _YEAR_LAST):
        _refuse_year_last(origin, name, texts, known, first)
    return where, present.to_pylist() if found is None else [], found


def _measure(texts: pa.Array, roles: Roles) -> Numbers | None:
    """Return the numbers, truth values or times of texts, or None if they are names."""
    if not len(texts):
        return np.empty(0)
    if all_match(texts, _number_form(roles)):
        return _numbers(texts, roles)
    if all_match(texts, "^(?i:true|false)$"):
        return truths(pc.equal(pc.utf8_lower(texts), "true")).astype(np.float64)
    return measured(texts)


def _number_form(roles: Roles) -> str:
    """Regular expression of numbers; − (U+2212) is a minus."""
    sign, whole = roles.decimal, _DIGITS
    if roles.thousands is not None:
        marks = THOUSANDS[roles.thousands]
        whole = _GROUPS % (marks, marks)
    return (
        rf"^[+−-]?(({whole})([{sign}]\d*)?|[{sign}]\d+)([eE][+−-]?\d+)?$"
        "|^(?i:[+−-]?(inf|infinity|nan))$"
    )


def _numbers(texts: pa.Array, roles: Roles) -> Numbers:
    table = {"−": "-"} | dict.fromkeys(THOUSANDS.get(roles.thousands or "", ""), "")
    plain = str.maketrans(table | {roles.decimal: "."})
    numbers = [float(text.translate(plain)) for text in texts.to_pylist()]
    return roles.without_missing(np.array(numbers, np.float64))


# --- checks ---------------------------------------------------------------------------


def _check_numbers(
    origin: Origin, name: str, texts: pa.Array, known: pa.Array, first: First, roles: Roles
) -> None:
    is_target = name == roles.target
    wrong = pc.and_not(known, pc.match_substring_regex(texts, _number_form(roles)))
    if not pc.any(wrong).as_py():
        return
    found = ", ".join(repr(excerpt(text, 30)) for text in texts.filter(wrong)[:3].to_pylist())
    row, _ = first(truths(wrong))
    raise DataError(
        f"{origin.at(row)}: expected numbers in the {'target' if is_target else 'column'} "
        f"{excerpt(name)!r}, found texts like [{found}]. Correct them, "
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
    numbers = truths(pc.match_substring_regex(texts, _number_form(roles)))
    kinds = [numbers, *existing(texts)]
    right = max(kinds, key=np.count_nonzero)
    row, place = first(truths(known) & ~right)
    text = texts[place]
    advice = _CONVERT if all_match(pa.array([text]), _YEAR_LAST) else "Correct or convert them"
    raise DataError(
        f"{origin.at(row)}: expected times in the column {excerpt(name)!r}, all numbers or all "
        "dates like 2020-01-31 or 2020-01-31 12:30:00, found "
        f"{excerpt(text.as_py(), 40)!r}. {advice}."
    )


def form_of(distinct: pa.Array) -> str:
    """Return how the times of a column are written, one of those of `readers.times`."""
    texts = pc.utf8_trim(distinct.drop_null(), BLANKS)
    dates = are_like_dates(texts)
    if not dates.any():
        return NUMBERS
    zoned = truths(pc.match_substring_regex(texts, _ZONED))[dates]
    if zoned.all():
        return ZONED
    return MIXED if zoned.any() else LOCAL


def zone_of(distinct: pa.Array) -> str:
    """Return the zone of dates that all have one; UTC if they have several."""
    texts = pc.utf8_trim(distinct.drop_null(), BLANKS)
    found = pc.extract_regex(texts, f"(?P<zone>{OFFSET})$")
    zones = pc.struct_field(found, "zone").drop_null().unique().to_pylist()
    return zones[0].replace("Z", "UTC") if len(zones) == 1 else "UTC"
