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

Of classes in force equally long, the one in force last within the bin counts by the rule of the
paper, which does not say, and the lowest class by that of the program. By both, a bin in which no
prediction is made has the one in force, and a missing prediction has no weight. Where nothing else
is in force, it remains missing by the rule of the paper, and so is wrong. The published program
takes it for class 0, since the largest of no votes is the first; whether that is correct depends on
the order of the classes.

References
----------
Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data streams, Section 4.1 and
Appendix A; their program ContinuousReEvaluation, as of 2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.errors import ConfigError, DataError
from streameval.base.memory import check_room
from streameval.compiled.kernels import inlined, kernel
from streameval.protocols.reevaluation import FIRST, LAST, LabelArrivals, PredictionEvents

RULES = PUBLISHED, PAPER = ("published", "paper")
#: What a missing prediction is called, as in `Predictions`.
_NONE = -1
#: Times since arrival, multiplied by the number of bins, may be as large.
_LONGEST = 2**62

Counts = Integers


class Binned(NamedTuple):
    """Predictions that count in each bin, for s instances in the order of their labels.

    Attributes
    ----------
    values : ndarray, shape (s, B + 2)
        Class codes (int16; -1 where there is no prediction), or numbers (float64).
    made : ndarray of bool, shape (s, B + 2)
        Whether a prediction is made in the bin. Elsewhere an earlier one remains in force.
    """

    values: NDArray[Any]
    made: Flags


def binned(
    polls: PredictionEvents,
    predictions: ArrayLike,
    ways: Sequence[tuple[int, str]] = ((50, PAPER),),
    classes: int = 0,
    *,
    silent: ArrayLike | None = None,
) -> list[Binned]:
    """Return the prediction that counts for each instance in each bin, in several ways.

    Parameters
    ----------
    polls : PredictionEvents
        What the predictions are for.
    predictions : array-like, shape (p,)
        Class codes, -1 for no prediction, which the rule `PUBLISHED` takes for class 0; or numbers.
        Numbers count by their mean, weighted by how long each is in force. NaN is a missing one,
        and so is every mean with it, and one over no time.
    ways : sequence of (int, str)
        Numbers of bins and rules. B is at least 0; without bins only the first and the last
        predictions are left. The rules are described at the head of this module.
    classes : int
        Number of classes; 0 for numbers.
    silent : array-like of bool, shape (p,) or (), optional
        Predictions for which a classifier has no votes and falls back on class 0: by the rule
        `PUBLISHED` they have no weight. By default those before any label is learnt, which is
        right for Majority, Naive Bayes, adaptive trees and forests. False for learners that
        always have votes, such as No-Change, Hoeffding trees and k nearest neighbours. A label
        of -1 says the same of a single prediction, as those of forests that may abstain.

    Returns
    -------
    list of Binned
        One for each of the ways.

    Raises
    ------
    ConfigError
        If a number of bins or a rule is out of range.
    DataError
        If there is not one prediction for each event, or one is not a class code; if times are too
        far apart to divide, or what counts does not fit into the memory.
    """
    return [_binned(polls, predictions, bins, rule, classes, silent) for bins, rule in ways]


def _binned(
    polls: PredictionEvents,
    predictions: ArrayLike,
    bins: int,
    rule: str,
    classes: int,
    silent: ArrayLike | None,
) -> Binned:
    waits = polls.waits
    if bins < 0 or rule not in RULES:
        raise ConfigError(
            f"Bins: expected at least 0 bins and one of the rules {', '.join(RULES)}, found "
            f"{bins} and {rule!r}."
        )
    longest = int((waits.end - waits.begin).max(initial=0))
    if longest * max(bins, 1) > _LONGEST:
        raise DataError(
            f"Bins: expected labels that arrive within {_LONGEST // max(bins, 1):,} time "
            f"units, for {bins:,} bins, found one after {longest:,}. Give times in a coarser "
            "unit."
        )
    kind, shape = np.dtype(np.int16 if classes else np.float64), (len(waits.row), bins + 2)
    check_room(
        (kind.itemsize + 1) * shape[0] * shape[1],
        f"What counts in {bins:,} bins for each of {shape[0]:,} instances",
        "Use fewer bins.",
    )
    counting = Binned(np.empty(shape, dtype=kind), np.zeros(shape, dtype=np.bool_))
    values = _one_each(polls, np.asarray(predictions))
    if classes:
        values, counted = _votes(polls, values, silent, classes, rule)
    else:
        values, counted = values.astype(np.float64, copy=False), np.ones(len(values), np.bool_)
    events = _Predictions(polls.row, polls.time, polls.which, values, counted)
    _fill(events, _waiting(waits, kind, classes), *counting, rule == PAPER)
    return counting


