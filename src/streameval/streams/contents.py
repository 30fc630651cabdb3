"""Checks of a stream against its description in the registry."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from streameval.streams.stream import Stream


def wrong_shape(
    stream: Stream, rows: int | None, columns: int | None, classes: int | None
) -> list[str]:
    """Return which numbers of rows, columns and classes are not the expected ones."""
    expected = {"rows": rows, "columns": columns, "classes": classes}
    found = {"rows": len(stream), "columns": stream.X.shape[1], "classes": stream.n_classes}
    return [
        f"{what}: expected {number:,}, found {found[what]:,}"
        for what, number in expected.items()
        if number is not None and number != found[what]
    ]


def wrong_counts(stream: Stream, expected: Mapping[str, int] | None) -> list[str]:
    """Return which classes do not have the expected number of rows."""
    if expected is None or stream.schema.classes is None:
        return []
    counts = np.bincount(stream.y[stream.labelled], minlength=stream.n_classes)
    found = dict(zip(stream.schema.classes, counts.tolist(), strict=True))
    return [
        f"rows of class {name!r}: expected {expected.get(name, 0):,}, found {found.get(name, 0):,}"
        for name in dict.fromkeys([*expected, *found])
        if expected.get(name, 0) != found.get(name, 0)
    ]
