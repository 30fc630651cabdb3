"""The k nearest neighbours in a sliding window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.params import Count
from streameval.compiled import instructions, lanes
from streameval.compiled.instructions import first_one
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.compiled.lanes import WIDTH, Lanes, where
from streameval.learners.kernel_arguments import (
    EventRange,
    Outputs,
    event_at,
    event_numbers,
    write_scores,
)
from streameval.learners.kth_smallest import (
    count_within,
    kth_smallest,
    rounding_lower_bound,
    rounding_upper_bound,
)
from streameval.learners.learner import CompiledLearner
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

#: Largest magnitude of a value such that sums and differences of two values are finite.
LARGEST_REGULAR_VALUE = 1e300


class _State(NamedTuple):
    # The window is a ring of w places, one for each stored instance, in b blocks of eight places.
    # Each of eight lanes computes the distance of one place. NaN marks a missing value or a free
    # place.
    values: Floats  # (b, m, 8) not scaled
    scaled: NDArray[np.float32]  # (b / 2, m, 16) scaled to the ranges, and rounded
    label: Integers  # (w,)
    n_learnt: Integers  # (1,) number of instances learnt so far
    n_irregular: Integers  # (1,) number of values in the window that are not `_is_regular`

    # Ranges of the values in the window; low > high if all are missing. If all values are equal,
    # the width is infinite, so that they scale to 0. Nominal attributes have the range from 0 to 1,
    # which leaves their codes as they are.
    numeric: Flags  # (m,)
    low: Floats  # (m,)
    high: Floats  # (m,)
    width: Floats  # (m,)

    # Scratch for one prediction.
    query: Floats  # (m,) the instance, scaled to the ranges
    missing_distance: Floats  # (m,) distance of the instance from a missing value
    used: Integers  # (m,) numbers of the attributes that may add to a distance, at the front
    distance: Floats  # (b 8,) squared distance of each place, from rounded values
    # Smallest distance of each of 8 g groups of places: a quick bound on the k-th distance.
    group_smallest: Floats  # (g 8,)
    candidate: Integers  # (b 8,) places that may be neighbours
    candidate_distance: Floats  # (b 8 + 8,) their distances, and eight infinite values after them
    smallest: Floats  # (k,) scratch of `kth_smallest`
    votes: Floats  # (classes,)


@dataclass(frozen=True)
class KNN(CompiledLearner):
    """The k nearest neighbours among the last instances, with the predictions of MOA's kNN.

    The distance is Euclidean. Numeric values are scaled by the range of the present window, so the
    scaled values of the instance to predict may lie outside 0 to 1. An attribute that is constant
    in the window has no influence. Two nominal values have the distance 0 or 1. A missing value has
    the largest distance from a present value that the range allows (1 if nominal), and the distance
    1 from another missing value. Each neighbour has one vote. All instances at the k-th smallest
    distance are neighbours, so there may be more than k. Among classes with equally many votes the
    lowest code wins. Before the first instance the prediction is class 0.

    An instance with a positive weight is learnt once, whatever the weight; others are not learnt.
    If an attribute is missing in the whole window, but not in the instance, MOA's distances are
    undefined and the k oldest instances vote. They do so here, too.

    Parameters
    ----------
    k : int
        Number of neighbours that vote.
    window : int
        Number of instances in the window.

    References
    ----------
    Aha, Kibler and Albert (1991), Instance-based learning algorithms;
    Bifet, Holmes, Kirkby, Pfahringer (2010), MOA: Massive Online Analysis.
    """

    k: Count = 10
    window: Annotated[Count, Meta(le=10**8)] = 1000  # bounded, as memory grows with it

    name: ClassVar[str] = "knn"
    reference: ClassVar[str] = (
        "Aha, Kibler and Albert (1991); Bifet, Holmes, Kirkby and Pfahringer (2010)"
    )

    def _start(self, schema: Schema, seed: int) -> _State:
        m, blocks = schema.n_attributes, -(-self.window // WIDTH)
        values = np.full(blocks * m * WIDTH, np.nan)
        pairs = -(-blocks // 2)
        # A float64 has room for two float32: eight per pair of blocks and attribute hold 16.
        scaled = instructions.aligned_empty(pairs * m * WIDTH).view(np.float32)
        scaled[:] = np.nan
        numeric, k = schema.n_values == 0, min(self.k, self.window)
        return _State(
            values=instructions.aligned_copy(values).reshape(blocks, m, WIDTH),
            scaled=scaled.reshape(pairs, m, 2 * WIDTH),
            label=np.zeros(self.window, dtype=np.int64),
            n_learnt=np.zeros(1, dtype=np.int64),
            n_irregular=np.zeros(1, dtype=np.int64),
            numeric=numeric,
            low=np.where(numeric, np.inf, 0.0),
            high=np.where(numeric, -np.inf, 1.0),
            width=np.where(numeric, np.inf, 1.0),
            query=np.zeros(m),
            missing_distance=np.zeros(m),
            used=np.zeros(m, dtype=np.int64),
            distance=instructions.aligned_copy(np.zeros(2 * pairs * WIDTH)),
            group_smallest=instructions.aligned_copy(np.zeros(_group_blocks(k) * WIDTH)),
            candidate=np.zeros(blocks * WIDTH, dtype=np.int64),
            candidate_distance=np.zeros((blocks + 1) * WIDTH),
            smallest=np.zeros(k),
            votes=np.zeros(schema.n_classes),
        )

    def _advance(self, state: Any, events: EventRange, outputs: Outputs) -> tuple[int, int]:
        return _run_events(state, events, outputs)

    def _model_bytes(self, state: Any) -> int:
        return sum(array.nbytes for array in state)


def _group_blocks(k: int) -> int:
    """Smallest power of two g such that the 8 g groups of places are at least k."""
    return 1 << max(0, (k - 1).bit_length() - 3)


# --- The window -------------------------------------------------------------------------


@subkernel
def _learn(state: _State, row: Floats, label: int) -> None:
    """Replace the oldest instance by a new instance."""
    place = np.uint64(state.n_learnt[0] % state.label.shape[0])
    block, lane = place // np.uint64(WIDTH), place % np.uint64(WIDTH)
    is_full = state.n_learnt[0] >= state.label.shape[0]
    for i in range(np.uint64(row.shape[0])):
        dropped = state.values[block, i, lane]
        state.n_irregular[0] += not _is_regular(row[i])
        state.n_irregular[0] -= is_full and not _is_regular(dropped)
        state.values[block, i, lane] = row[i]
        if state.numeric[i] and _update_range(state, i, dropped, row[i]):
            _scale_column(state, i)
        else:
            half = block % np.uint64(2) * np.uint64(WIDTH)  # first lane of the block in its pair
            state.scaled[block // np.uint64(2), i, half + lane] = _scale(state, i, row[i])
    state.label[place] = label
    state.n_learnt[0] += 1


@inlined
def _update_range(state: _State, i: int, dropped: float, learnt: float) -> bool:
    """Update the range of a column in which a value replaced another; return True if it changed."""
    low, high = state.low[i], state.high[i]
    new_low, new_high = min(low, learnt), max(high, learnt)
    if dropped == new_low:
        new_low = _smallest(state.values[:, i], new_low, 1.0)
    if dropped == new_high:
        new_high = -_smallest(state.values[:, i], -new_high, -1.0)
    state.low[i], state.high[i] = new_low, new_high
    state.width[i] = new_high - new_low if new_high > new_low else np.inf
    return bool(new_low != low or new_high != high)


@subkernel
def _smallest(column: Floats, bound: float, sign: float) -> float:
    """Smallest of the values (b, 8), each times `sign`; no value may be smaller than `bound`."""
    smallest = np.inf
    for block in range(np.uint64(column.shape[0])):
        for lane in range(np.uint64(WIDTH)):
            smallest = min(smallest, sign * column[block, lane])  # NaN is never smaller
        if smallest == bound:  # no later value can be smaller
            break
    return smallest


@subkernel
def _scale_column(state: _State, i: int) -> None:
    for block in range(np.uint64(state.values.shape[0])):
        values = lanes.load_at(state.values[block, i], 0)
        half = block % np.uint64(2) * np.uint64(WIDTH)
        scaled = (values - state.low[i]) / state.width[i]
        lanes.store(state.scaled[block // np.uint64(2), i], half, scaled)


@inlined
def _scale(state: _State, i: int, value: float) -> float:
    return (value - state.low[i]) / state.width[i]


@inlined
def _is_regular(value: float) -> bool:
    """True if a value is present, and small enough for finite differences."""
    return abs(value) <= LARGEST_REGULAR_VALUE


# --- The prediction -------------------------------------------------------------------------


@subkernel
def _vote(state: _State, row: Floats) -> None:
    """Write the votes of the neighbours of an instance."""
    n_stored = min(state.n_learnt[0], state.label.shape[0])
    state.votes[:] = 0.0
    if n_stored == 0:
        return
    k = min(n_stored, state.smallest.shape[0])  # parameter k, or fewer while the window fills
    is_defined, is_regular = _scale_query(state, row)
    if not is_defined:
        _let_oldest_vote(state, k)
        return
    is_regular &= state.n_irregular[0] == 0
    m_used = _choose_attributes(state, is_regular)
    # A literal flag lets the compiler remove the branches of the other case.
    if is_regular:
        _measure_distances(state, m_used, n_stored, True)
    else:
        _measure_distances(state, m_used, n_stored, False)
    # The k-th smallest of the groups' smallest distances is an upper bound for the k-th smallest
    # distance. It is close, so few places are candidates.
    m = row.shape[0]
    limit = kth_smallest(state.group_smallest, state.group_smallest.shape[0], k, state.smallest)
    n = _gather_candidates(state, n_stored, rounding_upper_bound(limit, m))
    limit = kth_smallest(state.candidate_distance, n, k, state.smallest)
    if count_within(state.candidate_distance, n, rounding_upper_bound(limit, m)) > k:
        if is_regular:
            limit = _measure_exactly(state, row, n, k, limit, True)
        else:
            limit = _measure_exactly(state, row, n, k, limit, False)
    for number in range(n):
        if state.candidate_distance[number] <= limit:
            state.votes[state.label[state.candidate[number]]] += 1.0


@inlined
def _scale_query(state: _State, row: Floats) -> tuple[bool, bool]:
    """Scale the instance; return whether its distances are defined, and all values regular."""
    is_defined, is_regular = True, True
    for i in range(np.uint64(row.shape[0])):
        value = _scale(state, i, row[i])
        state.query[i], state.missing_distance[i] = value, max(value, 1.0 - value)
        is_regular &= _is_regular(row[i])
        if state.low[i] > state.high[i] and not np.isnan(row[i]):
            is_defined = False
    return is_defined, is_regular


@inlined
def _choose_attributes(state: _State, is_regular: bool) -> int:
    """Write the numbers of the attributes that may add to a distance; return how many they are.

    If all values are regular, a constant attribute adds nothing.
    """
    n = 0
    for i in range(state.used.shape[0]):
        state.used[n] = i
        n += not is_regular or state.width[i] < np.inf
    return n


@inlined
def _measure_distances(state: _State, m_used: int, n_stored: int, is_regular: bool) -> None:
    """Write the distances from the instance, and the smallest distance of each group.

    `is_regular` tells whether all values of the instance and of the window are regular. All values
    of a free place are missing, so its distance is NaN, which `lanes.minimum` skips here, or at
    least the distance of any instance. Free places therefore never lower a group's smallest
    distance.
    """
    state.group_smallest[:] = np.inf
    for pair in range(np.uint64(-(-n_stored // (2 * WIDTH)))):
        first, second = lanes.fill(0.0), lanes.fill(0.0)
        for number in range(np.uint64(m_used)):
            i = np.uint64(state.used[number])
            values = state.scaled[pair, i]
            first += _squared_differences(state, i, lanes.load_at(values, 0), is_regular)
            second += _squared_differences(state, i, lanes.load_at(values, WIDTH), is_regular)
        _store_distances(state, np.uint64(2) * pair, first)
        _store_distances(state, np.uint64(2) * pair + np.uint64(1), second)


@inlined
def _store_distances(state: _State, block: Any, distances: Lanes) -> None:
    """Write the distances of a block, and update the smallest distances of its groups."""
    lanes.store(state.distance, block * np.uint64(WIDTH), distances)
    # The number of blocks of groups is a power of two, so this is the remainder of a division.
    groups = block & np.uint64(state.group_smallest.shape[0] // WIDTH - 1)
    previous = lanes.load_at(state.group_smallest, groups * np.uint64(WIDTH))
    smallest = lanes.minimum(distances, previous)
    lanes.store(state.group_smallest, groups * np.uint64(WIDTH), smallest)


@inlined
def _measure_exactly(
    state: _State, row: Floats, n: int, k: int, limit: float, is_regular: bool
) -> float:
    """Replace rounded distances of candidates by exact distances; return the k-th smallest.

    `limit` is the k-th smallest rounded distance. Only distances close to it are computed: smaller
    distances are set to 0, and larger distances to infinity.
    """
    m = row.shape[0]
    lower, upper = rounding_lower_bound(limit, m), rounding_upper_bound(limit, m)
    smallest, largest, measured_block = np.inf, -np.inf, np.int64(-1)
    for number in range(n):
        rounded, place = state.candidate_distance[number], state.candidate[number]
        if rounded < lower:
            state.candidate_distance[number] = 0.0
        elif rounded > upper:
            state.candidate_distance[number] = np.inf
        else:
            if place // WIDTH != measured_block:
                measured_block = place // WIDTH
                distances = _exact_distances(state, row, np.uint64(measured_block), is_regular)
                lanes.store(state.distance, measured_block * WIDTH, distances)
            distance = state.distance[place]
            smallest, largest = min(smallest, distance), max(largest, distance)
            state.candidate_distance[number] = distance
    if smallest == largest:  # all candidates close to the limit have this distance
        return smallest
    return kth_smallest(state.candidate_distance, n, k, state.smallest)


@inlined
def _exact_distances(state: _State, row: Floats, block: Any, is_regular: bool) -> Lanes:
    """Squared distances of eight neighbours, from the unscaled values."""
    squares = lanes.fill(0.0)
    for i in range(np.uint64(row.shape[0])):
        values = lanes.load_at(state.values[block, i], 0)
        if not is_regular or not lanes.all_true(values == row[i]):  # equal values add nothing
            scaled = (values - state.low[i]) / state.width[i]
            squares += _squared_differences(state, i, scaled, is_regular)
    return squares


@inlined
def _squared_differences(state: _State, i: Any, values: Lanes, is_regular: bool) -> Lanes:
    """Squared differences between eight scaled values and the instance's value."""
    query = state.query[i]
    if not state.numeric[i]:
        difference = where(values == query, lanes.fill(0.0), lanes.fill(1.0))
    elif is_regular:
        difference = values - query
    elif np.isnan(query):  # `values == values` is False for NaN, a missing value
        difference = where(values == values, lanes.maximum(values, 1.0 - values), lanes.fill(1.0))
    else:
        difference = where(values == values, values - query, lanes.fill(state.missing_distance[i]))
    return difference * difference


