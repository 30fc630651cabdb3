"""Regressors of one's own, and seasonal baselines, in the command `evaluate`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.commands import first, run

import streameval as se

N = 400


@pytest.fixture
def frame():
    """Counts of bikes by the hour, and whether it is warm."""
    rng = np.random.default_rng(5)
    warm, weather = rng.normal(15, 8, N).round(1), rng.choice(["sun", "rain"], N)
    cnt = 300 + 12 * warm - 90 * (weather == "rain") + rng.normal(0, 20, N)
    return pd.DataFrame({"warm": warm, "weather": weather, "cnt": cnt.round()})


@pytest.fixture
def rides(tmp_path, frame):
    path = tmp_path / "rides.csv"
    frame.to_csv(path, index=False)
    return path


OWN = """
class Double:
    y = 0.0

    def learn(self, x, y, w):
        self.y = 2.0 * y

    def predict(self, x):
        return self.y
"""


def test_a_class_of_ones_own_predicts_numbers(capsys, rides, tmp_path, monkeypatch, frame):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("double_of_mine.py").write_text(OWN, encoding="utf-8")
    words = ("evaluate", rides, "--target", "cnt")
    mine = ("--learner", "double_of_mine:Double")
    error = np.abs(frame["cnt"] - 2.0 * frame["cnt"].shift(fill_value=0.0)).mean()
    for more in (("--numeric-target",), ("--learner", "amrules")):
        code, out, err = run(capsys, *words, *mine, *more, "--json")
        assert (code, err) == (0, "")
        found = first(out)
        assert found["mean_absolute_error"] == pytest.approx(error)
    out = run(capsys, *words, *mine, "--numeric-target")[1]
    assert (
        "double_of_mine:Double loses to the previous target: its mean absolute error is higher by "
        in out
    )
    assert (
        "double_of_mine:Double loses to the mean so far: its mean absolute error is higher by "
        in out
    )
    code, _, err = run(capsys, *words, "--learner", "knn", "--numeric-target")
    assert code == 2
    assert "--numeric-target: expected learners that predict numbers, found knn" in err


def test_seasonal_baselines(capsys, rides, frame):
    words = ("evaluate", rides, "--target", "cnt", "--learner", "amrules", "--json")
    found = first(run(capsys, *words, "--seasonal", 48, "--seasonal", 5)[1])
    assert [*found["skills"]] == [*("previous_target", "target_mean", "seasonal:48", "seasonal:5")]
    known = frame["cnt"].shift(48).notna()
    reference = np.abs(frame["cnt"] - frame["cnt"].shift(48))[known].mean()
    stream = se.from_pandas(frame, "cnt", numeric_target=True)
    result = se.evaluate(stream, "amrules")
    own = np.abs(result.predictions["amrules"] - frame["cnt"])[known].mean()
    assert found["skill_over_seasonal:48"] == pytest.approx(1 - own / reference)
    code, _, err = run(capsys, *words, "--seasonal", 0)
    assert code == 2
    assert "at period: expected a whole number from 1 to 10,000,000, found 0" in err
    code, _, err = run(capsys, "evaluate", "elec2", "--learner", "knn", "--seasonal", 3)
    assert code == 2
