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
from streameval.learners.kth_smallest import (
    before_rounding,
    beyond_rounding,
    count_within,
    kth_smallest,
)
from streameval.learners.learner import CompiledLearner
from streameval.learners.stretch import Outputs, Stretch, event_at, events_of, write_scores
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

#: Differences of numbers up to that are finite.
LARGEST = 1e300


class _State(NamedTuple):
    # The window is a ring of w places, in b blocks of eight neighbours side by side: each
    # lane adds the attributes of one neighbour in their order. NaN is missing, or a free place.
    values: Floats  # (b, m, 8) as they came
    normal: NDArray[np.float32]  # (b / 2, m, 16) scaled to the ranges, and rounded
    label: Integers  # (w,)
    learnt: Integers  # (1,) instances so far
    odd: Integers  # (1,) values in the window that are not `_is_plain`

    # Ranges of the values in the window: low > high where there are none. The width of a point
    # is infinite, so that all its values scale to 0. Codes of nominal values are left as they
    # are: 0 and 1 for ever.
    numeric: Flags  # (m,)
    low: Floats  # (m,)
    high: Floats  # (m,)
    width: Floats  # (m,)

    # Scratch for one prediction.
    query: Floats  # (m,) the instance, scaled to the ranges
    alone: Floats  # (m,) its distance from a missing value
    counted: Integers  # (m,) attributes that may add to a distance come first
    distance: Floats  # (b 8,) squared, of each place with its values rounded
    least: Floats  # (g 8,) the smallest distances of as many groups of places
    near: Integers  # (b 8,) places that may be neighbours
    near_distance: Floats  # (b 8 + 8,)
    nearest: Floats  # (k,) scratch: the smallest distances, in order
    votes: Floats  # (classes,)


