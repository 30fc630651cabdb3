"""Digests of the files of a run, in hidden folders beside the files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from streameval.base.errors import DamageError
from streameval.base.files import write_text


def write_digest(
    path: str | Path, content: bytes | None = None, numbers: Sequence[str] = ()
) -> None:
    """Write the digest of a file for `check_written`, with the names of a table's float columns.

    Without `content`, the file is read.
    """
    content = Path(path).read_bytes() if content is None else content
    write_text(digest_file(Path(path)), _digest_text(content, numbers))


def _digest_text(content: bytes, numbers: Sequence[str]) -> str:
    """Content of a digest file: a SHA-256 of the file and of the next lines, the column names."""
    lines = "".join(f"{name}\n" for name in numbers)
    return f"{hashlib.sha256(content + lines.encode()).hexdigest()}\n{lines}"


def check_written(path: str | Path) -> None:
    """Refuse a file that was changed since it was written; a file without a digest passes."""
    path = Path(path)
    if digest_file(path).is_file():
        verify_digest(path, path.read_bytes())


def verify_digest(path: Path, content: bytes) -> list[str]:
    """Check a file against its digest, and return the names of its float columns."""
    digest_path = digest_file(path)
    text = digest_path.read_bytes().decode(errors="replace")
    numbers = text.split("\n")[1:-1]  # between the digest and the final line feed
    if text != _digest_text(content, numbers):
        raise DamageError(
            f"{path}: expected the file that the pipeline wrote, found other content: it, or its "
            f"digest in {digest_path}, was damaged or edited. Delete it and run again; to use it "
            f"as it is, delete {digest_path}.",
            path,
        )
    return numbers


def digest_file(path: Path) -> Path:
    """Path of the file with the digest of another file."""
    return path.parent / ".digests" / f"{path.name}.sha256"


def file_digest(path: str | Path) -> str:
    """SHA-256 of a file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
