"""A folder of Parquet parts is read as one file."""

from __future__ import annotations

import hashlib
import json
import shutil

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streameval as se
from streameval import cli
from streameval.base.errors import DataError
from streameval.streams.readers import parquet_file
from streameval.streams.readers.content import parquet_files
from streameval.streams.readers.parquet_file import read_parquet

N = 600
RNG = np.random.default_rng(5)
TABLE = pd.DataFrame(
    {
        "x": RNG.normal(size=N),
        "count": RNG.integers(0, 50, N),
        "colour": RNG.choice(["red", "blue", "green", None], N),
        "flag": RNG.random(N) > 0.5,
        "day": pd.date_range("2020-01-01", periods=N, freq="h", tz="UTC"),
    }
)
TABLE["y"] = np.where(TABLE["x"] + RNG.normal(size=N) > 0, "up", "down")
NUMBER_OF_PARTS = 12


def write_parts(folder, table=TABLE, name="part-{:05d}-28fc.c000.snappy.parquet"):
    folder.mkdir()
    edges = np.linspace(0, len(table), NUMBER_OF_PARTS + 1).astype(int)
    order = [*range(NUMBER_OF_PARTS)]
    for part in order[::2] + order[1::2]:  # not in the order of rows
        rows = table.iloc[edges[part] : edges[part + 1]]
        rows.to_parquet(folder / name.format(part), index=False)
    return folder


@pytest.fixture(params=["by blocks", "whole"])
def each_way(request, monkeypatch):
    if request.param == "whole":
        monkeypatch.setattr(parquet_file._Reader, "read_blocks", lambda _: None)


@pytest.fixture
def folder(tmp_path):
    return write_parts(tmp_path / "events.parquet")


@pytest.fixture
def whole(tmp_path):
    TABLE.to_parquet(tmp_path / "events_whole.parquet", index=False)
    return tmp_path / "events_whole.parquet"


def assert_same(stream, other):
    assert (stream.schema, stream.zone) == (other.schema, other.zone)
    assert stream.digest == other.digest


def first_error(folder):
    with pytest.raises(DataError) as raised:
        se.read(folder, "y")
    return str(raised.value)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"drop": ["x"], "nominal": ["count"]},
        {"time": "day"},
        {"numeric_target": True, "target": "x"},
        {"missing": ["red", "7"]},
    ],
)
@pytest.mark.usefixtures("each_way")
def test_parts_are_one_file(folder, whole, options):
    options = {"target": "y", **options}
    assert_same(se.read(folder, **options), se.read(whole, **options))
    assert se.read(folder, **options).name == "events"


def test_first_rows_may_end_within_a_part(folder, whole):
    for first in (1, 50, 77, N):
        assert_same(read_parquet(folder, "y", first=first), read_parquet(whole, "y", first=first))


@pytest.mark.parametrize("name", ["part.{}.parquet", "{}.parquet", "part-{}.PARQUET"])
def test_numbers_in_names_count_as_numbers(tmp_path, whole, name):
    folder = write_parts(tmp_path / "parts", name=name)
    assert [path.name for path in parquet_files(folder)] == [
        name.format(part) for part in range(NUMBER_OF_PARTS)
    ]
    assert_same(se.read(folder, "y"), se.read(whole, "y"))


def test_what_spark_writes_beside_parts_is_left_out(folder, whole):
    for name in ("_SUCCESS", "_metadata", "_common_metadata", ".part-00000.parquet.crc", ".hidden"):
        (folder / name).write_bytes(b"no table")
    (folder / "part-00000.parquet.crc").write_bytes(b"no table")
    assert_same(se.read(folder, "y"), se.read(whole, "y"))


@pytest.mark.usefixtures("each_way")
@pytest.mark.parametrize("name", ["part-00013.parquet", "a.parquet"])  # the last and first part
def test_parts_without_rows_or_values_are_parts_too(tmp_path, name):
    table = TABLE.drop(columns="day")
    folder = write_parts(tmp_path / "parts", table)
    table.iloc[:0].to_parquet(folder / "part-00012.parquet", index=False)
    without = table.iloc[:3].assign(colour=None, x=None)
    # As Arrow writes columns without values: of type null, here in another order, too.
    columns = pa.Table.from_pandas(without).select(["y", "flag", "count", "colour", "x"])
    assert pa.types.is_null(columns.schema.field("x").type)
    pq.write_table(columns, folder / name)
    in_order = [table, without] if name != "a.parquet" else [without[columns.column_names], table]
    expected = se.from_pandas(pd.concat(in_order).astype({"x": float}), "y")
    stream = se.read(folder, "y")
    assert stream.schema.attributes == expected.schema.attributes
    assert np.array_equal(stream.X, expected.X, equal_nan=True)
    assert np.array_equal(stream.y, expected.y)


