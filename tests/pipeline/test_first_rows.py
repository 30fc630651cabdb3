"""Streams of a study that are the first rows of a file, or of a stream of the registry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from streameval.base.errors import ConfigError, DataError
from streameval.pipeline.checks import check_files
from streameval.streams.making import convert, synthesise

BENCHMARK = {"kind": "benchmark", "learners": ["naive_bayes"], "streams": ["mine", "elec2"]}


@pytest.fixture
def planned(plan_of):
    """A function that plans a table of the stream `mine`, of which it has the entry."""
    table = {"kind": "class_characteristics", "streams": ["mine"]}
    return lambda row: plan_of({"table1": table}, streams={"mine": row})


@pytest.fixture(name="rows")
def _rows(tmp_path):
    lines = [f"{i},{'ab'[i % 2]}" for i in range(50)]
    (tmp_path / "a.csv").write_text("\n".join(["x,label", *lines, ""]), encoding="utf-8")
    return {"file": "a.csv", "target": "label"}


def test_a_file_s_first_rows(planned, rows):
    plan = planned({**rows, "rows": 20})
    spec = plan.registry["mine"]
    assert convert(spec, Path(spec.file)).X[:, 0].tolist() == list(range(20))
    again = type(spec).from_dict(plan.spec_of("mine"))
    assert (again.first, again.rows) == (20, 20)
    assert "first" not in planned(rows).spec_of("mine")
    spec = planned({**rows, "rows": 60}).registry["mine"]
    with pytest.raises(DataError, match="rows: expected 60, found 50"):
        convert(spec, Path(spec.file))


def both(plan, name):
    """A part of elec2, and the whole stream."""
    path = plan.bundled_file(name)
    return convert(plan.registry[name], path), convert(plan.registry["elec2"], path)


def test_the_first_rows_of_a_stream_of_the_package(planned):
    plan = planned({"of": "elec2", "rows": 2000})
    assert plan.registry["mine"].title == f"{plan.registry['elec2'].title}, the first 2,000"
    part, whole = both(plan, "mine")
    assert np.array_equal(part.X, whole.X[:2000])
    assert part.schema == whole.schema
    assert not part.schema.sorted_by_name


def test_some_columns_of_a_stream_of_the_package_in_another_order_of_classes(planned):
    row = {"of": "elec2", "rows": 100, "keep": ["period", "transfer"], "classes": ["DOWN", "UP"]}
    plan = planned(row)
    stream, whole = both(plan, "mine")
    assert [attribute.name for attribute in stream.schema.attributes] == ["period", "transfer"]
    assert stream.schema.classes == ("DOWN", "UP")
    assert np.array_equal(stream.y, 1 - whole.y[:100])
    assert not stream.schema.sorted_by_name  # learners see the classes in this order
    assert plan.raw_file("mine") is None


def test_the_first_rows_of_a_generated_stream(planned):
    spec = planned({"of": "sea_50", "rows": 100, "title": "Short"}).registry["mine"]
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
def test_entries_that_are_wrong_are_named(planned, row, message):
    with pytest.raises(ConfigError, match=message):
        planned(row)


def test_an_item_is_about_the_first_rows_of_its_streams(plan_of, rows):
    plan = plan_of({"a": BENCHMARK | {"rows": 30}, "b": BENCHMARK}, streams={"mine": rows})
    assert plan.items["mine/a"].streams == ("mine_first_30", "elec2_first_30")
    assert plan.items["mine/b"].streams == ("mine", "elec2")
    title = plan.registry["elec2_first_30"].title
    assert title == f"{plan.registry['elec2'].title}, the first 30"
    part, whole = both(plan, "elec2_first_30")
    assert np.array_equal(part.X, whole.X[:30])
    spec = plan.registry["mine_first_30"]
    assert convert(spec, Path(spec.file)).X[:, 0].tolist() == list(range(30))
    assert {"mine_first_30", "elec2_first_30"} < {*plan.user_streams}
    assert len(plan.predictions) == 4


def test_items_of_as_many_rows_share_jobs_also_with_the_entry_of_such_a_stream(plan_of):
    items = {
        "a": BENCHMARK | {"streams": ["elec2", "ozone"], "rows": 200},
        "b": BENCHMARK | {"streams": ["short"]},
        "c": BENCHMARK | {"kind": "overall_measures", "streams": ["ozone"], "rows": 200},
        "d": BENCHMARK | {"streams": ["short"], "rows": 200},  # as many rows as it has
    }
    plan = plan_of(items, streams={"short": {"of": "elec2", "rows": 200, "title": "Short"}})
    assert [plan.items[f"mine/{name}"].streams for name in items] == [
        *(("short", "ozone_first_200"), ("short",), ("ozone_first_200",), ("short",))
    ]
    assert {name for name, _ in plan.predictions} == {"short", "ozone_first_200"}


def test_the_first_instances_of_a_generated_stream_and_of_its_stand_in(plan_of):
    plan = plan_of({"a": BENCHMARK | {"streams": ["sea_50", "markov_elec2"], "rows": 100}})
    assert len(synthesise(plan.registry["sea_50_first_100"])) == 100
    assert plan.registry["markov_elec2_first_100"].stands_for == "elec2"
    plan = plan_of({"a": BENCHMARK | {"streams": ["elec2", "markov_elec2"], "rows": 100}})
    assert plan.streams == ["elec2_first_100"]  # the stand-in of a real one that is there


def test_settings_that_name_streams_name_their_parts(plan_of, tmp_path):
    (tmp_path / "n.csv").write_text("x,y\n" + "1,2.5\n" * 50, encoding="utf-8")
    streams = {"n": {"file": "n.csv", "target": "y", "numeric_target": True}}
    item = {"kind": "binned_errors", "streams": ["n"], "learners": ["target_mean"], "rows": 20}
    item |= {"delay": {"n": 3}, "labels": {"n": 9}, "label_first": ["n"]}
    settings = plan_of({"a": item}, streams=streams).items["mine/a"].settings
    name = "n_first_20"
    assert (settings.delay, settings.labels) == ({name: 3}, {name: 9})
    assert settings.label_first == (name,)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"rows": 0}, r"\.rows: expected a whole number from 1.*found 0"),
        ({"rows": 60, "streams": ["elec2", "bounded"]}, "at most 50, the rows of 'bounded', found"),
        ({"rows": 10**8, "streams": ["sea_50"]}, "at most .*, the rows of 'sea_50', found 100,0"),
        ({"rows": 9, "streams": ["elec3"]}, "there is no stream 'elec3'"),
        ({"rows": 9, "streams": ["all"]}, r"\.streams: expected a list of streams"),
        ({"kind": "benchmark_costs", "rows": 9}, r"benchmark_costs, which has none"),
        ({"kind": "holdout", "rows": 9, "streams": ["sea_50"]}, "setting instances"),
    ],
)
def test_rows_of_an_item_that_are_wrong_are_named(plan_of, rows, item, message):
    streams = {"bounded": {**rows, "rows": 50}, "mine": rows}
    with pytest.raises(ConfigError, match=f"^.*mine.yaml: at items.mine.a.*{message}"):
        plan_of({"a": BENCHMARK | item}, streams=streams)


def test_a_dry_run_names_an_item_with_more_rows_than_a_file(plan_of, rows):
    item = BENCHMARK | {"streams": ["mine"], "rows": 60}
    plan = plan_of({"a": item}, streams={"mine": rows})
    with pytest.raises(ConfigError, match=r"at items.mine.a.rows: .*expected 60, found 50"):
        check_files(plan)
