"""Measures and skills of classifiers by bin, with simultaneous intervals.

Grzenda, Gomes, Bifet (2019), Section 4.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Flags, Floats
from streameval.errors import DataError
from streameval.evaluation.roles import BEST, COMPARATORS, NO_CHANGE
from streameval.measures.classification import accuracy, kappa, kappa_m, kappa_temporal
from streameval.measures.counting import tally
from streameval.measures.moa import against_moa
from streameval.protocols.bins import Binned
from streameval.significance.simultaneous import LEAST_JUDGED, SKEWED, blocks_of, errors_together
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import StreamMean, stream_mean

#: The columns of `bin_table`, `rule_differences`, `skills` and `pairs`.
BIN_COLUMNS = ("bin", "accuracy", "kappa", "kappa_temporal", "kappa_m", "predictions", "calculated")
RULE_COLUMNS = ("bin", "predictions", "differing", "accuracy", "other_accuracy")
SKILL_COLUMNS = ("learner", "bin", "reference", "value", "low", "high")
PAIR_COLUMNS = ("learner", "bin", "other", "other_bin", "difference", "low", "high")
_CONTRASTS = ["learner", "reference", "other", "bin", "difference"]
#: An interval, and a band for all bins together.
ENDS = ["low", "high", "band_low", "band_high"]
_BY_BIN = {name: f"{name}_delayed" for name in ("kappa_temporal", "kappa_m")}
_NOTHING = StreamMean(np.nan, np.nan, np.nan, np.nan, 0.0, np.nan, np.nan, "there is no label")

Correct = Mapping[str, NDArray[Any]]


def correct_in(found: Binned, true: NDArray[Any]) -> Flags:
    """Return whether the prediction that counts is correct, by instance and bin."""
    correct: Flags = found.values == true[:, None]
    return correct


def bin_table(
    true: ArrayLike, binned: Binned, n_classes: int, baselines: tuple[Binned, Binned] | None = None
) -> pd.DataFrame:
    """Return measures of the predictions that count in each bin.

    True labels are in the order of their arrival. `baselines` is what counts for No-Change and
    Majority over the same tape: κ_t and κ_m compare with them in the same bin. By default the
    comparators are those of MOA's evaluator, as in the published program: κ_t compares with the
    previous label of the bin, class 0 before the first, and κ_m with the most frequent one, which
    has already counted the label itself. Both know labels that no learner has when it predicts, and
    are the same in all bins. A missing prediction is wrong in either case.

    Columns `BIN_COLUMNS`, a row for each of the bins 0, ..., B + 1: fractions of 1, how many
    instances, and for how many of them a prediction is made in the bin.

    Raises DataError if there is not one true label for each instance, or a label is out of range.
    """
    labels = _one_each(true, binned)
    columns = dict[str, ArrayLike](bin=np.arange(binned.values.shape[1]))
    # Measures go through a bin at a time.
    by_bin, *others = (np.ascontiguousarray(one.values.T) for one in (binned, *(baselines or ())))
    if baselines is None:
        columns |= against_moa(labels, by_bin, n_classes)._asdict()
    else:
        counts = [
            tally(labels, predicted, n_classes, no_change=no_change, majority=majority)
            for predicted, no_change, majority in zip(by_bin, *others, strict=True)
        ]
        for measure in (accuracy, kappa, kappa_temporal, kappa_m):
            columns[measure.__name__] = [float(measure(one)) for one in counts]
    columns |= {"predictions": len(labels), "calculated": binned.made.sum(axis=0)}
    return pd.DataFrame(columns, columns=[*BIN_COLUMNS])


def rule_differences(true: ArrayLike, one: Binned, other: Binned) -> pd.DataFrame:
    """Return the differences between two rules of binning on the same predictions.

    True labels are in the order of their arrival.

    Columns `RULE_COLUMNS`: how many instances, for how many of them another label counts, and the
    accuracy by either rule, a fraction of 1.

    Raises DataError if the two are not of the same instances and bins.
    """
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


def _one_each(true: ArrayLike, binned: Binned) -> np.ndarray:
    labels = np.asarray(true)
    if labels.shape != binned.values.shape[:1]:
        raise DataError(
            f"Bins: expected true labels of shape {binned.values.shape[:1]}, one for each "
            f"instance, found {labels.shape}."
        )
    return labels


def bin_measures(
    true: NDArray[Any], found: Mapping[str, Binned], correct: Correct, n_classes: int
) -> pd.DataFrame:
    """Return measures by learner and bin, also over comparators with the same delays."""
    baselines = tuple(found[name] for name in COMPARATORS)
    parts = []
    for name in correct:
        part = bin_table(true, found[name], n_classes)
        delayed = bin_table(true, found[name], n_classes, (baselines[0], baselines[1]))
        part[[*_BY_BIN.values()]] = delayed[[*_BY_BIN]].to_numpy()
        part[ENDS] = intervals(correct[name], bounds=(0.0, 1.0))
        parts.append(part.assign(learner=name))
    frame = pd.concat(parts, ignore_index=True)
    kappas = ["kappa", *_BY_BIN, *_BY_BIN.values()]
    return frame[["learner", "bin", "accuracy", *ENDS, *kappas, "predictions", "calculated"]]


def contrasts(correct: Correct, baseline: str = NO_CHANGE) -> pd.DataFrame:
    """Return differences in accuracy between each learner and others, by bin.

    `correct` says by learner whether what counts is correct, shape (s, B + 2), in the order of the
    labels; or it has numbers, of which the greater are the better. All others are compared with the
    `baseline`.

    Columns learner, reference, other, bin, difference, low, high, band_low, band_high, and behind,
    whether the learner is surely the worse one of the two: its band is below 0. Of reference
    "best", `other` is the most accurate one of all other learners in this bin; of reference
    "no_change" it is No-Change under the same delays. Intervals are those of differences between
    predictions for the same labels, so what makes a label hard for all does not widen them. The one
    from low to high holds for a single bin and a given pair. The bands hold for all bins of a
    learner together, and those of "best" for all bins of all pairs of learners, so that it does not
    matter which one was the best; see `errors_together` and `judged`, by which some are missing.
    """
    names, rows = list(correct), []
    accuracy = {name: own.mean(axis=0) for name, own in correct.items()}
    blocks = {name: blocks_of(own) if len(own) > 3 else own[:0] for name, own in correct.items()}
    pairs = [blocks[one] - blocks[other] for one, other in combinations(names, 2)]
    apart = errors_together(np.concatenate(pairs, axis=1)) if pairs and len(pairs[0]) else np.nan
    for name in names:
        others = [other for other in names if other != name]
        if not others:
            continue
        best = np.array([accuracy[other] for other in others]).argmax(axis=0)
        references = {BEST: ([others[i] for i in best], apart)}
        if baseline in others:
            beside = blocks[name] - blocks[baseline]
            wide = errors_together(beside) if len(beside) else np.nan
            references[baseline] = ([baseline] * len(best), wide)
        for reference, (chosen, together) in references.items():
            beside = np.stack([correct[other][:, b] for b, other in enumerate(chosen)], axis=1)
            own = correct[name]
            gaps = (own.astype(np.int8) if own.dtype == np.bool_ else own) - beside
            found = means_of(gaps)
            means, ends = gaps.mean(axis=0), judged(gaps, found, ends_of(found, together))
            rows += [
                (name, reference, other, b, means[b], *ends[b], ends[b, 3] < 0)
                for b, other in enumerate(chosen)
            ]
    return pd.DataFrame(rows, columns=[*_CONTRASTS, *ENDS, "behind"])


def judged(gaps: NDArray[Any], found: Sequence[StreamMean], ends: Floats) -> Floats:
    """Return the ends of differences, with NaN for bands that too few labels support.

    A band stays where the difference has at least `LEAST_JUDGED` effective labels, and `SKEWED`
    times the square of its skewness. Of simulated learners that are equally good, such bands
    exclude one in at most 5 % of all figures, of regressors with rare and huge errors as well, for
    which bands alone are wrong in up to 30 %.

    `gaps` are differences in the order of the labels, shape (s, m), `found` the mean of each
    column, and `ends` those of `ends_of`.

    References
    ----------
    Cochran (1977), Sampling Techniques, 3rd edition, Section 2.15: a mean of n values has a normal
    interval of nearly 95 % where n is above 25 times the square of the skewness. Here it is twice
    as many, since many intervals have to hold.
    """
    kept = ends.copy()
    for column in np.flatnonzero(~np.isnan(ends[:, 3])).tolist():
        skewness = float(scipy.stats.skew(gaps[:, column].astype(np.float64)))
        if found[column].effective < max(LEAST_JUDGED, SKEWED * skewness**2):
            kept[column, 2:] = np.nan
    return kept


def stages(correct: Correct, bins: Sequence[int], points: int) -> pd.DataFrame:
    """Return the number of correct predictions in some bins, by number of labels so far.

    Columns labels (at most `points` numbers, the last one is all), learner, bin, correct.
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


