"""Measures of predictions, over all of them or over a sliding window."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from streameval.base.arrays import Integers
from streameval.evaluation.number_measures import Spans, number_measures
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.tallies import tally_of, windows_of
from streameval.measures.registry import MEASURES

if TYPE_CHECKING:
    import pandas as pd

#: Prefix of the reason why the measures of a failed learner are undefined.
FAILED = "the learner failed: "
# Columns of measures over windows.
_WINDOWED = ("instance", "learner", "measure", "value", "reason")
# Largest number of positions times classes in one count, which limits memory.
_MOST_COUNTS = 2**22


class Measured(NamedTuple):
    """A measure of a learner, a fraction or in the unit of the target; NaN where undefined."""

    learner: str
    measure: str
    value: float
    reason: str


def measures_of(table: PredictionTable) -> Mapping[str, Any]:
    """Measures of the task of a table, by name: of classification or of regression."""
    return MEASURES if table.n_classes else number_measures(table.predicted, table.intervals)


def measure_predictions(
    table: PredictionTable,
    learners: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
) -> list[Measured]:
    """Measures over all predictions, by learner, then by measure.

    The defaults are all learners and all measures. The measures of a failed learner are undefined,
    with its error as the reason.
    """
    results, known = [], measures_of(table)
    for learner in learners or [*table.predicted, *table.failed]:
        if learner in table.failed:
            reason = f"{FAILED}{table.failed[learner]}"
            results += [Measured(learner, name, math.nan, reason) for name in measures or known]
            continue
        of: Any = tally_of(table, learner) if table.n_classes else Spans(table, learner)
        for name in measures or known:
            value, reason = known[name].value(of), known[name].reason(of)
            results.append(Measured(learner, name, value.item(), reason.item()))
    return results


def overall_measures(
    table: PredictionTable,
    learners: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Table of `measure_predictions`: columns learner, measure, value, reason."""
    import pandas as pd  # imported here: it takes 0.4 s, and commands with few numbers skip it

    return pd.DataFrame(measure_predictions(table, learners, measures), columns=Measured._fields)


def windowed(
    table: PredictionTable,
    learners: Sequence[str],
    measures: Sequence[str],
    window: int,
    points: int,
) -> pd.DataFrame:
    """Measures over a sliding window, at up to `points` equidistant positions.

    Failed learners have no rows.
    """
    import pandas as pd

    at = positions(len(table), window, points)
    portions = np.array_split(at, math.ceil(len(at) * table.n_classes / _MOST_COUNTS) or 1)
    parts = [pd.DataFrame(columns=list(_WINDOWED))] if set(learners) <= set(table.failed) else []
    for learner in table.without_failed(learners):
        frames: dict[str, list[pd.DataFrame]] = {name: [] for name in measures}
        for portion in portions:
            for name, rows in _window_rows(table, learner, measures, window, portion).items():
                frames[name].append(rows)
        parts += [frame for name in measures for frame in frames[name]]
    return pd.concat(parts, ignore_index=True)


def _window_rows(
    table: PredictionTable, learner: str, measures: Sequence[str], window: int, at: Integers
) -> dict[str, pd.DataFrame]:
    """Rows of `windowed` about the windows of a learner that end at some positions."""
    import pandas as pd

    known = measures_of(table)
    of: Any = (
        windows_of(table, learner, window, at)
        if table.n_classes
        else Spans.windows(table, learner, window, at)
    )
    return {
        name: pd.DataFrame(
            {
                "instance": at,
                "learner": learner,
                "measure": name,
                "value": known[name].value(of),
                "reason": known[name].reason(of),
            }
        )
        for name in measures
    }


def positions(n: int, window: int, points: int) -> Integers:
    """At most `points` positions from the first full window to the last prediction."""
    return np.unique(np.linspace(min(window, n), n, min(points, n)).round().astype(np.int64))