@pytest.mark.usefixtures("each_way")
def test_categories_may_be_coded_in_some_parts_only(tmp_path, whole):
    folder = write_parts(tmp_path / "parts")
    path = parquet_files(folder)[4]
    pq.write_table(pa.Table.from_pandas(pd.read_parquet(path).astype({"y": "category"})), path)
    assert_same(se.read(folder, "y"), se.read(whole, "y"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda part: part.drop(columns="x"),
            "without 'x'. Write all parts with the same columns.",
        ),
        (lambda part: part.assign(z=1), "also 'z'. Write"),
        (lambda part: part.rename(columns={"x": "X"}), "without 'x' and also 'X'. Write"),
        (
            lambda part: part.astype({"count": float}),
            "values of type int64 in the column 'count' as in the previous parts, found double.",
        ),
    ],
)
def test_a_part_with_other_columns_or_types_is_named(folder, change, words):
    path = parquet_files(folder)[3]
    change(pd.read_parquet(path)).to_parquet(path, index=False)
    said = first_error(folder)
    assert said.startswith(f"{path}: expected ")
    assert words in said


def test_a_damaged_part_is_named(folder):
    path = parquet_files(folder)[7]
    path.write_bytes(path.read_bytes()[:-30])
    assert first_error(folder).startswith(f"{path}: expected a Parquet file, found ")
    path.write_bytes(b"")
    assert first_error(folder).endswith("Check this part.")


def test_an_error_names_part_and_row(folder):
    path = parquet_files(folder)[2]
    part = pd.read_parquet(path)
    part.loc[6, "x"] = np.inf
    part.to_parquet(path, index=False)
    assert first_error(folder).startswith(f"{path}, row 7: column 'x': expected a finite number")


def test_folders_that_are_no_plain_parts_are_refused_in_a_message(folder, tmp_path):
    for name, words in [
        ("_delta_log", "found _delta_log: the log of a Delta table"),
        (".hoodie", "found .hoodie: the log of a Hudi table"),
        ("_temporary", "found _temporary: it is still being written. Read it when"),
    ]:
        (folder / name).mkdir()
        assert words in first_error(folder)
        (folder / name).rmdir()
    (folder / "more.csv").touch()
    (folder / "old.parquet").mkdir()
    assert "found also more.csv, old.parquet. Put these elsewhere." in first_error(folder)
    (tmp_path / "hive" / "day=9").mkdir(parents=True)
    TABLE.to_parquet(tmp_path / "hive" / "day=9" / "0.parquet")
    said = first_error(tmp_path / "hive")
    assert (
        "expected a file, or a folder of Parquet parts, found a folder of 1 entries (day=9)" in said
    )
    assert "pandas.read_parquet(FOLDER)" in said
    (tmp_path / "empty.csv").mkdir()
    said = first_error(tmp_path / "empty.csv")
    assert "found a folder of 0 entries" in said
    assert "pandas" not in said


def test_commands_take_folders_with_and_without_an_ending(folder, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(folder, tmp_path / "plain")
    outputs = []
    for name in ("events.parquet", "events.parquet/", "plain", str(folder)):
        assert cli.main(["check", name, "--target", "y", "--json"]) == 0
        result = json.loads(capsys.readouterr().out)
        result.pop("stream", None)
        outputs.append(result)
    assert all(result == outputs[0] for result in outputs)


def test_a_folder_does_not_hide_a_stream_of_the_registry(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sea").mkdir()
    assert cli.main(["check", "sea", "--rows", "500"]) == 0
    assert "500" in capsys.readouterr().out


def test_a_page_names_the_digest_of_the_parts(folder, tmp_path):
    page = tmp_path / "report.html"
    words = ["--target", "y", "--drop", "day", "--learner", "naive_bayes", "-o", str(page)]
    assert cli.main(["report", str(folder), *words]) == 0
    joined = b"".join(path.read_bytes() for path in parquet_files(folder))
    text = page.read_text(encoding="utf-8")
    assert "SHA-256 of the 12 parts, joined" in text
    assert hashlib.sha256(joined).hexdigest() in text
