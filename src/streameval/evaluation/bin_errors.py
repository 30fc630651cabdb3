"""Errors of regressors by bin, with intervals that hold together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from streameval.evaluation.bin_measures import ENDS, contrasts, ends_of, intervals, judged, means_of
from streameval.evaluation.number_measures import SKILL, baselines_of, ratio_skill
from streameval.evaluation.roles import FIRST, REGRESSION_BASELINES, TARGET_MEAN
from streameval.evaluation.skills import skills_of_bins
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.bins import Binned
from streameval.significance.intervals import mean_interval
from streameval.significance.simultaneous import blocks_of, errors_together

_MAE = "mean_absolute_error"


_SEEDS = ["seeds", "seeds_low", "seeds_high"]


#: The columns of the measures of a learner by bin.
MEASURED = (
    *("learner", "bin", _MAE, *ENDS),
    *(name for name in REGRESSION_MEASURES if name != _MAE),
    *(SKILL + name for name in REGRESSION_BASELINES),
    *("predictions", "calculated", "missing"),
)


#: The columns of skills by bin.
SKILLS = ("learner", "baseline", "bin", "skill", "low", "high", "reason")


#: By learner, the absolute error of what counts, shape (s, B + 2), in the order of the labels.
Errors = Mapping[str, NDArray[np.float64]]


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
    targets = np.asarray(true, dtype=np.float64)
    rows = []
    for b, values in enumerate(binned.values.T):
        known = ~np.isnan(values)
        found = {
            name: float(one.function(targets[known], values[known]))
            for name, one in REGRESSION_MEASURES.items()
        }
        counts: dict[str, float] = {
            "predictions": len(values),
            "calculated": int(binned.made[:, b].sum()),
        }
        rows.append({"bin": b, **found, **counts, "missing": len(values) - int(known.sum())})
    return pd.DataFrame(rows)


def with_skills(bins: pd.DataFrame, errors: Errors) -> pd.DataFrame:
    """Return measures by learner and bin with a column for the skill over each baseline."""
    found = bins.copy()
    for baseline in baselines_of(errors):
        found[SKILL + baseline] = [
            ratio_skill(errors[learner][:, b], errors[baseline][:, b])
            for learner, b in zip(bins["learner"], bins["bin"], strict=True)
        ]
    return found


def skills_by_bin(errors: Errors) -> pd.DataFrame:
    """Return the skill of each learner that is no baseline over each one that is, by bin.

    Parameters
    ----------
    errors : mapping of str to ndarray of float, shape (s, B + 2)
        By learner, the absolute error of what counts, in the order of the labels; NaN where there
        is no prediction.

    Returns
    -------
    DataFrame
        `SKILLS`; low and high are the ends of the 95 % interval for this bin alone, NaN for the
        reason given.
    """
    baselines = baselines_of(errors)
    rows = [
        (learner, baseline, b, *found)
        for learner, own in errors.items()
        if learner not in baselines
        for baseline in baselines
        for b, found in enumerate(skills_of_bins(own, errors[baseline]))
    ]
    return pd.DataFrame(rows, columns=[*SKILLS])


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
        Instances that one of the learners does not predict in some bin are left out.
    """
    errors = _predicted_by_all(errors)
    frames = [contrasts({name: -one for name, one in errors.items()}, TARGET_MEAN)]
    for name, one in errors.items():
        gap = one[:, :1] - one[:, 1:]
        found = means_of(gap)
        together = errors_together(blocks_of(gap)) if len(gap) > 3 else np.nan
        ends = judged(gap, found, ends_of(found, together))
        part = pd.DataFrame({"bin": range(1, one.shape[1]), "difference": gap.mean(axis=0)})
        part[ENDS] = ends
        part["behind"] = ends[:, 3] < 0
        frames.append(part.assign(learner=name, reference=FIRST, other=name))
    columns = list(frames[0].columns)
    return pd.concat([one for one in frames if len(one)], ignore_index=True)[columns]


def _predicted_by_all(errors: Errors) -> Errors:
    known = [~np.isnan(one).any(axis=1) for one in errors.values()]
    everywhere = np.logical_and.reduce(known)
    return {name: one[everywhere] for name, one in errors.items()}


def _ends(
    errors: NDArray[np.float64], runs: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return `intervals` of each bin, of the instances that are predicted there."""
    everywhere = errors[~np.isnan(errors).any(axis=1)]
    family = blocks_of(everywhere) if len(everywhere) > 3 else None
    found = []
    for b, column in enumerate(errors.T):
        known, of_bin = column[~np.isnan(column), None], None if runs is None else runs[:, [b]]
        found.append(intervals(known, family, bounds=(0.0, np.inf), runs=of_bin))
    return np.concatenate(found)


def over_seeds(tables: list[pd.DataFrame], errors: NDArray[np.float64]) -> pd.DataFrame:
    """Return the means of tables of several seeds; counts are the same in all of them."""
    found, seeds = tables[0].copy(), len(tables)
    for name in REGRESSION_MEASURES:
        found[name] = np.mean([one[name] for one in tables], axis=0)
    by_seed = np.array([one[_MAE] for one in tables])
    found[ENDS] = _ends(errors, by_seed if seeds > 1 else None)
    ends = [mean_interval(row)[1:] if seeds > 1 else (np.nan, np.nan) for row in by_seed.T]
    found[_SEEDS[1:]] = ends
    return found.assign(seeds=seeds)
