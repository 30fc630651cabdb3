"""Targets of a user's own files, classes or numbers, and the learners that can predict them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.commands import json_of_first, printed, refused
from helpers.rides import rides, written

import streameval as se

OWN = """
class Double:
    y = 0.0

    def learn(self, x, y, w):
        self.y = 2.0 * y

    def predict(self, x):
        return self.y
"""


@pytest.fixture
def table(tmp_path):
    return written(rides(), tmp_path / "rides.csv")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--target=cnt", "--learner=fimt_dd", "--learner=knn", "--learner=orto"),
            "regressors (fimt_dd, orto) and classifiers (knn)",
        ),
        (
            ("--target=weather", "--learner=fimt_dd"),
            "found texts like ['sun', 'rain']. Correct them, choose classifiers if these are",
        ),
        (
            ("--target=cnt", "--learner=fimt_dd", "--wrapper=temporally_augmented"),
            "--wrapper: expected learners that predict classes, found fimt_dd",
        ),
        (
            ("--target=cnt", "--learner=fimt_dd", "--bins=3"),
            "--bins: expected delayed labels, found none",
        ),
        (
            ("--target=cnt", "--learner=fimt_dd", "--scores"),
            "--scores: expected classifiers, found regressors",
        ),
        (
            ("--target=cnt", "--numeric", "cnt", "--learner=knn"),
            "the target is nominal, since classes are names. Leave it out. If it is a number to",
        ),
        (
            ("--target=cnt", "--nominal", "cnt", "--learner=orto"),
            "found both: the target is numeric. Leave it out, or choose classifiers.",
        ),
        (
            ("--target=cnt", "--learner=knn", "--numeric-target"),
            "--numeric-target: expected regressors, found classifiers: knn",
        ),
        (
            ("--target=cnt", "--learner=orto", "--intervals=0.9", "--wrapper=conformal"),
            "--intervals: expected no --wrapper",
        ),
        (
            ("--target=busy", "--learner=knn", "--intervals=0.9"),
            "--intervals: expected regressors, found classifiers",
        ),
        (
            ("--target=busy", "--learner=knn", "--wrapper=conformal"),
            "found knn, which predict classes",
        ),
        (("--target=busy", "--learner=knn", "--seasonal=3"), "seasonal: expected a numeric target"),
    ],
)
def test_mistakes_are_one_message(capsys, table, words, message):
    assert message in refused(capsys, "evaluate", table, *words)


def test_classifiers_and_checks_name_regressors(capsys, tmp_path):
    arff, table = (written(rides(), tmp_path / f"rides.{ending}") for ending in ("arff", "csv"))
    said = refused(capsys, "evaluate", arff, "--target", "cnt", "--learner", "naive_bayes")
    assert "'naive_bayes' predicts classes, and the target 'cnt' of stream" in said
    assert "expected a regressor, such as fimt_dd" in said
    said = refused(capsys, "check", arff, "--target", "cnt")
    assert "`streameval evaluate STREAM --learner fimt_dd` compares a regressor" in said
    said = refused(capsys, "evaluate", arff, "--learner", "fimt_dd", "--target", "weather")
    assert "'weather', which is declared nominal. Declare it numeric, or choose class" in said
    for command in (("check",), ("evaluate", "--learner", "majority")):
        with pytest.warns(se.StreamWarning, match="number .* regressors"):
            printed(capsys, *command, table, "--target", "cnt")


def test_a_class_of_ones_own_predicts_numbers(capsys, table, tmp_path, monkeypatch):
    """Where that is said, and beside learners that do."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("double_of_mine.py").write_text(OWN, encoding="utf-8")
    words = ("evaluate", table, "--target", "cnt", "--learner", "double_of_mine:Double")
    cnt = rides()["cnt"]
    error = np.abs(cnt - 2.0 * cnt.shift()).mean()  # from the second row on
    for more in (("--numeric-target",), ("--learner", "amrules")):
        measures = json_of_first(capsys, *words, *more)
        assert measures["mean_absolute_error"] == pytest.approx(error)
    out = printed(capsys, *words, "--numeric-target")
    for baseline in ("the previous target", "the mean so far"):
        sentence = f"loses to {baseline}: its mean absolute error is higher by "
        assert f"double_of_mine:Double {sentence}" in out
