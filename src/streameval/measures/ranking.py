"""The area under the ROC curve, from counts of pairs of predictions of different classes.

The area is the probability that of two predictions, one of either class, the right one has the
higher score; equal scores count half (Hanley and McNeil 1982). All is counted in whole numbers, so
that a window has exactly the value of its pairs, however long the stream is.

Scores are compared as they are given, so that areas do not change with any increasing function of
a class's scores. A row that is no forecast stands at 1/k. As scores of learners are float32, those
within 6e-8 of 1 are equal.

Cost: in a single window the predictions of each class are sorted, and all others placed among them:
O(n k log n). In a sliding window, scores of each class are ranked within batches of predictions (a
sort), and a Fenwick tree over the ranks counts the predictions of each class below a score. A
prediction that enters or leaves a window costs O(k log w) for each of the k classes, O(log w) for
two classes; the trees take O(w k) of memory. Brzezinski and Stefanowski (2017) have the same cost
with a red-black tree.

References
----------
Hanley, McNeil (1982), The meaning and use of the area under a receiver operating characteristic
(ROC) curve, Radiology 143(1), 29-36.
Brzezinski, Stefanowski (2017), Prequential AUC: properties of the area under the ROC curve for data
streams with concept drift, Knowledge and Information Systems 52.
Hand, Till (2001), A simple generalisation of the area under the ROC curve for multiple class
classification problems, Machine Learning 45, 171-186.
Provost, Domingos (2000), Well-trained PETs: improving probability estimation trees; Fawcett (2006),
An introduction to ROC analysis, Pattern Recognition Letters 27, 861-874, §9.2.
Fenwick (1994), A new data structure for cumulative frequency tables, Software: Practice and
Experience 24(3), 327-336.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.memory import check_room
from streameval.compiled.kernels import inlined, kernel, part
from streameval.measures.forecasts import Forecasts
from streameval.measures.spans import Windows
from streameval.measures.tally import ratio, total

#: Least number of predictions that are ranked together.
_BATCH = 1 << 15


class Pairs(NamedTuple):
    """Pairs of predictions of different classes, in each of s windows.

    Parameters
    ----------
    counts : ndarray of int64, shape (s, k)
        Predictions of each true class.
    won : ndarray of int64, shape (s, k, k)
        ``won[:, i, j]``: pairs of a prediction of class i and one of class j in which that of
        class i has the higher score of class i, twice; pairs of equal scores once.
    """

    counts: Integers
    won: Integers

    @property
    def compared(self) -> Integers:
        """Twice the number of pairs, shape (s, k, k)."""
        return 2 * self.counts[:, :, None] * self.counts[:, None, :]


def area(pairs: Pairs) -> Floats:
    """Return the area of two classes, by the scores of the second one, shape (s,).

    NaN where one is missing, and with more classes. Where the two scores sum to one, it does not
    matter whose are compared.
    """
    if pairs.counts.shape[1] != 2:
        return np.full(len(pairs.counts), np.nan)
    return ratio(pairs.won[:, 1, 0], pairs.compared[:, 1, 0])


def area_one_vs_one(pairs: Pairs) -> Floats:
    """Return M of Hand and Till (2001), Eq. 7, the mean of the areas of all pairs of classes.

    The area of a pair is the mean of that by the scores of either class. Only classes that occur
    are looked at; NaN with fewer than two, shape (s,).
    """
    k = pairs.counts.shape[1]
    defined = (pairs.compared > 0) & ~np.eye(k, dtype=bool)
    areas = ratio(pairs.won, np.where(defined, pairs.compared, 0))
    return ratio(total(total(np.where(defined, areas, 0.0))), total(total(defined)))


def area_one_vs_rest(pairs: Pairs) -> Floats:
    """Return the mean area of a class against all others, weighted by the class's frequency, (s,).

    NaN with fewer than two classes.
    """
    counts, n = pairs.counts, pairs.counts.sum(axis=1, keepdims=True)
    areas = ratio(pairs.won.sum(axis=2), 2 * counts * (n - counts))
    return ratio(total(np.where(counts > 0, areas * counts, 0.0)), n[:, 0])


def count_pairs(forecasts: Forecasts, windows: Windows, classes: range | None = None) -> Pairs:
    """Count pairs of predictions in windows.

    Parameters
    ----------
    forecasts : Forecasts
        The predictions, in order.
    windows : Windows
        Where to count.
    classes : range, optional
        The classes whose scores are compared, by default all; ``won`` of others is 0.

    Raises
    ------
    DataError
        If the counts do not fit into the memory.
    """
    k = forecasts.scores.shape[1]
    _check_room(k, windows)
    counts, won = windows.class_counts(forecasts.true, k), _no_pairs(len(windows.last), k)
    if len(windows.last) == 1:
        for c in range(k) if classes is None else classes:
            won[0, c] = _won_by(forecasts, c, int(windows.first[0]), int(windows.last[0]))
        return Pairs(counts, won)
    length = max(2 * windows.width, _BATCH)
    for batch in _batches(windows, length):
        first, last = windows.first[batch], windows.last[batch]
        begin, stop = int(first[0]), int(last[-1])
        tree = np.zeros((stop - begin + 1, k), dtype=np.int32)
        for c in range(k) if classes is None else classes:
            rank = _ranks(forecasts, c, begin, stop)
            tree[:] = 0
            _count_of_class(
                forecasts.true[begin:stop],
                rank,
                c,
                first - begin,
                last - begin,
                tree,
                np.zeros(k, dtype=np.int64),
                won[batch],
            )
    return Pairs(counts, won)


def _check_room(k: int, windows: Windows) -> None:
    longest = int((windows.last - windows.first).max(initial=0))
    ranked = max(2 * windows.width, _BATCH) if len(windows.last) > 1 else longest
    check_room(
        8 * 2 * len(windows.last) * k * k + 4 * ranked * k,
        f"Areas under the ROC curve: pairs of {k:,} classes in {len(windows.last):,} windows",
        "Choose other measures, fewer positions or a smaller window, or merge classes.",
    )


def _no_pairs(positions: int, k: int) -> Integers:
    return np.zeros((positions, k, k), dtype=np.int64)


def _batches(windows: Windows, length: int) -> Iterator[slice]:
    """Yield consecutive windows that lie within `length` predictions."""
    begin, n = 0, len(windows.last)
    while begin < n:
        most = windows.first[begin] + length
        stop = max(int(np.searchsorted(windows.last, most, side="right")), begin + 1)
        yield slice(begin, stop)
        begin = stop


def _ranks(forecasts: Forecasts, c: int, begin: int, stop: int) -> Codes:
    """Return the ranks 1, 2, ... of the scores of a class in a batch; equal ones share a rank."""
    scores = _scores_of(forecasts, c, begin, stop)
    rank: Codes = np.unique(scores, return_inverse=True)[1].astype(np.int32)
    return rank + np.int32(1)


def _scores_of(forecasts: Forecasts, c: int, begin: int, stop: int) -> NDArray[np.float32]:
    """Scores of a class in a batch; where there is no forecast, 1/k."""
    scores: NDArray[np.float32] = forecasts.scores[begin:stop, c]
    missing = forecasts.total[begin:stop] == 0
    if missing.any():
        scores = np.where(missing, scores.dtype.type(1 / forecasts.scores.shape[1]), scores)
    return scores


def _won_by(forecasts: Forecasts, c: int, begin: int, stop: int) -> Integers:
    """Pairs of one window that class `c` wins by its scores, by the other class, shape (k,).

    Only its own predictions are sorted, so that the cost of all classes is linear in their number.
    """
    true, scores = forecasts.true[begin:stop], _scores_of(forecasts, c, begin, stop)
    own = np.sort(scores[true == c])
    if len(own) == 0:
        return np.zeros(forecasts.scores.shape[1], dtype=np.int64)
    below, up_to = (np.searchsorted(own, scores, side) for side in ("left", "right"))
    twice = 2.0 * (len(own) - up_to) + (up_to - below)
    won = np.bincount(true, twice, forecasts.scores.shape[1])  # below 2^53 sums are exact
    won[c] = 0
    return won.astype(np.int64)


@kernel
def _count_of_class(
    true: Codes,
    rank: Codes,
    c: int,
    first: Integers,
    last: Integers,
    tree: Codes,
    won: Integers,
    out: Integers,
) -> None:
    """Fill ``out[s, c]`` for the windows; both ends only move forward.

    `tree` and `won` hold the predictions of the current window, at first none.
    """
    start = stop = first[0]
    for s in range(len(last)):
        for t in range(start, min(stop, first[s])):
            _change(true[t], rank[t], c, -1, tree, won)
        for t in range(max(stop, first[s]), last[s]):
            _change(true[t], rank[t], c, 1, tree, won)
        start, stop = first[s], last[s]
        for j in range(len(won)):
            out[s, c, j] = won[j]


@part
def _change(y: int, rank: int, c: int, sign: int, tree: Codes, won: Integers) -> None:
    """Add a prediction of class `y` to the current window (`sign` 1), or remove it (-1)."""
    if y == c:
        _add_below(rank - 1, sign, tree, won)
        _add_below(rank, sign, tree, won)
        won[c] = 0
    else:
        # Twice those above, and once those that are equal.
        higher = 2 * _below(tree.shape[0] - 1, c, tree)
        won[y] += sign * (higher - _below(rank, c, tree) - _below(rank - 1, c, tree))
    node = rank
    while node < tree.shape[0]:
        tree[node, y] += sign
        node += node & -node


@inlined
def _add_below(rank: int, sign: int, tree: Codes, won: Integers) -> None:
    """Add the predictions up to a rank, by class, to `won`."""
    node = rank
    while node > 0:
        for j in range(len(won)):
            won[j] += sign * tree[node, j]
        node -= node & -node


@inlined
def _below(rank: int, c: int, tree: Codes) -> int:
    """Return the number of predictions of class `c` up to a rank."""
    node, count = rank, 0
    while node > 0:
        count += tree[node, c]
        node -= node & -node
    return count
