"""Errors of regressors by bin, with simultaneous intervals, and by age."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.evaluation.age_bins import AtAges
from streameval.evaluation.bin_measures import (
    ENDS,
    contrasts,
    ends_of,
    intervals,
    judged,
    means_of,
    skills_of_bins,
)
from streameval.evaluation.number_measures import SKILL, ratio_skill
from streameval.evaluation.roles import FIRST, REGRESSION_BASELINES, TARGET_MEAN
from streameval.evaluation.task import NUMBERS
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.bins import Binned
from streameval.significance.intervals import mean_interval
from streameval.significance.simultaneous import blocks_of, errors_together
from streameval.significance.stream_mean import stream_mean

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
Errors = Mapping[str, Floats]


def error_table(true: ArrayLike, binned: Binned) -> pd.DataFrame:
    """Return measures of the predictions that count in each bin of a run.

    Targets are in the order of their arrival.

    Columns bin, those of `REGRESSION_MEASURES`, predictions (how many instances), calculated (for
    how many of them a prediction is made in the bin); a row for each of the bins 0, ..., B + 1.
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
    for baseline in NUMBERS.baselines_of(errors):
        found[SKILL + baseline] = [
            ratio_skill(errors[learner][:, b], errors[baseline][:, b])
            for learner, b in zip(bins["learner"], bins["bin"], strict=True)
        ]
    return found


def skills_by_bin(errors: Errors) -> pd.DataFrame:
    """Return the skill of each learner over each baseline, by bin.

    An error is NaN where there is no prediction.

    Columns `SKILLS`; low and high are the ends of the 95 % interval for this bin alone, NaN for the
    reason given.
    """
    baselines = NUMBERS.baselines_of(errors)
    rows = list(_skills(errors, [name for name in errors if name not in baselines]))
    return pd.DataFrame(rows, columns=[*SKILLS])


def with_skill_ends(bins: pd.DataFrame, errors: Errors) -> pd.DataFrame:
    """Return measures by learner and bin with the 95 % interval of each skill.

    Columns such as skill_over_previous_target_low and skill_over_previous_target_high; NaN where
    there is no interval, as of a baseline over itself.
    """
    found = bins.copy()
    skills = {row[:3]: row[4:6] for row in _skills(errors, dict.fromkeys(bins["learner"]))}
    for baseline in NUMBERS.baselines_of(errors):
        found[[f"{SKILL}{baseline}_low", f"{SKILL}{baseline}_high"]] = [
            skills[learner, baseline, b]
            for learner, b in zip(bins["learner"], bins["bin"], strict=True)
        ]
    return found


def _skills(errors: Errors, learners: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of `SKILLS`."""
    baselines = NUMBERS.baselines_of(errors)
    for learner in learners:
        for baseline in baselines:
            for b, found in enumerate(skills_of_bins(errors[learner], errors[baseline])):
                yield learner, baseline, b, *found


def gains(errors: Errors) -> pd.DataFrame:
    """Return reductions in the absolute error of each learner relative to others, by bin.

    Columns learner, reference, other, bin, difference (positive where the learner is better), low,
    high, band_low, band_high, behind, as of `contrasts`, with target_mean as the baseline. Of
    reference "first", it is the learner itself in bin 0, with bands for the other bins. Instances
    that one of the learners does not predict in some bin are left out.
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


def error_intervals(errors: Floats, runs: Floats | None = None) -> Floats:
    """Return `intervals` of each bin, of the instances that are predicted there."""
    everywhere = errors[~np.isnan(errors).any(axis=1)]
    together = errors_together(blocks_of(everywhere)) if len(everywhere) > 3 else None
    found = []
    for b, column in enumerate(errors.T):
        known, of_bin = column[~np.isnan(column), None], None if runs is None else runs[:, [b]]
        found.append(intervals(known, together, bounds=(0.0, np.inf), runs=of_bin))
    return np.concatenate(found)


def over_seeds(tables: list[pd.DataFrame], errors: Floats) -> pd.DataFrame:
    """Return the means of the tables of several seeds, which share their counts."""
    found, seeds = tables[0].copy(), len(tables)
    for name in REGRESSION_MEASURES:
        found[name] = np.mean([one[name] for one in tables], axis=0)
    by_seed = np.array([one[_MAE] for one in tables])
    found[ENDS] = error_intervals(errors, by_seed if seeds > 1 else None)
    ends = [mean_interval(row)[1:] if seeds > 1 else (np.nan, np.nan) for row in by_seed.T]
    found[_SEEDS[1:]] = ends
    return found.assign(seeds=seeds)


def error_ages(
    ages: AtAges, true: Floats, predicted: Mapping[str, Floats], learners: Sequence[str]
) -> pd.DataFrame:
    """Return the mean absolute error of the predictions in force at some ages.

    `ages` and `learners` are those of `streameval.evaluation.age_bins.age_bins`; targets are in the
    order of their arrival, and predictions, also of the baselines, are NaN where there is none.

    Columns learner, age, mean_absolute_error, low, high, the skill over each baseline at this age,
    at_risk, pending, missing (how many of those at risk have no prediction, which are left out),
    gain (by how much the error is smaller than that of the first predictions of those at risk),
    gain_low, gain_high, and overall (the error over all instances, with the last prediction from
    the target on). Otherwise as those of `age_bins`.
    """
    baselines = NUMBERS.baselines_of(predicted)
    errors = {
        name: np.abs(predicted[name][ages.force] - true[:, None])
        for name in dict.fromkeys([*learners, *baselines])
    }
    rows = []
    for name in learners:
        for i, age in enumerate(ages.at):
            waits = ages.found.latency > age
            own, first = errors[name][waits, i], errors[name][waits, 0]
            mean, low, high = _mean_with_ends(own)
            gain, gain_low, gain_high = _mean_with_ends(first - own)
            skills = {
                SKILL + other: ratio_skill(own, errors[other][waits, i]) for other in baselines
            }
            row = {"learner": name, "age": age, "mean_absolute_error": mean}
            row |= {"low": np.maximum(low, 0.0), "high": high, **skills}
            row |= {"at_risk": int(waits.sum()), "pending": ages.pending[i]}
            row |= {"missing": int(np.isnan(own).sum())}
            row |= {"gain": gain, "gain_low": gain_low, "gain_high": gain_high}
            rows.append(row | {"overall": _mean_with_ends(errors[name][:, i])[0]})
    return pd.DataFrame(rows)


def _mean_with_ends(values: Floats) -> tuple[float, float, float]:
    """Return the mean of the known values, and the ends of its 95 % interval."""
    known = values[~np.isnan(values)]
    return stream_mean(known)[:3] if len(known) else (np.nan, np.nan, np.nan)
