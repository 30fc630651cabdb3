"""Count predictions into tallies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.errors import DataError
from streameval.compiled.kernels import kernel, subkernel
from streameval.measures.tally import Tally

#: Class codes of any integer type.
AnyCodes = NDArray[np.integer]
#: Number of predictions that are prepared for counting at a time, to limit memory.
_CHUNK = 1 << 16


class Events(NamedTuple):
    """Checked predict events, as arrays for the kernels that count them."""

    true: Codes  # (n,), true class
    label: Codes  # (n,), predicted class; k for a missing prediction
    wrong: Flags  # (n, 3): whether the classifier, No-Change and Majority are wrong
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
        Predictions of the learners No-Change and Majority for the same predict events.

    Returns
    -------
    Tally
        A tally without leading axes.

    Raises
    ------
    DataError
        If lengths differ or a code is out of range.
    """
    counts = zero_counts(n_classes)
    add_counts(counts, true, predicted, n_classes, no_change=no_change, majority=majority)
    return tallies_from_counts(counts, n_classes)


def zero_counts(n_classes: int) -> Floats:
    """Zeros to which `add_counts` adds; `count_event` describes their order."""
    return np.zeros(3 * n_classes + 4)


def add_counts(
    counts: Floats,
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    no_change: ArrayLike,
    majority: ArrayLike,
) -> None:
    """Add the counts of further predictions to `counts`; other parameters as for `tally`."""
    all_labels = _checked_labels(true, predicted, n_classes, no_change, majority)
    for begin in range(0, len(all_labels[0]), _CHUNK):
        chunk = [labels[begin : begin + _CHUNK] for labels in all_labels]
        _count_all(_events(chunk, n_classes), counts)


@subkernel
def count_event(events: Events, t: int, weight: float, counts: Floats) -> None:
    """Add event `t` to `counts`.

    `counts` has 3 k + 4 numbers in this order:

    - k counts of true classes;
    - k + 1 counts of predicted classes, the last for missing predictions;
    - k counts of correct predictions by class;
    - 3 counts of errors: of the classifier, of No-Change and of Majority.
    """
    k = events.n_classes
    y, wrong = events.true[t], events.wrong[t]
    counts[y] += weight
    counts[k + events.label[t]] += weight
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
        count_event(events, t, 1.0, counts)


def tallies_from_counts(counts: Floats, n_classes: int) -> Tally:
    """Tallies from counts of shape (..., 3 k + 4), which `count_event` fills."""
    k = n_classes
    # The last three counts are of errors, all others are by class.
    by_class = np.split(counts[..., :-3], [k, 2 * k + 1], axis=-1)
    return Tally(*by_class, *np.moveaxis(counts[..., -3:], -1, 0))


def checked_events(
    true: ArrayLike, predicted: ArrayLike, n_classes: int, no_change: ArrayLike, majority: ArrayLike
) -> Events:
    """Labels, checked and prepared for counting; parameters as for `tally`."""
    return _events(_checked_labels(true, predicted, n_classes, no_change, majority), n_classes)


def _checked_labels(
    true: ArrayLike, predicted: ArrayLike, n_classes: int, no_change: ArrayLike, majority: ArrayLike
) -> list[AnyCodes]:
    """The four arrays of labels, checked, in the order true, predicted, No-Change, Majority."""
    y = _codes(true, "true", n_classes, lowest=0)
    others = {"predicted": predicted, "no_change": no_change, "majority": majority}
    return [y, *(_codes(codes, name, n_classes, len(y)) for name, codes in others.items())]


def _events(all_labels: list[AnyCodes], n_classes: int) -> Events:
    true, predicted, *baselines = all_labels
    y, label = _true_and_predicted(true, predicted, n_classes)
    wrong = np.stack([predictions != y for predictions in (label, *baselines)], axis=1)
    # Without `int`, a NumPy integer of another size would compile the kernels again.
    return Events(y, label, wrong, int(n_classes))


def checked_predictions(
    true: ArrayLike, predicted: ArrayLike, n_classes: int
) -> tuple[Codes, Codes]:
    """True and predicted labels, checked; a missing prediction has the code k."""
    y = _codes(true, "true", n_classes, lowest=0)
    predictions = _codes(predicted, "predicted", n_classes, len(y))
    return _true_and_predicted(y, predictions, n_classes)


def _true_and_predicted(true: AnyCodes, predicted: AnyCodes, n_classes: int) -> tuple[Codes, Codes]:
    label = np.where(predicted < 0, np.int32(n_classes), predicted).astype(np.int32, copy=False)
    return np.ascontiguousarray(true, dtype=np.int32), label


def checked_positions(positions: ArrayLike, n: int) -> Integers:
    """Sample positions, checked: increasing numbers of predictions so far, within 1..n."""
    positions = np.ascontiguousarray(positions)
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


def checked_codes(
    labels: ArrayLike, name: str, n_classes: int, n: int | None = None, lowest: int = -1
) -> Codes:
    """Class codes from `lowest` to k - 1, checked, as an array of int32."""
    return np.ascontiguousarray(_codes(labels, name, n_classes, n, lowest), dtype=np.int32)


def _codes(
    labels: ArrayLike, name: str, n_classes: int, n: int | None = None, lowest: int = -1
) -> AnyCodes:
    """Class codes, checked. They keep their integer type, so that large arrays are not copied."""
    codes = np.asarray(labels)
    if codes.ndim != 1 or (n is not None and len(codes) != n):
        expected = "(n,)" if n is None else f"({n},)"
        raise DataError(f"Labels {name!r}: expected shape {expected}, found {codes.shape}.")
    if codes.size and codes.dtype.kind not in "iu":
        raise DataError(f"Labels {name!r}: expected integer class codes, found {codes.dtype}.")
    if codes.size and (codes.min() < lowest or codes.max() >= n_classes):
        i = int(np.flatnonzero((codes < lowest) | (codes >= n_classes))[0])
        raise DataError(
            f"Labels {name!r}: expected codes {lowest}..{n_classes - 1}, found {int(codes[i])} at "
            f"position {i} ({n_classes} classes declared)."
        )
    return codes
