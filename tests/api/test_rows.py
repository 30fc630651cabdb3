"""A row is the row of the file or frame, wherever predictions come in or go out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streameval as se
from streameval.base.errors import ConfigError, DataError
from streameval.protocols.registry import PROTOCOLS, parse
from streameval.streams.columnar import read_stream, write_stream
from streameval.streams.source_rows import SourceRows
from streameval.streams.variants import variant

N = 240
RNG = np.random.default_rng(7)
ORDER = RNG.permutation(N)
LABELS = np.array(["no", "yes"])[np.cumsum(RNG.random(N) < 0.2) % 2]
PREDICTED = np.where(RNG.random(N) < 0.8, LABELS, np.where(LABELS == "no", "yes", "no"))
DAY = pd.Timestamp("2024-01-01") + pd.to_timedelta(ORDER, "D")
SHOP = RNG.choice(["north", "south", "west"], N)
#: Rows that are not in the order of their times, with labels for rows that are not counted from 0.
FRAME = pd.DataFrame(
    {"day": DAY, "x": RNG.normal(size=N), "shop": SHOP, "p": PREDICTED, "y": LABELS},
    index=pd.Index([f"id{i}" for i in RNG.permutation(N)]),
)
LATE = FRAME.assign(known=DAY + pd.to_timedelta(RNG.integers(1, 30, N), "D"))
MIXED = RNG.permutation(N)


@cache
def sources(folder):
    """Streams of the same rows, from several sources and after several changes."""
    FRAME.to_csv(folder / "rows.csv", index=False)
    FRAME.to_parquet(folder / "rows.parquet", index=False)
    in_time = se.from_pandas(FRAME, "y", time="day")
    write_stream(in_time, folder / "converted.parquet")
    gaps = FRAME.assign(y=FRAME["y"].where(RNG.random(N) < 0.9))
    return {
        "frame": se.from_pandas(FRAME, "y", drop=["day"]),
        "frame in time": in_time,
        "label times": se.from_pandas(LATE, "y", time="day", label_time="known"),
        "csv": se.read(folder / "rows.csv", "y", time="day"),
        "parquet": se.read(folder / "rows.parquet", "y", time="day"),
        "converted": read_stream(folder / "converted.parquet"),
        "labels missing": se.from_pandas(gaps, "y", time="day"),
        "with labels": se.from_pandas(gaps, "y", time="day").with_labels(),
        "first": in_time.first(150),
        "first of label times": se.from_pandas(LATE, "y", time="day", label_time="known").first(90),
        "every other": in_time.take(slice(None, None, 2)),
        "twice": in_time.take(RNG.integers(0, N, N + 9)),
        **{text: variant(in_time, text) for text in ("shuffled:1", "temporal:1", "blocks:1:20")},
        "grouped": in_time.grouped("shop"),
    }


FILES = ("csv", "parquet", "converted")
FRAMES = (
    *("frame", "frame in time", "label times", "labels missing", "with labels", "first"),
    *("first of label times", "every other", "twice", "shuffled:1", "temporal:1", "blocks:1:20"),
    "grouped",
)


@pytest.fixture
def stream(request, tmp_path_factory):
    streams = sources(tmp_path_factory.getbasetemp())
    assert {*streams} == {*FILES, *FRAMES}
    return streams[request.param]


def indexed(labels):
    return pd.Series(labels, FRAME.index)


#: The same predictions, as a stranger may have them.
DOORS = {
    "column": lambda folder: "column:p",
    "array": lambda folder: PREDICTED,
    "arrow": lambda folder: pa.array(PREDICTED),
    "series without index": lambda folder: pd.Series(PREDICTED),
    "rows in a frame": lambda folder: pd.DataFrame({"row": MIXED, "label": PREDICTED[MIXED]}),
    "csv": lambda folder: _saved(folder / "p.csv", pd.DataFrame({"label": PREDICTED})),
    "parquet": lambda folder: _saved(
        folder / "p.parquet", pd.DataFrame({"label": PREDICTED[MIXED], "row": MIXED})
    ),
}
#: Of a frame, matched by its index.
INDEXED = {
    "series": lambda folder: indexed(PREDICTED),
    "series in another order": lambda folder: indexed(PREDICTED).iloc[MIXED],
    "frame in another order": lambda folder: indexed(PREDICTED).rename("label").to_frame()[::-1],
}


def _saved(path, frame):
    (frame.to_csv if path.suffix == ".csv" else frame.to_parquet)(path, index=False)
    return str(path)


def assert_rows(result):
    """Each line of the predictions has the prediction and the true label of its row."""
    table = result.predictions
    row = table["row"].to_numpy()
    assert table["p"].tolist() == PREDICTED[row].tolist()
    known = table["true"].notna().to_numpy()
    assert known.any()
    assert table["true"][known].tolist() == LABELS[row[known]].tolist()


@pytest.mark.parametrize(
    ("stream", "door"),
    [
        *((source, door) for source in (*FILES, *FRAMES) for door in DOORS),
        *((source, door) for source in FRAMES for door in INDEXED),
    ],
    indirect=["stream"],
)
def test_predictions_are_matched_by_the_row_and_results_name_it(stream, door, tmp_path):
    learner = {**DOORS, **INDEXED}[door](tmp_path)
    assert_rows(se.evaluate(stream, {"p": learner}))


@pytest.mark.parametrize("stream", ["frame in time", "label times"], indirect=True)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_each_protocol_names_the_rows(stream, name):
    needed = {"delayed": {"delay": 20}, "partial": {"budget": 0.5}}
    protocol = parse({"name": name, **needed.get(name, {})})
    early = not protocol.needs_times and stream.label_time is not None
    if not protocol.needs_times or stream.label_time is not None:
        assert_rows(se.evaluate(stream, {"p": PREDICTED}, protocol, ignore_label_times=early))


@pytest.mark.parametrize("stream", [*FILES, *FRAMES], indirect=True)
def test_entities_are_matched_by_the_row(stream):
    groups = stream.grouped(SHOP).groups
    assert [groups.names[code] for code in groups.code] == SHOP[stream.file_rows].tolist()
    if stream.source_rows is not None and stream.source_rows.index is not None:
        by_label = stream.grouped(pd.Series(SHOP, FRAME.index).iloc[MIXED]).groups
        assert (by_label.code == groups.code).all()


@given(st.data())
@settings(max_examples=100)
def test_a_series_is_matched_as_pandas_aligns_it(data):
    n = data.draw(st.integers(1, 12))
    labels = data.draw(st.lists(st.integers(-3, 20), min_size=n, max_size=n, unique=True))
    row = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=15)))
    source = SourceRows(row, n, pd.Index(labels))
    values = pd.Series(np.arange(n) * 10, labels)
    mixed = values.iloc[data.draw(st.permutations(range(n)))]
    aligned = mixed.reindex(labels).to_numpy()[row]
    lines = source.value_positions(n, mixed.index)
    assert mixed.to_numpy()[lines].tolist() == aligned.tolist()
    assert values.to_numpy()[source.value_positions(n)].tolist() == values.to_numpy()[row].tolist()


def test_an_index_that_says_nothing_counts_rows():
    source = SourceRows(np.array([2, 0, 1]), 3, pd.Index(["a", "b", "c"]))
    assert source.value_positions(3, pd.RangeIndex(3)).tolist() == [2, 0, 1]
    assert source.value_positions(3, pd.Index(["x", "y", "z"])).tolist() == [2, 0, 1]
    assert source.value_positions(4, pd.RangeIndex(4)) is None


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (["a", "b", "x"], "found 1 of 3 labels that it does not have, such as 'x'"),
        (["b", "a", "a"], "labels occur once, found 'a' more than once"),
        (["c", "b"], "found none for row 0: the index lacks its label"),
    ],
)
def test_an_index_that_contradicts_the_frame_is_refused(index, message):
    source = SourceRows(np.array([2, 0, 1]), 3, pd.Index(["a", "b", "c"]))
    with pytest.raises(ConfigError, match=message):
        source.value_positions(len(index), pd.Index(index))


def test_inputs_and_labels_in_different_orders_are_refused():
    X = FRAME[["x"]]
    with pytest.raises(DataError, match=r"different orders. Give y\.loc\[X\.index\]"):
        se.from_arrays(X, FRAME["y"].iloc[MIXED])
    se.from_arrays(X, FRAME["y"].reset_index(drop=True))
    assert_rows(se.evaluate(se.from_arrays(X, FRAME["y"]), {"p": indexed(PREDICTED).iloc[MIXED]}))


def test_rows_of_a_converted_stream_that_were_changed_are_refused(tmp_path):
    stream = se.from_pandas(FRAME, "y", time="day")
    other = replace(
        stream, source_rows=replace(stream.source_rows, row_number=stream.file_rows[::-1])
    )
    for written, name in ((stream, "one"), (other, "other")):
        write_stream(written, tmp_path / f"{name}.parquet")
    rows = pa.parquet.read_table(tmp_path / "other.parquet")["row"]
    table = pa.parquet.read_table(tmp_path / "one.parquet")
    place = table.column_names.index("row")
    pa.parquet.write_table(table.set_column(place, "row", rows), tmp_path / "one.parquet")
    with pytest.raises(DataError, match="file is damaged"):
        read_stream(tmp_path / "one.parquet")


class Failing:
    """Fail, or predict a code of no class, at one instance."""

    def __init__(self, result):
        self.result = result

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        if x[0] == FRAME["x"].iloc[17]:
            return self.result()
        return 0


@pytest.mark.parametrize("result", [lambda: 1 // 0, lambda: 7])
def test_errors_of_models_name_the_row(result):
    stream = se.from_pandas(FRAME, "y", time="day")
    assert stream.file_rows[17] != 17
    with pytest.raises(DataError, match=r"row 17\b"):
        se.evaluate(stream, {"own": Failing(result)})
