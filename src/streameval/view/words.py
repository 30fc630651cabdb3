"""Format of percentages and scores for readers."""

from __future__ import annotations

import math

from streameval.base.rounding import format_number, percentage


def percent(share: float) -> str:
    """Text of a proportion in percent; tiny ones have two significant digits."""
    if share >= 0.001 or not share:
        return percentage(share, 2)
    return f"{format_number(share, '.2g', 100)} %"


def score(value: float, undefined: str = "undefined") -> str:
    """Text of a measure without a unit, such as κ."""
    return undefined if math.isnan(value) else format_number(value, ".4f")
