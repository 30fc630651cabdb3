"""Tallies along a stream: cumulative, over a sliding window, faded, over ADWIN's window.

All take the arguments of `streameval.measures.tally.tally` and sample positions `at`: numbers
of predictions made, increasing, within 1..n. The tally of a position does not depend on which
others are asked for. A window that is not full yet holds all predictions there are so far.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.detectors.adwin import adwin_trace
from streameval.errors import ConfigError
from streameval.kernels import kernel, part
from streameval.measures.tally import Events, Floats, Tally, checked_events, checked_positions

#: Share of the total weight below which a faded count is counted as forgotten. Without it, a
#: class not seen for a million predictions would still "define" measures by its 1e-400th part.
FORGOTTEN = 1e-12
# The running scale of the faded counts is brought back to 1 above this.
_LARGEST_SCALE = 1e100


class _Counts(NamedTuple):
    """Counts at `s` sample positions, and, in the last place, those that are still running.

    Of each: the k (k + 1) cells of the confusion counts, then the errors of the classifier,
    of No-Change and of the majority class.
    """

    weight: Floats  # (s + 1, k (k + 1) + 3)
    scale: Floats  # (s + 1,) weight of the newest event


def _no_counts(positions: int, n_classes: int) -> _Counts:
    return _Counts(
        np.zeros((positions + 1, n_classes * (n_classes + 1) + 3)), np.ones(positions + 1)
    )


@part
def _count(events: Events, t: int, weight: float, counts: _Counts) -> None:
    """Add event `t` to the running counts."""
    cells = counts.weight.shape[1] - 3
    counts.weight[-1, events.true[t] * (events.n_classes + 1) + events.column[t]] += weight
    for j in range(3):
        if events.wrong[t, j]:
            counts.weight[-1, cells + j] += weight


@part
def _note(counts: _Counts, s: int) -> None:
    """Keep the running counts as those of position `s`."""
    for i in range(counts.weight.shape[1]):
        counts.weight[s, i] = counts.weight[-1, i]
    counts.scale[s] = counts.scale[-1]


@kernel
def _count_spans(
    events: Events, first: NDArray[np.int64], last: NDArray[np.int64], counts: _Counts
) -> None:
    """Count the events first[s]:last[s] for each s; both ends only ever move forward."""
    start, stop = 0, 0
    for s in range(len(last)):
        for t in range(stop, last[s]):
            _count(events, t, 1.0, counts)
        for t in range(start, first[s]):
            _count(events, t, -1.0, counts)
        start, stop = first[s], last[s]
        _note(counts, s)


@kernel
def _count_faded(events: Events, alpha: float, at: NDArray[np.int64], counts: _Counts) -> None:
    """Count events with ever larger weights; divided by `scale` they are alpha**age."""
    s = 0
    for t in range(at[-1] if len(at) else 0):
        counts.scale[-1] /= alpha
        scale = counts.scale[-1]
        _count(events, t, scale, counts)
        if scale > _LARGEST_SCALE:
            for i in range(counts.weight.shape[1]):
                counts.weight[-1, i] /= scale
            counts.scale[-1] = 1.0
        if t + 1 == at[s]:
            _note(counts, s)
            s += 1


def _tallies(counts: _Counts, n_classes: int) -> Tally:
    weight = counts.weight[:-1] / counts.scale[:-1, None]
    weight[weight < FORGOTTEN * weight[:, :-3].sum(axis=1, keepdims=True)] = 0
    confusion = weight[:, :-3].reshape(-1, n_classes, n_classes + 1)
    return Tally(confusion, weight[:, -3], weight[:, -2], weight[:, -1])


def _span_tallies(events: Events, first: NDArray[np.int64], last: NDArray[np.int64]) -> Tally:
    counts = _no_counts(len(last), events.n_classes)
    _count_spans(events, first, last, counts)
    return _tallies(counts, events.n_classes)


def cumulative_tallies(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    at: ArrayLike,
    no_change: ArrayLike | None = None,
    majority: ArrayLike | None = None,
) -> Tally:
    """Tally all predictions up to each position.

    Parameters
    ----------
    true, predicted, n_classes, no_change, majority
        As in `streameval.measures.tally.tally`.
    at : array-like of int, shape (s,)
        Sample positions.

    Returns
    -------
    Tally
        With one leading axis, (s,).

    Raises
    ------
    DataError
        If labels or positions are out of range.
    """
    events = checked_events(true, predicted, n_classes, no_change, majority)
    last = checked_positions(at, len(events.true))
    return _span_tallies(events, np.zeros_like(last), last)


def window_tallies(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    window: int,
    at: ArrayLike,
    no_change: ArrayLike | None = None,
    majority: ArrayLike | None = None,
) -> Tally:
    """Tally the last `window` predictions at each position.

    Parameters
    ----------
    true, predicted, n_classes, no_change, majority
        As in `streameval.measures.tally.tally`. The default baselines have learnt from all
        labels since the start, not from those of the window.
    window : int
        Number of predictions; at positions below it, all there are so far.
    at : array-like of int, shape (s,)
        Sample positions.

    Returns
    -------
    Tally
        With one leading axis, (s,).

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
    last = checked_positions(at, len(events.true))
    return _span_tallies(events, np.maximum(last - window, 0), last)


