"""Reading data frames of pandas and of other packages with Arrow's interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from streameval.base.errors import DataError, StreamevalError, excerpt
from streameval.base.values import names_of
from streameval.streams.readers.block_table import encode_table
from streameval.streams.readers.reading import stream_of
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import Origin, check_column_names, columns_to_read
from streameval.streams.readers.values import MISSING, ValueRules
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd

#: Name of a frame in messages, and default name of its stream.
_FRAME = "DataFrame"


def read_frame(
    frame: pd.DataFrame | Any,
    target: object,
    *,
    drop: Iterable[str] = (),
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    missing: Sequence[str] = MISSING,
    time: str | None = None,
    label_time: str | None = None,
    numeric_target: bool = False,
    name: str | None = None,
) -> Stream:
    """Read a data frame of pandas or polars; see `streameval.streams.readers.values` for values.

    As in Parquet, texts are nominal even if they look like numbers, and a column of categories is
    nominal. The index is not a column; the stream keeps it as row labels.

    Parameters
    ----------
    frame : DataFrame
        Of pandas, or of another package with Arrow's interface.
    target : object
        Name of the column to predict.
    drop, nominal : iterable of str
        Columns to leave out, and nominal columns.
    numeric : iterable of str
        Columns whose texts must be numbers.
    missing : sequence of str
        Texts that mean a missing value. Null and NaN are missing, too.
    time, label_time : str, optional
        Columns with the times of instances, and of the arrival of their labels.
    numeric_target : bool
        Whether the target is a number.
    name : str, optional
        Name of the stream.
    """
    # Messages name a row by its number in frame.iloc.
    origin = Origin(Path(_FRAME), line_of=lambda row: row, unit="iloc")
    names, column_readers = _columns(frame)
    check_column_names(origin.path, names)
    times = [column for column in (time, label_time) if column is not None]
    selected = set(
        columns_to_read(origin.path, names, str(target), names_of(drop, "drop"), times=times)
    )
    numeric = names_of(numeric, "numeric")
    columns = {
        column: read()
        for column, read in zip(names, column_readers, strict=True)
        if column in selected
    }
    categories = {
        column
        for column, values in columns.items()
        if pa.types.is_dictionary(values.type) and column != str(target)
    }
    nominal = {*names_of(nominal, "nominal"), *(categories - {*numeric})}
    rules = ValueRules(names_of(missing, "missing"))
    roles = Roles(
        str(target),
        tuple(nominal),
        numeric,
        rules,
        numeric_target,
        has_types=True,  # texts that look like numbers stay nominal
        time=time,
        label_time=label_time,
    )
    roles.check(origin, names)
    stream = stream_of(encode_table(origin, columns, roles), roles, name)
    return with_index(stream, frame)


def with_index(stream: Stream, frame: Any) -> Stream:
    """Stream with the index of its frame, so that series can be aligned with its rows."""
    import pandas as pd

    if not isinstance(frame, pd.DataFrame) or frame.index.equals(pd.RangeIndex(len(frame))):
        return stream
    source_rows = stream.source_rows_or_all  # rows of the frame, all if none was selected
    return replace(stream, source_rows=replace(source_rows, index=frame.index))


def _columns(frame: Any) -> tuple[list[str], list[Callable[[], pa.ChunkedArray]]]:
    """Column names of a frame, each with the function that reads the column."""
    import pandas as pd

    if isinstance(frame, pd.DataFrame):
        names = [str(label) for label in frame.columns]
        return names, [
            partial(_arrow_column, frame.iloc[:, j], name) for j, name in enumerate(names)
        ]
    try:
        table = pa.table(frame) if hasattr(frame, "__arrow_c_stream__") else None
    except (pa.ArrowException, ValueError, TypeError, NotImplementedError) as error:
        raise DataError(
            f"{_FRAME}: expected columns that Arrow can read, found {excerpt(error)}. Convert or "
            "drop them."
        ) from error
    if table is None:
        raise DataError(
            f"Expected a DataFrame of pandas or of another package with Arrow's interface, found "
            f"{type(frame).__name__}. Convert it."
        )
    return table.column_names, [partial(_without_views, column) for column in table.columns]


def _without_views(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Column with strings in place of string views, which the readers do not know."""
    arrow_type = column.type
    if pa.types.is_dictionary(arrow_type) and pa.types.is_string_view(arrow_type.value_type):
        return column.cast(pa.dictionary(pa.int32(), pa.string()))
    return column.cast(pa.string()) if pa.types.is_string_view(arrow_type) else column


def _arrow_column(values: pd.Series[Any], name: str) -> pa.ChunkedArray:
    """Arrow column of a pandas series."""
    import pandas as pd

    if isinstance(values.dtype, pd.SparseDtype):
        values = values.astype(values.dtype.subtype)
    if isinstance(values.dtype, pd.CategoricalDtype):
        if isinstance(values.dtype.categories, pd.IntervalIndex):  # from pandas.cut
            values = values.cat.rename_categories(
                [str(interval) for interval in values.dtype.categories]
            )
    elif isinstance(values.dtype, pd.IntervalDtype):
        values = values.map(str, na_action="ignore").astype(object)
    try:
        array = pa.array(values, from_pandas=True)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise DataError(
            f"{_FRAME}: expected values of one type in the column {excerpt(name)!r}, numbers, "
            f"texts, truth values, dates or times; found {values.dtype} ({excerpt(error)}). "
            "Convert or drop it."
        ) from error
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def _one_column(labels: Any) -> Any:
    """Labels of shape (n,), from this shape or from (n, 1); several columns are refused."""
    shape: tuple[int, ...] = getattr(labels, "shape", ())
    if len(shape) != 2:
        return labels
    if shape[1] != 1:
        raise DataError(
            f"y: expected one target, found {shape[1]} columns. Evaluate each target by itself; if "
            "they are one class in one-hot form, give its name or number (numpy.argmax(y, axis=1))."
        )
    return labels.iloc[:, 0] if hasattr(labels, "iloc") else labels[:, 0]


def as_frame(values: Any, argument: str = "X") -> pd.DataFrame:
    """Inputs (`argument` is "X") or labels ("y") as a pandas frame with the default index.

    Raises DataError if `values` cannot be converted.
    """
    import pandas as pd

    if hasattr(values, "toarray"):
        raise DataError(
            f"{argument}: expected an array, found a sparse matrix ({type(values).__name__}). Give "
            f"{argument}.toarray(), or the columns that matter."
        )
    try:
        if argument == "y":
            frame = pd.Series(_one_column(values)).to_frame()
        elif not isinstance(values, pd.DataFrame) and hasattr(values, "__arrow_c_stream__"):
            frame = pa.table(values).to_pandas()
        else:
            frame = pd.DataFrame(values)
        frame = frame.infer_objects()
    except StreamevalError:
        raise
    except UnicodeError as error:
        raise DataError(
            f"{argument}: expected texts, found half a character, a lone surrogate "
            f"({excerpt(error)}). Correct it."
        ) from error
    except Exception as error:  # the errors of pandas are not documented
        raise DataError(
            "Expected X of shape (n, m) and y of shape (n,), found other values: "
            f"{argument} is {type(values).__name__} ({excerpt(error)})"
        ) from error
    return frame.reset_index(drop=True)
