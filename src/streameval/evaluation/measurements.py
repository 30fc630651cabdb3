"""Measures of predictions, over all of them or over a sliding window."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from streameval.base.arrays import Integers
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.regression_measures import SelectedPredictions, regression_measures
from streameval.evaluation.tallies import tally_of, windows_of
from streameval.measures.registry import MEASURES

if TYPE_CHECKING:
    import pandas as pd

#: Prefix of the reason why the measures of a failed learner are undefined.
FAILED = "the learner failed: "
# Columns of measures over windows.
_WINDOWED = ("instance", "learner", "measure", "value", "reason")
# Largest batch of window counts, in windows times classes, to limit memory.
_MAX_COUNTS = 2**22


class MeasureValue(NamedTuple):
    """Value of a measure for a learner: a fraction, or in the target's unit; NaN if undefined."""

    learner: str
    measure: str
    value: float
    reason: str


def measures_of(table: PredictionTable) -> Mapping[str, Any]:
    """Measures of a table by name: measures of classification or of regression."""
    return MEASURES if table.n_classes else regression_measures(table.predicted, table.intervals)


def measure_predictions(
    table: PredictionTable,
    learners: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
) -> list[MeasureValue]:
    """Measures over all predictions, by learner, then by measure.

    The defaults are all learners and all measures. The measures of a failed learner are undefined,
    with its error as the reason.
    """
    results, measures_by_name = [], measures_of(table)
    names = measures or [*measures_by_name]
    for learner in learners or [*table.predicted, *table.failed]:
        if learner in table.failed:
            reason = f"{FAILED}{table.failed[learner]}"
            results += [MeasureValue(learner, name, math.nan, reason) for name in names]
            continue
        data: Any = (
            tally_of(table, learner) if table.n_classes else SelectedPredictions(table, learner)
        )
        for name in names:
            measure = measures_by_name[name]
            value, reason = measure.value(data), measure.reason(data)
            results.append(MeasureValue(learner, name, value.item(), reason.item()))
    return results


def overall_measures(
    table: PredictionTable,
    learners: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Table of `measure_predictions`: columns learner, measure, value, reason."""
    import pandas as pd  # imported here: it takes 0.4 s, and commands with few numbers skip it

    return pd.DataFrame(
        measure_predictions(table, learners, measures), columns=MeasureValue._fields
    )


def windowed_measures(
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

    ends = window_ends(len(table), window, points)
    n_batches = max(math.ceil(len(ends) * table.n_classes / _MAX_COUNTS), 1)
    batches = np.array_split(ends, n_batches)
    # An empty frame if all learners failed: `pd.concat` needs at least one.
    parts = [pd.DataFrame(columns=list(_WINDOWED))] if set(learners) <= set(table.failed) else []
    for learner in table.without_failed(learners):
        frames: dict[str, list[pd.DataFrame]] = {name: [] for name in measures}
        for batch in batches:
            for name, rows in _window_rows(table, learner, measures, window, batch).items():
                frames[name].append(rows)
        parts += [frame for name in measures for frame in frames[name]]
    return pd.concat(parts, ignore_index=True)


def _window_rows(
    table: PredictionTable, learner: str, measures: Sequence[str], window: int, ends: Integers
) -> dict[str, pd.DataFrame]:
    """Rows of `windowed_measures`, by measure, for the windows of a learner that end at `ends`."""
    import pandas as pd

    measures_by_name = measures_of(table)
    data: Any = (
        windows_of(table, learner, window, ends)
        if table.n_classes
        else SelectedPredictions.windows(table, learner, window, ends)
    )
    return {
        name: pd.DataFrame(
            {
                "instance": ends,
                "learner": learner,
                "measure": name,
                "value": measures_by_name[name].value(data),
                "reason": measures_by_name[name].reason(data),
            }
        )
        for name in measures
    }


def window_ends(n: int, window: int, points: int) -> Integers:
    """Ends of at most `points` windows, from the first full window to the last prediction."""
    return np.unique(np.linspace(min(window, n), n, min(points, n)).round().astype(np.int64))
