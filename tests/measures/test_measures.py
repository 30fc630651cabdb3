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

    def codes(low):  # of bytes, which hypothesis draws fast
        return [low + byte % (k - low) for byte in draw(st.binary(min_size=n, max_size=n))]

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
    absent = Tally.from_confusion([[2, 0, 0], [1, 1, 0], [0, 0, 0]])
    np.testing.assert_array_equal(class_recall(absent), [1, 0.5, np.nan])


def test_five_percent_of_the_p_value_is_at_the_published_z():
    # Žliobaitė et al. (2015), §4.3: rejected at 5 % if z > 1.65 (1.645 to three digits).
    # Two balanced classes have p_c = 1/2 and z = sqrt(n) (2 p0 - 1); n = 10_000.
    for right, rejected in ((5082, False), (5083, True)):
        half = [right / 2, (10_000 - right) / 2]
        counted = Tally.from_confusion([half, half[::-1]])
        assert (value("kappa_p_value", counted) < 0.05) is rejected


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


def counted(true, predicted, k):
    return tally(true, predicted, k, **naive.at_once(true, k))


ONES = [1] * 10
#: Labels of one class, which both baselines predict; the learner, too, or but for the last.
ONE_CLASS, ONE_ERROR = (
    tally(ONES, [*ONES[1:], last], 2, no_change=ONES, majority=ONES) for last in (1, 0)
)


@pytest.mark.parametrize(
    ("counts", "name", "reason"),
    [  # MOA has NaN, minus infinity or 0 in place of the first three
        (ONE_CLASS, "kappa", "chance is always right"),
        (ONE_CLASS, "kappa_temporal", "No-Change is always right"),
        (ONE_ERROR, "kappa_m", "majority class is always right"),
        (counted([0, 1], [-1, -1], 2), "macro_precision", "every prediction is missing"),
        (counted([0, 1], [-1, -1], 2), "mcc", "all predictions are the same"),
        (counted([], [], 3), "kappa", "there are no predictions"),
        (counted([0, 1, 2], [0, 1, 2], 3), "determinant", "two classes"),
        (TABLE_5, "kappa_temporal", "errors of No-Change"),
    ],
)
def test_what_is_undefined_says_why(counts, name, reason):
    assert reason in str(MEASURES[name].reason(counts))


def test_batches_are_tallies_side_by_side():
    first, second = counted([0, 1, 1], [0, 1, 0], 2), counted([1, 1], [1, 1], 2)
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
