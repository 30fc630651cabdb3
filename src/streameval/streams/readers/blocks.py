"""Reading a file block by block: a block is some of its rows, one after the other.

The blocks of a text are read side by side, and the rows of all blocks join one matrix. So memory
holds the matrix and a few blocks, neither the text nor a second copy of its values, and not even
the matrix if it is large; see `streameval.base.matrices`.
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
#: Bytes of a block. What is done with a block stays in the caches of a processor.
BLOCK = 1 << 20
#: A matrix that is too short grows by this part; the memory of its rows moves without a copy.
_GROWTH = 1 / 8


def blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield a text in blocks of about `BLOCK` bytes; each but the last ends in a line feed."""
    while block := file.read(BLOCK):
        yield block if block.endswith(b"\n") else block + file.readline()


def divide(text: bytes) -> Iterator[bytes]:
    """Yield a text that is in memory in such blocks."""
    at = 0
    while at < len(text):
        end = text.find(b"\n", at + BLOCK - 1) + 1 or len(text)
        yield text[at:end]
        at = end


def in_order(work: Callable[[S], T], blocks: Iterable[S]) -> Iterator[T]:
    """Yield the result of each block in their order; threads work on several blocks at once.

    There are as many as pyarrow has; no more blocks are taken than can be worked on soon.
    """
    rest = iter(blocks)
    ahead = [*islice(rest, 2)]
    workers = pa.cpu_count()
    if len(ahead) < 2 or workers < 2:
        yield from map(work, chain(ahead, rest))
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        waiting = deque(pool.submit(work, block) for block in ahead)
        for block in rest:
            waiting.append(pool.submit(work, block))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


class UnclearError(DataError):
    """The meaning of a block cannot be decided without reading the whole file."""


class ColumnMatrix:
    """Columns that are filled block by block: the inputs in one matrix, others `separate`.

    All blocks together are probably `n_blocks` times as long as the first one.
    """

    def __init__(
        self, names: Sequence[str], separate: Collection[str], n_blocks: float = 1.0
    ) -> None:
        self.in_matrix = [j for j, name in enumerate(names) if name not in separate]
        self._matrix = GrowingMatrix(0, len(self.in_matrix))
        self._separate = {j: np.empty(0) for j, name in enumerate(names) if name in separate}
        self._place = {j: k for k, j in enumerate(self.in_matrix)}
        self._n_blocks = max(1.0, n_blocks)
        self._first = self.at = self.rows = 0

    @property
    def matrix(self) -> Floats:
        """The inputs, shape (n, m), in memory or mapped; see `GrowingMatrix`."""
        return self._matrix.values

    def again(self, first: int) -> None:
        """To the first row: the blocks that follow have the columns from this number on."""
        self._first, self.at = first, 0

    def add(self, columns: Sequence[Floats]) -> None:
        """Append the values of a block, by column."""
        n = len(columns[0])
        begin, end = self.at, self.at + n
        self.at, self.rows = end, max(self.rows, end)
        if not begin and not self._first:
            rows = int(n * self._n_blocks * (1 + _GROWTH)) + 1
            self._matrix = GrowingMatrix(rows, len(self.in_matrix))
            self._separate = {j: np.empty(rows) for j in self._separate}
        elif self.rows > len(self.matrix):
            self._resize(max(self.rows, int(len(self.matrix) * (1 + _GROWTH))))
        matrix = self.matrix
        for j, values in enumerate(columns, self._first):
            if j in self._separate:
                self._separate[j][begin:end] = values
            else:
                matrix[begin:end, self._place[j]] = values

    def columns(self) -> list[Floats]:
        """All columns, inputs as views of the matrix; afterwards nothing can be added."""
        self._resize(self.rows)
        pa.default_memory_pool().release_unused()  # what blocks needed, learners may need
        return [
            self._separate[j] if j in self._separate else self.matrix[:, self._place[j]]
            for j in range(len(self._separate) + len(self.in_matrix))
        ]

    def _resize(self, rows: int) -> None:
        self._matrix.resize(rows)
        for values in self._separate.values():  # no other array shares their memory yet
            values.resize(rows, refcheck=False)
