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
    factor, total = 2 / (1 - Fraction(coverage)), width(low, high)
    if y < low:
        total += factor * (Fraction(low) - Fraction(y)) if math.isfinite(low) else math.inf
    if y > high:
        total += factor * (Fraction(y) - Fraction(high)) if math.isfinite(high) else math.inf
    return total


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


def conformal(y, tape, values, coverage, gamma, window, infinite, entities=None):
    """Adaptive conformal intervals, event by event; low, high and whether limited.

    `values` are the predictions in the order of the tape. With the `entities` of the rows each has
    residuals and a level of its own, and that of all, None, while these are too few.
    """
    names = [None, *dict.fromkeys(entities or ())]
    levels, residuals = dict.fromkeys(names, coverage), {name: [] for name in names}
    first, learnt, remaining, intervals = {}, set(), iter(values), []
    for row, op, weight in zip(tape.row.tolist(), tape.op.tolist(), tape.weight, strict=True):
        groups = [None] if entities is None else [entities[row], None]
        if op & 1:
            value = next(remaining)
            interval, by = (math.nan, math.nan, False), None
            for by in groups if not math.isnan(value) else ():
                known = sorted(residuals[by][-window:])
                interval = around(value, known, levels[by], coverage, infinite)
                if not math.isnan(interval[0]):
                    break
            intervals.append(interval)
            if row not in first and row not in learnt:
                first[row] = (value, *interval[:2], by)
        if op & 2 and weight > 0 and row not in learnt:
            learnt.add(row)
            if row not in first or math.isnan(first[row][0]):
                continue
            value, low, high, by = first[row]
            for name in groups:
                residuals[name].append(abs(y[row] - value))
            if not math.isnan(low):
                miss = 0.0 if low <= y[row] <= high else 1.0
                levels[by] += gamma * (miss - (1.0 - coverage))
                if not infinite:
                    levels[by] = min(max(levels[by], 0.0), 1.0)
    return intervals


def place(n, level):
    """The rank ⌈(n + 1) level⌉, of a level up to rounding."""
    return math.ceil((n + 1) * level - 1e-9)


def around(value, residuals, level, coverage, infinite):
    n = len(residuals)
    if n == 0 or place(n, coverage) > n:
        return math.nan, math.nan, False
    k = place(n, level)
    if k > n and infinite:
        return -math.inf, math.inf, False
    if k < 1 and infinite:
        return math.inf, -math.inf, False
    radius = residuals[min(max(k, 1), n) - 1]
    return value - radius, value + radius, not 1 <= k <= n
