"""scikit-learn's learners predict as they do when they are called directly."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import foreign_models, strategies
from hypothesis import given
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import BernoulliNB
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from streameval.base.errors import ConfigError, DataError
from streameval.learners.adapters import estimators
from streameval.learners.adapters import event_blocks as blocks_module
from streameval.learners.adapters.event_blocks import event_blocks
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import Stream

RECORDER = SklearnLearner("helpers.foreign_models.Recorder", one_hot=False)
COUNTS = SklearnLearner("sklearn.naive_bayes.BernoulliNB")


@pytest.fixture
def calls():
    foreign_models.Recorder.calls.clear()
    return foreign_models.Recorder.calls


def counting(n):
    return Stream(np.arange(float(n))[:, None], np.arange(n) % 3, strategies.schema(3, [0]))


def test_predictions_and_scores_are_those_of_scikit_learn():
    stream, classes = Sea().stream(150), np.arange(2)
    scaler, model = StandardScaler(), SGDClassifier(loss="log_loss", alpha=0.01, random_state=5)
    labels, scores = [-1], [[0.5, 0.5]]
    for row in range(150):
        x, y = stream.X[[row]], stream.y[[row]]
        if row > 0:
            labels.append(model.predict(scaler.transform(x))[0])
            scores.append(model.predict_proba(scaler.transform(x))[0])
        model.partial_fit(scaler.partial_fit(x).transform(x), y, classes=classes)
    described = [
        "sklearn.preprocessing.StandardScaler",
        {"sklearn.linear_model.SGDClassifier": {"loss": "log_loss", "alpha": 0.01}},
    ]
    predictions = SklearnLearner(described).run(stream, prequential(150), seed=5, scores=True)
    assert predictions.label.tolist() == labels
    np.testing.assert_allclose(predictions.scores, scores, rtol=1e-6, atol=1e-9)


def test_weights_reach_the_model():
    stream, rng = RandomTree().stream(300), np.random.default_rng(1)
    weight = rng.choice([0.0, 0.5, 1.0, 3.0], 300)
    coded = SklearnLearner("sklearn.naive_bayes.BernoulliNB", one_hot=False)
    tape = Tape(np.append(np.arange(300), np.arange(300)), np.repeat([2, 1], 300), [*weight] * 2)
    model = BernoulliNB().partial_fit(stream.X, stream.y, np.arange(2), weight)
    predictions = coded.run(stream, tape, scores=True)
    np.testing.assert_array_equal(predictions.label, model.predict(stream.X))
    np.testing.assert_allclose(predictions.scores, model.predict_proba(stream.X), rtol=1e-6)


@given(strategies.streams(rows=(1, 20)))
def test_one_hot_columns_are_those_of_scikit_learn(stream):
    is_nominal = stream.schema.n_values > 0
    expected = []
    for column, attribute in zip(stream.X.T, stream.schema.attributes, strict=True):
        if attribute.values:
            categories = [np.arange(len(attribute.values), dtype=float)]
            encoder = OneHotEncoder(categories=categories, handle_unknown="ignore")
            encoder.fit(np.array([[0.0]]))
            filled = np.where(np.isnan(column), -1, column)[:, None]
            expected.append(encoder.transform(filled).toarray())
        else:
            expected.append(column[:, None])
    encoded = estimators.OneHot(stream.schema)(stream.X)
    np.testing.assert_array_equal(encoded, np.column_stack(expected))
    assert encoded.shape[1] >= is_nominal.sum()


def test_neighbouring_events_of_a_kind_are_one_call(calls):
    op = [PREDICT, LEARN, LEARN, PREDICT, PREDICT, PREDICT_THEN_LEARN, LEARN, PREDICT_THEN_LEARN]
    tape = Tape(np.arange(8), op, np.ones(8))
    RECORDER.run(counting(8), tape)
    assert calls == [
        ("learn", [[1.0], [2.0]], [1, 2]),  # nothing to predict with before
        ("predict", [[3.0], [4.0], [5.0]], []),
        ("learn", [[5.0], [6.0]], [2, 0]),
        ("predict", [[7.0]], []),
        ("learn", [[7.0]], [1]),
    ]


def test_a_model_without_weights_learns_again_and_not_at_all(calls):
    tape = Tape(np.arange(4), np.full(4, LEARN), [1, 0, 2, 1])
    RECORDER.run(counting(4), tape)
    assert calls == [("learn", [[0.0], [2.0], [2.0], [3.0]], [0, 2, 2, 0])]
    with pytest.raises(DataError, match=r"Recorder .*no weights: .*\b0\.5"):
        RECORDER.run(counting(4), Tape(np.arange(4), np.full(4, LEARN), np.full(4, 0.5)))


@given(strategies.cases(rows=(1, 40)))
def test_runs_are_the_events_in_order(case):
    _, tape = case
    expected = []
    for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
        expected += [(kind, row, weight) for kind in (PREDICT, LEARN) if op & kind]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks_module, "BLOCK", 5)
        blocks = list(event_blocks(tape))
    assert max(len(run.rows) for run in blocks) <= 5
    assert sum(run.n_finished for run in blocks) == len(tape)
    flat = [(run.op, *pair) for run in blocks for pair in zip(run.rows, run.weights, strict=True)]
    assert flat == expected


def test_one_call_or_many_are_the_same_to_a_model_that_counts():
    stream = RandomTree(classes=3).stream(400)
    rng = np.random.default_rng(2)
    op = np.sort(rng.choice([PREDICT, LEARN], (20, 20)), axis=1).ravel()  # runs of about ten
    tape = Tape(np.arange(400), op, rng.choice([0, 0.5, 1, 2], 400))
    together = COUNTS.run(stream, tape, scores=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks_module, "BLOCK", 1)
        apart = COUNTS.run(stream, tape, scores=True)
    np.testing.assert_array_equal(together.label, apart.label)
    np.testing.assert_array_equal(together.scores, apart.scores)
    assert len(list(event_blocks(tape))) < 50


def test_missing_numbers_are_named_and_missing_values_are_none_of_them():
    X = np.array([[0.5, 0], [1.5, 1], [np.nan, 2], [0.5, np.nan]])
    stream = Stream(X, np.array([0, 1, 0, 1]), strategies.schema(2, [0, 3]), "gaps")
    message = (
        r"scikit-learn's BernoulliNB takes no missing values, and row 2 of stream 'gaps' has some: "
        r"a0\. Use a learner that takes them.*scikit-learn says: Input X contains NaN"
    )
    for tape in (prequential(4), Tape(np.arange(4), np.full(4, LEARN), np.ones(4))):
        with pytest.raises(DataError, match=message):
            COUNTS.run(stream, tape)
    nominal = Stream(X[:, 1:], stream.y, strategies.schema(2, [3]))
    assert COUNTS.run(nominal, prequential(4)).label.min() >= -1


def test_what_scikit_learn_refuses_is_said():
    alone = Stream(np.arange(5.0)[:, None], np.zeros(5), strategies.schema(1, [0]), "alone")
    learner = SklearnLearner("sklearn.linear_model.SGDClassifier")
    message = r"SGDClassifier failed at row 0 of stream 'alone': The number of classes has to be"
    with pytest.raises(DataError, match=message):
        learner.run(alone, prequential(5))
    with pytest.raises(ConfigError, match="SGDClassifier has no class scores"):
        learner.run(Sea().stream(5), prequential(5), scores=True)
