"""The memory that an evaluation of a file probably takes."""

from __future__ import annotations

from pathlib import Path

from streameval.base.errors import DataError
from streameval.streams.pieces import evaluation_bytes
from streameval.streams.readers.content import WRAPPERS

#: Bytes at the start of a text from which its rows are estimated.
_HEAD = 1 << 20


def estimated_bytes(path: Path) -> int:
    """Return about how many bytes an evaluation in one go takes; 0 if a file is compressed."""
    if path.is_dir() or (path.is_file() and path.suffix.lower() == ".parquet"):
        return _evaluation_of_table(path)
    if not path.is_file() or path.suffix.lower() in WRAPPERS:
        return 0
    with path.open("rb") as file:
        head = file.read(_HEAD)
    *lines, _ = head.rsplit(b"\n", 2) if head.count(b"\n") > 1 else [b"", b""]
    last = lines[-1]
    inputs = max(last.count(mark) for mark in (b",", b";", b"\t", b"|"))
    rows = head.count(b"\n") * path.stat().st_size // max(1, len(head))
    return evaluation_bytes(rows, inputs)


def _evaluation_of_table(path: Path) -> int:
    from streameval.streams.columnar import DAMAGE
    from streameval.streams.readers.parquet_parts import ParquetParts  # a tenth of a short run

    try:
        table = ParquetParts.of(path)
    except (*DAMAGE, DataError):
        return 0
    return evaluation_bytes(table.rows, len(table.schema) - 1)
