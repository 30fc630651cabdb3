"""Write numbers as the pages have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from streameval.base.rounding import format_lower_bound, format_number, format_upper_bound
from streameval.base.values import enumeration

_IN_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
)


def number(value: float | Fraction, digits: int = 1, factor: int = 1) -> str:
    """Number with so many digits after the point; a zero has no sign."""
    text = format_number(value, f",.{digits}f", factor)
    return text if text.strip("−0.") else text.removeprefix("−")


def percent(value: float | Fraction, digits: int = 1) -> str:
    """Proportion in percent, without the sign."""
    return number(value, digits, 100)


def upper_bound(value: float, digits: int = 1, factor: int = 100) -> str:
    """Largest of several numbers, by default in percent, rounded up."""
    return format_upper_bound(value, f",.{digits}f", factor)


def lower_bound(value: float, digits: int = 1, factor: int = 100) -> str:
    """Smallest of several numbers, by default in percent, rounded down."""
    return format_lower_bound(value, f",.{digits}f", factor)


def interval(ends: Iterable[float], digits: int = 1, factor: int = 100) -> str:
    """Estimate with its interval, by default in percentage points: ``3.9 (1.1 to 6.7)``."""
    value, low, high = (number(end, digits, factor) for end in ends)
    return f"{value} ({low} to {high})"


def span(values: Iterable[float], digits: int = 1, factor: int = 100) -> str:
    """Smallest and largest of several numbers, by default in percent: ``0.0 to 6.0``."""
    known = [*values]
    return f"{number(min(known), digits, factor)} to {number(max(known), digits, factor)}"


def join_numbers(values: Iterable[float | Fraction], digits: int = 1, factor: int = 1) -> str:
    """Numbers as a list in a sentence: ``0.60, 0.18 and 0.17``."""
    return enumeration(number(value, digits, factor) for value in values)


def in_words(count: int) -> str:
    """Small number as a word."""
    return _IN_WORDS[count]


def texts(**values: Any) -> Mapping[str, str]:
    """Values of a group; whole numbers have commas between thousands."""
    return {
        name: value if isinstance(value, str) else f"{int(value):,}"
        for name, value in values.items()
    }
