"""Streams from files, tables in memory, the registry and generators."""

from __future__ import annotations

import datetime
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import streameval as se
from streameval.streams.generators.sea import Sea
from streameval.streams.making import synthesise
from streameval.streams.registry import find_spec, load_registry
from streameval.streams.stream import Attribute

FRAME = pd.DataFrame(
    {
        "id": [11, 12, 13, 14],
        "size": [1.5, None, 3.0, -2.0],
        "flag": pd.array([True, None, False, True], "boolean"),
        "count": pd.array([1, 2, None, 4], "Int64"),
        "colour": ["red", None, "blue", "red"],
        "text": pd.array(["x", "NA", "y", "x"], "string"),
        "grade": pd.Categorical([3, 1, None, 3], categories=[3, 2, 1]),
        "day": pd.to_datetime(["1970-01-02", None, "1970-01-01", "1970-01-03"]),
        "y": [1, 0, 1, 1],
    }
)


def test_columns_get_their_type_by_the_reading_rule():
    before = FRAME.copy(deep=True)
    stream = se.from_pandas(FRAME, target="y", drop=["id"])
    pd.testing.assert_frame_equal(FRAME, before)
    assert stream.schema.attributes == (
        Attribute("size"),
        Attribute("flag"),
        Attribute("count"),
        Attribute("colour", ("blue", "red")),
        Attribute("text", ("x", "y")),
        Attribute("grade", ("1", "3")),
        Attribute("day"),
    )
    nan = np.nan
    np.testing.assert_array_equal(
        stream.X,
        [
            [1.5, 1, 1, 1, 0, 1, 86400],
            [nan, nan, 2, nan, nan, 0, nan],
            [3, 0, nan, 0, 1, nan, 0],
            [-2, 1, 4, 1, 0, 1, 2 * 86400],
        ],
    )
    assert stream.schema.classes == ("0", "1")
    assert stream.y.tolist() == [1, 0, 1, 1]


def test_options_set_the_types_of_columns():
    frame = FRAME[["id", "grade", "text", "y"]]
    stream = se.from_pandas(frame, "y", nominal=["id"], numeric=["grade"], missing=["x"], name="n")
    assert [a.values for a in stream.schema.attributes] == [
        ("11", "12", "13", "14"),
        None,
        ("NA", "y"),
    ]
    assert stream.name == "n"


NUMBERS = st.one_of(st.none(), st.floats(-1e9, 1e9), st.integers(-100, 100).map(float))
NAMES = st.one_of(st.none(), st.sampled_from(["red", "blue", "a b", "é", "x,y", 'q"q']))
FLAGS = st.one_of(st.none(), st.booleans())
DAYS = st.one_of(st.none(), st.datetimes(datetime.datetime(1900, 1, 1)))
ROWS = st.tuples(NUMBERS, NAMES, FLAGS, DAYS, st.sampled_from(["no", "yes", "perhaps"]))


