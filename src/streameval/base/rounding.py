"""Rounding of results in texts: values half up, upper bounds up, lower bounds down.

Half up means half away from zero, as `decimal.ROUND_HALF_UP`: -0.125 becomes -0.13.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction

#: Decimal context with enough digits for any float.
_EXACT = Context(prec=400)
_FORMAT = re.compile(r"\+?,?\.(?P<digits>[0-9]+)(?P<kind>[fg])")


def round_half_up(value: float | Fraction, decimals: int) -> Decimal:
    """Round half up, 0.125 to 0.13; a float stands for its shortest decimal number."""
    return _rounded(_exact(value), decimals, _half_up)


def truncate(value: float | Fraction, decimals: int) -> Decimal:
    """Truncate after `decimals` decimals; a float stands for its shortest decimal number."""
    return _rounded(_exact(value), decimals, math.trunc)


def format_number(value: float | Fraction, form: str, factor: int = 1) -> str:
    """Format `factor` times a number, rounded half up, with a typographic minus sign.

    Parameters
    ----------
    value : float or Fraction
        A float stands for its shortest decimal number, which is multiplied and rounded exactly.
    form : str
        A Python format with a number of decimals or significant digits, ``+,.2f`` or ``.3g``.
    factor : int
        100 for percentages and percentage points.
    """
    return _formatted(value, form, factor, _half_up)


def format_upper_bound(value: float | Fraction, form: str, factor: int = 1) -> str:
    """Format an upper bound, rounded up: 4.25 % as "at most 4.3 %".

    Digits of a float after the twelfth significant one are treated as rounding errors.
    """
    return _formatted(_without_rounding_error(value), form, factor, math.ceil)


def format_lower_bound(value: float | Fraction, form: str, factor: int = 1) -> str:
    """Format a lower bound, rounded down; see `format_upper_bound`."""
    return _formatted(_without_rounding_error(value), form, factor, math.floor)


def percentage(proportion: float | Fraction, decimals: int = 1) -> str:
    """Format a proportion in percent, rounded half up."""
    return f"{format_number(proportion, f',.{decimals}f', 100)} %"


def percentage_bound(proportion: float | Fraction, decimals: int = 1) -> str:
    """Format an upper bound of proportions in percent, rounded up."""
    return f"{format_upper_bound(proportion, f',.{decimals}f', 100)} %"


def _formatted(
    value: float | Fraction, form: str, factor: int, rule: Callable[[Fraction], int]
) -> str:
    parts = _FORMAT.fullmatch(form)
    if parts is None:
        raise ValueError(f"expected a format such as +,.2f or .3g, found {form!r}")
    rounded: float | Decimal = 0.0
    if not math.isfinite(value):
        rounded = float(value)
    elif parts["kind"] == "f":
        rounded = _rounded(_exact(value) * factor, int(parts["digits"]), rule)
    elif exact := _exact(value) * factor:  # zero has no first digit, and stays 0.0
        exponent = (Decimal(exact.numerator) / exact.denominator).adjusted()  # of the first digit
        rounded = float(_rounded(exact, int(parts["digits"]) - 1 - exponent, rule))
    text = format(rounded, form).replace("inf", "∞")
    return f"−{text[1:]}" if text.startswith("-") else text


def _without_rounding_error(value: float | Fraction) -> float | Fraction:
    return value if isinstance(value, Fraction) else float(f"{value:.12g}")


def _exact(value: float | Fraction) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(repr(float(value)))


def _rounded(exact: Fraction, decimals: int, rule: Callable[[Fraction], int]) -> Decimal:
    return Decimal(rule(exact * Fraction(10) ** decimals)).scaleb(-decimals, _EXACT)


def _half_up(exact: Fraction) -> int:
    units = math.floor(abs(exact) + Fraction(1, 2))
    return -units if exact < 0 else units
