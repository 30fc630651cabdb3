"""Matrices of inputs, which may be larger than the memory.

A matrix that would take more than half of the free memory is a memory-mapped temporary file. The
system loads the parts in use, and frees them when memory is short. The file has no name, so it
disappears however the process ends.
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

#: Number of rows that are copied at a time; with 100 columns, these are 13 MB.
BLOCK_ROWS = 1 << 14
_GIB = 2**30  # bytes
#: Folder for large temporary files if the default folder is in memory.
_ON_DISK = Path("/var/tmp")  # noqa: S108, files in it have no names
#: Kinds of file systems that are in memory.
_IN_MEMORY = ("tmpfs", "ramfs")
#: Error numbers if the disk is full, the quota is used up, or the file is too large.
_NO_SPACE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
#: Error numbers of file systems that do not support reserving space.
_UNSUPPORTED_ERRORS = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS)


class NoRoomError(DataError):
    """A matrix fits neither into the memory nor into the temporary folder."""


class GrowingMatrix:
    """A matrix of doubles whose number of rows may change.

    Parameters
    ----------
    rows, columns : int
        Initial shape.

    Attributes
    ----------
    values : ndarray of float64, shape (n, m), C order
        The matrix; new rows are uninitialised. After a `resize`, read the attribute again: the
        previous array is no longer valid.

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
        else:  # the system allocates memory only for rows that are written
            self.values: Floats = np.empty((rows, columns))

    def resize(self, rows: int) -> None:
        """Change the number of rows; the content of the first rows stays."""
        values = self.values
        if self._file is not None:
            self._map(rows)
        elif rows > len(values) and is_large(matrix_bytes(rows, self._columns), values.nbytes):
            self._map(rows)
            self.values[: len(values)] = values
        else:  # without refcheck: no other array shares this memory yet
            values.resize((rows, self._columns), refcheck=False)

    def _map(self, rows: int) -> None:
        """Extend or shorten the file to `rows` rows, and map it."""
        size = matrix_bytes(rows, self._columns)
        folder = _folder()
        held_bytes = 0 if self._file is None else os.fstat(self._file.fileno()).st_size
        _check_disk(size, folder, held_bytes=held_bytes)
        try:
            if self._file is None:
                file = tempfile.TemporaryFile(prefix="streameval-", dir=folder)  # noqa: SIM115
                self._file = cast(BinaryIO, file)
                weakref.finalize(self, file.close)
            self.values = np.empty((0, self._columns))  # release the map before truncating
            self._file.truncate(size)
            _reserve(self._file, size)
        except OSError as error:
            if error.errno in _NO_SPACE_ERRORS:
                raise _no_room(size, folder) from error
            raise
        mapped = np.memmap(self._file, np.float64, "r+", shape=(rows, self._columns))
        self.values = np.asarray(mapped)  # kernels treat a subclass of arrays as another type


def matrix_bytes(rows: int, columns: int) -> int:
    """Bytes of a matrix of doubles."""
    return np.dtype(np.float64).itemsize * rows * columns


def empty_matrix(rows: int, columns: int) -> Floats:
    """Uninitialised matrix, in memory or mapped; see `GrowingMatrix`."""
    return GrowingMatrix(rows, columns).values


def check_matrix(rows: int, columns: int, subject: str) -> None:
    """Refuse a matrix for which there is no room, before it is allocated.

    The message begins with `subject`.
    """
    size = matrix_bytes(rows, columns)
    if is_large(size):
        _check_disk(size, _folder(), subject)


def is_mapped(matrix: Floats) -> bool:
    """Whether a matrix, or the matrix of which it is a view, is a mapped file."""
    base: Any = matrix
    while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
        base = base.base
    return isinstance(base, np.memmap)


def select_rows(matrix: Floats, rows: NDArray[Any] | slice) -> Floats:
    """Selected rows of a matrix: a view for a slice without steps, otherwise a copy.

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
    for begin in range(0, len(rows), BLOCK_ROWS):
        result[begin : begin + BLOCK_ROWS] = matrix[rows[begin : begin + BLOCK_ROWS]]
    return result


def select_columns(matrix: Floats, columns: Sequence[int]) -> Floats:
    """Copy of some columns of a matrix."""
    result = empty_matrix(len(matrix), len(columns))
    for begin in range(0, len(matrix), BLOCK_ROWS):
        result[begin : begin + BLOCK_ROWS] = matrix[begin : begin + BLOCK_ROWS, columns]
    return result


def each_column(matrix: Floats, indices: Iterable[int] | None = None) -> Iterator[Floats]:
    """Yield columns of a matrix, by default all: views, or copies if the matrix is mapped.

    Reading one column of a mapped matrix reads the whole file. Therefore columns are copied in
    batches that fill half of the free memory.
    """
    remaining = iter(range(matrix.shape[1]) if indices is None else indices)
    if not is_mapped(matrix):
        yield from (matrix[:, column] for column in remaining)
        return
    while batch := [*islice(remaining, max(1, free_bytes() // 2 // matrix_bytes(len(matrix), 1)))]:
        columns = np.empty((len(batch), len(matrix)))
        for begin in range(0, len(matrix), BLOCK_ROWS):
            columns[:, begin : begin + BLOCK_ROWS] = matrix[begin : begin + BLOCK_ROWS, batch].T
        yield from columns


def _check_disk(
    size: int, folder: Path, subject: str = "A matrix of inputs", *, held_bytes: int = 0
) -> None:
    """Refuse a file that the folder has no room for; `held_bytes` are in use already."""
    if size - held_bytes > shutil.disk_usage(folder).free:
        raise _no_room(size, folder, subject)


def _no_room(size: int, folder: Path, subject: str = "A matrix of inputs") -> NoRoomError:
    free = shutil.disk_usage(folder).free
    return NoRoomError(
        f"{subject} needs {size / _GIB:,.1f} GiB, more than half of the {free_bytes() / _GIB:,.1f} "
        f"GiB of memory that are free: expected that much space in the temporary folder {folder}, "
        f"found {free / _GIB:,.1f} GiB. Name a folder on a larger disk (TMPDIR=FOLDER), or use "
        "fewer instances (--rows) or inputs (--drop)."
    )


def _folder() -> Path:
    """Folder for temporary files on a disk: the default folder, unless it is in memory."""
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
    """Whether a folder is in an in-memory file system; False if unknown."""
    try:
        lines = [line.split() for line in mounts.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError):
        return False
    folder, longest, file_system = folder.resolve(), "", ""
    # Of several file systems at a mount point, the last one counts.
    for _, point, kind, *_ in lines:
        if folder.is_relative_to(point) and len(point) >= len(longest):
            longest, file_system = point, kind
    return file_system in _IN_MEMORY


def _reserve(file: BinaryIO, size: int) -> None:
    """Reserve disk space: writing to a mapped file on a full disk would end the process."""
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(file.fileno(), 0, size)
    except OSError as error:
        if error.errno not in _UNSUPPORTED_ERRORS:
            raise
