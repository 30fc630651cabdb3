"""What jobs ask of a cluster is enough for those that were measured, and no waste."""

from __future__ import annotations

import pytest

from streameval.base.settings import ROOT, load_yaml
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.plan import make_plan
from streameval.pipeline.study_jobs import (
    UNKNOWN,
    Size,
    core_seconds,
    memory_mb,
    runtime_minutes,
    size_of,
    studies,
)

ELECTRICITY = Size(rows=45_312, attributes=8, classes=2)
KDD99 = Size(rows=494_021, attributes=41, classes=23)
COVERTYPE = Size(rows=50_000, attributes=54, classes=7)
RBF = Size(rows=1_000_000, attributes=10, classes=10)

#: What the default run's jobs with all learners took, kernels compiled already: stream, seconds,
#: megabytes at their peak.
MEASURED = [(ELECTRICITY, 1.3, 311), (COVERTYPE, 6.1, 472), (RBF, 45.2, 687), (KDD99, 34.7, 1337)]
LEARNERS = 18
#: How much more a job on electricity takes that compiles all kernels itself, 634 MB instead of 311.
COMPILING = 634 - 311


@pytest.mark.parametrize(("size", "seconds", "megabytes"), MEASURED)
def test_twice_what_was_measured_is_asked_for_and_not_ten_times(size, seconds, megabytes):
    assert 2 * (megabytes + COMPILING) <= memory_mb(size, LEARNERS) <= 10 * megabytes
    without_the_stream = runtime_minutes(size, runs=0)
    for_learners = runtime_minutes(size._replace(rows=60 * size.rows), LEARNERS)
    assert for_learners - without_the_stream >= 2 * seconds
    assert seconds <= core_seconds(size, LEARNERS) <= 10 * seconds


#: What jobs of the study of type errors take at paper scale, by shorter ones: stream,
#: minutes, megabytes at their peak.
EXTRAPOLATED = [
    ("led_50000", 7.0, 977),
    ("sea_50", 2.5, 721),
    ("hyp_10_0.001", 1.7, 613),
]


def test_jobs_of_parts_ask_for_twice_what_they_take(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = ROOT / "config" / "paper.yaml"
    config = merge_files([path])
    config["studies"], config["data"]["missing"] = ["bifet2015"], "skip"
    config["items"] = {"bifet2015": {"errors": config["items"]["bifet2015"]["errors"]}}
    plan = make_plan(config, decide=False, files=[path])
    for stream, minutes, megabytes in EXTRAPOLATED:
        asked = parts_of(plan, "bifet2015/errors", stream)
        assert len(asked) == 25
        for work in asked:
            assert 2 * megabytes <= work.megabytes <= 10 * megabytes, stream
            assert 2 * minutes <= work.minutes, stream
            assert minutes <= work.seconds / 60 <= 10 * minutes, stream


def parts_of(plan, item, stream):
    """The jobs that do the parts of an item's study of a stream."""
    return [
        work
        for work in studies(plan)
        for task in work.tasks
        if "part" in task and task["name"] == stream and task["item"] == item
    ]


#: What jobs of the default run took with kernels compiled already, and where they compiled them
#: themselves: item, megabytes at their peak.
COMPILED = [("bifet2015/errors", 370), ("beyond/shared_seeds", 354), ("beyond/shared_seeds", 558)]


@pytest.mark.parametrize(("item", "megabytes"), COMPILED)
def test_jobs_ask_for_twice_what_was_measured_even_if_they_compile(full_plan, item, megabytes):
    (work,) = parts_of(full_plan, item, "rbf_0_0")
    assert 2 * megabytes <= work.megabytes <= 10 * megabytes


def test_each_further_attempt_asks_for_twice_as_much():
    for ask in (memory_mb, runtime_minutes):
        first, second, third = (ask(KDD99, LEARNERS, attempt=n) for n in (1, 2, 3))
        assert (second, third) == (2 * first, 4 * first)


def test_more_of_anything_asks_for_more():
    for ask in (memory_mb, runtime_minutes):
        asked = ask(KDD99, 100)
        assert ask(KDD99, 1000) > asked
        for name in Size._fields:
            larger = KDD99._replace(**{name: 100 * getattr(KDD99, name)})
            assert ask(larger, 100) > asked, name


def test_learners_of_other_tools_get_their_time():
    """River's leveraging bagging takes 281 rows of KDD99 a second (benchmarks)."""
    assert runtime_minutes(KDD99, uncompiled_runs=1) >= KDD99.rows / 281 / 60


def test_lags_count_as_attributes():
    assert ELECTRICITY.with_lags(3).attributes == 8 + 3
    assert ELECTRICITY.with_lags(3, lagged_inputs=True).attributes == 8 + 3 * (8 + 1)


def test_sizes_come_from_the_registry_or_are_assumed():
    streams = load_yaml(ROOT / "config" / "streams.yaml")["streams"]
    assert size_of(streams["kdd99"]) == KDD99
    assert size_of(streams["elec2"]) == ELECTRICITY
    assert size_of({"file": "mine.csv"}) == UNKNOWN
    assert size_of({"file": "mine.csv", "rows": 5}) == UNKNOWN._replace(rows=5)
    numeric_target = next(spec for spec in streams.values() if spec.get("classes") == 0)
    assert size_of(numeric_target).classes == UNKNOWN.classes
