"""Streams of text files, kept as arrays beside the compiled kernels: a help, never a condition.

A file of at least `SMALL` bytes is read once. Its stream is kept in a file of its own, under the
file's path and the options of reading it, and used again while size, time and content of the file
are what they were, and the package reads files as it did. A checksum finds what is damaged, and
what cannot be used is read and kept anew; where nothing can be written, nothing is kept. All kept
streams together take at most `LIMIT` bytes: those that were used last stay.

The inputs are mapped into memory, so that several processes share them. Only the user can read
the kept streams.
"""

from __future__ import annotations

import hashlib
import json
import logging
import mmap
import os
import shutil
import stat
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from streameval.base.errors import StreamevalError
from streameval.base.files import written_aside
from streameval.base.sources import PACKAGE, cache_folder, digest
from streameval.streams.readers.blocks import BLOCK, in_order
from streameval.streams.readers.table import noted, remark
from streameval.streams.source_rows import SourceRows
from streameval.streams.stream import Schema, Stream

log = logging.getLogger(__name__)

#: Files of fewer bytes are read as fast as their digest is computed.
SMALL = 1 << 20
#: Bytes of all kept streams, 2 GiB.
LIMIT = 2 << 30
#: Of the files of kept streams. A reader that changes needs no other one; see `_readers`.
_FORMAT = 1
#: Arrays begin where a line of the processor's cache does.
_ALIGNED = 64
_user = getattr(os, "geteuid", lambda: 0)
_KINDS = ("<f8", "<i4", "<i8")
#: Errors where none can be written.
_UNUSABLE = (OSError, ValueError, TypeError, LookupError, StreamevalError, RecursionError)


def kept(path: Path, options: Mapping[str, Any], read: Callable[[], Stream]) -> Stream:
    """Return the stream of a text file, as it is kept or else as it is read.

    `options` are all that the stream depends on besides.
    """
    try:
        before = _stamp(path)
    except OSError:
        return read()
    return _Place(path, options).stream(read, before) if before["size"] >= SMALL else read()


@dataclass(frozen=True)
class _Place:
    """Where the stream of a file is kept."""

    path: Path
    options: Mapping[str, Any]

    def about(self, stamp: Mapping[str, int]) -> dict[str, Any]:
        """Return what must be as it was, but for the content."""
        # As JSON has it: tuples are lists.
        found: dict[str, Any] = json.loads(
            json.dumps(
                {
                    "format": _FORMAT,
                    "readers": _readers(),
                    "path": os.path.abspath(self.path),  # noqa: PTH100 - links are kept as such
                    "options": dict(self.options),
                    **stamp,
                }
            )
        )
        return found

    @property
    def file(self) -> Path:
        """The file of the kept stream."""
        about = self.about({})
        key = json.dumps([about["path"], about["options"]], sort_keys=True)
        return folder() / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.stream"

    def stream(self, read: Callable[[], Stream], stamp: Mapping[str, int]) -> Stream:
        """Return the kept stream, or read and keep it."""
        try:
            stream, notes = self._load(stamp)
        except Exception as error:  # whatever else than a kept stream is there
            log.debug("%s is read: %r", self.path, error)
        else:
            for note in notes:
                remark(note)
            return stream
        with noted() as notes:
            stream = read()
        with suppress(*_UNUSABLE):
            if _stamp(self.path) == stamp:
                self._keep(stream, notes, stamp)
        return stream

    def _load(self, stamp: Mapping[str, int]) -> tuple[Stream, list[str]]:
        with open(self.file, "rb", opener=_opened) as file:
            about_file = os.fstat(file.fileno())
            if about_file.st_uid != _user() or not stat.S_ISREG(about_file.st_mode):
                raise ValueError("it is somebody else's, or no file")
            check, text = file.readline().split(b" ", 1)
            if int(check, 16) != zlib.crc32(text):
                raise ValueError("its header is damaged")
            header = json.loads(text)
            about = self.about(stamp)
            if {key: header[key] for key in about} != about:
                raise ValueError("it is that of another file, or of other options")
            if header["content"] != content_digest(self.path):
                raise ValueError("the content is another one")
            notes = [str(note) for note in header["notes"]]
            # A map that is longer than its file ends the process when it is read.
            if header["bytes"] != about_file.st_size - file.tell():
                raise ValueError("it has another length than when it was kept")
            # A private copy: kernels need arrays that can be written to.
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        arrays = {name: _array(content, place) for name, place in header["arrays"].items()}
        os.utime(self.file)  # the time of its last use
        stream = Stream(
            arrays["X"],
            np.array(arrays["y"]),
            Schema.from_json(header["schema"]),
            header["name"],
            header["source"],
            time=arrays.get("time"),
            label_time=arrays.get("label_time"),
            ticks=header["ticks"],
            no_label=header["no_label"],
            zone=header["zone"],
            source_rows=SourceRows(arrays["row"], header["rows"]) if "row" in arrays else None,
        )
        return stream, notes

    def _keep(self, stream: Stream, notes: list[str], stamp: Mapping[str, int]) -> None:
        rows = stream.source_rows
        known = {"X": stream.X, "y": stream.y, "time": stream.time, "label_time": stream.label_time}
        known["row"] = None if rows is None else rows.row
        arrays = {name: array for name, array in known.items() if array is not None}
        places, at = {}, 0
        for name, array in arrays.items():
            places[name] = [array.dtype.str, array.shape, at, zlib.crc32(array.data)]
            at += array.nbytes + -array.nbytes % _ALIGNED
        header = {
            **self.about(stamp),
            "content": content_digest(self.path),
            "schema": stream.schema.to_json(),
            "name": stream.name,
            "source": stream.source,
            "ticks": stream.ticks,
            "no_label": stream.no_label,
            "zone": stream.zone,
            "rows": None if rows is None else rows.count,
            "notes": notes,
            "arrays": places,
            "bytes": at,
        }
        line = _header(header)
        if not _made_room(len(line) + at):
            return
        with written_aside(self.file) as part, _private(part) as file:
            file.write(line)
            for array in arrays.values():
                file.write(array.data)
                file.write(bytes(-array.nbytes % _ALIGNED))


