"""One number for all bins: by hand, against its definition."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from naive import reevaluation as naive

from streameval.evaluation.bins import END_COLUMNS, column_intervals
from streameval.evaluation.over_bins import OVER_BINS, bin_weights, over_bins
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK
from streameval.significance.stream_mean import stream_mean

MAE = REGRESSION_TASK.measure
FLAGS = arrays(bool, st.tuples(st.integers(1, 40), st.integers(2, 7)))


def numbers(series, weights, measure="accuracy", **more):
    """The rows of one learner by weights, of a measure that is the mean of its series."""
    table = pd.DataFrame({"learner": "a", "bin": range(series.shape[1]), **more})
    table[measure] = np.nanmean(series, axis=0)
    task = REGRESSION_TASK if measure == MAE else CLASSIFICATION_TASK
    table[END_COLUMNS] = column_intervals(series, (0.0, task.largest_difference))
    table, gains = table.sample(frac=1, random_state=1), {"a": task.series(series)}
    rows = over_bins(table, gains, weights, [measure, *more])
    assert tuple(rows) == OVER_BINS
    return rows.set_index(["weights", "measure"])


def test_by_hand():
    # Accuracies 3/4, 1/2 and 1/4 in the bins 0, 1 and 2 = B + 1; κ is given. With λ = 1/2 and B = 1
    # the weights are 1, 1/2, 0: (3/4 + 1/4) / (3/2) = 2/3 and, of κ, (0.1 + 0.3 / 2) / (3/2) = 1/6.
    right = np.array([[1, 1, 0], [1, 0, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    rows = numbers(right, {"prioritised": 0.5}, kappa=[0.1, 0.3, 0.7])["value"]
    assert rows["prioritised", "accuracy"] == pytest.approx(2 / 3)
    assert rows["prioritised", "kappa"] == pytest.approx(1 / 6)
    assert rows["maximum", "accuracy"] == 0.75
    assert rows["maximum", "kappa"] == 0.7  # in the last bin, which has no weight


def test_of_errors_the_least_is_the_best():
    errors = np.array([[3.0, 1.0, 2.0], [5.0, 1.0, 4.0]])
    rows = numbers(errors, {"even": 1}, MAE, r_squared=[0.2, 0.5, 0.4])["value"]
    assert rows["minimum", MAE] == 1.0
    assert rows["maximum", "r_squared"] == 0.5
    assert rows["even", MAE] == 2.5  # (4 + 1) / 2


@given(right=FLAGS, weight=st.floats(0.001, 1000))
def test_equals_its_definition(right, weight):
    bins = right.shape[1]
    weights = {"w": bin_weights(weight, bins - 2), "list": [*range(1, bins + 1)]}
    rows = numbers(right, {"w": weight, "list": weights["list"]})["value"]
    for name, by in weights.items():
        expected = naive.weighted_performance(right.tolist(), by)
        assert rows[name, "accuracy"] == pytest.approx(expected)
    assert rows["maximum", "accuracy"] == pytest.approx(naive.best_bin(right.tolist()))
    assert rows["maximum", "accuracy"] >= rows["w", "accuracy"] - 1e-12


@given(column=arrays(bool, st.integers(1, 150)), bins=st.integers(0, 3), weight=st.floats(0.01, 99))
def test_equal_bins_have_the_number_of_each(column, bins, weight):
    right = np.repeat(column[:, None], bins + 2, axis=1)
    rows = numbers(right, {"w": weight})
    expected = stream_mean(column)
    assert rows["value"].to_numpy() == pytest.approx(expected.mean)
    ends = np.clip((expected.low, expected.high), 0, 1)
    weighted, best = rows[["low", "high"]].to_numpy()
    assert weighted == pytest.approx(ends, nan_ok=True)
    # The width of bands is drawn, and never below that of a single interval.
    if expected.reason:
        assert np.isnan(best).all()
    else:
        assert best[0] <= ends[0] + 1e-12
        assert best[1] >= ends[1] - 1e-12


def test_the_interval_of_the_best_bin_is_that_of_the_bands():
    draws = np.random.default_rng(1)
    right = draws.random((3000, 5)) < [0.6, 0.65, 0.7, 0.7, 0.68]
    bands = column_intervals(right, bounds=(0.0, 1.0))[:, 2:].max(axis=0)
    row = numbers(right, {}).loc[("maximum", "accuracy")]
    assert (row["low"], row["high"]) == tuple(bands)
    errors = draws.exponential(size=(3000, 5)) * [1.5, 1.2, 1, 1, 1.1]
    bands = column_intervals(errors, bounds=(0.0, np.inf))[:, 2:].min(axis=0)
    row = numbers(errors, {}, MAE).loc[("minimum", MAE)]
    assert (row["low"], row["high"]) == tuple(bands)


def test_a_bin_without_a_band_leaves_no_interval():
    right = np.random.default_rng(1).random((3000, 3)) < 0.6
    right[:, 1] = False
    row = numbers(right, {}).loc[("maximum", "accuracy")]
    assert row["value"] == right.mean(axis=0).max()
    assert np.isnan([row["low"], row["high"]]).all()


def test_what_is_undefined_in_a_bin_has_no_best_bin():
    right = np.ones((10, 3), dtype=bool)
    rows = numbers(right, {"first": (1, 1, 0)}, kappa=[0.2, 0.2, np.nan])["value"]
    assert np.isnan(rows["maximum", "kappa"])
    assert rows["first", "kappa"] == pytest.approx(0.2)


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 200),
    bins=st.integers(0, 4),
    weight=st.floats(0.01, 99),
    rate=st.floats(0, 1),
)
def test_missing_predictions_count_in_no_bin(seed, n, bins, weight, rate):
    draws = np.random.default_rng(seed)
    errors = draws.exponential(size=(n, bins + 2))
    errors[:-1][draws.random((n - 1, bins + 2)) < rate] = np.nan  # one is known in each bin
    row = numbers(errors, {"w": weight}, MAE).loc[("w", MAE)]
    by = bin_weights(weight, bins)
    assert row["value"] == pytest.approx(naive.mean_of_known(errors.tolist(), by))
    if not np.isnan(row["low"]):
        assert row["low"] + row["high"] == pytest.approx(2 * row["value"]) or row["low"] == 0.0


def test_the_interval_is_as_wide_as_the_known_predictions_are_few():
    draws = np.random.default_rng(1)
    errors = draws.exponential(size=(4000, 2))
    errors[draws.random(4000) < 0.75, 0] = np.nan
    row = numbers(errors, {"first": (1, 0)}, MAE).loc[("first", MAE)]
    known = stream_mean(errors[~np.isnan(errors[:, 0]), 0])
    # Missing values are between known ones, so that their dependence is estimated differently.
    assert row["high"] - row["low"] == pytest.approx(known.high - known.low, rel=0.3)
