"""Sentences on learners and baselines: differences in accuracy, or in errors, and intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping

from streameval.evaluation.differences import Difference
from streameval.evaluation.roles import MAJORITY, NO_CHANGE

#: What sentences call the baselines of classifiers.
CALLED = {NO_CHANGE: "No-Change", MAJORITY: "Majority"}


def sentences(
    learner: str, found: Mapping[str, Difference], called: Mapping[str, str] = CALLED
) -> list[str]:
    """Return sentences on a classifier: differences with an interval first, then the others.

    `found` are the differences in accuracy from each baseline, `called` what a baseline is called.
    """
    known = [_clause(called[name], one) for name, one in found.items() if not one.reason]
    told = [f"{learner} {' and '.join(known)}."] if known else []
    for reason in dict.fromkeys(one.reason for one in found.values() if one.reason):
        beside = [
            f"{points(one.difference)} against {called[name]}"
            for name, one in found.items()
            if one.reason == reason
        ]
        told.append(f"{learner}: {' and '.join(beside)}; no interval, as {reason}.")
    return told


def _clause(baseline: str, found: Difference) -> str:
    if found.low <= 0 <= found.high:
        ends = f"{points(found.low, '')}, {points(found.high, '')}"
        return f"cannot be told from {baseline} ({points(found.difference)} [{ends}])"
    verb, sign = ("beats", 1) if found.low > 0 else ("loses to", -1)
    low, high = sorted((sign * found.low, sign * found.high))
    by = f"{100 * sign * found.difference:.2f} points"
    return f"{verb} {baseline} by {by} [{100 * low:.2f}, {100 * high:.2f}]"


def points(difference: float, unit: str = " points") -> str:
    """Return a difference in accuracy with its sign."""
    if math.isnan(difference):
        return "undefined"
    sign = "−" if difference < 0 else "+" if difference > 0 else ""
    return f"{sign}{100 * abs(difference):.2f}{unit}"


def error_sentence(
    learner: str, baseline: str, found: Difference, decimals: int | None = None
) -> str:
    """Return a sentence on a regressor: the difference in mean absolute error from a baseline.

    With `decimals` numbers have so many, and the interval stands in brackets.
    """
    if not found.instances:
        return f"{learner} and {baseline}: {found.reason}."
    shown = [found.difference, found.low, found.high]
    if decimals is None:
        difference, low, high = map(signed, shown)
        ends = f", 95 % interval {low} to {high}"
    else:
        difference, low, high = (f"{value:+z,.{decimals}f}".replace("-", "−") for value in shown)
        ends = f" [{low}, {high}]"
    if found.reason:
        return f"{learner} against {baseline}: MAE {difference}; no interval, as {found.reason}."
    verb = "beats" if found.high < 0 else "loses to" if found.low > 0 else "does not beat"
    return f"{learner} {verb} {baseline}: MAE {difference}{ends}."


def signed(value: float) -> str:
    """Return a difference of errors with its sign."""
    sign = "−" if value < 0 else "+" if value > 0 else ""
    return sign + magnitude(abs(value))


def magnitude(value: float) -> str:
    """Return an error, which can have any magnitude."""
    return f"{value:,.4f}" if value == 0 or 0.01 <= value < 1e6 else f"{value:.4g}"
