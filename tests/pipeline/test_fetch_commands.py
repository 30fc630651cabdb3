"""Commands that bring the files of streams that a run leaves out."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import shutil
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from streameval.base.settings import RAW
from streameval.pipeline.fetch_commands import fetch_command, left_out_streams
from streameval.report.left_out import LeftOutStream
from streameval.streams.raw.fetch import fetch
from streameval.streams.readers.content import open_content
from streameval.streams.registry import Address, FileSpec

CONTENT = b"1,a\n2,b\n"
TOOLS = pytest.mark.skipif(
    not (shutil.which("curl") and shutil.which("unzip")), reason="curl or unzip is not here"
)


def spec(file: str, *addresses: Address) -> FileSpec:
    return FileSpec(
        id="mine",
        title="Mine",
        file=file,
        addresses=addresses,
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        rows=2,
        columns=1,
        classes=2,
        reader="csv",
    )


def check_command(source: FileSpec) -> None:
    """Run the command of a stream in this folder; the file is then accepted without a download."""
    process = subprocess.run(
        ["sh", "-c", fetch_command(source)], check=False, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    with open_content(fetch(source, RAW, offline=True)) as file:
        assert file.read() == CONTENT


def test_each_stream_that_is_left_out_has_a_command(full_plan):
    specs = full_plan.registry.items()
    files = {name: of for name, of in specs if isinstance(of, FileSpec) and of.bundled is None}
    every = replace(full_plan, left_out=dict.fromkeys(files, "away"))
    assert {"covtype", "poker", "insects_abrupt"} < {*files}
    for planned in (full_plan, every):
        rows = [LeftOutStream(**row) for row in left_out_streams(planned)]
        assert [row.stream for row in rows] == [*planned.left_out]
    for row in rows:
        source = files[row.stream]
        assert (row.title, row.why) == (source.title, "away")
        assert str(RAW / Path(source.file).parent) in row.command
        assert row.command.startswith("curl " if source.addresses else "mkdir ")
        assert row.page == ("" if source.addresses else source.page)


@TOOLS
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_it_downloads_the_file_itself_whatever_wraps_it(tmp_path, monkeypatch, pack):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "it's here.gz").write_bytes(pack(CONTENT))
    archive = Address(url="https://example.invalid/a.zip", member="a.csv")
    plain = Address(url=(tmp_path / "it's here.gz").as_uri())
    check_command(spec("a folder/mine.csv.gz", archive, plain))


@TOOLS
@pytest.mark.parametrize(
    ("member", "content"),
    [("mine.csv", CONTENT), ("mine.gz", gzip.compress(CONTENT))],
    ids=["plain", "packed"],
)
def test_it_unpacks_an_archive(tmp_path, monkeypatch, member, content):
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("readme.csv", "no")
        archive.writestr(member, content)
    address = Address(url=(tmp_path / "all.zip").as_uri(), member=member)
    check_command(spec("folder/mine.csv.gz", address))
    assert not (tmp_path / RAW / "folder" / "download.zip").exists()


def test_a_stream_without_an_address_is_copied(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = spec("folder/mine.csv")
    assert "cp FILE " in fetch_command(source)
    (tmp_path / "FILE").write_bytes(CONTENT)
    check_command(source)
