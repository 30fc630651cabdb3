"""Comparison with baselines, as ``evaluate`` prints it, and measures of regressors."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from streameval.evaluation.roles import MAJORITY, NO_CHANGE
from streameval.values import defined

if TYPE_CHECKING:
    from streameval.api.evaluation import PiecesResult
    from streameval.api.regression import RegressionResult
    from streameval.api.result import Result
    from streameval.evaluation.differences import Difference
    from streameval.evaluation.number_measures import NumberTable

_CALLED = {NO_CHANGE: "No-Change", MAJORITY: "Majority"}
_INTERVALS = "In brackets: 95 % intervals of the difference in accuracy."
_FOLDS = "`streameval compare` has intervals over folds."
WHY_UNDEFINED = "R² is undefined: all targets are equal, or too large to be squared."
_TITLE, _CELL, _WIDTH = 34, 14, 100


def verdicts(
    result: Result | PiecesResult | RegressionResult,
    learners: Sequence[str],
    *,
    explained: bool = True,
) -> list[str]:
    """Return sentences on learners and baselines; of these classifiers, and their meaning."""
    from streameval.api.regression import RegressionResult

    if isinstance(result, RegressionResult):
        return [*_error_verdicts(result)]
    found = result.over_baselines()
    when = "" if result.delays is None else "On arrival, "
    told = [when + sentence for name in learners for sentence in _sentences(name, found[name])]
    if any(not one.reason for name in learners for one in found[name].values()):
        told += [_INTERVALS] * explained
    elif result.has_folds:
        told.append(_FOLDS)
    return [line for one in told for line in wrap(one, _WIDTH, subsequent_indent="  ")]


def differences_as_json(found: Mapping[str, Difference]) -> dict[str, dict[str, Any]]:
    """Return the differences of a learner, by baseline; undefined is None."""
    return {
        name: {key: defined(value) for key, value in one._asdict().items()}
        for name, one in found.items()
    }


def _sentences(learner: str, found: Mapping[str, Difference]) -> list[str]:
    """Return sentences on a classifier: differences with an interval first, then the others."""
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


def titles(learners: Iterable[str]) -> dict[str, str]:
    """Return the measures of these regressors as they are printed, by name."""
    from streameval.evaluation.number_measures import measures_of

    return {
        name: one.title if one.symbol == "S" else f"{one.title} ({one.symbol})"
        for name, one in measures_of(learners).items()
    }


def print_measures(result: RegressionResult, as_json: bool, several: bool) -> None:
    """Print measures over all predictions: a column for each learner and baseline."""
    found = result.to_dict()
    if as_json:
        print(json.dumps({"n": len(result.stream), **_as_json(result, found, several)}))
        return
    rows = {"": result.learners, "instances": [f"{len(result.stream):,}"] * len(found)}
    missing = [result.missing(name) for name in result.learners]
    if any(missing):
        rows["of these not predicted"] = [f"{number:,}" for number in missing]
    for name, title in titles(result.learners).items():
        rows[title] = [shown(name, values[name]) for values in found.values()]
    rows |= cost_rows(found.values())
    print_rows(rows, result.learners, max(_TITLE, *(len(title) + 1 for title in rows)))
    if any(values["r_squared"] is None for values in found.values()):
        print(WHY_UNDEFINED)
    print("\n".join(["", *verdicts(result, result.learners)]))


def cost_rows(found: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the rows of a table about costs, from the values of each learner."""
    rows: dict[str, list[str]] = {"instances per second": [], "model, bytes": []}
    for values in found:
        rate = values["seconds"] and values["instances"] / values["seconds"]
        for cells, number in zip(rows.values(), (rate, values["model_bytes"]), strict=True):
            cells.append(f"{number:,.0f}" if number else "not known")
    return rows


def print_rows(rows: Mapping[str, Sequence[str]], learners: Sequence[str], first: int) -> None:
    """Print rows with a title and a cell for each learner."""
    widths = [max(_CELL, len(name) + 2) for name in learners]
    for title, cells in rows.items():
        line = "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        print(f"{title:<{first}}{line}")


def _as_json(
    result: RegressionResult, found: dict[str, dict[str, Any]], several: bool
) -> dict[str, Any]:
    for learner, values in found.items():
        del values["instances"]
        values["skills"] = skills_of(result, learner)
    return {"learners": found} if several else found[result.learners[0]]


def skills_of(result: RegressionResult, learner: str) -> dict[str, dict[str, Any]]:
    """Return the skill of a regressor over each baseline, with its interval; undefined is None."""
    from streameval.evaluation.number_measures import baselines_of, skill

    table = _on_arrival(result)
    found = {name: skill(table, learner, name) for name in baselines_of(table.predicted)}
    return {
        name: dict(zip(("skill", "low", "high", "reason"), map(defined, one), strict=True))
        for name, one in found.items()
    }


def _on_arrival(result: RegressionResult) -> NumberTable:
    return result.numbers if result.delays is None else result.on_arrival()


def _error_verdicts(result: RegressionResult) -> Iterator[str]:
    """Yield a sentence on each regressor and baseline, in lines."""
    from streameval.evaluation.number_measures import baselines_of, called, error_difference

    numbers, when = _on_arrival(result), "" if result.delays is None else "On arrival, "
    baselines = baselines_of(numbers.predicted)
    for learner in numbers.predicted:
        for baseline in baselines if learner not in baselines else ():
            found = error_difference(numbers, learner, baseline)
            sentence = when + _sentence(learner, called(baseline), found)
            yield from wrap(sentence, _WIDTH, subsequent_indent="  ")


def _sentence(learner: str, baseline: str, found: Difference) -> str:
    if not found.instances:
        return f"{learner} and {baseline}: {found.reason}."
    about = f"MAE {_signed(found.difference)}"
    if found.reason:
        return f"{learner} against {baseline}: {about}; no interval, as {found.reason}."
    verb = "beats" if found.high < 0 else "loses to" if found.low > 0 else "does not beat"
    ends = f"95 % interval {_signed(found.low)} to {_signed(found.high)}"
    return f"{learner} {verb} {baseline}: {about}, {ends}."


def _signed(value: float) -> str:
    sign = "−" if value < 0 else "+" if value > 0 else ""
    return sign + _magnitude(abs(value))


def shown(measure: str, value: float | None) -> str:
    """Return the value of a measure as it is printed; errors can have any magnitude."""
    from streameval.measures.regression import REGRESSION_MEASURES

    if value is None or math.isnan(value):
        return "undefined"
    of_numbers = REGRESSION_MEASURES.get(measure)
    return _magnitude(value) if of_numbers and of_numbers.lower == 0 else f"{value:.4f}"


def _magnitude(value: float) -> str:
    return f"{value:,.4f}" if value == 0 or 0.01 <= value < 1e6 else f"{value:.4g}"
