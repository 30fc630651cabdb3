"""The study of Bifet et al. (2013), Pitfalls in benchmarking data stream classification.

What its tables and figures are made of, as tidy frames.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.errors import DataError
from streameval.studies.measuring import positions

#: Table 2 reports on the largest classes of a stream.
LARGEST_CLASSES = 3


def class_characteristics(
    labels: NDArray[np.int32], no_change_accuracy: float, largest: int = LARGEST_CLASSES
) -> pd.DataFrame:
    """Return a stream's part of Table 2.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Class codes in stream order.
    no_change_accuracy : float
        Accuracy of the No-Change learner on the stream.
    largest : int
        Number of classes to report on.

    Returns
    -------
    pandas.DataFrame
        Columns measure, value. Classes c1, c2, ... are in descending order of their share,
        P(c); P(c|c) is the share of the instances right after one of class c that are of
        class c too. `majority_accuracy` is P(c1), Equation 6 of the 2015 journal paper.
    """
    classes, counts = np.unique(labels, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:largest]
    rows = [(f"P(c{i + 1})", counts[c] / len(labels)) for i, c in enumerate(order)]
    for i, c in enumerate(order):
        after = labels[1:][labels[:-1] == classes[c]]
        repeated = float(np.mean(after == classes[c])) if len(after) else float("nan")
        rows.append((f"P(c{i + 1}|c{i + 1})", repeated))
    rows.append(("majority_accuracy", counts[order[0]] / len(labels)))
    rows.append(("no_change_accuracy", no_change_accuracy))
    return pd.DataFrame(rows, columns=["measure", "value"])


def prior_over_time(
    labels: NDArray[np.int32], classes: tuple[str, ...], window: int, points: int
) -> pd.DataFrame:
    """Return the share of each class over a sliding window (Figure 1, left).

    Returns
    -------
    pandas.DataFrame
        Columns instance (the window's last, from 1), class, share.
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
    """Return the autocorrelation of the label (Figure 1, right).

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Class codes in stream order, at least two different ones.
    lags : int
        The longest lag.

    Returns
    -------
    pandas.DataFrame
        Columns lag (1 ... `lags`), autocorrelation. With more than two classes it is that
        of the classes' indicators, weighted by their variances, so that it does not depend
        on how classes are coded; with two it is the ordinary one of the 0/1 label.

    Raises
    ------
    DataError
        If all labels are equal.
    """
    present = np.unique(labels)
    if len(present) < 2:
        raise DataError("The labels are all equal: their autocorrelation is not defined.")
    lags = min(lags, len(labels) - 1)
    size = 1 << (2 * len(labels) - 1).bit_length()
    total, variance = np.zeros(lags + 1), 0.0
    for code in present:
        centred = (labels == code) - np.mean(labels == code)
        spectrum = np.fft.rfft(centred, size)
        total += np.fft.irfft(spectrum * spectrum.conj(), size)[: lags + 1]
        variance += float(centred @ centred)
    return pd.DataFrame({"lag": np.arange(1, lags + 1), "autocorrelation": total[1:] / variance})


def literature(
    published: pd.DataFrame, column: str, no_change_accuracy: float | None
) -> pd.DataFrame:
    """Return accuracies reported for the electricity stream (Table 1), our own among them.

    Parameters
    ----------
    published : pandas.DataFrame
        ``resources/published/elec2_literature.csv``.
    column : str
        Its column that says which rows belong to the table.
    no_change_accuracy : float or None
        Our own run's accuracy of No-Change, a fraction; None where there is no such run.

    Returns
    -------
    pandas.DataFrame
        Columns algorithm, accuracy_percent, reference, tested_on_subset, measured,
        above_no_change; sorted, the best first. Without a run of our own, the published
        value of No-Change stays in its place and `measured` is False everywhere.
    """
    rows = published[published[column].astype(int) == 1]
    table = rows[["algorithm", "accuracy_percent", "reference", "tested_on_subset"]].copy()
    table["accuracy_percent"] = table["accuracy_percent"].astype(float)
    table["tested_on_subset"] = table["tested_on_subset"].astype(int).astype(bool)
    table["reference"] = table["reference"].fillna("")
    baseline = table["algorithm"].str.contains("No-Change")
    table["measured"] = baseline & (no_change_accuracy is not None)
    if no_change_accuracy is not None:
        table.loc[baseline, "accuracy_percent"] = 100 * no_change_accuracy
    threshold = float(table.loc[baseline, "accuracy_percent"].iloc[0])
    table["above_no_change"] = table["accuracy_percent"] > threshold
    order = table["accuracy_percent"].sort_values(ascending=False, kind="stable").index
    return table.loc[order].reset_index(drop=True)
