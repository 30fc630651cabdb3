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

#: The columns of `rule_differences`.
RULE_COLUMNS = ("bin", "predictions", "differing", "accuracy", "other_accuracy")
#: The columns of `skills_by_bin`.
SKILL_COLUMNS = ("learner", "baseline", "bin", "skill", "low", "high", "reason")
#: Columns of the ends of an interval for one bin, and of a band that holds for all bins together.
END_COLUMNS = ["low", "high", "band_low", "band_high"]
_BAND_LOW, _BAND_HIGH = 2, 3  # positions in `END_COLUMNS`
#: Columns of counts: all instances, those with a new prediction in the bin, and those without any
#: prediction.
COUNTS = ["predictions", "calculated", "missing"]
#: The mean of an empty series.
NO_MEAN = StreamMean(
    mean=np.nan,
    low=np.nan,
    high=np.nan,
    p_value=np.nan,
    effective_size=0.0,
    standard_error=np.nan,
    df=np.nan,
    reason="there is no label",
)

#: Gains of the predictions that count in bins 0 to B + 1, by learner, (s, B + 2), in the order of
#: the labels.
BinGains = Mapping[str, Gains]


def bin_table(true: ArrayLike, binned: BinnedPredictions, classes: int = 0) -> pd.DataFrame:
    """Measures of the predictions that count in each bin of a run; `classes` is 0 in regression.

    κ_t and κ_m are computed by MOA's evaluator, as by Grzenda et al. (2019). The reference of κ_t
    predicts the previous label of the bin, and class 0 for the first instance. The reference of κ_m
    predicts the most frequent label, counting the current label. Both references use labels that
    are not yet available to learners. In classification a missing prediction is wrong, in
    regression it is left out.
    """
    labels = _checked_labels(true, binned)
    by_bin = np.ascontiguousarray(binned.values.T)  # measures read one bin after the other
    if classes:
        is_predicted = by_bin != NO_PREDICTION
        columns = moa_basic_values(labels, by_bin, classes)._asdict()
    else:
        is_predicted = ~np.isnan(by_bin)
        columns = {
            name: [
                float(measure.function(labels[mask], values[mask]))
                for mask, values in zip(is_predicted, by_bin, strict=True)
            ]
            for name, measure in REGRESSION_MEASURES.items()
        }
    numbers = (len(labels), binned.is_new.sum(axis=0), (~is_predicted).sum(axis=1))
    counts = dict(zip(COUNTS, numbers, strict=True))
    return pd.DataFrame({"bin": np.arange(len(by_bin)), **columns, **counts})


def rule_differences(
    true: ArrayLike, first: BinnedPredictions, second: BinnedPredictions
) -> pd.DataFrame:
    """Differences between two binning rules on the same predictions, in classification."""
    labels = _checked_labels(true, first)
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


