"""Proportions of the classes and accuracies of the baselines (Bifet et al. 2013, Table 2)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.items.given import Given, OfItem, over_streams

#: Number of classes per stream in Table 2: the largest ones.
LARGEST_CLASSES = 3


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table for several streams; see `class_characteristics`."""

    def part(one: Given) -> pd.DataFrame:
        predictions = one.predictions()
        correct = predictions.predicted["no_change"] == predictions.true
        return class_characteristics(predictions.true, float(correct.mean()))

    return over_streams(given, part, item.columns)


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
        Columns measure, value. Classes c1, c2, ... are in descending order of their proportion
        P(c). P(c|c) is the proportion of class c among the instances right after one of class c.
        `majority_accuracy` is P(c1), Equation 6 of the 2015 journal paper.
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
