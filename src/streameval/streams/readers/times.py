"""Columns with the times of instances and of their labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from streameval.errors import ConfigError, DataError, near, some
from streameval.streams.stream import NEVER, Stream


def with_times(path: Path, stream: Stream, time: str | None, label_time: str | None) -> Stream:
    """Return a stream with two of its inputs as the times of its instances and labels.

    Parameters
    ----------
    path : Path
        The file, for messages.
    stream : Stream
        With the times among its inputs: whole numbers, or dates as seconds.
    time, label_time : str, optional
        The inputs that say when each instance and each label arrives. A missing label time means
        that the label never arrives.

    Raises
    ------
    ConfigError
        If there are label times without times.
    DataError
        If a column is not there, or holds no times.
    """
    if time is None:
        if label_time is not None:
            raise ConfigError(
                f"{path}: label_time needs the option time too: the column that says when each "
                "instance arrives."
            )
        return stream
    arrival, label_arrival = _times(path, stream, time, None), None
    if label_time is not None:
        label_arrival = _times(path, stream, label_time, NEVER)
        early = np.flatnonzero(label_arrival < arrival)
        if len(early):
            raise DataError(
                f"{path}: expected labels to arrive after their instances, found an earlier time "
                f"in {label_time!r} than in {time!r} at instance {early[0] + 1}."
            )
    names = [attribute.name for attribute in stream.schema.attributes]
    inputs = [i for i, name in enumerate(names) if name not in (time, label_time)]
    attributes = tuple(stream.schema.attributes[i] for i in inputs)
    return replace(
        stream,
        X=np.ascontiguousarray(stream.X[:, inputs]),
        schema=replace(stream.schema, attributes=attributes),
        time=arrival,
        label_time=label_arrival,
    )


def _times(path: Path, stream: Stream, column: str, absent: int | None) -> NDArray[np.int64]:
    names = [attribute.name for attribute in stream.schema.attributes]
    if column not in names:
        raise DataError(
            f"{path}: there is no column {column!r} with times; there are {some(names)}. "
            f"{near(column, names)}".rstrip()
        )
    at = names.index(column)
    values = stream.X[:, at]
    missing = np.isnan(values)
    wrong = np.zeros_like(missing) if absent is not None else missing
    with np.errstate(invalid="ignore"):
        wrong = wrong | (~missing & ((values != np.floor(values)) | (np.abs(values) > 2.0**53)))
    if stream.schema.attributes[at].values is not None or wrong.any():
        row = int(np.flatnonzero(wrong)[0]) + 1 if wrong.any() else 1
        raise DataError(
            f"{path}: expected times in the column {column!r}, whole numbers or dates, found "
            f"another value at instance {row}."
        )
    times = np.full(len(values), NEVER if absent is None else absent, dtype=np.int64)
    times[~missing] = values[~missing].astype(np.int64)
    return times
