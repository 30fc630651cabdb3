"""Streams of a study that are the first rows of a file, or of a stream of the registry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from streameval.base.errors import ConfigError, DataError
from streameval.pipeline import plan
from streameval.pipeline.checks import check_files
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
    plan_of_study = planned(config, tmp_path, rows)
    assert "first" not in plan_of_study.spec_of("mine")
    assert len(convert(plan_of_study.registry["mine"], plan_of_study.registry["mine"].file)) == 50


def test_the_first_rows_of_a_stream_of_the_package(config, tmp_path):
    plan_of_study = planned(config, tmp_path, {"of": "elec2", "rows": 2000})
    spec, whole = plan_of_study.registry["mine"], plan_of_study.registry["elec2"]
    assert spec.title == f"{whole.title}, the first 2,000"
    path = plan_of_study.bundled_file("mine")
    part, all_rows = convert(spec, path), convert(whole, path)
    assert len(part) == 2000
    assert np.array_equal(part.X, all_rows.X[:2000])
    assert part.schema == all_rows.schema
    assert not part.schema.sorted_by_name


def test_some_columns_of_a_stream_of_the_package_in_another_order_of_classes(config, tmp_path):
    row = {"of": "elec2", "rows": 100, "keep": ["period", "transfer"], "classes": ["DOWN", "UP"]}
    plan_of_study = planned(config, tmp_path, row)
    stream = convert(plan_of_study.registry["mine"], plan_of_study.bundled_file("mine"))
    whole = convert(plan_of_study.registry["elec2"], plan_of_study.bundled_file("elec2"))
    assert [attribute.name for attribute in stream.schema.attributes] == ["period", "transfer"]
    assert (len(stream), stream.schema.classes) == (100, ("DOWN", "UP"))
    assert np.array_equal(stream.y, 1 - whole.y[:100])
    assert not stream.schema.sorted_by_name  # learners see the classes in this order
    assert plan_of_study.raw_file("mine") is None


def test_the_first_rows_of_a_generated_stream(config, tmp_path):
    plan_of_study = planned(config, tmp_path, {"of": "sea_50", "rows": 100, "title": "Short"})
    spec = plan_of_study.registry["mine"]
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


def planned_items(config, tmp_path, streams, **items):
    """The plan of a study with these items, in a file of its own."""
    content = {"studies": ["own"], "streams": streams, "items": {"own": items}}
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return plan.make_plan(config | content, decide=True, files=[path])


BENCHMARK = {"kind": "benchmark", "learners": ["naive_bayes"], "streams": ["mine", "elec2"]}


def test_an_item_is_about_the_first_rows_of_its_streams(config, tmp_path, rows):
    plan_of_study = planned_items(
        config, tmp_path, {"mine": rows}, a=BENCHMARK | {"rows": 30}, b=BENCHMARK
    )
    assert plan_of_study.items["own/a"].streams == ("mine_first_30", "elec2_first_30")
    assert plan_of_study.items["own/b"].streams == ("mine", "elec2")
    spec = plan_of_study.registry["elec2_first_30"]
    assert spec.title == f"{plan_of_study.registry['elec2'].title}, the first 30"
    part = convert(spec, plan_of_study.bundled_file("elec2_first_30"))
    whole = convert(plan_of_study.registry["elec2"], plan_of_study.bundled_file("elec2"))
    assert np.array_equal(part.X, whole.X[:30])
    spec = plan_of_study.registry["mine_first_30"]
    assert convert(spec, Path(spec.file)).X[:, 0].tolist() == list(range(30))
    assert {"mine_first_30", "elec2_first_30"} < {*plan_of_study.user_streams}
    assert len(plan_of_study.predictions) == 4


def test_items_of_as_many_rows_share_jobs_also_with_the_entry_of_such_a_stream(config, tmp_path):
    streams = {"short": {"of": "elec2", "rows": 200, "title": "Short"}}
    plan_of_study = planned_items(
        config,
        tmp_path,
        streams,
        a=BENCHMARK | {"streams": ["elec2", "ozone"], "rows": 200},
        b=BENCHMARK | {"streams": ["short"]},
        c=BENCHMARK | {"kind": "overall_measures", "streams": ["ozone"], "rows": 200},
    )
    assert plan_of_study.items["own/a"].streams == ("short", "ozone_first_200")
    assert plan_of_study.items["own/c"].streams == ("ozone_first_200",)
    assert {name for name, _ in plan_of_study.predictions} == {"short", "ozone_first_200"}


def test_as_many_rows_as_a_stream_has_are_the_stream_itself(config, tmp_path, rows):
    mine = {**rows, "rows": 20}
    plan_of_study = planned_items(
        config, tmp_path, {"mine": mine}, a=BENCHMARK | {"streams": ["mine"], "rows": 20}
    )
    assert plan_of_study.items["own/a"].streams == ("mine",)


def test_the_first_instances_of_a_generated_stream_and_of_its_stand_in(config, tmp_path):
    plan_of_study = planned_items(
        config, tmp_path, {}, a=BENCHMARK | {"streams": ["sea_50", "markov_elec2"], "rows": 100}
    )
    spec = plan_of_study.registry["sea_50_first_100"]
    assert len(synthesise(spec)) == 100
    assert plan_of_study.registry["markov_elec2_first_100"].stands_for == "elec2"
    both = BENCHMARK | {"streams": ["elec2", "markov_elec2"], "rows": 100}
    plan_of_study = planned_items(config, tmp_path, {}, a=both)
    assert plan_of_study.streams == ["elec2_first_100"]  # the stand-in of a real one that is there


def test_settings_that_name_streams_name_their_parts(config, tmp_path):
    (tmp_path / "n.csv").write_text("x,y\n" + "1,2.5\n" * 50, encoding="utf-8")
    streams = {"n": {"file": "n.csv", "target": "y", "numeric_target": True}}
    item = {"kind": "binned_errors", "streams": ["n"], "learners": ["target_mean"], "rows": 20}
    item |= {"delay": {"n": 3}, "labels": {"n": 9}, "label_first": ["n"]}
    settings = planned_items(config, tmp_path, streams, a=item).items["own/a"].settings
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
def test_rows_of_an_item_that_are_wrong_are_named(config, tmp_path, rows, item, message):
    streams = {"bounded": {**rows, "rows": 50}, "mine": rows}
    with pytest.raises(ConfigError, match=f"^.*mine.yaml: at items.own.a.*{message}"):
        planned_items(config, tmp_path, streams, a=BENCHMARK | item)


def test_a_dry_run_names_an_item_with_more_rows_than_a_file(config, tmp_path, rows):
    item = BENCHMARK | {"streams": ["mine"], "rows": 60}
    plan_of_study = planned_items(config, tmp_path, {"mine": rows}, a=item)
    with pytest.raises(ConfigError, match=r"at items.own.a.rows: .*expected 60, found 50"):
        check_files(plan_of_study)
