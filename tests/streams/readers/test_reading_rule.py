"""One rule for all readers: the same data as CSV, Parquet and ARFF give the same stream."""

from __future__ import annotations

import datetime
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streameval.base.errors import ConfigError, DataError
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.arff import read_arff
from streameval.streams.readers.csv_file import read_csv
from streameval.streams.readers.parquet_file import read_parquet

nan = np.nan
NEW_YEAR = 1_577_836_800.0  # date -u -d 2020-01-01 +%s
BERLIN = datetime.timezone(datetime.timedelta(hours=1))


def date(*parts, tz=None):
    return datetime.datetime(*parts, tzinfo=tz)


# What it is, texts of CSV, an Arrow array, ARFF's type and texts or None, values of a nominal
# attribute or None, and the expected column.
CASES = {
    "beyond 2**53": (
        ["9007199254740993", "-9223372036854775808", "18446744073709551616"],
        pa.array([9007199254740993, -(2**63), 2**64], pa.decimal128(30, 0)),
        "real",
        None,
        [9007199254740992.0, -(2.0**63), 2.0**64],
    ),
    "encoded numbers": (
        ["7", "?", "7"],
        pa.array([7, None, 7]).dictionary_encode(),
        "real",
        None,
        [7, nan, 7],
    ),
    "zones": (
        ["2020-01-01 01:00:00+01:00", "2020-01-01T00:00:00Z", "2019-12-31T22:30:00-0130"],
        [
            date(2020, 1, 1, 1, tz=BERLIN),
            date(2020, 1, 1, tz=datetime.UTC),
            date(2020, 1, 1, tz=datetime.UTC),
        ],
        None,
        None,
        [NEW_YEAR] * 3,
    ),
    "far dates": (
        ["0001-01-01", "9999-12-31", ""],
        pa.array([-62135596800, 253402214400, None], pa.timestamp("s")),
        "date yyyy-MM-dd",
        None,
        [-62135596800, 253402214400, nan],
    ),
    "nanoseconds": (
        ["2020-01-01 00:00:00.123456", "?", "?"],
        pa.array([1_577_836_800_123_456_000, None, None], pa.timestamp("ns")),
        None,
        None,
        [1577836800.123456, nan, nan],
    ),
    "a number and a date": (
        ["1", "2020-01-01", "1"],
        ["1", "2020-01-01", "1"],
        None,
        ("1", "2020-01-01"),
        [0, 1, 0],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_data_in_all_formats(tmp_path, case):
    texts, array, declared, values, expected = CASES[case]
    labels = ["u", "v", "u"]
    lines = [
        f"{text},{i},{label}\n" for i, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    (tmp_path / "a.csv").write_bytes(("x,i,c\n" + "".join(lines)).encode())
    pq.write_table(pa.table({"x": array, "i": [0, 1, 2], "c": labels}), tmp_path / "a.parquet")
    streams = [read_csv(tmp_path / "a.csv", "c"), read_parquet(tmp_path / "a.parquet", "c")]
    if declared is not None:
        missing = ("", "?", "NA")
        cells = ["?" if text.strip() in missing else text.strip() for text in texts]
        body = "".join(f"{x},{i},{c}\n" for i, (x, c) in enumerate(zip(cells, labels, strict=True)))
        head = f"@relation r\n@attribute x {declared}\n@attribute i real\n@attribute c {{u,v}}\n"
        (tmp_path / "a.arff").write_text(head + "@data\n" + body)
        streams.append(read_arff(tmp_path / "a.arff"))
    for stream in streams:
        assert stream.schema.attributes[0].values == values
        np.testing.assert_array_equal(stream.X, np.column_stack([expected, [0, 1, 2]]))
        np.testing.assert_array_equal(stream.y, [0, 1, 0])
    # ARFF declares the order of the classes, and the other formats do not.
    undeclared = [replace(stream, schema=streams[0].schema) for stream in streams]
    assert [stream.schema for stream in streams] == [streams[0].schema] * len(streams)
    assert len({stream.digest for stream in undeclared}) == 1
    assert [stream.schema.sorted_by_name for stream in streams] == [True, True, False][
        : len(streams)
    ]


CLASSES = {
    "whole numbers": (["1", "10", "2"], [1.0, 10.0, 2.0], ("1", "10", "2")),
    "integers": (["1", "10", "2"], pa.array([1, 10, 2], pa.int16()), ("1", "10", "2")),
    "fractions": (["0.1", "1e-07", "2"], [0.1, 1e-7, 2.0], ("0.1", "1e-07", "2")),
    "single": (["0.1", "3", "2"], pa.array([0.1, 3, 2], pa.float32()), ("0.1", "2", "3")),
    "half": (["1.5", "3", "2"], pa.array([1.5, 3, 2], pa.float16()), ("1.5", "2", "3")),
    "zeros": (["0", "0", "1"], [0.0, -0.0, 1.0], ("0", "1")),
    "beyond 2**63": (
        ["18446744073709551615", "18446744073709551614", "1"],
        pa.array([2**64 - 1, 2**64 - 2, 1], pa.uint64()),
        ("1", "18446744073709551614", "18446744073709551615"),
    ),
    "truth": (["true", "false", "true"], [True, False, True], ("false", "true")),
    "dates": (
        ["2020-01-02", "2020-01-01", "2020-01-01"],
        [datetime.date(2020, 1, 2), datetime.date(2020, 1, 1), datetime.date(2020, 1, 1)],
        ("2020-01-01", "2020-01-02"),
    ),
    "padded": ([" u", "v\t", "u"], [" u", "v\t", "u"], ("u", "v")),
    "encoded": (["7", "8", "7"], pa.array([7, 8, 7]).dictionary_encode(), ("7", "8")),
}


@pytest.mark.parametrize("case", CLASSES)
def test_classes_have_the_same_names(tmp_path, case):
    texts, array, classes = CLASSES[case]
    lines = "".join(f"{i},{text}\n" for i, text in enumerate(texts))
    (tmp_path / "a.csv").write_text("i,c\n" + lines)
    pq.write_table(pa.table({"i": [0, 1, 2], "c": array}), tmp_path / "a.parquet")
    a, b = read_csv(tmp_path / "a.csv", "c"), read_parquet(tmp_path / "a.parquet", "c")
    assert a.schema.classes == b.schema.classes == classes
    assert a.digest == b.digest


@pytest.mark.parametrize("numeric_target", [False, True])
@pytest.mark.parametrize("text", ["", "?", "NA", "NaN", " ?\t", "nan"])
def test_a_label_may_be_missing(tmp_path, text, numeric_target):
    (tmp_path / "a.csv").write_text(f"i,c\n\n0,1\n1,{text}\n2,1\n")
    pq.write_table(pa.table({"i": [0, 1, 2], "c": ["1", text, "1"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"i": [0, 1, 2], "c": [1, nan, 1]}), tmp_path / "b.parquet")
    pq.write_table(pa.table({"i": [0, 1, 2], "c": [1, None, 1]}), tmp_path / "c.parquet")
    streams = [read_csv(tmp_path / "a.csv", "c", numeric_target=numeric_target)]
    for name in "abc":
        path = tmp_path / f"{name}.parquet"
        streams.append(read_parquet(path, "c", numeric_target=numeric_target))
    for stream in streams:
        assert stream.labelled.tolist() == [True, False, True]
        assert stream.schema.classes == (None if numeric_target else ("1",))


@pytest.mark.parametrize("text", ["inf", "-Infinity", "1e999"])
def test_infinite_numbers_are_refused(tmp_path, text):
    (tmp_path / "a.csv").write_text(f'x,c\n1,"a\nb"\n{text},v\n')
    with pytest.raises(DataError, match=r"line 4: column 'x': .*finite .*infinite"):
        read_csv(tmp_path / "a.csv", "c")
    pq.write_table(pa.table({"x": [1, float(text)], "c": ["u", "v"]}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match=r"row 2: column 'x': .*finite .*infinite"):
        read_parquet(tmp_path / "a.parquet", "c")
    assert len(read_csv(tmp_path / "a.csv", "c", missing=["inf", "-Infinity", "1e999"])) == 2


@pytest.mark.parametrize(
    "array", [[[1], [2]], [b"1", b"2"], pa.array([[(1, 2)], []], pa.map_(pa.int8(), pa.int8()))]
)
def test_nested_and_binary_columns_have_one_message(tmp_path, array):
    pq.write_table(pa.table({"x": array, "c": [1, 2]}), tmp_path / "a.parquet")
    kind = pq.read_schema(tmp_path / "a.parquet").field("x").type
    for target in ("c", "x"):
        for numeric in (False, True):
            with pytest.raises(DataError) as caught:
                read_parquet(tmp_path / "a.parquet", target, numeric_target=numeric)
            assert f"column 'x' is of type {kind}"[:40] in str(caught.value)


def test_damaged_texts_have_one_message(tmp_path):
    offsets = pa.py_buffer(np.array([0, 1, 2], np.int32))
    array = pa.StringArray.from_buffers(2, offsets, pa.py_buffer(b"a\xff"))
    pq.write_table(pa.table({"x": array, "c": array}), tmp_path / "a.parquet")
    for options in ({}, {"nominal": "x"}, {"numeric": "x"}, {"numeric_target": True}):
        with pytest.raises(DataError, match=r"Parquet file, found .*Invalid UTF8"):
            read_parquet(tmp_path / "a.parquet", "c", **options)


def test_durations_are_seconds(tmp_path):
    array = pa.array([1_500, None, -1], pa.duration("ms"))
    pq.write_table(pa.table({"x": array, "c": [1, 2, 1]}), tmp_path / "a.parquet")
    stream = read_parquet(tmp_path / "a.parquet", "c")
    np.testing.assert_array_equal(stream.X[:, 0], [1.5, nan, -0.001])


def test_numeric_targets_are_numbers(tmp_path):
    for texts, array in [
        (["true", "false"], [True, False]),
        (["2020-01-01", "2020-01-02"], [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)]),
        (["u", "1"], ["u", "1"]),
    ]:
        (tmp_path / "a.csv").write_text(f"x,c\n1,{texts[0]}\n2,{texts[1]}\n")
        pq.write_table(pa.table({"x": [1, 2], "c": array}), tmp_path / "a.parquet")
        for path, read in [("a.csv", read_csv), ("a.parquet", read_parquet)]:
            with pytest.raises(DataError, match=r"numbers .*'c'"):
                read(tmp_path / path, "c", numeric_target=True)


def test_columns_that_must_be_names_or_numbers(tmp_path):
    (tmp_path / "a.csv").write_text("a,b,c\n1,1,u\n\n10,oops,v\n2,?,u\n")
    table = {"a": [1, 10, 2], "b": ["1", "oops", None], "c": ["u", "v", "u"]}
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    for path, where in [("a.csv", "line 4"), ("a.parquet", "row 2")]:
        stream = read_any(tmp_path / path, "c", nominal=("a", "b"))
        assert stream.schema.attributes[0].values == ("1", "10", "2")
        message = f"{where}: expected numbers in the column 'b', found texts like .'oops'"
        with pytest.raises(DataError, match=message):
            read_any(tmp_path / path, "c", numeric=("b",))
        both = read_any(tmp_path / path, "c", numeric=("b",), missing=("oops", "?"))
        np.testing.assert_array_equal(both.X[:, 1], [1, nan, nan])
        assert [a.name for a in read_any(tmp_path / path, "c", drop=("b",)).schema.attributes] == [
            "a"
        ]
        for options in ({"numeric": ("a",), "nominal": ("a",)}, {"numeric": ("c",)}):
            with pytest.raises(DataError, match="nominal or numeric, found both"):
                read_any(tmp_path / path, "c", **options)
        with pytest.raises(DataError, match="no column 'z'"):
            read_any(tmp_path / path, "c", numeric=("z",))


def test_options_that_a_format_does_not_have(tmp_path):
    arff = tmp_path / "a.arff"
    arff.write_text("@attribute a string\n@attribute c {u,v}\n@data\n1,u\n2,v\n")
    for option in ("missing", "separator"):
        with pytest.raises(ConfigError, match=rf"--{option} \('{option}'\) does not apply"):
            read_any(arff, "c", **{option: "a"})
    np.testing.assert_array_equal(read_any(arff, "c", numeric=("a",)).X, [[1], [2]])
    with pytest.raises(DataError, match="'c', which is declared nominal"):
        read_any(arff, "c", numeric=("a",), numeric_target=True)
    numbers = read_any(arff, "a", numeric=("a",), numeric_target=True)
    assert numbers.y.tolist() == [1, 2]
