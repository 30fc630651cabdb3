"""Tapes, and the protocols that test on the instances that come next."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import protocols as naive
from naive import wrappers as naive_wrappers

from streameval.base.errors import ConfigError, DataError
from streameval.protocols.prequential import delayed, prequential
from streameval.protocols.tape import (
    LEARN,
    PREDICT,
    Tape,
    insert_test_predictions,
)


@given(n=st.integers(1, 50), pretrain=st.integers(0, 60))
def test_prequential_predicts_each_once_before_learning_it(n, pretrain):
    tape = prequential(n, pretrain)
    assert tape.row.tolist() == list(range(n))
    assert tape.predict_rows.tolist() == list(range(min(pretrain, n), n))
    assert ((tape.op & LEARN) != 0).all()
    assert (tape.weight == 1).all()


@given(n=st.integers(0, 50), delay=st.integers(0, 60))
def test_labels_are_delayed_as_in_the_twin(n, delay):
    tape = delayed(n, delay)
    result = [(row, op) for row, op, _ in naive_wrappers.events(tape)]
    assert result == naive.delayed_in_turn(n, delay)
    assert tape.predict_rows.tolist() == list(range(n))
    assert (tape.weight == 1).all()


def test_labels_that_come_before_their_instance_are_an_error():
    with pytest.raises(ConfigError, match=r"at least 0 instances, found -1\."):
        delayed(10, -1)


@pytest.mark.parametrize("pretrain", [0, 7])
def test_a_long_tape_keeps_its_rows_and_gives_kernels_plain_arrays(pretrain):
    tracemalloc.start()
    tape = prequential(1_000_000, pretrain)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < (4.1e6 if pretrain == 0 else 5.1e6)  # rows of 4 bytes, perhaps operations of 1
    for begin, end in [(0, 0), (0, 1), (5, 9), (999_990, 2_000_000)]:
        result = tape.events(begin, end)
        whole = (tape.row, tape.op, tape.weight)
        for part, values, kind in zip(result, whole, (np.int32, np.uint8, np.float32), strict=True):
            assert part.dtype == kind
            assert part.flags.c_contiguous
            assert part.flags.writeable
            assert part.tolist() == values[begin:end].tolist()


@pytest.mark.parametrize(
    ("row", "op", "weight", "message"),
    [
        ([0, 1], [1], [1, 1], "as many rows as operations and weights, found 2, 1 and 2"),
        ([0], [4], [1], "expected operations 1"),
    ],
)
def test_contradictions_are_errors(row, op, weight, message):
    with pytest.raises(DataError, match=message):
        Tape(np.array(row), np.array(op), np.array(weight))


@given(data=st.data(), n=st.integers(1, 30), size=st.integers(1, 3))
def test_tests_come_before_the_events_of_their_time_as_in_the_twin(data, n, size):
    ops = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    rows = np.flatnonzero(ops)
    tape = Tape(rows, np.array(ops)[rows], np.full(len(rows), 2.0))
    times = sorted(data.draw(st.lists(st.integers(0, n), min_size=1, max_size=6)))
    tested = n + np.arange(len(times) * size).reshape(len(times), size)
    full, is_test = insert_test_predictions(tape, times, tested)
    events = zip(tape.row.tolist(), tape.op.tolist(), strict=True)
    expected = naive.tests_in_between(events, times, tested.tolist())
    assert list(zip(full.row.tolist(), full.op.tolist(), strict=True)) == [
        (row, op) for row, op, _ in expected
    ]
    assert is_test.tolist() == [test for _, op, test in expected if op & PREDICT]
    assert full.predict_rows[is_test].tolist() == tested.ravel().tolist()
    learnt = (full.op & LEARN) != 0
    assert full.weight[learnt].tolist() == tape.weight[(tape.op & LEARN) != 0].tolist()
