"""Reading tables in Parquet format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from streameval.errors import DataError, excerpt
from streameval.streams.columnar import DAMAGE
from streameval.streams.readers.columns import to_stream
from streameval.streams.readers.content import check_readable
from streameval.streams.readers.roles import MISSING, Roles
from streameval.streams.readers.table import Origin, check_names, kept
from streameval.streams.stream import Stream
from streameval.values import name_of, names_of


def read_parquet(
    path: str | Path,
    target: str,
    *,
    drop: Iterable[str] = (),
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    missing: Sequence[str] = MISSING,
    numeric_target: bool = False,
    name: str | None = None,
    time: str | None = None,
    label_time: str | None = None,
    day_first: bool | None = None,
) -> Stream:
    """Read a table in Parquet format.

    `streameval.streams.readers.table` defines the meaning of values.

    Parameters
    ----------
    path : str or Path
        The file.
    target : str
        Name of the column to predict.
    drop : iterable of str
        Columns to leave out.
    nominal : iterable of str
        Columns whose numbers are names: they become nominal.
    numeric : iterable of str
        Columns whose texts must be numbers.
    missing : sequence of str
        Texts that mean a missing value, besides null and NaN.
    numeric_target : bool
        The target is a number, not a class.
    name : str, optional
        Name of the stream, by default that of the file.
    time, label_time : str, optional
        Columns that say when each instance and each label arrives; see `timed_stream`.
    day_first : bool, optional
        Whether times that are texts such as 03/04/2020 start with the day.

    Returns
    -------
    Stream
        The rows in the order of the file.

    Raises
    ------
    DataError
        If the file is not a table with such a target, or a column cannot be used.
    """
    path, target = Path(path), name_of(target, "target")
    check_readable(path)
    # A table has no lines: messages give its rows, counted from 1.
    origin = Origin(path, lambda row: row + 1, "row")
    roles = Roles(
        target,
        names_of(nominal, "nominal"),
        names_of(numeric, "numeric"),
        names_of(missing, "missing"),
        numeric_target,
        typed=True,
        time=time,
        label_time=label_time,
        day_first=day_first,
    )
    columns = _columns(origin, roles, names_of(drop, "drop"))
    return to_stream(origin, columns, roles, name)


def _columns(origin: Origin, roles: Roles, drop: Sequence[str]) -> dict[str, pa.ChunkedArray]:
    try:
        with pq.ParquetFile(origin.path) as file:
            names = file.schema_arrow.names
            check_names(origin.path, names)
            wanted = kept(origin.path, names, roles.target, drop)
            roles.check(origin, names)
            content = file.read(columns=wanted)
            # A damaged file may have invalid texts, and indices outside their lists.
            content.validate(full=True)
            return {column: content.column(column) for column in wanted}
    except DAMAGE as error:
        raise DataError(
            f"{origin.path}: expected a Parquet file, found {excerpt(error)}. Check the file."
        ) from error
