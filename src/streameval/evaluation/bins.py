"""Measures, skills and differences in each bin of the time to the label, with intervals.

Grzenda, Gomes, Bifet (2019), Section 4.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.evaluation.roles import BEST, FIRST
from streameval.evaluation.task import Gains, Task, gain_differences
from streameval.learners.predictions import NO_PREDICTION
from streameval.measures.moa import moa_basic_values
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.bins import BinnedPredictions
from streameval.significance.simultaneous import (
    MIN_JUDGED_SIZE,
    SIZE_PER_SQUARED_SKEWNESS,
    column_block_means,
    simultaneous_width,
    skewness,
)
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import Sample, StreamMean, stream_mean

#: The columns of `rule_differences` and `skills_by_bin`.
RULE_COLUMNS = ("bin", "predictions", "differing", "accuracy", "other_accuracy")
SKILL_COLUMNS = ("learner", "baseline", "bin", "skill", "low", "high", "reason")
#: Ends of an interval for one bin, and of the band for all bins together.
ENDS = ["low", "high", "band_low", "band_high"]
#: Numbers of instances, of instances with a prediction made in a bin, and of those without any.
COUNTS = ["predictions", "calculated", "missing"]
#: The mean of no values.
NOTHING = StreamMean(np.nan, np.nan, np.nan, np.nan, 0.0, np.nan, np.nan, "there is no label")

#: Gains of the predictions that count, by learner, (s, B + 2), in the order of the labels.
BinGains = Mapping[str, Gains]


def bin_table(true: ArrayLike, binned: BinnedPredictions, classes: int = 0) -> pd.DataFrame:
    """Measures of the predictions that count in each bin of a run; `classes` is 0 in regression.

    κ_t and κ_m are those of MOA's evaluator, as in the published program. κ_t compares with the
    previous label of the bin, before the first with class 0; κ_m with the most frequent label,
    which includes the current one. Both references use labels that no learner has yet. In
    classification a missing prediction is wrong, in regression it is left out.
    """
    labels = _one_each(true, binned)
    by_bin = np.ascontiguousarray(binned.values.T)  # measures read one bin after the other
    if classes:
        known, columns = (
            by_bin != NO_PREDICTION,
            moa_basic_values(labels, by_bin, classes)._asdict(),
        )
    else:
        known = ~np.isnan(by_bin)
        columns = {
            name: [
                float(measure.function(labels[there], values[there]))
                for there, values in zip(known, by_bin, strict=True)
            ]
            for name, measure in REGRESSION_MEASURES.items()
        }
    numbers = (len(labels), binned.is_new.sum(axis=0), (~known).sum(axis=1))
    counts = dict(zip(COUNTS, numbers, strict=True))
    return pd.DataFrame({"bin": np.arange(len(by_bin)), **columns, **counts})


def rule_differences(
    true: ArrayLike, first: BinnedPredictions, second: BinnedPredictions
) -> pd.DataFrame:
    """Differences between two binning rules on the same predictions, in classification."""
    labels = _one_each(true, first)
    if first.values.shape != second.values.shape:
        raise DataError(
            f"Bins: expected two rules over the same instances, found shapes {first.values.shape} "
            f"and {second.values.shape}."
        )
    n = len(labels)
    columns = {
        "bin": np.arange(first.values.shape[1]),
        "predictions": n,
        "differing": (first.values != second.values).sum(axis=0),
    }
    for name, binned in (("accuracy", first), ("other_accuracy", second)):
        correct = (binned.values == labels[:, None]).sum(axis=0)
        columns[name] = correct / n if n else np.full(len(correct), np.nan)
    return pd.DataFrame(columns, columns=[*RULE_COLUMNS])


def _one_each(true: ArrayLike, binned: BinnedPredictions) -> NDArray[Any]:
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
    """Measures by learner and bin, means over runs, with intervals and skills.

    `tables` has a `bin_table` for each run. The baseline of a skill has the same label delays and
    is compared in the same bin. With several runs the intervals cover the spread over runs.
    """
    parts, losses = [], {name: task.losses(gain) for name, gain in gains.items()}
    for name, runs in tables.items():
        first = runs[0]
        measures = [column for column in first if column not in ("bin", *COUNTS)]
        part = first.assign(learner=name)
        for measure in measures:
            part[measure] = np.mean([table[measure] for table in runs], axis=0)
        by_run = np.array([table[task.measure] for table in runs]) if len(runs) > 1 else None
        part[ENDS] = column_intervals(task.series(gains[name]), (0.0, task.most), by_run)
        for baseline in baselines:
            both = zip(losses[name].T, losses[baseline].T, strict=True)
            part[task.skill_over(baseline)] = [task.skill(*of_bin) for of_bin in both]
        others = [measure for measure in measures if measure != task.measure]
        over = map(task.skill_over, baselines)
        parts.append(part[["learner", "bin", task.measure, *ENDS, *others, *over, *COUNTS]])
    return pd.concat(parts, ignore_index=True)


def column_intervals(
    series: NDArray[Any],
    bounds: tuple[float, float] = (-np.inf, np.inf),
    runs: NDArray[Any] | None = None,
) -> Floats:
    """`ENDS` of the mean of each column, shape (m, 4).

    A `series` is in the order of the labels, NaN where it has no value. `runs` has the means of
    each run, (r, m). Bands hold for all columns together. Ends are NaN with too few effective
    labels.
    """
    means = means_of(series, runs)
    if all(mean.reason for mean in means):
        return np.full((len(means), 4), np.nan)
    everywhere = series[~np.isnan(series).any(axis=1)]
    together = simultaneous_width(column_block_means(everywhere)) if len(everywhere) > 3 else np.nan
    ends = interval_and_band_ends(means, together)
    return np.clip(ends, *bounds, out=ends)


def means_of(series: NDArray[Any], runs: NDArray[Any] | None = None) -> list[StreamMean]:
    """Mean of the known values of each column with its interval; see `column_intervals`."""
    means = []
    for number, column in enumerate(np.ascontiguousarray(series.T, dtype=np.float64)):
        known = column[~np.isnan(column)]
        over_runs = () if runs is None else runs[:, number]
        means.append(stream_mean(Sample(known, over_runs)) if len(known) else NOTHING)
    return means


def interval_and_band_ends(means: Sequence[StreamMean], together: float) -> Floats:
    """`ENDS` of means; a band extends `together` standard errors to each side."""
    rows = [
        (mean.low, mean.high, mean.mean - together * mean.error, mean.mean + together * mean.error)
        for mean in means
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def skills_by_bin(
    task: Task, gains: BinGains, learners: Iterable[str], baselines: Sequence[str]
) -> pd.DataFrame:
    """Skills of learners over baselines in the same bin, each with a pointwise interval.

    In classification it is κ_t over No-Change and κ_m over Majority; see `skill_interval`.
    """
    losses = {name: task.losses(gains[name]) for name in dict.fromkeys([*learners, *baselines])}
    rows = [
        (name, baseline, b, *skill)
        for name in learners
        for baseline in baselines
        for b, skill in enumerate(_skills_of_bins(losses[name], losses[baseline]))
    ]
    return pd.DataFrame(rows, columns=[*SKILL_COLUMNS])


def add_skill_intervals(
    task: Task, bins: pd.DataFrame, gains: BinGains, baselines: Sequence[str]
) -> pd.DataFrame:
    """Table of `bin_measures` with the 95 % interval of each skill, NaN where undefined."""
    ends = skills_by_bin(task, gains, dict.fromkeys(bins["learner"]), baselines).groupby("baseline")
    columns = {
        f"{task.skill_over(baseline)}_{end}": ends.get_group(baseline)[end].to_numpy()
        for baseline in baselines
        for end in ("low", "high")
    }
    return bins.assign(**columns)


def _skills_of_bins(losses: NDArray[Any], reference: NDArray[Any]) -> Iterator[Skill]:
    """Yield the skill in each bin, computed once for consecutive bins with equal losses."""
    before, same = None, partial(np.array_equal, equal_nan=True)
    for b in range(losses.shape[1]):
        now = losses[:, b], reference[:, b]
        if before is None or not all(map(same, now, before)):
            known = ~np.isnan(now[0]) & ~np.isnan(now[1])
            skill = skill_interval(now[0][known], now[1][known])
        before = now
        yield skill


#: The columns of `differences_by_bin` and `differences_between_bins`.
CONTRAST_COLUMNS = ("learner", "reference", "other", "bin", "difference", *ENDS, "behind")
PAIR_COLUMNS = ("learner", "bin", "other", "other_bin", "difference", "low", "high")


def differences_by_bin(gains: BinGains, *references: str) -> pd.DataFrame:
    """Differences in gain between each learner and others, by bin.

    A reference is "best" (the best other learner in a bin), "first" (the learner itself in bin 0)
    or the id of a learner. Intervals are of paired differences in one bin for a fixed pair. Bands
    hold for all bins of a learner together; those of "best" also hold for all pairs, since the best
    learner is chosen by the data. `behind` is True where the band is below 0. Instances without a
    prediction of some learner in some bin are left out.
    """
    gains = _known_everywhere(gains)
    means = {name: gain.mean(axis=0) for name, gain in gains.items()}
    blocks = {name: _blocks(gain) for name, gain in gains.items()}
    apart = [blocks[first] - blocks[second] for first, second in combinations(gains, 2)]
    of_all = _together(np.concatenate(apart, axis=1)) if apart and BEST in references else np.nan
    rows = list[tuple[Any, ...]]()
    for name, gain in gains.items():
        others = [other for other in gains if other != name]
        for reference in references:
            if reference == BEST and others:
                best = np.array([means[other] for other in others]).argmax(axis=0)
                chosen, together = [others[i] for i in best], of_all
            elif reference in others:
                chosen = [reference] * gain.shape[1]
                together = _together(blocks[name] - blocks[reference])
            else:
                continue
            reference_gains = [gains[other][:, b] for b, other in enumerate(chosen)]
            differences = _ends(gain_differences(gain, np.stack(reference_gains, axis=1)), together)
            about = enumerate(zip(chosen, differences, strict=True))
            rows += [(name, reference, other, b, *row) for b, (other, row) in about]
    for name, gain in gains.items() if FIRST in references else ():
        since = gain_differences(gain[:, 1:], gain[:, :1])
        differences = _ends(since, _together(_blocks(since)))
        rows += [(name, FIRST, name, b, *row) for b, row in enumerate(differences, 1)]
    return pd.DataFrame(rows, columns=[*CONTRAST_COLUMNS])


def _known_everywhere(gains: BinGains) -> BinGains:
    """Gains on the instances that all learners predict in all bins."""
    known = [~np.isnan(gain).any(axis=1) for gain in gains.values()]
    everywhere = np.logical_and.reduce(known)
    if np.all(everywhere):
        return gains
    return {name: gain[everywhere] for name, gain in gains.items()}


def _blocks(gain: Gains) -> Floats:
    return column_block_means(gain) if len(gain) > 3 else np.empty((0, gain.shape[1]))


def _together(blocks: Floats) -> float:
    return simultaneous_width(blocks) if len(blocks) else np.nan


def _ends(apart: NDArray[Any], together: float) -> list[tuple[Any, ...]]:
    """Difference, `ENDS` and `behind` of each column."""
    means = means_of(apart)
    ends = drop_unsupported_bands(apart, means, interval_and_band_ends(means, together))
    return [
        (mean, *column_ends, column_ends[3] < 0)
        for mean, column_ends in zip(apart.mean(axis=0), ends, strict=True)
    ]


def drop_unsupported_bands(
    apart: NDArray[Any], means: Sequence[StreamMean], ends: Floats
) -> Floats:
    """Ends of differences, with NaN for bands with too few labels.

    A band needs `MIN_JUDGED_SIZE` effective labels, and `SIZE_PER_SQUARED_SKEWNESS` times the
    squared skewness. That is
    twice the factor 25 of Cochran (1977), Sampling Techniques, Section 2.15, because many intervals
    hold at once. In simulations with equal learners at most 5 % of the figures have a false band
    with this rule, and up to 30 % without it, where errors are rare and huge.
    """
    kept = ends.copy()
    for column in np.flatnonzero(~np.isnan(ends[:, 3])).tolist():
        least = max(MIN_JUDGED_SIZE, SIZE_PER_SQUARED_SKEWNESS * skewness(apart[:, column]) ** 2)
        if means[column].effective < least:
            kept[column, 2:] = np.nan
    return kept


def correct_by_label_count(correct: BinGains, bins: Sequence[int], points: int) -> pd.DataFrame:
    """Number of correct predictions in some bins, by the number of labels so far.

    The columns are labels (at most `points` numbers, the last is the total), learner, bin and
    correct.
    """
    parts = []
    for name, right in correct.items():
        n = len(right)
        at = np.unique(np.linspace(1, n, min(points, n)).astype(np.int64)) if n else np.arange(0)
        for b in bins:
            so_far = np.cumsum(right[:, b])[at - 1]
            parts.append(pd.DataFrame({"labels": at, "learner": name, "bin": b, "correct": so_far}))
    columns = ["labels", "learner", "bin", "correct"]
    return pd.concat(parts or [pd.DataFrame(columns=columns)], ignore_index=True)


def differences_between_bins(gains: BinGains, bins: Sequence[int]) -> pd.DataFrame:
    """Differences in gain between all pairs of a learner and one of some bins.

    Intervals are pointwise. If two gains are equal at all labels, the interval is 0 to 0.
    """
    cells = [(name, b) for name in gains for b in bins]
    rows = []
    for (name, b), (other, other_bin) in combinations(cells, 2):
        apart = gain_differences(gains[name][:, b], gains[other][:, other_bin])
        apart = apart[~np.isnan(apart)]
        mean = stream_mean(apart, with_p_value=False) if len(apart) else NOTHING
        ends = (mean.low, mean.high) if apart.any() or not len(apart) else (0.0, 0.0)
        rows.append((name, b, other, other_bin, mean.mean, *ends))
    return pd.DataFrame(rows, columns=[*PAIR_COLUMNS])