@dataclass(frozen=True)
class KNN(CompiledLearner):
    """The k nearest neighbours among the last instances, with the predictions of MOA's kNN.

    The distance is Euclidean. Numeric values are scaled to the range that they have in the
    window now, so those of the instance to predict may lie outside 0 to 1; an attribute that
    is constant there has no influence. Nominal values are 0 or 1 apart. A missing value is as
    far from a present one as that could be within the range (1 if nominal), and 1 from
    another missing one. Each neighbour has one vote, and all at the k-th smallest distance
    are neighbours: there may be more than k. Among equal classes the lowest code wins;
    before the first instance the prediction is class 0.

    An instance is learnt once if its weight is positive, however large, and otherwise not at all.
    Where the instance has a number and all instances of the window lack it, MOA's distances are
    undefined and the k oldest instances vote, as they do here.

    Parameters
    ----------
    k : int
        Neighbours that vote.
    window : int
        Number of instances in the window.

    References
    ----------
    Aha, Kibler and Albert (1991), Instance-based learning algorithms;
    Bifet, Holmes, Kirkby, Pfahringer (2010), MOA: Massive Online Analysis.
    """

    k: Count = 10
    window: Annotated[Count, Meta(le=10**8)] = 1000

    name: ClassVar[str] = "knn"
    reference: ClassVar[str] = (
        "Aha, Kibler and Albert (1991); Bifet, Holmes, Kirkby and Pfahringer (2010)"
    )

    def _start(self, schema: Schema, seed: int) -> _State:
        m, blocks = schema.n_attributes, -(-self.window // WIDTH)
        nothing = np.full(blocks * m * WIDTH, np.nan)
        pairs = -(-blocks // 2)
        rounded = instructions.aligned_empty(pairs * m * WIDTH).view(np.float32)
        rounded[:] = np.nan
        numeric, k = schema.n_values == 0, min(self.k, self.window)
        return _State(
            values=instructions.aligned_copy(nothing).reshape(blocks, m, WIDTH),
            normal=rounded.reshape(pairs, m, 2 * WIDTH),
            label=np.zeros(self.window, dtype=np.int64),
            learnt=np.zeros(1, dtype=np.int64),
            odd=np.zeros(1, dtype=np.int64),
            numeric=numeric,
            low=np.where(numeric, np.inf, 0.0),
            high=np.where(numeric, -np.inf, 1.0),
            width=np.where(numeric, np.inf, 1.0),
            query=np.zeros(m),
            alone=np.zeros(m),
            counted=np.zeros(m, dtype=np.int64),
            distance=instructions.aligned_copy(np.zeros(2 * pairs * WIDTH)),
            least=instructions.aligned_copy(np.zeros(_groups(k) * WIDTH)),
            near=np.zeros(blocks * WIDTH, dtype=np.int64),
            near_distance=np.zeros((blocks + 1) * WIDTH),
            nearest=np.zeros(k),
            votes=np.zeros(schema.n_classes),
        )

    def _advance(self, state: Any, stretch: Stretch, outputs: Outputs) -> tuple[int, int]:
        return _run_events(state, stretch, outputs)

    def _model_bytes(self, state: Any) -> int:
        return sum(array.nbytes for array in state)


def _groups(k: int) -> int:
    """Smallest power of two p with 8 p >= k."""
    return 1 << max(0, (k - 1).bit_length() - 3)


# --- The window -------------------------------------------------------------------------


@subkernel
def _learn(state: _State, row: Floats, label: int) -> None:
    """Replace the oldest instance by a new one."""
    place = np.uint64(state.learnt[0] % state.label.shape[0])
    block, lane = place // np.uint64(WIDTH), place % np.uint64(WIDTH)
    is_full = state.learnt[0] >= state.label.shape[0]
    for i in range(np.uint64(row.shape[0])):
        dropped = state.values[block, i, lane]
        state.odd[0] += not _is_plain(row[i])
        state.odd[0] -= is_full and not _is_plain(dropped)
        state.values[block, i, lane] = row[i]
        if state.numeric[i] and _renew_range(state, i, dropped, row[i]):
            _scale_column(state, i)
        else:
            half = block % np.uint64(2) * np.uint64(WIDTH)
            state.normal[block // np.uint64(2), i, half + lane] = _scaled(state, i, row[i])
    state.label[place] = label
    state.learnt[0] += 1


@inlined
def _renew_range(state: _State, i: int, dropped: float, learnt: float) -> bool:
    """Update the range of a column where a value replaced another; return whether it changed."""
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
    """Smallest of the values (b, 8), times a sign; none is below `bound`."""
    smallest = np.inf
    for block in range(np.uint64(column.shape[0])):
        for lane in range(np.uint64(WIDTH)):
            smallest = min(smallest, sign * column[block, lane])
        if smallest == bound:
            break
    return smallest


@subkernel
def _scale_column(state: _State, i: int) -> None:
    for block in range(np.uint64(state.values.shape[0])):
        values = lanes.load_at(state.values[block, i], 0)
        half = block % np.uint64(2) * np.uint64(WIDTH)
        scaled = (values - state.low[i]) / state.width[i]
        lanes.store(state.normal[block // np.uint64(2), i], half, scaled)


@inlined
def _scaled(state: _State, i: int, value: float) -> float:
    return (value - state.low[i]) / state.width[i]


@inlined
def _is_plain(value: float) -> bool:
    """True if a value is present and so small that differences are finite."""
    return abs(value) <= LARGEST


# --- The prediction -------------------------------------------------------------------------


@subkernel
def _vote(state: _State, row: Floats) -> None:
    """Write the votes of the neighbours of an instance."""
    held = min(state.learnt[0], state.label.shape[0])
    state.votes[:] = 0.0
    if held == 0:
        return
    defined, plain = _scale_query(state, row)
    if not defined:
        _let_oldest_vote(state, min(held, state.nearest.shape[0]))
        return
    plain &= state.odd[0] == 0
    m_counted = _choose_counted(state, plain)
    if plain:
        _measure(state, m_counted, held, True)
    else:
        _measure(state, m_counted, held, False)
    # The k-th of the groups' smallest distances is a limit for the k-th of all, and a close one:
    # few places remain to be examined.
    k, m = min(held, state.nearest.shape[0]), row.shape[0]
    limit = kth_smallest(state.least, state.least.shape[0], k, state.nearest)
    n = _gather(state, held, beyond_rounding(limit, m))
    limit = kth_smallest(state.near_distance, n, k, state.nearest)
    if count_within(state.near_distance, n, beyond_rounding(limit, m)) > k:
        if plain:
            limit = _settle(state, row, n, k, limit, True)
        else:
            limit = _settle(state, row, n, k, limit, False)
    for number in range(n):
        if state.near_distance[number] <= limit:
            state.votes[state.label[state.near[number]]] += 1.0


@inlined
def _scale_query(state: _State, row: Floats) -> tuple[bool, bool]:
    """Scale the instance; return whether its distances are defined, and all values plain."""
    defined, plain = True, True
    for i in range(np.uint64(row.shape[0])):
        value = _scaled(state, i, row[i])
        state.query[i], state.alone[i] = value, max(value, 1.0 - value)
        plain &= _is_plain(row[i])
        if state.low[i] > state.high[i] and not np.isnan(row[i]):
            defined = False
    return defined, plain


@inlined
def _choose_counted(state: _State, plain: bool) -> int:
    """Write the attributes that may add to a distance; return how many.

    Where all values are plain, a constant adds nothing.
    """
    n = 0
    for i in range(state.counted.shape[0]):
        state.counted[n] = i
        n += not plain or state.width[i] < np.inf
    return n


@inlined
def _measure(state: _State, m_counted: int, held: int, plain: bool) -> None:
    """Write the distances from the instance, and the smallest of each group.

    The blocks take turns in the groups. `plain` tells whether all values of the instance and of
    the window are. Free places hold missing values only: either their distances are missing too, or
    they are as far as any instance. They make no group's distance smaller than it may be.
    """
    state.least[:] = np.inf
    for pair in range(np.uint64(-(-held // (2 * WIDTH)))):
        distance, other = lanes.fill(0.0), lanes.fill(0.0)
        for number in range(np.uint64(m_counted)):
            i = np.uint64(state.counted[number])
            values = state.normal[pair, i]
            distance += _squared(state, i, lanes.load_at(values, 0), plain)
            other += _squared(state, i, lanes.load_at(values, WIDTH), plain)
        _note(state, np.uint64(2) * pair, distance)
        _note(state, np.uint64(2) * pair + np.uint64(1), other)


@inlined
def _note(state: _State, block: Any, distances: Lanes) -> None:
    """Write the distances of a block, and renew the smallest of its group."""
    lanes.store(state.distance, block * np.uint64(WIDTH), distances)
    group = block & np.uint64(state.least.shape[0] // WIDTH - 1)
    least = lanes.minimum(distances, lanes.load_at(state.least, group * np.uint64(WIDTH)))
    lanes.store(state.least, group * np.uint64(WIDTH), least)


@inlined
def _settle(state: _State, row: Floats, n: int, k: int, limit: float, plain: bool) -> float:
    """Replace near distances without any rounding where it matters; return the k-th smallest.

    `limit` is the k-th smallest rounded one. Distances well below it are set to 0, and well above
    it to infinity.
    """
    m = row.shape[0]
    below, above = before_rounding(limit, m), beyond_rounding(limit, m)
    low, high, measured = np.inf, -np.inf, np.int64(-1)
    for number in range(n):
        rounded, place = state.near_distance[number], state.near[number]
        if rounded < below:
            state.near_distance[number] = 0.0
        elif rounded > above:
            state.near_distance[number] = np.inf
        else:
            if place // WIDTH != measured:
                measured = place // WIDTH
                distances = _distances(state, row, np.uint64(measured), plain)
                lanes.store(state.distance, measured * WIDTH, distances)
            distance = state.distance[place]
            low, high = min(low, distance), max(high, distance)
            state.near_distance[number] = distance
    return low if low == high else kth_smallest(state.near_distance, n, k, state.nearest)


@inlined
def _distances(state: _State, row: Floats, block: Any, plain: bool) -> Lanes:
    """Squared distances of eight neighbours, from the unscaled values."""
    squares = lanes.fill(0.0)
    for i in range(np.uint64(row.shape[0])):
        values = lanes.load_at(state.values[block, i], 0)
        if not plain or not lanes.in_all(values == row[i]):  # equal ones add nothing
            squares += _squared(state, i, (values - state.low[i]) / state.width[i], plain)
    return squares


@inlined
def _squared(state: _State, i: Any, values: Lanes, plain: bool) -> Lanes:
    """Squared differences of eight scaled values from that of the instance."""
    query = state.query[i]
    if not state.numeric[i]:
        apart = where(values == query, lanes.fill(0.0), lanes.fill(1.0))
    elif plain:
        apart = values - query
    elif np.isnan(query):
        apart = where(values == values, lanes.maximum(values, 1.0 - values), lanes.fill(1.0))
    else:
        apart = where(values == values, values - query, lanes.fill(state.alone[i]))
    return apart * apart


@inlined
def _gather(state: _State, held: int, limit: float) -> Any:
    """Write the places within a limit, and their distances; return how many there are."""
    n = np.uint64(0)
    for start in range(np.uint64(0), np.uint64(held), np.uint64(WIDTH)):
        within = lanes.bits(lanes.load_at(state.distance, start) <= limit)
        while within != 0:
            place = start + np.uint64(first_one(within))
            state.near[n], state.near_distance[n] = place, state.distance[place]
            n += np.uint64(place < np.uint64(held))
            within &= within - 1
    lanes.store(state.near_distance, n, lanes.fill(np.inf))
    return np.int64(n)


@inlined
def _let_oldest_vote(state: _State, n: int) -> None:
    window = state.label.shape[0]
    oldest = max(state.learnt[0] - window, 0)
    for number in range(oldest, oldest + n):
        state.votes[state.label[number % window]] += 1.0


@kernel
def _run_events(state: _State, stretch: Stretch, outputs: Outputs) -> tuple[int, int]:
    entry = stretch.entry
    for event in events_of(stretch):
        t, op, w = event_at(stretch, event)
        if op & PREDICT:
            _vote(state, stretch.X[t])
            outputs.label[entry] = np.argmax(state.votes)
            if outputs.scores.shape[0] > 0:
                write_scores(state.votes, outputs.label[entry], outputs.scores[entry])
            entry += 1
        if op & LEARN and w > 0.0:
            _learn(state, stretch.X[t], stretch.y[t])
    return stretch.stop, entry
