"""Reading tables in Parquet format: the columns, rows and classes that are asked for."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streameval.base.errors import DataError
from streameval.streams.readers import parquet_file
from streameval.streams.readers.parquet_file import read_parquet

ROWS = 50
TABLE = pa.table(
    {
        "x": np.arange(ROWS) / 2,
        "s": pa.array([f"value {row // 5}" for row in range(ROWS)]).dictionary_encode(),
        "t": [f"text {row % 7}" for row in range(ROWS)],
        "when": np.arange(ROWS) * 60,
        "c": ["UP" if row % 3 else "DOWN" for row in range(ROWS - 1)] + ["LAST"],
    }
)


@pytest.fixture
def path(tmp_path):
    pq.write_table(TABLE, tmp_path / "a.parquet", row_group_size=20)
    return tmp_path / "a.parquet"


@pytest.fixture(params=["by blocks", "whole"], autouse=True)
def way(request, monkeypatch):
    """Both ways of reading, the first with blocks that end within groups of rows."""
    monkeypatch.setattr(parquet_file, "_ROWS", 16)
    if request.param == "whole":
        monkeypatch.setattr(parquet_file._Reader, "read_blocks", lambda _: None)


@pytest.mark.parametrize("first", [1, 7, 16, 20, 33, 49, 50, 1000])
def test_the_first_rows_are_those_of_a_shorter_file(path, tmp_path, first):
    pq.write_table(TABLE.slice(0, first).combine_chunks(), tmp_path / "short.parquet")
    short = read_parquet(tmp_path / "short.parquet", "c", drop=["s"])
    assert read_parquet(path, "c", drop=["s"], first=first).digest == short.digest
    # A dictionary of Arrow keeps the values of all rows, also in a shorter table.
    values = read_parquet(path, "c", first=first).schema.attributes[1].values
    assert values == tuple(sorted({f"value {row // 5}" for row in range(min(first, ROWS))}))


def test_only_some_inputs_are_kept_beside_times(path):
    stream = read_parquet(path, "c", keep=["t", "x"], time="when")
    assert [attribute.name for attribute in stream.schema.attributes] == ["x", "t"]
    assert stream.time.tolist() == (np.arange(ROWS) * 60).tolist()
    with pytest.raises(DataError, match="no column 'y'"):
        read_parquet(path, "c", keep=["y"])


def test_classes_have_the_order_that_is_declared(path):
    declared = read_parquet(path, "c", classes=["UP", "DOWN", "LAST", "NEVER"])
    assert declared.schema.classes == ("UP", "DOWN", "LAST", "NEVER")
    stream = read_parquet(path, "c")
    assert stream.schema.classes == ("DOWN", "LAST", "UP")
    names = [stream.schema.classes[code] for stream in (declared, stream) for code in stream.y]
    assert names == 2 * TABLE["c"].to_pylist()
    with pytest.raises(DataError, match=r"among the classes UP, DOWN, found another"):
        read_parquet(path, "c", classes=["UP", "DOWN"])
