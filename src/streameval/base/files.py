"""Atomic writing: a file is written completely or not at all."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

#: Prefix of the names of temporary folders.
PART_PREFIX = ".part-"
#: Age in seconds at which an unchanged temporary folder counts as left by a killed process.
_LEFT_BEHIND_SECONDS = 86_400


def with_ending(stem: Path | str, ending: str) -> Path:
    """Path `stem` with an ending added; dots in its name, as in ``rbf_50_0.001``, stay."""
    stem = Path(stem)
    return stem.parent / f"{stem.name}.{ending}"


def check_writable(folder: Path) -> None:
    """Raise an OSError that names a folder if nothing can be written into it."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(4096))  # a full disk may still have room for an empty file
            probe.flush()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from None


@contextmanager
def replacing_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path in the same folder; the file there is renamed to `path` at the end.

    A failed attempt leaves nothing behind; files of killed processes are removed after a day.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_left_behind(path.parent)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=PART_PREFIX) as temporary:
        part = Path(temporary) / path.name
        yield part
        part.replace(path)


def _remove_left_behind(folder: Path) -> None:
    oldest_allowed = time.time() - _LEFT_BEHIND_SECONDS
    for temporary in folder.glob(f"{PART_PREFIX}*"):
        with suppress(OSError):  # another process may remove the folder at the same time
            if (
                max(path.stat().st_mtime for path in (temporary, *temporary.iterdir()))
                < oldest_allowed
            ):
                shutil.rmtree(temporary, ignore_errors=True)


def write_text(path: str | Path, text: str) -> None:
    """Write a UTF-8 text; see `replacing_file`."""
    with replacing_file(Path(path)) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def write_figure(figure: Any, path: Path, **options: Any) -> None:
    """Write a figure in the format of its ending.

    It is drawn in memory first, since matplotlib hides why a PDF cannot be written to a file.
    """
    content = BytesIO()
    figure.savefig(content, format=path.suffix[1:], **options)
    with replacing_file(path) as part:
        part.write_bytes(content.getvalue())
