"""Numbers as people read them."""

from __future__ import annotations

import math

from streameval.base.rounding import format_number, percentage


def percent(share: float) -> str:
    """Return a proportion in percent; a tiny one with two digits that count."""
    if share >= 0.001 or not share:
        return percentage(share, 2)
    return f"{format_number(share, '.2g', 100)} %"


def score(value: float, undefined: str = "undefined") -> str:
    """Return a measure without a unit, such as κ."""
    return undefined if math.isnan(value) else format_number(value, ".4f")
