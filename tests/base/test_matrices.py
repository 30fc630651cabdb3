"""Matrices in memory, and mapped matrices that are larger than the free memory."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import numpy as np
import pytest

from streameval.base import matrices, memory
from streameval.base.errors import DataError
from streameval.base.matrices import (
    GrowingMatrix,
    check_matrix,
    each_column,
    empty_matrix,
    is_mapped,
    select_rows,
)

#: Bytes of a matrix that is as large as half of the free memory, in these tests.
HALF = 2**26
COLUMNS = 1024


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """Temporary folder of a machine with 128 MiB of free memory."""
    monkeypatch.setattr(memory, "free_bytes", lambda: 2 * HALF)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def always_mapped(monkeypatch, tmp_path):
    monkeypatch.setattr(matrices, "is_large", lambda size, held=0: True)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_a_large_matrix_is_a_file_without_a_name(folder):
    assert not is_mapped(empty_matrix(HALF // (8 * COLUMNS), COLUMNS))
    matrix = empty_matrix(HALF // (8 * COLUMNS) + 1, COLUMNS)
    assert is_mapped(matrix)
    assert is_mapped(matrix[3:, 1:])
    assert type(matrix) is np.ndarray
    assert matrix.flags.c_contiguous
    assert matrix.flags.writeable
    assert not [*folder.iterdir()]


def test_a_matrix_that_grows_keeps_its_rows(folder):
    rows = HALF // (8 * COLUMNS)
    matrix = GrowingMatrix(rows - 1, COLUMNS)
    matrix.values[:, 0] = np.arange(rows - 1)
    matrix.resize(rows)
    assert not is_mapped(matrix.values)
    # What is in memory already counts as free: only the sum of both matters.
    matrix.resize(int(1.4 * rows))
    assert not is_mapped(matrix.values)
    matrix.resize(int(2.5 * rows))
    assert is_mapped(matrix.values)
    assert matrix.values.shape == (int(2.5 * rows), COLUMNS)
    matrix.values[-1, 0] = 7
    matrix.resize(int(2.6 * rows))
    matrix.resize(int(2.5 * rows))
    np.testing.assert_array_equal(matrix.values[: rows - 1, 0], np.arange(rows - 1))
    assert matrix.values[-1, 0] == 7
    assert is_mapped(matrix.values)


@pytest.mark.parametrize("rows", [[3, 0, 3, -1], slice(2, 5), slice(None, None, -2), []])
def test_rows_are_those_of_the_matrix(monkeypatch, always_mapped, rows):
    monkeypatch.setattr(matrices, "BLOCK_ROWS", 2)
    matrix = np.arange(18.0).reshape(6, 3)
    selected = select_rows(matrix, rows if isinstance(rows, slice) else np.array(rows, np.intp))
    np.testing.assert_array_equal(selected, matrix[rows])
    assert is_mapped(selected) == (len(selected) > 0 and rows != slice(2, 5))  # which is a view


@pytest.mark.parametrize("free", [0, 8 * 7 * 2 * 2, 2**40])
@pytest.mark.parametrize("places", [None, [4, 0], []])
def test_columns_are_those_of_the_matrix(monkeypatch, always_mapped, places, free):
    """As many are copied at a time as half of the free memory holds: one, two, all."""
    monkeypatch.setattr(matrices, "BLOCK_ROWS", 3)
    monkeypatch.setattr(matrices, "free_bytes", lambda: free)
    matrix = empty_matrix(7, 5)
    matrix[...] = np.random.default_rng(1).normal(size=(7, 5))
    expected = [matrix[:, place] for place in (range(5) if places is None else places)]
    columns = [*each_column(matrix, places)]
    np.testing.assert_array_equal(columns, expected)
    assert not any(map(is_mapped, columns))
    views = [*each_column(np.array(matrix), places)]
    np.testing.assert_array_equal(views, expected)


def test_a_folder_without_room_is_an_error(folder, monkeypatch):
    usage = shutil.disk_usage(folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=3 * 2**29))
    message = rf"needs 2\.0 GiB.* {folder}, found 1\.5 GiB.*TMPDIR=FOLDER.*--rows"
    with pytest.raises(DataError, match=message):
        empty_matrix(2**18, COLUMNS)
    with pytest.raises(DataError, match=r"^The stream needs 2\.0 GiB"):
        check_matrix(2**18, COLUMNS, "The stream")
    check_matrix(2**17, COLUMNS, "The stream")
    assert not [*folder.iterdir()]


def test_a_matrix_keeps_the_room_that_it_has(folder, monkeypatch):
    matrix, usage = GrowingMatrix(2**15, COLUMNS), shutil.disk_usage(folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=8 * COLUMNS))
    matrix.resize(2**15 - 5)
    matrix.resize(2**15 - 4)
    with pytest.raises(DataError, match="TMPDIR=FOLDER"):
        matrix.resize(2**15)
    assert len(matrix.values) == 2**15 - 4


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="the system cannot reserve room")
def test_room_is_reserved(folder, monkeypatch):
    """A write into a map of a file for which there is no room would end the process."""
    matrix = GrowingMatrix(2**15, COLUMNS)
    assert os.fstat(matrix._file.fileno()).st_blocks * 512 >= 2**28

    def refuse(number):
        def reserve(*_):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "posix_fallocate", reserve)

    refuse(errno.ENOSPC)
    with pytest.raises(DataError, match="TMPDIR=FOLDER"):
        empty_matrix(2**15, COLUMNS)
    refuse(errno.EOPNOTSUPP)
    assert is_mapped(empty_matrix(2**15, COLUMNS))
    refuse(errno.EIO)
    with pytest.raises(OSError, match="error"):
        empty_matrix(2**15, COLUMNS)


def test_a_temporary_folder_in_memory_is_no_place(folder, monkeypatch, tmp_path):
    on_disk = tmp_path / "disk"
    on_disk.mkdir()
    monkeypatch.setattr(matrices, "_ON_DISK", on_disk)
    monkeypatch.setattr(matrices, "_is_in_memory", lambda path: path == folder)
    assert matrices._folder() == on_disk
    monkeypatch.setattr(matrices, "_is_in_memory", lambda path: True)
    with pytest.raises(DataError, match=rf"{folder}, which is in memory.*TMPDIR=FOLDER"):
        empty_matrix(2**15, COLUMNS)


def test_file_systems_in_memory_are_known(tmp_path):
    mounts = tmp_path / "mounts"
    lines = ["/dev/sda / ext4 rw 0 0", f"tmpfs {tmp_path / 'a'} tmpfs rw 0 0"]
    lines.append(f"/dev/sdb {tmp_path / 'a' / 'b'} xfs rw 0 0")
    mounts.write_text("\n".join(lines) + "\n")
    kinds = {"a": True, "a/c": True, "a/b": False, "a/b/c": False, "ab": False, ".": False}
    for name, expected in kinds.items():
        assert matrices._is_in_memory(tmp_path / name, mounts) == expected
    assert not matrices._is_in_memory(tmp_path, tmp_path / "none")


KILLED = """
from streameval.base import matrices
matrices.is_large = lambda size, held=0: True
matrix = matrices.empty_matrix(1000, 100)
matrix[:] = 1.0
print("mapped", flush=True)
input()
"""


def test_nothing_is_left_of_a_killed_process(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "mapped\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert not [*tmp_path.iterdir()]


LIMITED = """
import resource, sys
import numpy
from streameval.base import memory
data = next(line for line in open("/proc/self/status") if line.startswith("VmData"))
limit = 1024 * int(data.split()[1]) + 2**28
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
assert 2**27 < memory.free_bytes() <= 2**28
assert memory.is_large(2**28 - 2**20)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts the data of a process")
def test_the_limit_of_the_process_counts():
    subprocess.run([sys.executable, "-c", LIMITED], check=True)
