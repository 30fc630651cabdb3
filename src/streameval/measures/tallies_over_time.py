"""Tallies along a stream: over a sliding window, and with fading weights.

Functions take the arguments of `streameval.measures.counting.tally` and sample `positions`:
increasing numbers of predictions so far, within 1..n. The tally at a position does not depend on
the other positions. A window that is not full yet has all predictions so far.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.compiled.kernels import kernel, subkernel
from streameval.measures.counting import (
    Events,
    checked_events,
    checked_positions,
    count_event,
    tallies_from_counts,
)
from streameval.measures.tally import Tally, counts_by_class

#: A faded count below this fraction of the total weight is set to 0. Otherwise a class would count
#: as present however long ago it occurred last.
NEGLIGIBLE = 1e-12
#: Above this, the scale of faded counts is reset to 1, long before it overflows.
_LARGEST_SCALE = 1e100
#: Number of counts of errors, the last counts: of the classifier, of No-Change and of Majority.
_N_ERRORS = 3


class _Counts(NamedTuple):
    """Weighted counts at `s` sample positions; the last row has the running counts.

    A count is `weight` / `scale`.
    """

    weight: Floats  # (s + 1, m + 3), m counts by class or by pair of classes, then the errors
    scale: Floats  # (s + 1,), weight of the newest event


def _zero_counts(n_positions: int, n_counts: int) -> _Counts:
    weight = np.zeros((n_positions + 1, n_counts + _N_ERRORS))
    return _Counts(weight, np.ones(n_positions + 1))


@subkernel
def _record(counts: _Counts, s: int) -> None:
    """Copy the running counts to position `s`."""
    for i in range(counts.weight.shape[1]):
        counts.weight[s, i] = counts.weight[-1, i]
    counts.scale[s] = counts.scale[-1]


@kernel
def _count_windows(events: Events, starts: Integers, stops: Integers, counts: _Counts) -> None:
    """Count the events starts[s]:stops[s] for each s; starts and stops do not decrease."""
    start = stop = starts[0] if len(starts) else 0
    for s in range(len(stops)):
        for t in range(stop, stops[s]):
            count_event(events, t, 1.0, counts.weight[-1])
        for t in range(start, starts[s]):
            count_event(events, t, -1.0, counts.weight[-1])
        start, stop = starts[s], stops[s]
        _record(counts, s)


@kernel
def _count_faded(
    events: Events, cell: Codes, fading: float, positions: Integers, counts: _Counts
) -> None:
    """Count events by `cell`, the index of the pair of true and predicted class.

    Older counts are not faded. Instead, the weight `scale` of newer events grows, which costs less.
    """
    first_error, s = counts.weight.shape[1] - _N_ERRORS, 0
    for t in range(positions[-1] if len(positions) else 0):
        counts.scale[-1] /= fading
        scale = counts.scale[-1]
        counts.weight[-1, cell[t]] += scale
        for j in range(_N_ERRORS):
            if events.wrong[t, j]:
                counts.weight[-1, first_error + j] += scale
        if scale > _LARGEST_SCALE:
            for i in range(counts.weight.shape[1]):
                counts.weight[-1, i] /= scale
            counts.scale[-1] = 1.0
        if t + 1 == positions[s]:
            _record(counts, s)
            s += 1


def _faded_tallies(events: Events, fading: float, positions: Integers) -> Tally:
    # Cells of the confusion matrix are counted, and negligible cells are set to 0 before the counts
    # by class are summed. Otherwise these sums would have rounding errors where nearly all weight
    # is on a single class.
    k = events.n_classes
    cell = events.true * np.int32(k + 1) + events.label  # fits into int32: k is at most 32,767
    occurring_cells, n_cells = None, k * (k + 1)
    if n_cells > len(cell):  # with many classes, few cells occur, and only these are counted
        occurring_cells, cell = np.unique(cell, return_inverse=True)
        cell, n_cells = cell.astype(np.int32), len(occurring_cells)
    counts = _zero_counts(len(positions), n_cells)
    _count_faded(events, cell, fading, positions, counts)
    weight = counts.weight[:-1] / counts.scale[:-1, None]
    total = weight[:, :-_N_ERRORS].sum(axis=1, keepdims=True)
    weight[weight < NEGLIGIBLE * total] = 0
    cell_weights, errors = weight[:, :-_N_ERRORS], weight[:, -_N_ERRORS:].T
    if occurring_cells is None:
        return Tally(*counts_by_class(cell_weights.reshape(-1, k, k + 1)), *errors)
    true, label = np.divmod(occurring_cells, k + 1)
    correct = np.zeros((len(positions), k))
    correct[:, true[true == label]] = cell_weights[:, true == label]
    true_counts = _sums_by_group(cell_weights, true, k)
    predicted_counts = _sums_by_group(cell_weights, label, k + 1)
    return Tally(true_counts, predicted_counts, correct, *errors)


def _sums_by_group(weight: Floats, group: Codes, n_groups: int) -> Floats:
    """Sums (s, n_groups) of the columns of `weight` (s, c) by their `group` (c,)."""
    sums = np.zeros((len(weight), n_groups))
    np.add.at(sums.T, group, weight.T)
    return sums


def window_tallies(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    window: int,
    positions: ArrayLike,
    no_change: ArrayLike,
    majority: ArrayLike,
) -> Tally:
    """Tally the last `window` predictions at each position.

    Parameters
    ----------
    true, predicted, n_classes, no_change, majority
        As in `streameval.measures.counting.tally`.
    window : int
        Number of predictions in a window; before it is full, all predictions so far.
    positions : array-like of int, shape (s,)
        Sample positions.

    Returns
    -------
    Tally
        A tally with one leading axis, (s,).

    Raises
    ------
    ConfigError
        If the window is empty.
    DataError
        If labels or positions are out of range.

    References
    ----------
    Gama, Sebastião, Rodrigues (2013), On evaluating stream learning algorithms.
    """
    if window < 1:
        raise ConfigError(f"Window: expected at least 1 prediction, found {window}.")
    events = checked_events(true, predicted, n_classes, no_change, majority)
    stops = checked_positions(positions, len(events.true))
    counts = _zero_counts(len(stops), 3 * n_classes + 1)  # in the order of `count_event`
    _count_windows(events, np.maximum(stops - window, 0), stops, counts)
    return tallies_from_counts(counts.weight[:-1], n_classes)


def fading_tallies(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    fading: float,
    positions: ArrayLike,
    no_change: ArrayLike,
    majority: ArrayLike,
) -> Tally:
    """Tally with fading weights: the i-th last prediction weighs ``fading**i``, i = 0, 1, ...

    Parameters
    ----------
    true, predicted, n_classes, positions, no_change, majority
        As in `window_tallies`.
    fading : float
        Fading factor: the fraction of its weight that a prediction keeps at each further
        prediction, at most 1. It is one minus the smoothing weight of `streameval.measures.fading`.

    Returns
    -------
    Tally
        A tally with one leading axis, (s,). Its `n` is the total weight, at most
        1 / (1 - fading). Counts below 1e-12 of `n` are set to 0.

    Raises
    ------
    ConfigError
        If `fading` is out of range.
    DataError
        If labels or positions are out of range.

    References
    ----------
    Gama, Sebastião, Rodrigues (2013), On evaluating stream learning algorithms.
    """
    fading = checked_fading(fading)
    events = checked_events(true, predicted, n_classes, no_change, majority)
    positions = checked_positions(positions, len(events.true))
    return _faded_tallies(events, fading, positions)


def checked_fading(fading: float) -> float:
    """The fading factor, checked.

    Raises
    ------
    ConfigError
        If it is out of range.
    """
    if not NEGLIGIBLE <= fading <= 1:  # with a smaller factor, only the last prediction would count
        raise ConfigError(
            f"Fading factor: expected a number from {NEGLIGIBLE} to 1, found {fading}. It is the "
            "fraction of its weight that a prediction keeps at each further prediction, for "
            "instance 0.999."
        )
    return float(fading)
