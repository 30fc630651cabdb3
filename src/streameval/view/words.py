"""Numbers as people read them."""

from __future__ import annotations

import math

from streameval.base.values import signed_text


def percent(share: float) -> str:
    """Return a proportion in percent; a tiny one with two digits that count."""
    return f"{100 * share:.2f} %" if share >= 0.001 or not share else f"{100 * share:.2g} %"


def score(value: float, undefined: str = "undefined") -> str:
    """Return a measure without a unit, such as κ."""
    return undefined if math.isnan(value) else signed_text(value, "z.4f")
