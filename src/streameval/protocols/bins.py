"""Bins of a re-evaluation: one prediction for each instance and each part of its waiting time.

The time from the arrival of an instance to that of its label is divided into B bins of equal
length. Bin 0 is the first prediction, bin B + 1 the last one. The bins between have the prediction
that was in force for longest, by one of two rules:

`PAPER`
    That of the paper: the prediction in force at the beginning of a bin, and all that are made in
    it, count by how long they are in force within the bin.
`PUBLISHED`
    That of the published program. Where only one prediction is made in a bin, it counts for the
    whole bin, however late it is made. Where several are made, they and the one in force at the
    beginning count by how long they are in force, but from and to the whole time units at which
    the bin's ends are rounded down; if that leaves no time, the lowest class counts. A prediction
    made at the time of the label is in the last bin. One made just when a bin begins may be in the
    bin before, as the floating-point quotient falls: after 58 of 100 time units, 29 of 50.

By both rules the lowest of equally long classes counts, a bin in which no prediction is made has
the one in force, and a missing prediction has no weight.

References
----------
Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data streams, Section 4.1 and
Appendix A; their program ContinuousReEvaluation, as of 2019.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.compiled.kernels import inlined, kernel
from streameval.errors import ConfigError, DataError
from streameval.protocols.reevaluation import Polls
from streameval.room import check_room

PAPER, PUBLISHED = "paper", "published"
RULES = (PUBLISHED, PAPER)
#: What a missing prediction is called, as in `Predictions`.
_NONE = -1
#: Times since arrival, multiplied by the number of bins, may be as large.
_LONGEST = 2**62

Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]


class _Predictions(NamedTuple):
    """The p predictions of a re-evaluation."""

    time: Counts  # (p,)
    values: NDArray[Any]  # (p,) class codes or numbers
    counted: Flags  # (p,) whether a class has weight


class _Scored(NamedTuple):
    """The q predictions of the s scored instances."""

    place: Counts  # (q,) their numbers, in order within each instance
    begin: Counts  # (s + 1,) where those of each instance begin


class Binned(NamedTuple):
    """What counts in each bin, for s instances in the order of their labels.

    Attributes
    ----------
    values : ndarray, shape (s, B + 2)
        Class codes (int16; -1 where there is no prediction), or numbers (float64).
    made : ndarray of bool, shape (s, B + 2)
        Whether a prediction is made in the bin. Elsewhere an earlier one remains in force.
    """

    values: NDArray[Any]
    made: Flags

    def until(self, labels: int) -> Binned:
        """Return what had counted when so many labels had arrived."""
        return Binned(self.values[:labels], self.made[:labels])


def binned_labels(
    polls: Polls,
    labels: ArrayLike,
    bins: int = 50,
    rule: str = PUBLISHED,
    *,
    silent: ArrayLike | None = None,
) -> Binned:
    """Return the label that counts for each instance in each bin.

    Parameters
    ----------
    polls : Polls
        What the predictions are for.
    labels : array-like of int, shape (p,)
        Class codes; -1 for no prediction.
    bins : int
        B, at least 0; without bins only the first and the last predictions are left.
    rule : {"published", "paper"}
        See the head of this module.
    silent : array-like of bool, shape (p,) or (), optional
        Predictions for which a learner has no votes and falls back on class 0: by the rule
        `PUBLISHED` they have no weight. By default those before any label is learnt, which is right
        for Majority, Naive Bayes, adaptive trees and forests. False for learners that always have
        votes, such as No-Change, Hoeffding trees and k nearest neighbours. A label of -1 says the
        same of a single prediction, as those of forests that may abstain.

    Raises
    ------
    ConfigError
        If `bins` or `rule` is out of range.
    DataError
        If there is not one label for each prediction, or times are too far apart to divide.
    """
    found = _one_each(polls, np.asarray(labels))
    if found.size and (found.dtype.kind not in "iu" or found.min() < _NONE):
        raise DataError(
            f"Bins: expected class codes, and {_NONE} for no prediction, found {found.dtype} from "
            f"{found.min()}."
        )
    before_learning = np.arange(len(polls)) < polls.untrained
    skipped = np.asarray(before_learning if silent is None else silent, dtype=np.bool_)
    if skipped.ndim:
        _one_each(polls, skipped)
    counted = (found != _NONE) & ~(skipped & (rule == PUBLISHED))
    weight = np.zeros(int(found.max(initial=0)) + 1, dtype=np.int64)
    return _binned(polls, found.astype(np.int16), counted, bins, rule, weight)


def binned_values(polls: Polls, values: ArrayLike, bins: int = 50, rule: str = PUBLISHED) -> Binned:
    """Return the number that counts for each instance in each bin, for regression.

    Where predictions of classes count by how long they are in force, it is their mean with these
    weights. NaN is a missing prediction, and so is every mean with it, and one over no time.

    Parameters
    ----------
    polls, bins, rule
        See `binned_labels`.
    values : array-like of float, shape (p,)
        Predictions.

    Raises
    ------
    ConfigError, DataError
        See `binned_labels`.
    """
    found = _one_each(polls, np.asarray(values, dtype=np.float64))
    counted, no_classes = np.ones(found.shape, dtype=np.bool_), np.zeros(0, dtype=np.int64)
    return _binned(polls, found, counted, bins, rule, no_classes)


def _one_each(polls: Polls, values: NDArray[Any]) -> NDArray[Any]:
    """Return predictions after a check that there is one for each poll."""
    if values.shape != polls.row.shape:
        raise DataError(
            f"Bins: expected predictions of shape {polls.row.shape}, found {values.shape}."
        )
    return values


def _binned(
    polls: Polls,
    values: NDArray[Any],
    counted: Flags,
    bins: int,
    rule: str,
    weight: Counts,
) -> Binned:
    """Return what counts: classes, if there is room for their weights, or means."""
    if bins < 0 or rule not in RULES:
        raise ConfigError(
            f"Bins: expected at least 0 bins and one of the rules {', '.join(RULES)}, found "
            f"{bins} and {rule!r}."
        )
    scored = _by_instance(polls)
    place, begin = scored
    first, last = place[begin[:-1]], place[begin[1:] - 1]
    longest = int((polls.time[last] - polls.time[first]).max(initial=0))
    if longest * max(bins, 1) > _LONGEST:
        raise DataError(
            f"Bins: expected labels that arrive within {_LONGEST // max(bins, 1):,} time units, "
            f"for {bins:,} bins, found one after {longest:,}. Give times in a coarser unit."
        )
    shape = len(polls.scored), bins + 2
    check_room(
        (values.itemsize + 1) * shape[0] * shape[1],
        f"What counts in {bins:,} bins for each of {shape[0]:,} instances",
        "Use fewer bins.",
    )
    out, made = np.empty(shape, dtype=values.dtype), np.zeros(shape, dtype=np.bool_)
    out[:, 0], out[:, -1], made[:, [0, -1]] = values[first], values[last], True
    fill = _fill_by_paper if rule == PAPER else _fill_as_published
    fill(_Predictions(polls.time, values, counted), scored, weight, out, made)
    return Binned(out, made)


def _by_instance(polls: Polls) -> _Scored:
    """Return the numbers of the predictions of each scored instance."""
    s = len(polls.scored)
    rank = np.full(int(polls.row.max(initial=-1)) + 1, s, dtype=np.int32)
    rank[polls.scored] = np.arange(s, dtype=np.int32)
    whose = rank[polls.row]
    begin = np.append(0, np.cumsum(np.bincount(whose, minlength=s)[:s]))
    place = np.empty(begin[-1], dtype=np.int64)
    _sort(whose, begin[:-1].copy(), place)
    return _Scored(place, begin)


@kernel
def _sort(whose: NDArray[np.int32], free: Counts, place: Counts) -> None:
    """Write the numbers of the predictions of each instance; `free` is where they begin."""
    for number in range(len(whose)):
        i = whose[number]
        if i < len(free):
            place[free[i]] = number
            free[i] += 1


@kernel
def _fill_as_published(
    predictions: _Predictions, scored: _Scored, weight: Counts, out: NDArray[Any], made: Flags
) -> None:
    time, values, _ = predictions
    place, begin = scored
    bins = out.shape[1] - 2
    for i in range(out.shape[0]):
        at, last = begin[i], begin[i + 1] - 1
        force, final = place[at], place[last]
        start, end = time[force], time[final]
        filled, at = 0, at + 1
        while bins > 0 and at < last:
            b = _bin_of(time[place[at]], start, end, bins)
            stop = at + 1
            while stop < last and _bin_of(time[place[stop]], start, end, bins) == b:
                stop += 1
            out[i, filled + 1 : b] = values[force]
            if stop == at + 1:
                out[i, b] = values[place[at]]
            else:
                begins = since = _end_of(b - 1, start, end, bins)
                ends, total = _end_of(b, start, end, bins), 0.0
                for number in range(at, stop):
                    moment = time[place[number]]
                    total += _add(predictions, weight, force, moment - since)
                    force, since = place[number], moment
                total += _add(predictions, weight, force, ends - since)
                out[i, b] = _decided(weight, total, ends - begins, 0)
            made[i, b] = True
            filled, force, at = b, place[stop - 1], stop
        out[i, filled + 1 : bins + 1] = values[force]


@inlined
def _bin_of(moment: int, start: int, end: int, bins: int) -> int:
    """Return the bin of a time by the published program; no time at all is in bin 1."""
    if end == start:
        return 1
    return min(1 + int(np.floor((moment - start) / (end - start) * bins)), bins)


@inlined
def _end_of(b: int, start: int, end: int, bins: int) -> int:
    """Return where a bin ends by the published program, in whole time units."""
    return int(np.floor(b / bins * (end - start) + start))


@kernel
def _fill_by_paper(
    predictions: _Predictions, scored: _Scored, weight: Counts, out: NDArray[Any], made: Flags
) -> None:
    """Fill `out` and `made`; times since arrival are multiplied by B, so bins end at whole ones."""
    time, values, _ = predictions
    place, begin = scored
    bins = out.shape[1] - 2
    for i in range(out.shape[0]):
        at, last = begin[i], begin[i + 1] - 1
        force, final = place[at], place[last]
        start, length = time[force], time[final] - time[force]
        at += 1
        if length == 0:
            force = place[last - 1]
        for b in range(1, bins + 1):
            total, since, until = 0.0, (b - 1) * length, b * length
            while at < last and (time[place[at]] - start) * bins < until:
                moment = (time[place[at]] - start) * bins
                total += _add(predictions, weight, force, moment - since)
                force, since = place[at], moment
                at += 1
                made[i, b] = True
            if made[i, b]:
                total += _add(predictions, weight, force, until - since)
                out[i, b] = _decided(weight, total, length, _NONE)
            else:
                out[i, b] = values[force]


@inlined
def _add(predictions: _Predictions, weight: Counts, number: int, duration: int) -> float:
    """Add a prediction: its class to the weights, or, where there are none, to the result."""
    if weight.shape[0] == 0:
        return float(predictions.values[number] * duration)
    if predictions.counted[number]:
        weight[np.int64(predictions.values[number])] += duration
    return 0.0


@inlined
def _decided(weight: Counts, total: float, length: int, none: int) -> float:
    """Return the class of the largest weight, or a mean; clear the weights.

    `none` is what counts if no weight is positive: class 0, or no prediction.
    """
    if weight.shape[0] == 0:
        return total / length if length != 0 else np.nan
    best, most = none, weight[0] if none == 0 else 0
    for label in range(weight.shape[0]):
        if weight[label] > most:
            best, most = label, weight[label]
        weight[label] = 0
    return float(best)
