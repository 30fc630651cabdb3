"""Streams with additional inputs: lagged labels and lagged inputs, and inputs that are always 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.base.matrices import BLOCK_ROWS, empty_matrix
from streameval.streams.stream import Attribute, Schema, Stream, columns_at


def with_lags(
    stream: Stream,
    rows: NDArray[np.intp],
    labels: list[Floats],
    lagged_rows: list[NDArray[np.intp]],
    name: str,
) -> Stream:
    """Rows of a stream, preceded by lagged labels and lagged inputs, without time stamps.

    `labels` holds the class codes of each label lag, the largest first, with NaN where there is no
    label. `lagged_rows` holds the row of the inputs of each input lag, the largest first, with -1
    where there is no such row. A row may occur more than once, with different lagged values.
    """
    m = stream.schema.n_attributes
    X = empty_matrix(len(rows), len(labels) + m * (len(lagged_rows) + 1))
    for begin in range(0, len(rows), BLOCK_ROWS):  # blocks, to need little memory
        block_rows = slice(begin, begin + BLOCK_ROWS)
        for column, label in enumerate(labels):
            X[block_rows, column] = label[block_rows]
        for i, lag_rows in enumerate([*lagged_rows, rows]):
            first_column = len(labels) + m * i
            inputs = X[block_rows, first_column : first_column + m]
            source_rows = lag_rows[block_rows]
            inputs[...] = stream.X[source_rows]  # row -1 is the last; overwritten below
            inputs[source_rows < 0] = np.nan
    schema = _schema(stream.schema, label_lags=len(labels), input_lags=len(lagged_rows))
    # Rows may be in any order and occur more than once, so they have no times.
    columns = columns_at(stream, rows) | {"time": None, "label_time": None}
    return replace(stream, X=X, schema=schema, name=name, **columns)


def _schema(schema: Schema, label_lags: int, input_lags: int) -> Schema:
    lagged_labels = [
        Attribute(f"{schema.target}[t-{lag}]", schema.classes) for lag in range(label_lags, 0, -1)
    ]
    lagged_inputs = [
        Attribute(f"{attribute.name}[t-{lag}]", attribute.values)
        for lag in range(input_lags, 0, -1)
        for attribute in schema.attributes
    ]
    return replace(schema, attributes=(*lagged_labels, *lagged_inputs, *schema.attributes))


def with_constant_inputs(stream: Stream, count: int) -> Stream:
    """Stream with `count` more inputs at the end, which are always 0."""
    if count == 0:
        return stream
    names = (f"constant {i + 1}" for i in range(count))
    attributes = (*stream.schema.attributes, *map(Attribute, names))
    m = stream.schema.n_attributes
    X = empty_matrix(len(stream), m + count)
    X[:, :m], X[:, m:] = stream.X, 0.0
    return replace(
        stream,
        X=X,
        schema=replace(stream.schema, attributes=attributes),
    )
