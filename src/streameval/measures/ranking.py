"""Area under the ROC curve, from counts of pairs of predictions of different classes.

For an instance of the class and an instance of another class, the area is the probability that the
former has the higher score; equal scores count half (Hanley and McNeil 1982). Pairs are counted in
integers, so values are exact, however long the stream is.

Scores are compared without normalisation, so areas do not change under an increasing function of
the scores of a class. A row that is no forecast has the scores 1/k. As learners give scores as
float32, scores within 6e-8 of 1 are tied.

Cost: in a single window, the predictions of each class are sorted, and all others are located among
them, in O(n k log n). In a sliding window, scores of each class are ranked within batches of
predictions (a sort), and a Fenwick tree over the ranks counts the predictions of each class below a
score. A prediction that enters or leaves a window takes O(k log w) for each of the k classes, and
O(log w) for two classes. The trees take O(w k) of memory. The red-black tree of Brzezinski and
Stefanowski (2017) has the same cost.

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
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.measures.forecasts import Forecasts
from streameval.measures.spans import Windows
from streameval.measures.tally import ratio, total

#: Smallest number of predictions that are ranked together.
_BATCH = 1 << 15


class Pairs(NamedTuple):
    """Pairs of predictions of different classes, in each of s windows.

    Parameters
    ----------
    counts : ndarray of int64, shape (s, k)
        Predictions of each true class.
    twice_won : ndarray of int64, shape (s, k, k)
        ``twice_won[:, i, j]`` is over pairs of an instance of class i and an instance of class j:
        twice the number of pairs in which the former has the higher score of class i, plus the
        number of ties, which count half.
    """

    counts: Integers
    twice_won: Integers

    @property
    def twice_pairs(self) -> Integers:
        """Twice the number of pairs, shape (s, k, k)."""
        return 2 * self.counts[:, :, None] * self.counts[:, None, :]


def area(pairs: Pairs) -> Floats:
    """Area for two classes, by the scores of the second class, shape (s,).

    NaN if a class does not occur, or with more classes. If both scores sum to 1, either class gives
    the same area.
    """
    if pairs.counts.shape[1] != 2:  # not a binary task
        return np.full(len(pairs.counts), np.nan)
    return ratio(pairs.twice_won[:, 1, 0], pairs.twice_pairs[:, 1, 0])


def area_one_vs_one(pairs: Pairs) -> Floats:
    """Mean area of all pairs of classes: M of Hand and Till (2001), Eq. 7, shape (s,).

    The area of a pair is the mean of the areas by the scores of both classes. Only classes that
    occur are included; NaN if fewer than two occur.
    """
    k = pairs.counts.shape[1]
    defined = (pairs.twice_pairs > 0) & ~np.eye(k, dtype=bool)
    areas = ratio(pairs.twice_won, np.where(defined, pairs.twice_pairs, 0))
    return ratio(total(total(np.where(defined, areas, 0.0))), total(total(defined)))


def area_one_vs_rest(pairs: Pairs) -> Floats:
    """Mean area of a class against all others, weighted by class frequency, shape (s,).

    NaN if fewer than two classes occur.
    """
    counts, n = pairs.counts, pairs.counts.sum(axis=1, keepdims=True)
    areas = ratio(pairs.twice_won.sum(axis=2), 2 * counts * (n - counts))
    return ratio(total(np.where(counts > 0, areas * counts, 0.0)), n[:, 0])


def count_pairs(forecasts: Forecasts, windows: Windows, classes: range | None = None) -> Pairs:
    """Count pairs of predictions in windows.

    Parameters
    ----------
    forecasts : Forecasts
        The predictions, in order.
    windows : Windows
        Windows in which pairs are counted.
    classes : range, optional
        Classes whose scores are compared, by default all; ``twice_won`` of the others is 0.

    Raises
    ------
    DataError
        If the counts do not fit into memory.
    """
    k = forecasts.scores.shape[1]
    _check_room(k, windows)
    counts = windows.class_counts(forecasts.true, k)
    twice_won = np.zeros((len(windows.last), k, k), dtype=np.int64)
    if len(windows.last) == 1:
        for c in range(k) if classes is None else classes:
            twice_won[0, c] = _twice_won_by(
                forecasts, c, int(windows.first[0]), int(windows.last[0])
            )
        return Pairs(counts, twice_won)
    for batch in _batches(windows, _batch_length(windows)):
        first, last = windows.first[batch], windows.last[batch]
        begin, stop = int(first[0]), int(last[-1])
        tree = np.zeros((stop - begin + 1, k), dtype=np.int32)
        for c in range(k) if classes is None else classes:
            rank = _ranks(forecasts, c, begin, stop)
            tree[:] = 0
            _count_by_scores_of(
                forecasts.true[begin:stop],
                rank,
                c,
                first - begin,
                last - begin,
                tree,
                np.zeros(k, dtype=np.int64),
                twice_won[batch],
            )
    return Pairs(counts, twice_won)


def _batch_length(windows: Windows) -> int:
    """Number of predictions in a batch: at least two windows, so that batches overlap little."""
    return max(2 * windows.width, _BATCH)


def _check_room(k: int, windows: Windows) -> None:
    longest = int((windows.last - windows.first).max(initial=0))
    ranked = _batch_length(windows) if len(windows.last) > 1 else longest
    pairs_bytes = 8 * len(windows.last) * k * k
    check_room(
        2 * pairs_bytes + 4 * ranked * k,
        f"Areas under the ROC curve: pairs of {k:,} classes in {len(windows.last):,} windows",
        "Choose other measures, fewer positions or a smaller window, or merge classes.",
    )


def _batches(windows: Windows, length: int) -> Iterator[slice]:
    """Yield consecutive windows that lie within `length` predictions."""
    begin, n = 0, len(windows.last)
    while begin < n:
        limit = windows.first[begin] + length
        stop = max(int(np.searchsorted(windows.last, limit, side="right")), begin + 1)
        yield slice(begin, stop)
        begin = stop


def _ranks(forecasts: Forecasts, c: int, begin: int, stop: int) -> Codes:
    """Ranks 1, 2, ... of the scores of class `c` in a batch; equal scores share a rank."""
    scores = _scores_of(forecasts, c, begin, stop)
    rank: Codes = np.unique(scores, return_inverse=True)[1].astype(np.int32)
    return rank + np.int32(1)


def _scores_of(forecasts: Forecasts, c: int, begin: int, stop: int) -> NDArray[np.float32]:
    """Scores of class `c` in a batch; 1/k where there is no forecast."""
    scores: NDArray[np.float32] = forecasts.scores[begin:stop, c]
    missing = forecasts.total[begin:stop] == 0
    if missing.any():
        scores = np.where(missing, scores.dtype.type(1 / forecasts.scores.shape[1]), scores)
    return scores


def _twice_won_by(forecasts: Forecasts, c: int, begin: int, stop: int) -> Integers:
    """Row `c` of `Pairs.twice_won` in one window, shape (k,).

    Only the predictions of class `c` are sorted, so that the cost is linear in the number of
    classes.
    """
    true, scores = forecasts.true[begin:stop], _scores_of(forecasts, c, begin, stop)
    sorted_scores = np.sort(scores[true == c])
    if len(sorted_scores) == 0:
        return np.zeros(forecasts.scores.shape[1], dtype=np.int64)
    n_below, n_up_to = (np.searchsorted(sorted_scores, scores, side) for side in ("left", "right"))
    twice_higher = 2.0 * (len(sorted_scores) - n_up_to) + (n_up_to - n_below)
    won = np.bincount(true, twice_higher, forecasts.scores.shape[1])  # exact below 2^53
    won[c] = 0  # instances of one class do not form pairs
    return won.astype(np.int64)


@kernel
def _count_by_scores_of(
    true: Codes,
    rank: Codes,
    c: int,
    first: Integers,
    last: Integers,
    tree: Codes,
    won: Integers,
    out: Integers,
) -> None:
    """Fill ``out[s, c]`` for the windows, whose ends never move backwards.

    `tree` has the counts of the predictions in the current window by rank and class, as Fenwick
    trees. `won` is row `c` of `Pairs.twice_won` for this window. Both start at 0.
    """
    start = stop = first[0]
    for s in range(len(last)):
        for t in range(start, min(stop, first[s])):
            _add_or_remove(true[t], rank[t], c, -1, tree, won)
        for t in range(max(stop, first[s]), last[s]):
            _add_or_remove(true[t], rank[t], c, 1, tree, won)
        start, stop = first[s], last[s]
        for j in range(len(won)):
            out[s, c, j] = won[j]


@subkernel
def _add_or_remove(y: int, rank: int, c: int, sign: int, tree: Codes, won: Integers) -> None:
    """Add a prediction of class `y` to the current window (`sign` 1), or remove it (-1)."""
    if y == c:
        # Predictions with lower scores are added twice, predictions with the same score once.
        _add_counts_up_to(rank - 1, sign, tree, won)
        _add_counts_up_to(rank, sign, tree, won)
        won[c] = 0  # instances of one class do not form pairs
    else:
        # Twice the predictions of class c with a higher score, plus those with the same score.
        twice_all = 2 * _count_up_to(tree.shape[0] - 1, c, tree)
        won[y] += sign * (twice_all - _count_up_to(rank, c, tree) - _count_up_to(rank - 1, c, tree))
    node = rank  # in a Fenwick tree, the step is the lowest set bit of the index
    while node < tree.shape[0]:
        tree[node, y] += sign
        node += node & -node


@inlined
def _add_counts_up_to(rank: int, sign: int, tree: Codes, won: Integers) -> None:
    """Add the number of predictions up to a rank, by class and times `sign`, to `won`."""
    node = rank
    while node > 0:
        for j in range(len(won)):
            won[j] += sign * tree[node, j]
        node -= node & -node


@inlined
def _count_up_to(rank: int, c: int, tree: Codes) -> int:
    """Number of predictions of class `c` up to a rank."""
    node, count = rank, 0
    while node > 0:
        count += tree[node, c]
        node -= node & -node
    return count
