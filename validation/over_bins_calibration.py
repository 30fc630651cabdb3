"""How often intervals of one number for all bins miss the number of the process.

``python validation/over_bins_calibration.py FILE`` simulates all cells and writes them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.base.seeds import generator
from streameval.evaluation.bins import ENDS, column_intervals
from streameval.evaluation.error_simulation import dependent_numbers, proportion_interval
from streameval.evaluation.over_bins import bin_weights, over_bins
from streameval.evaluation.roles import BEST_BINS
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, Gains, Task

#: The columns of a cell: of the best bin, and of Ψ with λ = `LAMBDA`, the streams with an interval,
#: and of these the proportion whose interval misses the truth, with its exact 95 % interval;
#: `excess` is the mean of the value of the best bin less the truth.
COLUMNS = (
    *("law", "bins", "dependence", "instances", "streams"),
    *("truth", "excess", "best_intervals", "best_missed", "best_missed_low", "best_missed_high"),
    *("weighted_intervals", "weighted_missed", "weighted_missed_low", "weighted_missed_high"),
)
LAMBDA = 0.5
#: The streams of a cell, by number of bins and instances.
STREAMS = {(5, 2000): 400, (5, 8000): 400, (50, 2000): 150}
DEPENDENCE = (0.0, 0.9)


class BinLaw(NamedTuple):
    """How the predictions in each bin are drawn, for rates, or means of exponential errors.

    `shared` is the proportion of instances as hard in all bins, `middle` added in the middle bin;
    the first `missing` instances have no prediction in bin 0.
    """

    task: Task
    first: float
    last: float
    shared: float
    middle: float = 0.0
    missing: int = 0

    def means(self, bins: int) -> Floats:
        """The error rate, or mean absolute error, of each bin."""
        levels = np.linspace(self.first, self.last, bins + 2)
        levels[(bins + 2) // 2] += self.middle
        return levels

    def draw(self, draws: np.random.Generator, bins: int, n: int, dependence: float) -> Gains:
        """The gains of predictions, shape (n, B + 2)."""
        common, *of_learners = dependent_numbers(draws, n, dependence, bins + 3)
        is_shared = draws.random(n) < self.shared
        numbers = np.where(is_shared, common, of_learners).T
        if not self.task.is_error:
            return numbers >= self.means(bins)
        accuracies = np.log(1.0 - numbers) * self.means(bins)
        accuracies[: self.missing, 0] = np.nan
        return accuracies


LAWS = {
    "equal, bins independent": BinLaw(CLASSIFICATION_TASK, 0.3, 0.3, 0.0),
    "equal, bins alike": BinLaw(CLASSIFICATION_TASK, 0.3, 0.3, 0.9),
    "rising": BinLaw(CLASSIFICATION_TASK, 0.4, 0.2, 0.9),
    "one bin is the best": BinLaw(CLASSIFICATION_TASK, 0.3, 0.3, 0.9, middle=-0.05),
    "equal, errors rare": BinLaw(CLASSIFICATION_TASK, 0.03, 0.03, 0.9),
    "equal errors, bins independent": BinLaw(REGRESSION_TASK, 1.0, 1.0, 0.0),
    "falling errors, some missing": BinLaw(REGRESSION_TASK, 1.2, 0.8, 0.9, missing=100),
}


def simulate_cell(law: str, bins: int, dependence: float, n: int, streams: int) -> dict[str, Any]:
    """Simulate streams of a law; return the columns `COLUMNS`."""
    of, verdicts = LAWS[law], []
    means = of.means(bins)
    truths = np.array([of.task.error(mean) for mean in means.tolist()])
    by = np.array(bin_weights(LAMBDA, bins))
    best = float(truths.min() if of.task.is_error else truths.max())
    measure = of.task.measure
    for stream in range(streams):
        draws = generator("one number for all bins", law, bins, str(dependence), n, stream)
        gains = of.draw(draws, bins, n, dependence)
        series = of.task.series(gains)
        table = pd.DataFrame({"learner": "a", "bin": range(bins + 2)})
        table[measure] = np.nanmean(series, axis=0)
        table[ENDS] = column_intervals(series, (0.0, of.task.most))
        rows = over_bins(table, {"a": gains}, {"prioritised": LAMBDA}, [measure])
        verdicts.append(rows.set_index(rows["weights"].isin(BEST_BINS))[["value", "low", "high"]])
    row: dict[str, Any] = dict(zip(COLUMNS, (law, bins, dependence, n, streams), strict=False))
    values = {
        is_best: np.array([verdict.loc[is_best] for verdict in verdicts])
        for is_best in (True, False)
    }
    row |= {"truth": best, "excess": round(float(values[True][:, 0].mean()) - best, 9)}
    for name, is_best, truth in (
        ("best", True, best),
        ("weighted", False, float((by * truths).sum() / by.sum())),
    ):
        ends = values[is_best][~np.isnan(values[is_best][:, 1]), 1:]
        missed = int(((ends[:, 0] > truth) | (ends[:, 1] < truth)).sum())
        row[f"{name}_intervals"] = len(ends)
        rate = proportion_interval(missed, len(ends)) if len(ends) else (np.nan,) * 3
        keys = (f"{name}_missed{end}" for end in ("", "_low", "_high"))
        row |= dict(zip(keys, rate, strict=True))
    return row


def simulate_cells() -> Iterator[dict[str, Any]]:
    """Yield all cells."""
    for law, dependence, ((bins, n), streams) in product(LAWS, DEPENDENCE, STREAMS.items()):
        yield simulate_cell(law, bins, dependence, n, streams)


if __name__ == "__main__":
    (file,) = sys.argv[1:]
    pd.DataFrame(simulate_cells(), columns=[*COLUMNS]).to_csv(Path(file), index=False)
