"""Proportions and scores as texts for sentences and results; see `numbers` for table cells."""

from __future__ import annotations

import math

from streameval.base.rounding import format_number, percentage


def percent(proportion: float) -> str:
    """Text of a proportion in percent: two decimals, or two digits if it is below 0.1 %.

    Zero is "0.00 %".
    """
    if proportion >= 0.001 or not proportion:
        return percentage(proportion, 2)
    return f"{format_number(proportion, '.2g', 100)} %"


def score(value: float, undefined: str = "undefined") -> str:
    """Text of a measure without a unit, such as κ."""
    return undefined if math.isnan(value) else format_number(value, ".4f")
