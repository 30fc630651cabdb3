"""Measures over tallies: published numbers, naive twins, identities, undefined values."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from naive import measures as naive

from streameval.base.errors import DataError
from streameval.measures.classification import class_f1, class_precision, class_recall
from streameval.measures.counting import tally
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally


@st.composite
def labels(draw, k=None, largest=40):
    """(k, true, predicted, no_change, majority): any labels, any baselines."""
    k = k or draw(st.integers(1, 4))
    n = draw(st.integers(1, largest))

    def codes(low):
        return draw(st.lists(st.integers(low, k - 1), min_size=n, max_size=n))

    return k, codes(0), codes(-1), codes(-1), codes(-1)


def value(name, counted):
    return float(MEASURES[name].value(counted))


# Bifet et al. (2015) Table 5: Class+ 40 right of 70, Class- 25 right of 30; a majority
# classifier is right in 70 of 100.
TABLE_5 = Tally.from_confusion([[40, 30], [5, 25]], majority_correct=70)


@pytest.mark.parametrize(
    ("name", "percent"),
    [  # Bifet et al. (2015), §5.3
        ("accuracy", "65.00"),
        ("chance_accuracy", "48.00"),
        ("kappa", "32.69"),
        ("mcc", "37.28"),
        ("arithmetic_mean", "70.24"),
        ("geometric_mean", "69.01"),
        ("harmonic_mean", "67.80"),
        ("f1_prime", "67.80"),  # §5.2: F1' is the harmonic mean
        ("kappa_m", "-16.67"),
    ],
)
def test_table_5(name, percent):
    assert f"{100 * value(name, TABLE_5):.2f}" == percent


def test_table_5_by_class():
    # Bifet et al. (2015), §5.3: class accuracies 57.14 and 83.33
    assert [f"{100 * a:.2f}" for a in class_recall(TABLE_5)] == ["57.14", "83.33"]
    # Eq. 2 with TP = 40, FN = 30, FP = 5
    assert class_f1(TABLE_5)[0] == 80 / 115
    assert class_precision(TABLE_5)[0] == 40 / 45


def test_kappa_is_twice_the_determinant_over_its_denominator():
    # Bifet et al. (2015), §5.1: kappa = 2 (TP TN - FN FP) / (n^2 (1 - p_c))
    assert value("determinant", TABLE_5) == 40 * 25 - 30 * 5
    assert value("kappa", TABLE_5) == pytest.approx(2 * 850 / (100**2 * (1 - 0.48)), rel=1e-15)


def test_kappa_significance_of_table_5():
    # Žliobaitė et al. (2015), Eq. 11-12, worked by hand from p0 = 0.65, p_c = 0.48, N = 100
    assert value("kappa_standard_error", TABLE_5) == pytest.approx(
        math.sqrt(0.65 * 0.35 / (100 * 0.52**2)), rel=1e-12
    )
    assert value("kappa_z", TABLE_5) == pytest.approx(
        (0.17 / 0.52) / math.sqrt(0.48 / (100 * 0.52)), rel=1e-12
    )


def test_five_percent_of_the_p_value_is_at_the_published_z():
    # Žliobaitė et al. (2015), §4.3: rejected at 5 % if z > 1.65 (1.645 to three digits).
    # Two balanced classes have p_c = 1/2 and z = sqrt(n) (2 p0 - 1); n = 10_000.
    for right, rejected in ((5082, False), (5083, True)):
        half = [right / 2, (10_000 - right) / 2]
        counted = Tally.from_confusion([half, half[::-1]])
        assert (value("kappa_p_value", counted) < 0.05) is rejected


def test_worked_skill_scores():
    # 12 of 20 right; No-Change 8, majority 10: (12-8)/(20-8) and (12-10)/(20-10)
    counted = Tally.from_confusion([[6, 4], [4, 6]], no_change_correct=8, majority_correct=10)
    assert value("kappa_temporal", counted) == 4 / 12
    assert value("kappa_m", counted) == 2 / 10
    assert value("kappa", counted) == pytest.approx(0.2, rel=1e-15)
    # Žliobaitė et al. (2015), Eq. 14
    assert value("kappa_combined", counted) == pytest.approx(math.sqrt(0.2 / 3), rel=1e-15)
    worse = Tally.from_confusion([[4, 6], [6, 4]], no_change_correct=16)
    assert value("kappa", worse) < 0
    assert value("kappa_temporal", worse) < 0
    assert value("kappa_combined", worse) == 0


@settings(max_examples=150)
@given(labels())
def test_every_measure_equals_its_naive_twin(case):
    k, true, predicted, no_change, majority = case
    counted = tally(true, predicted, k, no_change=no_change, majority=majority)
    expected = naive.measures(true, predicted, k, no_change, majority)
    assert set(expected) == set(MEASURES)
    for name in MEASURES:
        assert value(name, counted) == pytest.approx(
            expected[name], rel=1e-9, abs=1e-9, nan_ok=True
        ), name


@given(labels())
def test_the_tally_counts(case):
    k, true, predicted, no_change, majority = case
    counted = tally(true, predicted, k, no_change=no_change, majority=majority)
    table = naive.confusion(true, predicted, k)
    np.testing.assert_array_equal(counted.true_counts, [sum(row) for row in table])
    np.testing.assert_array_equal(counted.predicted_counts, naive.column_sums(table))
    np.testing.assert_array_equal(counted.class_correct, [table[c][c] for c in range(k)])
    assert counted.n == len(true)
    assert counted.wrong == naive.wrong(true, predicted)
    assert counted.no_change_correct == len(true) - naive.wrong(true, no_change)
    assert counted.majority_correct == len(true) - naive.wrong(true, majority)


@given(labels(), st.randoms(use_true_random=False))
def test_relabelling_classes_changes_nothing(case, random):
    # MOA's comparators do depend on the coding: they start with class 0.
    k, true, predicted, no_change, majority = case
    code = random.sample(range(k), k)

    def recoded(answers):
        return [code[a] if a >= 0 else -1 for a in answers]

    first = tally(true, predicted, k, no_change=no_change, majority=majority)
    baselines = {"no_change": recoded(no_change), "majority": recoded(majority)}
    second = tally(recoded(true), recoded(predicted), k, **baselines)
    for measure in MEASURES.values():
        assert value(measure.name, second) == pytest.approx(
            value(measure.name, first), rel=1e-12, abs=1e-12, nan_ok=True
        )
        assert measure.reason(first) == measure.reason(second)


@given(labels())
@example((2, [0, 1, 0, 0], [1, 0, 1, 1], [0] * 4, [0] * 4))  # MCC of -1, where roots are rounded
def test_undefined_has_a_reason_and_defined_has_none(case):
    k, true, predicted, no_change, majority = case
    for counted in (
        tally(true, predicted, k, **naive.at_once(true, k)),
        tally(true, predicted, k, no_change=no_change, majority=majority),
        Tally.from_confusion(naive.confusion(true, predicted, k)),
    ):
        for measure in MEASURES.values():
            result = measure.value(counted)
            assert (measure.reason(counted) != "") == np.isnan(result), measure.name
            assert not np.isinf(result)
            assert np.isnan(result) or measure.lower <= result <= measure.upper + 1e-12


@given(labels())
def test_harmonic_geometric_arithmetic(case):
    k, true, predicted, _, _ = case
    counted = tally(true, predicted, k, **naive.at_once(true, k))
    a, g, h = (value(f"{m}_mean", counted) for m in ("arithmetic", "geometric", "harmonic"))
    assert h <= g + 1e-12
    assert g <= a + 1e-12
    if k == 2 and len(set(true)) == 2:
        # Bifet et al. (2015), §5.2: A, G, H is a geometric progression; F1' is H
        assert g * g == pytest.approx(a * h, abs=1e-12)
        assert value("f1_prime", counted) == pytest.approx(h, abs=1e-12)


@given(labels(k=2))
def test_matthews_of_two_classes_is_the_papers_formula(case):
    _, true, predicted, _, _ = case
    answered = [max(a, 0) for a in predicted]
    counted = tally(true, answered, 2, **naive.at_once(true, 2))
    (tp, fn, _), (fp, tn, _) = naive.confusion(true, answered, 2)
    product = (tp + fn) * (tp + fp) * (fp + tn) * (fn + tn)
    expected = (tp * tn - fn * fp) / math.sqrt(product) if product else math.nan
    assert value("mcc", counted) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(labels())
def test_a_baseline_against_itself_is_exactly_zero(case):
    k, true, _, no_change, majority = case
    for baselines in (naive.at_once(true, k), {"no_change": no_change, "majority": majority}):
        for name, baseline in (("kappa_temporal", "no_change"), ("kappa_m", "majority")):
            counted = tally(true, baselines[baseline], k, **baselines)
            assert value(name, counted) == 0 or MEASURES[name].reason(counted) != ""
            assert counted.wrong == 0 or value(name, counted) == 0


@given(labels())
def test_perfect_predictions_score_one_wherever_defined(case):
    k, true, _, no_change, majority = case
    counted = tally(true, true, k, no_change=no_change, majority=majority)
    for name in ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined", "macro_f1"):
        assert value(name, counted) == 1 or MEASURES[name].reason(counted) != ""
    assert value("harmonic_mean", counted) == 1


def test_one_class_windows_are_undefined_not_zero_or_infinite():
    # MOA: kappa = NaN, kappa_t = kappa_m = -inf after one error in ten; others return 0.
    true = [1] * 10
    baselines = {"no_change": true, "majority": true}
    perfect = tally(true, true, 2, **baselines)
    one_error = tally(true, [1] * 9 + [0], 2, **baselines)
    for counted in (perfect, one_error):
        for name in ("kappa_temporal", "kappa_m", "kappa_combined", "mcc", "f1_prime"):
            assert math.isnan(value(name, counted))
            assert MEASURES[name].reason(counted) != ""
    assert math.isnan(value("kappa", perfect))
    assert "chance is always right" in str(MEASURES["kappa"].reason(perfect))
    assert MEASURES["kappa_temporal"].reason(perfect) == "No-Change is always right"
    assert "majority class is always right" in str(MEASURES["kappa_m"].reason(one_error))
    assert value("kappa", one_error) == 0  # no better than its own answers shuffled
    assert value("accuracy", one_error) == 0.9


def test_no_prediction_is_wrong_and_not_class_zero():
    # A learner that never answers scores 50 % on balanced labels where None is class 0.
    true = [0, 1] * 10
    silent = tally(true, [-1] * 20, 2, **naive.at_once(true, 2))
    for name in (
        "accuracy",
        "kappa",
        "arithmetic_mean",
        "geometric_mean",
        "harmonic_mean",
        "macro_f1",
    ):
        assert value(name, silent) == 0
    assert value("kappa_m", silent) <= 0
    assert MEASURES["macro_precision"].reason(silent) == "every prediction is missing"
    assert MEASURES["mcc"].reason(silent) == "all predictions are the same"
    half = tally(true, [0, -1] * 10, 2, **naive.at_once(true, 2))
    assert value("accuracy", half) == 0.5
    assert value("macro_precision", half) == 1
    assert value("macro_recall", half) == 0.5


def test_a_class_that_does_not_occur_is_left_out_of_the_means():
    # River once counted never-seen classes in its balanced accuracy (river#1953).
    counted = tally([0, 0, 1, 1], [0, 0, 1, 0], 5, **naive.at_once([0, 0, 1, 1], 5))
    assert value("arithmetic_mean", counted) == 0.75
    assert value("harmonic_mean", counted) == 2 / (1 / 1 + 1 / 0.5)
    np.testing.assert_array_equal(class_recall(counted), [1, 0.5, np.nan, np.nan, np.nan])


def test_no_predictions_and_unknown_baselines_are_named():
    empty = tally([], [], 3, **naive.at_once([], 3))
    for measure in MEASURES.values():
        assert np.isnan(measure.value(empty))
    assert MEASURES["kappa"].reason(empty) == "there are no predictions"
    assert "errors of No-Change" in str(MEASURES["kappa_temporal"].reason(TABLE_5))
    three = tally([0, 1, 2], [0, 1, 2], 3, **naive.at_once([0, 1, 2], 3))
    assert "two classes" in str(MEASURES["determinant"].reason(three))


def test_batches_are_tallies_side_by_side():
    first, second = (
        tally([0, 1, 1], [0, 1, 0], 2, **naive.at_once([0, 1, 1], 2)),
        tally([1, 1], [1, 1], 2, **naive.at_once([1, 1], 2)),
    )
    names = [field.name for field in fields(Tally)]
    batch = Tally(*(np.stack([getattr(first, n), getattr(second, n)]) for n in names))
    assert batch.shape == (2,)
    for measure in MEASURES.values():
        expected = [measure.value(first), measure.value(second)]
        np.testing.assert_array_equal(measure.value(batch), expected)
        assert list(measure.reason(batch)) == [measure.reason(first), measure.reason(second)]
        np.testing.assert_array_equal(measure.value(batch[1]), expected[1])


def test_the_registry_is_named_by_itself():
    assert all(name == measure.name for name, measure in MEASURES.items())
    symbols = [measure.symbol for measure in MEASURES.values()]
    assert len(set(symbols)) == len(symbols)


@pytest.mark.parametrize(
    ("true", "predicted", "message"),
    [
        ([0, 2], [0, 0], r"'true': expected codes 0\.\.1, found 2 at position 1"),
        ([0, -1], [0, 0], r"'true': expected codes 0\.\.1, found -1 at position 1"),
        ([0, 1], [0, -2], r"'predicted': expected codes -1\.\.1, found -2 at position 1"),
        ([0, 1], [0], r"'predicted': expected shape \(2,\), found \(1,\)"),
        ([0.5, 1.0], [0, 1], "'true': expected integer class codes, found float64"),
    ],
)
def test_bad_labels_are_named(true, predicted, message):
    with pytest.raises(DataError, match=message):
        tally(true, predicted, 2, no_change=[0, 0], majority=[0, 0])


def test_bad_shapes_are_named():
    with pytest.raises(DataError, match=r"\(\.\.\., k, k \+ 1\), found \(2, 4\)"):
        Tally.from_confusion(np.zeros((2, 4)))
    with pytest.raises(DataError, match=r"predicted_counts of shape \(3,\).* 2 classes"):
        Tally(np.zeros(2), np.zeros(2), np.zeros(2), 0.0, 0.0, 0.0)
    with pytest.raises(DataError, match=r"expected wrong of shape \(4,\)"):
        Tally(np.zeros((4, 2)), np.zeros((4, 3)), np.zeros((4, 2)), np.zeros(3), 0.0, 0.0)
    with pytest.raises(DataError, match=r"counts by class, found .*number"):
        Tally(*np.zeros(6))
