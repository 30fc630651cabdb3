"""The drifts that figures of streams mark, and their captions."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from streameval.base.errors import ConfigError
from streameval.pipeline import plan, products
from streameval.streams.drift_marks import marks_of_stream
from streameval.streams.making import convert

CHANGE = {"generator": "sea", "function": 1}, {"generator": "sea", "function": 3}
STREAM = {"title": "S", "rows": 20000, "columns": 3, "classes": 2}
PARAMETERS = {"before": CHANGE[0], "after": CHANGE[1], "position": 10000, "width": 400}
DRIFTING = {"generator": "concept_drift", "parameters": PARAMETERS, **STREAM}
SUDDEN = {**DRIFTING, "parameters": {**PARAMETERS, "width": 1}}
ITEM = {"kind": "measures", "learners": ["naive_bayes"], "measures": ["accuracy"]}
LINES, BANDS = "Vertical lines mark sudden drifts", "Grey bands mark gradual drifts"


def planned(config, tmp_path, streams, also=(), figure=None):
    """The plan of a figure of some streams."""
    figure = figure or {**ITEM, "streams": [*streams, *also]}
    content = {"studies": ["mine"], "items": {"mine": {"fig1": figure}}, "streams": streams}
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return plan.make_plan(config | content, decide=True, files=[path])


def drawing(plan_of_study):
    (job,) = products.drawing_jobs(plan_of_study)
    return job


def captions(plan_of_study):
    (item,) = plan_of_study.items.values()
    return products.captions_of(plan_of_study, item)


def log(folder, rows=8):
    """The entry of a file of so many rows."""
    path = folder / "log.csv"
    path.write_text("x,y\n" + "1,a\n2,b\n" * (rows // 2), encoding="utf-8")
    return {"title": "Log", "file": "log.csv", "target": "y"}


def test_a_generated_stream_with_drifts_has_marks_and_a_sentence_about_them(config, tmp_path):
    streams = {"turning": DRIFTING, "still": {"generator": "sea", **STREAM}, "jumping": SUDDEN}
    plan_of_study = planned(config, tmp_path, streams, ["elec2"])
    job = drawing(plan_of_study)
    (task,) = job.tasks
    assert {*task["streams"]} == {*streams, "elec2"}
    assert task["drifts"] == {
        "turning": {"drifts": [[9799, 400]], "rows": 20000},
        "jumping": {"drifts": [[9999, 1]], "rows": 20000},
    }
    assert job.inputs["streams"] == []
    texts = captions(plan_of_study)
    assert {name for name, text in texts.items() if BANDS in text} == {"turning"}
    assert {name for name, text in texts.items() if LINES in text} == {"jumping"}
    assert {name for name, text in texts.items() if "drift" in text} == {"turning", "jumping"}


def test_a_kind_that_marks_none_gets_none(config, tmp_path):
    plan_of_study = planned(config, tmp_path, {"turning": DRIFTING})
    (item,) = plan_of_study.items.values()
    other = replace(item, kind=replace(item.kind, marks_drifts=False))
    assert plan_of_study.drifts_in("turning", item)
    assert not plan_of_study.drifts_in("turning", other)


@pytest.mark.parametrize(("instances", "streams"), [(12000, {"turning"}), (9000, set())])
def test_drifts_after_the_instances_of_a_study_are_left_out(config, tmp_path, instances, streams):
    item = {"kind": "holdout", "learners": ["naive_bayes"], "windows": [10]}
    figure = {**item, "streams": ["turning"], "instances": instances}
    plan_of_study = planned(config, tmp_path, {"turning": DRIFTING}, figure=figure)
    (task,) = drawing(plan_of_study).tasks
    assert {*task["drifts"]} == streams
    assert all(known["rows"] == instances for known in task["drifts"].values())


def test_known_drifts_of_a_file_are_marked_where_its_instances_are(config, tmp_path):
    plan_of_study = planned(config, tmp_path, {"log": {**log(tmp_path), "drifts": [3, 5]}})
    job = drawing(plan_of_study)
    (task,) = job.tasks
    file = "resources/streams/log.parquet"
    assert task["drifts"] == {"log": {"drifts": [[3, 0], [5, 0]], "file": file}}
    assert job.inputs["streams"] == [file]
    assert LINES in captions(plan_of_study)["log"]


@pytest.mark.parametrize(("rows", "drifts"), [(6, [3, 5]), (5, [3]), (3, [])])
def test_drifts_after_the_first_rows_of_a_file_are_left_out(config, tmp_path, rows, drifts):
    plan_of_study = planned(
        config, tmp_path, {"log": {**log(tmp_path), "drifts": [3, 5], "rows": rows}}
    )
    (item,) = plan_of_study.items.values()
    assert plan_of_study.drifts_in("log", item) == [[start, 0] for start in drifts]
    assert ("drift" in captions(plan_of_study)["log"]) is bool(drifts)


def test_a_part_of_a_stream_has_its_drifts_or_others(config, tmp_path):
    streams = {
        "part": {"of": "insects_abrupt", "rows": 20000},
        "marked": {"of": "elec2", "rows": 900, "drifts": [100, 950]},
    }
    plan_of_study = planned(config, tmp_path, streams)
    assert [drift.start for drift in plan_of_study.registry["part"].known_drifts()] == [
        14352,
        19500,
    ]
    assert [drift.start for drift in plan_of_study.registry["marked"].known_drifts()] == [100]


def test_a_part_of_a_generated_stream_takes_no_other_drifts(config, tmp_path):
    streams = {"part": {"of": "led_delayed", "drifts": [100]}}
    with pytest.raises(ConfigError, match="drifts of a generated stream"):
        planned(config, tmp_path, streams)


NO_ROWS = [[0], [5, 3], [3, 3], [], [-1], ["x"]]
NO_DATES = [
    ["2025-02-30"],
    ["2025-02-03", "2025-02-01"],
    ["2025-02-01", "2025-02-01 00:00"],
    ["2025-02-01", "2025-02-03 12:00+01:00"],
    ["2025-02-01", 3],
]


@pytest.mark.parametrize("drifts", [*NO_ROWS, *NO_DATES])
def test_drifts_that_are_no_increasing_rows_or_dates_are_refused(config, tmp_path, drifts):
    with pytest.raises(ConfigError, match=r"mine\.yaml.*drifts"):
        planned(config, tmp_path, {"log": {**log(tmp_path), "drifts": drifts}})


def test_drifts_outside_a_file_are_refused_when_it_is_read(config, tmp_path):
    plan_of_study = planned(config, tmp_path, {"log": {**log(tmp_path), "drifts": [3, 8]}})
    spec = plan_of_study.registry["log"]
    with pytest.raises(ConfigError, match=r"'log': drifts: expected rows from 1 to 7.*found 8"):
        convert(spec, spec.file)


def dated(folder, drifts, dates=("2025-01-01", "2025-01-02", "2025-01-04"), **keys):
    """The entry of a file with a row for each date."""
    rows = [f"{date},1,{'ab'[i % 2]}\n" for i, date in enumerate(dates)]
    (folder / "dated.csv").write_text("".join(["t,x,y\n", *rows]), encoding="utf-8")
    return {"title": "Log", "file": "dated.csv", "target": "y", "drifts": drifts, **keys}


def test_drifts_at_dates_are_marked_where_the_dates_are(config, tmp_path):
    plan_of_study = planned(config, tmp_path, {"log": dated(tmp_path, ["2025-01-03"], time="t")})
    (task,) = drawing(plan_of_study).tasks
    assert task["drifts"]["log"]["drifts"] == [["2025-01-03", 0]]
    assert LINES in captions(plan_of_study)["log"]
    spec = plan_of_study.registry["log"]
    stream = convert(spec, spec.file)
    assert marks_of_stream(task["drifts"]["log"]["drifts"], stream).starts == [3]


@pytest.mark.parametrize(
    ("drift", "keys", "message"),
    [
        ("2025-01-01", {"time": "t"}, "after the first instance, 2025-01-01 00:00:00"),
        ("2025-01-05", {"time": "t"}, "not after the last one, 2025-01-04 00:00:00"),
        ("2025-01-03", {"time": "t", "rows": 2}, "not after the last one, 2025-01-02 00:00:00"),
        ("2025-01-03 12:00+01:00", {"time": "t"}, "dates without an offset"),
        ("2025-01-02", {"drop": ["t"]}, "expected rows, as the stream has no dates"),
    ],
)
def test_dates_outside_the_stream_are_refused(config, tmp_path, drift, keys, message):
    plan_of_study = planned(config, tmp_path, {"log": dated(tmp_path, [drift], **keys)})
    spec = plan_of_study.registry["log"]
    with pytest.raises(ConfigError, match=f"'log': drifts: .*{message}"):
        convert(spec, spec.file)
