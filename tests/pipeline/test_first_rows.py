"""Streams of a study that are the first rows of a file, or of a stream of the registry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from streameval.base.errors import ConfigError, DataError
from streameval.pipeline import plan
from streameval.streams.making import convert, synthesise

TABLE = {"kind": "class_characteristics", "streams": ["mine"]}


def planned(config, tmp_path, row):
    content = {"studies": ["own"], "streams": {"mine": row}, "items": {"own": {"table1": TABLE}}}
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return plan.make_plan(config | content, decide=True, files=[path])


@pytest.fixture(name="rows")
def _rows(tmp_path):
    lines = [f"{i},{'ab'[i % 2]}" for i in range(50)]
    (tmp_path / "a.csv").write_text("\n".join(["x,label", *lines, ""]), encoding="utf-8")
    return {"file": "a.csv", "target": "label"}


def test_a_file_s_first_rows(config, tmp_path, rows):
    spec = planned(config, tmp_path, {**rows, "rows": 20}).registry["mine"]
    stream = convert(spec, Path(spec.file))
    assert stream.X[:, 0].tolist() == list(range(20))
    again = type(spec).from_dict(planned(config, tmp_path, {**rows, "rows": 20}).spec_of("mine"))
    assert (again.first, again.rows) == (20, 20)


def test_a_file_that_is_too_short_is_named(config, tmp_path, rows):
    spec = planned(config, tmp_path, {**rows, "rows": 60}).registry["mine"]
    with pytest.raises(DataError, match="rows: expected 60, found 50"):
        convert(spec, Path(spec.file))


def test_a_whole_file_has_the_entry_that_it_had(config, tmp_path, rows):
    made = planned(config, tmp_path, rows)
    assert "first" not in made.spec_of("mine")
    assert len(convert(made.registry["mine"], made.registry["mine"].file)) == 50


def test_the_first_rows_of_a_stream_of_the_package(config, tmp_path):
    made = planned(config, tmp_path, {"of": "elec2", "rows": 2000})
    spec, whole = made.registry["mine"], made.registry["elec2"]
    assert spec.title == f"{whole.title}, the first 2,000"
    path = made.bundled_file("mine")
    part, all_rows = convert(spec, path), convert(whole, path)
    assert len(part) == 2000
    assert np.array_equal(part.X, all_rows.X[:2000])
    assert part.schema == all_rows.schema
    assert not part.schema.spelt


def test_some_columns_of_a_stream_of_the_package_in_another_order_of_classes(config, tmp_path):
    row = {"of": "elec2", "rows": 100, "keep": ["period", "transfer"], "classes": ["DOWN", "UP"]}
    made = planned(config, tmp_path, row)
    stream = convert(made.registry["mine"], made.bundled_file("mine"))
    whole = convert(made.registry["elec2"], made.bundled_file("elec2"))
    assert [one.name for one in stream.schema.attributes] == ["period", "transfer"]
    assert (len(stream), stream.schema.classes) == (100, ("DOWN", "UP"))
    assert np.array_equal(stream.y, 1 - whole.y[:100])
    assert not stream.schema.spelt  # learners see the classes in this order
    assert made.raw_file("mine") is None


def test_the_first_rows_of_a_generated_stream(config, tmp_path):
    made = planned(config, tmp_path, {"of": "sea_50", "rows": 100, "title": "Short"})
    spec = made.registry["mine"]
    assert (spec.title, len(synthesise(spec))) == ("Short", 100)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"of": "elec3", "rows": 9}, "mine.yaml: at streams.mine.of: there is no stream 'elec3'"),
        ({"of": "elec2", "rows": 0}, "mine.yaml: at streams.mine.rows: expected"),
        ({"of": "elec2", "rows": 9, "kep": ["day"]}, "at streams.mine: .*found unknown kep"),
        (
            {"of": "sea_50", "keep": ["a"]},
            "at streams.mine: expected the keys of, rows, .*found keep",
        ),
    ],
)
def test_entries_that_are_wrong_are_named(config, tmp_path, rows, row, message):
    with pytest.raises(ConfigError, match=message):
        planned(config, tmp_path, row)
