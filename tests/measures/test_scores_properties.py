"""Invariances of measures of class scores, and relations between the measures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_scores import MEANS, cases

from streameval.measures.forecasts import checked_forecasts
from streameval.measures.scores import (
    SCORE_MEASURES,
    faded_scores,
    overall_scores,
    window_scores,
)

RANKED = ["auc", "auc_one_vs_one", "auc_one_vs_rest"]
#: The binary one is by the scores of the class of code 1.
SYMMETRIC = [name for name in SCORE_MEASURES if name != "auc"]


def values(true, table, names=None):
    result = overall_scores(checked_forecasts(true, table), names)
    return {name: each.value[0] for name, each in result.items()}


def assert_same(actual, expected, tolerance=1e-12):
    assert actual == pytest.approx(expected, rel=tolerance, abs=tolerance, nan_ok=True)


@given(cases())
def test_areas_do_not_change_with_increasing_functions(case):
    true, table = case
    table = np.nan_to_num(table) + 0.125  # each row is a forecast
    for function in (np.sqrt, np.square, lambda x: 3 * x + 1):
        raised = function(table.astype(np.float64))
        # Rounding may make scores equal that were not.
        for c in range(table.shape[1]):
            _, places = np.unique(table[:, c], return_inverse=True)
            if len(np.unique(raised[:, c])) < places.max() + 1:
                return
        assert values(true, table, RANKED) == pytest.approx(
            values(true, raised, RANKED), rel=0, abs=0, nan_ok=True
        )


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_classes_does_not_matter(case, random):
    true, table = case
    order = list(range(table.shape[1]))
    random.shuffle(order)
    renamed = [order.index(y) for y in true]
    assert_same(values(true, table, SYMMETRIC), values(renamed, table[:, order], SYMMETRIC))


@given(cases(classes=(2, 2)))
def test_reversed_scores_give_the_rest_of_the_area(case):
    true, table = case
    table = np.nan_to_num(table) + 0.125
    first = values(true, table, ["auc"])["auc"]
    second = values(true, 2 - table, ["auc"])["auc"]  # eighths, and float32 below 1
    swapped = values([1 - y for y in true], table, ["auc"])["auc"]
    if len({*true}) == 2:
        assert first == pytest.approx(1 - swapped, abs=1e-15)
        if len(np.unique(2 - table)) == len(np.unique(table)):
            assert first == pytest.approx(1 - second, abs=1e-15)


@given(cases(classes=(2, 2)))
def test_areas_of_two_classes_are_equal_where_scores_sum_to_one(case):
    true, table = case
    eighths = np.nan_to_num(np.round(table[:, 1] * 8) / 8)
    result = values(true, np.column_stack([1 - eighths, eighths]), RANKED)
    assert result["auc_one_vs_one"] == pytest.approx(result["auc"], abs=1e-15, nan_ok=True)
    assert result["auc_one_vs_rest"] == pytest.approx(result["auc"], abs=1e-15, nan_ok=True)


@settings(max_examples=50)
@given(cases(), st.integers(0, 20))
def test_a_window_of_all_gives_the_values_of_all(case, more):
    true, table = case
    n = len(true)
    forecasts = checked_forecasts(true, table)
    result = window_scores(forecasts, window=n + more, positions=[n])
    assert_same({name: each.value[0] for name, each in result.items()}, values(true, table))
    for name in RANKED:
        np.testing.assert_array_equal(result[name].value[0], values(true, table, [name])[name])


@settings(max_examples=50)
@given(cases())
def test_without_fading_means_are_those_of_all(case):
    true, table = case
    result = faded_scores(checked_forecasts(true, table), fading=1, positions=[len(true)])
    assert_same({name: each.value[0] for name, each in result.items()}, values(true, table, MEANS))


@given(cases(classes=(1, 5)))
def test_the_terms_of_the_brier_score_add_up(case):
    result = values(*case)
    terms = {name: result[f"brier_{name}"] for name in ("reliability", "resolution", "uncertainty")}
    within = result["brier_within_variance"] - result["brier_within_covariance"]
    total = terms["reliability"] - terms["resolution"] + terms["uncertainty"] + within
    assert total == pytest.approx(result["brier"], abs=1e-13)
    assert terms["resolution"] <= terms["uncertainty"] + 1e-13


@given(cases())
def test_one_forecast_for_each_bin_leaves_nothing_within_bins(case):
    true, table = case
    k = table.shape[1]
    certain = np.eye(k)[np.nan_to_num(table).argmax(axis=1)]
    result = values(true, certain)
    assert result["brier_within_variance"] == 0
    assert result["brier_within_covariance"] == 0
    assert result["brier"] == pytest.approx(2 * result["expected_calibration_error"])


@settings(max_examples=50)
@given(
    st.lists(st.integers(1, 20), min_size=2, max_size=4),
    st.lists(st.integers(1, 20), min_size=4, max_size=4),
)
def test_proper_scores_are_least_at_the_truth(frequencies, other):
    # Labels with exactly these frequencies, so that the mean loss is the expected one.
    true = np.repeat(np.arange(len(frequencies)), frequencies).tolist()
    n = len(true)
    right = values(true, np.tile(frequencies, (n, 1)), ["log_loss", "brier"])
    wrong = values(true, np.tile(other[: len(frequencies)], (n, 1)), ["log_loss", "brier"])
    for name in right:
        assert right[name] <= wrong[name] + 1e-12
    same = np.array(frequencies) / n - np.array(other[: len(frequencies)]) / sum(
        other[: len(frequencies)]
    )
    if np.abs(same).max() > 1e-3:
        assert right["brier"] < wrong["brier"]
        assert right["log_loss"] < wrong["log_loss"]


def test_calibrated_forecasts_have_no_calibration_error():
    # 1, 2, ..., 9 of ten are right where the forecast says so.
    true = [int(i < m) for m in range(1, 10) for i in range(10)]
    second = np.repeat(np.arange(1, 10), 10) / 10
    result = values(true, np.column_stack([1 - second, second]))
    assert result["expected_calibration_error"] == pytest.approx(0, abs=1e-12)
    assert result["brier_reliability"] == pytest.approx(0, abs=1e-12)


@given(cases(classes=(2, 5)))
def test_more_places_are_more_credits(case):
    result = values(*case)
    two, three, five = (result[f"top_{size}_accuracy"] for size in (2, 3, 5))
    assert not three < two - 1e-15
    assert not five < three
