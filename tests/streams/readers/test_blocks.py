"""Texts in blocks, work on them in order, and the matrix of their rows."""

from __future__ import annotations

import io
import itertools

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.base import matrices
from streameval.base.matrices import is_mapped
from streameval.streams.readers import blocks
from streameval.streams.readers.blocks import ColumnMatrix, in_order, split_blocks


@given(st.binary(max_size=40) | st.text("ab\n\r", max_size=40).map(str.encode), st.integers(1, 9))
def test_blocks_end_with_a_line_and_make_up_the_text(text, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", size)
        for parts in ([*blocks.blocks(io.BytesIO(text))], [*split_blocks(text)]):
            assert b"".join(parts) == text
            assert all(block.endswith(b"\n") for block in parts[:-1])
            # Each is as short as whole lines can be.
            assert all(b"\n" not in block[size - 1 : -1] for block in parts)


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("number", [0, 1, 2, 3, 50])
def test_results_come_in_order(monkeypatch, workers, number):
    monkeypatch.setattr(pa, "cpu_count", lambda: workers)
    assert [*in_order(lambda n: n * n, iter(range(number)))] == [n * n for n in range(number)]


def test_no_more_is_taken_than_is_worked_on(monkeypatch):
    monkeypatch.setattr(pa, "cpu_count", lambda: 2)
    taken = []
    results = in_order(abs, (taken.append(n) or n for n in range(100)))
    assert next(results) == 0
    assert len(taken) <= 4


def test_an_error_ends_the_work(monkeypatch):
    monkeypatch.setattr(pa, "cpu_count", lambda: 2)
    with pytest.raises(ZeroDivisionError):
        [*in_order(lambda n: 1 // (n - 7), range(100))]


@pytest.mark.parametrize("n_blocks", [1.0, 2.5, 40.0])
@pytest.mark.parametrize("sizes", [[0], [1], [3, 0, 1], [5, 5, 5, 200, 1], [2] * 60])
@pytest.mark.parametrize("mapped", [False, True])
def test_blocks_make_up_the_columns(sizes, n_blocks, mapped, monkeypatch):
    monkeypatch.setattr(matrices, "is_large", lambda size, held=0: mapped)
    n = sum(sizes)
    expected = np.arange(4.0 * n).reshape(4, n)
    matrix = ColumnMatrix("abcd", {"c"}, n_blocks)
    ends = np.cumsum([0, *sizes])
    for begin, end in itertools.pairwise(ends):
        matrix.add(expected[:, begin:end])
    columns = matrix.columns()
    np.testing.assert_array_equal(columns, expected)
    assert matrix.matrix.shape == (n, 3)
    assert matrix.matrix.flags.c_contiguous
    shared = [np.shares_memory(column, matrix.matrix) for column in columns]
    assert shared == [n > 0, n > 0, False, n > 0]
    assert n == 0 or is_mapped(matrix.matrix) == mapped
