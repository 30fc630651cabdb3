"""What pipes and the standard input deliver is copied, read as a file, and removed."""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import io
import json
import logging
import os
import shutil
import tempfile
import threading
import time
import warnings
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import streameval as se
from streameval import cli
from streameval.base.errors import DataError
from streameval.streams.columnar import write_stream
from streameval.streams.readers import pipes
from streameval.streams.readers.pipes import STDIN, PipeCopies, is_pipe
from streameval.streams.readers.table import StreamWarning

N = 400
RNG = np.random.default_rng(3)
TABLE = pd.DataFrame(RNG.normal(size=(N, 2)).round(3), columns=["x", "z"])
TABLE["y"] = np.where(TABLE["x"] + RNG.normal(size=N) > 0, "up", "down")
CSV = TABLE.to_csv(index=False).encode()
ARFF = (
    "% a comment\n\n@RELATION r\n@attribute x real\n@attribute z real\n@attribute y {down,up}\n"
    "@data\n" + TABLE.to_csv(index=False, header=False)
).encode()


def parquet():
    buffer = io.BytesIO()
    TABLE.to_parquet(buffer)
    return buffer.getvalue()


def zipped(name, content):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture(autouse=True)
def copies(tmp_path, monkeypatch):
    """The folder of copies, in which nothing is left."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert [*folder.iterdir()] == []


@contextmanager
def writing(descriptor_or_path, content):
    """Write a content into a pipe from another thread."""

    def write():
        with open(descriptor_or_path, "wb") as file:  # noqa: PTH123, it may be a descriptor
            file.write(content)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        thread.join()


@pytest.fixture
def fifo(tmp_path):
    @contextmanager
    def named(content, name="f.csv"):
        os.mkfifo(tmp_path / name)
        with writing(tmp_path / name, content):
            yield tmp_path / name

    return named


@pytest.fixture
def stdin():
    """A function that lets the standard input deliver a content."""

    @contextmanager
    def delivering(content):
        before, (end, begin) = os.dup(0), os.pipe()
        os.dup2(end, 0)
        os.close(end)
        try:
            with writing(begin, content):
                yield
        finally:
            os.dup2(before, 0)
            os.close(before)

    return delivering


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("f.csv.gz", gzip.compress(CSV)),
        ("f.arff", ARFF),
        ("f.parquet", parquet()),
        # Without an ending that says the format, the content does.
        ("f", CSV),
        ("f.pipe", bz2.compress(CSV)),
        ("f", ARFF),
        ("f", b"\xef\xbb\xbf" + ARFF),
        ("f", parquet()),
        ("f", zipped("inside.arff", ARFF)),
    ],
)
def test_a_named_pipe_is_read_as_a_file(fifo, name, content):
    with fifo(content, name) as path:
        stream = se.read(path, "y")
    assert (stream.name, stream.schema.target, stream.schema.classes) == ("f", "y", ("down", "up"))
    assert np.array_equal(stream.X, TABLE[["x", "z"]].to_numpy())


def test_a_converted_stream_may_come_through_a_pipe(fifo, tmp_path):
    stream = se.from_pandas(TABLE, "y")
    write_stream(stream, tmp_path / "converted.parquet")
    with fifo((tmp_path / "converted.parquet").read_bytes(), "f") as path:
        assert np.array_equal(se.read(path).y, stream.y)


def test_the_standard_input_is_read_as_a_file(stdin):
    for name in (STDIN, "/dev/fd/0"):
        with stdin(CSV):
            assert is_pipe(name)
            assert len(se.read(name, "y")) == N


def test_a_redirected_file_is_the_standard_input_too(tmp_path):
    (tmp_path / "data").write_bytes(CSV)
    before = os.dup(0)
    with (tmp_path / "data").open("rb") as file:
        os.dup2(file.fileno(), 0)
    try:
        assert len(se.read(STDIN, "y")) == N
    finally:
        os.dup2(before, 0)
        os.close(before)


def test_devices_are_no_pipes(tmp_path):
    assert not is_pipe("/dev/null")
    assert not is_pipe(STDIN)  # that of tests is /dev/null
    assert not is_pipe(tmp_path)
    assert not is_pipe("x" * 5000)
    assert not is_pipe("a\0b")
    with pytest.raises(DataError, match="/dev/stdin: expected a file, found a device"):
        se.read(STDIN, "y")


def test_commands_take_a_hyphen_for_the_standard_input(stdin, capsys, tmp_path):
    with stdin(CSV):
        assert cli.main(["check", "-", "--target", "y", "--json"]) == 0
    piped = capsys.readouterr().out
    (tmp_path / "stdin.csv").write_bytes(CSV)
    assert cli.main(["check", str(tmp_path / "stdin.csv"), "--target", "y", "--json"]) == 0
    assert json.loads(piped) == json.loads(capsys.readouterr().out)


def test_a_pipe_without_an_ending_is_a_file_for_commands(fifo, capsys, monkeypatch):
    with fifo(CSV, "pipe") as path:
        monkeypatch.chdir(path.parent)
        assert cli.main(["check", "pipe", "--target", "y"]) == 0
    assert "The target of pipe is 'y'" in capsys.readouterr().out


def test_a_page_gets_the_digest_of_what_came(stdin, monkeypatch, tmp_path):
    pages = []
    monkeypatch.setattr("streameval.pages.report.write_page", lambda found, _: pages.extend(found))
    with stdin(CSV):
        words = ["report", "-", "--target", "y", "--learner", "no_change"]
        assert cli.main([*words, "-o", str(tmp_path / "report.html")]) == 0
    assert pages[0].file_facts == [("SHA-256 of the file", hashlib.sha256(CSV).hexdigest())]


def test_messages_name_the_pipe_and_not_its_copy(fifo, stdin, capsys):
    content = CSV + b"1.5,down\n"
    with fifo(content) as path, pytest.raises(DataError) as raised:
        se.read(path, "y")
    assert str(raised.value).startswith(f"{path}, line ")
    assert "streameval-" not in str(raised.value)
    with stdin(CSV):
        assert cli.main(["check", "-", "--target", "nothing"]) == 2
    assert "streameval: /dev/stdin: there is no column 'nothing'" in capsys.readouterr().err
    with stdin(b""):
        assert cli.main(["check", "-", "--target", "y"]) == 2
    assert (
        "streameval: /dev/stdin: expected a table, found an empty file" in capsys.readouterr().err
    )
    with (
        fifo(CSV.replace(b",", b";"), "g.csv") as path,
        warnings.catch_warnings(record=True) as said,
    ):
        warnings.simplefilter("always", StreamWarning)
        se.read(path, "y")
    assert str(said[0].message).startswith(f"{path}: read with semicolons")
    with fifo(gzip.compress(CSV)[:100], "h") as path, pytest.raises(DataError) as raised:
        se.read(path, "y")
    assert f"{path}: the compressed data are damaged" in str(raised.value)


def test_a_full_disk_is_named_with_its_folder(fifo, monkeypatch, copies):
    def full(source, out, *_):
        source.read()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(shutil, "copyfileobj", full)
    with fifo(CSV) as path, pytest.raises(OSError, match="No space") as raised:
        se.read(path, "y")
    assert raised.value.filename == str(copies)


def test_a_pipe_is_copied_once_for_all_readings(fifo):
    with PipeCopies() as several, fifo(CSV) as path:
        first = several.file(path)
        assert several.file(path) == first
        assert first.read_bytes() == CSV
        assert several.file("other.csv") == Path("other.csv")
    assert not first.exists()


def test_a_pipe_without_a_writer_is_said_to_wait(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(pipes, "_WARNING_DELAY", 0.05)
    os.mkfifo(tmp_path / "f.csv")

    def late():
        deadline = time.monotonic() + 10
        while not caplog.records and time.monotonic() < deadline:
            time.sleep(0.01)
        (tmp_path / "f.csv").write_bytes(CSV)

    writer = threading.Thread(target=late)
    with caplog.at_level(logging.WARNING):
        writer.start()
        assert len(se.read(tmp_path / "f.csv", "y")) == N
        writer.join()
    assert [record.message for record in caplog.records] == [
        f"streameval: {tmp_path / 'f.csv'}: waiting for a writer."
    ]
