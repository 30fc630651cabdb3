"""Copies of the content of the standard input and of named pipes.

Files are read more than once: for their dialect, and for texts that a first look did not expect. A
pipe can be read once, so its content is copied into a temporary folder first, as large as it is,
and removed at the end. The format is that of the pipe's name, or else of its content.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Timer
from typing import Any, BinaryIO

from streameval.base.errors import replaced_in_messages
from streameval.streams.readers.content import (
    CHUNK,
    READER_OF,
    is_zip,
    open_content,
    plain_name,
)

log = logging.getLogger(__name__)

#: The name of the standard input, on every system.
STDIN = "/dev/stdin"
_STDIN = (STDIN, "/dev/fd/0", "/proc/self/fd/0")
#: Seconds until a message says that a pipe has no writer yet.
_PATIENCE = 2.0
#: Bytes in which the beginning of an ARFF file is looked for, and what stands there.
_HEAD = 1 << 16
_ARFF = re.compile(rb"(\xef\xbb\xbf)?(\s*%[^\n]*\n|\s)*@relation\b", re.IGNORECASE)


def is_pipe(path: str | Path) -> bool:
    """Whether a path delivers its content once: a pipe, or the standard input, but no device."""
    try:
        if str(path) in _STDIN:
            return not stat.S_ISCHR(os.fstat(0).st_mode)
        return stat.S_ISFIFO(os.stat(path).st_mode)  # noqa: PTH116, it takes names of any length
    except (OSError, ValueError):
        return False


class PipeCopies:
    """Files to read instead of pipes; copies are made when they are needed, and removed at the end.

    As a context: messages inside name the pipe instead of its copy.
    """

    def __init__(self) -> None:
        self._stack, self._copies = ExitStack(), dict[str, Path]()

    def __enter__(self) -> PipeCopies:
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def file(self, path: str | Path) -> Path:
        """File that can be read several times: the path itself, or the copy of a pipe."""
        name = str(path)
        if name not in self._copies:
            if not is_pipe(path):
                return Path(path)
            self._copies[name] = self._stack.enter_context(_copied(Path(path)))
        return self._copies[name]


@contextmanager
def _copied(path: Path) -> Iterator[Path]:
    """Yield the path of a copy of the content of a pipe; it is removed when the context ends."""
    with tempfile.TemporaryDirectory(prefix="streameval-") as folder:
        copy = Path(folder) / path.name
        try:
            with _opened(path) as source, copy.open("wb") as out:
                shutil.copyfileobj(source, out, CHUNK)
        except OSError as error:
            # Only an error of opening names a file: others are about the room for the copy.
            place = str(Path(folder).parent if error.filename is None else path)
            raise OSError(error.errno, error.strerror, place) from error
        with replaced_in_messages(str(copy), str(path)):
            ending = Path(plain_name(copy.name)).suffix.lower()
            if ending not in READER_OF:
                copy = copy.rename(f"{copy}{_ending(copy)}")
        with replaced_in_messages(str(copy), str(path)):
            yield copy


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a pipe to read; say so if nothing writes to it for some time."""
    if str(path) in _STDIN:
        with open(0, "rb", closefd=False) as file:
            yield file
        return
    waiting = Timer(_PATIENCE, log.warning, (f"streameval: {path}: waiting for a writer.",))
    waiting.daemon = True
    waiting.start()
    try:
        file = path.open("rb")
    finally:
        waiting.cancel()
    with file:
        yield file


def _ending(path: Path) -> str:
    """File ending that fits a content; for a zip, the ending of the file inside."""
    if is_zip(path):
        return ".zip"
    with open_content(path) as file:
        head = file.read(_HEAD)
    if head.startswith(b"PAR1"):
        return ".parquet"
    return ".arff" if _ARFF.match(head) else ".csv"
