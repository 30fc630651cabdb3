"""Estimates without missing labels: right where they should be, and wrong where they cannot be."""

from __future__ import annotations

import pytest
from helpers.study_inputs import stream_input_for

from pending_labels import accuracy_by_age, censored_accuracy
from pending_labels.show import mean_errors

LAWS = {
    "none": {"latency": [0]},
    "slower": {"latency": [400, 50], "distribution": "geometric"},
    "by_class": {"latency": [0], "never": [0.6, 0.0]},
}


@pytest.fixture(scope="module")
def estimates():
    item = {"learners": ["majority", "naive_bayes"], "laws": LAWS, "instances": 1200, "runs": 12}
    stream_input = stream_input_for("censored_accuracy", "sea_50", item)
    return censored_accuracy.study(stream_input)["censored"]


def of_majority(estimates, law):
    rows = mean_errors(estimates)
    return rows[(rows["law"] == law) & (rows["learner"] == "majority")].set_index("estimator")


def test_the_truth_lies_within_the_bounds(estimates):
    ends = estimates.set_index(["law", "learner", "run", "estimator"])["estimate"].unstack()
    truth = estimates.groupby(["law", "learner", "run"])["truth"].first()
    assert (ends["lower"] <= truth).all()
    assert (truth <= ends["upper"]).all()


def test_with_all_labels_all_estimates_are_the_truth(estimates):
    rows = estimates[estimates["law"] == "none"]
    assert (rows["estimate"] - rows["truth"]).abs().max() < 1e-12
    assert set(rows["arrived"]) == {1.0}


def test_a_slower_class_needs_weights_by_latency(estimates):
    rows = of_majority(estimates, "slower")
    assert rows["low"]["arrived"] > 0.02
    assert rows["low"]["by_age"] > 0.02
    assert abs(rows["error"]["by_latency"]) < rows["error"]["arrived"] / 2
    assert rows["low"]["by_law"] < 0 < rows["high"]["by_law"]


def test_no_weights_help_where_labels_of_a_class_never_arrive(estimates):
    rows = of_majority(estimates, "by_class")
    for estimator in ("arrived", "by_age", "by_latency", "by_prediction"):
        assert rows["low"][estimator] > 0.05
    assert rows["low"]["by_law"] < 0 < rows["high"]["by_law"]


def test_any_study_of_re_evaluation_takes_a_law():
    law = {"latency": [30], "distribution": "uniform", "never": [0.25]}
    item = {"learners": ["majority"], "delay": {"markov_ozone": law}}
    frame = accuracy_by_age.study(stream_input_for("accuracy_by_age", "markov_ozone", item))["ages"]
    first = frame.iloc[0]
    assert frame["age"].max() < 60
    rows = first["at_risk"] + first["pending"]
    assert 0.2 < first["pending"] / rows < 0.3
