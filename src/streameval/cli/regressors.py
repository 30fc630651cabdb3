"""What ``evaluate`` says of learners that predict numbers."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from streameval.measures.regression import REGRESSION_MEASURES

if TYPE_CHECKING:
    from streameval.api.regression import RegressionResult

#: Measures as they are printed.
TITLES = {name: f"{one.title} ({one.symbol})" for name, one in REGRESSION_MEASURES.items()}
WHY_UNDEFINED = "R² is undefined: all targets are equal, or too large to be squared."
_ERRORS = [name for name, one in REGRESSION_MEASURES.items() if one.lower == 0]
_TITLE, _CELL = 34, 14


def print_measures(result: RegressionResult, as_json: bool, several: bool) -> None:
    """Print measures over all predictions: a column for each learner and the baseline."""
    found = result.to_dict()
    if as_json:
        about = {"learners": found} if several else found[result.learners[0]]
        print(json.dumps({"n": len(result.stream), **about}))
        return
    rows = {"": result.learners, "instances": [f"{len(result.stream):,}"] * len(found)}
    for name, title in TITLES.items():
        rows[title] = [shown(name, values[name]) for values in found.values()]
    rates = [
        values["seconds"] and len(result.stream) / values["seconds"] for values in found.values()
    ]
    rows["instances per second"] = ["not known" if not rate else f"{rate:,.0f}" for rate in rates]
    rows["model, bytes"] = [f"{values['model_bytes']:,}" for values in found.values()]
    widths = [max(_CELL, len(name) + 2) for name in result.learners]
    for title, cells in rows.items():
        line = "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        print(f"{title:<{_TITLE}}{line}")
    if any(values["r_squared"] is None for values in found.values()):
        print(WHY_UNDEFINED)


def shown(measure: str, value: float | None) -> str:
    """Return the value of a measure as it is printed; errors can have any magnitude."""
    if value is None or math.isnan(value):
        return "undefined"
    if measure not in _ERRORS:
        return f"{value:.4f}"
    return f"{value:,.4f}" if value == 0 or 0.01 <= value < 1e6 else f"{value:.4g}"
