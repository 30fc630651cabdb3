"""Bins of a re-evaluation: a single prediction per instance and part of its waiting time.

The time between the arrivals of an instance and of its label is divided into B bins of equal
length. Bin 0 has the first prediction, and bin B + 1 the last. In each bin between, the prediction
counts that was in force for longest. There are two rules:

`PAPER`
    The rule of the paper. The prediction in force at the beginning of a bin and all predictions
    made in the bin have as weight the time for which they are in force within the bin.
`PUBLISHED`
    The rule of the published program. If a single prediction is made in a bin, it counts for the
    whole bin, however late it is made. If several are made, weights are as in the paper, but the
    ends of the bin are rounded down to whole time units. If no time is left, the lowest class
    counts. A prediction made at the time of the label is in the last bin. A prediction made exactly
    when a bin begins may be put into the previous bin by floating-point rounding, for example after
    58 of 100 time units, the beginning of bin 30 of 50.

Ties: the paper does not say which of two classes counts that are in force equally long. By `PAPER`
it is the class that is in force last within the bin, by `PUBLISHED` the lowest class.

Missing predictions: by both rules, a bin without a new prediction has the prediction in force, and
a missing prediction has no weight. If no other prediction is in force, `PAPER` leaves it missing,
and so wrong. `PUBLISHED` takes it for class 0, which is correct or not depending on the order of
the classes.

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
#: Code of a missing prediction, as in `Predictions`.
_MISSING = -1
#: Largest product of a waiting time and the number of bins.
_LONGEST = 2**62

Counts = Integers


class BinnedPredictions(NamedTuple):
    """The prediction that counts in each bin, for s instances in the order of their labels.

    Attributes
    ----------
    values : ndarray, shape (s, B + 2)
        Class codes (int16; -1 where there is no prediction), or numbers (float64).
    is_new : ndarray of bool, shape (s, B + 2)
        Whether a prediction is made in the bin. Otherwise an earlier one remains in force.
    """

    values: NDArray[Any]
    is_new: Flags


def bin_predictions(
    polls: PredictionEvents,
    predictions: ArrayLike,
    ways: Sequence[tuple[int, str]] = ((50, PAPER),),
    classes: int = 0,
    *,
    silent: ArrayLike | None = None,
) -> list[BinnedPredictions]:
    """Determine the prediction that counts for each instance in each bin, by several rules.

    Parameters
    ----------
    polls : PredictionEvents
        Instance, time and kind of each prediction.
    predictions : array-like, shape (p,)
        For classification, class codes: -1 for no prediction, which `PUBLISHED` takes for class 0.
        For regression, numbers: a bin has their mean, weighted by how long each is in force. NaN is
        a missing prediction. A mean that includes NaN, or is over no time, is NaN.
    ways : sequence of (int, str)
        Pairs of a number of bins B and a rule. B is at least 0; without bins only the first and the
        last predictions remain. See the head of this module for the rules.
    classes : int
        Number of classes; 0 for regression.
    silent : array-like of bool, shape (p,) or (), optional
        Predictions for which a classifier has no votes and falls back on class 0: by `PUBLISHED`
        they have no weight. The default is all predictions before the first label is learnt. This
        is right for Majority, Naive Bayes, adaptive trees and forests. Use False for learners that
        always have votes, such as No-Change, Hoeffding trees and k nearest neighbours. A class code
        of -1 marks a single prediction as silent, for forests that may abstain.

    Returns
    -------
    list of BinnedPredictions
        One for each element of `ways`.

    Raises
    ------
    ConfigError
        If a number of bins or a rule is out of range.
    DataError
        If the number of predictions is not the number of events, or a prediction is not a class
        code; if times are too far apart to divide, or the result does not fit into memory.
    """
    return [_bin_by_rule(polls, predictions, bins, rule, classes, silent) for bins, rule in ways]


def _bin_by_rule(
    polls: PredictionEvents,
    predictions: ArrayLike,
    bins: int,
    rule: str,
    classes: int,
    silent: ArrayLike | None,
) -> BinnedPredictions:
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
    binned = BinnedPredictions(np.empty(shape, dtype=kind), np.zeros(shape, dtype=np.bool_))
    values = _check_shape(polls, np.asarray(predictions))
    if classes:
        values, has_weight = _votes(polls, values, silent, classes, rule)
    else:
        values, has_weight = values.astype(np.float64, copy=False), np.ones(len(values), np.bool_)
    events = _Predictions(polls.row, polls.time, polls.which, values, has_weight)
    _fill(events, _waiting(waits, kind, classes), *binned, rule == PAPER)
    return binned


def _votes(
    polls: PredictionEvents,
    values: NDArray[Any],
    silent: ArrayLike | None,
    classes: int,
    rule: str,
) -> tuple[NDArray[np.int16], Flags]:
    """Class codes, and which of them have weight."""
    if values.size and (
        values.dtype.kind not in "iu" or values.min() < _MISSING or values.max() >= classes
    ):
        raise DataError(
            f"Bins: expected class codes, which are below {classes}, and {_MISSING} for no "
            f"prediction, found {values.dtype} from {values.min()} to {values.max()}."
        )
    has_weight = values != _MISSING
    skipped = None if silent is None else np.asarray(silent, dtype=np.bool_)
    if skipped is not None and skipped.ndim:
        _check_shape(polls, skipped)
    if rule == PUBLISHED:
        if skipped is None:
            has_weight[: polls.untrained] = False
        else:
            has_weight &= ~skipped
        if values.min(initial=0) < 0:
            values = np.maximum(values, 0)
    return values.astype(np.int16, copy=False), has_weight


def _check_shape(polls: PredictionEvents, values: NDArray[Any]) -> NDArray[Any]:
    """The values, after a check that there is a value for each prediction."""
    if values.shape != polls.row.shape:
        raise DataError(
            f"Bins: expected predictions of shape {polls.row.shape}, found {values.shape}."
        )
    return values


class _Predictions(NamedTuple):
    """The p predictions of a re-evaluation; `row`, `time` and `which` as in `PredictionEvents`."""

    row: Codes  # (p,)
    time: Counts  # (p,)
    which: NDArray[np.uint8]  # (p,)
    values: NDArray[Any]  # (p,), class codes or numbers
    has_weight: Flags  # (p,), whether a class code has weight


class _Waiting(NamedTuple):
    """State of s instances with k classes; at most q of them wait at a time, each in a slot."""

    number: Codes  # (r,), number of the instance of each row, -1 for none
    begin: Counts  # (s,), arrival of the instance
    end: Counts  # (s,), arrival of its label
    slot: Codes  # (s,), slot of the instance while it waits
    slots: Codes  # (q,), all slots: first those in use, then the free ones
    used: Counts  # (1,), number of slots in use
    # The following fields are by slot.
    force: NDArray[Any]  # (q,), prediction in force
    has_weight: Flags  # (q,), whether the prediction in force has weight
    since: Counts  # (q,), time from which it is in force within the bin
    bin: Counts  # (q,), bin of the latest prediction; 0 for the first prediction
    several: Flags  # (q,), whether several predictions are made in this bin
    total: Floats  # (q,), regression: sum of predictions times their time in force
    weight: Counts  # (q, k), classification: time in force by class
    until: Counts  # (q, k), latest time at which a class with weight was in force


def _waiting(waits: LabelArrivals, kind: np.dtype[Any], classes: int) -> _Waiting:
    """State before the first prediction."""
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
        slot=np.zeros(s, dtype=np.int32),
        slots=np.arange(q, dtype=np.int32),
        used=np.zeros(1, dtype=np.int64),
        force=np.zeros(q, dtype=kind),
        has_weight=np.zeros(q, dtype=np.bool_),
        since=np.zeros(q, dtype=np.int64),
        bin=np.zeros(q, dtype=np.int64),
        several=np.zeros(q, dtype=np.bool_),
        total=np.zeros(q),
        weight=np.zeros((q, classes), dtype=np.int64),
        until=np.zeros((q, classes), dtype=np.int64),
    )


@kernel
def _fill(
    predictions: _Predictions, waiting: _Waiting, out: NDArray[Any], is_new: Flags, is_paper: bool
) -> None:
    """Fill `out` and `is_new`.

    For `PAPER`, times are multiplied by B, so that bins end at integers.
    """
    bins = out.shape[1] - 2
    for p in range(len(predictions.row)):
        row, which, value = predictions.row[p], predictions.which[p], predictions.values[p]
        if row >= len(waiting.number) or waiting.number[row] < 0:
            continue
        i = waiting.number[row]
        begin, end = waiting.begin[i], waiting.end[i]
        if which == FIRST:
            slot = waiting.slots[waiting.used[0]]
            waiting.used[0] += 1
            waiting.slot[i], waiting.bin[slot] = slot, 0
            waiting.force[slot], waiting.has_weight[slot] = value, predictions.has_weight[p]
            out[i, 0], is_new[i, 0] = value, True
            continue
        slot = waiting.slot[i]
        latest = waiting.bin[slot]
        if which == LAST:
            if latest > 0:
                out[i, latest] = _close_bin(waiting, slot, latest, begin, end, bins, is_paper)
            out[i, latest + 1 : bins + 1] = waiting.force[slot]
            out[i, bins + 1], is_new[i, bins + 1] = value, True
            waiting.used[0] -= 1
            waiting.slots[waiting.used[0]] = slot
            continue
        b, moment = _bin_of(predictions.time[p], begin, end, bins, is_paper)
        if b > bins:
            continue
        if b > latest:
            if latest > 0:
                out[i, latest] = _close_bin(waiting, slot, latest, begin, end, bins, is_paper)
            out[i, latest + 1 : b] = waiting.force[slot]
            waiting.bin[slot], waiting.several[slot], is_new[i, b] = b, False, True
            waiting.since[slot] = _end_of(b - 1, begin, end, bins, is_paper)
        else:
            waiting.several[slot] = True
        if b > 0:
            _add_time_in_force(waiting, slot, moment)
        waiting.force[slot], waiting.has_weight[slot] = value, predictions.has_weight[p]
        waiting.since[slot] = moment


@inlined
def _bin_of(moment: int, begin: int, end: int, bins: int, is_paper: bool) -> tuple[int, int]:
    """Bin of a time, and the time in the units of the rule.

    If the label arrives with its instance, the bin is 1 by `PUBLISHED`, and 0 (no bin) by `PAPER`.
    """
    if is_paper:
        since = (moment - begin) * bins
        return (since // (end - begin) + 1 if end > begin else 0), since
    if end == begin:
        return 1, moment
    return min(1 + int(np.floor((moment - begin) / (end - begin) * bins)), bins), moment


@inlined
def _end_of(b: int, begin: int, end: int, bins: int, is_paper: bool) -> int:
    """End of a bin, in the units of the rule; `PUBLISHED` rounds down to whole time units."""
    if is_paper:
        return b * (end - begin)
    return int(np.floor(b / bins * (end - begin) + begin))


@inlined
def _add_time_in_force(waiting: _Waiting, slot: int, moment: int) -> None:
    """Add the time until `moment` to the weight of the prediction in force."""
    duration = moment - waiting.since[slot]
    if waiting.weight.shape[1] == 0:
        waiting.total[slot] += float(waiting.force[slot] * duration)
    elif waiting.has_weight[slot]:
        label = np.int64(waiting.force[slot])
        waiting.weight[slot, label] += duration
        if duration > 0:
            waiting.until[slot, label] = moment


@inlined
def _close_bin(
    waiting: _Waiting, slot: int, b: int, begin: int, end: int, bins: int, is_paper: bool
) -> float:
    """The prediction that counts in a bin that ends; clears the weights.

    It is the class with the largest weight, or the mean. If no weight is positive, it is class 0 by
    `PUBLISHED`, and missing by `PAPER`.
    """
    force, bin_end = waiting.force[slot], _end_of(b, begin, end, bins, is_paper)
    _add_time_in_force(waiting, slot, bin_end)
    if waiting.weight.shape[1] == 0:
        length = bin_end - _end_of(b - 1, begin, end, bins, is_paper)
        value = waiting.total[slot] / length if length != 0 else np.nan
        waiting.total[slot] = 0.0
    else:
        weight, until = waiting.weight[slot], waiting.until[slot]
        best, most = (_MISSING, 0) if is_paper else (0, weight[0])
        for label in range(weight.shape[0]):
            if weight[label] > most:
                best, most = label, weight[label]
            elif is_paper and most > 0 and weight[label] == most and until[label] > until[best]:
                best = label
        weight[:] = 0
        value = float(best)
    return value if is_paper or waiting.several[slot] else float(force)