@given(rows=st.lists(ROWS, min_size=1, max_size=20))
def test_a_frame_and_its_csv_are_the_same_stream(rows, tmp_path_factory):
    numbers, names, flags, days, labels = zip(*rows, strict=True)
    frame = pd.DataFrame(
        {
            "number": pd.Series(numbers, dtype=float),
            "name": pd.Series(names, dtype="str"),
            "flag": pd.array(flags, "boolean"),
            "day": pd.Series(days, dtype="datetime64[us]"),
            "y": labels,
        }
    )
    path = tmp_path_factory.mktemp("csv") / "DataFrame.csv"
    frame.to_csv(path, index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", se.StreamWarning)
        ours, theirs = se.from_pandas(frame, "y"), se.read(path, "y")
    assert ours.schema == theirs.schema
    assert ours.digest == theirs.digest
    assert (ours.name, len(ours)) == (theirs.name, len(rows))


@pytest.mark.parametrize(
    ("frame", "target", "said"),
    [
        ([1, 2], "y", "DataFrame of pandas or .* found list"),
        (FRAME, "z", "column 'z'.*id"),
        (FRAME[["y"]], "y", "no input column is left"),
        (FRAME[["y", "size"]].iloc[:0], "y", "rows .*found none"),
        (pd.DataFrame({"a": [1, 2], "y": [None, ""]}), "y", r"labels \('y'\), found none"),
        (pd.DataFrame({"a": [1, "x"], "y": [0, 1]}), "y", "values of one type in the column 'a'"),
        (pd.DataFrame({"a": [[1], [2]], "y": [0, 1]}), "y", "column 'a' is of type list"),
        (
            pd.DataFrame({"a": [1, np.inf], "y": [0, 1]}),
            "y",
            "column 'a': expected a finite num",
        ),
        (FRAME[["size", "size", "y"]], "y", "'size' .*2 times"),
        (FRAME, ["y", "size"], r"target: expected one column, found several \(y, size\)"),
    ],
)
def test_invalid_streams_are_refused(frame, target, said):
    with pytest.raises(se.StreamevalError, match=said) as error:
        se.from_pandas(frame, target)
    assert len(str(error.value)) < 2000


def test_warnings_are_those_of_files():
    with pytest.warns(se.StreamWarning, match="constant columns: a"):
        se.from_pandas(pd.DataFrame({"a": [1, 1], "b": [1, 2], "y": [0, 1]}), "y")


def test_columns_with_numbers_for_names():
    frame = pd.DataFrame({0: [1, 2, 4], 1: ["u", "v", "u"], 2: [0.5, 1, 2]})
    stream = se.from_pandas(frame, target=1, drop=[2])
    assert [a.name for a in stream.schema.attributes] == ["0"]
    assert stream.schema.target == "1"


def test_arrays_are_a_stream():
    X, y = np.array([[0.5, 1], [np.nan, 2], [1.5, 1]]), ["u", "v", "u"]
    for labels in (y, np.array(y), pd.Series(y, index=[7, 8, 9])):
        stream = se.from_arrays(X, labels, nominal=["x1"])
        np.testing.assert_array_equal(stream.X, [[0.5, 0], [np.nan, 1], [1.5, 0]])
        assert stream.schema.classes == ("u", "v")
    frame = pd.DataFrame(X, columns=["a", "b"], index=[5, 6, 7])
    stream = se.from_arrays(frame, pd.Series([3, 1, 3]), target="label")
    assert [a.name for a in stream.schema.attributes] == ["a", "b"]
    assert (stream.schema.target, stream.schema.classes) == ("label", ("1", "3"))
    assert list(frame.columns) == ["a", "b"]
    column = se.from_arrays(X, np.array(y).reshape(-1, 1), target="label")
    assert [column.schema.classes[code] for code in column.y] == y
    named = se.from_arrays(X, y, names=["p", "q"])
    assert [a.name for a in named.schema.attributes] == ["p", "q"]


@pytest.mark.parametrize(
    ("X", "y", "options", "said"),
    [
        (np.zeros((3, 2)), [0, 1], {}, "as many rows of X as labels y"),
        (np.zeros((2, 2, 2)), [0, 1], {}, "X of shape"),
        (np.eye(2), [0, 1], {"names": ["a"]}, "as many names as columns"),
        (np.eye(2), [0, 1], {"target": "x0"}, "'x0' is the name of an input"),
        (np.eye(2), [None, None], {}, "expected labels .* found none"),
        (np.eye(2), np.eye(2), {}, r"y: expected one target, found 2 columns.*numpy\.argmax"),
    ],
)
def test_arrays_that_contradict_each_other_are_refused(X, y, options, said):
    with pytest.raises(se.StreamevalError, match=said):
        se.from_arrays(X, y, **options)


def test_generated_streams_are_those_of_the_generators():
    stream = se.generate("sea", rows=100, seed=3, function=2)
    assert stream.digest == Sea(function=2, seed=3).stream(100).digest
    assert stream.name == "sea"
    for parameters in ({"noise": "much"}, {"foo": 1}):
        with pytest.raises(se.StreamevalError, match=r"Stream 'sea': Generator sea"):
            se.generate("sea", rows=10, **parameters)
    with pytest.raises(se.StreamevalError, match=r"Generator: expected one of .* 'see'"):
        se.generate("see", rows=10)


def test_streams_of_the_registry_know_their_smoothing():
    stream = se.load("markov_ozone")
    assert stream.digest == synthesise(find_spec(load_registry(), "markov_ozone")).digest
    assert stream.take(slice(0, 5)).smoothing == stream.smoothing


def test_a_real_stream_and_its_variant(tmp_path, monkeypatch, real_stream):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    stream = se.load("elec2")
    assert stream.digest == real_stream("elec2").digest
    variant = se.load("elec2:shuffled:1")
    assert sorted(variant.y) == sorted(stream.y)
    assert variant.digest != stream.digest


def test_inputs_that_are_known_later_are_left_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "flights.csv").write_text("a,late,left,y\n1,5,9,p\n2,7,11,q\n3,0,4,p\n")
    row = {"title": "Flights", "file": str(tmp_path / "flights.csv"), "reader": "csv"}
    row |= {"options": {"target": "y"}, "known_at": {"late": "left"}}
    (tmp_path / "config/streams.yaml").write_text(yaml.safe_dump({"streams": {"flights": row}}))
    with pytest.warns(se.StreamWarning, match=r"'flights' .*\(from left on"):
        stream = se.load("flights")
    assert [attribute.name for attribute in stream.schema.attributes] == ["a"]
    assert stream.X.tolist() == [[1], [2], [3]]