def folder() -> Path:
    """Return the folder of kept streams."""
    return cache_folder() / "streams"


def content_digest(path: Path) -> str:
    """Return a digest of the content of a file: of the checksum of each block.

    It finds edits that leave size and time. One against forgery too takes five times as long.
    """
    with path.open("rb") as file:
        parts = in_order(zlib.crc32, iter(partial(file.read, BLOCK), b""))
        return hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()


@cache
def _readers() -> str:
    """Return a digest of what reads files: after an edit or an update they are read anew."""
    sources = digest(PACKAGE / "streams" / "readers" / "any_file.py")
    return f"{sources} {pa.__version__} {np.__version__}"


def _stamp(path: Path) -> dict[str, int]:
    found = path.stat()
    return {"size": found.st_size, "mtime_ns": found.st_mtime_ns}


def _header(content: dict[str, Any]) -> bytes:
    """Return a line with a checksum, so long that the arrays behind it are aligned."""
    text = json.dumps(content).encode()
    text += b" " * (-(len(text) + 10) % _ALIGNED) + b"\n"
    return b"%08x " % zlib.crc32(text) + text


def _array(content: mmap.mmap, place: list[Any]) -> NDArray[Any]:
    kind, shape, at, check = place
    if kind not in _KINDS:
        raise ValueError("it has arrays of other kinds")
    begin = content.find(b"\n") + 1 + at
    array = np.frombuffer(content, kind, int(np.prod(shape)), begin).reshape(shape)
    if zlib.crc32(array.data) != check:
        raise ValueError("it is damaged")
    return array


def _opened(path: str, flags: int) -> int:
    """Open a file to read; a pipe of that name, which has no writer, is opened without waiting."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _private(path: Path) -> Any:
    """Open a new file that only the user can read."""
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")


def _made_room(size: int) -> bool:
    """Remove the streams whose last use is longest ago; return whether there is room for one."""
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    if size > LIMIT // 2 or shutil.disk_usage(place).free < 2 * size:
        return False
    # Links are entries themselves: the file of one may be gone.
    entries = [(path.lstat(), path) for path in place.glob("*.stream")]
    entries.sort(key=lambda entry: entry[0].st_mtime_ns)
    total = sum(about.st_size for about, _ in entries)
    for about, path in entries:
        if total + size <= LIMIT:
            break
        with suppress(OSError):  # a folder, or gone meanwhile
            path.unlink()
        total -= about.st_size
    return True
