"""Forecasts of studies in parts: probes, their extrapolation, and what follows for jobs."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from streameval.cli import main
from streameval.pipeline import forecast as tried
from streameval.pipeline.forecast import Forecast, RunCost, advice, extrapolated, hours_on, page
from streameval.pipeline.plan import make_plan


def one(seconds, runs=(2, 2), stream="s", asks=(60, 2000), error=1.0):
    return Forecast("study/item", stream, runs, RunCost(seconds, error, 500.0), *asks)


@pytest.fixture
def small(config):
    config["studies"] = ["bifet2015"]
    errors = {
        "streams": ["sea_50", "covtype"],
        "learners": ["naive_bayes"],
        "instances": [100, 300],
    }
    errors |= {"runs": 5, "runs_per_job": 2, "bins": 20}
    config["items"] = {"bifet2015": {"errors": errors}}
    config["data"]["offline"] = True
    config["data"]["missing"] = "fail"
    return config


def test_a_constant_cost_is_found_without_error():
    value, error = extrapolated([100, 200, 400], [1, 2, 4], 40_000)
    assert value == pytest.approx(400)
    assert error == pytest.approx(0, abs=1e-9)


def test_a_cost_that_grows_with_the_logarithm_is_found_without_error():
    def seconds(n):
        return n * (1 + 0.1 * np.log2(n))

    lengths = [100, 200, 400]
    value, error = extrapolated(lengths, [seconds(n) for n in lengths], 40_000)
    assert value == pytest.approx(seconds(40_000))
    assert error == pytest.approx(0, abs=1e-6)


def test_the_error_is_the_largest_change_without_one_probe():
    lengths, seconds, asked = [100, 200, 400], [1.0, 2.2, 4.0], 3200
    each, at = np.divide(seconds, lengths), np.log2(lengths)

    def by_two(i, j):
        slope = (each[j] - each[i]) / (at[j] - at[i])
        return max(each[i] + slope * (np.log2(asked) - at[i]), min(each[i], each[j]))

    value, error = extrapolated(lengths, seconds, asked)
    pairs = [by_two(i, j) for i, j in product(range(3), repeat=2) if i < j]
    assert error == pytest.approx(max(abs(asked * pair - value) for pair in pairs))
    assert error > 0


def test_a_cost_that_falls_is_not_believed_beyond_the_probes():
    value, _ = extrapolated([100, 200, 400], [2.0, 3.0, 4.0], 1e6)
    assert value == pytest.approx(1e6 * 0.01)


def test_core_hours_and_minutes_are_those_of_all_runs():
    found = one(36.0, runs=(50, 50, 20))
    assert found.hours == pytest.approx(120 * 36 / 3600)
    assert found.error == pytest.approx(120 / 3600)
    assert found.minutes == pytest.approx(30)


def test_hours_on_cores_are_at_least_the_longest_job_and_the_work_by_cores():
    found = [one(3600.0, runs=(3,)), one(3600.0, runs=(1, 1))]
    assert hours_on(found, 1) == pytest.approx(5)
    assert hours_on(found, 2) == pytest.approx(3)
    assert hours_on(found, 50) == pytest.approx(3)


def test_jobs_that_take_long_are_advised_to_be_divided():
    (said,) = advice([one(60.0, runs=(20, 20), asks=(600, 2000)), one(6.0, stream="t")])
    assert "20 minutes (s). With runs_per_job: 10 it takes 10;" in said


def test_jobs_that_are_short_are_advised_to_be_put_together():
    (said,) = advice([one(6.0, runs=(2,) * 100)])
    assert "runs_per_job: 100 it takes 10" in said


def test_jobs_that_cannot_be_shorter_or_longer_are_left_alone():
    assert not advice([one(3000.0, runs=(1, 1), asks=(200, 2000))])
    assert not advice([one(0.1, runs=(4,))])
    assert not advice([one(100.0, runs=(3,) * 9)])


@pytest.mark.parametrize("asks", [(9, 2000), (60, 999)])
def test_a_job_that_asks_for_less_than_twice_what_it_takes_is_named(asks):
    (said,) = advice([one(150.0, asks=asks)])
    assert said.startswith("study/item, s: a job asks a cluster for")
    assert not advice([one(150.0, asks=(10, 1000))])


def test_the_page_has_a_row_for_each_stream_and_the_sum():
    lines = page([one(360.0), one(720.0, stream="other")], 2).splitlines()
    assert lines[0].split() == ["item", "stream", "jobs", "runs", *lines[0].split()[4:]]
    assert lines[1].split()[:5] == ["study/item", "s", "2", "4", "12.00"]
    assert lines[3].split() == ["all", "4", "1.200", "0.002"]
    assert lines[-1] == "On 2 cores: 0.60 hours."  # each does a job of 24 minutes, then one of 12


def test_streams_are_measured_or_named_with_the_reason(small, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STREAMEVAL_DATA", raising=False)
    plan = make_plan(tried.without_missing(small), decide=False)
    lacking, found = tried.forecasts(plan, seconds=0.5)
    assert lacking[:2] == ("bifet2015/errors", "covtype")
    assert found.stream == "sea_50"
    assert found.runs == (2, 2, 1)
    assert 0 < found.run.seconds < 60
    assert found.run.megabytes > 50
    # Whether a job asks for enough memory is not tested here: this process has run other tests.
    assert small["data"]["missing"] == "fail"


def of_cost(cost, monkeypatch, small, **settings):
    """Let a run take so many seconds by its length; return the probes' lengths, and the cost."""
    seen, clock = [], [0.0]

    def part(given, number):
        assert number == 0
        assert [*given.settings.runs_of(number)] == [0]
        (instances,) = given.settings.instances
        seen.append(instances)
        clock[0] += cost(instances)
        return {}

    monkeypatch.setattr(tried, "function_of", lambda *_: part)
    monkeypatch.setattr(tried.time, "process_time", lambda: clock[0])
    small["items"]["bifet2015"]["errors"] |= {"streams": ["sea_50"], **settings}
    plan = make_plan(tried.without_missing(small), decide=False)
    (found,) = tried.forecasts(plan, seconds=10)
    return seen, clock[0], found