def fading_tallies(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    alpha: float,
    at: ArrayLike,
    no_change: ArrayLike | None = None,
    majority: ArrayLike | None = None,
) -> Tally:
    """Tally with weights that fade: the i-th last prediction weighs ``alpha**i``, i = 0, 1, ...

    Parameters
    ----------
    true, predicted, n_classes, no_change, majority
        As in `streameval.measures.tally.tally`.
    alpha : float
        Factor by which a weight shrinks from one prediction to the next, at most 1. (The
        α of `streameval.measures.fading` is the opposite: one minus this.)
    at : array-like of int, shape (s,)
        Sample positions.

    Returns
    -------
    Tally
        With one leading axis, (s,). Its `n` is the total weight, at most 1 / (1 - alpha). A
        count below 1e-12 of it is forgotten: set to 0.

    Raises
    ------
    ConfigError
        If `alpha` is out of range.
    DataError
        If labels or positions are out of range.

    References
    ----------
    Gama, Sebastião, Rodrigues (2013), On evaluating stream learning algorithms.
    """
    if not FORGOTTEN <= alpha <= 1:
        raise ConfigError(
            f"Fading: expected alpha from {FORGOTTEN} to 1, found {alpha}. It is the share of "
            "its weight that a prediction keeps, for instance 0.999."
        )
    events = checked_events(true, predicted, n_classes, no_change, majority)
    positions = checked_positions(at, len(events.true))
    counts = _no_counts(len(positions), n_classes)
    _count_faded(events, float(alpha), positions, counts)
    return _tallies(counts, n_classes)


def adwin_tallies(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    at: ArrayLike,
    delta: float = 0.002,
    no_change: ArrayLike | None = None,
    majority: ArrayLike | None = None,
) -> tuple[Tally, NDArray[np.int64]]:
    """Tally the predictions in the window of one ADWIN that watches right and wrong answers.

    One window for all: accuracy, the class shares and the baselines refer to the same
    predictions, unlike in MOA, where each has an ADWIN of its own.

    Parameters
    ----------
    true, predicted, n_classes, no_change, majority
        As in `streameval.measures.tally.tally`.
    at : array-like of int, shape (s,)
        Sample positions.
    delta : float
        ADWIN's confidence parameter.

    Returns
    -------
    tallies : Tally
        With one leading axis, (s,).
    widths : ndarray of int64, shape (s,)
        Number of predictions in the window.

    Raises
    ------
    ConfigError
        If `delta` is out of range.
    DataError
        If labels or positions are out of range.

    References
    ----------
    Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, §6.
    """
    events = checked_events(true, predicted, n_classes, no_change, majority)
    last = checked_positions(at, len(events.true))
    widths = adwin_trace(~events.wrong[:, 0], delta).width[last - 1]
    return _span_tallies(events, last - widths, last), widths
