"""The drifts that figures of generated streams mark, and their captions."""

from __future__ import annotations

from dataclasses import replace

import yaml

from streameval.pipeline import plan, shown

CHANGE = {"generator": "sea", "function": 1}, {"generator": "sea", "function": 3}
STREAM = {"title": "S", "rows": 20000, "columns": 3, "classes": 2}
DRIFTING = {
    "generator": "concept_drift",
    "parameters": {"before": CHANGE[0], "after": CHANGE[1], "position": 10000, "width": 400},
    **STREAM,
}
ITEM = {"kind": "measures", "learners": ["naive_bayes"], "measures": ["accuracy"]}


def planned(config, tmp_path, **item):
    """The plan of one figure of three streams: with a drift, without one, and from a file."""
    streams = {"turning": DRIFTING, "still": {"generator": "sea", **STREAM}}
    figure = {**ITEM, "streams": [*streams, "elec2"], **item}
    content = {"studies": ["mine"], "items": {"mine": {"fig1": figure}}, "streams": streams}
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return plan.make_plan(config | content, decide=True, files=[path])


def drawings(made):
    ((task,),) = [job.tasks for job in shown.drawings(made)]
    return task["streams"]


def test_a_generated_stream_with_drifts_has_marks_and_a_sentence_about_them(config, tmp_path):
    made = planned(config, tmp_path)
    streams = drawings(made)
    assert streams["turning"]["drifts"] == [[9799, 400]]
    assert streams["turning"]["rows"] == 20000
    assert set(streams["still"]) == set(streams["elec2"]) == {"title", "simulated"}
    (item,) = made.items.values()
    captions = shown.captions_of(made, item)
    assert {name for name, text in captions.items() if shown.DRIFT_MARKS in text} == {"turning"}


def test_a_kind_that_marks_none_gets_none(config, tmp_path):
    made = planned(config, tmp_path)
    (item,) = made.items.values()
    other = replace(item, kind=replace(item.kind, marks_drifts=False))
    assert made.drifts_in("turning", item)
    assert not made.drifts_in("turning", other)
