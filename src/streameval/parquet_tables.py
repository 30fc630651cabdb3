"""Large tables of a run on disk: Parquet, for what no person reads."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from streameval.errors import DataError, excerpt
from streameval.files import written_aside


def write_parquet(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table to a temporary file and rename it; equal content gives equal bytes."""
    table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()
    with written_aside(Path(path)) as part:
        pq.write_table(table, part, compression="zstd")


def read_parquet(path: str | Path) -> pd.DataFrame:
    """Read a table of `write_parquet`.

    Raises
    ------
    DataError
        If the table is missing or damaged.
    """
    try:
        table: pd.DataFrame = pq.ParquetFile(path).read().to_pandas()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise DataError(
            f"{path}: expected a table that the pipeline wrote, found {type(error).__name__}: "
            f"{excerpt(error)}. Delete it and run again."
        ) from error
    return table