def test_probes_are_never_longer_than_a_run_and_grow(small, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    seen, _, found = of_cost(lambda n: 1e-6 * n, monkeypatch, small)
    assert max(seen) == 300
    assert seen[-6:-3] == [75, 150, 300]
    assert found.run.seconds == pytest.approx(300e-6)


@pytest.mark.parametrize("each", [1e-6, 1e-5, 1e-4, 1e-3])
@pytest.mark.parametrize("fixed", [0.0, 0.2])
def test_probes_keep_their_time_and_a_steady_cost_is_found(
    each, fixed, small, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    _, spent, found = of_cost(lambda n: fixed + each * n, monkeypatch, small, instances=[1000000])
    assert spent - 12 * fixed < 1.6 * 10  # of ten seconds; what does not grow cannot be helped
    assert found.run.seconds == pytest.approx(fixed + 1e6 * each)
    assert found.run.error == pytest.approx(0, abs=1e-4 * found.run.seconds)


def test_the_command_prints_the_table(small, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STREAMEVAL_DATA", raising=False)
    path = tmp_path / "few.yaml"
    errors = small["items"]["bifet2015"]["errors"]
    lines = [f"      {key}: {value}" for key, value in errors.items()]
    path.write_text(
        "studies: [bifet2015]\ndata: {offline: true, missing: fail}\n"
        "items:\n  bifet2015:\n    errors:\n" + "\n".join(lines) + "\n"
    )
    assert main(["forecast", str(path), "--cores", "3", "--seconds", "0.5"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^bifet2015/errors +sea_50 ", printed, re.MULTILINE)
    assert "On 3 cores: " in printed
    assert "covtype: not in the forecast, as the stream is not here: " in printed
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("words", [["--cores", "0"], ["--seconds", "0"], ["--seconds", "nan"]])
def test_wrong_options_are_refused(words, capsys):
    assert main(["forecast", *words]) == 2
    assert f"{words[0]}: expected" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self/statm").is_file(), reason="the system does not tell it")
def test_memory_that_is_free_again_is_not_counted():
    before = tried._megabytes()
    some = np.ones(40_000_000)
    assert tried._megabytes() - before == pytest.approx(some.nbytes / 1e6, abs=30)
    del some
    assert tried._megabytes() - before < 30
