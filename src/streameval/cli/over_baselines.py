"""What ``evaluate`` says of classifiers: whether they beat the two baselines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from streameval.evaluation.roles import MAJORITY, NO_CHANGE

if TYPE_CHECKING:
    from streameval.api.result import Result
    from streameval.evaluation.differences import Difference

_CALLED = {NO_CHANGE: "No-Change", MAJORITY: "Majority"}
_INTERVALS = "In brackets: 95 % intervals of the difference in accuracy."
_FOLDS = "`streameval compare` has intervals over folds."
_WIDTH = 100


def lines(result: Result, learners: Sequence[str], *, explained: bool = True) -> list[str]:
    """Return a sentence for each of these learners, and what its numbers are if `explained`."""
    found = result.over_baselines()
    when = "" if result.delays is None else "On arrival, "
    told = [when + sentence for name in learners for sentence in _sentences(name, found[name])]
    if any(not one.reason for name in learners for one in found[name].values()):
        told += [_INTERVALS] * explained
    elif result.has_folds:
        told.append(_FOLDS)
    return [line for one in told for line in wrap(one, _WIDTH, subsequent_indent="  ")]


def as_json(found: Mapping[str, Difference]) -> dict[str, dict[str, Any]]:
    """Return the differences of a learner, by baseline; undefined is None."""
    return {
        name: {key: _plain(value) for key, value in one._asdict().items()}
        for name, one in found.items()
    }


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _sentences(learner: str, found: Mapping[str, Difference]) -> list[str]:
    """Return what is said of a learner: first what has an interval, then why others have none."""
    known = [_clause(_CALLED[name], one) for name, one in found.items() if not one.reason]
    told = [f"{learner} {' and '.join(known)}."] if known else []
    for reason in dict.fromkeys(one.reason for one in found.values() if one.reason):
        beside = [
            f"{_points(one.difference)} against {_CALLED[name]}"
            for name, one in found.items()
            if one.reason == reason
        ]
        told.append(f"{learner}: {' and '.join(beside)}; no interval, as {reason}.")
    return told


def _clause(baseline: str, found: Difference) -> str:
    if found.low <= 0 <= found.high:
        ends = f"{_points(found.low, '')}, {_points(found.high, '')}"
        return f"cannot be told from {baseline} ({_points(found.difference)} [{ends}])"
    verb, sign = ("beats", 1) if found.low > 0 else ("loses to", -1)
    low, high = sorted((sign * found.low, sign * found.high))
    by = f"{100 * sign * found.difference:.2f} points"
    return f"{verb} {baseline} by {by} [{100 * low:.2f}, {100 * high:.2f}]"


def _points(difference: float, unit: str = " points") -> str:
    if math.isnan(difference):
        return "undefined"
    sign = "−" if difference < 0 else "+" if difference > 0 else ""
    return f"{sign}{100 * abs(difference):.2f}{unit}"
