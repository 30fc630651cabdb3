"""Tables of a run on disk: plain CSV, each with a digest in a file."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pandas as pd

from streameval.errors import DataError, excerpt
from streameval.files import write_text

#: Columns of numbers that may be undefined.
NUMERIC_COLUMNS = ("value", "share", "delta", "probability", "size", "gain", "low", "high")


def write_csv(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table to a temporary file and rename it; equal content gives equal bytes.

    Its SHA-256 is written to a hidden folder next to it, for `read_csv`.
    """
    path, text = Path(path), frame.to_csv(index=False, lineterminator="\n")
    write_text(path, text)
    write_text(_digest_file(path), f"{hashlib.sha256(text.encode()).hexdigest()}\n")


def read_csv(path: str | Path) -> pd.DataFrame:
    """Read a table of `write_csv`; empty cells are NaN in `NUMERIC_COLUMNS` and "" elsewhere.

    Tables that come with the project have no digest and are not checked.

    Raises
    ------
    DataError
        If the table is missing, damaged, or changed since it was written.
    """
    path = Path(path)
    kept = _digest_file(path)
    try:
        content = path.read_bytes()
        expected = kept.read_bytes().strip() if kept.is_file() else None
        if expected is not None and expected != hashlib.sha256(content).hexdigest().encode():
            raise DataError(
                f"{path}: expected the table that the pipeline wrote, found other content: it was "
                f"damaged or edited. Delete it and run again; to use it as it is, delete {kept}."
            )
        missing = {key: [""] for key in NUMERIC_COLUMNS}
        return pd.read_csv(io.BytesIO(content), keep_default_na=False, na_values=missing)
    except (OSError, ValueError) as error:  # pandas' own errors are ValueErrors
        raise DataError(
            f"{path}: expected a CSV table, found {type(error).__name__}: {excerpt(error)}. Delete "
            "it and run again."
        ) from error


def _digest_file(path: Path) -> Path:
    return path.parent / ".digests" / f"{path.name}.sha256"


def digest(path: str | Path) -> str:
    """Return the SHA-256 of a file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
