"""Predictions of a protocol in memory and on disk."""

from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import ConfigError, DataError
from streameval.evaluation.predictions import (
    POSITION_COLUMNS,
    RESERVED,
    PredictionTable,
    prediction_file,
    read_predictions,
    write_predictions,
)
from streameval.protocols.registry import parse
from streameval.streams.groups import Groups
from streameval.streams.timeline import Clock
from streameval.streams.variants import name_of_stem

PROTOCOLS_TRIED = ("prequential", "delayed:7", "cross_validation:3:all", "bootstrap_validation:2")


def table(n, places=POSITION_COLUMNS, **about):
    rng = np.random.default_rng(n)
    types = {"time": np.int64}
    kept = {name: rng.integers(-5, 1000, n).astype(types.get(name, np.int32)) for name in places}
    predicted = {
        name: rng.integers(-1, 3, n).astype(np.int16) for name in ("no_change", "majority", "x")
    }
    return PredictionTable(rng.integers(0, 3, n).astype(np.int32), predicted, 3, **kept, **about)


def assert_equal(table_read, other):
    for name in ("n_classes", "stream", "protocol"):
        assert getattr(table_read, name) == getattr(other, name)
    columns, expected = (
        {"true": table.true} | table.position_columns() | table.predicted
        for table in (table_read, other)
    )
    assert [*columns] == [*expected]
    for name, column in columns.items():
        assert column.dtype == expected[name].dtype
        assert column.tobytes() == expected[name].tobytes()


@pytest.mark.parametrize(
    ("protocol", "has_intervals"),
    [("partial:0.1", False), ("partial-0_1", False), ("prequential", True), ("", True)],
)
def test_intervals_need_all_labels_in_either_form_of_a_protocol(protocol, has_intervals):
    assert (table(9, (), protocol=protocol).no_interval_reason == "") == has_intervals


@given(
    n=st.integers(0, 70),
    places=st.sets(st.sampled_from(POSITION_COLUMNS)),
    stream=st.text(max_size=5),
    protocol=st.sampled_from(["", *PROTOCOLS_TRIED]),
)
def test_what_is_written_is_read(tmp_path_factory, n, places, stream, protocol):
    path = tmp_path_factory.mktemp("t") / "a.parquet"
    kept = table(
        n, [name for name in POSITION_COLUMNS if name in places], stream=stream, protocol=protocol
    )
    write_predictions(kept, path)
    assert_equal(read_predictions(path), kept)


@given(st.lists(st.sampled_from([-1.0, 0.0, np.nan, 2.5, np.inf]), max_size=30))
def test_numbers_that_are_written_are_read(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("t") / "a.parquet"
    true = np.array(values, np.float64)
    kept = PredictionTable(true, {"a": true[::-1].copy(), "b": -true}, 0, stream="s")
    write_predictions(kept, path)
    assert_equal(read_predictions(path), kept)


def test_the_dates_of_predictions_are_kept(tmp_path):
    clock = Clock(1, "Europe/Berlin", -7)
    write_predictions(table(30, clock=clock), tmp_path / "a.parquet")
    back = read_predictions(tmp_path / "a.parquet")
    assert back.clock == clock
    kept = back.select(np.arange(30) > 20).timeline
    assert (kept.ticks, kept.zone, kept.begin_time) == clock
    assert kept.time.tolist() == back.time[21:].tolist()
    assert kept.row.tolist() == back.row[21:].tolist()
    assert kept.place.tolist() == (back.instance[21:] + 1).tolist()
    assert table(30).timeline is None


def test_the_entity_of_each_prediction_is_kept(tmp_path):
    code = np.arange(30, dtype=np.int32) % 3
    groups = Groups("machine", code, ("a", "b", "c"))
    write_predictions(table(30, groups=groups), tmp_path / "a.parquet")
    back = read_predictions(tmp_path / "a.parquet")
    assert (back.groups.column, back.groups.names) == ("machine", ("a", "b", "c"))
    assert back.groups.code.tolist() == code.tolist()
    assert back.order().tolist() == [*range(0, 30, 3), *range(1, 30, 3), *range(2, 30, 3)]


def test_no_flipped_bit_gives_other_places_or_another_protocol(tmp_path):
    path, kept = tmp_path / "a.parquet", table(60, stream="s", protocol="delayed-3")
    write_predictions(kept, path)
    whole, messages = path.read_bytes(), []
    bits = range(0, len(whole) * 8, 61)
    for bit in bits:
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            assert_equal(read_predictions(path), kept)
        except DataError as error:
            messages.append(str(error))
    assert len(messages) > 3 / 8 * len(bits)
    assert max(map(len, messages)) < 2000


def test_places_that_were_edited_are_refused(tmp_path):
    path = tmp_path / "a.parquet"
    write_predictions(table(20), path)
    read = pq.read_table(path)
    first, second, *others = read.column_names
    swapped = read.rename_columns([second, first, *others])
    pq.write_table(swapped.replace_schema_metadata(read.schema.metadata), path)
    with pytest.raises(DataError, match="the file is damaged"):
        read_predictions(path)


def test_rows_of_test_then_train_take_no_room(tmp_path):
    n, sizes = 100_000, {}
    numbers = np.arange(n, dtype=np.int32)
    kept = table(n, ())
    for name, places in {"bare": {}, "full": {"row": numbers, "ordinal": numbers}}.items():
        write_predictions(dataclasses.replace(kept, **places), tmp_path / name)
        sizes[name] = (tmp_path / name).stat().st_size
    assert sizes["full"] - sizes["bare"] < 4000  # 800,000 bytes as plain numbers


@pytest.mark.parametrize("name", RESERVED)
def test_a_learner_cannot_be_called_like_another_column(tmp_path, name):
    kept = table(5)
    kept.predicted[name] = kept.predicted.pop("x")
    with pytest.raises(ConfigError, match=rf"called {name}\b.* id\b"):
        write_predictions(kept, tmp_path / "a.parquet")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("protocol", [*PROTOCOLS_TRIED, "cross_validation:5:tested=held_out"])
@pytest.mark.parametrize("name", ["elec2", "hyp_10_0.001", "elec2:shuffled:1", "a_0.5:blocks:3:50"])
def test_a_path_tells_stream_variant_and_protocol(name, protocol):
    path = prediction_file(name, protocol)
    stem, _, protocol_text = path.stem.rpartition(".")
    assert (name_of_stem(stem), parse(protocol_text)) == (name, parse(protocol))
    assert path == prediction_file(name, parse(protocol))


def test_paths_are_stable():
    paths = {
        ("elec2", "prequential"): "elec2.prequential.parquet",
        ("elec2:original", "prequential"): "elec2.prequential.parquet",
        ("elec2:shuffled:1", "delayed:48"): "elec2.shuffled.1.delayed-48.parquet",
        ("sea", "cross_validation:5"): "sea.cross_validation-5.parquet",
    }
    for (name, protocol), file in paths.items():
        assert prediction_file(name, protocol).as_posix() == f"results/predictions/{file}"
