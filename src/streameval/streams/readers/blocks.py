"""Reading a file block by block: a block is a run of consecutive rows.

The blocks of a text are read in parallel, and their rows are collected in one matrix. So memory
holds the matrix and a few blocks, but neither the text nor a second copy of its values. A large
matrix is mapped to a file; see `streameval.base.matrices`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import BinaryIO, TypeVar

import numpy as np
import pyarrow as pa

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.base.matrices import GrowingMatrix

S = TypeVar("S")
T = TypeVar("T")
#: Bytes of a block, few enough for the caches of a processor.
BLOCK = 1 << 20
#: Proportion by which a matrix grows when it is too short. Growing does not copy its rows.
_GROWTH = 1 / 8


def blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield a text in blocks of about `BLOCK` bytes; each but the last ends in a line feed."""
    while block := file.read(BLOCK):
        yield block if block.endswith(b"\n") else block + file.readline()


def split_blocks(text: bytes) -> Iterator[bytes]:
    """Yield a text in memory in blocks, as `blocks` does for a file."""
    begin = 0
    while begin < len(text):
        end = text.find(b"\n", begin + BLOCK - 1) + 1 or len(text)
        yield text[begin:end]
        begin = end


def in_order(work: Callable[[S], T], blocks: Iterable[S]) -> Iterator[T]:
    """Yield the results of `work` in the order of blocks; threads work on several blocks at once.

    The number of threads is pyarrow's. At most one block more than threads is pending, to limit
    memory.
    """
    rest = iter(blocks)
    first_two = [*islice(rest, 2)]
    workers = pa.cpu_count()
    if len(first_two) < 2 or workers < 2:
        yield from map(work, chain(first_two, rest))
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        waiting = deque(pool.submit(work, block) for block in first_two)
        for block in rest:
            waiting.append(pool.submit(work, block))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


class AmbiguousBlockError(DataError):
    """The meaning of a block cannot be decided without reading the whole file."""


class ColumnMatrix:
    """Columns that are filled block by block: inputs in one matrix, others in their own arrays.

    `separate` has the names of the other columns. `n_blocks` estimates the number of blocks,
    each as long as the first.
    """

    def __init__(
        self, names: Sequence[str], separate: Collection[str], n_blocks: float = 1.0
    ) -> None:
        self.in_matrix = [j for j, name in enumerate(names) if name not in separate]
        self._matrix = GrowingMatrix(0, len(self.in_matrix))
        self._separate = {j: np.empty(0) for j, name in enumerate(names) if name in separate}
        self._matrix_column = {j: k for k, j in enumerate(self.in_matrix)}
        self._n_blocks = max(1.0, n_blocks)
        self._first_column = self.next_row = self.rows = 0

    @property
    def matrix(self) -> Floats:
        """The inputs, shape (n, m), in memory or mapped; see `GrowingMatrix`."""
        return self._matrix.values

    def start_pass(self, first_column: int) -> None:
        """Go back to the first row: the next blocks have the columns from `first_column` on."""
        self._first_column, self.next_row = first_column, 0

    def add(self, columns: Sequence[Floats]) -> None:
        """Append a block, given by its columns."""
        n = len(columns[0])
        begin, end = self.next_row, self.next_row + n
        self.next_row, self.rows = end, max(self.rows, end)
        if begin == 0 and self._first_column == 0:  # the first block: estimate the size
            rows = int(n * self._n_blocks * (1 + _GROWTH)) + 1
            self._matrix = GrowingMatrix(rows, len(self.in_matrix))
            self._separate = {j: np.empty(rows) for j in self._separate}
        elif self.rows > len(self.matrix):
            self._resize(max(self.rows, int(len(self.matrix) * (1 + _GROWTH))))
        matrix = self.matrix
        for j, values in enumerate(columns, self._first_column):
            if j in self._separate:
                self._separate[j][begin:end] = values
            else:
                matrix[begin:end, self._matrix_column[j]] = values

    def columns(self) -> list[Floats]:
        """All columns, inputs as views of the matrix; no block can be added afterwards."""
        self._resize(self.rows)
        pa.default_memory_pool().release_unused()  # memory of blocks, which learners may need
        return [
            self._separate[j] if j in self._separate else self.matrix[:, self._matrix_column[j]]
            for j in range(len(self._separate) + len(self.in_matrix))
        ]

    def _resize(self, rows: int) -> None:
        self._matrix.resize(rows)
        for values in self._separate.values():  # no other array shares their memory yet
            values.resize(rows, refcheck=False)
