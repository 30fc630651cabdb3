"""Matrices of inputs, which may be larger than the memory.

A matrix that would take more than half of the free memory is a temporary file that is mapped: the
system holds the parts in use in memory, and frees them when memory is short. The file has no name,
so nothing of it is left, however the process ends.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.base.memory import free_bytes, is_large

#: Rows that are copied at a time.
ROWS = 1 << 14
_GIB = 2**30
#: Folder for large temporary files where the usual one is in memory.
_ON_DISK = Path("/var/tmp")  # noqa: S108, files in it have no names
#: Kinds of file systems that are in memory.
_IN_MEMORY = ("tmpfs", "ramfs")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
#: Errors of file systems that cannot reserve room.
_UNABLE = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS)


class NoRoomError(DataError):
    """A matrix fits neither into the memory nor into the temporary folder."""


class GrowingMatrix:
    """A matrix of doubles whose number of rows may change.

    Parameters
    ----------
    rows, columns : int
        Its first shape.

    Attributes
    ----------
    values : ndarray of float64, shape (n, m), C order
        The matrix; new rows have any content. Each change replaces it.

    Raises
    ------
    NoRoomError
        If neither the memory nor the temporary folder has room.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self._columns = columns
        self._file: BinaryIO | None = None
        if rows and is_large(matrix_bytes(rows, columns)):
            self._map(rows)
        else:  # what is never written to takes no memory
            self.values: Floats = np.empty((rows, columns))

    def resize(self, rows: int) -> None:
        """Change the number of rows; the first ones stay."""
        values = self.values
        if self._file is not None:
            self._map(rows)
        elif rows > len(values) and is_large(matrix_bytes(rows, self._columns), values.nbytes):
            self._map(rows)
            self.values[: len(values)] = values
        else:  # no other array shares this memory yet
            values.resize((rows, self._columns), refcheck=False)

    def _map(self, rows: int) -> None:
        """Make the file as large as so many rows, and map it."""
        size = matrix_bytes(rows, self._columns)
        folder = _folder()
        held = 0 if self._file is None else os.fstat(self._file.fileno()).st_size
        _check_disk(size, folder, held=held)
        try:
            if self._file is None:
                file = tempfile.TemporaryFile(prefix="streameval-", dir=folder)  # noqa: SIM115
                self._file = cast(BinaryIO, file)
                weakref.finalize(self, file.close)
            self.values = np.empty((0, self._columns))  # a file in use must not get shorter
            self._file.truncate(size)
            _reserve(self._file, size)
        except OSError as error:
            if error.errno in _FULL:
                raise _no_room(size, folder) from error
            raise
        mapped = np.memmap(self._file, np.float64, "r+", shape=(rows, self._columns))
        self.values = np.asarray(mapped)  # kernels take a subclass of arrays for another type


def matrix_bytes(rows: int, columns: int) -> int:
    """Return the bytes of a matrix of doubles."""
    return np.dtype(np.float64).itemsize * rows * columns


def empty_matrix(rows: int, columns: int) -> Floats:
    """Return a matrix of any content, in memory or mapped; see `GrowingMatrix`."""
    return GrowingMatrix(rows, columns).values


def check_matrix(rows: int, columns: int, what: str) -> None:
    """Refuse a matrix for which there is no room, before any work.

    `what` is the subject of the message.
    """
    size = matrix_bytes(rows, columns)
    if is_large(size):
        _check_disk(size, _folder(), what)


def is_mapped(matrix: Floats) -> bool:
    """Return whether a matrix, or what it is a part of, is a mapped file."""
    base: Any = matrix
    while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
        base = base.base
    return isinstance(base, np.memmap)


def rows_of(matrix: Floats, rows: NDArray[Any] | slice) -> Floats:
    """Return some rows of a matrix, a view for a slice without steps.

    Parameters
    ----------
    matrix : ndarray of float64, shape (n, m)
    rows : ndarray of int, or slice
        A row may occur more than once.
    """
    if isinstance(rows, slice):
        if rows.step in (None, 1):
            return matrix[rows]
        rows = np.arange(len(matrix))[rows]
    result = empty_matrix(len(rows), matrix.shape[1])
    for begin in range(0, len(rows), ROWS):
        result[begin : begin + ROWS] = matrix[rows[begin : begin + ROWS]]
    return result


def select_columns(matrix: Floats, places: Sequence[int]) -> Floats:
    """Return a matrix of some columns of another one."""
    result = empty_matrix(len(matrix), len(places))
    for begin in range(0, len(matrix), ROWS):
        result[begin : begin + ROWS] = matrix[begin : begin + ROWS, places]
    return result


def each_column(matrix: Floats, places: Iterable[int] | None = None) -> Iterator[Floats]:
    """Yield columns of a matrix, by default all: views, or copies if it is mapped.

    Each column of a mapped matrix reads the whole file. So as many columns as half of the free
    memory holds are copied at a time.
    """
    left = iter(range(matrix.shape[1]) if places is None else places)
    if not is_mapped(matrix):
        yield from (matrix[:, place] for place in left)
        return
    while batch := [*islice(left, max(1, free_bytes() // 2 // matrix_bytes(len(matrix), 1)))]:
        columns = np.empty((len(batch), len(matrix)))
        for begin in range(0, len(matrix), ROWS):
            columns[:, begin : begin + ROWS] = matrix[begin : begin + ROWS, batch].T
        yield from columns


def _check_disk(
    size: int, folder: Path, what: str = "A matrix of inputs", *, held: int = 0
) -> None:
    """Refuse a temporary file for which the folder has no room beyond the `held` bytes."""
    if size - held > shutil.disk_usage(folder).free:
        raise _no_room(size, folder, what)


def _no_room(size: int, folder: Path, what: str = "A matrix of inputs") -> NoRoomError:
    free = shutil.disk_usage(folder).free
    return NoRoomError(
        f"{what} needs {size / _GIB:,.1f} GiB, more than half of the {free_bytes() / _GIB:,.1f} "
        f"GiB of memory that are free: expected so much room in the temporary folder {folder}, "
        f"found {free / _GIB:,.1f} GiB. Name a folder on a larger disk (TMPDIR=FOLDER), or use "
        "fewer instances (--rows) or inputs (--drop)."
    )


def _folder() -> Path:
    """Return the temporary folder, or another one if that is in memory."""
    folder = Path(tempfile.gettempdir())
    if not _is_in_memory(folder):
        return folder
    if os.access(_ON_DISK, os.W_OK) and not _is_in_memory(_ON_DISK):
        return _ON_DISK
    raise NoRoomError(
        f"A matrix of inputs is larger than half of the {free_bytes() / _GIB:,.1f} GiB of memory "
        f"that are free: expected a temporary folder on a disk, found {folder}, which is in "
        "memory. Name one on a disk (TMPDIR=FOLDER)."
    )


def _is_in_memory(folder: Path, mounts: Path = Path("/proc/self/mounts")) -> bool:
    """Return whether a folder is in a file system in memory; False if unknown."""
    try:
        lines = [line.split() for line in mounts.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError):
        return False
    folder, place, kind = folder.resolve(), "", ""
    for _, point, of_point, *_ in lines:  # of two at one place, the later one counts
        if folder.is_relative_to(point) and len(point) >= len(place):
            place, kind = point, of_point
    return kind in _IN_MEMORY


def _reserve(file: BinaryIO, size: int) -> None:
    """Reserve room for a file: a write into a map for which there is none ends the process."""
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(file.fileno(), 0, size)
    except OSError as error:
        if error.errno not in _UNABLE:
            raise
