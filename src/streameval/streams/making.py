"""Making the streams of the registry, from files or by generators, and checking their contents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from streameval.base.errors import ConfigError, DataError, error_prefix
from streameval.streams.drift_marks import drift_row
from streameval.streams.registry import (
    FileSpec,
    GeneratorSpec,
    StreamSpec,
)
from streameval.streams.stream import Stream


def convert(spec: FileSpec, path: str | Path) -> Stream:
    """Read the raw file of a stream, or its file in the package, and check it against the entry.

    Raises DataError that lists all differences.
    """
    stream = spec.read(path)
    spec.check_drifts(len(stream))
    if spec.first:
        stream = stream.first(spec.first)
    for start in spec.used_drifts():
        drift_row(start, stream)  # raises an error if a date is not in the stream
    _, _, options = spec.reader_for(spec.is_in_package(path))
    if spec.class_counts or options.get("classes"):  # the entry gives their order
        stream = replace(stream, schema=replace(stream.schema, sorted_by_name=False))
    differences = shape_differences(stream, **spec.shape)
    differences += count_differences(stream, spec.class_counts)
    if differences:
        raise DataError(
            f"Stream {spec.id!r} from {path}: {'; '.join(differences)}. Check the file and the "
            "entry in the registry."
        )
    return _with_groups(replace(stream, source=spec.title, smoothing=spec.smoothing), spec)


def _with_groups(stream: Stream, spec: StreamSpec) -> Stream:
    """Stream grouped by the input that its entry names, if any."""
    if spec.group is None:
        return stream
    with error_prefix(f"Stream {spec.id!r}"):
        return stream.grouped(spec.group)


def synthesise(spec: GeneratorSpec) -> Stream:
    """Generate and check the stream of an entry; it has times if its labels are delayed."""
    spec.check()
    with error_prefix(f"Stream {spec.id!r}"):
        stream = spec.make().stream(spec.rows or 0)  # 0 is refused
        _check_shape(stream, spec.shape)
    stream = _with_groups(_with_description(spec, stream), spec)
    if spec.label_delay is None:
        return stream
    time = np.arange(len(stream))
    return replace(stream, time=time, label_time=time + spec.label_delay)


def _check_shape(stream: Stream, shape: Mapping[str, int | None]) -> None:
    differences = shape_differences(stream, **shape)
    if differences:
        raise ConfigError(f"{'; '.join(differences)}. Correct the parameters or these numbers.")


def _with_description(spec: GeneratorSpec, stream: Stream) -> Stream:
    """Stream with name, source and smoothing of its entry; its inputs are rounded in place."""
    fields: dict[str, Any] = {"name": spec.id, "source": spec.title, "smoothing": spec.smoothing}
    if spec.decimals is not None:
        np.round(stream.X, spec.decimals, out=stream.X)
    return replace(stream, **fields)


def shape_differences(
    stream: Stream, rows: int | None, columns: int | None, classes: int | None
) -> list[str]:
    """Differences from the expected numbers of rows, columns and classes, as texts."""
    expected = {"rows": rows, "columns": columns, "classes": classes}
    shape = {"rows": len(stream), "columns": stream.X.shape[1], "classes": stream.n_classes}
    return [
        f"{what}: expected {number:,}, found {shape[what]:,}"
        for what, number in expected.items()
        if number is not None and number != shape[what]
    ]


def count_differences(stream: Stream, expected: Mapping[str, int] | None) -> list[str]:
    """Differences from the expected numbers of rows by class, as texts."""
    if expected is None or stream.schema.classes is None:
        return []
    counts = np.bincount(stream.y[stream.labelled], minlength=stream.n_classes)
    n_rows = dict(zip(stream.schema.classes, counts.tolist(), strict=True))
    return [
        f"rows of class {name!r}: expected {expected.get(name, 0):,}, found {n_rows.get(name, 0):,}"
        for name in dict.fromkeys([*expected, *n_rows])
        if expected.get(name, 0) != n_rows.get(name, 0)
    ]
