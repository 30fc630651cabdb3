"""Class proportions, autocorrelation and dependence of the labels of a stream."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.errors import DataError
from streameval.evaluation.measuring import positions
from streameval.items.dependence.settings import ClassDistributionSettings, DependenceSettings
from streameval.items.inputs import StreamInput


def study_class_distribution(
    given: StreamInput[ClassDistributionSettings],
) -> dict[str, pd.DataFrame]:
    """Return the frames of a figure: ``prior`` and ``autocorrelation``."""
    labels, settings = given.labelled_stream.y, given.settings
    return {
        "prior": prior_over_time(labels, given.classes, settings.window, settings.points),
        "autocorrelation": label_autocorrelation(labels, settings.lags),
    }


def prior_over_time(
    labels: NDArray[np.int32], classes: tuple[str, ...], window: int, points: int
) -> pd.DataFrame:
    """Return the proportion of each class in a sliding window (Figure 1, left).

    Returns
    -------
    pandas.DataFrame
        Columns instance (the last one of the window, from 1), class, share (the proportion).
    """
    at = positions(len(labels), window, points)
    parts = []
    for code, name in enumerate(classes):
        seen = np.concatenate(([0], np.cumsum(labels == code)))
        first = np.maximum(at - window, 0)
        share = (seen[at] - seen[first]) / (at - first)
        parts.append(pd.DataFrame({"instance": at, "class": name, "share": share}))
    return pd.concat(parts, ignore_index=True)


def label_autocorrelation(labels: NDArray[np.int32], lags: int) -> pd.DataFrame:
    """Return the autocorrelation of labels (Figure 1, right).

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Class codes in stream order, of at least two classes.
    lags : int
        The largest lag.

    Returns
    -------
    pandas.DataFrame
        Columns lag (1 ... `lags`), autocorrelation. It is the mean autocorrelation of the class
        indicators, weighted by their variances, and does not depend on the class codes. With two
        classes it is the ordinary autocorrelation of the 0/1 label.

    Raises
    ------
    DataError
        If all labels are equal.
    """
    present = np.unique(labels)
    if len(present) < 2:
        raise DataError(
            "Autocorrelation of labels: expected at least two classes, found one. It is undefined "
            "for equal labels."
        )
    lags = min(lags, len(labels) - 1)
    size = 1 << (2 * len(labels) - 1).bit_length()
    total, variance = np.zeros(lags + 1), 0.0
    for code in present:
        centred = (labels == code) - np.mean(labels == code)
        spectrum = np.fft.rfft(centred, size)
        total += np.fft.irfft(spectrum * spectrum.conj(), size)[: lags + 1]
        variance += float(centred @ centred)
    # Fourier transforms differ by processor in the last digits.
    found = (total[1:] / variance).round(12)
    return pd.DataFrame({"lag": np.arange(1, lags + 1), "autocorrelation": found})


#: Proportions of fewer cases are omitted.
LEAST_CASES = 30


def study_dependence(given: StreamInput[DependenceSettings]) -> dict[str, pd.DataFrame]:
    """Return the frame of a figure: ``dependence``."""
    orders = given.settings.orders
    return {"dependence": dependence_by_order(given.labelled_stream.y, given.classes, orders)}


def dependence_by_order(
    labels: NDArray[np.int32], classes: Sequence[str], orders: int
) -> pd.DataFrame:
    """Return the dependence of a label on ℓ previous labels, for each ℓ (Figure 5).

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Class codes in the order of the stream.
    classes : sequence of str
        Names of the classes.
    orders : int
        The largest number of previous labels, ℓ (the order of the dependence).

    Returns
    -------
    pandas.DataFrame
        Columns class, order (ℓ = 0 ... `orders`), cases (instances whose ℓ previous labels are all
        of the class), share (the proportion of these that are of the class too: P(y_t = i |
        y_t-1 = i, ..., y_t-ℓ = i)), delta (share minus that for ℓ - 1, the contribution of the
        ℓ-th previous label). NaN for fewer than `LEAST_CASES` cases; delta also for ℓ = 0.

    Notes
    -----
    The formula in Section 6.8 of the paper has the opposite sign and counts ℓ from 0: there,
    dependence of order ℓ is the difference between ℓ and ℓ + 1 labels. The text around the formula
    uses sign and order as here.
    """
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    lengths = np.diff(starts, append=len(labels))
    order = np.arange(orders + 1)
    parts = []
    for code, name in enumerate(classes):
        runs = lengths[labels[starts] == code]
        # In a run of r labels, r - l instances follow l others of the run. One more instance
        # follows the run itself, unless the stream ends there.
        longer = np.maximum(runs[:, None] - order, 0)
        again = longer.sum(axis=0)
        after = np.count_nonzero(runs[:, None] >= order, axis=0)
        if len(labels) and labels[-1] == code:
            after -= lengths[-1] >= order
        cases = again + after
        again[0], cases[0] = np.count_nonzero(labels == code), len(labels)
        share = np.where(cases >= LEAST_CASES, again / np.maximum(cases, 1), np.nan)
        delta = np.diff(share, prepend=np.nan)
        parts.append(
            pd.DataFrame(
                {"class": name, "order": order, "cases": cases, "share": share, "delta": delta}
            )
        )
    return pd.concat(parts, ignore_index=True)
