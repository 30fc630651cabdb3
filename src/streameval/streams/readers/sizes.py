"""About how much memory the instances of a file take, before it is read."""

from __future__ import annotations

from pathlib import Path

from streameval.streams.pieces import evaluation_bytes
from streameval.streams.readers.content import WRAPPERS

#: Bytes at the start of a text from which its rows are estimated.
_HEAD = 1 << 20


def estimated_bytes(path: Path) -> int:
    """Return about how many bytes an evaluation in one go takes; 0 if a file is compressed."""
    if not path.is_file() or path.suffix.lower() in WRAPPERS:
        return 0
    if path.suffix.lower() == ".parquet":
        return _of_table(path)
    with path.open("rb") as file:
        head = file.read(_HEAD)
    *lines, _ = head.rsplit(b"\n", 2) if head.count(b"\n") > 1 else [b"", b""]
    last = lines[-1]
    inputs = max(last.count(mark) for mark in (b",", b";", b"\t", b"|"))
    rows = head.count(b"\n") * path.stat().st_size // max(1, len(head))
    return evaluation_bytes(rows, inputs)


def _of_table(path: Path) -> int:
    import pyarrow.parquet as pq  # a tenth of a short run on a text

    from streameval.streams.columnar import DAMAGE

    try:
        with pq.ParquetFile(path) as file:
            return evaluation_bytes(file.metadata.num_rows, file.metadata.num_columns - 1)
    except DAMAGE:
        return 0