def _checked_labels(true: ArrayLike, binned: BinnedPredictions) -> NDArray[Any]:
    """True labels as an array; raises DataError unless there is one for each instance."""
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

    `tables` has a `bin_table` for each run of a learner. The baseline of a skill has the same label
    delays and is compared in the same bin. With several runs, intervals cover the variation between
    runs.
    """
    parts, losses = [], {name: task.losses_from_gains(gain) for name, gain in gains.items()}
    for name, runs in tables.items():
        first = runs[0]
        measures = [column for column in first if column not in ("bin", *COUNTS)]
        part = first.assign(learner=name)
        for measure in measures:
            part[measure] = np.mean([table[measure] for table in runs], axis=0)
        by_run = np.array([table[task.measure] for table in runs]) if len(runs) > 1 else None
        bounds = (0.0, task.largest_difference)
        part[END_COLUMNS] = column_intervals(task.series(gains[name]), bounds, by_run)
        for baseline in baselines:
            losses_by_bin = zip(losses[name].T, losses[baseline].T, strict=True)
            part[task.skill_column(baseline)] = [task.skill(*pair) for pair in losses_by_bin]
        others = [measure for measure in measures if measure != task.measure]
        skills = map(task.skill_column, baselines)
        parts.append(
            part[["learner", "bin", task.measure, *END_COLUMNS, *others, *skills, *COUNTS]]
        )
    return pd.concat(parts, ignore_index=True)


def column_intervals(
    series: NDArray[Any],
    bounds: tuple[float, float] = (-np.inf, np.inf),
    runs: NDArray[Any] | None = None,
) -> Floats:
    """`END_COLUMNS` of the mean of each column, shape (m, 4).

    A column of `series` is in the order of the labels, NaN where it has no value. `runs` has the
    means of each run, (r, m). Bands hold for all columns together. Ends are NaN with too few
    effective labels.
    """
    means = column_means(series, runs)
    if all(mean.reason for mean in means):
        return np.full((len(means), 4), np.nan)
    complete = series[~np.isnan(series).any(axis=1)]
    ends = interval_and_band_ends(means, _simultaneous_width(_block_means(complete)))
    return np.clip(ends, *bounds, out=ends)


def column_means(series: NDArray[Any], runs: NDArray[Any] | None = None) -> list[StreamMean]:
    """Mean of the values of each column without NaN, with its interval; see `column_intervals`."""
    means = []
    for i, column in enumerate(np.ascontiguousarray(series.T, dtype=np.float64)):
        values = column[~np.isnan(column)]
        run_means = () if runs is None else runs[:, i]
        means.append(stream_mean(Sample(values, run_means)) if len(values) else NO_MEAN)
    return means


def interval_and_band_ends(means: Sequence[StreamMean], width: float) -> Floats:
    """`END_COLUMNS` of means; a band extends `width` standard errors to each side."""
    rows = [
        (
            mean.low,
            mean.high,
            mean.mean - width * mean.standard_error,
            mean.mean + width * mean.standard_error,
        )
        for mean in means
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def skills_by_bin(
    task: Task, gains: BinGains, learners: Iterable[str], baselines: Sequence[str]
) -> pd.DataFrame:
    """Skills of learners over baselines in the same bin, each with a pointwise interval.

    In classification it is κ_t over No-Change and κ_m over Majority; see `skill_interval`.
    """
    losses = {
        name: task.losses_from_gains(gains[name]) for name in dict.fromkeys([*learners, *baselines])
    }
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
        f"{task.skill_column(baseline)}_{end}": ends.get_group(baseline)[end].to_numpy()
        for baseline in baselines
        for end in ("low", "high")
    }
    return bins.assign(**columns)


def _skills_of_bins(losses: NDArray[Any], reference: NDArray[Any]) -> Iterator[Skill]:
    """Yield the skill in each bin, computed once for consecutive bins with equal losses."""
    previous, are_equal = None, partial(np.array_equal, equal_nan=True)
    for b in range(losses.shape[1]):
        bin_losses = losses[:, b], reference[:, b]
        if previous is None or not all(map(are_equal, bin_losses, previous)):
            has_both = ~np.isnan(losses[:, b]) & ~np.isnan(reference[:, b])
            skill = skill_interval(losses[has_both, b], reference[has_both, b])
        previous = bin_losses
        yield skill


#: The columns of `differences_by_bin`.
CONTRAST_COLUMNS = ("learner", "reference", "other", "bin", "difference", *END_COLUMNS, "behind")
#: The columns of `differences_between_bins`.
PAIR_COLUMNS = ("learner", "bin", "other", "other_bin", "difference", "low", "high")


def differences_by_bin(gains: BinGains, *references: str) -> pd.DataFrame:
    """Differences in gain between each learner and others, by bin.

    A reference is "best" (the best other learner in a bin), "first" (the learner itself in bin 0)
    or the id of a learner. Intervals are of paired differences in one bin for a fixed pair. Bands
    hold for all bins of a learner together. Bands of "best" also hold for all pairs, since the best
    learner is chosen by the data. `behind` is True where the band is below 0. Instances without a
    prediction of some learner in some bin are left out.
    """
    gains = _gains_on_common_instances(gains)
    means = {name: gain.mean(axis=0) for name, gain in gains.items()}
    blocks = {name: _block_means(gain) for name, gain in gains.items()}
    width_of_all = np.nan
    if BEST in references and len(gains) > 1:
        pairs = [blocks[first] - blocks[second] for first, second in combinations(gains, 2)]
        width_of_all = _simultaneous_width(np.concatenate(pairs, axis=1))
    rows = list[tuple[Any, ...]]()
    for name, gain in gains.items():
        others = [other for other in gains if other != name]
        for reference in references:
            if reference == BEST and others:
                best = np.array([means[other] for other in others]).argmax(axis=0)
                other_by_bin, width = [others[i] for i in best], width_of_all
            elif reference in others:
                other_by_bin = [reference] * gain.shape[1]
                width = _simultaneous_width(blocks[name] - blocks[reference])
            else:
                continue
            other_gains = [gains[other][:, b] for b, other in enumerate(other_by_bin)]
            differences = gain_differences(gain, np.stack(other_gains, axis=1))
            bin_rows = zip(other_by_bin, _contrasts(differences, width), strict=True)
            rows += [(name, reference, other, b, *row) for b, (other, row) in enumerate(bin_rows)]
    if FIRST in references:
        for name, gain in gains.items():
            changes = gain_differences(gain[:, 1:], gain[:, :1])
            contrasts = _contrasts(changes, _simultaneous_width(_block_means(changes)))
            rows += [(name, FIRST, name, b, *row) for b, row in enumerate(contrasts, 1)]
    return pd.DataFrame(rows, columns=[*CONTRAST_COLUMNS])


def _gains_on_common_instances(gains: BinGains) -> BinGains:
    """Gains on the instances that all learners predict in all bins."""
    is_common = np.logical_and.reduce([~np.isnan(gain).any(axis=1) for gain in gains.values()])
    if np.all(is_common):
        return gains
    return {name: gain[is_common] for name, gain in gains.items()}


def _block_means(series: NDArray[Any]) -> Floats:
    """Block means of each column; none for less than the 4 values that they need."""
    return column_block_means(series) if len(series) >= 4 else np.empty((0, series.shape[1]))


def _simultaneous_width(blocks: Floats) -> float:
    """Half width, in standard errors, of bands for all columns; NaN without blocks."""
    return simultaneous_width(blocks) if len(blocks) else np.nan


def _contrasts(differences: NDArray[Any], width: float) -> list[tuple[Any, ...]]:
    """Mean difference, `END_COLUMNS` and `behind` of each column."""
    means = column_means(differences)
    ends = drop_unsupported_bands(differences, means, interval_and_band_ends(means, width))
    return [
        (mean, *column_ends, column_ends[_BAND_HIGH] < 0)
        for mean, column_ends in zip(differences.mean(axis=0), ends, strict=True)
    ]


def drop_unsupported_bands(
    differences: NDArray[Any], means: Sequence[StreamMean], ends: Floats
) -> Floats:
    """Ends of differences, with NaN for bands with too few labels.

    A band needs `MIN_JUDGED_SIZE` effective labels, and `SIZE_PER_SQUARED_SKEWNESS` times the
    squared skewness. The factor is twice the factor 25 of Cochran (1977), Sampling Techniques,
    Section 2.15, because many intervals hold at once. In simulations with equal learners whose
    errors are rare and huge, at most 5 % of the figures have a false band with this rule, and up to
    30 % without it.
    """
    supported = ends.copy()
    for i in np.flatnonzero(~np.isnan(ends[:, _BAND_HIGH])).tolist():
        least = max(MIN_JUDGED_SIZE, SIZE_PER_SQUARED_SKEWNESS * skewness(differences[:, i]) ** 2)
        if means[i].effective_size < least:
            supported[i, _BAND_LOW:] = np.nan
    return supported


def correct_by_label_count(correct: BinGains, bins: Sequence[int], points: int) -> pd.DataFrame:
    """Number of correct predictions in some bins, by the number of labels so far.

    The columns are labels (at most `points` numbers, of which the last is the total), learner, bin
    and correct.
    """
    parts = []
    columns = ["labels", "learner", "bin", "correct"]
    for name, is_correct in correct.items():
        n = len(is_correct)
        labels = np.arange(0)
        if n:
            labels = np.unique(np.linspace(1, n, min(points, n)).astype(np.int64))
        for b in bins:
            so_far = np.cumsum(is_correct[:, b])[labels - 1]
            part = {"labels": labels, "learner": name, "bin": b, "correct": so_far}
            parts.append(pd.DataFrame(part))
    return pd.concat(parts or [pd.DataFrame(columns=columns)], ignore_index=True)


def differences_between_bins(gains: BinGains, bins: Sequence[int]) -> pd.DataFrame:
    """Differences in gain between all pairs of cells; a cell is a learner in one of some bins.

    Intervals are pointwise. If two gains are equal at all labels, the interval is 0 to 0.
    """
    cells = [(name, b) for name in gains for b in bins]
    rows = []
    for (name, b), (other, other_bin) in combinations(cells, 2):
        differences = gain_differences(gains[name][:, b], gains[other][:, other_bin])
        differences = differences[~np.isnan(differences)]
        n = len(differences)
        mean = stream_mean(differences, with_p_value=False) if n else NO_MEAN
        ends = (mean.low, mean.high) if differences.any() or not n else (0.0, 0.0)
        rows.append((name, b, other, other_bin, mean.mean, *ends))
    return pd.DataFrame(rows, columns=[*PAIR_COLUMNS])
