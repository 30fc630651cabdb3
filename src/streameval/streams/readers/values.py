r"""Rules on the meaning of a value of a file, shared by all readers.

- **Missing values** are null, NaN and the missing texts: ``?``, the empty text, ``NA``, ``NaN``
  and ``nan``, or the texts of the option `missing`; a number among these in any spelling. White
  space and invisible characters at the ends of texts are ignored, except line ends; a text of only
  such characters is empty.
  In ARFF only a ``?`` without quotes is missing, and ``NaN`` as a number; text in quotes is not
  changed.
- **Quotes** only delimit a value: in CSV and ARFF ``"1"`` is a number wherever ``1`` is, and in CSV
  ``"?"`` is missing.
- **Labels** may be missing, but not all of them.
- **Numbers** are doubles; whole numbers beyond 2**53 become the nearest double. ``1_000`` and
  ``0x1F`` are not numbers, and infinite numbers are refused. In CSV, − (U+2212) is a minus, and
  grouped digits such as ``1,234`` are numbers if `thousands` names the mark.
- **Truth values** are 0 and 1. **Dates and date-times** are seconds since 1970-01-01 UTC, in UTC
  unless they have a zone; two columns of times must both have a zone, or neither. **Times of day**
  are seconds since midnight, **durations** are seconds.
- **Texts** are the values of a nominal attribute, in sorted order; ARFF declares the values. A
  column without any value is numeric.
- **Classes** are texts. Truth values are named ``false`` and ``true``; whole numbers have no
  decimal point, even in a column of type float; dates are written as in ISO 8601.
- A **numeric target** contains numbers only.

Parquet and ARFF declare the kind of each column. In CSV the distinct texts of a column decide. It
is numeric if all are numbers, or all ``true`` or ``false`` (in any case), or all times of day
(``12:30``, ``12:30:00``), or all dates and date-times of one form: ISO 8601 (``2020-01-31``,
``2020-01-31 12:30:00.5Z``) or ``2020/01/31``; otherwise it is nominal. Dates with the year last are
refused, since some countries write the day first and others the month.

Patterns match whole texts, and mean the same to Python and to Arrow. Arrow's CSV parsers read most
columns. Where Arrow deviates from these rules, Python reads: see `ValueRules.arrow_options`,
`are_finite_or_missing`, `ValueRules.has_doubtful_numbers` and `has_hexadecimal`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.values import NUMBER, OFFSET

#: Characters that are stripped from the ends of texts: Unicode white space, separators among the
#: control codes, and invisible characters such as a zero-width space or a byte order mark. Line
#: feed and carriage return are not included, as they may be part of a text.
BLANKS = (
    "\t\v\f\x1c\x1d\x1e\x1f \x85\xa0\xad\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e"
    "\u202f\u205f\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u2800\u3000\u3164\ufeff"
)
#: Texts that mean a missing value by default.
MISSING = ("?", "", "NA", "NaN", "nan")
#: The only such text in ARFF.
ARFF_MISSING = "?"
#: Pattern of a sign before a number; − (U+2212) is a minus.
SIGN = "[+−-]"
#: Marks that may group digits, each with the characters that are read as this mark.
THOUSANDS = {".": ".", ",": ",", "'": "'’", "’": "'’", " ": " \xa0\u2009\u202f"}


def _in_any_case(word: str) -> str:
    """Pattern of a word in ASCII letters: with a flag, Arrow would read ``falſe`` as ``false``."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in word)


#: Infinite numbers and NaN.
NOT_FINITE = f"{SIGN}?({'|'.join(map(_in_any_case, ('inf', 'infinity', 'nan')))})"
#: Truth values.
TRUTH = "|".join(map(_in_any_case, ("true", "false")))
_NOT_NOMINAL = re.compile(f"{NOT_FINITE}|{TRUTH}")
#: A time of day.
TIME_OF_DAY = "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?"
#: A time of day after a date, with an hour of one or two digits, and with an offset.
_CLOCK = rf"([ T][0-9]{{1,2}}:[0-9]{{2}}(:[0-9]{{2}}([.][0-9]+)?)?{OFFSET}?)?"
#: The end of a date with a time zone.
ENDS_WITH_ZONE = rf":[0-9]{{2}}([.][0-9]+)?{OFFSET}$"
#: Dates and date-times of ISO 8601.
ISO = rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}([ T]{TIME_OF_DAY}{OFFSET}?)?"
#: Dates and date-times with slashes and the year first.
YEAR_FIRST = rf"[0-9]{{4}}/[0-9]{{1,2}}/[0-9]{{1,2}}{_CLOCK}"
#: Dates with the year last. They are refused, as they begin with the day or with the month.
YEAR_LAST = rf"[0-9]{{1,2}}[/.-][0-9]{{1,2}}[/.-][0-9]{{4}}{_CLOCK}"


