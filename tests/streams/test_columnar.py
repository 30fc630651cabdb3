"""Streams in Parquet files."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from streameval.base.errors import DataError
from streameval.streams import columnar
from streameval.streams.columnar import (
    has_stream,
    read_arrivals,
    read_stream,
    stream_size,
    write_stream,
)
from streameval.streams.stream import NEVER, Attribute, Schema, Stream


def example(n=5):
    schema = Schema((Attribute("x"), Attribute("k", ("a", "b", "c"))), "class", ("n", "y"))
    X = np.column_stack([np.arange(n) / 3, np.arange(n) % 3])
    X[0, 0] = X[-1, 1] = np.nan
    times = np.arange(n, dtype=np.int64)
    return Stream(X, np.arange(n) % 2, schema, "e", "made up", time=times, label_time=times + 2)


VALUES = tuple(map(str, range(40_000)))


@st.composite
def streams(draw):
    n = draw(st.integers(1, 20))
    sizes = draw(st.lists(st.sampled_from([0, 1, 3, 200] * 3 + [40_000]), max_size=5))
    columns = []
    for size in sizes:
        cell = st.integers(0, size - 1).map(float) if size else st.floats()
        columns.append(draw(st.lists(cell | st.just(np.nan), min_size=n, max_size=n)))
    # Names need not be different, nor different from those of the other columns.
    names = [draw(st.sampled_from(["a", "b", "class", "time", "\u00e9"])) for _ in sizes]
    attributes = tuple(
        Attribute(name, VALUES[:size] or None) for name, size in zip(names, sizes, strict=True)
    )
    classes = draw(st.none() | st.just(("u", "v")))
    y = draw(hnp.arrays(np.int32, n, elements=st.integers(0, 1)))
    times = hnp.arrays(np.int64, n, elements=st.integers(-(2**62), 2**62) | st.just(NEVER))
    return Stream(
        np.array(columns, dtype=np.float64).T.reshape(n, len(sizes)),
        y if classes else draw(hnp.arrays(np.float64, n, elements=st.floats(allow_nan=False))),
        Schema(attributes, "class", classes),
        draw(st.text(max_size=5)),
        draw(st.text(max_size=5)),
        time=draw(st.none() | times),
        label_time=draw(st.none() | times),
        ticks=draw(st.sampled_from([0, 1, 10**6])),
        zone=draw(st.sampled_from(["", "UTC", "Europe/Berlin", "+02:00"])),
    )


@given(streams())
def test_streams_labels_and_sizes_are_read_as_written(tmp_path_factory, stream):
    path = tmp_path_factory.mktemp("columnar") / "new" / "s.parquet"
    write_stream(stream, path)
    back = read_stream(path)
    assert back.digest == stream.digest
    assert (back.name, back.source, back.schema) == (stream.name, stream.source, stream.schema)
    assert (back.ticks, back.zone) == (stream.ticks, stream.zone)
    assert [entry.name for entry in path.parent.iterdir()] == ["s.parquet"]
    without_inputs = read_arrivals(path)
    assert without_inputs.X.shape == (len(stream), 0)
    assert without_inputs.y.tobytes() == stream.y.tobytes()
    for name in ("time", "label_time"):
        assert np.array_equal(getattr(without_inputs, name), getattr(stream, name))
    classes = stream.schema.classes
    assert without_inputs.schema.classes == classes
    assert (without_inputs.ticks, without_inputs.zone) == (stream.ticks, stream.zone)
    assert stream_size(path) == {
        "rows": len(stream),
        "columns": stream.schema.n_attributes,
        "classes": 0 if classes is None else len(classes),
        "unlabelled": stream.n_unlabelled,
    }
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(DataError, match="found a damaged file"):
        stream_size(path)


def test_rows_beyond_one_batch(tmp_path, monkeypatch):
    monkeypatch.setattr(columnar, "BATCH", 7)
    stream = example(50)
    write_stream(stream, tmp_path / "s.parquet")
    assert pq.ParquetFile(tmp_path / "s.parquet").num_row_groups == 8
    assert read_stream(tmp_path / "s.parquet").digest == stream.digest


def test_the_file_is_a_plain_table_for_others(tmp_path):
    write_stream(example(), tmp_path / "s.parquet")
    table = pq.read_table(tmp_path / "s.parquet")
    assert table.column_names == ["x", "k", "class", "time", "label_time"]
    assert table.schema.types[:3] == [pa.float64(), pa.int8(), pa.int32()]
    assert table["k"].to_pylist() == [0, 1, 2, 0, None]


def test_the_same_stream_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_stream(example(), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "s.parquet"
    write_stream(example(), path)
    before = path.read_bytes()

    def break_off(_table, part, **_options):
        part.write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(columnar.pq, "write_table", break_off)
    with pytest.raises(OSError, match="disk full"):
        write_stream(example(9), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_other_files_are_refused(tmp_path):
    with pytest.raises(DataError, match="found no file"):
        read_stream(tmp_path / "none.parquet")
    (tmp_path / "text.parquet").write_text("text")
    with pytest.raises(DataError, match="damaged file or another format"):
        read_stream(tmp_path / "text.parquet")
    assert not has_stream(tmp_path / "text.parquet")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "table.parquet")
    with pytest.raises(DataError, match=r"converted stream, found .*Parquet"):
        read_stream(tmp_path / "table.parquet")
    assert not has_stream(tmp_path / "table.parquet")


def test_changed_content_is_noticed(tmp_path):
    path = tmp_path / "s.parquet"
    stream = example()
    write_stream(stream, path)
    assert has_stream(path)
    table = pq.read_table(path)
    changed = table.set_column(2, "class", pa.array([1, 1, 1, 1, 1], pa.int32()))
    pq.write_table(changed, path)
    with pytest.raises(DataError, match=f"expected content with digest {stream.digest}, found"):
        read_stream(path)


@given(st.integers(0), st.integers(0, 7))
def test_a_flipped_bit_is_noticed_or_harmless(tmp_path_factory, place, bit):
    path = tmp_path_factory.mktemp("flip") / "s.parquet"
    stream = example()
    write_stream(stream, path)
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= 1 << bit
    path.write_bytes(content)
    try:
        back = read_stream(path)
    except DataError as error:
        assert len(str(error)) < 2000  # noqa: PT017
    else:
        assert (back.digest, back.name, back.source) == (stream.digest, "e", "made up")
        assert back.schema == stream.schema


@pytest.mark.parametrize("key", ["name", "source", "format"])
def test_a_changed_header_is_noticed(tmp_path, key):
    path = tmp_path / "s.parquet"
    write_stream(example(), path)
    table = pq.read_table(path)
    header = json.loads(table.schema.metadata[b"streameval"])
    header[key] = "x"
    changed = {b"streameval": json.dumps(header).encode()}
    pq.write_table(table.replace_schema_metadata(changed), path)
    with pytest.raises(DataError, match="its header was changed"):
        read_stream(path)
