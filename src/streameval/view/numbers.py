"""Numbers as texts for table cells, rounded half up; see `formats` for proportions and scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from streameval.base.rounding import format_lower_bound, format_number, format_upper_bound

#: Default number of decimals.
DECIMALS = 4
#: Sign for a number that is undefined or does not apply.
NO_VALUE = "–"


def number_text(value: Any, decimals: int = DECIMALS) -> str:
    """Text of a value in a table cell; texts are unchanged.

    Floats are rounded half up, NaN and None become `NO_VALUE`, and negative numbers have the sign
    U+2212 instead of a hyphen.
    """
    if isinstance(value, str):
        return value
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return NO_VALUE
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}".replace("-", "−")
    return format_number(value, f",.{decimals}f")


def upper_bound_text(value: float, decimals: int = DECIMALS) -> str:
    """Text of the largest of several numbers after "at most"; it is rounded up."""
    return format_upper_bound(float(value), f",.{decimals}f")


def lower_bound_text(value: float, decimals: int = DECIMALS) -> str:
    """Text of the smallest of several numbers after "at least"; it is rounded down."""
    return format_lower_bound(float(value), f",.{decimals}f")


def p_text(p_value: float) -> str:
    """Text of a p-value that follows "p": "= 0.0123", or "< 0.0001"."""
    smallest = 10.0**-DECIMALS
    is_less = p_value < smallest
    return f"< {number_text(smallest)}" if is_less else f"= {number_text(float(p_value))}"


def number_with_interval(value: Any, low: Any, high: Any, decimals: int) -> str:
    """Text of a number followed by its interval in brackets, if there is one."""
    text, *ends = (number_text(float(number), decimals) for number in (value, low, high))
    return text if NO_VALUE in ends else f"{text} ({' to '.join(ends)})"


def plus_minus(value: float, low: float, high: float) -> str:
    """Text of a number and half the width of its interval, if there is one."""
    half = (high - low) / 2
    return number_text(float(value)) + ("" if np.isnan(half) else f" ± {number_text(float(half))}")
