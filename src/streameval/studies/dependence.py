"""The dependence of labels on lagged labels (Žliobaitė et al. 2015, Figure 5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.studies.given import Given

#: Shares of fewer cases are left out.
LEAST_CASES = 30


def study(given: Given) -> dict[str, pd.DataFrame]:
    """Return the frame of a figure: ``dependence``."""
    orders = given.settings.orders
    return {"dependence": dependence_by_order(given.stream.y, given.classes, orders)}


def dependence_by_order(
    labels: NDArray[np.int32], classes: Sequence[str], orders: int
) -> pd.DataFrame:
    """Return what one more label before says about the next one (Figure 5).

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Class codes in the order of the stream.
    classes : sequence of str
        Names of the classes.
    orders : int
        The longest run of labels before to look at, ℓ.

    Returns
    -------
    pandas.DataFrame
        Columns class, order (0 ... `orders`), cases (instances whose last ℓ labels are all of
        the class), share (of these that are of the class, too: P(y_t = i | y_t-1 = i, ...,
        y_t-ℓ = i)), delta (share less that of the order before: what the ℓ-th label before
        adds). NaN where there are fewer than `LEAST_CASES`; delta also at order 0.

    Notes
    -----
    The formula in Section 6.8 of the paper has the opposite sign and counts orders from 0:
    there, dependence of order ℓ is the difference between ℓ and ℓ + 1 labels. The text
    around it speaks of order and value as they are here.
    """
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    lengths = np.diff(starts, append=len(labels))
    order = np.arange(orders + 1)
    parts = []
    for code, name in enumerate(classes):
        runs = lengths[labels[starts] == code]
        # A run of r labels has r - l instances that follow l others of it, and one that comes
        # after it, unless the stream is at its end.
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
