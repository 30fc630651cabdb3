"""Digests of the files of a run, each in a hidden folder beside its file."""

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
    """Content of a digest file: SHA-256 of the file and the lines below; names of columns."""
    lines = "".join(f"{name}\n" for name in numbers)
    return f"{hashlib.sha256(content + lines.encode()).hexdigest()}\n{lines}"


def check_written(path: str | Path) -> None:
    """Refuse a file that was changed since it was written; a file without a digest passes."""
    path = Path(path)
    if digest_file(path).is_file():
        verify_digest(path, path.read_bytes())


def verify_digest(path: Path, content: bytes) -> list[str]:
    """Names of the columns of numbers, which a digest file lists; DamageError if it differs."""
    kept = digest_file(path)
    text = kept.read_bytes().decode(errors="replace")
    numbers = text.split("\n")[1:-1]
    if text != _digest_text(content, numbers):
        raise DamageError(
            f"{path}: expected the file that the pipeline wrote, found other content: it, or its "
            f"digest in {kept}, was damaged or edited. Delete it and run again; to use it as it "
            f"is, delete {kept}.",
            path,
        )
    return numbers


def digest_file(path: Path) -> Path:
    """Path of the file that holds the digest of another."""
    return path.parent / ".digests" / f"{path.name}.sha256"


def file_digest(path: str | Path) -> str:
    """SHA-256 of a file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
