"""Tapes, and the prequential protocol."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.errors import DataError
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape


@given(n=st.integers(1, 50), pretrain=st.integers(0, 60))
def test_prequential_predicts_each_once_before_learning_it(n, pretrain):
    tape = prequential(n, pretrain)
    assert tape.row.tolist() == list(range(n))
    assert tape.predict_rows.tolist() == list(range(min(pretrain, n), n))
    assert ((tape.op & LEARN) != 0).all()
    assert (tape.weight == 1).all()


def test_predict_rows_follow_the_tape():
    tape = Tape([5, 5, 2, 5], [PREDICT, LEARN, PREDICT_THEN_LEARN, PREDICT], [1, 1, 1, 1])
    assert tape.predict_rows.tolist() == [5, 2, 5]
    assert (tape.row.dtype, tape.op.dtype, tape.weight.dtype) == (np.int32, np.uint8, np.float32)


@pytest.mark.parametrize(
    ("row", "op", "weight", "message"),
    [
        ([0, 1], [1], [1, 1], "2 rows, 1 operations and 2 weights"),
        ([0], [0], [1], "operations must be"),
        ([0], [4], [1], "operations must be"),
    ],
)
def test_contradictions_are_errors(row, op, weight, message):
    with pytest.raises(DataError, match=message):
        Tape(np.array(row), np.array(op), np.array(weight))
