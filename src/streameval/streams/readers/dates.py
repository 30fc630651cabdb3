"""Texts that may be dates or times of day, as seconds.

Importing this module loads `pyarrow.compute`, which is not needed for most files.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streameval.base.arrays import Flags, Floats
from streameval.base.values import OFFSET
from streameval.streams.arrow_arrays import booleans, seconds_of_ticks
from streameval.streams.readers.times import LOCAL, MIXED, NUMBERS, ZONED
from streameval.streams.readers.values import BLANKS, ENDS_WITH_ZONE, ISO, TIME_OF_DAY, YEAR_FIRST

_FORMS = (ISO, YEAR_FIRST)  # such as 2024-01-31, and 2024/1/31


def seconds_of_texts(texts: pa.Array) -> Floats | None:
    """Seconds of texts that are all dates or all times of day, otherwise None; no text is null."""
    if all_match(texts, TIME_OF_DAY):
        epoch = pa.scalar("1970-01-01T", texts.type)
        return _epoch_seconds(pc.binary_join_element_wise(epoch, texts, pa.scalar("", texts.type)))
    dates = _iso_dates(texts)
    return None if dates is None else _epoch_seconds(dates)


def look_like_dates(texts: pa.Array) -> Flags:
    """Mask of the texts in the form of dates; the dates need not exist."""
    return np.logical_or.reduce([booleans(match_mask(texts, form)) for form in _FORMS])


def existing_dates(texts: pa.Array) -> list[Flags]:
    """Masks of the texts that are existing dates, for each form of dates."""
    masks = []
    for form in _FORMS:
        has_form = match_mask(texts, form)
        mask = booleans(has_form)
        if mask.any():
            mask[mask] = _are_existing(_to_iso(texts.filter(has_form), form))
        masks.append(mask)
    return masks


def match_mask(texts: pa.Array, pattern: str) -> pa.BooleanArray:
    """Mask of the texts that match a pattern of `readers.values`; null for null."""
    return pc.match_substring_regex(texts, f"^(?:{pattern})$")


def all_match(texts: pa.Array, pattern: str) -> bool:
    """Whether all texts match a pattern of `readers.values`."""
    return bool(pc.all(match_mask(texts, pattern)).as_py())


def _iso_dates(texts: pa.Array) -> pa.Array | None:
    """Dates in ISO 8601, or None if the texts do not all have the same form of dates."""
    for form in _FORMS:
        if all_match(texts, form):
            return _to_iso(texts, form)
    return None


def _to_iso(texts: pa.Array, form: str) -> pa.Array:
    if form == ISO:
        return texts
    texts = pc.replace_substring_regex(texts, r"^(\d{4})/(\d{1,2})/(\d{1,2})", r"\1-\2-\3")
    for short, padded in (
        (r"^(\d{4})-(\d)-", r"\1-0\2-"),
        (r"^(\d{4}-\d{2})-(\d)([ T]|$)", r"\1-0\2\3"),
        (r"([ T])(\d):", r"\10\2:"),  # RE2 has one digit in \1: a zero follows the group
    ):
        texts = pc.replace_substring_regex(texts, short, padded)
    return texts


def _epoch_seconds(texts: pa.Array) -> Floats | None:
    """Seconds since 1970 of texts without nulls, or None if a date does not exist."""
    # Digits beyond microseconds are cut off: a float64 of seconds since 1970 is not more precise.
    texts = pc.replace_substring_regex(texts, r"(\.\d{6})\d+", r"\1")
    zoned = pc.match_substring_regex(texts, ENDS_WITH_ZONE)
    out = np.empty(len(texts))
    try:
        for mask, zone in ((zoned, "UTC"), (pc.invert(zoned), None)):
            moments = texts.filter(mask).cast(pa.timestamp("us", zone))
            out[booleans(mask)] = seconds_of_ticks(pa.chunked_array([moments]), per_second=10**6)
    except pa.ArrowInvalid:
        return None
    return out


def _are_existing(dates: pa.Array) -> Flags:
    """Mask of the dates that exist, by bisection, since Arrow rejects an array as a whole."""
    n, all_exist = len(dates), _epoch_seconds(dates) is not None
    if all_exist or n == 1:
        return np.full(n, all_exist)
    return np.concatenate(
        [_are_existing(dates.slice(0, n // 2)), _are_existing(dates.slice(n // 2))]
    )


def form_of_times(distinct: pa.Array) -> str:
    """One of the forms of times in `readers.times`, for a column with these distinct texts."""
    texts = pc.utf8_trim(distinct.drop_null(), BLANKS)
    dates = look_like_dates(texts)
    if not dates.any():
        return NUMBERS
    zoned = booleans(pc.match_substring_regex(texts, ENDS_WITH_ZONE))[dates]
    if zoned.all():
        return ZONED
    return MIXED if zoned.any() else LOCAL


def zone_of(distinct: pa.Array) -> str:
    """Time zone of dates that all have a zone; UTC if they have several."""
    texts = pc.utf8_trim(distinct.drop_null(), BLANKS)
    matches = pc.extract_regex(texts, f"(?P<zone>{OFFSET})$")
    zones = pc.struct_field(matches, "zone").drop_null().unique().to_pylist()
    return zones[0].replace("Z", "UTC") if len(zones) == 1 else "UTC"
