"""What ``evaluate`` says of learners that predict numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from streameval.measures.regression import REGRESSION_MEASURES

if TYPE_CHECKING:
    from streameval.api.regression import RegressionResult
    from streameval.evaluation.differences import Difference
    from streameval.evaluation.number_measures import NumberTable

WHY_UNDEFINED = "R² is undefined: all targets are equal, or too large to be squared."
_ERRORS = [name for name, one in REGRESSION_MEASURES.items() if one.lower == 0]
_TITLE, _CELL, _WIDTH = 34, 14, 100


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
    rates = [
        values["seconds"] and len(result.stream) / values["seconds"] for values in found.values()
    ]
    rows["instances per second"] = ["not known" if not rate else f"{rate:,.0f}" for rate in rates]
    sizes = [values["model_bytes"] for values in found.values()]
    rows["model, bytes"] = ["not known" if not size else f"{size:,}" for size in sizes]
    first = max(_TITLE, *(len(title) + 1 for title in rows))
    widths = [max(_CELL, len(name) + 2) for name in result.learners]
    for title, cells in rows.items():
        line = "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        print(f"{title:<{first}}{line}")
    if any(values["r_squared"] is None for values in found.values()):
        print(WHY_UNDEFINED)
    print()
    print("\n".join(verdicts(result.numbers)))


def _as_json(
    result: RegressionResult, found: dict[str, dict[str, Any]], several: bool
) -> dict[str, Any]:
    for learner, values in found.items():
        del values["instances"]
        values["skills"] = skills_of(result, learner)
    return {"learners": found} if several else found[result.learners[0]]


def skills_of(result: RegressionResult, learner: str) -> dict[str, dict[str, Any]]:
    """Return the skill of a regressor over each baseline, with its interval; undefined is None."""
    rows = result.skills().set_index("learner").loc[[learner]]
    return {
        str(row["baseline"]): {
            **{key: _plain(row[key]) for key in ("skill", "low", "high")},
            "reason": row["reason"],
        }
        for row in rows.to_dict("records")
    }


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None


def verdicts(numbers: NumberTable, when: str = "") -> Iterator[str]:
    """Yield lines that say whether each regressor beats each baseline."""
    from streameval.evaluation.number_measures import baselines_of, called, error_difference

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
    return sign + shown(_ERRORS[0], abs(value))


def shown(measure: str, value: float | None) -> str:
    """Return the value of a measure as it is printed; errors can have any magnitude."""
    if value is None or math.isnan(value):
        return "undefined"
    if measure not in _ERRORS:
        return f"{value:.4f}"
    return f"{value:,.4f}" if value == 0 or 0.01 <= value < 1e6 else f"{value:.4g}"
