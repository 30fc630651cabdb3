r"""Rules on the meaning of a value of a file, shared by all readers.

- **Missing values** are null, NaN and the missing texts: ``?``, the empty text, ``NA``, ``NaN``
  and ``nan``, or those of the option `missing`; a number among these in any spelling. White space
  and invisible characters at the ends of texts are ignored, but for line ends; a text of them alone
  is empty.
  In ARFF only a ``?`` without quotes is missing, and ``NaN`` for a number; text in quotes is taken
  as it is.
- **Quotes** only delimit a value: in CSV and ARFF ``"1"`` is a number wherever ``1`` is, and in CSV
  ``"?"`` is missing (`QUOTES_MAKE_NAMES`).
- **Labels** may be missing, but not all of them.
- **Numbers** are doubles; whole numbers beyond 2**53 become the nearest double. ``1_000`` and
  ``0x1F`` are not numbers, and infinite numbers are refused. In CSV, − (U+2212) is a minus, and
  grouped digits such as ``1,234`` are numbers where `thousands` names the mark.
- **Truth values** are 0 and 1. **Dates and date-times** are seconds since 1970-01-01 UTC, in UTC
  unless they have a zone; of two columns of times both have one, or neither. **Times of day** are
  seconds since midnight, **durations** seconds.
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
columns; where they deviate from these rules, Python does: see `ValueRules.parsing`, `are_plain`,
`ValueRules.has_doubtful_numbers` and `has_hexadecimal`.
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
#: Texts that mean a missing value by default, and the only such text in ARFF.
MISSING, ARFF_MISSING = ("?", "", "NA", "NaN", "nan"), "?"
#: Whether a quoted CSV value is always a name, never missing, a number, a truth value or a date.
#: All readers of CSV use this constant.
QUOTES_MAKE_NAMES = False
#: Pattern of a sign before a number; − (U+2212) is a minus.
SIGN = "[+−-]"
#: Marks that may group digits, each with the characters that are read as this mark.
THOUSANDS = {".": ".", ",": ",", "'": "'’", "’": "'’", " ": " \xa0\u2009\u202f"}


def _in_any_case(word: str) -> str:
    """Pattern of a word in letters of ASCII: with flags, ``falſe`` would be ``false`` to Arrow."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in word)


#: Floats without digits, and truth values.
NO_DIGITS = f"{SIGN}?({'|'.join(map(_in_any_case, ('inf', 'infinity', 'nan')))})"
TRUTH = "|".join(map(_in_any_case, ("true", "false")))
#: A time of day; what follows a date, where the hour may have one digit; the end of a zoned date.
TIME_OF_DAY = "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?"
_CLOCK = rf"([ T][0-9]{{1,2}}:[0-9]{{2}}(:[0-9]{{2}}([.][0-9]+)?)?{OFFSET}?)?"
ZONE_BEHIND = rf":[0-9]{{2}}([.][0-9]+)?{OFFSET}$"
#: Dates and date-times: of ISO 8601, with the year first, and with the year last, which are
#: refused: they start with the day or with the month.
ISO = rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}([ T]{TIME_OF_DAY}{OFFSET}?)?"
YEAR_FIRST = rf"[0-9]{{4}}/[0-9]{{1,2}}/[0-9]{{1,2}}{_CLOCK}"
YEAR_LAST = rf"[0-9]{{1,2}}[/.-][0-9]{{1,2}}[/.-][0-9]{{4}}{_CLOCK}"


