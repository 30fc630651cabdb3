"""Class-conditional statistics of the attributes.

A *slot* holds the statistics of one Naive Bayes model, or one leaf of a tree: for each class and
numeric attribute a running Gaussian with the extreme values, for each class and nominal
attribute counts of the values. The arithmetic of the statistics is MOA's, operation for
operation.

The slots of a pool observe all attributes, or each a choice of its own, all of one size.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.compiled import instructions, lanes
from streameval.compiled.kernels import inlined, part
from streameval.compiled.lanes import WIDTH
from streameval.learners.bayes import gaussian_record
from streameval.learners.bayes.gaussian_record import SMALLEST_VALUE
from streameval.room import MANY, check_room
from streameval.streams.stream import Schema

NONE = -1


class Statistics(NamedTuple):
    """Statistics of a pool of slots.

    Shapes: s slots, k classes, q numeric attributes, j nominal attributes, v values of all
    nominal attributes together, m attributes, l lanes for q; records have b blocks.
    Where all are observed, numeric attributes have the lanes of their columns if that takes no
    more blocks, so that they can be loaded together; a nominal one's lane in between stays empty.
    Where slots observe a choice of attributes, each has a lane in its order, and a nominal
    one's stays empty.
    """

    numeric: NDArray[np.int64]  # (q,) their columns
    first: int  # the column of lane 0, if the others follow in order, or else NONE
    lane: NDArray[np.int32]  # (l,) the column of each lane where all are observed, or NONE
    taken: NDArray[np.float64]  # (l,) 1 in a lane with a column, or else 0
    nominal: NDArray[np.int64]  # (j,) their columns
    offset: NDArray[np.int64]  # (j + 1,) start of each nominal attribute's values
    position: NDArray[np.int64]  # (m,) lane of a numeric one, or -1 - place among the nominal
    blocks: int  # b
    empty: NDArray[np.float64]  # the record of an unseen class
    record: NDArray[np.float64]  # flat; slot * k + class times the length of a record
    counts: NDArray[np.float64]  # (s, k, v)
    total: NDArray[np.float64]  # (s, k, j)
    top: NDArray[np.int64]  # (s, k, j) highest value seen + 1
    inverse_total: NDArray[np.float64]  # (s, k, j) 1/(total + top), 0 before the first observation
    chosen: NDArray[np.int32]  # (s, a) attributes that a slot observes, ascending; (0, 0): all
    column: NDArray[np.int32]  # (s, 8 * b) the column of each lane, or NONE; (0, 0) likewise
    chosen_nominal: NDArray[np.int32]  # (s, a) places of the nominal ones, then NONE; likewise
    x: NDArray[np.float64]  # numeric values of the current instance
    place: NDArray[np.uint64]  # (j,) places of its nominal values among those of all attributes
    score: NDArray[np.float64]  # (k,) scratch of `bayes.label`


def make(schema: Schema, slots: int, observed: int | None = None) -> Statistics:
    """Return empty statistics with room for `slots` slots.

    Each slot can `choose` as many attributes as are `observed`; None stands for all of them.
    """
    n_values = schema.n_values
    numeric, nominal = np.flatnonzero(n_values == 0), np.flatnonzero(n_values > 0)
    q, j, k = len(numeric), len(nominal), max(schema.n_classes, 1)
    position = np.zeros(len(n_values), dtype=np.int64)
    first, position[numeric] = _lanes_of(numeric)
    position[nominal] = -1 - np.arange(j)
    offset = np.concatenate(([0], np.cumsum(n_values[nominal]))).astype(np.int64)
    lane = np.full(_blocks_for(q) * WIDTH, NONE, dtype=np.int32)
    lane[position[numeric]] = numeric
    blocks = _blocks_for(q if observed is None else observed)
    chosen = (0, 0) if observed is None else (slots, observed)
    lanes_of_all = (0, 0) if observed is None else (slots, WIDTH * blocks)
    empty = gaussian_record.empty_record(blocks)
    values = int(offset[-1])
    check_room(
        8 * slots * k * (len(empty) + values + 3 * j),
        f"Statistics of {slots:,} leaves, {k:,} classes, {q:,} numeric columns and {values:,} "
        "values of nominal columns",
        MANY,
    )
    record = instructions.aligned_room(slots * k * len(empty))
    record.reshape(slots * k, len(empty))[:] = empty
    return Statistics(
        numeric=numeric.astype(np.int64),
        first=first,
        lane=lane,
        taken=instructions.aligned(np.where(lane == NONE, 0.0, 1.0)),
        nominal=nominal.astype(np.int64),
        offset=offset,
        position=position,
        blocks=blocks,
        empty=empty,
        record=record,
        counts=np.zeros((slots, k, values)),
        total=np.zeros((slots, k, j)),
        top=np.zeros((slots, k, j), dtype=np.int64),
        inverse_total=np.zeros((slots, k, j)),
        chosen=np.zeros(chosen, dtype=np.int32),
        column=np.full(lanes_of_all, NONE, dtype=np.int32),
        chosen_nominal=np.full(chosen, NONE, dtype=np.int32),
        x=instructions.aligned(np.zeros(max(WIDTH * blocks, len(lane)))),
        place=np.zeros(j, dtype=np.uint64),
        score=np.zeros(k),
    )


def _blocks_for(lanes: int) -> int:
    return -(-lanes // WIDTH)


def _lanes_of(numeric: NDArray[np.int64]) -> tuple[int, NDArray[np.int64]]:
    """Return the column of lane 0, or NONE (see ``Statistics.first``), and the columns' lanes."""
    q = len(numeric)
    if q > 0 and _blocks_for(int(numeric[-1] - numeric[0]) + 1) == _blocks_for(q):
        return int(numeric[0]), numeric - numeric[0]
    return NONE, np.arange(q)


