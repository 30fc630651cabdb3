"""The study of Žliobaitė et al. (2015), Evaluation methods and decision theory.

On classification of streaming data with temporal dependence; what its tables are made of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.learners.registry import LearnerSpec
from streameval.streams.stream import Stream

#: κ and what its significance test is made of.
SIGNIFICANCE = ("kappa", "kappa_standard_error", "kappa_z", "kappa_p_value")
#: Shares of fewer cases are left out.
LEAST_CASES = 30


def stream_characteristics(stream: Stream) -> pd.DataFrame:
    """Return a stream's row of Table 3.

    Returns
    -------
    pandas.DataFrame
        Columns instances, attributes, classes, P(M), P(T). Classes are those declared. P(M)
        is the share of the most frequent class; P(T) the share of instances whose label
        equals the one before, Σ P(i, i) of Proposition 7, among the n - 1 that have one
        before.
    """
    labels = stream.y
    row = {
        "instances": len(stream),
        "attributes": stream.X.shape[1],
        "classes": stream.n_classes,
        "P(M)": np.bincount(labels).max() / len(labels),
        "P(T)": float(np.mean(labels[1:] == labels[:-1])) if len(labels) > 1 else float("nan"),
    }
    return pd.DataFrame([row])


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


def classifier_characteristics(learners: Mapping[str, LearnerSpec]) -> pd.DataFrame:
    """Return the learners of the experiments (Table 4).

    Returns
    -------
    pandas.DataFrame
        Columns learner, title, adaptation, base, models: what it does about change ("none" if it
        only learns on), what kind of model it is made of, and how many of them vote.
    """
    rows = [
        (name, spec.title, spec.adaptation, spec.base, getattr(spec.make(), "members", 1))
        for name, spec in learners.items()
    ]
    return pd.DataFrame(rows, columns=["learner", "title", "adaptation", "base", "models"])


def kappa_significance(measures: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """Return whether κ differs from 0 by more than chance (Section 4.3, Equations 11 and 12).

    Parameters
    ----------
    measures : pandas.DataFrame
        Columns stream, simulated, learner, measure, value: all measures over whole streams.
    learners : sequence of str
        Which to look at.

    Returns
    -------
    pandas.DataFrame
        Columns stream, simulated, learner, kappa, kappa_standard_error, kappa_z, kappa_p_value;
        NaN where undefined.

    Notes
    -----
    Both errors take predictions for independent of each other. Where labels come in runs they
    are not (Proposition 8), and the true errors are larger.
    """
    chosen = measures[measures["measure"].isin(SIGNIFICANCE) & measures["learner"].isin(learners)]
    keys = ["stream", "simulated", "learner"]
    wide = chosen.pivot_table("value", keys, "measure", dropna=False, observed=True, sort=False)
    table = wide.reindex(columns=list(SIGNIFICANCE)).reset_index()
    table = table.merge(chosen[keys].drop_duplicates(), on=keys)  # no combination that is not there
    return table.rename_axis(columns=None)
