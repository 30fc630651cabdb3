"""Measures as functions of labels of any type."""

from __future__ import annotations

import datetime
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

import streameval as se
from streameval.measures.counting import tally
from streameval.measures.registry import MEASURES


def codes(k: int) -> st.SearchStrategy[tuple[list[int], list[int]]]:
    label = st.integers(0, k - 1)
    return st.lists(st.tuples(label, label), min_size=1, max_size=60).map(
        lambda pairs: tuple(map(list, zip(*pairs, strict=True)))
    )


def value(name, *labels, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", se.UndefinedMeasureWarning)
        return getattr(se, name)(*labels, **options)


def reference(name: str, true: list[int], predicted: list[int], k: int) -> tuple[float, str]:
    """The value of the registry's measure, against baselines that are written down here."""
    no_change = [0, *true[:-1]]
    # Of equally frequent classes the one that came first; max takes the first of equal ones.
    majority = [max(true[:t] or [0], key=true[:t].count) for t in range(len(true))]
    counts = tally(np.array(true), np.array(predicted), k, no_change=no_change, majority=majority)
    return float(MEASURES[name].value(counts)), MEASURES[name].reason(counts).item()


@given(
    st.sampled_from(sorted(MEASURES)),
    st.integers(2, 4).flatmap(lambda k: st.tuples(st.just(k), codes(k))),
)
def test_a_function_is_the_measure_of_the_registry(name, sample):
    k, (true, predicted) = sample
    expected, reason = reference(name, true, predicted, k)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        measured = getattr(se, name)(true, predicted, labels=range(k))
    np.testing.assert_equal(measured, expected)
    assert isinstance(measured, float)
    texts = [f"{name} is undefined: {reason}."] if reason else []
    assert [str(w.message) for w in said] == texts
    assert [w.category for w in said] == [se.UndefinedMeasureWarning] * len(texts)
    assert [w.filename for w in said] == [__file__] * len(texts)


TYPES = {
    "names": lambda c: np.array(["ant", "bee", "cat"])[c],
    "lists": lambda c: [["ant", "bee", "cat"][i] for i in c],
    "series": lambda c: pd.Series(np.array([10, 20, 30])[c], index=range(7, 7 + len(c))),
    "strings": lambda c: pd.Series([["ant", "bee", "cat"][i] for i in c], dtype="string"),
    "floats": lambda c: np.array([0.5, 1.5, 2.5])[c],
    "nullable": lambda c: pd.Series(c, dtype="Int64"),
    "categories": lambda c: pd.Series(pd.Categorical.from_codes(c, ["z", "y", "x"])),
    "dates": lambda c: [datetime.date(2020, 1, 1 + i) for i in c],
    "tuples of a generator's length": lambda c: tuple(c),
}


@pytest.mark.parametrize("kind", TYPES)
@settings(max_examples=20)
@given(sample=codes(3), name=st.sampled_from([*MEASURES]))
def test_labels_may_be_of_any_type(kind, sample, name):
    # All three classes occur, so that whichever is first is so in both.
    true, predicted = [0, 1, 2, *sample[0]], [1, 2, 0, *sample[1]]
    expected = value(name, true, predicted)
    np.testing.assert_equal(value(name, TYPES[kind](true), TYPES[kind](predicted)), expected)


@settings(max_examples=40)
@given(codes(2))
def test_truth_values_are_0_and_1(sample):
    true, predicted = sample
    flags = [bool(label) for label in predicted]
    for left, right in (([bool(y) for y in true], flags), (true, flags)):
        assert se.accuracy(left, right) == se.accuracy(true, predicted)
        assert se.accuracy(left, np.array(right, float)) == se.accuracy(true, predicted)


@settings(max_examples=40)
@given(st.integers(2, 4).flatmap(codes))
def test_scikit_learn_agrees(sample):
    true, predicted = sample
    assert se.accuracy(true, predicted) == pytest.approx(
        sklearn.metrics.accuracy_score(true, predicted)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kappa = sklearn.metrics.cohen_kappa_score(true, predicted)
        mcc = sklearn.metrics.matthews_corrcoef(true, predicted)
        f1 = sklearn.metrics.f1_score(true, predicted, average="macro")
    measured = value("kappa", true, predicted)
    if not np.isnan(measured):
        assert measured == pytest.approx(kappa)
    measured = value("mcc", true, predicted)
    if not np.isnan(measured):  # which is 0 there
        assert measured == pytest.approx(mcc)
    assert se.macro_f1(true, predicted) == pytest.approx(f1)
    seen = sorted({*true})
    assert se.macro_recall(true, predicted) == pytest.approx(
        sklearn.metrics.recall_score(true, predicted, average="macro", labels=seen)
    )


def test_the_measures_of_a_result_are_those_of_its_predictions():
    result = se.evaluate(se.load("markov_ozone"), ["naive_bayes", "hoeffding_tree"])
    predictions, measures = result.predictions, result.measures()
    for learner in result.learners:
        for name in MEASURES:
            measured = value(name, predictions["true"], predictions[learner])
            np.testing.assert_equal(measured, measures.loc[learner, name])


def test_a_missing_prediction_is_wrong_and_of_no_class():
    for missing in (None, np.nan, pd.NA):
        assert se.accuracy(["a", "b", "b"], ["a", missing, "b"]) == pytest.approx(2 / 3)
        assert se.macro_precision(["a", "b", "b"], ["a", missing, "b"]) == 1
    assert se.accuracy([0, 1, 1], [0, np.nan, 1]) == pytest.approx(2 / 3)
    assert se.accuracy([0, 1, 1], [0, None, 1]) == pytest.approx(2 / 3)
    assert se.accuracy([0, 1], pd.array([0, None], "Int64")) == 0.5


def test_classes_that_do_not_occur_are_classes():
    with pytest.warns(se.UndefinedMeasureWarning, match="two classes only"):
        assert np.isnan(se.f1_prime([0, 1], [0, 1], labels=[0, 1, 2]))
    three = pd.Categorical(["a", "b"], categories=["a", "b", "c"])
    with pytest.warns(se.UndefinedMeasureWarning, match="two classes only"):
        assert np.isnan(se.determinant(three, ["a", "b"]))


def test_baselines_first_predict_the_first_class():
    assert se.kappa_temporal(["b", "b", "a"], ["b", "b", "b"], labels=["b", "a"]) == 0
    assert se.kappa_temporal(["b", "b", "a"], ["b", "b", "b"]) == 0.5


@pytest.mark.parametrize(
    ("true", "predicted", "labels", "said"),
    [
        ([0, 1], [0], None, "y_true of length 2 and y_pred of length 1"),
        ([0, None], [0, 1], None, "y_true: expected a label at each position, found none at pos"),
        ([0, 1], ["0", "1"], None, "numbers in y_true and texts in y_pred, which are never equal"),
        ([0, 2], [0, 1], [0, 1], "y_true: .*labels 0, 1, found .*2.* at pos"),
        ([0, 1], [0, 5], [0, 1], "y_pred: .*labels 0, 1, found .*5.* at pos"),
        ([0, 1], [0, 1], [0, None], "labels: expected each class once"),
        ([[0], [1]], [0, 1], None, "y_true: expected a sequence of labels"),
        (pd.DataFrame({"y": [0, 1]}), [0, 1], None, "y_true: expected a sequence of labels"),
        ("abc", [0, 1, 2], None, "y_true: .*labels, found str"),
        (range(40_000), range(40_000), None, "at most 32,767 classes, found 40,000"),
    ],
)
def test_invalid_labels_are_refused(true, predicted, labels, said):
    with pytest.raises(se.StreamevalError, match=said) as error:
        se.accuracy(true, predicted, labels=labels)
    assert len(str(error.value)) < 2000


def test_without_predictions_all_is_undefined():
    for name in MEASURES:
        with pytest.warns(se.UndefinedMeasureWarning, match="undefined"):
            assert np.isnan(getattr(se, name)([], []))


def test_arguments_are_not_changed():
    true, predicted = pd.Series([0, 1, 1]), np.array([0, 1, 0])
    copies = true.copy(), predicted.copy()
    se.kappa_temporal(true, predicted)
    pd.testing.assert_series_equal(true, copies[0])
    np.testing.assert_array_equal(predicted, copies[1])