def pairs(correct: Correct, bins: Sequence[int]) -> pd.DataFrame:
    """Return differences in accuracy between any two learners in any two bins of some.

    Columns `PAIR_COLUMNS`: the accuracy of the learner in its bin less that of the other one in the
    other bin, at the same labels, with the interval of a single difference; see `stream_mean`. Two
    that are correct at the same labels differ by 0, surely. Each pair has one row.
    """
    cells = [(name, b) for name in correct for b in bins]
    rows = []
    for (name, b), (other, beside) in combinations(cells, 2):
        gaps = correct[name][:, b].astype(np.int8) - correct[other][:, beside]
        found = stream_mean(gaps, tested=False) if len(gaps) else _NOTHING
        ends = (found.low, found.high) if gaps.any() or not len(gaps) else (0.0, 0.0)
        rows.append((name, b, other, beside, found.mean, *ends))
    return pd.DataFrame(rows, columns=[*PAIR_COLUMNS])


def intervals(
    series: NDArray[Any],
    together: float | None = None,
    *,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    runs: NDArray[Any] | None = None,
) -> Floats:
    """Return the ends of the interval of the mean of each column, and of its band.

    Series stand in the columns, in the order of the labels. Bands are `together` standard errors
    wide to each side, see `errors_together`; by default so that those of these series hold
    together. Means are between the `bounds`; `runs` has the mean of each of several runs, of which
    the series are the means, shape (r, m).

    The ends are `ENDS`, shape (m, 4); NaN where there are too few effective labels for any, see
    `stream_mean`.
    """
    found = means_of(series, runs)
    if all(one.reason for one in found):
        return np.full((len(found), 4), np.nan)
    if together is None:
        together = errors_together(blocks_of(series))
    ends = ends_of(found, together)
    return np.clip(ends, *bounds, out=ends)


