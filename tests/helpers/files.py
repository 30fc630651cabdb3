"""Files that tests write."""

from __future__ import annotations

from pathlib import Path


def write(folder: Path, content: str | bytes, name: str = "a.csv") -> Path:
    """Write bytes, or a text in UTF-8, into a file of a folder; return its path."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def write_arff(folder: Path, content: str | bytes, name: str = "a.arff") -> Path:
    """Write an ARFF file; see `write`."""
    return write(folder, content, name)
