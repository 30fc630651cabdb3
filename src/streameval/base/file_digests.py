"""Digests of the files of a run, in hidden folders beside the files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from streameval.base.errors import DamageError
from streameval.base.files import write_text


def write_digest(
    path: str | Path, content: bytes | None = None, float_columns: Sequence[str] = ()
) -> None:
    """Write the digest of a file for `check_unchanged`, with the names of a table's float columns.

    Without `content`, the file is read.
    """
    content = Path(path).read_bytes() if content is None else content
    write_text(digest_path(Path(path)), _digest_text(content, float_columns))


def _digest_text(content: bytes, float_columns: Sequence[str]) -> str:
    """Content of a digest file: a SHA-256, then the names of the float columns, one in a line.

    The SHA-256 covers the file and these lines.
    """
    lines = "".join(f"{name}\n" for name in float_columns)
    return f"{hashlib.sha256(content + lines.encode()).hexdigest()}\n{lines}"


def check_unchanged(path: str | Path) -> None:
    """Refuse a file that was changed since it was written.

    A file without a digest passes: users delete the digest to accept an edited file.
    """
    path = Path(path)
    if digest_path(path).is_file():
        verify_digest(path, path.read_bytes())


def verify_digest(path: Path, content: bytes) -> list[str]:
    """Check a file against its digest, and return the names of its float columns."""
    digest = digest_path(path)
    text = digest.read_bytes().decode(errors="replace")  # a damaged digest may not be UTF-8
    float_columns = text.split("\n")[1:-1]  # between the digest and the final line feed
    if text != _digest_text(content, float_columns):
        raise DamageError(
            f"{path}: expected the file that the pipeline wrote, found other content: it, or its "
            f"digest in {digest}, was damaged or edited. Delete it and run again; to use it "
            f"as it is, delete {digest}.",
            path,
        )
    return float_columns


def digest_path(path: Path) -> Path:
    """Path of the file that has the digest of `path`."""
    return path.parent / ".digests" / f"{path.name}.sha256"


def file_digest(path: str | Path) -> str:
    """SHA-256 of a file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
