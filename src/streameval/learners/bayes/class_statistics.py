"""Class-conditional statistics of the attributes.

A *slot* holds the statistics of one Naive Bayes model, or one leaf of a tree. It has a *record* for
each class that it has observed: for each numeric attribute a running Gaussian with the extreme
values, and for each nominal attribute counts of the values. If there are many classes, most leaves
observe few of them. This module stores the statistics; `exact` says how they are updated and used.

The slots of one `Statistics` form a *pool*. Either all slots of a pool observe all attributes, or
each slot observes its own choice of attributes. All choices have the same size.
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

#: Number of a column, lane, attribute or class that is absent.
NONE = -1
#: Start of the record that stands for all classes that a slot has not observed. It stays empty.
UNOBSERVED = 0
#: A record has a summary of three numbers for each nominal attribute besides the counts:
#: - 1/(TOTAL + N_VALUES), or 0 before the first observation;
#: - the sum of the counts;
#: - the number of values as MOA determines it: 1 + the highest code observed.
INVERSE_TOTAL, TOTAL, N_VALUES = range(3)
SUMMARY_LENGTH = 3
#: Entries of ``Statistics.counters``: numbers of records in use, and of free records.
RECORDS, FREE = 0, 1


class Statistics(NamedTuple):
    """Statistics of a pool of slots.

    Shapes: s slots, r records, k classes, q numeric attributes, j nominal attributes, v values of
    all nominal attributes together, m attributes, l lanes: q rounded up to a multiple of eight. A
    record has the Gaussians of a `gaussian_record` with b blocks, then v counts, then j summaries.

    If all attributes are observed, lanes are in the order of the columns. Nominal columns between
    numeric columns have empty lanes if this takes no more blocks, so that eight columns can be
    loaded at once. If slots observe a choice of attributes, each chosen attribute has a lane, in
    ascending order, and the lanes of nominal attributes stay empty.
    """

    numeric: Integers  # (q,) columns of the numeric attributes
    first_column: int  # lane i has column first_column + i; NONE if `lane_column` is needed
    lane_column: Codes  # (l,) column of each lane if all attributes are observed, or NONE
    has_column: Floats  # (l,) 1 in a lane with a column, otherwise 0
    nominal: Integers  # (j,) columns of the nominal attributes
    offset: Integers  # (j + 1,) number of the first value of each nominal attribute
    position: Integers  # (m,) lane of a numeric attribute; -1 - number of a nominal attribute
    n_blocks: int  # b
    counts_start: int  # place of the counts in a record
    summaries_start: int  # place of the summaries in a record
    empty_record: Floats  # the record of an unobserved class
    start: Integers  # (s, k) start of the record of each class in `record`, or UNOBSERVED
    record: Floats  # all records, one after the other
    free: Integers  # (r,) stack of the starts of free records
    counters: Integers  # (2,) see `RECORDS`
    # The next three are (0, 0) if all attributes are observed; a is the size of a choice.
    chosen_attribute: Codes  # (s, a) attributes that a slot observes, ascending
    chosen_column: Codes  # (s, 8 * b) the column of each lane, or NONE
    chosen_nominal: Codes  # (s, a) numbers of its nominal attributes, then NONE
    x: Floats  # numeric values of the current instance, by lane
    value_index: NDArray[np.uint64]  # (j,) its nominal values, as indices of the v values
    score: Floats  # (k,) scratch for votes, see `exact.label`


class Gaussian(NamedTuple):
    """Running Gaussian of a numeric attribute in one class, or of eight attributes in lanes."""

    weight: Any
    mean: Any  # 0 before the first value
    squares: Any  # weighted sum of squared deviations from the mean


class ValueCounts(NamedTuple):
    """Counts of a value of a nominal attribute in one class."""

    weight: float  # of the value
    total: float  # of all values
    n_values: float  # number of values, see `N_VALUES`


def make(
    schema: Schema,
    slots: int,
    n_observed: int | None = None,
    records: int | None = None,
) -> Statistics:
    """Empty statistics with room for `slots` slots.

    Each slot observes `n_observed` attributes, which `choose_attributes` sets; None means all.
    There is room for `records` records, by default for all classes in each slot.
    """
    n_values = schema.n_values
    numeric, nominal = np.flatnonzero(n_values == 0), np.flatnonzero(n_values > 0)
    q, j, k = len(numeric), len(nominal), max(schema.n_classes, 1)
    n_records = 1 + (slots * k if records is None else records)  # one at UNOBSERVED
    position = np.zeros(len(n_values), dtype=np.int64)
    first_column, position[numeric] = _assign_lanes(numeric)
    position[nominal] = -1 - np.arange(j)
    offset = np.concatenate(([0], np.cumsum(n_values[nominal]))).astype(np.int64)
    lane_column = np.full(_blocks_for(q) * WIDTH, NONE, dtype=np.int32)
    lane_column[position[numeric]] = numeric
    n_blocks = _blocks_for(q if n_observed is None else n_observed)
    shape_of_choices = (0, 0) if n_observed is None else (slots, n_observed)
    shape_of_lanes = (0, 0) if n_observed is None else (slots, WIDTH * n_blocks)
    gaussians, values = gaussian_record.empty_record(n_blocks), int(offset[-1])
    summaries_start = len(gaussians) + values
    # Whole blocks, so that all records are aligned.
    empty = np.zeros(WIDTH * _blocks_for(summaries_start + SUMMARY_LENGTH * j))
    empty[: len(gaussians)] = gaussians
    check_room(
        n_records * empty.nbytes + 8 * slots * k,
        f"Statistics of {slots:,} leaves, {k:,} classes, {q:,} numeric columns and {values:,} "
        "values of nominal columns",
        MODEL_SIZE_ADVICE,
    )
    record = instructions.aligned_empty(n_records * len(empty))
    record[: len(empty)] = empty  # the record at UNOBSERVED
    return Statistics(
        numeric=numeric.astype(np.int64),
        first_column=first_column,
        lane_column=lane_column,
        has_column=instructions.aligned_copy(np.where(lane_column == NONE, 0.0, 1.0)),
        nominal=nominal.astype(np.int64),
        offset=offset,
        position=position,
        n_blocks=n_blocks,
        counts_start=len(gaussians),
        summaries_start=summaries_start,
        empty_record=empty,
        start=np.full((slots, k), UNOBSERVED),
        record=record,
        free=np.zeros(n_records, dtype=np.int64),
        counters=np.array([1, 0]),  # the record at UNOBSERVED is in use
        chosen_attribute=np.zeros(shape_of_choices, dtype=np.int32),
        chosen_column=np.full(shape_of_lanes, NONE, dtype=np.int32),
        chosen_nominal=np.full(shape_of_choices, NONE, dtype=np.int32),
        x=instructions.aligned_copy(np.zeros(max(WIDTH * n_blocks, len(lane_column)))),
        value_index=np.zeros(j, dtype=np.uint64),
        score=np.zeros(k),
    )


def _blocks_for(n_lanes: int) -> int:
    """Number of blocks of eight lanes."""
    return -(-n_lanes // WIDTH)


def _assign_lanes(numeric: Integers) -> tuple[int, Integers]:
    """``Statistics.first_column``, and the lane of each numeric attribute."""
    q = len(numeric)
    n_columns = int(numeric[-1] - numeric[0]) + 1 if q else 0
    if q > 0 and _blocks_for(n_columns) == _blocks_for(q):
        return int(numeric[0]), numeric - numeric[0]
    return NONE, np.arange(q)


#: The fields with one entry per slot.
SLOT_FIELDS = ("start", "chosen_attribute", "chosen_column", "chosen_nominal")


def used_bytes(stats: Statistics, slots: Integers) -> int:
    """Bytes of `slots` and of their records."""
    per_slot = sum(getattr(stats, name).nbytes for name in SLOT_FIELDS) // len(stats.start)
    records = int(np.count_nonzero(stats.start[slots] != UNOBSERVED))
    return len(slots) * per_slot + records * stats.empty_record.nbytes


def move_slots(
    stats: Statistics, schema: Schema, slots: Integers, room: int, spare: int
) -> Statistics:
    """Copy `slots` to the front of new statistics with room for `room` slots.

    There is room for as many new records as are copied, and for `spare` more.
    """
    is_observed, length = stats.start[slots] != UNOBSERVED, len(stats.empty_record)
    records = stats.start[slots][is_observed] // length
    n_observed = stats.chosen_attribute.shape[1] if len(stats.chosen_attribute) else None
    new = make(schema, room, n_observed, 2 * len(records) + spare)
    for name in SLOT_FIELDS:
        if len(field := getattr(stats, name)):
            getattr(new, name)[: len(slots)] = field[slots]
    first, end = length, length * (1 + len(records))  # after the record at UNOBSERVED
    new.start[: len(slots)][is_observed] = np.arange(first, end, length)
    new.record[first:end] = stats.record.reshape(-1, length)[records].reshape(-1)
    new.counters[RECORDS] = 1 + len(records)
    return new


@inlined
def room_left(stats: Statistics) -> int:
    """Number of further records for which there is room."""
    return stats.free.shape[0] - stats.counters[RECORDS] + stats.counters[FREE]


@inlined
def observes_all(stats: Statistics) -> bool:
    """True if slots observe all attributes."""
    return stats.chosen_attribute.shape[0] == 0


@inlined
def n_observed(stats: Statistics) -> int:
    """Number of attributes that a slot observes."""
    return stats.position.shape[0] if observes_all(stats) else stats.chosen_attribute.shape[1]


@inlined
def observed_attribute(stats: Statistics, slot: int, i: int) -> tuple[Any, Any]:
    """`i`-th attribute that a slot observes, and its place.

    The place of a numeric attribute is its lane. The place of nominal attribute number j is -1 - j.
    """
    attribute = i if observes_all(stats) else np.int64(stats.chosen_attribute[slot, i])
    place = stats.position[attribute]
    return attribute, place if place < 0 or observes_all(stats) else i


@inlined
def attribute_place(stats: Statistics, slot: int, attribute: int) -> int:
    """Place of an attribute that a slot observes, see `observed_attribute`."""
    place = stats.position[attribute]
    if place < 0 or observes_all(stats):
        return place
    lane = 0
    while stats.chosen_attribute[slot, lane] != attribute:
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
    """Number of the `i`-th nominal attribute that a slot observes, among all nominal attributes."""
    number = np.uint64(i)
    return number if observes_all(stats) else np.uint64(stats.chosen_nominal[slot, number])


@subkernel
def choose_attributes(stats: Statistics, slot: int, is_chosen: Flags) -> None:
    """Set the attributes that a slot observes, from a mask (m,) of the right number of them."""
    lane, n_chosen_nominal = 0, 0
    stats.chosen_column[slot] = stats.chosen_nominal[slot] = NONE
    for attribute in range(is_chosen.shape[0]):
        if not is_chosen[attribute]:
            continue
        place = stats.position[attribute]
        stats.chosen_attribute[slot, lane] = attribute
        if place >= 0:
            stats.chosen_column[slot, lane] = attribute
        else:
            stats.chosen_nominal[slot, n_chosen_nominal] = -1 - place
            n_chosen_nominal += 1
        lane += 1


@subkernel
def clear(stats: Statistics, slot: int) -> None:
    """Reset the statistics of a slot, and free its records."""
    for c in range(stats.start.shape[1]):
        if stats.start[slot, c] != UNOBSERVED:
            stats.free[stats.counters[FREE]] = stats.start[slot, c]
            stats.counters[FREE] += 1
            stats.start[slot, c] = UNOBSERVED


@subkernel
def new_record(stats: Statistics, slot: int, c: int) -> int:
    """Add an empty record for a class that a slot has not observed; return its start."""
    if stats.counters[FREE] > 0:
        stats.counters[FREE] -= 1
        record = stats.free[stats.counters[FREE]]
    else:
        record = stats.counters[RECORDS] * stats.empty_record.shape[0]
        stats.counters[RECORDS] += 1
    stats.start[slot, c] = record
    for i in range(stats.empty_record.shape[0]):
        stats.record[record + i] = stats.empty_record[i]
    return record


@inlined
def record_of(stats: Statistics, slot: int, c: int) -> Any:
    """Start of the record of a class; UNOBSERVED, where an empty record is, if it has none."""
    return stats.start[np.uint64(slot), np.uint64(c)]


@inlined
def summary_index(stats: Statistics, record: int, which: int, j: Any) -> Any:
    """Index in ``stats.record`` of INVERSE_TOTAL, TOTAL or N_VALUES of a nominal attribute."""
    return record + stats.summaries_start + which * stats.nominal.shape[0] + j


@inlined
def value_weight(stats: Statistics, record: int, index: Any) -> Any:
    """Weight of a nominal value; `index` is its number among the values of all attributes."""
    return lanes.load_item(stats.record, record + stats.counts_start + index)


@inlined
def counts_of(stats: Statistics, slot: int, c: int, j: int, value: int) -> ValueCounts:
    """Counts of a value of nominal attribute `j` in a class."""
    record = record_of(stats, slot, c)
    return ValueCounts(
        value_weight(stats, record, stats.offset[j] + value),
        stats.record[summary_index(stats, record, TOTAL, j)],
        stats.record[summary_index(stats, record, N_VALUES, j)],
    )


@inlined
def gaussian_of(stats: Statistics, slot: int, c: int, place: int) -> Gaussian:
    """Gaussian of a numeric attribute in a class."""
    i = record_of(stats, slot, c) + gaussian_record.offset_of(place)
    return Gaussian(stats.record[i + WEIGHT], stats.record[i + MEAN], stats.record[i + SQUARES])


@inlined
def range_of(stats: Statistics, slot: int, c: int, place: int) -> tuple[float, float]:
    """Smallest and largest value of a numeric attribute in a class."""
    i = record_of(stats, slot, c) + gaussian_record.offset_of(place)
    return stats.record[i + LOW], stats.record[i + HIGH]
