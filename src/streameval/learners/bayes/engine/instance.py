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
    N_VALUES,
    NONE,
    TOTAL,
    UNOBSERVED,
    Statistics,
    ValueCounts,
    n_nominal,
    new_record,
    nominal_at,
    observes_all,
    record_of,
    summary_index,
)
from streameval.learners.bayes.engine.terms import SMALLEST_VALUE, update_record
from streameval.learners.bayes.exact import count_value
from streameval.learners.bayes.gaussian_record import BLOCK, HEAD, HIGH, LOW


@inlined
def load_instance(stats: Statistics, row: Floats) -> bool:
    """Load the values of an instance; return True if it is complete.

    An instance is complete if no value is missing, infinite, or too close to zero (see
    `SMALLEST_VALUE`). Then logarithms may replace densities. If slots observe a choice of
    attributes, `load_inputs` must follow for each slot that predicts or learns.
    """
    complete, lane = True, 0
    while lane < stats.lane_column.shape[0]:
        # Eight columns at once if possible, otherwise one by one.
        if stats.first_column != NONE:
            has_column = lanes.load_at(stats.has_column, lane) > 0.0
            values = lanes.load_where(row, stats.first_column + lane, has_column)
        else:
            values = lanes.gather(row, stats.lane_column, lane)
        lanes.store(stats.x, lane, values)
        size = abs(values)
        complete &= lanes.all_true((size == 0.0) | ((size >= SMALLEST_VALUE) & (size < np.inf)))
        lane += WIDTH
    for j in range(np.uint64(stats.nominal.shape[0])):
        value = row[np.uint64(stats.nominal[j])]
        is_present = value == value  # False for NaN
        # The index of a missing value is not used, but NaN cannot be converted.
        stats.value_index[j] = np.uint64(stats.offset[j] + np.int64(value if is_present else 0.0))
        complete &= is_present
    return complete


@inlined
def load_inputs(stats: Statistics, slot: int, row: Floats) -> None:
    """Load the values of the current instance that a slot observes; nothing if it observes all."""
    if not observes_all(stats):
        for lane in range(0, stats.chosen_column.shape[1], WIDTH):
            place = slot * stats.chosen_column.shape[1] + lane
            if stats.chosen_attribute.shape[1] <= 4:  # four loads are enough
                lanes.store(stats.x, lane, lanes.gather_four(row, stats.chosen_column, place))
            else:
                lanes.store(stats.x, lane, lanes.gather(row, stats.chosen_column, place))


@inlined
def learn_instance(
    stats: Statistics, slot: int, y: int, w: float, row: Floats, complete: bool, prior: float
) -> None:
    """Learn the instance that `load_instance` has loaded, with weight `w`.

    `prior` is the weight of its class, including this instance. There must be room for a record.
    """
    record = record_of(stats, slot, y)
    if record == UNOBSERVED:
        record = new_record(stats, slot, y)
    update_record(stats.record, record, stats.n_blocks, stats.x, w, prior, complete)
    for i in range(n_nominal(stats, slot)):
        j = nominal_at(stats, slot, i)
        value = row[np.uint64(stats.nominal[j])]
        if value == value:
            # Indices in `stats.record`.
            total_at: Any = np.uint64(summary_index(stats, record, TOTAL, np.int64(j)))
            n_values_at: Any = np.uint64(summary_index(stats, record, N_VALUES, np.int64(j)))
            inverse_at: Any = np.uint64(summary_index(stats, record, INVERSE_TOTAL, np.int64(j)))
            count_at: Any = np.uint64(record + stats.counts_start) + stats.value_index[j]
            counts = ValueCounts(
                stats.record[count_at], stats.record[total_at], stats.record[n_values_at]
            )
            weight, total, n_values = count_value(counts, value, w)
            stats.record[count_at] = weight
            stats.record[total_at], stats.record[n_values_at] = total, n_values
            stats.record[inverse_at] = 1.0 / (total + n_values)


@inlined
def observe_extremes(stats: Statistics, slot: int, y: int) -> None:
    """Widen the ranges of a class by the values of the instance just learnt."""
    start = record_of(stats, slot, y) + HEAD
    for block in range(stats.n_blocks):
        values = lanes.load_at(stats.x, block * WIDTH)
        low = lanes.load_at(stats.record, start + LOW)
        high = lanes.load_at(stats.record, start + HIGH)
        is_outside = (abs(values) < np.inf) & ((values < low) | (values > high))
        if not lanes.none_true(is_outside):  # rarely: most values lie within the range
            lanes.store(stats.record, start + LOW, where(is_outside & (values < low), values, low))
            lanes.store(
                stats.record, start + HIGH, where(is_outside & (values > high), values, high)
            )
        start += BLOCK
