"""Streams that come in pieces, so that memory holds one of them at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.streams.stream import SMOOTHING, Schema, Stream, columns_at

#: Bytes of the inputs of a piece: enough that what a piece costs besides its instances is little.
PIECE = 1 << 22
#: Bytes of an instance beside its inputs: its label, event, predictions, and what is counted.
BESIDE = 48


@dataclass(frozen=True)
class StreamPieces:
    """A stream without times that comes in pieces, as often as it is needed.

    `made` returns pieces of so many instances, the last one of fewer; of `rows` in all at least.
    """

    schema: Schema
    rows: int
    made: Callable[[int], Iterable[Stream]]
    name: str = "stream"
    smoothing: float = SMOOTHING

    def __len__(self) -> int:
        return self.rows

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return self.schema.n_classes

    @property
    def unlabelled(self) -> int:
        """Number of instances whose labels are missing: none, as without times all are there."""
        return 0

    @property
    def unlabelled_kind(self) -> str:
        """Why instances have no label: all have one."""
        return ""

    @property
    def unlabelled_text(self) -> str:
        """How many labels are missing, and why, in words: none."""
        return ""

    @property
    def rows_of_piece(self) -> int:
        """How many instances a piece has if nothing else is asked for."""
        return max(1024, PIECE // matrix_bytes(1, self.schema.n_attributes))

    def first(self, rows: int) -> StreamPieces:
        """Return the stream of the first instances; all of a shorter stream."""
        return replace(self, rows=min(rows, self.rows))

    def pieces(self, size: int) -> Iterator[Stream]:
        """Yield the instances in their order, so many at a time."""
        left = self.rows
        for piece in self.made(min(size, self.rows)):
            yield piece if len(piece) <= left else part_of(piece, 0, left)
            left -= len(piece)
            if left <= 0:
                return


def matrix_bytes(rows: int, columns: int) -> int:
    """Return the bytes of a matrix of inputs."""
    return np.dtype(np.float64).itemsize * rows * columns


def evaluation_bytes(rows: int, columns: int) -> int:
    """Return about how many bytes an evaluation in one go takes, with `columns` inputs."""
    return matrix_bytes(rows, columns) + BESIDE * rows


def part_of(stream: Stream, begin: int, end: int) -> Stream:
    """Return the instances of some rows, as views."""
    rows = slice(begin, end)
    return replace(stream, X=stream.X[rows], **columns_at(stream, rows))


def pieces_of(stream: Stream) -> StreamPieces:
    """Return the pieces of a stream that is in memory."""

    def made(size: int) -> Iterator[Stream]:
        return (part_of(stream, at, at + size) for at in range(0, len(stream), size))

    return StreamPieces(stream.schema, len(stream), made, stream.name, stream.smoothing)


Block = tuple[Floats, NDArray[Any]]


def resized(blocks: Iterable[Block], size: int) -> Iterator[Block]:
    """Yield inputs and targets that come in blocks of any sizes in blocks of one size."""
    held: list[Block] = []
    missing = size
    for X, y in blocks:
        at = 0
        while at < len(y):
            part = slice(at, at + missing)
            held.append((X[part], y[part]))
            missing -= len(held[-1][1])
            at = part.stop
            if not missing:
                yield _joined(held)
                held, missing = [], size
    if held:
        yield _joined(held)


def _joined(held: list[Block]) -> Block:
    if len(held) == 1:
        return held[0]
    X, y = map(np.concatenate, zip(*held, strict=True))
    return X, y
