"""Measures and skills of what counts in each bin of the time to the label, with intervals.

Grzenda, Gomes, Bifet (2019), Section 4.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.evaluation.task import Gains, Task
from streameval.learners.predictions import NO_PREDICTION
from streameval.measures.moa import against_moa
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.bins import Binned
from streameval.significance.simultaneous import blocks_of, errors_together
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import Sample, StreamMean, stream_mean

#: The columns of `rule_differences` and `skills`.
RULE_COLUMNS = ("bin", "predictions", "differing", "accuracy", "other_accuracy")
SKILL_COLUMNS = ("learner", "baseline", "bin", "skill", "low", "high", "reason")
#: An interval, and a band for all bins together.
ENDS = ["low", "high", "band_low", "band_high"]
#: How many instances there are, have a prediction that is made in a bin, and have none at all.
COUNTS = ["predictions", "calculated", "missing"]
#: What is known of the mean of nothing.
NOTHING = StreamMean(np.nan, np.nan, np.nan, np.nan, 0.0, np.nan, np.nan, "there is no label")

#: By learner, the gains of what counts, shape (s, B + 2), in the order of the labels.
BinGains = Mapping[str, Gains]


def bin_table(true: ArrayLike, binned: Binned, classes: int = 0) -> pd.DataFrame:
    """Return measures of the predictions that count in each bin of a run; numbers have 0 classes.

    κ_t and κ_m are of MOA's evaluator, as in the published program: κ_t compares with the previous
    label of the bin, class 0 before the first, κ_m with the most frequent one, this label included.
    Both know labels that no learner has. A missing class is wrong, a missing number left out.
    """
    labels = _one_each(true, binned)
    by_bin = np.ascontiguousarray(binned.values.T)  # measures go through a bin at a time
    if classes:
        known, columns = by_bin != NO_PREDICTION, against_moa(labels, by_bin, classes)._asdict()
    else:
        known = ~np.isnan(by_bin)
        columns = {
            name: [
                float(measure.function(labels[there], values[there]))
                for there, values in zip(known, by_bin, strict=True)
            ]
            for name, measure in REGRESSION_MEASURES.items()
        }
    numbers = (len(labels), binned.made.sum(axis=0), (~known).sum(axis=1))
    counts = dict(zip(COUNTS, numbers, strict=True))
    return pd.DataFrame({"bin": np.arange(len(by_bin)), **columns, **counts})


def rule_differences(true: ArrayLike, one: Binned, other: Binned) -> pd.DataFrame:
    """Return the differences between two rules of binning on the same predictions of classes."""
    labels = _one_each(true, one)
    if one.values.shape != other.values.shape:
        raise DataError(
            f"Bins: expected two rules over the same instances, found shapes {one.values.shape} "
            f"and {other.values.shape}."
        )
    n = len(labels)
    columns = {
        "bin": np.arange(one.values.shape[1]),
        "predictions": n,
        "differing": (one.values != other.values).sum(axis=0),
    }
    for name, binned in (("accuracy", one), ("other_accuracy", other)):
        correct = (binned.values == labels[:, None]).sum(axis=0)
        columns[name] = correct / n if n else np.full(len(correct), np.nan)
    return pd.DataFrame(columns, columns=[*RULE_COLUMNS])


def _one_each(true: ArrayLike, binned: Binned) -> NDArray[Any]:
    labels = np.asarray(true)
    if labels.shape != binned.values.shape[:1]:
        raise DataError(
            f"Bins: expected true labels of shape {binned.values.shape[:1]}, one for each "
            f"instance, found {labels.shape}."
        )
    return labels


def bin_measures(
    task: Task,
    tables: Mapping[str, Sequence[pd.DataFrame]],
    gains: BinGains,
    baselines: Sequence[str],
) -> pd.DataFrame:
    """Return measures by learner and bin, means over runs, with intervals and skills.

    `tables` are those of `bin_table` of each run. Each baseline of a skill has the same delays, and
    counts in the same bin; intervals cover runs if there are several.
    """
    parts, losses = [], {name: task.losses(one) for name, one in gains.items()}
    for name, runs in tables.items():
        first = runs[0]
        measures = [column for column in first if column not in ("bin", *COUNTS)]
        part = first.assign(learner=name)
        for measure in measures:
            part[measure] = np.mean([one[measure] for one in runs], axis=0)
        by_run = np.array([one[task.measure] for one in runs]) if len(runs) > 1 else None
        part[ENDS] = intervals(task.series(gains[name]), (0.0, task.most), by_run)
        for baseline in baselines:
            both = zip(losses[name].T, losses[baseline].T, strict=True)
            part[task.skill_over(baseline)] = [task.skill(*of_bin) for of_bin in both]
        others = [measure for measure in measures if measure != task.measure]
        over = map(task.skill_over, baselines)
        parts.append(part[["learner", "bin", task.measure, *ENDS, *others, *over, *COUNTS]])
    return pd.concat(parts, ignore_index=True)


def intervals(
    series: NDArray[Any],
    bounds: tuple[float, float] = (-np.inf, np.inf),
    runs: NDArray[Any] | None = None,
) -> Floats:
    """Return the ends of the interval of the mean of each column, and of its band, shape (m, 4).

    Series are in the order of the labels, NaN for no value; `runs` are means of each run, (r, m).
    Bands hold for all columns together. Ends are NaN with too few effective labels.
    """
    found = means_of(series, runs)
    if all(one.reason for one in found):
        return np.full((len(found), 4), np.nan)
    everywhere = series[~np.isnan(series).any(axis=1)]
    together = errors_together(blocks_of(everywhere)) if len(everywhere) > 3 else np.nan
    ends = ends_of(found, together)
    return np.clip(ends, *bounds, out=ends)


def means_of(series: NDArray[Any], runs: NDArray[Any] | None = None) -> list[StreamMean]:
    """Return the mean of what is known of each column with its interval; see `intervals`."""
    found = []
    for number, column in enumerate(np.ascontiguousarray(series.T, dtype=np.float64)):
        known = column[~np.isnan(column)]
        over_runs = () if runs is None else runs[:, number]
        found.append(stream_mean(Sample(known, over_runs)) if len(known) else NOTHING)
    return found


def ends_of(found: Sequence[StreamMean], together: float) -> Floats:
    """Return `ENDS` of means; bands reach `together` standard errors to each side."""
    rows = [
        (one.low, one.high, one.mean - together * one.error, one.mean + together * one.error)
        for one in found
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def skills(
    task: Task, gains: BinGains, learners: Iterable[str], baselines: Sequence[str]
) -> pd.DataFrame:
    """Return the skill of learners over baselines in the same bin, with an interval for it alone.

    Of classes it is κ_t over No-Change and κ_m over Majority; see `skill_interval`.
    """
    losses = {name: task.losses(gains[name]) for name in dict.fromkeys([*learners, *baselines])}
    rows = [
        (name, baseline, b, *found)
        for name in learners
        for baseline in baselines
        for b, found in enumerate(_skills_of_bins(losses[name], losses[baseline]))
    ]
    return pd.DataFrame(rows, columns=[*SKILL_COLUMNS])


def with_skill_ends(
    task: Task, bins: pd.DataFrame, gains: BinGains, baselines: Sequence[str]
) -> pd.DataFrame:
    """Return `bin_measures` with the 95 % interval of each skill, NaN where there is none."""
    ends = skills(task, gains, dict.fromkeys(bins["learner"]), baselines).groupby("baseline")
    columns = {
        f"{task.skill_over(baseline)}_{end}": ends.get_group(baseline)[end].to_numpy()
        for baseline in baselines
        for end in ("low", "high")
    }
    return bins.assign(**columns)


def _skills_of_bins(losses: NDArray[Any], reference: NDArray[Any]) -> Iterator[Skill]:
    """Yield the skill in each bin; often the same predictions count as in the bin before."""
    before, same = None, partial(np.array_equal, equal_nan=True)
    for b in range(losses.shape[1]):
        now = losses[:, b], reference[:, b]
        if before is None or not all(map(same, now, before)):
            known = ~np.isnan(now[0]) & ~np.isnan(now[1])
            found = skill_interval(now[0][known], now[1][known])
        before = now
        yield found
