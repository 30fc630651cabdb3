"""Prediction intervals of regressors in the command `evaluate`."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.commands import first, printed, refused, run

import streameval as se

N = 500


@pytest.fixture
def rides(tmp_path):
    """Counts of bikes by the hour, and whether it is warm."""
    rng = np.random.default_rng(5)
    warm = rng.normal(15, 8, N).round(1)
    cnt = (300 + 12 * warm + rng.normal(0, 20, N)).round()
    path = tmp_path / "rides.csv"
    pd.DataFrame({"warm": warm, "cnt": cnt}).to_csv(path, index=False)
    return path


def words_for(path, *more):
    return ("evaluate", path, "--target", "cnt", "--learner", "amrules", *more)


def test_a_table_of_all_regressors(capsys, rides):
    out = printed(capsys, *words_for(rides, "--intervals", "0.8"))
    stream = se.read(rides, "cnt", numeric_target=True)
    found = se.evaluate(stream, "amrules", intervals=0.8).intervals()
    lines = {line[:30].strip(): line.split() for line in out.splitlines()}
    head = next(line for line in out.splitlines() if line.startswith("Prediction intervals"))
    assert "nominal coverage 0.8 " in head
    assert head.split()[-3:] == [*found.index]
    shown = [f"{value:.4f}" for value in found["interval_coverage"]]
    assert lines["Coverage (PICP)"][-3:] == shown
    assert lines["intervals"][-3:] == [str(n) for n in found["intervals"]]
    assert "Mean absolute error" in out


@pytest.mark.parametrize("delay", [(), ("--delay", "30")])
def test_json_and_the_wrapper_have_the_same_numbers(capsys, rides, delay):
    texts = [
        run(capsys, *words_for(rides, *more, *delay, "--json"))[1]
        for more in (
            ("--intervals", "0.8:0.02:100"),
            ("--wrapper", "conformal:0.8:0.02:100"),
        )
    ]
    one, other = (first(text)["intervals"] for text in texts)
    assert one == other
    assert abs(one["interval_coverage"] - 0.8) < 0.06
    result = se.evaluate(
        se.read(rides, "cnt", numeric_target=True),
        "amrules",
        intervals="0.8:0.02:100",
        **({"delay": 30} if delay else {}),
    )
    row = result.intervals().loc["amrules"]
    assert {name: pytest.approx(row[name]) for name in one} == one


def test_without_the_option_nothing_is_said(capsys, rides):
    assert "ntervals, nominal" not in run(capsys, *words_for(rides))[1]
    assert "intervals" not in first(run(capsys, *words_for(rides, "--json"))[1])


def test_under_a_delay_they_are_of_predictions_on_arrival(capsys, rides):
    out = run(capsys, *words_for(rides, "--intervals", "0.8", "--delay", "30"))[1]
    assert "Prediction intervals, nominal coverage 0.8, on arrival" in out


def test_infinite_intervals_are_named(capsys, rides):
    out = run(capsys, *words_for(rides, "--intervals", "0.8:1:50:1"))[1]
    assert "infinite" in next(line for line in out.splitlines() if line.startswith("Mean width"))
    assert "A single infinite interval" in " ".join(out.split())


def test_a_figure(capsys, rides, tmp_path):
    figure = tmp_path / "a.svg"
    assert run(capsys, *words_for(rides, "--intervals", "0.9", "--figure", figure))[0] == 0
    assert "PICP" in figure.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("more", "found"),
    [
        (("--intervals", "2"), "at coverage: expected a number above 0 and below 1, found '2'"),
        (("--intervals", "0.9", "--wrapper", "conformal"), "--intervals: expected no --wrapper"),
        (("--wrapper", "resetting"), r"choose conformal[:COVERAGE"),
        (("--wrapper", "conformal:0.9:1:9:1:1"), "too many values in '0.9:1:9:1:1'"),
    ],
)
def test_refusals(capsys, rides, more, found):
    err = refused(capsys, *words_for(rides, *more))
    assert found in " ".join(err.split())


def test_classifiers_have_none(capsys, tmp_path):
    path = tmp_path / "two.csv"
    pd.DataFrame({"x": [1.0, 2.0] * 20, "y": ["a", "b"] * 20}).to_csv(path, index=False)
    words = ("evaluate", path, "--target", "y", "--learner", "naive_bayes")
    for more in ((), ("--chunk-rows", "10")):
        assert "predict numbers" in run(capsys, *words, "--intervals", "0.9", *more)[2]
    assert "'naive_bayes' predicts classes" in run(capsys, *words, "--wrapper", "conformal")[2]


def test_a_file_of_predictions_with_intervals(capsys, rides, tmp_path):
    frame = pd.read_csv(rides)
    frame = pd.DataFrame({"value": frame["cnt"], "low": frame["cnt"] - 5, "high": frame["cnt"] + 5})
    frame.loc[:9, ["low", "high"]] = np.nan
    frame.loc[10:59, "high"] = frame.loc[10:59, "value"] - 1
    frame.to_csv(tmp_path / "mine.csv", index=False)
    stream = se.read(rides, "cnt", numeric_target=True)
    from streameval.learners.adapters.predictions_file import ValuesFile

    mine = ValuesFile(str(tmp_path / "mine.csv"))
    found = se.evaluate(stream, mine, intervals=0.9).intervals().iloc[0]
    assert found["intervals"] == N - 10
    assert found["interval_coverage"] == (N - 60) / (N - 10)
    for change, message in (
        ({"high": frame["low"] - 1}, "prediction 11: .*up to the upper one"),
        ({"high": None}, "'low' alone"),
    ):
        wrong = frame.assign(**change) if change["high"] is not None else frame.drop(columns="high")
        wrong.to_csv(tmp_path / "mine.csv", index=False)
        with pytest.raises(se.StreamevalError, match=message):
            se.evaluate(stream, mine)
