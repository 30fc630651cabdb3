"""Literal twins of the measures of drift detection: sets of instances, one by one."""

from __future__ import annotations

import math
from fractions import Fraction


def episodes(drifts, n, tolerance):
    """The sets of instances where an alarm finds each drift."""
    ranges = []
    for i, (start, width) in enumerate(drifts):
        later = drifts[i + 1][0] if i + 1 < len(drifts) else n
        ranges.append([t for t in range(n) if start <= t < start + width + tolerance and t < later])
    return ranges


def measures(alarms, drifts, n, tolerance):
    """All measures by name; NaN where a fraction has no denominator."""
    parts = episodes(drifts, n, tolerance)
    inside = {t for part in parts for t in part}
    hits = [min((t for t in part if t in alarms), default=None) for part in parts]
    false = len({t for t in alarms if t not in inside})
    delays = [hit - start for hit, (start, _) in zip(hits, drifts, strict=True) if hit is not None]
    relative = [
        Fraction(1) if hit is None else Fraction(hit - part[0], len(part))
        for hit, part in zip(hits, parts, strict=True)
    ]
    k, h, out = len(drifts), len(delays), n - len(inside)
    fractions = {
        "episode_recall": (h, k),
        "episode_precision": (h, h + false),
        "episode_f1": (2 * h, 2 * h + false + (k - h) if k else 0),
        "mean_delay": (sum(delays), h),
        "normalised_delay": (sum(relative), k),
        "false_alarm_rate": (1000 * false, out),
        "time_between_false_alarms": (out, false),
    }
    return {
        name: float(Fraction(top) / bottom) if bottom else math.nan
        for name, (top, bottom) in fractions.items()
    }
