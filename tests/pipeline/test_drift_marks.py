"""The drifts that figures of streams mark, and their captions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from streameval.base.errors import ConfigError
from streameval.pipeline import products
from streameval.streams.drift_marks import marks_of_stream
from streameval.streams.making import convert

CHANGE = {"generator": "sea", "function": 1}, {"generator": "sea", "function": 3}
STREAM = {"title": "S", "rows": 20000, "columns": 3, "classes": 2}
PARAMETERS = {"before": CHANGE[0], "after": CHANGE[1], "position": 10000, "width": 400}
DRIFTING = {"generator": "concept_drift", "parameters": PARAMETERS, **STREAM}
SUDDEN = {**DRIFTING, "parameters": {**PARAMETERS, "width": 1}}
ITEM = {"kind": "measures", "learners": ["naive_bayes"], "measures": ["accuracy"]}
LINES, BANDS = "Vertical lines mark sudden drifts", "Grey bands mark gradual drifts"


@pytest.fixture
def planned(plan_of):
    """A function that plans a figure of some streams."""

    def plan(streams, also=(), figure=None):
        return plan_of({"fig1": figure or {**ITEM, "streams": [*streams, *also]}}, streams=streams)

    return plan


def drawing(plan_of_study):
    (job,) = products.drawing_jobs(plan_of_study)
    return job


def captions(plan_of_study):
    (item,) = plan_of_study.items.values()
    return products.captions_of(plan_of_study, item)


def log(folder, **keys):
    """The entry of a file of 8 rows."""
    (folder / "log.csv").write_text("x,y\n" + "1,a\n2,b\n" * 4, encoding="utf-8")
    return {"log": {"title": "Log", "file": "log.csv", "target": "y", **keys}}


def test_a_generated_stream_with_drifts_has_marks_and_a_sentence_about_them(planned):
    streams = {"turning": DRIFTING, "still": {"generator": "sea", **STREAM}, "jumping": SUDDEN}
    plan_of_study = planned(streams, ["elec2"])
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
    (item,) = plan_of_study.items.values()
    unmarked = replace(item, kind=replace(item.kind, marks_drifts=False))
    assert not plan_of_study.drifts_in("turning", unmarked)


@pytest.mark.parametrize(("instances", "streams"), [(12000, {"turning"}), (9000, set())])
def test_drifts_after_the_instances_of_a_study_are_left_out(planned, instances, streams):
    item = {"kind": "holdout", "learners": ["naive_bayes"], "windows": [10]}
    figure = {**item, "streams": ["turning"], "instances": instances}
    (task,) = drawing(planned({"turning": DRIFTING}, figure=figure)).tasks
    assert {*task["drifts"]} == streams
    assert all(known["rows"] == instances for known in task["drifts"].values())


def test_known_drifts_of_a_file_are_marked_where_its_instances_are(planned, tmp_path):
    plan_of_study = planned(log(tmp_path, drifts=[3, 5]))
    job = drawing(plan_of_study)
    (task,) = job.tasks
    file = "resources/streams/log.parquet"
    assert task["drifts"] == {"log": {"drifts": [[3, 0], [5, 0]], "file": file}}
    assert job.inputs["streams"] == [file]
    assert LINES in captions(plan_of_study)["log"]


@pytest.mark.parametrize(("rows", "drifts"), [(6, [3, 5]), (5, [3]), (3, [])])
def test_drifts_after_the_first_rows_of_a_file_are_left_out(planned, tmp_path, rows, drifts):
    plan_of_study = planned(log(tmp_path, drifts=[3, 5], rows=rows))
    (item,) = plan_of_study.items.values()
    assert plan_of_study.drifts_in("log", item) == [[start, 0] for start in drifts]
    assert ("drift" in captions(plan_of_study)["log"]) is bool(drifts)


def test_a_part_of_a_stream_has_its_drifts_or_others(planned):
    streams = {
        "part": {"of": "insects_abrupt", "rows": 20000},
        "marked": {"of": "elec2", "rows": 900, "drifts": [100, 950]},
    }
    registry = planned(streams).registry
    assert [drift.start for drift in registry["part"].known_drifts()] == [14352, 19500]
    assert [drift.start for drift in registry["marked"].known_drifts()] == [100]


def test_a_part_of_a_generated_stream_takes_no_other_drifts(planned):
    with pytest.raises(ConfigError, match="drifts of a generated stream"):
        planned({"part": {"of": "led_delayed", "drifts": [100]}})


@pytest.mark.parametrize(
    "drifts",
    [
        *([0], [5, 3], [3, 3], [], ["x"], ["2025-02-01", 3], ["2025-02-30"]),
        *(["2025-02-03", "2025-02-01"], ["2025-02-01", "2025-02-01 00:00"]),
        ["2025-02-01", "2025-02-03 12:00+01:00"],
    ],
)
def test_drifts_that_are_no_increasing_rows_or_dates_are_refused(planned, tmp_path, drifts):
    with pytest.raises(ConfigError, match=r"mine\.yaml.*drifts"):
        planned(log(tmp_path, drifts=drifts))


def test_drifts_outside_a_file_are_refused_when_it_is_read(planned, tmp_path):
    spec = planned(log(tmp_path, drifts=[3, 8])).registry["log"]
    with pytest.raises(ConfigError, match=r"'log': drifts: expected rows from 1 to 7.*found 8"):
        convert(spec, spec.file)


def dated(folder, drift, **keys):
    """The entry of a file with a row for each of three dates."""
    rows = "2025-01-01,1,a\n2025-01-02,1,b\n2025-01-04,1,a\n"
    (folder / "dated.csv").write_text(f"t,x,y\n{rows}", encoding="utf-8")
    return {"log": {"title": "Log", "file": "dated.csv", "target": "y", "drifts": [drift], **keys}}


def test_drifts_at_dates_are_marked_where_the_dates_are(planned, tmp_path):
    plan_of_study = planned(dated(tmp_path, "2025-01-03", time="t"))
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
def test_dates_outside_the_stream_are_refused(planned, tmp_path, drift, keys, message):
    spec = planned(dated(tmp_path, drift, **keys)).registry["log"]
    with pytest.raises(ConfigError, match=f"'log': drifts: .*{message}"):
        convert(spec, spec.file)
