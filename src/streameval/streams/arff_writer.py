"""Writing ARFF, the format of Weka and MOA."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.errors import DataError
from streameval.files import written_aside
from streameval.streams.stream import Stream

#: Rows that are turned into text at a time.
BLOCK = 1 << 14
#: Texts that every reader of the format accepts without quotes.
_BARE = re.compile(r"[\w.+-]+", re.ASCII)
_ESCAPES = str.maketrans({"\\": r"\\", "'": r"\'", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


def write_arff(stream: Stream, path: str | Path) -> None:
    """Write a stream as ARFF, the target last; `read_arff` reads it back unchanged.

    Numbers have as many digits as it takes to read back the same doubles; missing values
    are ``?``. ARFF has no time stamps, so those of the stream are left out.

    Parameters
    ----------
    stream : Stream
        The stream.
    path : str or Path
        The new file; its folder is created if needed.

    Raises
    ------
    DataError
        If the stream contains an infinite number, which ARFF cannot express.
    """
    schema = stream.schema
    kinds = [*((a.name, a.values) for a in schema.attributes), (schema.target, schema.classes)]
    texts = [None if values is None else [*map(_quoted, values)] for _, values in kinds]
    with written_aside(Path(path)) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"@relation {_quoted(stream.name)}\n")
        for (name, _), values in zip(kinds, texts, strict=True):
            declared = "numeric" if values is None else "{" + ",".join(values) + "}"
            file.write(f"@attribute {_quoted(name)} {declared}\n")
        file.write("@data\n")
        for start in range(0, len(stream), BLOCK):
            rows = slice(start, start + BLOCK)
            columns = [*stream.X[rows].T, stream.y[rows]]
            cells = [_cells(*column) for column in zip(columns, texts, strict=True)]
            _check_finite(stream, columns, start)
            file.writelines(",".join(row) + "\n" for row in zip(*cells, strict=True))


def _cells(column: NDArray[Any], values: list[str] | None) -> Iterable[str]:
    """Return the texts of a column's numbers, or of the `values` that its codes stand for."""
    if values is None:
        # NaN is the only number that differs from itself.
        return (repr(x) if x == x else "?" for x in column.astype(np.float64).tolist())
    # What is missing, NaN or the code of no label, selects the last text.
    codes = np.where(np.isnan(column) | (column < 0), len(values), column).astype(np.intp)
    return np.array([*values, "?"], dtype=object)[codes]


def _check_finite(stream: Stream, columns: list[NDArray[Any]], start: int) -> None:
    for j, column in enumerate(columns):
        infinite = np.flatnonzero(np.isinf(column))
        if infinite.size:
            names = [*(a.name for a in stream.schema.attributes), stream.schema.target]
            raise DataError(
                f"Stream {stream.name!r}, row {start + int(infinite[0])}: {names[j]!r} is "
                f"{column[infinite[0]]}, which ARFF cannot express. Replace it by a finite number, "
                "or by NaN if it is missing."
            )


def _quoted(text: str) -> str:
    return text if _BARE.fullmatch(text) else f"'{text.translate(_ESCAPES)}'"