@dataclass(frozen=True)
class ValueRules:
    """Spelling of missing values and numbers in a file; an empty text is always missing."""

    missing: tuple[str, ...] = MISSING
    decimal: str = "."
    thousands: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "missing", tuple(dict.fromkeys((*self.missing, ""))))

    @cached_property
    def missing_texts(self) -> frozenset[str]:
        """The texts that mean a missing value, without blanks at their ends."""
        return frozenset(text.strip(BLANKS) for text in self.missing)

    def is_missing(self, text: str) -> bool:
        """Whether a text without blanks at its ends is missing, or consists of line ends."""
        return text in self.missing_texts or not text.strip(BLANKS + "\r\n")

    @cached_property
    def number(self) -> str:
        """The pattern of numbers."""
        digits, marks = "[0-9]+", THOUSANDS.get(self.thousands or "")
        if marks:  # the last group has three digits, others may have two, as in 12,34,567 in India
            digits = f"[0-9]+|[0-9]{{1,3}}([{marks}][0-9]{{2,3}})*[{marks}][0-9]{{3}}"
        point = f"[{self.decimal}]"
        return f"{SIGN}?(({digits})({point}[0-9]*)?|{point}[0-9]+)([eE]{SIGN}?[0-9]+)?|{NOT_FINITE}"

    def number_of(self, text: str) -> float:
        """Number of a text that matches `number`."""
        return float(text.translate(self._python_spelling))

    @cached_property
    def _python_spelling(self) -> dict[int, str]:
        """Translation of the characters of numbers to characters that Python reads."""
        marks = dict.fromkeys(THOUSANDS.get(self.thousands or "", ""), "")
        return str.maketrans({"−": "-"} | marks | {self.decimal: "."})

    @cached_property
    def _missing_numbers(self) -> Floats:
        return np.array([float(text) for text in self.missing if NUMBER.fullmatch(text.strip())])

    def without_missing(self, numbers: Floats) -> Floats:
        """Numbers of a column, with NaN for those that mean missing; the same array without any."""
        missing = np.isin(numbers, self._missing_numbers) if len(self._missing_numbers) else None
        return (
            numbers if missing is None or not missing.any() else np.where(missing, np.nan, numbers)
        )

    @property
    def arrow_options(self) -> dict[str, Any]:
        """Options of Arrow's CSV parser for these missing values and numbers."""
        return {
            "null_values": list(self.missing),
            "strings_can_be_null": True,
            "quoted_strings_can_be_null": True,
            "decimal_point": self.decimal,
        }

    def has_doubtful_numbers(self, contains: Callable[[bytes], bool]) -> bool:
        """Whether Arrow's parser may read missing values as numbers.

        `contains` tests whether the file contains some bytes. Arrow compares missing texts with a
        value before it removes blanks: if ``-1`` is a missing text, ``" -1"`` becomes a number.
        """
        numbers = [text.encode() for text in self.missing if re.search("[0-9]", text)]
        return any(
            contains(blank + number) or contains(number + blank)
            for number in numbers
            for blank in (b" ", b"\t")
        )


def has_hexadecimal(contains: Callable[[bytes], bool]) -> bool:
    """Whether a text may have numbers like ``0x1F``, which Arrow's parser reads as integers."""
    return contains(b"0x") or contains(b"0X")


def are_finite_or_missing(numbers: Floats, n_missing: int) -> bool:
    """Whether all numbers but the `n_missing` missing values are finite."""
    return int(np.count_nonzero(~np.isfinite(numbers))) == n_missing


def is_certainly_nominal(text: str) -> bool:
    """Whether a text is certainly no number, truth value, date or time."""
    return not re.search("[0-9]", text) and not _NOT_NOMINAL.fullmatch(text)


def declared_number(text: str) -> float:
    """Number of a text in a numeric column of ARFF; ``NaN`` is missing, as in Weka and MOA.

    Raises ValueError if the text is no finite number.
    """
    if text == "NaN":
        return math.nan
    value = float(text) if NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def unquoted_value(text: str) -> str | None:
    """Value that is written without quotes in ARFF; None if it is missing."""
    return None if text == ARFF_MISSING else text


def class_of_number(number: float) -> str:
    """Name of a number that is a class, as a CSV file writes it: ``1`` for 1.0."""
    return str(number).removesuffix(".0")
