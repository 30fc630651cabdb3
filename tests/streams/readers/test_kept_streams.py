"""Streams of text files that are kept: found while nothing has changed, made anew otherwise."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import warnings

import numpy as np
import pytest
from fuzzing.files import make_case
from fuzzing.inputs import wrapped

import streameval as se
from streameval.base.errors import StreamevalError
from streameval.base.settings import ROOT
from streameval.cli import main
from streameval.streams.readers import any_file, arff, csv_file, kept_streams

ROWS = [f"{i / 7},{i % 3},{'xy'[i * i % 7 > 2]}" for i in range(50)]
ARFF = "@attribute p real\n@attribute q {0,1,2}\n@attribute c {x,y}\n@data\n"


@pytest.fixture(autouse=True)
def _small_files_too(monkeypatch, tmp_path):
    monkeypatch.setattr(kept_streams, "SMALL", 1)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["p,q,c", *ROWS]))
    return path


@pytest.fixture
def reads(monkeypatch):
    """Count how often a text is read."""
    found = []
    for module, name in ((csv_file, "read_csv"), (arff, "read_arff")):
        reader = getattr(module, name)

        def counted(*words, _reader=reader, **options):
            found.append(words[0])
            return _reader(*words, **options)

        monkeypatch.setattr(module, name, counted)
    return found


def entries():
    return sorted(kept_streams.folder().glob("*"))


def entry():
    (found,) = entries()
    return found


def same(one, other):
    assert one.digest == other.digest
    assert (one.name, one.source, one.ticks) == (other.name, other.source, other.ticks)


@pytest.mark.parametrize("ending", ["csv", "arff"])
def test_a_file_is_read_once(tmp_path, reads, ending):
    path = tmp_path / f"a.{ending}"
    path.write_text("\n".join(["p,q,c" if ending == "csv" else ARFF, *ROWS]))
    first = se.read(path, "c")
    again = se.read(path, "c")
    assert len(reads) == 1
    same(first, again)
    for array in (again.X, again.y):
        assert type(array) is np.ndarray
        assert array.flags.writeable
        assert array.flags.c_contiguous
    # A kernel would refuse, or compile anew for, an array of another type.
    one, other = (se.evaluate(stream, "naive_bayes").to_dict("kappa") for stream in (first, again))
    assert one["naive_bayes"]["kappa"] == other["naive_bayes"]["kappa"]


def test_what_is_changed_in_memory_stays_there(path, reads):
    se.read(path, "c")
    kept = se.read(path, "c")
    right = kept.X.copy()
    kept.X[:] = 7
    assert len(reads) == 1
    np.testing.assert_array_equal(se.read(path, "c").X, right)
    assert len(reads) == 1


def test_whatever_changes_is_read_again(path, reads, monkeypatch):
    first = se.read(path, "c")
    stamp = path.stat()
    path.write_text(path.read_text().replace("0,x", "2,x"))  # as many bytes
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert path.stat().st_size == stamp.st_size
    assert se.read(path, "c").digest != first.digest
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 1))
    se.read(path, "c")
    assert len(reads) == 3
    monkeypatch.setattr(kept_streams, "_readers", lambda: "edited")
    se.read(path, "c")
    assert len(reads) == 4
    entry()  # one file still has one kept stream


def test_each_way_of_reading_has_a_stream_of_its_own(path, reads):
    ways = [
        {"target": "c"},
        {"target": "q"},
        {"target": "c", "drop": ["p"]},
        {"target": "c", "nominal": ("q",)},
        {"target": "p", "numeric_target": True},
        {"target": "c", "missing": ["0"]},
    ]
    streams = [se.read(path, **way) for way in ways]
    for stream, way in zip(streams, ways, strict=True):
        same(se.read(path, **way), stream)
    assert len(reads) == len(entries()) == len(ways)
    assert len({stream.digest for stream in streams}) == len(ways)


def test_copies_and_links_are_files_of_their_own(path, reads):
    link = path.with_name("b.csv")
    link.symlink_to(path)
    assert [se.read(one, "c").name for one in (path, link, path, link)] == ["a", "b", "a", "b"]
    assert len(reads) == 2


def test_warnings_are_repeated(tmp_path, reads):
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["p;q;c", *(row.replace(",", ";") for row in ROWS)]))
    for _ in range(2):
        with pytest.warns(se.StreamWarning, match="read with semicolons"):
            se.read(path, "c")
    assert len(reads) == 1


def test_the_first_page_says_what_is_kept(monkeypatch):
    monkeypatch.undo()
    text = " ".join((ROOT / "docs/howto/big_files.md").read_text(encoding="utf-8").split())
    assert f"of {kept_streams.SMALL >> 20} MiB or more is kept" in text
    assert f"at most {kept_streams.LIMIT >> 30} GiB" in text


def test_refused_files_are_not_kept(path):
    path.write_text(path.read_text() + "\n1,2")
    for _ in range(2):
        with pytest.raises(StreamevalError, match=r"a\.csv, line 52: expected 3 values"):
            se.read(path, "c")
    assert not kept_streams.folder().exists() or not entries()


def test_it_can_be_forbidden(path, reads, capsys):
    se.read(path, "c", cache=False)
    for _ in range(2):
        words = [str(path), "--target", "c", "--no-cache", "--json"]
        assert main(["evaluate", *words, "--learner", "no_change"]) == 0
        assert main(["check", *words]) == 0
    assert len(reads) == 5
    assert not kept_streams.folder().exists()
    assert main(["check", str(path), "--target", "c"]) == 0
    entry()


def test_small_files_are_just_read(path, monkeypatch):
    monkeypatch.setattr(kept_streams, "SMALL", path.stat().st_size + 1)
    se.read(path, "c")
    assert not kept_streams.folder().exists()


def damaged(content, how):
    at = how % len(content)
    return content[:at] + bytes([content[at] ^ 1 << how % 8]) + content[at + 1 :]


def test_a_damaged_stream_is_made_anew(path, reads):
    right = se.read(path, "c")
    content = entry().read_bytes()
    ways = [damaged(content, how) for how in range(0, len(content), 11)]
    ways += [content[:at] for at in range(0, len(content), 61)]
    ways += [b"", b"\n", b"PK\x03\x04", os.urandom(3000), content + b"x"]
    for number, way in enumerate(ways, 2):
        entry().write_bytes(way)
        same(se.read(path, "c"), right)
        # Between the arrays nothing is read.
        assert len(reads) in (number, number - 1)
        reads[:] = [None] * number
        entry().write_bytes(content)


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.update(arrays=[]),
        lambda header: header.update(arrays={"X": 5}),
        lambda header: header.update(notes=7),
        lambda header: header.update(schema=None),
        lambda header: header["arrays"]["X"].__setitem__(2, -(10**9)),
        lambda header: header["arrays"]["X"].__setitem__(1, [10**12, 10**12]),
        lambda header: header["arrays"].pop("y"),
        lambda header: header.clear(),
    ],
)
def test_a_forged_header_is_made_anew(path, reads, change):
    right = se.read(path, "c")
    line, _, rest = entry().read_bytes().partition(b"\n")
    header = json.loads(line.split(b" ", 1)[1])
    change(header)
    entry().write_bytes(kept_streams._header(header) + rest)
    same(se.read(path, "c"), right)
    assert len(reads) == 2
    same(se.read(path, "c"), right)
    assert len(reads) == 2


def test_a_stream_that_was_cut_or_made_longer_is_not_mapped(path, reads, monkeypatch):
    """A map of more than the file has ends the process at its first look there."""
    right = se.read(path, "c")
    content = entry().read_bytes()
    maps = []
    monkeypatch.setattr(kept_streams.mmap, "mmap", lambda *words, **_: maps.append(words))
    for way in (content[:-1], content[: len(content) // 2], content + bytes(64)):
        entry().write_bytes(way)
        same(se.read(path, "c"), right)
    assert maps == []
    assert len(reads) == 4


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_what_is_no_file_is_replaced(path, reads, tmp_path, kind):
    right = se.read(path, "c")
    place = entry()
    place.unlink()
    if kind == "link":
        place.symlink_to(tmp_path / "gone")
    else:
        os.mkfifo(place)
    same(se.read(path, "c"), right)
    same(se.read(path, "c"), right)
    assert len(reads) == 2
    assert place.is_file()
    assert not place.is_symlink()


def test_a_link_to_nothing_and_a_folder_do_not_end_keeping(path, reads):
    se.read(path, "c")
    (kept_streams.folder() / "0.stream").symlink_to("gone")
    (kept_streams.folder() / "1.stream").mkdir()
    path.write_text(path.read_text() + "\n1,2,y")
    for _ in range(2):
        se.read(path, "c")
    assert len(reads) == 2


def test_a_stream_of_another_format_is_made_anew(path, reads, monkeypatch):
    se.read(path, "c")
    monkeypatch.setattr(kept_streams, "_FORMAT", 2)
    se.read(path, "c")
    monkeypatch.setattr(kept_streams, "_user", lambda: os.geteuid() + 1)
    se.read(path, "c")
    assert len(reads) == 3


def test_only_the_user_can_read_it(path):
    se.read(path, "c")
    assert entry().stat().st_mode & 0o777 == 0o600


def test_where_nothing_can_be_written_nothing_is_kept(path, monkeypatch, tmp_path):
    right = se.read(path, "c", cache=False)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    same(se.read(path, "c"), right)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(9, 9, 9))
        same(se.read(path, "c"), right)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept_streams, "_private", full)
    same(se.read(path, "c"), right)
    assert not entries()


def test_the_streams_used_last_stay(tmp_path, monkeypatch):
    paths = [tmp_path / f"{name}.csv" for name in "abcd"]
    for path in paths:
        path.write_text("\n".join(["p,q,c", *ROWS]))
    size = 0
    found = {}
    for age, path in zip((40, 30, 20), paths, strict=False):
        before = set(entries())
        se.read(path, "c")
        (found[path.stem],) = {*entries()} - before
        stat = found[path.stem].stat()
        os.utime(found[path.stem], (stat.st_atime - age, stat.st_mtime - age))
        size = stat.st_size
    se.read(paths[0], "c")  # used again
    monkeypatch.setattr(kept_streams, "LIMIT", 3 * size)
    se.read(paths[3], "c")
    assert {*entries()} - {*found.values()}
    assert [name for name, file in found.items() if file.exists()] == ["a", "c"]
    monkeypatch.setattr(kept_streams, "LIMIT", size)
    se.read(paths[1], "c")
    assert not found["b"].exists()  # half of the limit is the most that one may take


def test_processes_at_once(path, tmp_path):
    code = (
        "import sys, streameval as se\n"
        "from streameval.streams.readers import kept_streams\n"
        "kept_streams.SMALL = 1\n"
        f"print({{se.read({str(path)!r}, 'c').digest for _ in range(20)}})\n"
    )
    right = se.read(path, "c", cache=False).digest
    started = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in started:
        assert process.communicate()[0].strip() == str({right})
        assert process.returncode == 0
    entry()


def outcome(path, target, options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            stream = any_file.read_any(path, target, **options)
        except StreamevalError as error:
            return str(error), [str(one.message) for one in caught]
    about = (stream.digest, stream.name, stream.source, stream.ticks)
    return about, [str(one.message) for one in caught]


@pytest.mark.parametrize("seed", range(3))
def test_generated_files_are_kept_as_they_are_read(seed, tmp_path, reads):
    kept = 0
    for number in range(100):
        case = make_case(random.Random(f"{seed}:{number}"))
        if case.is_for_registry:
            continue
        name, content = wrapped(case)
        path = tmp_path / name
        path.write_bytes(content)
        expected = outcome(path, case.target, {**case.options, "cache": False})
        reads.clear()
        assert [outcome(path, case.target, case.options) for _ in range(3)] == [expected] * 3
        kept += len(reads) == 1
        path.unlink()
    assert kept > 20
    for one in entries():
        header = one.read_bytes().split(b"\n")[0].split(b" ", 1)[1]
        assert json.loads(header)["format"] == kept_streams._FORMAT
