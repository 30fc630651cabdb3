"""The pieces of a user's own file, in any supported format; see `read_any`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from streameval.room import check_room
from streameval.streams.columnar import DAMAGE, has_stream
from streameval.streams.pieces import StreamPieces, pieces_of
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.arff import arff_blockwise
from streameval.streams.readers.content import READER_OF, content_name
from streameval.streams.readers.csv_file import csv_blockwise
from streameval.streams.readers.parquet_file import parquet_blockwise
from streameval.streams.readers.parts import REFUSED, Blockwise, UnclearError
from streameval.streams.readers.survey import surveyed
from streameval.values import names_of

#: The options of `read_any` that leave rows in their order, by reader.
_OPTIONS = {
    "arff": {"drop", "numeric"},
    "parquet": {"drop", "nominal", "numeric", "missing", "day_first"},
}
_LISTS = ("drop", "nominal", "numeric", "missing")
_OPTIONS["csv"] = {*_OPTIONS["parquet"], "separator", "decimal", "encoding"}
#: Bytes that a file takes when it is read as a whole, in bytes of the file: text and values.
_WHOLE = 3


def file_pieces(
    path: str | Path,
    target: str | None = None,
    *,
    progress: Callable[[int], object] | None = None,
    cache: bool = True,
    **options: Any,
) -> StreamPieces:
    """Return the pieces of a file, which is read once for its schema and once for each use.

    A file that only a look at the whole explains, or one with an error whose line is to be named,
    is read as a whole if it fits into the memory.

    Parameters
    ----------
    path, target, cache, **options
        As for `read_any`, without times.
    progress : callable, optional
        Called with the number of rows since the last call while the file is read first.

    Raises
    ------
    StreamevalError
        As `read_any`, or if it would have to be read as a whole and is too large for that.
    """
    path = Path(path)
    try:
        return surveyed(_blockwise(path, target, options), progress)
    except (*REFUSED, *DAMAGE) as error:
        check_room(
            _WHOLE * path.stat().st_size if path.is_file() else 0,
            f"{path} cannot be read in pieces ({error}). Read as a whole, it",
            "Correct the file, or name its columns of texts (--nominal COLUMN).",
        )
    return pieces_of(read_any(path, target, cache=cache, **options))


def _blockwise(path: Path, target: str | None, options: dict[str, Any]) -> Blockwise:
    given: dict[str, Any] = {
        name: names_of(value, name) if name in _LISTS else value
        for name, value in options.items()
        if value or (name == "day_first" and value is not None)
    }
    reader = READER_OF.get(Path(content_name(path)).suffix.lower(), "")
    if not given.keys() <= _OPTIONS.get(reader, set()):
        raise UnclearError("it has options of other files, or times")
    if reader == "parquet" and has_stream(path):
        raise UnclearError("a converted stream is checked as a whole")
    if reader == "arff":
        return arff_blockwise(path, target, **given)
    if target is None:
        raise UnclearError("it has no target")
    if reader == "parquet":
        return parquet_blockwise(path, target, **given)
    return csv_blockwise(path, target, **given)
