"""Groups: which entity each row of a stream is of."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import entities as naive

from streameval.api.streams import read
from streameval.base.errors import ConfigError, DataError
from streameval.streams.columnar import read_stream, write_stream
from streameval.streams.making import convert, synthesise
from streameval.streams.readers.table import StreamWarning
from streameval.streams.registry import make_spec
from streameval.streams.stream import Attribute, Schema, Stream
from streameval.streams.variants import shuffled, temporal

SCHEMA = Schema(
    (Attribute("machine", ("m9", "m1", "never")), Attribute("line"), Attribute("x")),
    classes=("ok", "fail"),
)
X = np.array([[1, 7, 0.5], [0, 7, 1.5], [1, 3, 0.25], [0, 3, 2.0], [1, 7, 1.0]])
STREAM = Stream(X, np.array([0, 1, 0, 1, 1]), SCHEMA, "lines")


def test_entities_are_values_of_an_input_which_stays_one():
    stream = STREAM.grouped("machine")
    assert stream.groups.column == "machine"
    assert stream.groups.names == ("m1", "m9")
    assert stream.groups.code.tolist() == [0, 1, 0, 1, 0]
    assert stream.schema is STREAM.schema
    assert stream.X is STREAM.X
    assert STREAM.grouped("line").groups.names == ("7", "3")


@pytest.mark.parametrize(
    "values", [["b", "a", "b", "a", "b"], pd.Series([2, 1, 2, 1, 2], name="user")]
)
def test_entities_can_be_given_for_each_row(values):
    groups = STREAM.grouped(values).groups
    assert groups.code.tolist() == [0, 1, 0, 1, 0]
    assert groups.column == getattr(values, "name", "group")


@pytest.mark.parametrize(
    ("by", "error", "message"),
    [
        ("machin", ConfigError, "group: expected an input of stream 'lines', found 'machin'. Did"),
        ("x", ConfigError, "group: expected names or whole numbers in 'x', found 0.5. Choose"),
        ([1, 2], ConfigError, r"or 5 values, one for each row, found values of shape \(2,\)"),
        (range(5), DataError, "several rows each, found 5 values of 'group' in as many rows"),
        ([1, None, 1, 2, 2], DataError, "expected a value for each row, found none in row 1"),
    ],
)
def test_what_names_no_entities_is_refused(by, error, message):
    with pytest.raises(error, match=message):
        STREAM.grouped(by)


@pytest.mark.parametrize("least", [2**53, 2**63, 2**64])
def test_entities_with_large_numbers_stay_apart(tmp_path, least):
    path = tmp_path / "a.csv"
    rows = [f"{least + 1 + i % 8},{i},{i % 3}" for i in range(40)]
    path.write_text("\n".join(["machine,x,y", *rows]))
    with pytest.warns(StreamWarning, match=r"beyond 2\^53, which are rounded: machine"):
        stream = read(path, "y")
    with pytest.raises(DataError, match=r"whole numbers below 2\^53 .*--nominal machine"):
        stream.grouped("machine")
    assert len(read(path, "y", nominal=["machine"]).grouped("machine").groups.names) == 8
    assert len(stream.grouped([least + i % 8 for i in range(40)]).groups.names) == 8


def test_a_number_that_is_rounded_to_the_limit_is_refused():
    values = [float(text) for text in ("9007199254740992", "9007199254740993", "1", "1", "2")]
    assert values[1] == 2**53  # 2^53 + 1 has become 2^53
    with pytest.raises(DataError, match=r"below 2\^53 .* found 9007199254740992 in row 0"):
        STREAM.grouped(values)
    largest = STREAM.grouped([2.0**53 - 1, 2.0**53 - 2, 1, 1, 2])
    assert len(largest.groups.names) == 4


def test_a_missing_entity_is_refused():
    gone = X.copy()
    gone[3, 0] = np.nan
    stream = Stream(gone, STREAM.y, SCHEMA)
    with pytest.raises(DataError, match="a value of 'machine' in each row, found none in row 3"):
        stream.grouped("machine")


def test_parts_and_variants_keep_the_entity_of_each_row():
    stream = STREAM.grouped("machine")
    assert stream.take(np.array([4, 1, 1])).groups.code.tolist() == [0, 1, 1]
    assert stream.first(2).groups.code.tolist() == [0, 1]
    for variant in (shuffled(stream, 1), temporal(stream, 1)):
        assert variant.groups.code.tolist() == (1 - variant.X[:, 0]).tolist()


def test_entities_are_part_of_the_digest():
    digests = {STREAM.digest, STREAM.grouped("machine").digest, STREAM.grouped("line").digest}
    assert len(digests) == 3


@given(st.lists(st.integers(0, 3), min_size=5, max_size=40))
def test_the_order_is_one_entity_after_the_other(code):
    stream = Stream(np.zeros((len(code), 0)), np.zeros(len(code)), Schema((), "y"))
    groups, rows = stream.grouped(code).groups, list(range(len(code)))
    assert groups.order.tolist() == naive.in_order(rows, groups.code.tolist())
    parts = groups.rows_by_entity()
    assert [name for name, _ in parts] == [str(entity) for entity in dict.fromkeys(code)]
    assert [row for _, rows_of_entity in parts for row in rows_of_entity] == groups.order.tolist()


def test_a_converted_file_and_its_variants_keep_the_groups(tmp_path):
    for stream in (STREAM.grouped("machine"), shuffled(STREAM.grouped("machine"), 2)):
        write_stream(stream, tmp_path / "s.parquet")
        back = read_stream(tmp_path / "s.parquet")
        assert back.digest == stream.digest
        names = [
            [grouped.groups.names[code] for code in grouped.groups.code]
            for grouped in (back, stream)
        ]
        assert names[0] == names[1]


def test_an_entry_of_the_registry_names_the_group(tmp_path):
    row = {"title": "Made", "generator": "agrawal", "rows": 100, "group": "elevel"}
    stream = synthesise(make_spec("made", row))
    assert stream.groups.column == "elevel"
    (tmp_path / "t.csv").write_text("m,x,y\na,1,u\nb,2,v\na,3,u\n")
    row = {"title": "T", "file": "t.csv", "reader": "csv", "options": {"target": "y"}}
    stream = convert(make_spec("t", row | {"group": "m"}), tmp_path / "t.csv")
    assert stream.groups.names == ("a", "b")
    with pytest.raises(ConfigError, match=r"Stream 't': group: expected an input .* found 'q'"):
        convert(make_spec("t", row | {"group": "q"}), tmp_path / "t.csv")
