"""Area under the ROC curve, from counts of pairs of predictions of different classes.

The area by the scores of a class is the probability that an instance of this class has a higher
score than an instance of another class; equal scores count half (Hanley and McNeil 1982). Pairs are
counted in integers, so values are exact, however long the stream is.

Scores are not normalised before they are compared. So an increasing function of the scores of a
class does not change its area. A row that is no forecast has the scores 1/k. Learners give scores
as float32, so two scores that both round to 1 are tied.

Cost of a single window: for each class, the scores of its instances are sorted, and a binary search
finds the place of every other score among them, in O(n k log n).

Cost of a sliding window: scores of each class are ranked within batches of predictions (a sort). A
Fenwick tree over the ranks counts the predictions of each true class below a score. A prediction
that enters or leaves a window takes O(k log w) for each of the k classes, and O(log w) for two
classes. The trees take O(w k) of memory. The red-black tree of Brzezinski and Stefanowski (2017)
has the same cost.

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
from streameval.measures.sliding_windows import Windows
from streameval.measures.tally import ratio, total

#: Smallest number of predictions that are ranked together: each batch costs a sort and a new tree.
_MIN_BATCH_LENGTH = 1 << 15


class PairCounts(NamedTuple):
    """Pairs of predictions of different classes, in each of s windows.

    Parameters
    ----------
    counts : ndarray of int64, shape (s, k)
        Predictions of each true class.
    twice_concordant : ndarray of int64, shape (s, k, k)
        ``twice_concordant[:, i, j]`` is about pairs of an instance of class i and an instance of
        class j. It is twice the number of concordant pairs, in which the instance of class i has
        the higher score of class i, plus the number of ties.
    """

    counts: Integers
    twice_concordant: Integers

    @property
    def twice_pairs(self) -> Integers:
        """Twice the number of pairs, shape (s, k, k)."""
        return 2 * self.counts[:, :, None] * self.counts[:, None, :]


def auc(pairs: PairCounts) -> Floats:
    """Area for two classes, by the scores of the second class, shape (s,).

    NaN if a class does not occur, or if the task is not binary. If the two scores sum to 1, the
    area by the scores of the first class is the same.
    """
    if pairs.counts.shape[1] != 2:
        return np.full(len(pairs.counts), np.nan)
    return ratio(pairs.twice_concordant[:, 1, 0], pairs.twice_pairs[:, 1, 0])


def auc_one_vs_one(pairs: PairCounts) -> Floats:
    """Mean area of all pairs of classes: M of Hand and Till (2001), Eq. 7, shape (s,).

    The area of a pair is the mean of the areas by the scores of both classes. Only classes that
    occur are included; NaN if fewer than two occur.
    """
    k = pairs.counts.shape[1]
    is_defined = (pairs.twice_pairs > 0) & ~np.eye(k, dtype=bool)
    areas = ratio(pairs.twice_concordant, np.where(is_defined, pairs.twice_pairs, 0))
    return ratio(total(total(np.where(is_defined, areas, 0.0))), total(total(is_defined)))


def auc_one_vs_rest(pairs: PairCounts) -> Floats:
    """Mean over classes of the area of a class against all others, weighted by class frequency.

    Shape (s,); NaN if fewer than two classes occur.
    """
    counts, n = pairs.counts, pairs.counts.sum(axis=1, keepdims=True)
    areas = ratio(pairs.twice_concordant.sum(axis=2), 2 * counts * (n - counts))
    return ratio(total(np.where(counts > 0, areas * counts, 0.0)), n[:, 0])


def count_pairs(forecasts: Forecasts, windows: Windows, classes: range | None = None) -> PairCounts:
    """Count pairs of predictions in windows.

    Parameters
    ----------
    forecasts : Forecasts
        The predictions, in order.
    windows : Windows
        Windows in which pairs are counted.
    classes : range, optional
        Classes whose scores are compared, by default all; ``twice_concordant`` of the others is 0.

    Raises
    ------
    DataError
        If the counts do not fit into memory.
    """
    k = forecasts.scores.shape[1]
    _check_room(k, windows)
    counts = windows.class_counts(forecasts.true, k)
    twice_concordant = np.zeros((len(windows.stops), k, k), dtype=np.int64)
    if len(windows.stops) == 1:
        for c in range(k) if classes is None else classes:
            twice_concordant[0, c] = _concordant_with_class(
                forecasts, c, int(windows.starts[0]), int(windows.stops[0])
            )
        return PairCounts(counts, twice_concordant)
    for batch in _batches(windows, _batch_length(windows)):
        starts, stops = windows.starts[batch], windows.stops[batch]
        begin, end = int(starts[0]), int(stops[-1])
        tree = np.zeros((end - begin + 1, k), dtype=np.int32)  # ranks start at 1
        for c in range(k) if classes is None else classes:
            rank = _ranks(forecasts, c, begin, end)
            tree[:] = 0
            _count_pairs_of_class(
                forecasts.true[begin:end],
                rank,
                c,
                starts - begin,
                stops - begin,
                tree,
                np.zeros(k, dtype=np.int64),
                twice_concordant[batch],
            )
    return PairCounts(counts, twice_concordant)


def _batch_length(windows: Windows) -> int:
    """Number of predictions in a batch: at least two windows, so that batches overlap little."""
    return max(2 * windows.width, _MIN_BATCH_LENGTH)


def _check_room(k: int, windows: Windows) -> None:
    longest = int((windows.stops - windows.starts).max(initial=0))
    n_ranked = _batch_length(windows) if len(windows.stops) > 1 else longest
    bytes_of_pairs = 8 * len(windows.stops) * k * k  # each of twice_concordant and twice_pairs
    bytes_of_tree = 4 * n_ranked * k
    check_room(
        2 * bytes_of_pairs + bytes_of_tree,
        f"Areas under the ROC curve: pairs of {k:,} classes in {len(windows.stops):,} windows",
        "Choose other measures, fewer positions or a smaller window, or merge classes.",
    )


def _batches(windows: Windows, length: int) -> Iterator[slice]:
    """Yield consecutive windows that lie within `length` predictions."""
    begin, n = 0, len(windows.stops)
    while begin < n:
        limit = windows.starts[begin] + length
        stop = max(int(np.searchsorted(windows.stops, limit, side="right")), begin + 1)
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


def _concordant_with_class(forecasts: Forecasts, c: int, begin: int, stop: int) -> Integers:
    """Row `c` of `PairCounts.twice_concordant` in one window, shape (k,).

    Only the scores of instances of class `c` are sorted: see the cost of a single window above.
    """
    true, scores = forecasts.true[begin:stop], _scores_of(forecasts, c, begin, stop)
    sorted_scores = np.sort(scores[true == c])
    if len(sorted_scores) == 0:
        return np.zeros(forecasts.scores.shape[1], dtype=np.int64)
    n_below, n_up_to = (np.searchsorted(sorted_scores, scores, side) for side in ("left", "right"))
    twice_higher = 2.0 * (len(sorted_scores) - n_up_to) + (n_up_to - n_below)
    # Sums of integers as float64, which are exact below 2^53.
    twice_concordant = np.bincount(true, twice_higher, forecasts.scores.shape[1])
    twice_concordant[c] = 0  # instances of one class do not form pairs
    return twice_concordant.astype(np.int64)


@kernel
def _count_pairs_of_class(
    true: Codes,
    rank: Codes,
    c: int,
    starts: Integers,
    stops: Integers,
    tree: Codes,
    twice_concordant: Integers,
    out: Integers,
) -> None:
    """Fill ``out[s, c]`` for the windows, whose starts and stops do not decrease.

    `tree` has a Fenwick tree for each true class, in columns. The trees count the predictions in
    the current window by rank. `twice_concordant` is row `c` of `PairCounts.twice_concordant` for
    this window. Both start at 0.
    """
    start = stop = starts[0]
    for s in range(len(stops)):
        # If the windows do not overlap, the predictions between them are skipped.
        for t in range(start, min(stop, starts[s])):
            _add_or_remove(true[t], rank[t], c, -1, tree, twice_concordant)
        for t in range(max(stop, starts[s]), stops[s]):
            _add_or_remove(true[t], rank[t], c, 1, tree, twice_concordant)
        start, stop = starts[s], stops[s]
        for j in range(len(twice_concordant)):
            out[s, c, j] = twice_concordant[j]


@subkernel
def _add_or_remove(
    y: int, rank: int, c: int, sign: int, tree: Codes, twice_concordant: Integers
) -> None:
    """Add a prediction of class `y` to the current window (`sign` 1), or remove it (-1)."""
    if y == c:
        # The two sums count lower scores twice, and equal scores once.
        _add_counts_up_to(rank - 1, sign, tree, twice_concordant)
        _add_counts_up_to(rank, sign, tree, twice_concordant)
        twice_concordant[c] = 0  # instances of one class do not form pairs
    else:
        # Of class c: twice the number with a higher score, plus the number with the same score.
        twice_all = 2 * _count_up_to(tree.shape[0] - 1, c, tree)
        not_higher = _count_up_to(rank, c, tree) + _count_up_to(rank - 1, c, tree)
        twice_concordant[y] += sign * (twice_all - not_higher)
    # Fenwick tree: node i holds the count of the ranks i - (i & -i) + 1 to i.
    node = rank
    while node < tree.shape[0]:
        tree[node, y] += sign
        node += node & -node


@inlined
def _add_counts_up_to(rank: int, sign: int, tree: Codes, counts: Integers) -> None:
    """Add `sign` times the number of predictions of each class up to a rank to `counts`."""
    node = rank
    while node > 0:
        for j in range(len(counts)):
            counts[j] += sign * tree[node, j]
        node -= node & -node


@inlined
def _count_up_to(rank: int, c: int, tree: Codes) -> int:
    """Number of predictions of class `c` up to a rank."""
    node, count = rank, 0
    while node > 0:
        count += tree[node, c]
        node -= node & -node
    return count