@dataclass(frozen=True)
class ValueRules:
    """How a file writes missing values and numbers; an empty text is missing in any case."""

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
        """Whether a text without blanks at its ends is missing."""
        return text in self.missing_texts or not text.strip(BLANKS + "\r\n")

    @cached_property
    def number(self) -> str:
        """The pattern of numbers."""
        digits, marks = "[0-9]+", THOUSANDS.get(self.thousands or "")
        if marks:
            digits = f"[0-9]+|[0-9]{{1,3}}([{marks}][0-9]{{2,3}})*[{marks}][0-9]{{3}}"
        point = f"[{self.decimal}]"
        return f"{SIGN}?(({digits})({point}[0-9]*)?|{point}[0-9]+)([eE]{SIGN}?[0-9]+)?|{NO_DIGITS}"

    def number_of(self, text: str) -> float:
        """Number of a text that matches `number`."""
        return float(text.translate(self._plain))

    @cached_property
    def _plain(self) -> dict[int, str]:
        marks = dict.fromkeys(THOUSANDS.get(self.thousands or "", ""), "")
        return str.maketrans({"−": "-"} | marks | {self.decimal: "."})

    @cached_property
    def _missing_numbers(self) -> Floats:
        return np.array([float(text) for text in self.missing if NUMBER.fullmatch(text.strip())])

    def without_missing(self, numbers: Floats) -> Floats:
        """Numbers of a column, NaN where one means a missing value; a copy if there is one."""
        missing = np.isin(numbers, self._missing_numbers) if len(self._missing_numbers) else None
        return (
            numbers if missing is None or not missing.any() else np.where(missing, np.nan, numbers)
        )

    @property
    def parsing(self) -> dict[str, Any]:
        """Options of Arrow's CSV parser for these missing values and numbers."""
        return {
            "null_values": list(self.missing),
            "strings_can_be_null": True,
            "quoted_strings_can_be_null": True,
            "decimal_point": self.decimal,
        }

    def has_doubtful_numbers(self, has: Callable[[bytes], bool]) -> bool:
        """Whether Arrow's parser may read numbers where none are meant.

        `has` says whether the file contains some bytes. Next to a blank, a missing text such as
        ``-1`` is a number to Arrow.
        """
        signs = [text.encode() for text in self.missing if re.search("[0-9]", text)]
        return any(has(b + sign) or has(sign + b) for sign in signs for b in (b" ", b"\t"))


def has_hexadecimal(has: Callable[[bytes], bool]) -> bool:
    """Whether a text may have numbers like ``0x1F``, which Arrow's parser takes for integers."""
    return has(b"0x") or has(b"0X")


def are_plain(numbers: Floats, missing: int) -> bool:
    """Whether exactly `missing` numbers are not finite: readers refuse infinite numbers."""
    return int(np.count_nonzero(~np.isfinite(numbers))) == missing


def with_quotes(body: bytes, separator: str, at: int = 0) -> bytes:
    """CSV text for a parser; from a byte on, values keep their quotes if these make names.

    Parsers drop quotes, but two within quotes are one that stays: ``"1"`` gets two more on each
    side.
    """
    if not QUOTES_MAKE_NAMES:
        return body
    value = rf'(?<![^{re.escape(separator)}\r\n])"((?:[^"]|"")*)"'
    return body[:at] + re.sub(value.encode(), rb'"""\1"""', body[at:])


def name_of_text(text: str) -> str:
    """Name that a text of CSV is: without the quotes that `with_quotes` keeps."""
    kept = QUOTES_MAKE_NAMES and len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1] if kept else text


def is_name(text: str) -> bool:
    """Whether a text is surely no number, no truth value, no date and no time."""
    return not re.search("[0-9]", text) and not _WORDS.fullmatch(text)


_WORDS = re.compile(f"{NO_DIGITS}|{TRUTH}")


def declared_number(text: str) -> float:
    """Number of a text where ARFF declares one; ``NaN`` is missing, as to Java, Weka and MOA."""
    if text == "NaN":
        return math.nan
    value = float(text) if NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def bare_text(text: str) -> str | None:
    """Value of ARFF that stands without quotes; None if it is missing."""
    return None if text == ARFF_MISSING else text


def name_of_number(number: float) -> str:
    """Name of a number that is a class, as a CSV file writes it: ``1`` for 1.0."""
    return str(number).removesuffix(".0")
