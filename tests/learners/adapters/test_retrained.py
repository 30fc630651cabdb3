"""Models that are retrained predict as a plain loop of their own fits and predictions does."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.retrained import retrained as literal

pytest.importorskip("sklearn")
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from streameval.base.errors import ConfigError, DataError
from streameval.evaluation.run import run_learners
from streameval.learners.adapters.retrained import Retrained
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.prequential import delayed, prequential
from streameval.protocols.registry import parse
from streameval.protocols.tape import Tape
from streameval.streams.generators.planes import Planes
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import Stream

TREE = DecisionTreeClassifier(max_depth=4)
MODELS = {
    "tree": TREE,
    "bayes": GaussianNB(),
    "forest": RandomForestClassifier(3),
    "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("tape", [prequential(450), delayed(450, 53), prequential(450, 120)])
def test_predictions_are_those_of_a_plain_loop(model, tape):
    stream = Sea(noise=10).stream(450)
    learner = Retrained(model, every=75, window=120)
    predictions = learner.run(stream, tape, seed=7)
    expected, fits = literal(model, stream, tape, 75, 120, seed=7)
    assert predictions.label.tolist() == expected.tolist()
    assert predictions.size == {"fits": fits}
    assert fits >= 4


@pytest.mark.parametrize("model", [LinearRegression(), DecisionTreeRegressor(max_depth=3)])
def test_numbers_are_those_of_a_plain_loop(model):
    stream, tape = Planes().stream(600), delayed(600, 20)
    predictions = Retrained(model, every=130, window=200).run(stream, tape, seed=3)
    expected, fits = literal(model, stream, tape, 130, 200, seed=3)
    np.testing.assert_allclose(predictions.value, expected, rtol=1e-12)
    assert np.isnan(predictions.value[:100]).all()
    assert predictions.size == {"fits": fits}


@settings(max_examples=60)
@given(
    strategies.cases(rows=(1, 40)),
    st.integers(1, 12),
    st.integers(1, 15),
)
def test_any_tape_gives_the_predictions_of_the_loop(case, every, window):
    stream, tape = case
    learner = Retrained(TREE, every=every, window=window, one_hot=False)
    predictions = learner.run(stream, tape, seed=5)
    expected, fits = literal(TREE, stream, tape, every, window, seed=5)
    assert predictions.label.tolist() == expected.tolist()
    assert predictions.size["fits"] == fits


@settings(max_examples=30)
@given(st.integers(1, 130), st.integers(1, 150), st.integers(0, 60), st.data())
def test_segments_give_the_predictions_of_the_whole(every, window, delay, data):
    stream = Sea(noise=10).stream(160)
    tape = delayed(160, delay)
    learner = Retrained(TREE, every, window)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(tape)), max_size=4)))
    segments = [
        Tape(tape.row[a:b], tape.op[a:b], tape.weight[a:b])
        for a, b in zip([0, *cuts], [*cuts, len(tape)], strict=True)
    ]
    parts = list(learner.run_segments(stream, segments, seed=2))
    whole = learner.run(stream, tape, seed=2)
    assert np.concatenate([part.label for part in parts]).tolist() == whole.label.tolist()
    assert (parts[-1].size, parts[-1].model_bytes) == (whole.size, whole.model_bytes)


def test_one_class_is_predicted_without_a_fit():
    y = np.repeat([1, 0, 2], [200, 200, 100])
    stream = Stream(np.arange(500.0)[:, None], y, strategies.schema(3, [0]))
    learner = Retrained(LogisticRegression(), every=100, window=100)
    predictions = learner.run(stream, prequential(500), scores=True)
    assert predictions.label.tolist() == [-1] * 100 + [1] * 200 + [0] * 200
    assert predictions.size == {"fits": 0}
    assert predictions.scores[150].tolist() == [0, 1, 0]


def test_scores_have_a_column_for_each_class_of_the_stream():
    rng = np.random.default_rng(1)
    y = np.where(np.arange(300) < 200, rng.choice([0, 2], 300), rng.choice([0, 1, 2], 300))
    stream = Stream(rng.normal(size=(300, 2)) + y[:, None], y, strategies.schema(3, [0, 0]))
    predictions = Retrained(GaussianNB(), every=100, window=100).run(
        stream, prequential(300), scores=True
    )
    model = GaussianNB().fit(stream.X[:100], y[:100])
    expected = model.predict_proba(stream.X[100:200])
    np.testing.assert_allclose(
        predictions.scores[100:200][:, [0, 2]], expected, rtol=1e-5, atol=1e-9
    )
    assert (predictions.scores[100:200, 1] == 0).all()
    with pytest.raises(ConfigError, match=r"SVC has no class scores, .* no predict_proba"):
        Retrained("sklearn.svm.SVC").check_scores(stream)


def test_weights_reach_fit_or_repeat_instances():
    stream, rng = RandomTree().stream(300), np.random.default_rng(1)
    weights = rng.choice([0.0, 1.0, 3.0], 300)
    tape = Tape(np.append(np.arange(300), np.arange(300)), np.repeat([2, 1], 300), [*weights] * 2)
    times = weights.astype(int)
    X, y = np.repeat(stream.X, times, axis=0), np.repeat(stream.y, times)
    learnt = int((weights > 0).sum())
    bayes = Retrained(GaussianNB(), every=learnt, one_hot=False).run(stream, tape)
    at = weights > 0
    expected = GaussianNB().fit(stream.X[at], stream.y[at], weights[at])
    assert bayes.label.tolist() == expected.predict(stream.X).tolist()
    steps = make_pipeline(StandardScaler(), GaussianNB())
    in_steps = Retrained(steps, every=learnt, one_hot=False).run(stream, tape)
    steps.fit(stream.X[at], stream.y[at], gaussiannb__sample_weight=weights[at])
    assert in_steps.label.tolist() == steps.predict(stream.X).tolist()
    near = Retrained(KNeighborsClassifier(), every=learnt, one_hot=False).run(stream, tape)
    assert near.label.tolist() == KNeighborsClassifier().fit(X, y).predict(stream.X).tolist()
    half = Tape(tape.row, tape.op, np.full(600, 0.5))
    with pytest.raises(DataError, match=r"KNeighborsClassifier takes no weights.*0\.5"):
        Retrained(KNeighborsClassifier(), every=300).run(stream, half)


def test_seeds_differ_by_run_and_by_fit_and_those_of_the_user_stay():
    stream, tape = Sea(noise=10).stream(500), prequential(500)

    def labels(model, seed):
        return Retrained(model, every=100).run(stream, tape, seed).label.tolist()

    free, fixed = RandomForestClassifier(2), RandomForestClassifier(2, random_state=1)
    assert labels(free, 1) == labels(free, 1) != labels(free, 2)
    assert labels(fixed, 1) == labels(fixed, 2)
    described = "sklearn.ensemble.RandomForestRegressor"
    numbers = Planes().stream(300)
    learner = Retrained({described: {"n_estimators": 2}}, every=100)
    same = Retrained(RandomForestRegressor(2), every=100)
    values = [each.run(numbers, prequential(300), 4).value[100:] for each in (learner, same)]
    assert values[0].tolist() == values[1].tolist()


def test_the_previous_label_and_its_correction_reach_a_retrained_model():
    labels = (np.arange(1200) // 10) % 2
    rng = np.random.default_rng(1)
    stream = Stream(rng.normal(size=(1200, 2)), labels, strategies.schema(2, [0, 0]))
    plain = Retrained(TREE, every=200)
    for learner in (TemporallyAugmented(plain), TemporalCorrection(Retrained(GaussianNB(), 200))):
        predictions = learner.run(stream, prequential(1200))
        assert (predictions.label == labels)[300:].mean() > 0.85
    assert (plain.run(stream, prequential(1200)).label == labels)[300:].mean() < 0.7


def test_costs_have_the_number_of_fits():
    stream = Sea().stream(700)
    learners = {"tree": Retrained(TREE, every=200)}
    _, costs = run_learners(stream, parse("cross_validation:3:all"), learners)
    assert [cost.as_dict().get("fits") for cost in costs] == [9, None, None]
    assert costs[0].model_bytes > 700 * 8 * 3 * 2 / 3


def test_missing_values_are_named_where_the_estimator_takes_none():
    X = np.array([[0.5, 0]] * 60 + [[np.nan, 1]] + [[1.5, np.nan]] * 100)
    stream = Stream(X, np.arange(161) % 2, strategies.schema(2, [0, 3]), "gaps")
    message = (
        r"The retrained GaussianNB takes no missing values, and row 60 of stream 'gaps' has some: "
        r"a0\. Use a learner that takes them"
    )
    with pytest.raises(DataError, match=message):
        Retrained(GaussianNB(), every=50).run(stream, prequential(161))
    with pytest.raises(DataError, match=message):
        Retrained(GaussianNB(), every=160).run(stream, prequential(161))
    assert Retrained(TREE, every=50).run(stream, prequential(161)).label.max() == 1


class Foreign:
    """An estimator with fit and predict alone, as other packages have."""

    def fit(self, X, y):
        self.most = np.bincount(y).argmax()

    def predict(self, X):
        return np.full((len(X), 1), self.most)


def test_any_object_with_fit_and_predict_is_retrained():
    stream = Sea().stream(300)
    predictions = Retrained(Foreign(), every=100).run(stream, prequential(300))
    most = [np.bincount(stream.y[:n]).argmax() for n in (100, 200)]
    assert predictions.label.tolist() == [-1] * 100 + np.repeat(most, 100).tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"every": 0}, r"retrained, every: expected a whole number above 0, found 0"),
        ({"window": 2.5}, r"retrained, window: expected a whole number above 0, found 2\.5"),
        ({"one_hot": 1}, r"one_hot: expected true or false"),
        ({"model": {"sklearn.tree.DecisionTreeClassifier": {"max_depth": -1}}}, "max_depth"),
    ],
)
def test_wrong_settings_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        Retrained(**{"model": TREE, **options})