def test_flights_are_loaded_without_the_delays_of_their_departures(
    tmp_path, monkeypatch, real_stream
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.warns(se.StreamWarning, match=r"DepDelay \(from left on"):
        stream = se.load("dataexpo_atl_evolving")
    np.testing.assert_array_equal(stream.X, real_stream("dataexpo_atl").X)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("elec22", "Did you mean 'elec2'"),
        (__file__, "For a file, or a folder"),
        (str(Path(__file__).parent), "a folder of Parquet parts, use"),
        ("elec2:mixed:1", "Variant 'mixed:1' of stream 'elec2': expected original"),
    ],
)
def test_unknown_streams_are_refused(name, said):
    with pytest.raises(se.StreamevalError, match=said):
        se.load(name)


def test_a_stream_is_shown_in_a_line_and_its_first_instances_as_a_frame():
    with pytest.warns(se.StreamWarning, match="one value only"):
        stream = se.from_pandas(FRAME.iloc[[0, 2]], target="y", drop=["id", "day"], name="<b>")
    for fact in ("'<b>'", "2 instances", "3 numeric", "3 nominal", "1 class of 'y'"):
        assert fact in repr(stream)
    head = stream.head(1)
    assert head["colour"].tolist() == ["red"]
    assert head["y"].tolist() == ["1"]
    assert stream.head()["grade"].isna().tolist() == [False, True]


class Frame:
    """A frame of another package: all that is known of it is how Arrow reads it."""

    def __init__(self, table):
        self._table, self.columns = table, table.column_names

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


@pytest.fixture(scope="module")
def mixed():
    n = np.arange(40)
    columns = {"x": np.linspace(-2, 2, 40), "k": np.array(list("abcd"))[n % 4], "b": n > 9}
    columns |= {
        "i": n,
        "t": pd.date_range("2024-01-01", periods=40),
        "y": np.array(["u", "v"])[n % 2],
    }
    return pd.DataFrame(columns).astype({"k": "category"})


@pytest.mark.parametrize("wrap", [lambda table: table, Frame], ids=["pyarrow", "other"])
def test_any_frame_that_arrow_reads_is_a_stream(mixed, wrap):
    table = pa.Table.from_pandas(mixed, preserve_index=False)
    views = table.set_column(1, "k", table["k"].cast(pa.string()).cast(pa.string_view()))
    for columns in (table, views):
        assert se.from_pandas(wrap(columns), "y").digest == se.from_pandas(mixed, "y").digest
        read = se.from_arrays(wrap(columns.drop_columns(["y"])), columns["y"])
        assert read.digest == se.from_arrays(mixed.drop(columns="y"), mixed["y"]).digest
    with pytest.raises(se.StreamevalError, match=r"no column 'z'"):
        se.from_pandas(wrap(table), "z")


def test_intervals_are_their_texts():
    x = np.random.default_rng(1).permutation(np.linspace(-2, 2, 40))
    cut = pd.cut(x, [-3.0, 0.0, 3.0])
    frame = pd.DataFrame({"x": np.sin(9 * x), "part": cut, "of": cut.astype("interval"), "y": cut})
    frame.loc[0, ["part", "of"]] = np.nan
    stream = se.from_pandas(frame.drop(columns=["part", "of"]), "y")
    assert stream.schema.classes == ("(-3.0, 0.0]", "(0.0, 3.0]")
    assert stream.y.tolist() == (x > 0).astype(int).tolist()
    inputs = se.from_pandas(frame.assign(y=np.arange(40) % 3 > 1), "y")
    assert {a.values for a in inputs.schema.attributes[1:]} == {("(-3.0, 0.0]", "(0.0, 3.0]")}
    assert np.isnan(inputs.X[0, 1:]).all()
    assert (inputs.X[1:, 1] == (x > 0)[1:]).all()


def test_a_sparse_matrix_says_what_to_do():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(
        se.StreamevalError, match=r"sparse matrix \(csr_matrix\)\. .*X\.toarray\(\)"
    ):
        se.from_arrays(sparse.csr_matrix(np.eye(3)), [0, 1, 0])