def _votes(
    polls: PredictionEvents,
    values: NDArray[Any],
    silent: ArrayLike | None,
    classes: int,
    rule: str,
) -> tuple[NDArray[np.int16], Flags]:
    """Return class codes, and which of them have weight."""
    if values.size and (
        values.dtype.kind not in "iu" or values.min() < _NONE or values.max() >= classes
    ):
        raise DataError(
            f"Bins: expected class codes, which are below {classes}, and {_NONE} for no "
            f"prediction, found {values.dtype} from {values.min()} to {values.max()}."
        )
    counted = values != _NONE
    skipped = None if silent is None else np.asarray(silent, dtype=np.bool_)
    if skipped is not None and skipped.ndim:
        _one_each(polls, skipped)
    if rule == PUBLISHED:
        if skipped is None:
            counted[: polls.untrained] = False
        else:
            counted &= ~skipped
        if values.min(initial=0) < 0:
            values = np.maximum(values, 0)
    return values.astype(np.int16, copy=False), counted


def _one_each(polls: PredictionEvents, values: NDArray[Any]) -> NDArray[Any]:
    """Return predictions after a check that there is one for each poll."""
    if values.shape != polls.row.shape:
        raise DataError(
            f"Bins: expected predictions of shape {polls.row.shape}, found {values.shape}."
        )
    return values


class _Predictions(NamedTuple):
    """The p predictions of a re-evaluation."""

    row: Codes  # (p,), as `time` and `which` see `PredictionEvents`
    time: Counts  # (p,)
    which: NDArray[np.uint8]  # (p,)
    values: NDArray[Any]  # (p,) class codes or numbers
    counted: Flags  # (p,) whether a class has weight


class _Waiting(NamedTuple):
    """State of the s instances of k classes, of which at most q are pending at a time."""

    number: Codes  # (r,) of each row, -1 for none
    begin: Counts  # (s,)
    end: Counts  # (s,)
    place: Codes  # (s,) where the following is, while the instance waits
    free: Codes  # (q,) the places, free ones behind those in use
    used: Counts  # (1,) how many are in use
    force: NDArray[Any]  # (q,) the prediction in force
    counted: Flags  # (q,) whether it has weight
    since: Counts  # (q,) from when it counts in the bin
    bin: Counts  # (q,) the bin of the latest prediction; 0 for the first one
    several: Flags  # (q,) whether more than one is made in this bin
    total: Floats  # (q,) numbers by their time in force
    weight: Counts  # (q, k) time in force by class; no classes for numbers
    until: Counts  # (q, k) latest time at which a class with weight was in force


def _waiting(waits: LabelArrivals, kind: np.dtype[Any], classes: int) -> _Waiting:
    """Return the state before the first prediction."""
    s = len(waits.row)
    number = np.full(int(waits.row.max(initial=-1)) + 1, -1, dtype=np.int32)
    number[waits.row] = np.arange(s, dtype=np.int32)
    # Labels of earlier times have arrived when the next instance does.
    arrived = np.searchsorted(np.sort(waits.end), np.sort(waits.begin))
    q = int((np.arange(1, s + 1) - arrived).max(initial=0))
    check_room(
        2 * 8 * q * classes,
        f"The weights of {classes:,} classes for each of {q:,} instances that wait at a time",
        "Merge classes.",
    )
    return _Waiting(
        number=number,
        begin=waits.begin,
        end=waits.end,
        place=np.zeros(s, dtype=np.int32),
        free=np.arange(q, dtype=np.int32),
        used=np.zeros(1, dtype=np.int64),
        force=np.zeros(q, dtype=kind),
        counted=np.zeros(q, dtype=np.bool_),
        since=np.zeros(q, dtype=np.int64),
        bin=np.zeros(q, dtype=np.int64),
        several=np.zeros(q, dtype=np.bool_),
        total=np.zeros(q),
        weight=np.zeros((q, classes), dtype=np.int64),
        until=np.zeros((q, classes), dtype=np.int64),
    )


