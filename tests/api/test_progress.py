"""The time that a slow run will take is said after a second."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import streameval as se
from streameval.base.errors import ConfigError
from streameval.learners import estimate
from streameval.learners.estimate import Estimate, EstimateByLearner


class Clock:
    """A clock that each event moves on."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def reported(capsys, steps, events, instances=10_000):
    """Progress messages for steps (events, seconds)."""
    clock = Clock()
    say = Estimate(events, instances, clock)
    for done, seconds in steps:
        clock.now += seconds
        say(done)
    return capsys.readouterr().err


def test_a_slow_run_is_announced_after_a_second(capsys):
    # 16 events in 0.64 s: 0.04 s for each of 10,000 - 48.
    said = reported(capsys, [(16, 0.64)] * 3, 10_000)
    assert said.startswith("streameval: ")
    for fact in ("7 minutes", "--rows 500 ", "stream.first(500)"):
        assert fact in said
    for instances, left in ((1050, "40 seconds"), (2270, "89 seconds"), (500_000, "6 hours")):
        assert f"about {left} are left" in reported(capsys, [(16, 0.64)] * 3, instances)
    assert reported(capsys, [(16, 0.64)] * 1, 10_000) == ""  # one report may be any delay
    assert len(reported(capsys, [(16, 0.64)] * 90, 10_000).splitlines()) == 1


def test_a_quick_run_says_nothing(capsys):
    assert reported(capsys, [(1000, 0.1)] * 10, 10_000) == ""
    # One long pause, in which a learner is compiled, is no slow event.
    assert reported(capsys, [(16, 5.0), *[(16, 0.01)] * 20], 10_000) == ""


def test_a_learner_that_is_slow_later_is_announced_too(capsys):
    steps = [(1000, 0.3)] * 5 + [(16, 1.6)] * 4
    assert "minutes are left" in reported(capsys, steps, 10_000)


def test_an_own_class_is_announced_and_a_learner_of_the_package_not(capsys, monkeypatch):
    monkeypatch.setattr(estimate, "MIN_SECONDS_SEEN", 0.05)
    monkeypatch.setattr(estimate, "MIN_SECONDS_LEFT", 0.5)

    class Slow:
        def learn(self, x, y, w):
            time.sleep(0.002)

        def predict(self, x):
            return 0

    stream = se.generate("sea", rows=600)
    se.evaluate(stream, Slow)
    assert "streameval: about " in capsys.readouterr().err
    se.evaluate(stream, Slow, progress=False)
    se.evaluate(stream, "hoeffding_tree")
    assert capsys.readouterr().err == ""


def test_each_slow_learner_of_a_job_has_a_line_with_its_time(capsys, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(estimate, "may_be_slow", lambda kind: kind != "compiled")
    monkeypatch.setattr(estimate, "Estimate", partial(Estimate, clock=clock))
    kinds = {"mine": "own", "naive_bayes": "compiled", "yours": "own"}
    watch = EstimateByLearner(kinds, lambda: 10_000, "elec2")
    for _ in kinds:
        for _ in range(30):
            clock.now += 1.0
            watch(20)
        watch.end_learner()
    # 0.05 s an event: only what is left of the learner itself counts.
    assert capsys.readouterr().err.splitlines() == [
        "streameval: mine on elec2: about 8 minutes are left.",
        "streameval: yours on elec2: about 8 minutes are left.",
    ]


def test_the_first_instances_of_a_stream():
    stream = se.generate("sea", rows=50)
    assert (stream.X[:20] == stream.first(20).X).all()
    assert len(stream.first(70)) == 50
    late = se.generate("sea", rows=4)
    late = replace(late, time=np.array([5, 1, 9, 1]), label_time=np.array([9, 9, 9, 9]))
    assert late.first(3).time.tolist() == [5, 1, 1]
    with pytest.raises(ConfigError, match="rows: expected a whole number"):
        stream.first(0)


class SlowFit:
    """An estimator whose fit takes a fifth of a second."""

    def fit(self, X, y):
        time.sleep(0.2)

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def test_a_fit_that_takes_long_says_so(capsys, monkeypatch):
    monkeypatch.setattr(estimate, "MIN_FIT_SECONDS", 0.05)
    stream = se.generate("sea", rows=150)
    se.evaluate(stream, se.retrained(SlowFit))
    said = capsys.readouterr().err
    assert "The retrained SlowFit: fit 1, of 100 instances, has been running for 0 seconds." in said
    se.evaluate(stream, se.retrained(SlowFit), progress=False)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("set_to", "is_said"), [(None, True), ("1", False)])
def test_a_fit_with_several_threads_says_how_to_have_one(capsys, monkeypatch, set_to, is_said):
    monkeypatch.setattr(estimate, "MIN_FIT_SECONDS", 0.01)
    monkeypatch.setattr(time, "process_time", lambda: 4.0 * time.perf_counter())
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if set_to is not None:
        monkeypatch.setenv("OMP_NUM_THREADS", set_to)
    with estimate.watch_fit("The fit"):
        time.sleep(0.1)
    said = capsys.readouterr().err
    assert said.startswith("streameval: The fit has been running for")
    assert ("use 4.0 processors" in said and "OMP_NUM_THREADS=1" in said) is is_said
