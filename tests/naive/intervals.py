"""Slow, literal twins of prediction intervals: their measures, and adaptive conformal ones."""

from __future__ import annotations

import math
from fractions import Fraction


def mean(values):
    values = list(values)
    if not values:
        return math.nan
    if any(math.isinf(value) for value in values):
        return math.inf
    return float(sum(map(Fraction, values)) / len(values))


def width(low, high):
    if low > high:
        return 0.0
    if math.isinf(low) or math.isinf(high):
        return math.inf
    return Fraction(high) - Fraction(low)


def score(y, low, high, coverage):
    """Eq. 43 of Gneiting and Raftery (2007), with its indicators."""
    if low > high:
        return math.inf
    factor, found = 2 / (1 - Fraction(coverage)), width(low, high)
    if y < low:
        found += factor * (Fraction(low) - Fraction(y)) if math.isfinite(low) else math.inf
    if y > high:
        found += factor * (Fraction(y) - Fraction(high)) if math.isfinite(high) else math.inf
    return found


def interval_coverage(true, low, high, coverage=None):
    return mean(int(a <= y <= b) for y, a, b in zip(true, low, high, strict=True))


def mean_interval_width(true, low, high, coverage=None):
    return mean(width(a, b) for a, b in zip(low, high, strict=True))


def normalised_interval_width(true, low, high, coverage=None):
    if not true or max(true) == min(true):
        return math.nan
    return mean_interval_width(true, low, high) / (max(true) - min(true))


def interval_score(true, low, high, coverage):
    return mean(score(y, a, b, coverage) for y, a, b in zip(true, low, high, strict=True))


def infinite_intervals(true, low, high, coverage=None):
    return mean(int(math.isinf(a) or math.isinf(b)) for a, b in zip(low, high, strict=True))
