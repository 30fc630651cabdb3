"""Class scores of results: measures, reasons, curves, and learners that give none."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.foreign_models import Last
from sklearn.linear_model import SGDClassifier
from test_result_view import tables_of, text_of

import streameval as se
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES


class Sure:
    """Predict the first class, and be sure of it."""

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return 0

    def scores(self, x):
        return [2.0, 0.0]


@pytest.fixture(scope="module")
def stream():
    return se.generate("sea", rows=1000)


@pytest.fixture(scope="module")
def result(stream):
    return se.evaluate(stream, ["naive_bayes", Sure], scores=True)


ROWS = ["naive_bayes", "Sure", "no_change", "majority", "label_proportions", "label_transitions"]


def test_measures_of_all_learners_and_baselines(stream, result):
    scores = result.scores()
    assert scores.index.tolist() == ROWS
    assert scores.columns.tolist() == [*ALL_SCORE_MEASURES]
    assert scores.loc["Sure", "auc"] == 0.5
    wrong = (stream.y != 0).mean()
    assert scores.loc["Sure", "brier"] == pytest.approx(2 * wrong)
    assert scores.loc["Sure", "log_loss_clipped"] == pytest.approx(wrong)
    assert scores.loc["Sure", "expected_calibration_error"] == pytest.approx(wrong)
    np.testing.assert_array_equal(scores.isna(), result.score_reasons() != "")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"delay": 30, "pretrain": 200},
        {"protocol": "delayed:30"},
        {"protocol": "cross_validation:3:all"},
    ],
)
def test_predictions_have_the_scores_by_which_they_are_made(stream, options):
    predictions = se.evaluate(
        stream, ["naive_bayes", "no_change"], scores=True, **options
    ).predictions
    classes = stream.schema.classes
    for name in ("naive_bayes", "no_change", "majority"):
        scores = predictions[[f"{name}_score_{label}" for label in classes]].to_numpy()
        assert not np.isnan(scores).any()
        decided = scores[:, 0] != scores[:, 1]  # a learner breaks ties by a rule of its own
        labels = predictions[name].to_numpy()[decided]
        assert (np.array(classes)[scores.argmax(axis=1)][decided] == labels).mean() > 0.999
        assert decided.mean() > 0.9


def test_scores_in_a_file_are_those_of_the_labels_that_arrived(stream):
    labels = [None if i % 50 == 7 else stream.schema.classes[y] for i, y in enumerate(stream.y)]
    partly = se.from_arrays(stream.X, labels)
    result = se.evaluate(partly, "naive_bayes", scores=True)
    predictions = result.predictions
    column = predictions[f"naive_bayes_score_{stream.schema.classes[0]}"]
    assert (column.isna() == predictions["true"].isna()).all()
    assert column.isna().sum() == 20
    known = predictions[predictions["true"].notna()]
    scores = known.filter(like="naive_bayes_score_").to_numpy()
    forecasts = scores / scores.sum(axis=1, keepdims=True)
    brier = ((forecasts - np.eye(2)[known["true"].cat.codes]) ** 2).sum(axis=1).mean()
    assert brier == pytest.approx(result.scores("brier").loc["naive_bayes", "brier"], rel=1e-5)


def test_curves(result):
    curve = result.score_curve("auc", window=200, points=5, learners=["naive_bayes", "Sure"])
    assert curve.index.tolist() == [200, 400, 600, 800, 1000]
    assert curve.columns.tolist() == ["naive_bayes", "Sure"]
    assert (curve["Sure"] == 0.5).all()
    skills = result.score_curve("brier_skill_over_label_proportions", window=200, points=5)
    assert (skills["label_proportions"] == 0).all()


def test_delayed_scores_are_those_on_arrival(stream):
    delayed = se.evaluate(stream, "naive_bayes", delay=30, scores=True)
    plain = se.evaluate(stream, "naive_bayes", "delayed:30", scores=True)
    delayed_scores, arrival_scores = delayed.scores(), plain.scores()
    # Re-evaluation also learns at the end the labels that arrive then: predictions are the same.
    assert delayed_scores.loc["naive_bayes"].to_dict() == pytest.approx(
        arrival_scores.loc["naive_bayes"].to_dict(), nan_ok=True
    )
    assert len(delayed.predictions) > 1000


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (Last, r"Last has no class scores.*no method scores\(x\)"),
        (se.augmented(Last), "Last has no class scores"),
        (SGDClassifier(), "SGDClassifier has no class scores"),
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


def test_errors_name_arguments_that_do_not_fit(stream, result):
    with pytest.raises(se.StreamevalError, match=r"Evaluate with scores=True"):
        se.evaluate(stream, "majority").scores()
    with pytest.raises(se.StreamevalError, match=r"no measure of class scores 'kappa'"):
        result.scores("kappa")
    with pytest.raises(se.StreamevalError, match=r"no learner 'knn'"):
        result.score_curve("auc", learners="knn")
    with pytest.raises(se.StreamevalError, match=r"numeric target 'y' of stream 'planes'"):
        se.evaluate(se.generate("planes", rows=20), "amrules", scores=True)


@pytest.fixture(scope="module")
def three():
    """Labels that the input tells in nine of ten instances, a class at the end that is rare."""
    random = np.random.default_rng(5)
    labels = random.integers(0, 2, 400)
    labels[390:] = 2
    inputs = np.where(random.random(400) < 0.9, labels, 1) + 0.01 * random.random(400)
    return se.from_arrays(inputs[:, None], np.array([*"abc"])[labels])


def test_areas_and_the_highest_scores_depend_on_the_number_of_classes(three):
    result = se.evaluate(three, "naive_bayes", delay=20, scores=True)
    heads, *_ = tables_of(result)[1]
    assert heads[0] == "class scores, on arrival"
    shown = [ALL_SCORE_MEASURES[name].title for name in ("auc_one_vs_one", "auc_one_vs_rest")]
    assert {*shown} < {*heads}
    # Neither the area of two classes, nor the three highest scores of three.
    assert not {"Area under the ROC curve", "Top-3 accuracy"} & {*heads}
    assert "Class scores by bin" in text_of(result, bins=3)
    assert "Class scores by bin" not in text_of(result, bins=3, by="age")
