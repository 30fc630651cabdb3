"""Precision, recall and F1 of each class: `evaluate --by-class` and `Result.by_class`."""

from __future__ import annotations

import numpy as np
import pytest

import streameval as se


@pytest.fixture(scope="module")
def result():
    """Two learners; the second one leaves some instances out."""

    class Shy:
        calls = 0

        def learn(self, x, y, w):
            pass

        def predict(self, x):
            self.calls += 1
            return None if 1000 < self.calls <= 1040 else self.calls % 2

    return se.evaluate(se.load("markov_ozone"), {"naive_bayes": "naive_bayes", "shy": Shy})


@pytest.mark.parametrize("learner", ["naive_bayes", "shy", "majority"])
def test_measures_by_class_agree_with_scikit_learn(result, learner):
    metrics = pytest.importorskip("sklearn.metrics")
    classes = [*result.stream.schema.classes]
    table = result.predictions
    true = table["true"].astype(str)
    predicted = table[learner].astype(object).where(table[learner].notna(), "none").astype(str)
    expected = metrics.precision_recall_fscore_support(
        true, predicted, labels=classes, zero_division=np.nan
    )
    by_class = result.by_class([learner])
    assert by_class["class"].tolist() == classes
    for name, values in zip(("precision", "recall"), expected, strict=False):
        assert by_class[name].tolist() == pytest.approx(values.tolist(), nan_ok=True)
    f1 = np.where(
        by_class["instances"] + by_class["predicted"] > 0, np.nan_to_num(expected[2]), np.nan
    )
    assert by_class["f1"].tolist() == pytest.approx(f1.tolist(), nan_ok=True)
    assert by_class["instances"].tolist() == expected[3].tolist()
    matrix = metrics.confusion_matrix(true, predicted, labels=[*classes, "none"])[:-1]
    confusion = result.confusion(learner)
    assert confusion.to_numpy().tolist() == matrix[:, : confusion.shape[1]].tolist()
    assert (confusion.shape[1] > len(classes)) == (matrix[:, -1].sum() > 0) == (learner == "shy")


def test_macro_measures_are_their_means(result):
    means = result.measures("macro_precision", "macro_recall", "macro_f1")
    for learner, rows in result.by_class().groupby("learner"):
        for name in ("precision", "recall", "f1"):
            assert means.loc[learner, f"macro_{name}"] == pytest.approx(rows[name].mean())
