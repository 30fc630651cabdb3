"""Regressors under continuous re-evaluation: errors by bin, with intervals that hold together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.bins import Binned
from streameval.significance.intervals import mean_interval
from streameval.studies.binned_measures import ENDS, behind, contrasts, intervals, size_of
from streameval.studies.binned_runs import number_bins
from streameval.studies.given import Given
from streameval.studies.reevaluated import of_given
from streameval.studies.roles import FIRST, TARGET_MEAN

_MAE = "mean_absolute_error"
_SEEDS = ["seeds", "seeds_low", "seeds_high"]
#: The columns of the measures of a learner by bin.
MEASURED = (
    *("learner", "bin", _MAE, *ENDS),
    *(name for name in REGRESSION_MEASURES if name != _MAE),
    *("predictions", "calculated"),
)

#: By learner, the absolute error of what counts, shape (s, B + 2), in the order of the labels.
Errors = Mapping[str, NDArray[np.float64]]


def study(given: Given) -> dict[str, pd.DataFrame]:
    """Return the frames of a figure.

    ``bins`` has measures by learner and bin, means over the learner's seeds: the interval of the
    mean absolute error (low, high), over the labels and, if there are several, the seeds; its band
    for all bins together (band_low, band_high); and its interval over the seeds alone (seeds_low,
    seeds_high).
    ``contrasts`` is that of `gains`. ``size`` is about the stream: its instances and labels, as far
    as it is evaluated, those still pending at the end, its inputs, and the name of its target.
    """
    settings = given.settings
    made = of_given(given, settings.every)
    true = made.stream.y[made.plan.waits.row]
    errors, parts = dict[str, NDArray[np.float64]](), []
    for name, learner in given.regressors().items():
        tables, seconds, total = [], 0.0, np.zeros((len(true), settings.bins + 2))
        for seed in range(1, settings.seeds.get(name, 1) + 1):
            found, spent = number_bins(made, learner, settings.bins, settings.rule, seed)
            seconds += spent
            tables.append(error_table(true, found))
            total += np.abs(found.values - true[:, None])
        given.announce(f"{name}: {seconds:.2f} s")
        errors[name] = total / len(tables)
        parts.append(over_seeds(tables, errors[name]).assign(learner=name))
    return {
        "bins": pd.concat(parts, ignore_index=True)[[*MEASURED, *_SEEDS]],
        "contrasts": gains(errors),
        "size": size_of(made, given.simulated).assign(target=made.stream.schema.target),
    }


def error_table(true: ArrayLike, binned: Binned) -> pd.DataFrame:
    """Return the measures of what counts in each bin, of one run.

    Parameters
    ----------
    true : array-like of float, shape (s,)
        Targets, in the order of their arrival.
    binned : Binned
        What counts for these instances.

    Returns
    -------
    DataFrame
        Columns bin, those of `REGRESSION_MEASURES`, predictions (how many instances), calculated
        (for how many of them a prediction is made in the bin); a row for each of the bins 0, ...,
        B + 1.
    """
    values = binned.values.T
    targets = np.broadcast_to(np.asarray(true, dtype=np.float64), values.shape)
    found = {name: one.function(targets, values) for name, one in REGRESSION_MEASURES.items()}
    counts = {"predictions": values.shape[1], "calculated": binned.made.sum(axis=0)}
    return pd.DataFrame({"bin": np.arange(len(values)), **found, **counts})


def gains(errors: Errors) -> pd.DataFrame:
    """Return by how much the absolute errors of each learner are smaller than others, by bin.

    Parameters
    ----------
    errors : mapping of str to ndarray of float, shape (s, B + 2)
        By learner, the absolute error of what counts, in the order of the labels.

    Returns
    -------
    DataFrame
        Columns learner, reference, other, bin, difference (positive where the learner is better),
        low, high, band_low, band_high, behind, as of `contrasts`, with target_mean as the baseline.
        Of reference "first", it is the learner itself in bin 0, with bands for the other bins.
    """
    frames = [contrasts({name: -one for name, one in errors.items()}, TARGET_MEAN)]
    for name, one in errors.items():
        gap = one[:, :1] - one[:, 1:]
        ends = intervals(gap)
        part = pd.DataFrame({"bin": range(1, one.shape[1]), "difference": gap.mean(axis=0)})
        part[ENDS] = ends
        part["behind"] = behind(gap, ends)
        frames.append(part.assign(learner=name, reference=FIRST, other=name))
    columns = list(frames[0].columns)
    return pd.concat([one for one in frames if len(one)], ignore_index=True)[columns]


def over_seeds(tables: list[pd.DataFrame], errors: NDArray[np.float64]) -> pd.DataFrame:
    """Return the means of tables of several seeds; counts are the same in all of them."""
    found, seeds = tables[0].copy(), len(tables)
    for name in REGRESSION_MEASURES:
        found[name] = np.mean([one[name] for one in tables], axis=0)
    by_seed = np.array([one[_MAE] for one in tables])
    runs = by_seed if seeds > 1 else None
    found[ENDS] = intervals(errors, bounds=(0.0, np.inf), runs=runs)
    ends = [mean_interval(row)[1:] if seeds > 1 else (np.nan, np.nan) for row in by_seed.T]
    found[_SEEDS[1:]] = ends
    return found.assign(seeds=seeds)