#: The fields of which each slot has its own part.
POOLED = (
    *("record", "counts", "total", "top", "inverse_total"),
    *("chosen", "column", "chosen_nominal"),
)


def slot_bytes(stats: Statistics, slots: int) -> int:
    """Return the bytes that one slot takes of a pool of `slots`."""
    return sum(getattr(stats, name).nbytes for name in POOLED) // slots


def grown(stats: Statistics, schema: Schema, old: int, new: int) -> Statistics:
    """Return the same statistics in a pool of `new` instead of `old` slots."""
    return moved(stats, schema, slice(old), old, new)


def moved(
    stats: Statistics, schema: Schema, slots: NDArray[np.int64] | slice, old: int, new: int
) -> Statistics:
    """Return some slots of a pool of `old`, as the first ones of a pool of `new`."""
    observed = stats.chosen.shape[1] if len(stats.chosen) else None
    other = make(schema, new, observed)
    for name in POOLED:
        kept = getattr(stats, name).reshape(old, -1)[slots]
        getattr(other, name).reshape(new, -1)[: len(kept)] = kept
    return other


@inlined
def observes_all(stats: Statistics) -> bool:
    """Return whether slots observe all attributes."""
    return stats.chosen.shape[0] == 0


@inlined
def n_observed(stats: Statistics) -> int:
    """Return how many attributes a slot observes."""
    return stats.position.shape[0] if observes_all(stats) else stats.chosen.shape[1]


@inlined
def observed(stats: Statistics, slot: int, i: int) -> tuple[Any, Any]:
    """Return the `i`-th attribute that a slot observes, and its place.

    That is the lane of a numeric one, and -1 - the place among the nominal of another.
    """
    attribute = i if observes_all(stats) else np.int64(stats.chosen[slot, i])
    place = stats.position[attribute]
    return attribute, place if place < 0 or observes_all(stats) else i


@inlined
def place_of(stats: Statistics, slot: int, attribute: int) -> int:
    """Return the place of an attribute that a slot observes, see `observed`."""
    place = stats.position[attribute]
    if place < 0 or observes_all(stats):
        return place
    lane = 0
    while stats.chosen[slot, lane] != attribute:
        lane += 1
    return lane


@inlined
def n_nominal(stats: Statistics, slot: int) -> int:
    """Return how many nominal attributes a slot observes."""
    if observes_all(stats) or stats.nominal.shape[0] == 0:
        return stats.nominal.shape[0]
    n = 0
    while n < stats.chosen_nominal.shape[1] and stats.chosen_nominal[slot, n] != NONE:
        n += 1
    return n


@inlined
def nominal_at(stats: Statistics, slot: int, i: int) -> Any:
    """Return the place among the nominal attributes of the `i`-th that a slot observes."""
    at = np.uint64(i)
    return at if observes_all(stats) else np.uint64(stats.chosen_nominal[slot, at])


@part
def choose(stats: Statistics, slot: int, wanted: NDArray[np.bool_]) -> None:
    """Set the attributes that a slot observes: those `wanted` (m,), as many as it has room for."""
    lane, nominals = 0, 0
    stats.column[slot] = stats.chosen_nominal[slot] = NONE
    for attribute in range(wanted.shape[0]):
        if not wanted[attribute]:
            continue
        place = stats.position[attribute]
        stats.chosen[slot, lane] = attribute
        if place >= 0:
            stats.column[slot, lane] = attribute
        else:
            stats.chosen_nominal[slot, nominals] = -1 - place
            nominals += 1
        lane += 1


