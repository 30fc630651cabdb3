"""Texts that may be dates or times of day, as seconds.

To import this module loads Arrow's library of computations, which most files do without.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streameval.base.arrays import Flags, Floats
from streameval.base.values import OFFSET
from streameval.streams.arrow_arrays import ticks_in_seconds, truths
from streameval.streams.readers.times import LOCAL, MIXED, NUMBERS, ZONED
from streameval.streams.readers.values import BLANKS, ISO, TIME_OF_DAY, YEAR_FIRST, ZONE_BEHIND

_FORMS = (ISO, YEAR_FIRST)


def seconds_of_texts(texts: pa.Array) -> Floats | None:
    """Seconds of texts that are all dates or all times of day, otherwise None."""
    if all_match(texts, TIME_OF_DAY):
        epoch = pa.scalar("1970-01-01T", texts.type)
        return _moments(pc.binary_join_element_wise(epoch, texts, pa.scalar("", texts.type)))
    written = _in_iso(texts)
    return None if written is None else _moments(written)


def are_like_dates(texts: pa.Array) -> Flags:
    """Mask of the texts that are written like dates, also of days that do not exist."""
    return np.logical_or.reduce([truths(matching(texts, form)) for form in _FORMS])


def dates_that_exist(texts: pa.Array) -> list[Flags]:
    """Masks of the texts that are existing dates, for each form of dates."""
    flags = []
    for form in _FORMS:
        of_form = matching(texts, form)
        exist = truths(of_form)
        if exist.any():
            exist[exist] = _existing(_rewritten(texts.filter(of_form), form))
        flags.append(exist)
    return flags


def matching(texts: pa.Array, pattern: str) -> pa.BooleanArray:
    """Which texts match a pattern of `readers.values`; null where there is none."""
    return pc.match_substring_regex(texts, f"^(?:{pattern})$")


def all_match(texts: pa.Array, pattern: str) -> bool:
    """Whether all texts match a pattern of `readers.values`."""
    return bool(pc.all(matching(texts, pattern)).as_py())


def _in_iso(texts: pa.Array) -> pa.Array | None:
    """Dates in ISO 8601, or None if the texts do not all have the same form of dates."""
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


def _moments(texts: pa.Array) -> Floats | None:
    """Seconds since 1970, or None if a date does not exist."""
    # To the microsecond, the precision of a double.
    texts = pc.replace_substring_regex(texts, r"(\.\d{6})\d+", r"\1")
    zoned = pc.match_substring_regex(texts, ZONE_BEHIND)
    out = np.empty(len(texts))
    try:
        for mask, zone in ((zoned, "UTC"), (pc.invert(zoned), None)):
            moments = texts.filter(mask).cast(pa.timestamp("us", zone))
            out[truths(mask)] = ticks_in_seconds(pa.chunked_array([moments]), 10**6)
    except pa.ArrowInvalid:
        return None
    return out


def _existing(dates: pa.Array) -> Flags:
    n = len(dates)
    if _moments(dates) is not None or n == 1:
        return np.full(n, _moments(dates) is not None)
    return np.concatenate([_existing(dates.slice(0, n // 2)), _existing(dates.slice(n // 2))])


def form_of(distinct: pa.Array) -> str:
    """Form in which the times of a column are written; the forms are in `readers.times`."""
    texts = pc.utf8_trim(distinct.drop_null(), BLANKS)
    dates = are_like_dates(texts)
    if not dates.any():
        return NUMBERS
    zoned = truths(pc.match_substring_regex(texts, ZONE_BEHIND))[dates]
    if zoned.all():
        return ZONED
    return MIXED if zoned.any() else LOCAL


def zone_of(distinct: pa.Array) -> str:
    """Zone of dates that all have one; UTC if they have several."""
    texts = pc.utf8_trim(distinct.drop_null(), BLANKS)
    matches = pc.extract_regex(texts, f"(?P<zone>{OFFSET})$")
    zones = pc.struct_field(matches, "zone").drop_null().unique().to_pylist()
    return zones[0].replace("Z", "UTC") if len(zones) == 1 else "UTC"