def means_of(series: NDArray[Any], runs: NDArray[Any] | None = None) -> list[StreamMean]:
    """Return the mean of each column with its interval; see `intervals`."""
    if not len(series):
        return [_NOTHING] * series.shape[1]
    return [
        stream_mean(column, runs=() if runs is None else runs[:, number])
        for number, column in enumerate(np.ascontiguousarray(series.T, dtype=np.float64))
    ]


def ends_of(found: Sequence[StreamMean], together: float) -> Floats:
    """Return `ENDS` of means; bands reach `together` standard errors to each side."""
    rows = [
        (one.low, one.high, one.mean - together * one.error, one.mean + together * one.error)
        for one in found
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def skills(correct: Mapping[str, Flags], references: Mapping[str, Flags]) -> pd.DataFrame:
    """Return the skill of learners over comparators in the same bin.

    It is given by learner, and by comparator, whether what counts is correct, shape (s, B + 2), in
    the order of the labels.

    Columns `SKILL_COLUMNS`: the skill is κ_t over No-Change and κ_m over Majority; for its 95 %
    interval see `skill_interval`.
    """
    rows = [
        (name, b, reference, *found[:3])
        for name, right in correct.items()
        for reference, beside in references.items()
        for b, found in enumerate(skills_of_bins(~right, ~beside))
    ]
    return pd.DataFrame(rows, columns=[*SKILL_COLUMNS])


def skills_of_bins(errors: NDArray[Any], reference: NDArray[Any]) -> Iterator[Skill]:
    """Yield the skill in each bin; often the same predictions count as in the bin before.

    Both have shape (s, B + 2), in the order of the labels: numbers, NaN where there is no
    prediction, or whether what counts is wrong.
    """
    before, same = None, partial(np.array_equal, equal_nan=True)
    for b in range(errors.shape[1]):
        now = errors[:, b], reference[:, b]
        if before is None or not all(map(same, now, before)):
            known = ~np.isnan(now[0]) & ~np.isnan(now[1])
            found = skill_interval(now[0][known], now[1][known])
        before = now
        yield found