@part
def clear(stats: Statistics, slot: int) -> None:
    """Reset the statistics of a slot."""
    for c in range(stats.score.shape[0]):
        at = record_of(stats, slot, c)
        for i in range(stats.empty.shape[0]):
            stats.record[at + i] = stats.empty[i]
    stats.counts[slot] = 0.0
    stats.total[slot] = 0.0
    stats.top[slot] = 0
    stats.inverse_total[slot] = 0.0


@inlined
def record_of(stats: Statistics, slot: int, c: int) -> int:
    """Return where a class's record begins."""
    return (slot * stats.score.shape[0] + c) * stats.empty.shape[0]


@inlined
def gaussian_of(stats: Statistics, slot: int, c: int, place: int) -> int:
    """Return where the Gaussian of a numeric attribute is; MEAN, WEIGHT, ... count from there."""
    return record_of(stats, slot, c) + gaussian_record.offset_of(place)


@inlined
def load(stats: Statistics, row: NDArray[np.float64]) -> bool:
    """Load the values of an instance; return whether it is complete.

    It is complete if no value is missing, infinite or next to zero: then logarithms may be added
    up. Where slots observe a choice of attributes, `fetch` must follow for each slot that
    predicts or learns.
    """
    complete, at = True, 0
    while at < stats.lane.shape[0]:
        # Many at once if possible; else one by one, and no store overlaps what is loaded next.
        if stats.first != NONE:
            values = lanes.load_where(row, stats.first + at, lanes.load(stats.taken, at) > 0.0)
        else:
            values = lanes.gather(row, stats.lane, at)
        lanes.store(stats.x, at, values)
        size = abs(values)
        complete &= lanes.in_all((size == 0.0) | ((size >= SMALLEST_VALUE) & (size < np.inf)))
        at += WIDTH
    for j in range(np.uint64(stats.nominal.shape[0])):
        value = row[np.uint64(stats.nominal[j])]
        known = value == value
        stats.place[j] = np.uint64(stats.offset[j] + np.int64(value if known else 0.0))
        complete &= known
    return complete


@inlined
def fetch(stats: Statistics, slot: int, row: NDArray[np.float64]) -> None:
    """Fetch the values of the current instance that a slot observes, if these are not all."""
    if not observes_all(stats):
        for first in range(0, stats.column.shape[1], WIDTH):
            at = slot * stats.column.shape[1] + first
            if stats.chosen.shape[1] <= 4:  # as with the square root of up to 15 attributes
                lanes.store(stats.x, first, lanes.gather_four(row, stats.column, at))
            else:
                lanes.store(stats.x, first, lanes.gather(row, stats.column, at))


@inlined
def observe(
    stats: Statistics,
    slot: int,
    y: int,
    w: float,
    row: NDArray[np.float64],
    complete: bool,
    prior: float,
) -> None:
    """Learn the instance that `load` has loaded, with weight `w`.

    `prior` is the weight of its class, this instance included.
    """
    record = record_of(stats, slot, y)
    gaussian_record.observe(stats.record, record, stats.blocks, stats.x, w, prior, complete)
    s, c = np.uint64(slot), np.uint64(y)
    for i in range(n_nominal(stats, slot)):
        j = nominal_at(stats, slot, i)
        value = row[np.uint64(stats.nominal[j])]
        if value == value:
            v = stats.place[j]
            top = max(stats.top[s, c, j], np.int64(value) + 1)
            total = stats.total[s, c, j] + w
            stats.counts[s, c, v] += w
            stats.total[s, c, j], stats.top[s, c, j] = total, top
            stats.inverse_total[s, c, j] = 1.0 / (total + top)


@inlined
def observe_extremes(stats: Statistics, slot: int, y: int) -> None:
    """Widen the ranges of a class by the instance just learnt."""
    record = record_of(stats, slot, y)
    gaussian_record.observe_extremes(stats.record, record, stats.blocks, stats.x)


@part
def refresh(stats: Statistics, slot: int, prior: NDArray[np.float64]) -> None:
    """Derive stale terms again; `prior` (k,) holds the class weights."""
    for c in range(prior.shape[0]):
        record = record_of(stats, slot, c)
        gaussian_record.derive(stats.record, record, stats.blocks, stats.x, prior[c])
