"""Measures of class scores, compared with those of scikit-learn, River and MOA."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from naive.detectors import uniforms
from test_scores import cases

from streameval.measures.forecasts import FLOOR, checked_forecasts
from streameval.measures.scores import overall_scores, window_scores

sklearn = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")


def value(true, table, name):
    return overall_scores(checked_forecasts(true, table), [name])[name].value[0]


def probabilities(table):
    """Rows that sum to one, none of them certain that a class is impossible."""
    raised = np.nan_to_num(table).astype(np.float64) + 0.125
    return raised / raised.sum(axis=1, keepdims=True)


@settings(max_examples=60, deadline=None)
@given(cases(classes=(2, 2), rows=(2, 30)))
def test_the_binary_area_is_that_of_scikit_learn(case):
    true, table = case
    table = np.nan_to_num(table) + 0.125
    if len({*true}) == 2:
        expected = sklearn.roc_auc_score(true, table[:, 1])
        assert value(true, table, "auc") == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(cases(classes=(3, 4), rows=(4, 30)))
def test_areas_of_many_classes_are_those_of_scikit_learn(case):
    true, table = case
    table, k = probabilities(table), table.shape[1]
    # Two classes of three are a problem of two classes there; one that lacks another has no mean
    # against the rest.
    if len({*true}) < k:
        return
    for name, options in (
        ("auc_one_vs_one", {"multi_class": "ovo", "average": "macro"}),
        ("auc_one_vs_rest", {"multi_class": "ovr", "average": "weighted"}),
    ):
        expected = sklearn.roc_auc_score(true, table, labels=range(k), **options)
        assert value(true, table, name) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(cases(classes=(2, 4), rows=(1, 30)))
def test_losses_are_those_of_scikit_learn(case):
    true, table = case
    table, k = probabilities(table), table.shape[1]
    expected = sklearn.log_loss(true, table, labels=range(k))
    assert value(true, table, "log_loss") == pytest.approx(expected, rel=1e-12)
    if k == 2:  # the square of the error of one class there
        expected = 2 * sklearn.brier_score_loss(true, table[:, 1], pos_label=1)
    else:
        expected = sklearn.brier_score_loss(true, table, labels=range(k), scale_by_half=False)
    assert value(true, table, "brier") == pytest.approx(expected, rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(cases(classes=(3, 4), rows=(1, 30)))
def test_top_accuracy_without_ties_is_that_of_scikit_learn(case):
    true, table = case
    k = table.shape[1]
    table = np.nan_to_num(table).astype(np.float64).round(6) + np.arange(1, k + 1) * 1e-9
    expected = sklearn.top_k_accuracy_score(true, table, k=2, labels=range(k))
    assert value(true, table, "top_2_accuracy") == pytest.approx(expected, abs=1e-12)


def test_scikit_learn_has_the_same_floor_for_float32():
    true, table = [0, 1], np.array([[0.0, 1.0], [1.0, 0.0]], dtype=np.float32)
    expected = sklearn.log_loss(true, table)
    assert value(true, table, "log_loss") == pytest.approx(-np.log(FLOOR))
    assert expected == pytest.approx(-np.log(FLOOR), rel=1e-6)
    # Of a certain forecast that is right it takes the floor, too; here the loss is 0.
    assert value([1, 0], table, "log_loss") == 0 < sklearn.log_loss([1, 0], table) < 2 * FLOOR


def golden(decimals):
    """3,000 labels, three in ten of class 1, and its scores, good, bad and fair by thousands."""
    u, true, scores = uniforms(11), [], []
    for t in range(3000):
        y, weight = int(next(u) < 0.3), (0.6, 0.1, 0.4)[t // 1000]
        scores.append(round(weight * y + (1 - weight) * next(u), decimals))
        true.append(y)
    return true, np.column_stack([1 - np.array(scores), scores])


AT = [7, 400, 1100, 2050, 3000]
# WindowAUCImbalancedPerformanceEvaluator (-w 250) and BasicAUCImbalancedPerformanceEvaluator of
# MOA 2024.07 (the jar of capymoa 0.15.1), fed with `golden` through addResult: getAUC at each of
# AT. With one decimal up to 6 % of the pairs are ties.
MOA = {
    15: (
        [1.0, 1.0, 0.8779459534176516, 0.6639082462253194, 0.9373672200802581],
        [1.0, 1.0, 0.9756764962759438, 0.8512360366664489, 0.8759300764304896],
    ),
    1: (
        [1.0, 1.0, 0.8697214734950584, 0.665831881533101, 0.9276496970650719],
        [1.0, 1.0, 0.9735961226333407, 0.8474111711097259, 0.8711288989878124],
    ),
}


@pytest.mark.parametrize("decimals", MOA)
def test_areas_are_those_of_moa(decimals):
    forecasts = checked_forecasts(*golden(decimals))
    for window, expected in zip((250, 3000), MOA[decimals], strict=True):
        result = window_scores(forecasts, ["auc"], window=window, positions=AT)["auc"].value
        np.testing.assert_array_equal(result, expected)


def test_windows_without_ties_are_those_of_river():
    metrics = pytest.importorskip("river.metrics", reason="River is not installed")
    true, table = golden(15)
    rolling, result = metrics.RollingROCAUC(window_size=250), {}
    for t, (y, (_, score)) in enumerate(zip(true, table.tolist(), strict=True), 1):
        rolling.update(bool(y), {True: score, False: 1 - score})
        if t in AT:
            result[t] = rolling.get()
    forecasts = checked_forecasts(true, table)
    ours = window_scores(forecasts, ["auc"], window=250, positions=AT)["auc"].value
    np.testing.assert_allclose(ours, [*result.values()], rtol=1e-12)
