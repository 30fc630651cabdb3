"""Reading data frames of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from streameval.errors import DataError, excerpt
from streameval.streams.readers.columns import to_stream
from streameval.streams.readers.roles import MISSING, Roles
from streameval.streams.readers.table import Origin, check_names, kept
from streameval.streams.stream import Stream
from streameval.values import names_of

if TYPE_CHECKING:
    import pandas as pd

#: What messages call a frame, and the stream of one without a name.
_FRAME = "DataFrame"


def read_frame(
    frame: pd.DataFrame,
    target: object,
    *,
    drop: Iterable[str] = (),
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    missing: Sequence[str] = MISSING,
    time: str | None = None,
    label_time: str | None = None,
    day_first: bool | None = None,
    numeric_target: bool = False,
    name: str | None = None,
) -> Stream:
    """Read a data frame; `streameval.streams.readers.table` defines the meaning of values.

    Columns have types, as in Parquet: texts are names, also where they look like numbers. A column
    of categories is nominal even if these are numbers. The index is no column.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows in stream order; it is not changed.
    target : object
        The column to predict.
    drop, nominal, numeric, missing, time, label_time, day_first, numeric_target
        See `streameval.streams.readers.parquet_file.read_parquet`.
    name : str, optional
        Name of the stream.

    Raises
    ------
    DataError
        If it is no frame with such a target, or a column can be no attribute.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise DataError(
            f"Expected a DataFrame of pandas, found {type(frame).__name__}. Convert it."
        )
    origin = Origin(Path(_FRAME), lambda row: row, "iloc")
    names = [str(label) for label in frame.columns]
    check_names(origin.path, names)
    wanted = set(kept(origin.path, names, str(target), names_of(drop, "drop")))
    numeric = names_of(numeric, "numeric")
    categories = {
        column
        for column, kind in zip(names, frame.dtypes, strict=True)
        if column in wanted and isinstance(kind, pd.CategoricalDtype) and column != str(target)
    }
    nominal = {*names_of(nominal, "nominal"), *(categories - {*numeric})}
    missing = names_of(missing, "missing")
    roles = Roles(
        str(target),
        tuple(nominal),
        numeric,
        missing,
        numeric_target,
        typed=True,
        time=time,
        label_time=label_time,
        day_first=day_first,
    )
    roles.check(origin, names)
    columns = {
        column: _column(frame.iloc[:, place], column)
        for place, column in enumerate(names)
        if column in wanted
    }
    return to_stream(origin, columns, roles, name)


def _column(values: pd.Series[Any], column: str) -> pa.ChunkedArray:
    import pandas as pd

    if isinstance(values.dtype, pd.SparseDtype):
        values = values.astype(values.dtype.subtype)
    try:
        array = pa.array(values, from_pandas=True)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise DataError(
            f"{_FRAME}: expected values of one type in the column {excerpt(column)!r}, numbers, "
            f"texts, truth values, dates or times; found {values.dtype} ({excerpt(error)}). "
            "Convert or drop it."
        ) from error
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])