@inlined
def _gather_candidates(state: _State, n_stored: int, limit: float) -> Any:
    """Write the places whose distance is at most `limit`; return their number."""
    n = np.uint64(0)
    for start in range(np.uint64(0), np.uint64(n_stored), np.uint64(WIDTH)):
        within = lanes.bit_mask(lanes.load_at(state.distance, start) <= limit)
        while within != 0:
            place = start + np.uint64(first_one(within))
            state.candidate[n], state.candidate_distance[n] = place, state.distance[place]
            n += np.uint64(place < np.uint64(n_stored))  # the next place overwrites a free place
            within &= within - 1  # clears the lowest bit that is 1
    lanes.store(state.candidate_distance, n, lanes.fill(np.inf))
    return np.int64(n)


@inlined
def _let_oldest_vote(state: _State, n: int) -> None:
    window = state.label.shape[0]
    oldest = max(state.n_learnt[0] - window, 0)
    for number in range(oldest, oldest + n):
        state.votes[state.label[number % window]] += 1.0


@kernel
def _run_events(state: _State, events: EventRange, outputs: Outputs) -> tuple[int, int]:
    entry = events.entry
    for event in event_numbers(events):
        t, op, w = event_at(events, event)
        if op & PREDICT:
            _vote(state, events.X[t])
            outputs.label[entry] = np.argmax(state.votes)
            if outputs.scores.shape[0] > 0:
                write_scores(state.votes, outputs.label[entry], outputs.scores[entry])
            entry += 1
        if op & LEARN and w > 0.0:
            _learn(state, events.X[t], events.y[t])
    return events.stop, entry