@kernel
def _fill(
    predictions: _Predictions, waiting: _Waiting, out: NDArray[Any], made: Flags, is_paper: bool
) -> None:
    """Fill `out` and `made`. For the paper times are multiplied by B: bins end at whole ones."""
    bins = out.shape[1] - 2
    for p in range(len(predictions.row)):
        row, which, value = predictions.row[p], predictions.which[p], predictions.values[p]
        if row >= len(waiting.number) or waiting.number[row] < 0:
            continue
        i = waiting.number[row]
        begin, end = waiting.begin[i], waiting.end[i]
        if which == FIRST:
            at = waiting.free[waiting.used[0]]
            waiting.used[0] += 1
            waiting.place[i], waiting.bin[at] = at, 0
            waiting.force[at], waiting.counted[at] = value, predictions.counted[p]
            out[i, 0], made[i, 0] = value, True
            continue
        at = waiting.place[i]
        latest = waiting.bin[at]
        if which == LAST:
            if latest > 0:
                out[i, latest] = _decided(waiting, at, latest, begin, end, bins, is_paper)
            out[i, latest + 1 : bins + 1] = waiting.force[at]
            out[i, bins + 1], made[i, bins + 1] = value, True
            waiting.used[0] -= 1
            waiting.free[waiting.used[0]] = at
            continue
        b, moment = _bin_of(predictions.time[p], begin, end, bins, is_paper)
        if b > bins:
            continue
        if b > latest:
            if latest > 0:
                out[i, latest] = _decided(waiting, at, latest, begin, end, bins, is_paper)
            out[i, latest + 1 : b] = waiting.force[at]
            waiting.bin[at], waiting.several[at], made[i, b] = b, False, True
            waiting.since[at] = _end_of(b - 1, begin, end, bins, is_paper)
        else:
            waiting.several[at] = True
        if b > 0:
            _count(waiting, at, moment)
        waiting.force[at], waiting.counted[at] = value, predictions.counted[p]
        waiting.since[at] = moment


@inlined
def _bin_of(moment: int, begin: int, end: int, bins: int, is_paper: bool) -> tuple[int, int]:
    """Return the bin of a time and the time in the rule's units.

    No time at all is in bin 1 by the published program, by the paper in none: 0.
    """
    if is_paper:
        since = (moment - begin) * bins
        return (since // (end - begin) + 1 if end > begin else 0), since
    if end == begin:
        return 1, moment
    return min(1 + int(np.floor((moment - begin) / (end - begin) * bins)), bins), moment


@inlined
def _end_of(b: int, begin: int, end: int, bins: int, is_paper: bool) -> int:
    """Return where a bin ends, in the rule's units: by the published program in whole ones."""
    if is_paper:
        return b * (end - begin)
    return int(np.floor(b / bins * (end - begin) + begin))


@inlined
def _count(waiting: _Waiting, at: int, moment: int) -> None:
    """Count the prediction in force for the time until this moment."""
    duration = moment - waiting.since[at]
    if waiting.weight.shape[1] == 0:
        waiting.total[at] += float(waiting.force[at] * duration)
    elif waiting.counted[at]:
        label = np.int64(waiting.force[at])
        waiting.weight[at, label] += duration
        if duration > 0:
            waiting.until[at, label] = moment


@inlined
def _decided(
    waiting: _Waiting, at: int, b: int, begin: int, end: int, bins: int, is_paper: bool
) -> float:
    """Return the class of the largest weight in a bin that ends, or the mean; clear the weights.

    What counts if no weight is positive: by the published program class 0, by the paper none.
    """
    force, ends = waiting.force[at], _end_of(b, begin, end, bins, is_paper)
    _count(waiting, at, ends)
    if waiting.weight.shape[1] == 0:
        length = ends - _end_of(b - 1, begin, end, bins, is_paper)
        found = waiting.total[at] / length if length != 0 else np.nan
        waiting.total[at] = 0.0
    else:
        weight, until = waiting.weight[at], waiting.until[at]
        best, most = (_NONE, 0) if is_paper else (0, weight[0])
        for label in range(weight.shape[0]):
            if weight[label] > most:
                best, most = label, weight[label]
            elif is_paper and most > 0 and weight[label] == most and until[label] > until[best]:
                best = label
        weight[:] = 0
        found = float(best)
    return found if is_paper or waiting.several[at] else float(force)
