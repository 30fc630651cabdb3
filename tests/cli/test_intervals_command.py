"""Prediction intervals of regressors in the command `evaluate`."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.commands import json_of_first, refused

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


@pytest.mark.parametrize("delay", [(), ("--delay", "30")])
def test_the_wrapper_gives_the_same_intervals(capsys, rides, delay):
    by_option, by_wrapper = (
        json_of_first(capsys, *words_for(rides, *more, *delay))["intervals"]
        for more in (
            ("--intervals", "0.8:0.02:100"),
            ("--wrapper", "conformal:0.8:0.02:100"),
        )
    )
    assert by_option == by_wrapper
    assert abs(by_option["interval_coverage"] - 0.8) < 0.06


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--intervals", "2"), "at coverage: expected a number above 0 and below 1, found '2'"),
        (("--intervals", "0.9", "--wrapper", "conformal"), "--intervals: expected no --wrapper"),
        (("--wrapper", "resetting"), r"choose conformal[:COVERAGE"),
        (("--wrapper", "conformal:0.9:1:9:1:1"), "too many values in '0.9:1:9:1:1'"),
    ],
)
def test_refusals(capsys, rides, more, message):
    assert message in refused(capsys, *words_for(rides, *more))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--intervals", "0.9"), "expected regressors, found classifiers"),
        (("--wrapper", "conformal"), "found naive_bayes, which predict classes"),
    ],
)
def test_classifiers_have_none(capsys, more, message):
    assert message in refused(capsys, "evaluate", "sea", "--learner", "naive_bayes", *more)
