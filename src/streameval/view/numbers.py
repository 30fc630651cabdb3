"""Numbers as tables show them, rounded as by hand."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

#: Decimals where a caller does not say.
DECIMALS = 4
#: Sign for a number that is undefined or does not apply.
NO_VALUE = "–"
#: Room for the digits of any float.
_EXACT = Context(prec=400)


def round_half_up(value: float | Fraction, decimals: int) -> Decimal:
    """Round as by hand: 0.125 gives 0.13; a float stands for its shortest decimal number."""
    return _with_decimals(value, decimals, Fraction(1, 2))


def cut_off(value: float | Fraction, decimals: int) -> Decimal:
    """Truncate after so many decimals; a float stands for its shortest decimal number."""
    return _with_decimals(value, decimals, Fraction(0))


def _with_decimals(value: float | Fraction, decimals: int, more: Fraction) -> Decimal:
    exact = value if isinstance(value, Fraction) else Fraction(repr(float(value)))
    units = math.floor(abs(exact) * 10**decimals + more)
    return Decimal(-units if exact < 0 else units).scaleb(-decimals, _EXACT)


def number_text(value: Any, decimals: int = DECIMALS) -> str:
    """Return a value as a cell for people; texts stay.

    Floats are rounded half up, NaN and None are `NO_VALUE`, a minus sign is a real one.
    """
    if isinstance(value, str):
        return value
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return NO_VALUE
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}".replace("-", "−")
    text = f"{round_half_up(value, decimals):,}" if math.isfinite(value) else f"{value:g}"
    return text.replace("inf", "∞").replace("-", "−")


def p_text(p_value: float) -> str:
    """Return a p-value for people, as the right side of "p": = 0.0123, or < 0.0001."""
    least = 10.0**-DECIMALS
    return f"< {least:.{DECIMALS}f}" if p_value < least else f"= {number_text(float(p_value))}"


def in_brackets(value: Any, low: Any, high: Any, decimals: int) -> str:
    """Return a number with its interval behind it, if there is one."""
    shown, *ends = (number_text(float(one), decimals) for one in (value, low, high))
    return shown if NO_VALUE in ends else f"{shown} ({' to '.join(ends)})"


def plus_minus(value: float, low: float, high: float) -> str:
    """Return a number with half of its interval, if there is one."""
    half = (high - low) / 2
    return number_text(float(value)) + ("" if np.isnan(half) else f" ± {number_text(float(half))}")
