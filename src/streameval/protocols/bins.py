"""Bins of a re-evaluation: one prediction per instance and part of its waiting time.

The time between the arrivals of an instance and of its label is divided into B bins of equal
length. Bin 0 has the first prediction, and bin B + 1 the last. Each bin between has the prediction
that was in force for longest. There are two rules:

`PAPER`
    The rule of the paper. The weight of a prediction is the time for which it is in force within
    the bin. This includes the prediction that is in force at the beginning of the bin.
`PUBLISHED`
    The rule of the published program. If a single prediction is made in a bin, it counts for the
    whole bin, even if it is made late. If several predictions are made, weights are as in the
    paper, but the ends of the bin are rounded down to whole time units. If the rounded bin is
    empty, the lowest class counts. A prediction made at the time of the label is in the last bin. A
    prediction made exactly when a bin begins may be put into the previous bin by floating-point
    rounding, for example after 58 of 100 time units, the beginning of bin 30 of 50.

Ties: the paper does not say which of two classes counts if they are in force equally long. With
`PAPER` it is the class that is in force last within the bin, with `PUBLISHED` the lowest class.

Missing predictions: with both rules, a bin without a new prediction has the prediction in force,
and a missing prediction has no weight. If no other prediction is in force, `PAPER` leaves it
missing, so it is wrong. `PUBLISHED` replaces it by class 0, which is correct or not depending on
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
#: Code of a missing prediction, as in `Predictions`.
_MISSING = -1
#: Largest product of a waiting time and the number of bins. It must be below 2**63.
_LARGEST_PRODUCT = 2**62

#: Times in the units of the stream.
Times = Integers


class BinnedPredictions(NamedTuple):
    """The prediction that counts in each of B + 2 bins, for s instances in label order.

    Attributes
    ----------
    values : ndarray, shape (s, B + 2)
        Class codes (int16; -1 for a missing prediction), or numbers (float64).
    is_new : ndarray of bool, shape (s, B + 2)
        Whether a prediction is made in the bin. Otherwise an earlier prediction stays in force.
    """

    values: NDArray[Any]
    is_new: Flags


def bin_predictions(
    prediction_events: PredictionEvents,
    predictions: ArrayLike,
    binnings: Sequence[tuple[int, str]] = ((50, PAPER),),
    classes: int = 0,
    *,
    without_votes: ArrayLike | None = None,
) -> list[BinnedPredictions]:
    """Determine the prediction that counts for each instance in each bin, for several binnings.

    Parameters
    ----------
    prediction_events : PredictionEvents
        Instance, time and kind of each prediction.
    predictions : array-like, shape (p,)
        For classification, class codes: -1 for no prediction, which `PUBLISHED` replaces by class
        0. For regression, numbers: a bin has their mean, weighted by the time for which each is in
        force. NaN is a missing prediction. The mean is NaN if it includes NaN, or if the rounded
        bin is empty.
    binnings : sequence of (int, str)
        Pairs of a number of bins B and a rule; by default the 50 bins of the paper. B is at least
        0; without bins only the first and the last predictions remain. See the head of this module
        for the rules.
    classes : int
        Number of classes; 0 for regression.
    without_votes : array-like of bool, shape (p,) or (), optional
        Predictions for which a classifier has no votes, so that it predicts class 0. With
        `PUBLISHED` they have no weight. The default is all predictions before the first label is
        learnt. This is right for Majority, Naive Bayes, adaptive trees and forests. Use False for
        learners that always have votes, such as No-Change, Hoeffding trees and k nearest
        neighbours. For forests that may abstain, a class code of -1 marks a single prediction
        without votes.

    Returns
    -------
    list of BinnedPredictions
        One element for each pair of `binnings`.

    Raises
    ------
    ConfigError
        If a number of bins or a rule is out of range.
    DataError
        If the number of predictions is not the number of events, or a prediction is not a class
        code; if times are too far apart to divide, or the result does not fit into memory.
    """
    return [
        _bin_by_rule(prediction_events, predictions, bins, rule, classes, without_votes)
        for bins, rule in binnings
    ]


def _bin_by_rule(
    prediction_events: PredictionEvents,
    predictions: ArrayLike,
    bins: int,
    rule: str,
    classes: int,
    without_votes: ArrayLike | None,
) -> BinnedPredictions:
    arrivals = prediction_events.label_arrivals
    if bins < 0 or rule not in RULES:
        raise ConfigError(
            f"Bins: expected at least 0 bins and one of the rules {', '.join(RULES)}, found "
            f"{bins} and {rule!r}."
        )
    longest = int((arrivals.end - arrivals.begin).max(initial=0))
    if longest * max(bins, 1) > _LARGEST_PRODUCT:
        raise DataError(
            f"Bins: expected labels that arrive within {_LARGEST_PRODUCT // max(bins, 1):,} time "
            f"units, for {bins:,} bins, found a label after {longest:,}. Give times in a coarser "
            "unit."
        )
    dtype, shape = np.dtype(np.int16 if classes else np.float64), (len(arrivals.row), bins + 2)
    check_room(
        (dtype.itemsize + 1) * shape[0] * shape[1],
        f"The predictions in {bins:,} bins for each of {shape[0]:,} instances",
        "Use fewer bins.",
    )
    binned = BinnedPredictions(np.empty(shape, dtype), np.zeros(shape, dtype=np.bool_))
    values = _check_shape(prediction_events, np.asarray(predictions))
    if classes:
        values, has_weight = _check_codes(prediction_events, values, without_votes, classes, rule)
    else:
        values, has_weight = values.astype(np.float64, copy=False), np.ones(len(values), np.bool_)
    events = _Predictions(
        prediction_events.row, prediction_events.time, prediction_events.kind, values, has_weight
    )
    _fill_bins(events, _start(arrivals, dtype, classes), *binned, rule == PAPER)
    return binned


def _check_codes(
    prediction_events: PredictionEvents,
    values: NDArray[Any],
    without_votes: ArrayLike | None,
    classes: int,
    rule: str,
) -> tuple[NDArray[np.int16], Flags]:
    """Class codes after a check, and a mask of the predictions with weight."""
    if values.size and (
        values.dtype.kind not in "iu" or values.min() < _MISSING or values.max() >= classes
    ):
        raise DataError(
            f"Bins: expected class codes, which are below {classes}, and {_MISSING} for no "
            f"prediction, found {values.dtype} from {values.min()} to {values.max()}."
        )
    has_weight = values != _MISSING
    no_votes = None if without_votes is None else np.asarray(without_votes, dtype=np.bool_)
    if no_votes is not None and no_votes.ndim:
        _check_shape(prediction_events, no_votes)
    if rule == PUBLISHED:
        if no_votes is None:
            has_weight[: prediction_events.untrained] = False
        else:
            has_weight &= ~no_votes
        if values.min(initial=0) < 0:
            values = np.maximum(values, 0)
    return values.astype(np.int16, copy=False), has_weight


def _check_shape(prediction_events: PredictionEvents, values: NDArray[Any]) -> NDArray[Any]:
    """The values, after a check that there is a value for each prediction."""
    if values.shape != prediction_events.row.shape:
        raise DataError(
            f"Bins: expected predictions of shape {prediction_events.row.shape}, found "
            f"{values.shape}."
        )
    return values


class _Predictions(NamedTuple):
    """The p predictions of a re-evaluation; for `row`, `time`, `kind` see `PredictionEvents`."""

    row: Codes  # (p,)
    time: Times  # (p,)
    kind: NDArray[np.uint8]  # (p,)
    values: NDArray[Any]  # (p,), class codes or numbers
    has_weight: Flags  # (p,), whether a class code has weight


class _WaitingState(NamedTuple):
    """State of s instances with k classes; at most q of them wait at a time, each in a slot."""

    instance_of: Codes  # (r,), instance (0 to s - 1) of each row, -1 without a label
    begin: Times  # (s,), arrival of the instance
    end: Times  # (s,), arrival of its label
    slot: Codes  # (s,), slot of the instance while it waits
    slots: Codes  # (q,), all slots: first the slots in use, then the free slots
    n_used: Integers  # (1,), number of slots in use
    # The following fields are by slot.
    current: NDArray[Any]  # (q,), prediction in force
    has_weight: Flags  # (q,), whether the prediction in force has weight
    since: Times  # (q,), time from which it is in force within the bin
    bin: Integers  # (q,), bin of the latest prediction; 0 for the first prediction
    has_several: Flags  # (q,), whether several predictions are made in this bin
    total: Floats  # (q,), regression: sum of predictions times their time in force
    weight: Times  # (q, k), classification: time in force by class
    until: Times  # (q, k), latest time at which a class with weight was in force


def _start(arrivals: LabelArrivals, dtype: np.dtype[Any], classes: int) -> _WaitingState:
    """State before the first prediction."""
    s = len(arrivals.row)
    instance_of = np.full(int(arrivals.row.max(initial=-1)) + 1, -1, dtype=np.int32)
    instance_of[arrivals.row] = np.arange(s, dtype=np.int32)
    # Upper limit q: when the i-th instance arrives, i + 1 instances have arrived, and at least the
    # labels of earlier times.
    n_labels = np.searchsorted(np.sort(arrivals.end), np.sort(arrivals.begin))
    q = int((np.arange(1, s + 1) - n_labels).max(initial=0))
    check_room(
        2 * 8 * q * classes,  # bytes of `weight` and `until`
        f"The weights of {classes:,} classes for each of {q:,} instances that wait at a time",
        "Merge classes.",
    )
    return _WaitingState(
        instance_of=instance_of,
        begin=arrivals.begin,
        end=arrivals.end,
        slot=np.zeros(s, dtype=np.int32),
        slots=np.arange(q, dtype=np.int32),
        n_used=np.zeros(1, dtype=np.int64),
        current=np.zeros(q, dtype=dtype),
        has_weight=np.zeros(q, dtype=np.bool_),
        since=np.zeros(q, dtype=np.int64),
        bin=np.zeros(q, dtype=np.int64),
        has_several=np.zeros(q, dtype=np.bool_),
        total=np.zeros(q),
        weight=np.zeros((q, classes), dtype=np.int64),
        until=np.zeros((q, classes), dtype=np.int64),
    )


@kernel
def _fill_bins(
    predictions: _Predictions,
    waiting: _WaitingState,
    out: NDArray[Any],
    is_new: Flags,
    is_paper: bool,
) -> None:
    """Fill `out` and `is_new`, the fields of `BinnedPredictions`.

    With `PAPER`, times are multiplied by B, so that bins end at integers.
    """
    bins = out.shape[1] - 2
    for event in range(len(predictions.row)):
        row, kind = predictions.row[event], predictions.kind[event]
        value = predictions.values[event]
        if row >= len(waiting.instance_of) or waiting.instance_of[row] < 0:
            continue  # the label of the instance never arrives
        i = waiting.instance_of[row]
        begin, end = waiting.begin[i], waiting.end[i]
        if kind == FIRST:
            slot = waiting.slots[waiting.n_used[0]]
            waiting.n_used[0] += 1
            waiting.slot[i], waiting.bin[slot] = slot, 0
            waiting.current[slot], waiting.has_weight[slot] = value, predictions.has_weight[event]
            out[i, 0], is_new[i, 0] = value, True
            continue
        slot = waiting.slot[i]
        latest = waiting.bin[slot]
        if kind == LAST:
            if latest > 0:
                out[i, latest] = _close_bin(waiting, slot, latest, begin, end, bins, is_paper)
            out[i, latest + 1 : bins + 1] = waiting.current[slot]
            out[i, bins + 1], is_new[i, bins + 1] = value, True
            waiting.n_used[0] -= 1
            waiting.slots[waiting.n_used[0]] = slot
            continue
        b, moment = _bin_of(predictions.time[event], begin, end, bins, is_paper)
        if b > bins:  # with `PAPER`: made at the time of the label
            continue
        if b > latest:
            if latest > 0:
                out[i, latest] = _close_bin(waiting, slot, latest, begin, end, bins, is_paper)
            out[i, latest + 1 : b] = waiting.current[slot]
            waiting.bin[slot], waiting.has_several[slot], is_new[i, b] = b, False, True
            waiting.since[slot] = _bin_end(b - 1, begin, end, bins, is_paper)
        else:
            waiting.has_several[slot] = True
        if b > 0:
            _add_time_in_force(waiting, slot, moment)
        waiting.current[slot], waiting.has_weight[slot] = value, predictions.has_weight[event]
        waiting.since[slot] = moment


@inlined
def _bin_of(moment: int, begin: int, end: int, bins: int, is_paper: bool) -> tuple[int, int]:
    """Bin of a time, and the time in the units of the rule.

    If the label arrives at the time of its instance, the bin is 1 with `PUBLISHED`, and 0 (no bin)
    with `PAPER`.
    """
    if is_paper:
        scaled_time = (moment - begin) * bins
        return (scaled_time // (end - begin) + 1 if end > begin else 0), scaled_time
    if end == begin:
        return 1, moment
    return min(1 + int(np.floor((moment - begin) / (end - begin) * bins)), bins), moment


@inlined
def _bin_end(b: int, begin: int, end: int, bins: int, is_paper: bool) -> int:
    """End of a bin, in the units of the rule; `PUBLISHED` rounds down to whole time units."""
    if is_paper:
        return b * (end - begin)
    return int(np.floor(b / bins * (end - begin) + begin))


@inlined
def _add_time_in_force(waiting: _WaitingState, slot: int, moment: int) -> None:
    """Add the time until `moment` to the weight of the prediction in force."""
    duration = moment - waiting.since[slot]
    if waiting.weight.shape[1] == 0:
        waiting.total[slot] += float(waiting.current[slot] * duration)
    elif waiting.has_weight[slot]:
        label = np.int64(waiting.current[slot])
        waiting.weight[slot, label] += duration
        if duration > 0:
            waiting.until[slot, label] = moment


@inlined
def _close_bin(
    waiting: _WaitingState, slot: int, b: int, begin: int, end: int, bins: int, is_paper: bool
) -> float:
    """The prediction that counts in a bin that ends; the weights are reset.

    It is the class with the largest weight, or the mean. If no weight is positive, it is class 0
    with `PUBLISHED`, and missing with `PAPER`.
    """
    current, bin_end = waiting.current[slot], _bin_end(b, begin, end, bins, is_paper)
    _add_time_in_force(waiting, slot, bin_end)
    if waiting.weight.shape[1] == 0:
        length = bin_end - _bin_end(b - 1, begin, end, bins, is_paper)
        value = waiting.total[slot] / length if length != 0 else np.nan
        waiting.total[slot] = 0.0
    else:
        weight, until = waiting.weight[slot], waiting.until[slot]
        best, largest = (_MISSING, 0) if is_paper else (0, weight[0])
        for label in range(weight.shape[0]):
            is_tie = largest > 0 and weight[label] == largest
            if weight[label] > largest:
                best, largest = label, weight[label]
            elif is_paper and is_tie and until[label] > until[best]:
                best = label
        weight[:] = 0
        value = float(best)
    # With `PUBLISHED`, a single prediction counts for the whole bin.
    return value if is_paper or waiting.has_several[slot] else float(current)
