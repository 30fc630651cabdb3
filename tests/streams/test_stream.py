"""The `Stream` contract."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from streameval.base.errors import DataError
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import Attribute, Schema, Stream

SCHEMA = Schema((Attribute("size"), Attribute("colour", ("red", "blue"))), "class", ("no", "yes"))


def make(n: int = 4, **changes: object) -> Stream:
    X = np.column_stack([np.arange(n) / 7, np.arange(n) % 2])
    return replace(Stream(X, np.arange(n) % 2, SCHEMA, "small"), **changes)


def test_arrays_are_what_kernels_take():
    readonly = np.arange(8.0).reshape(4, 2, order="F")
    readonly.flags.writeable = False
    stream = make(X=readonly)
    assert stream.X.flags.c_contiguous
    assert stream.X.flags.writeable
    assert stream.y.dtype == np.int32


def test_schema_survives_its_json():
    assert Schema.from_json(SCHEMA.to_json()) == SCHEMA
    numeric = Schema((Attribute("a"),), "price", None)
    assert Schema.from_json(numeric.to_json()) == numeric


def test_digest_depends_on_content_alone():
    assert make().digest == make(name="other", source="elsewhere").digest
    changed = make()
    X = changed.X.copy()
    X[2, 0] = np.nextafter(X[2, 0], 1)
    assert make(X=X).digest != changed.digest
    assert replace(changed, X=X).digest == make(X=X).digest  # the cached digest is not copied
    times = make(time=np.arange(4))
    assert times.digest != changed.digest
    assert make(label_time=np.arange(4)).digest != times.digest


def test_take_keeps_rows_together():
    taken = make(time=np.arange(4) * 10).take(np.array([3, 0, 0]), "picked")
    assert taken.name == "picked"
    assert taken.y.tolist() == [1, 0, 0]
    assert taken.X[:, 0].tolist() == [3 / 7, 0, 0]
    assert taken.time is not None
    assert taken.time.tolist() == [30, 0, 0]
    assert taken.digest != make().digest


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"X": np.zeros((4, 3))}, "expected 2 columns of X, .* found 3"),
        ({"X": np.zeros((3, 2))}, r"found \(3, 2\) and \(4,\)"),
        (
            {"y": np.array([0, 1, 2, 0])},
            "expected class codes 0..1, or -1 where a label is missing, found 2 at row 2",
        ),
        ({"y": np.array([0, -2, 1, 0])}, "found -2 at row 1"),
        ({"X": np.zeros((0, 2)), "y": np.zeros(0, int)}, "expected instances, found none"),
        ({"time": np.arange(3)}, r"time stamps of shape \(4,\), .* found \(3,\)"),
        (
            {"schema": replace(SCHEMA, classes=tuple(map(str, range(40_000))))},
            "at most 32,767 classes, found 40,000",
        ),
    ],
)
def test_contradictions_are_errors(changes, message):
    with pytest.raises(DataError, match=message):
        make(**changes)


def test_the_first_instances_are_not_copied():
    stream = Sea().stream(50)
    assert stream.first(50) is stream.first(60) is stream
    few = stream.first(20)
    assert np.shares_memory(few.X, stream.X)
    assert (few.digest, few.file_rows.tolist()) == (stream.take(np.arange(20)).digest, [*range(20)])
