"""Opening files: nested wrappers, paths that are no files, names with control characters."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import shutil
import socket
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streameval.base import matrices, memory
from streameval.base.errors import DataError
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.arff import read_arff
from streameval.streams.readers.content import check_readable, open_content, pack, plain_name

ARFF = b"@attribute x real\n@attribute c {u,v}\n@data\n1,u\n2,v\n"


def zipped(content: bytes, method: int = zipfile.ZIP_DEFLATED, name: str = "a.arff") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def read(path: Path) -> bytes:
    with open_content(path) as file:
        return file.read()


def refusal(path: Path) -> str:
    with pytest.raises(DataError) as error:
        read(path)
    message = str(error.value)
    assert len(message.encode()) < 2000
    return message


@pytest.mark.parametrize("name", ["A.ARFF", "A.ARFF.GZ", "a.arff.Bz2", "a.Arff.Xz", "a.ARFF.ZIP"])
def test_endings_in_capitals(tmp_path, name):
    source, path = tmp_path / "source", tmp_path / name
    source.write_bytes(ARFF)
    pack(source, None, path)
    assert (path.read_bytes() == ARFF) == name.endswith("ARFF")
    assert len(read_any(path)) == 2
    assert plain_name(name).upper() == "A.ARFF"


def test_wrappers_in_wrappers(tmp_path):
    path, content = tmp_path / "a.arff", ARFF
    for wrap in (gzip.compress, gzip.compress, zipped):
        content = wrap(content)
        path.write_bytes(content)
        assert read(path) == ARFF
    for wrap in (lzma.compress, gzip.compress, bz2.compress, zipped):
        path.write_bytes(wrap(content))
        assert "expected at most 3 wrappers (gzip, bzip2, xz, zip)" in refusal(path)


def test_members_one_behind_the_other(tmp_path):
    path = tmp_path / "a.arff"
    for compress in (gzip.compress, bz2.compress, lzma.compress):
        path.write_bytes(compress(ARFF[:20]) + compress(b"") + compress(ARFF[20:]))
        assert read(path) == ARFF
        path.write_bytes(compress(ARFF)[:-1])
        assert "damaged or cut short" in refusal(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damaged_archives(tmp_path, method):
    path, good = tmp_path / "a.zip", zipped(os.urandom(50) + ARFF * 20, method)
    messages = []
    for at in range(len(good)):
        cut = [good[:at]] * (at % 4 == 0)
        for bad in (*cut, good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1 :]):
            path.write_bytes(bad)
            try:
                read(path)
            except DataError as error:
                messages.append(str(error))
    assert len(messages) > len(good) / 2
    assert max(map(len, messages)) < 2000


@pytest.mark.parametrize("name", ["a.zip", "a.arff.zip"])
@pytest.mark.parametrize(
    "other", ["__MACOSX/._a.arff", ".DS_Store", "d/.a.arff", "README.txt", "license", "a.pdf"]
)
def test_what_is_no_data_of_an_archive_is_passed_over(tmp_path, name, other):
    path = tmp_path / name
    path.write_bytes(zipped(ARFF))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(other, b"\0\5\x16\7")
    assert len(read_any(path)) == 2


def test_one_of_several_members_is_named(tmp_path):
    path = tmp_path / "a.csv.zip"
    path.write_bytes(zipped(b"x,c\n1,u\n2,v\n", name="d/train.csv"))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("test.arff", ARFF + b"1,u\n")
    with pytest.raises(
        DataError, match=r"found d/train\.csv, test\.arff\. Name .* \(--member NAME"
    ):
        read_any(path, "c")
    assert len(read_any(path, "c", member="d/train.csv")) == 2
    assert len(read_any(path, "c", member="test.arff")) == 3
    with pytest.raises(DataError, match=r"the member 'b\.csv' in the archive, found d/train"):
        read_any(path.rename(tmp_path / "b.zip"), "c", member="b.csv")


def test_folders_and_patterns_say_that_a_stream_is_one_file(tmp_path):
    (tmp_path / "parts").mkdir()
    for name in ("p1.csv", "p0.csv", "_SUCCESS", ".p0.crc"):
        (tmp_path / "parts" / name).touch()
    said = refusal(tmp_path / "parts")
    assert "a folder of 2 entries (p0.csv, p1.csv). A stream is one file" in said
    assert "pandas" not in said
    assert "Patterns of several files are not expanded" in refusal(tmp_path / "p*.csv")


def test_the_ending_inside_an_archive(tmp_path):
    path = tmp_path / "a.zip"
    for name, content in [("d/b.ARFF", ARFF), ("b.arff.gz", gzip.compress(ARFF))]:
        path.write_bytes(zipped(content, name=name))
        assert len(read_any(path)) == 2
        path.write_bytes(path.read_bytes().replace(b"PK\1\2", b"PK\1\3"))
        with pytest.raises(DataError, match="damaged or cut short"):
            read_any(path)


def test_what_is_not_a_file(tmp_path, monkeypatch):
    (tmp_path / "broken").symlink_to(tmp_path / "none")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)  # the path of a socket has to be short
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
        for name, kind in [
            ("socket", "found a socket"),
            ("pipe", "found a pipe"),
            (".", "found a folder"),
            ("/dev/null", "found a device"),
            ("broken", "found a link to a file that is not there"),
            ("loop", os.strerror(errno.ELOOP)),
            ("file/a.csv", "found none"),
            ("none.csv", "found none"),
            ("x" * 5000, os.strerror(errno.ENAMETOOLONG)),
            ("x/" * 5000, os.strerror(errno.ENAMETOOLONG)),
        ]:
            assert kind in refusal(Path(name))


def test_files_that_may_not_be_read(tmp_path, monkeypatch):
    path = tmp_path / "a.arff"
    path.write_bytes(ARFF)
    if os.geteuid() == 0:  # who may read everything

        def denied(self: Path, *_: object) -> None:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))

        monkeypatch.setattr(Path, "open", denied)
    path.chmod(0)
    assert "a.arff: expected a readable file, found: Permission denied." in refusal(path)


def test_files_whose_bytes_cannot_be_read(tmp_path):
    path = tmp_path / "a.arff"
    path.symlink_to("/proc/self/mem")  # opens, and then has nothing at its start
    if not path.exists():
        pytest.skip("no /proc here")
    assert f"found: {os.strerror(errno.EIO)}" in refusal(path)


@pytest.mark.parametrize("name", [b"a\nb.arff", b"a\xff.arff", b"a\x1b[31m.arff", b"a\0.arff"])
def test_names_that_cannot_be_shown(tmp_path, name):
    path = tmp_path / os.fsdecode(name)
    if b"\0" not in name:
        path.write_bytes(ARFF)
    message = refusal(path)
    assert "Rename the file" in message
    assert message.isascii()
    assert message.isprintable()


@pytest.mark.parametrize("name", ["a b.arff", "ä☃.arff", "a\u202fb.arff", "-.arff", "%s.arff"])
def test_other_names_are_allowed(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(ARFF)
    check_readable(path)
    assert len(read_arff(path)) == 2


def test_packing_is_reproducible(tmp_path):
    (tmp_path / "source").write_bytes(ARFF)
    for ending in (".gz", ".bz2", ".xz", ".zip"):
        first, second = tmp_path / f"one{ending}", tmp_path / "two" / f"one{ending}"
        second.parent.mkdir(exist_ok=True)
        pack(tmp_path / "source", None, first)
        os.utime(tmp_path / "source", (1, 1))
        pack(tmp_path / "source", None, second)
        assert first.read_bytes() == second.read_bytes()
        with open_content(first) as file:
            assert file.read() == ARFF


def with_number(path, text):
    """Write a file with a number, in the format of its name."""
    if path.suffix == ".parquet":
        pq.write_table(pa.table({"x": [1.0, float(text), 2.0], "c": [*"uvu"]}), path)
    else:
        head = "x,c\n1,u\n" if path.suffix == ".csv" else ARFF.decode()
        path.write_text(f"{head}{text},v\n")
    return path


FORMATS = pytest.mark.parametrize("name", ["a.csv", "a.arff", "a.parquet"])


@FORMATS
def test_a_large_file_is_not_read_as_a_whole(tmp_path, name, monkeypatch):
    path = with_number(tmp_path / name, "1e999")
    with pytest.raises(DataError, match=r"(line|row) \d"):
        read_any(path, "c")
    monkeypatch.setattr(memory, "_MIN_CHECKED_BYTES", 0)
    monkeypatch.setattr(memory, "free_bytes", lambda: 10)
    with pytest.raises(DataError, match=r"as a whole \(.* half of the .*--nominal"):
        read_any(path, "c")


@FORMATS
def test_a_full_temporary_folder_is_no_reason_to_read_as_a_whole(tmp_path, name, monkeypatch):
    path = with_number(tmp_path / name, "3")
    monkeypatch.setattr(matrices, "is_large", lambda size, held=0: True)
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage._replace(free=1))
    with pytest.raises(DataError, match="TMPDIR=FOLDER"):
        read_any(path, "c")
