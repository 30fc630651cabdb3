"""Class scores of results: measures, reasons, curves, and learners that give none."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import SGDClassifier

import streameval as se
from streameval.evaluation.scored import ALL_SCORE_MEASURES


class Sure:
    """Predict the first class, and be sure of it."""

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return 0

    def scores(self, x):
        return [2.0, 0.0]


class Labels:
    """A class without scores."""

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return 0


@pytest.fixture(scope="module")
def stream():
    return se.generate("sea", rows=1000)


@pytest.fixture(scope="module")
def result(stream):
    return se.evaluate(stream, ["naive_bayes", Sure], scores=True)


ROWS = ["naive_bayes", "Sure", "no_change", "majority", "label_proportions", "label_transitions"]


def test_measures_of_all_learners_and_baselines(stream, result):
    found = result.scores()
    assert found.index.tolist() == ROWS
    assert found.columns.tolist() == [*ALL_SCORE_MEASURES]
    assert found.loc["Sure", "auc"] == 0.5
    wrong = (stream.y != 0).mean()
    assert found.loc["Sure", "brier"] == pytest.approx(2 * wrong)
    assert found.loc["Sure", "log_loss_clipped"] == pytest.approx(wrong)
    assert found.loc["Sure", "expected_calibration_error"] == pytest.approx(wrong)
    np.testing.assert_array_equal(found.isna(), result.score_reasons() != "")


def test_labels_are_those_of_an_evaluation_without_scores(stream, result):
    plain = se.evaluate(stream, ["naive_bayes", Sure])
    assert plain.predictions.equals(result.predictions[plain.predictions.columns])
    assert plain.learners == result.learners == ROWS[:4]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"delay": 30},
        {"delay": 30, "pretrain": 200},
        {"protocol": "delayed:30"},
        {"protocol": "cross_validation:3"},
        {"pretrain": 300},
    ],
)
def test_predictions_have_the_scores_by_which_they_are_made(stream, options):
    found = se.evaluate(stream, ["naive_bayes", "no_change"], scores=True, **options).predictions
    classes = stream.schema.classes
    for name in ("naive_bayes", "no_change", "majority"):
        scores = found[[f"{name}_score_{label}" for label in classes]].to_numpy()
        assert not np.isnan(scores).any()
        decided = scores[:, 0] != scores[:, 1]  # a learner breaks ties by a rule of its own
        made = found[name].to_numpy()[decided]
        assert (np.array(classes)[scores.argmax(axis=1)][decided] == made).mean() > 0.999
        assert decided.mean() > 0.9


def test_scores_in_a_file_are_those_of_the_labels_that_arrived(stream):
    labels = [None if i % 50 == 7 else stream.schema.classes[y] for i, y in enumerate(stream.y)]
    partly = se.from_arrays(stream.X, labels)
    result = se.evaluate(partly, "naive_bayes", scores=True)
    found = result.predictions
    column = found[f"naive_bayes_score_{stream.schema.classes[0]}"]
    assert (column.isna() == found["true"].isna()).all()
    assert column.isna().sum() == 20
    known = found[found["true"].notna()]
    scores = known.filter(like="naive_bayes_score_").to_numpy()
    forecasts = scores / scores.sum(axis=1, keepdims=True)
    brier = ((forecasts - np.eye(2)[known["true"].cat.codes]) ** 2).sum(axis=1).mean()
    assert brier == pytest.approx(result.scores("brier").loc["naive_bayes", "brier"], rel=1e-5)


def test_curves(result):
    found = result.score_curve("auc", window=200, points=5, learners=["naive_bayes", "Sure"])
    assert found.index.tolist() == [200, 400, 600, 800, 1000]
    assert found.columns.tolist() == ["naive_bayes", "Sure"]
    assert (found["Sure"] == 0.5).all()
    skills = result.score_curve("brier_skill_over_label_proportions", window=200, points=5)
    assert (skills["label_proportions"] == 0).all()


def test_delayed_scores_are_those_on_arrival(stream):
    delayed = se.evaluate(stream, "naive_bayes", delay=30, scores=True)
    plain = se.evaluate(stream, "naive_bayes", "delayed:30", scores=True)
    one, other = delayed.scores(), plain.scores()
    # Re-evaluation also learns at the end the labels that arrive then: predictions are the same.
    assert one.loc["naive_bayes"].to_dict() == pytest.approx(
        other.loc["naive_bayes"].to_dict(), nan_ok=True
    )
    assert len(delayed.predictions) > 1000


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (Labels, r"Labels gives no class scores.*no method scores\(x\)"),
        (se.augmented(Labels), "Labels gives no class scores"),
        (SGDClassifier(), "SGDClassifier gives no class scores"),
    ],
)
def test_a_learner_without_scores_is_named_before_any_runs(stream, learner, message):
    learnt = []

    class First(Sure):
        def learn(self, x, y, w):
            learnt.append(y)

    with pytest.raises(se.StreamevalError, match=message):
        se.evaluate(stream, {"first": First, "one": learner}, scores=True)
    assert not learnt


def test_what_does_not_fit_is_named(stream, result):
    with pytest.raises(se.StreamevalError, match=r"Evaluate with scores=True"):
        se.evaluate(stream, "majority").scores()
    with pytest.raises(se.StreamevalError, match=r"no measure of class scores 'kappa'"):
        result.scores("kappa")
    with pytest.raises(se.StreamevalError, match=r"no learner 'knn'"):
        result.score_curve("auc", learners="knn")
    with pytest.raises(se.StreamevalError, match=r"numeric target 'y' of stream 'planes'"):
        se.evaluate(se.generate("planes", rows=20), "amrules", scores=True)
    with pytest.raises(se.StreamevalError, match=r"at scores: .*found 'yes'"):
        se.evaluate(stream, "majority", scores="yes")
