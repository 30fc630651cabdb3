"""The current instance: its values are loaded once, for all models that predict or learn it."""

from __future__ import annotations

from typing import Any

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled import lanes
from streameval.compiled.kernels import inlined
from streameval.compiled.lanes import WIDTH, where
from streameval.learners.bayes.class_statistics import (
    INVERSE_TOTAL,
    NONE,
    TOP,
    TOTAL,
    UNOBSERVED,
    Statistics,
    ValueCounts,
    n_nominal,
    new_record,
    nominal_at,
    observes_all,
    record_of,
    sum_at,
)
from streameval.learners.bayes.engine.terms import SMALLEST_VALUE, update_record
from streameval.learners.bayes.exact import count_value
from streameval.learners.bayes.gaussian_record import BLOCK, HEAD, HIGH, LOW


@inlined
def load_instance(stats: Statistics, row: Floats) -> bool:
    """Load the values of an instance; return whether it is complete.

    It is complete if no value is missing, infinite or next to zero: then logarithms may be added
    up. Where slots observe a choice of attributes, `load_inputs` must follow for each slot that
    predicts or learns.
    """
    complete, at = True, 0
    while at < stats.lane.shape[0]:
        # Many at once if possible; else one by one, and no store overlaps what is loaded next.
        if stats.first != NONE:
            values = lanes.load_where(row, stats.first + at, lanes.load_at(stats.taken, at) > 0.0)
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
def load_inputs(stats: Statistics, slot: int, row: Floats) -> None:
    """Fetch the values of the current instance that a slot observes, if these are not all."""
    if not observes_all(stats):
        for first in range(0, stats.column.shape[1], WIDTH):
            at = slot * stats.column.shape[1] + first
            if stats.chosen.shape[1] <= 4:  # as with the square root of up to 15 attributes
                lanes.store(stats.x, first, lanes.gather_four(row, stats.column, at))
            else:
                lanes.store(stats.x, first, lanes.gather(row, stats.column, at))


@inlined
def learn_instance(
    stats: Statistics, slot: int, y: int, w: float, row: Floats, complete: bool, prior: float
) -> None:
    """Learn the instance that `load_instance` has loaded, with weight `w`.

    `prior` is the weight of its class, this instance included. There must be room for a record.
    """
    record = record_of(stats, slot, y)
    if record == UNOBSERVED:
        record = new_record(stats, slot, y)
    update_record(stats.record, record, stats.blocks, stats.x, w, prior, complete)
    for i in range(n_nominal(stats, slot)):
        j = nominal_at(stats, slot, i)
        value = row[np.uint64(stats.nominal[j])]
        if value == value:
            total_at: Any = np.uint64(sum_at(stats, record, TOTAL, np.int64(j)))
            top_at: Any = np.uint64(sum_at(stats, record, TOP, np.int64(j)))
            inverse_at: Any = np.uint64(sum_at(stats, record, INVERSE_TOTAL, np.int64(j)))
            count_at: Any = np.uint64(record + stats.counts) + stats.place[j]
            counts = ValueCounts(
                stats.record[count_at], stats.record[total_at], stats.record[top_at]
            )
            weight, total, top = count_value(counts, value, w)
            stats.record[count_at] = weight
            stats.record[total_at], stats.record[top_at] = total, top
            stats.record[inverse_at] = 1.0 / (total + top)


@inlined
def observe_extremes(stats: Statistics, slot: int, y: int) -> None:
    """Widen the ranges of a class by the instance just learnt."""
    at = record_of(stats, slot, y) + HEAD
    for block in range(stats.blocks):
        values = lanes.load_at(stats.x, block * WIDTH)
        low, high = lanes.load_at(stats.record, at + LOW), lanes.load_at(stats.record, at + HIGH)
        outside = (abs(values) < np.inf) & ((values < low) | (values > high))
        if not lanes.in_none(outside):  # rarely: most values lie within the range
            lanes.store(stats.record, at + LOW, where(outside & (values < low), values, low))
            lanes.store(stats.record, at + HIGH, where(outside & (values > high), values, high))
        at += BLOCK
