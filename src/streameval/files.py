"""Writing files that are there whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def beside(stem: Path | str, ending: str) -> Path:
    """Return ``stem`` with an ending; dots in its name, as in ``rbf_50_0.001``, are kept."""
    stem = Path(stem)
    return stem.parent / f"{stem.name}.{ending}"


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """Give a place in the same folder to write to; what is there takes its name at the end.

    Nothing of an attempt that fails is left behind, and an older file stays as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".part-") as aside:
        part = Path(aside) / path.name
        yield part
        part.replace(path)


def write_text(path: str | Path, text: str) -> None:
    """Write a UTF-8 text, aside and then renamed."""
    with written_aside(Path(path)) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
