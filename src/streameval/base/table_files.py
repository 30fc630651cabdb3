"""Tables of a run as CSV or, if they are large, Parquet files; and files with their digests."""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pandas as pd
from pandas.api.types import is_float_dtype

from streameval.base.errors import DamageError, excerpt
from streameval.base.file_digests import (
    check_unchanged,
    digest_path,
    verify_digest,
    write_digest,
)
from streameval.base.files import replacing_file, write_text


def write_csv(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table to a temporary file and rename it; equal content gives equal bytes.

    A file in a hidden folder has the SHA-256 of the table, and the names of its float columns for
    `read_csv_table`.
    """
    text = frame.to_csv(index=False, lineterminator="\n")
    float_columns = [str(name) for name, dtype in frame.dtypes.items() if is_float_dtype(dtype)]
    write_text(path, text)
    write_digest(path, text.encode(), float_columns)


def read_csv_table(path: str | Path) -> pd.DataFrame:
    """Read a table of `write_csv`; empty cells are NaN in columns of numbers and "" elsewhere.

    Tables that come with the project have no digest and are not checked. A column of such a table
    is numeric if it has non-empty cells and all of them are numbers.

    Raises
    ------
    DamageError
        If the table is missing, damaged, or changed since it was written.
    """
    path = Path(path)
    digest = digest_path(path)
    try:
        content = path.read_bytes()
        if not digest.is_file():
            frame = pd.read_csv(io.BytesIO(content), keep_default_na=False)
            return frame.apply(_numbers)
        float_columns = verify_digest(path, content)
        missing = {name: [""] for name in float_columns}
        return pd.read_csv(io.BytesIO(content), keep_default_na=False, na_values=missing)
    except (OSError, ValueError) as error:  # pandas' own errors are ValueErrors
        raise DamageError(
            f"{path}: expected a CSV table, found {type(error).__name__}: {excerpt(error)}. Delete "
            "it and run again.",
            path,
        ) from error


def _numbers(column: pd.Series) -> pd.Series:
    """A column as numbers if its cells are numbers or empty; otherwise unchanged."""
    filled = column[column != ""]
    # All cells are empty, or none is: then pandas has found the type.
    if not len(filled) or len(filled) == len(column):
        return column
    numbers = pd.to_numeric(filled, errors="coerce")
    return column if numbers.isna().any() else numbers.reindex(column.index)


def write_parquet(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a large table to a temporary file and rename it; only programs read such tables.

    Unlike `write_csv`, it writes no digest: call `write_digest` for it.
    """
    import pyarrow as pa  # imported here, as most tables are CSV
    from pyarrow import parquet

    table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()
    with replacing_file(Path(path)) as part:
        parquet.write_table(table, part, compression="zstd")


def read_parquet_table(path: str | Path) -> pd.DataFrame:
    """Read a table of `write_parquet`."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        check_unchanged(path)
        table: pd.DataFrame = parquet.ParquetFile(path).read().to_pandas()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise DamageError(
            f"{path}: expected a table that the pipeline wrote, found {type(error).__name__}: "
            f"{excerpt(error)}. Delete it and run again.",
            path,
        ) from error
    return table


def concatenate_streams(
    frames: Mapping[str, pd.DataFrame], simulated: Collection[str], columns: Sequence[str]
) -> pd.DataFrame:
    """Concatenate the frames of several streams, with the columns stream and simulated."""
    parts = [
        part.assign(stream=name, simulated=name in simulated)[list(columns)]
        for name, part in frames.items()
    ]
    return pd.concat(parts or [pd.DataFrame(columns=list(columns))], ignore_index=True)
