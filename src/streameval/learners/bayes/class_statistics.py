"""Class-conditional statistics of the attributes.

A *slot* holds the statistics of one Naive Bayes model, or one leaf of a tree. It has a *record* for
each class that it has observed: for each numeric attribute a running Gaussian with the extreme
values, for each nominal attribute counts of the values. Most leaves observe few of many classes.
This is where they are; `exact` says how they are learnt and what they predict.

The slots of a pool observe all attributes, or each a choice of its own, all of one size.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.memory import MODEL_SIZE_ADVICE, check_room
from streameval.compiled import instructions, lanes
from streameval.compiled.kernels import inlined, subkernel
from streameval.compiled.lanes import WIDTH
from streameval.learners.bayes import gaussian_record
from streameval.learners.bayes.gaussian_record import HIGH, LOW, MEAN, SQUARES, WEIGHT
from streameval.streams.stream import Schema

NONE = -1
#: The record of all classes that a slot has not observed; it is never written.
UNOBSERVED = 0
#: What is known of nominal attributes besides the counts: 1/(total + top), which is 0 before the
#: first observation, the sum of the counts, and the highest value seen + 1.
INVERSE_TOTAL, TOTAL, TOP = range(3)
SUMS = 3
#: Places in ``Statistics.used``.
RECORDS, FREE = 0, 1


class Statistics(NamedTuple):
    """Statistics of a pool of slots.

    Shapes: s slots, r records, k classes, q numeric attributes, j nominal attributes, v values of
    all nominal attributes together, m attributes, l lanes for q. A record has the Gaussians of a
    `gaussian_record` with b blocks, then v counts, then SUMS times j numbers.
    Where all are observed, numeric attributes have the lanes of their columns if that takes no
    more blocks, so that they can be loaded together; a nominal one's lane in between stays empty.
    Where slots observe a choice of attributes, each has a lane in its order, and a nominal
    one's stays empty.
    """

    numeric: Integers  # (q,) their columns
    first: int  # the column of lane 0, if the others follow in order, or else NONE
    lane: Codes  # (l,) the column of each lane where all are observed, or NONE
    taken: Floats  # (l,) 1 in a lane with a column, or else 0
    nominal: Integers  # (j,) their columns
    offset: Integers  # (j + 1,) start of each nominal attribute's values
    position: Integers  # (m,) lane of a numeric one, or -1 - place among the nominal
    blocks: int  # b
    counts: int  # where in a record the counts are
    sums: int  # and the sums of nominal attributes
    empty: Floats  # the record of an unobserved class
    start: Integers  # (s, k) where the record of each class begins, or UNOBSERVED
    record: Floats  # flat
    free: Integers  # (r,) stack of records given back
    used: Integers  # (2,) how many records and free ones there are
    chosen: Codes  # (s, a) attributes that a slot observes, ascending; (0, 0): all
    column: Codes  # (s, 8 * b) the column of each lane, or NONE; (0, 0) likewise
    chosen_nominal: Codes  # (s, a) places of the nominal ones, then NONE; likewise
    x: Floats  # numeric values of the current instance
    place: NDArray[np.uint64]  # (j,) places of its nominal values among those of all attributes
    score: Floats  # (k,) scratch of `exact.label`


class Gaussian(NamedTuple):
    """Running Gaussian of a numeric attribute in one class; of eight attributes, in lanes."""

    weight: Any
    mean: Any  # 0 before the first value
    squares: Any  # weighted sum of squared deviations from the mean


class ValueCounts(NamedTuple):
    """Counts of a value of a nominal attribute in one class."""

    weight: float  # of the value
    total: float  # of all values; equal to MOA's sum for weights that float32 can represent
    top: float  # the highest value seen + 1, which MOA uses as the number of values


def make(
    schema: Schema,
    slots: int,
    observed: int | None = None,
    records: int | None = None,
) -> Statistics:
    """Empty statistics with room for `slots` slots.

    Each slot can `choose` `observed` attributes; None means all. There is room for `records`
    records, by default for all classes in each slot.
    """
    n_values = schema.n_values
    numeric, nominal = np.flatnonzero(n_values == 0), np.flatnonzero(n_values > 0)
    q, j, k = len(numeric), len(nominal), max(schema.n_classes, 1)
    room = 1 + (slots * k if records is None else records)
    position = np.zeros(len(n_values), dtype=np.int64)
    first, position[numeric] = _lanes_of(numeric)
    position[nominal] = -1 - np.arange(j)
    offset = np.concatenate(([0], np.cumsum(n_values[nominal]))).astype(np.int64)
    lane = np.full(_blocks_for(q) * WIDTH, NONE, dtype=np.int32)
    lane[position[numeric]] = numeric
    blocks = _blocks_for(q if observed is None else observed)
    chosen = (0, 0) if observed is None else (slots, observed)
    lanes_of_all = (0, 0) if observed is None else (slots, WIDTH * blocks)
    gaussians, values = gaussian_record.empty_record(blocks), int(offset[-1])
    sums = len(gaussians) + values
    empty = np.zeros(WIDTH * _blocks_for(sums + SUMS * j))
    empty[: len(gaussians)] = gaussians
    check_room(
        room * empty.nbytes + 8 * slots * k,
        f"Statistics of {slots:,} leaves, {k:,} classes, {q:,} numeric columns and {values:,} "
        "values of nominal columns",
        MODEL_SIZE_ADVICE,
    )
    record = instructions.aligned_empty(room * len(empty))
    record[: len(empty)] = empty
    return Statistics(
        numeric=numeric.astype(np.int64),
        first=first,
        lane=lane,
        taken=instructions.aligned_copy(np.where(lane == NONE, 0.0, 1.0)),
        nominal=nominal.astype(np.int64),
        offset=offset,
        position=position,
        blocks=blocks,
        counts=len(gaussians),
        sums=sums,
        empty=empty,
        start=np.full((slots, k), UNOBSERVED),
        record=record,
        free=np.zeros(room, dtype=np.int64),
        used=np.array([1, 0]),
        chosen=np.zeros(chosen, dtype=np.int32),
        column=np.full(lanes_of_all, NONE, dtype=np.int32),
        chosen_nominal=np.full(chosen, NONE, dtype=np.int32),
        x=instructions.aligned_copy(np.zeros(max(WIDTH * blocks, len(lane)))),
        place=np.zeros(j, dtype=np.uint64),
        score=np.zeros(k),
    )


def _blocks_for(lanes: int) -> int:
    return -(-lanes // WIDTH)


def _lanes_of(numeric: Integers) -> tuple[int, Integers]:
    """Column of lane 0, or NONE (see ``Statistics.first``), and the lane of each column."""
    q = len(numeric)
    if q > 0 and _blocks_for(int(numeric[-1] - numeric[0]) + 1) == _blocks_for(q):
        return int(numeric[0]), numeric - numeric[0]
    return NONE, np.arange(q)


#: The fields with one entry per slot.
POOLED = ("start", "chosen", "column", "chosen_nominal")


def used_bytes(stats: Statistics, slots: Integers) -> int:
    """Bytes of `slots` and of their records."""
    per_slot = sum(getattr(stats, name).nbytes for name in POOLED) // len(stats.start)
    records = int(np.count_nonzero(stats.start[slots] != UNOBSERVED))
    return len(slots) * per_slot + records * stats.empty.nbytes


def move_slots(
    stats: Statistics, schema: Schema, slots: Integers, room: int, spare: int
) -> Statistics:
    """Copy `slots` to the front of new statistics with `room` for slots.

    The number of free records is that of the records in use plus `spare`.
    """
    observed, length = stats.start[slots] != UNOBSERVED, len(stats.empty)
    records = stats.start[slots][observed] // length
    attributes = stats.chosen.shape[1] if len(stats.chosen) else None
    new = make(schema, room, attributes, 2 * len(records) + spare)
    for name in POOLED:
        if len(field := getattr(stats, name)):
            getattr(new, name)[: len(slots)] = field[slots]
    first, end = length, length * (1 + len(records))
    new.start[: len(slots)][observed] = np.arange(first, end, length)
    new.record[first:end] = stats.record.reshape(-1, length)[records].reshape(-1)
    new.used[RECORDS] = 1 + len(records)
    return new


@inlined
def room_left(stats: Statistics) -> int:
    """Number of further records for which there is room."""
    return stats.free.shape[0] - stats.used[RECORDS] + stats.used[FREE]


@inlined
def observes_all(stats: Statistics) -> bool:
    """True if slots observe all attributes."""
    return stats.chosen.shape[0] == 0


@inlined
def n_observed(stats: Statistics) -> int:
    """Number of attributes that a slot observes."""
    return stats.position.shape[0] if observes_all(stats) else stats.chosen.shape[1]


@inlined
def observed(stats: Statistics, slot: int, i: int) -> tuple[Any, Any]:
    """`i`-th attribute that a slot observes, and its place.

    The place of a numeric attribute is its lane. That of a nominal attribute is -1 - j, where j is
    its number among the nominal attributes.
    """
    attribute = i if observes_all(stats) else np.int64(stats.chosen[slot, i])
    place = stats.position[attribute]
    return attribute, place if place < 0 or observes_all(stats) else i


@inlined
def attribute_place(stats: Statistics, slot: int, attribute: int) -> int:
    """Place of an attribute that a slot observes, see `observed`."""
    place = stats.position[attribute]
    if place < 0 or observes_all(stats):
        return place
    lane = 0
    while stats.chosen[slot, lane] != attribute:
        lane += 1
    return lane


@inlined
def n_nominal(stats: Statistics, slot: int) -> int:
    """Number of nominal attributes that a slot observes."""
    if observes_all(stats) or stats.nominal.shape[0] == 0:
        return stats.nominal.shape[0]
    n = 0
    while n < stats.chosen_nominal.shape[1] and stats.chosen_nominal[slot, n] != NONE:
        n += 1
    return n


@inlined
def nominal_at(stats: Statistics, slot: int, i: int) -> Any:
    """Number, among all nominal attributes, of the `i`-th one that a slot observes."""
    at = np.uint64(i)
    return at if observes_all(stats) else np.uint64(stats.chosen_nominal[slot, at])


@subkernel
def choose(stats: Statistics, slot: int, wanted: Flags) -> None:
    """Set the attributes that a slot observes: all `wanted` (m,), which must fill its room."""
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


@subkernel
def clear(stats: Statistics, slot: int) -> None:
    """Reset the statistics of a slot, and free its records."""
    for c in range(stats.start.shape[1]):
        if stats.start[slot, c] != UNOBSERVED:
            stats.free[stats.used[FREE]] = stats.start[slot, c]
            stats.used[FREE] += 1
            stats.start[slot, c] = UNOBSERVED


@subkernel
def new_record(stats: Statistics, slot: int, c: int) -> int:
    """Add an empty record for a class that a slot has not observed; return where it begins."""
    if stats.used[FREE] > 0:
        stats.used[FREE] -= 1
        record = stats.free[stats.used[FREE]]
    else:
        record = stats.used[RECORDS] * stats.empty.shape[0]
        stats.used[RECORDS] += 1
    stats.start[slot, c] = record
    for i in range(stats.empty.shape[0]):
        stats.record[record + i] = stats.empty[i]
    return record


@inlined
def record_of(stats: Statistics, slot: int, c: int) -> Any:
    """Where the record of a class begins; UNOBSERVED, the place of an empty record, if none."""
    return stats.start[np.uint64(slot), np.uint64(c)]


@inlined
def sum_at(stats: Statistics, record: int, which: int, j: Any) -> Any:
    """Place in ``stats.record`` of INVERSE_TOTAL, TOTAL or TOP of a nominal attribute."""
    return record + stats.sums + which * stats.nominal.shape[0] + j


@inlined
def value_weight(stats: Statistics, record: int, place: Any) -> Any:
    """Weight of a nominal value; `place` is its number among the values of all attributes."""
    return lanes.item(stats.record, record + stats.counts + place)


@inlined
def counts_of(stats: Statistics, slot: int, c: int, j: int, value: int) -> ValueCounts:
    """Counts of a value of nominal attribute `j` in a class."""
    record = record_of(stats, slot, c)
    return ValueCounts(
        value_weight(stats, record, stats.offset[j] + value),
        stats.record[sum_at(stats, record, TOTAL, j)],
        stats.record[sum_at(stats, record, TOP, j)],
    )


@inlined
def gaussian_of(stats: Statistics, slot: int, c: int, place: int) -> Gaussian:
    """Gaussian of a numeric attribute in a class."""
    at = record_of(stats, slot, c) + gaussian_record.offset_of(place)
    return Gaussian(stats.record[at + WEIGHT], stats.record[at + MEAN], stats.record[at + SQUARES])


@inlined
def range_of(stats: Statistics, slot: int, c: int, place: int) -> tuple[float, float]:
    """Smallest and largest value of a numeric attribute in a class."""
    at = record_of(stats, slot, c) + gaussian_record.offset_of(place)
    return stats.record[at + LOW], stats.record[at + HIGH]
