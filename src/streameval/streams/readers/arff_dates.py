"""Dates in ARFF files: the patterns of Java, and texts of these patterns."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from streameval.base.errors import excerpt

#: Java's date letters that occur in ARFF files, and their strptime directives.
_DATE_LETTERS = {
    "yyyy": "%Y",
    "yy": "%y",
    "MMMM": "%B",
    "MMM": "%b",
    "MM": "%m",
    "M": "%m",
    "dd": "%d",
    "d": "%d",
    "HH": "%H",
    "H": "%H",
    "hh": "%I",
    "h": "%I",
    "a": "%p",
    "mm": "%M",
    "m": "%M",
    "ss": "%S",
    "s": "%S",
    "SSS": "%f",
    "S": "%f",
    "EEEE": "%A",
    "EEE": "%a",
    "Z": "%z",
    "XX": "%z",
    "XXX": "%z",
    "z": "%Z",
    "zzz": "%Z",
}
#: Hours from UTC of time zones whose names are unambiguous, from RFC 822 and Europe. IST, BST and
#: others have several meanings.
_ZONES = {"UTC": 0, "UT": 0, "GMT": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "EET": 2}
_ZONES |= {"EEST": 3, "MSK": 3, "JST": 9, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7}
_ZONES |= {"MDT": -6, "PST": -8, "PDT": -7}
#: The name of a time zone, or GMT or UTC before an offset, as in GMT+01:00.
_ZONE = re.compile(rf"\b(?:(?:GMT|UTC|UT)(?=[+-][0-9])|(?:{'|'.join(_ZONES)})\b)", re.IGNORECASE)
#: A quoted literal, a run of one letter, or another character; the groups are in this order.
_DATE_TOKEN = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|(.)", re.DOTALL)


def date_format(java_pattern: str) -> str:
    """Format for strptime of a Java date pattern; ValueError if letters have no counterpart."""
    if not java_pattern.strip():
        raise ValueError("an empty date pattern")
    parts, directives = [], []
    for match in _DATE_TOKEN.finditer(java_pattern):
        if match[2] is not None:
            if match[0] not in _DATE_LETTERS:
                raise ValueError(
                    f"the date pattern {excerpt(java_pattern)!r} has {excerpt(match[0])!r}"
                )
            directives.append(_DATE_LETTERS[match[0]])
            parts.append(directives[-1])
        elif match[0] == "'":
            raise ValueError(
                f"the date pattern {excerpt(java_pattern)!r} has a quote that is not closed"
            )
        else:
            literal = "'" if match[0] == "''" else (match[1] or match[3] or "").replace("''", "'")
            parts.append(literal.replace("%", "%%"))
    if len(set(directives)) < len(directives):
        raise ValueError(f"the date pattern {excerpt(java_pattern)!r} has the same part twice")
    return "".join(parts)


def _offset(zone: re.Match[str]) -> str:
    """Offset of a time zone, such as +0100; "" if an offset follows the name, as in GMT+01:00."""
    if zone.string[zone.end() : zone.end() + 1] in ("+", "-"):
        return ""
    return f"{_ZONES[zone[0].upper()]:+03}00"


def parse_date(text: str, pattern: str) -> float:
    """Seconds since 1970-01-01 00:00 UTC; without a zone the text is UTC.

    Years of two digits are from 1969 to 2068. ValueError if the pattern does not fit.
    """
    # strptime itself accepts the names of the machine's own time zone, but ignores them.
    if "%Z" in pattern:
        pattern, text = pattern.replace("%Z", "%z"), _ZONE.sub(_offset, text)
    moment = datetime.strptime(text, pattern)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
