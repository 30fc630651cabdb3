"""How measures of predicted numbers are printed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from streameval.errors import some
from streameval.evaluation.verdict_words import magnitude
from streameval.view.words import score

#: Least width of a cell.
_CELL = 14


def titles(learners: Iterable[str], intervals: Iterable[str] = ()) -> dict[str, str]:
    """Return the measures of these regressors as they are printed, by name.

    Also those of prediction intervals, of the regressors that have some.
    """
    from streameval.evaluation.number_measures import number_measures

    return {
        name: f"{one.title} ({one.symbol})" if one.symbol not in ("S", "") else one.title
        for name, one in number_measures(learners, intervals).items()
    }


def row_lines(
    rows: Mapping[str, Sequence[str]], learners: Iterable[str], first: int
) -> Iterator[str]:
    """Yield the lines of rows with a title, so wide, and a cell for each learner."""
    widths = [max(_CELL, len(name) + 2) for name in learners]
    for title, cells in rows.items():
        line = "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        yield f"{title:<{first}}{line}"


def undefined(reasons: Mapping[Any, Mapping[Any, Any]]) -> list[str]:
    """Return a sentence on each measure and reason, with its learners if there are others.

    `reasons` are by learner, then by measure; nothing where one is defined.
    """
    whose: dict[tuple[str, str], list[str]] = {}
    for learner, own in reasons.items():
        for measure, why in own.items():
            if why:
                whose.setdefault((str(measure), str(why)), []).append(str(learner))
    return [
        f"{measure}{'' if len(names) == len(reasons) else f' of {some(names)}'} is undefined: "
        f"{why}."
        for (measure, why), names in whose.items()
    ]


def shown(measure: str, value: float | None) -> str:
    """Return the value of a measure as it is printed; errors can have any magnitude."""
    from streameval.measures.prediction_intervals import INTERVAL_MEASURES
    from streameval.measures.regression import REGRESSION_MEASURES

    if value is None or math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinite"
    of_numbers = REGRESSION_MEASURES.get(measure) or INTERVAL_MEASURES.get(measure)
    has_unit = of_numbers is not None and (of_numbers.lower, of_numbers.upper) == (0, math.inf)
    return magnitude(value) if has_unit else score(value)
