"""Learners that are named at the end of a run, as a job of their own would shorten it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from streameval.learners.registry import LearnerSpec
from streameval.pipeline.slow_learners import SlowRun, advice, slow_runs
from streameval.protocols.registry import parse

PROTOCOL = parse("prequential")


@pytest.fixture
def plan(tmp_path, monkeypatch):
    """A plan of four learners over a stream, one of which has a job of its own."""
    monkeypatch.chdir(tmp_path)
    rows = {name: LearnerSpec(name, "naive_bayes", name) for name in ("a", "b", "c", "d")}
    rows["d"] = replace(rows["d"], slow=True)
    return SimpleNamespace(
        learners=rows,
        predictions={("abc", PROTOCOL): [*rows], ("abd", PROTOCOL): [*rows]},
        seed_runs={("abc", PROTOCOL, 2): [*rows]},
        timings_folder="timings/",
    )


def write_costs(name, *seconds):
    lines = [f"{learner},100,{x}" for learner, x in zip("abcd", seconds, strict=True)]
    path = Path("timings", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["learner,instances,seconds", *lines, ""]), encoding="utf-8")


def test_a_learner_is_named_if_a_minute_would_be_saved(plan):
    write_costs("abc.prequential.csv", 100.0, 59.0, 3.0, 900.0)
    assert slow_runs(plan) == [SlowRun("a", "abc", "prequential", 100.0, 162.0)]
    # The others take less than a minute: they would wait for it.
    write_costs("abc.prequential.csv", 100.0, 30.0, 20.0, 900.0)
    assert slow_runs(plan) == []


def test_each_seed_counts_and_the_longest_run_is_first(plan):
    write_costs("abc.prequential.csv", 100.0, 300.0, 0.5, 1.0)
    # Predictions of another system took no time that is known.
    write_costs("seed-2/abc.prequential.csv", 200.0, 250.0, "", 1.0)
    runs = slow_runs(plan)
    assert [(run.learner, run.evaluation) for run in runs] == [
        ("b", "prequential"),
        ("b", "prequential, seed 2"),
        ("a", "prequential, seed 2"),
        ("a", "prequential"),
    ]
    assert advice(runs)[1:] == [
        "  b: 300 of 400 CPU seconds on abc, prequential",
        "  a: 200 of 450 CPU seconds on abc, prequential, seed 2",
    ]
    assert advice(runs, max_learners=1)[2:] == ["  and 1 more"]


def test_without_costs_nothing_is_said(plan):
    assert slow_runs(plan) == []
    assert advice([]) == []
