"""Counting predictions into tallies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.errors import DataError
from streameval.compiled.kernels import kernel, part
from streameval.measures.tally import Tally

AnyCodes = NDArray[np.integer]
#: Predictions that are made ready for counting at a time.
_STRETCH = 1 << 16


class Events(NamedTuple):
    """Checked predictions in the form that the compiled counting loops need."""

    true: Codes  # (n,)
    column: Codes  # (n,) predicted class, k for a missing prediction
    wrong: Flags  # (n, 3) classifier, No-Change, Majority
    n_classes: int


def tally(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    no_change: ArrayLike,
    majority: ArrayLike,
) -> Tally:
    """Count all predictions into one tally.

    Parameters
    ----------
    true : array-like of int, shape (n,)
        True class codes 0, ..., k - 1, in the order of the predict events.
    predicted : array-like of int, shape (n,)
        Predicted class codes; -1 is a missing prediction and counts as wrong.
    n_classes : int
        Declared number of classes, k.
    no_change, majority : array-like of int, shape (n,)
        Predictions of the learners No-Change and Majority on the same tape.

    Returns
    -------
    Tally
        With no leading axes.

    Raises
    ------
    DataError
        If lengths differ or a code is out of range.
    """
    counts = no_counts(n_classes)
    added(counts, true, predicted, n_classes, no_change=no_change, majority=majority)
    return tally_of(counts, n_classes)


def no_counts(n_classes: int) -> Floats:
    """Return the counts of no prediction, to which those of a stretch can be added."""
    return np.zeros(3 * n_classes + 4)


def added(
    counts: Floats,
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    no_change: ArrayLike,
    majority: ArrayLike,
) -> None:
    """Add further predictions to counts; see `tally` for what they are, `tally_of` for the sum."""
    codes = _checked(true, predicted, n_classes, no_change, majority)
    for at in range(0, len(codes[0]), _STRETCH):
        _count_all(_events([part[at : at + _STRETCH] for part in codes], n_classes), counts)


@part
def count(events: Events, t: int, weight: float, counts: Floats) -> None:
    """Add event `t` to counts: k of true, k + 1 of predicted, k of correct classes, 3 of errors."""
    k = events.n_classes
    y, wrong = events.true[t], events.wrong[t]
    counts[y] += weight
    counts[k + events.column[t]] += weight
    if wrong[0]:
        counts[3 * k + 1] += weight
    else:
        counts[2 * k + 1 + y] += weight
    for j in range(1, 3):
        if wrong[j]:
            counts[3 * k + 1 + j] += weight


@kernel
def _count_all(events: Events, counts: Floats) -> None:
    for t in range(len(events.true)):
        count(events, t, 1.0, counts)


def tally_of(counts: Floats, n_classes: int) -> Tally:
    """Return the tallies of the counts that `count` fills, shape (..., 3 k + 4)."""
    k = n_classes
    by_class = np.split(counts[..., :-3], [k, 2 * k + 1], axis=-1)
    return Tally(*by_class, *np.moveaxis(counts[..., -3:], -1, 0))


def checked_events(
    true: ArrayLike, predicted: ArrayLike, n_classes: int, no_change: ArrayLike, majority: ArrayLike
) -> Events:
    """Check labels (see `tally`) and return them ready for counting."""
    return _events(_checked(true, predicted, n_classes, no_change, majority), n_classes)


def _checked(
    true: ArrayLike, predicted: ArrayLike, n_classes: int, no_change: ArrayLike, majority: ArrayLike
) -> list[AnyCodes]:
    y = _codes(true, "true", n_classes, lowest=0)
    others = {"predicted": predicted, "no_change": no_change, "majority": majority}
    return [y, *(_codes(codes, name, n_classes, len(y)) for name, codes in others.items())]


def _events(codes: list[AnyCodes], n_classes: int) -> Events:
    true, predicted, *baselines = codes
    y, column = _columns(true, predicted, n_classes)
    wrong = np.stack([one != y for one in (column, *baselines)], axis=1)
    return Events(y, column, wrong, int(n_classes))


def checked_predictions(
    true: ArrayLike, predicted: ArrayLike, n_classes: int
) -> tuple[Codes, Codes]:
    """Check labels and return the true and the predicted ones, k for a missing prediction."""
    y = _codes(true, "true", n_classes, lowest=0)
    return _columns(y, _codes(predicted, "predicted", n_classes, len(y)), n_classes)


def _columns(true: AnyCodes, predicted: AnyCodes, n_classes: int) -> tuple[Codes, Codes]:
    column = np.where(predicted < 0, np.int32(n_classes), predicted).astype(np.int32, copy=False)
    return np.ascontiguousarray(true, dtype=np.int32), column


def checked_positions(at: ArrayLike, n: int) -> Integers:
    """Check sample positions: numbers of predictions made, increasing, within 1..n."""
    positions = np.ascontiguousarray(at)
    if positions.ndim != 1 or not (positions.size == 0 or positions.dtype.kind in "iu"):
        raise DataError(
            "Sample positions: expected a one-dimensional array of integers, found "
            f"{positions.dtype} of shape {positions.shape}."
        )
    positions = positions.astype(np.int64)
    if positions.size and (
        positions[0] < 1 or positions[-1] > n or (np.diff(positions) <= 0).any()
    ):
        raise DataError(
            f"Sample positions: expected increasing numbers of predictions within 1..{n}, "
            f"found {positions.min()}..{positions.max()}. Sort them and drop repetitions."
        )
    return positions


def checked_labels(
    labels: ArrayLike, name: str, n_classes: int, n: int | None = None, lowest: int = -1
) -> Codes:
    """Check class codes, `lowest`, ..., k - 1, and return them as an array."""
    return np.ascontiguousarray(_codes(labels, name, n_classes, n, lowest), dtype=np.int32)


def _codes(
    labels: ArrayLike, name: str, n_classes: int, n: int | None = None, lowest: int = -1
) -> AnyCodes:
    """Check class codes, and return them in the type that they have."""
    codes = np.asarray(labels)
    if codes.ndim != 1 or (n is not None and len(codes) != n):
        wanted = "(n,)" if n is None else f"({n},)"
        raise DataError(f"Labels {name!r}: expected shape {wanted}, found {codes.shape}.")
    if codes.size and codes.dtype.kind not in "iu":
        raise DataError(f"Labels {name!r}: expected integer class codes, found {codes.dtype}.")
    if codes.size and (codes.min() < lowest or codes.max() >= n_classes):
        i = int(np.flatnonzero((codes < lowest) | (codes >= n_classes))[0])
        raise DataError(
            f"Labels {name!r}: expected codes {lowest}..{n_classes - 1}, found {int(codes[i])} at "
            f"position {i} ({n_classes} classes declared)."
        )
    return codes
