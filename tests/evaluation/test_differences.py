"""Differences in accuracy between learners over one stream."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from streameval.evaluation.differences import COLUMNS, difference, paired_differences
from streameval.evaluation.measurements import measure_predictions
from streameval.evaluation.predictions import PredictionTable
from streameval.report.results import DIFFERENCE_COLUMNS

NAMES = (
    *("no_change", "majority", "naive_bayes", "hoeffding_tree", "leveraging_bagging"),
    *("naive_bayes_corrected", "naive_bayes_augmented", "hoeffding_tree_augmented"),
)


@pytest.fixture(scope="module")
def predictions():
    draws = np.random.default_rng(3)
    true = draws.integers(0, 3, 400).astype(np.int32)
    predicted = {name: draws.integers(0, 3, 400).astype(np.int16) for name in NAMES}
    return PredictionTable(true, predicted, 3)


def test_learners_are_compared_with_what_they_build_on_and_as_papers_ask(predictions):
    more = [("leveraging_bagging", "hoeffding_tree"), ("leveraging_bagging", "not_run")]
    more += [("naive_bayes", "no_change"), ("not_run", "naive_bayes")]
    frame = paired_differences(predictions, more)
    assert list(frame.columns) == COLUMNS
    assert list(DIFFERENCE_COLUMNS) == ["stream", "simulated", *COLUMNS]
    pairs = set(zip(frame["learner"], frame["other"], strict=True))
    assert len(pairs) == len(frame)
    expected = {(name, "no_change") for name in NAMES if name != "no_change"}
    expected |= {
        ("naive_bayes_corrected", "naive_bayes"),
        ("naive_bayes_augmented", "naive_bayes"),
        ("naive_bayes_augmented", "naive_bayes_corrected"),
        ("hoeffding_tree_augmented", "hoeffding_tree"),
        ("leveraging_bagging", "hoeffding_tree"),
    }
    assert pairs == expected


def test_the_numbers_are_those_of_the_predictions(predictions):
    frame = paired_differences(predictions).set_index(["learner", "other"])
    row = frame.loc["naive_bayes_augmented", "naive_bayes"]
    right = {name: np.asarray(predictions.predicted[name]) == predictions.true for name in NAMES}
    series = right["naive_bayes_augmented"].astype(float) - right["naive_bayes"]
    assert row["difference"] == pytest.approx(series.mean())
    assert row["low"] < row["difference"] < row["high"]
    assert row["instances"] == 400


def test_a_long_stream_is_measured_in_little_memory():
    # A column of floats of these predictions would take 8 MB.
    draws, n = np.random.default_rng(3), 1_000_000
    true = draws.integers(0, 3, n, np.int32)
    predicted = {name: draws.integers(0, 3, n, np.int16) for name in NAMES[:3]}
    table = PredictionTable(true, predicted, 3)
    measure_predictions(table, measures=["accuracy"])  # loads the kernel
    tracemalloc.start()
    (accuracy, *_), gap = (
        measure_predictions(table, measures=["accuracy"]),
        difference(table, *NAMES[:2]),
    )
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    right = [(predicted[name] == true).mean() for name in NAMES[:2]]
    assert accuracy.value == right[0]
    assert gap.difference == pytest.approx(right[0] - right[1], abs=1e-15)
    assert most < 5e6
