"""Slots are independent of each other, and records are reused."""

from __future__ import annotations

import numpy as np
from helpers import strategies
from test_exact import votes

from streameval.compiled.kernels import kernel
from streameval.learners.bayes import class_statistics
from streameval.learners.bayes.class_statistics import UNOBSERVED
from streameval.streams.stream import Stream


@kernel
def clear(stats, slot):
    class_statistics.clear(stats, slot)


def _three_slots():
    """Stream, and statistics in which each slot has learnt it."""
    schema = strategies.schema(3, [0, 0, 4, 0])
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=(30, 2)), rng.integers(0, 4, 30), rng.normal(size=30)])
    stream = Stream(X, rng.integers(0, 3, 30), schema)
    stats = class_statistics.make(schema, 3)
    for slot in range(3):
        votes(stats, slot, stream, np.ones(30))
    return stream, stats


def _records(stats, slot):
    """Records of a slot, including those of unobserved classes."""
    length = len(stats.empty_record)
    return stats.record.reshape(-1, length)[stats.start[slot] // length]


def test_a_cleared_slot_is_a_new_one_and_its_neighbours_stay():
    stream, stats = _three_slots()
    before, used = [_records(stats, slot).copy() for slot in range(3)], stats.counters.copy()
    clear(stats, 1)
    np.testing.assert_array_equal(_records(stats, 1), np.tile(stats.empty_record, (3, 1)))
    np.testing.assert_array_equal(
        votes(stats, 1, stream, np.ones(30)),
        votes(class_statistics.make(stream.schema, 1), 0, stream, np.ones(30)),
    )
    for slot in range(3):
        np.testing.assert_array_equal(_records(stats, slot), before[slot])
    np.testing.assert_array_equal(stats.counters, used)  # the records that it gave back are in use


def test_a_record_is_made_for_an_observed_class_only():
    stream, stats = _three_slots()
    fresh = class_statistics.make(stream.schema, 2)
    one_class = stream.take(stream.y == 2)
    votes(fresh, 0, one_class, np.ones(len(one_class)))
    assert (fresh.start[0] != UNOBSERVED).tolist() == [False, False, True]
    np.testing.assert_array_equal(fresh.record[: len(fresh.empty_record)], fresh.empty_record)
    observed = class_statistics.used_bytes(fresh, np.array([0]))
    none = class_statistics.used_bytes(fresh, np.array([1]))
    assert observed - none == fresh.empty_record.nbytes
    assert class_statistics.used_bytes(stats, np.arange(3)) == 3 * (none + 3 * (observed - none))


def test_moved_statistics_keep_their_slots():
    stream, stats = _three_slots()
    clear(stats, 0)
    moved = class_statistics.move_slots(stats, stream.schema, np.array([0, 2]), 4, 2)
    np.testing.assert_array_equal(_records(moved, 0), np.tile(stats.empty_record, (3, 1)))
    np.testing.assert_array_equal(_records(moved, 1), _records(stats, 2))
    slots = np.array([0, 2])
    used = class_statistics.used_bytes(stats, slots)
    assert class_statistics.used_bytes(moved, np.arange(2)) == used
    np.testing.assert_array_equal(
        votes(moved, 0, stream, np.ones(30)), votes(stats, 0, stream, np.ones(30))
    )
    np.testing.assert_array_equal(_records(moved, 1), _records(stats, 2))
