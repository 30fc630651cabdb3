"""Copies of the content of the standard input and of named pipes.

Files are read more than once: for their dialect, and for texts that the first pass did not expect.
A pipe can be read once, so its content is copied into a temporary folder first. The copy is as
large as the content, and is removed at the end. The format follows from the name of the pipe, or
else from the content.
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

from streameval.base.errors import replace_in_messages
from streameval.streams.readers.content import (
    CHUNK,
    READER_OF,
    is_zip,
    open_content,
    plain_name,
)

log = logging.getLogger(__name__)

#: The path that stands for the standard input, also on systems without such a file.
STDIN = "/dev/stdin"
_STDIN_NAMES = (STDIN, "/dev/fd/0", "/proc/self/fd/0")
#: Seconds until a warning that a pipe has no writer yet.
_WARNING_DELAY = 2.0
#: Bytes at the start of a content from which its format is inferred.
_HEAD = 1 << 16
#: The beginning of an ARFF file.
_ARFF = re.compile(rb"(\xef\xbb\xbf)?(\s*%[^\n]*\n|\s)*@relation\b", re.IGNORECASE)


def is_pipe(path: str | Path) -> bool:
    """Whether a path can be read only once: a pipe, or the standard input if it is no device."""
    try:
        if str(path) in _STDIN_NAMES:
            return not stat.S_ISCHR(os.fstat(0).st_mode)
        return stat.S_ISFIFO(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False


class PipeCopies:
    """A context with files to read instead of pipes.

    Copies are made when they are needed, and removed at the end. Messages inside the context name
    the pipe instead of its copy.
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
            self._copies[name] = self._stack.enter_context(_copy_of(Path(path)))
        return self._copies[name]


@contextmanager
def _copy_of(path: Path) -> Iterator[Path]:
    """Yield the path of a copy of the content of a pipe; it is removed when the context ends."""
    with tempfile.TemporaryDirectory(prefix="streameval-") as folder:
        copy = Path(folder) / path.name
        try:
            with _open_pipe(path) as source, copy.open("wb") as target:
                shutil.copyfileobj(source, target, CHUNK)
        except OSError as error:
            # Only an error on opening names a file; other errors concern the space for the copy.
            place = str(Path(folder).parent if error.filename is None else path)
            raise OSError(error.errno, error.strerror, place) from error
        # The content is examined under the first name of the copy, and read under the second.
        with replace_in_messages(str(copy), str(path)):
            ending = Path(plain_name(copy.name)).suffix.lower()
            if ending not in READER_OF:
                copy = copy.rename(f"{copy}{_ending(copy)}")
        with replace_in_messages(str(copy), str(path)):
            yield copy


@contextmanager
def _open_pipe(path: Path) -> Iterator[BinaryIO]:
    """Open a pipe for reading; warn if no process writes to it for some time."""
    if str(path) in _STDIN_NAMES:
        with open(0, "rb", closefd=False) as file:
            yield file
        return
    message = f"streameval: {path}: waiting for a writer."
    timer = Timer(_WARNING_DELAY, log.warning, (message,))
    timer.daemon = True
    timer.start()
    try:
        file = path.open("rb")  # blocks until there is a writer
    finally:
        timer.cancel()
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
