"""How often intervals of one number for all bins miss its true value; see `over_bins`.

``python validation/over_bins_calibration.py FILE`` simulates all cells and writes them to a CSV
file. A cell is a law with a number of bins, a dependence and a length of the streams.
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
from streameval.evaluation.bins import END_COLUMNS, column_intervals
from streameval.evaluation.error_simulation import dependent_numbers, proportion_interval
from streameval.evaluation.over_bins import bin_weights, over_bins
from streameval.evaluation.roles import BEST_BINS
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, Gains, Task

#: Columns of a cell. The one number is the value of the best bin ("best"), or the weighted mean Ψ
#: over the bins with λ = `LAMBDA` ("weighted"). ``intervals`` is the number of streams with an
#: interval, and ``missed`` the proportion of these intervals that miss the true value, with its
#: exact 95 % interval. ``truth`` is the true value of the best bin, and ``excess`` the mean of its
#: estimates minus ``truth``.
COLUMNS = (
    *("law", "bins", "dependence", "instances", "streams"),
    *("truth", "excess", "best_intervals", "best_missed", "best_missed_low", "best_missed_high"),
    *("weighted_intervals", "weighted_missed", "weighted_missed_low", "weighted_missed_high"),
)
#: Parameter λ of the weights λ^(b/B) in Ψ; see `bin_weights`.
LAMBDA = 0.5
#: Number of streams of a cell, by number of bins and instances.
STREAMS = {(5, 2000): 400, (5, 8000): 400, (50, 2000): 150}
#: Probabilities that a random number repeats the previous one, in the simulation of predictions.
DEPENDENCE = (0.0, 0.9)


class BinLaw(NamedTuple):
    """A law of predictions in bins: error rates, or means of exponentially distributed errors.

    With B bins by time to the label there are B + 2 bins of predictions, 0, ..., B + 1.
    """

    task: Task
    first: float  # error rate, or mean error, of the first bin
    last: float  # error rate, or mean error, of the last bin; bins in between change linearly
    shared: float  # proportion of instances that are equally difficult in all bins
    middle_change: float = 0.0  # added to the error rate of the middle bin
    missing: int = 0  # number of first instances without a prediction in bin 0

    def means(self, bins: int) -> Floats:
        """The error rate, or mean absolute error, of each bin, shape (B + 2,)."""
        levels = np.linspace(self.first, self.last, bins + 2)
        levels[(bins + 2) // 2] += self.middle_change
        return levels

    def draw(self, rng: np.random.Generator, bins: int, n: int, dependence: float) -> Gains:
        """The gains of predictions, shape (n, B + 2)."""
        # One series for all bins, and a series for each bin.
        common, *by_bin = dependent_numbers(rng, n, dependence, bins + 3)
        is_shared = rng.random(n) < self.shared
        numbers = np.where(is_shared, common, by_bin).T  # uniform on [0, 1]
        if not self.task.is_error:
            return numbers >= self.means(bins)  # correct with probability 1 minus the error rate
        gains = np.log(1.0 - numbers) * self.means(bins)  # negative exponential errors
        gains[: self.missing, 0] = np.nan
        return gains


#: Laws of predictions by name.
LAWS = {
    "equal, bins independent": BinLaw(CLASSIFICATION_TASK, 0.3, 0.3, 0.0),
    "equal, bins alike": BinLaw(CLASSIFICATION_TASK, 0.3, 0.3, 0.9),
    "rising": BinLaw(CLASSIFICATION_TASK, 0.4, 0.2, 0.9),
    "one bin is the best": BinLaw(CLASSIFICATION_TASK, 0.3, 0.3, 0.9, middle_change=-0.05),
    "equal, errors rare": BinLaw(CLASSIFICATION_TASK, 0.03, 0.03, 0.9),
    "equal errors, bins independent": BinLaw(REGRESSION_TASK, 1.0, 1.0, 0.0),
    "falling errors, some missing": BinLaw(REGRESSION_TASK, 1.2, 0.8, 0.9, missing=100),
}


def simulate_cell(law: str, bins: int, dependence: float, n: int, streams: int) -> dict[str, Any]:
    """Simulate streams of a law; return a row with the columns `COLUMNS`."""
    bin_law, estimates = LAWS[law], []
    task = bin_law.task
    truths = np.array([task.error(mean) for mean in bin_law.means(bins).tolist()])
    weights = np.array(bin_weights(LAMBDA, bins))
    best = float(truths.min() if task.is_error else truths.max())
    measure = task.measure
    for stream in range(streams):
        rng = generator("one number for all bins", law, bins, str(dependence), n, stream)
        gains = bin_law.draw(rng, bins, n, dependence)
        series = task.series(gains)
        table = pd.DataFrame({"learner": "a", "bin": range(bins + 2)})
        table[measure] = np.nanmean(series, axis=0)
        table[END_COLUMNS] = column_intervals(series, (0.0, task.largest_difference))
        rows = over_bins(table, {"a": gains}, {"prioritised": LAMBDA}, [measure])
        is_best_bin = rows["weights"].isin(BEST_BINS)  # the other row is the weighted mean
        estimates.append(rows.set_index(is_best_bin)[["value", "low", "high"]])
    # The first columns; the others follow.
    row: dict[str, Any] = dict(zip(COLUMNS, (law, bins, dependence, n, streams), strict=False))
    values = {
        is_best: np.array([estimate.loc[is_best] for estimate in estimates])
        for is_best in (True, False)
    }
    row |= {"truth": best, "excess": round(float(values[True][:, 0].mean()) - best, 9)}
    for name, is_best, truth in (
        ("best", True, best),
        ("weighted", False, float((weights * truths).sum() / weights.sum())),
    ):
        ends = values[is_best][~np.isnan(values[is_best][:, 1]), 1:]
        n_missed = int(((ends[:, 0] > truth) | (ends[:, 1] < truth)).sum())
        row[f"{name}_intervals"] = len(ends)
        rate = proportion_interval(n_missed, len(ends)) if len(ends) else (np.nan,) * 3
        keys = (f"{name}_missed{end}" for end in ("", "_low", "_high"))
        row |= dict(zip(keys, rate, strict=True))
    return row


def simulate_cells() -> Iterator[dict[str, Any]]:
    """Yield the rows of all cells."""
    for law, dependence, ((bins, n), streams) in product(LAWS, DEPENDENCE, STREAMS.items()):
        yield simulate_cell(law, bins, dependence, n, streams)


if __name__ == "__main__":
    (file,) = sys.argv[1:]
    pd.DataFrame(simulate_cells(), columns=[*COLUMNS]).to_csv(Path(file), index=False)
