"""River's learners predict as they do when River is called directly."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from helpers import strategies
from sklearn.linear_model import SGDClassifier

from streameval.api.batch_models import retrained
from streameval.api.evaluate import evaluate
from streameval.base.errors import ConfigError, DataError
from streameval.learners.adapters.river import RiverLearner
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.generators.sea import Sea
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import Attribute, Schema, Stream

river = importlib.import_module("river")
PARTS = ("compose", "ensemble", "forest", "imblearn", "linear_model", "metrics", "multiclass")
for part in (*PARTS, "preprocessing", "tree"):
    importlib.import_module(f"river.{part}")

SCALED = ["river.preprocessing.StandardScaler", "river.linear_model.LogisticRegression"]
STEP = {"river.optim.SGD": {"lr": 0.1}}


def scaled():
    return river.preprocessing.StandardScaler() | river.linear_model.LogisticRegression()


#: Rows of the registry, and the same in River's own words.
MODELS = {
    "parameters": (
        {"river.tree.HoeffdingTreeClassifier": {"grace_period": 30, "delta": 0.1}},
        lambda: river.tree.HoeffdingTreeClassifier(grace_period=30, delta=0.1),
    ),
    "pipeline": (SCALED, scaled),
    "object in a parameter": (
        {"river.linear_model.LogisticRegression": {"optimizer": STEP}},
        lambda: river.linear_model.LogisticRegression(optimizer=river.optim.SGD(0.1)),
    ),
    "model of a model": (
        {
            "river.ensemble.BaggingClassifier": {
                "model": "river.tree.HoeffdingTreeClassifier",
                "n_models": 3,
            }
        },
        lambda: river.ensemble.BaggingClassifier(
            river.tree.HoeffdingTreeClassifier(), n_models=3, seed=1
        ),
    ),
    "pipeline in a model": (
        {
            "river.multiclass.OneVsRestClassifier": {
                "classifier": {"river.compose.Pipeline": SCALED}
            }
        },
        lambda: river.multiclass.OneVsRestClassifier(scaled()),
    ),
    "list of models": (
        {
            "river.ensemble.VotingClassifier": {
                "models": ["river.tree.HoeffdingTreeClassifier", "river.naive_bayes.GaussianNB"],
                "use_probabilities": False,
            }
        },
        lambda: river.ensemble.VotingClassifier(
            [river.tree.HoeffdingTreeClassifier(), river.naive_bayes.GaussianNB()],
            use_probabilities=False,
        ),
    ),
}


def instance(stream, row):
    values = zip(stream.schema.attributes, stream.X[row].tolist(), strict=True)
    return {a.name: a.values[int(x)] if a.values else x for a, x in values if not np.isnan(x)}


@pytest.mark.parametrize("kind", MODELS)
def test_predictions_are_those_of_river(kind):
    described, make = MODELS[kind]
    stream, model, expected = Sea().stream(1000), make(), []
    for row, y in enumerate(stream.y.tolist()):
        answer = model.predict_one(instance(stream, row))
        expected.append(-1 if answer is None else int(answer))
        model.learn_one(instance(stream, row), y)
    predictions = RiverLearner(described).run(stream, prequential(1000))
    assert predictions.label.tolist() == expected
    assert {0, 1} <= set(expected)


def test_scores_and_weights_are_those_of_river():
    stream, rng = RandomTree(classes=3).stream(600), np.random.default_rng(3)
    gaps = np.where(rng.random(stream.X.shape) < 0.1, np.nan, stream.X)
    stream = Stream(gaps, stream.y, stream.schema)
    weight = rng.choice([0.0, 0.5, 1.0, 2.0], 600)
    options = {"grace_period": 50, "delta": 0.5, "tau": 0.5}
    model, expected = river.tree.HoeffdingTreeClassifier(**options), []
    for row in range(600):
        votes = model.predict_proba_one(instance(stream, row))
        total = sum(votes.values())
        expected.append([votes.get(c, 0) / total if total else 1 / 3 for c in range(3)])
        if weight[row] > 0:
            model.learn_one(instance(stream, row), int(stream.y[row]), w=weight[row])
    described = {"river.tree.HoeffdingTreeClassifier": options}
    tape = Tape(np.arange(600), np.full(600, 3), weight)
    predictions = RiverLearner(described).run(stream, tape, scores=True)
    np.testing.assert_allclose(predictions.scores, expected, rtol=1e-6, atol=1e-9)
    assert model.n_leaves > 1


def test_classes_that_river_calls_false_and_true():
    stream, model, expected = Sea().stream(200), scaled(), []
    for row, y in enumerate(stream.y.tolist()):
        votes = model.predict_proba_one(instance(stream, row))
        expected.append([votes[False], votes[True]])
        model.learn_one(instance(stream, row), y)
    predictions = RiverLearner(SCALED).run(stream, prequential(200), scores=True)
    np.testing.assert_allclose(predictions.scores, expected, rtol=1e-6, atol=1e-9)


def test_the_size_of_a_model_is_what_river_says():
    described = {"river.tree.HoeffdingTreeClassifier": {"grace_period": 50}}
    stream = Sea().stream(500)
    model = river.tree.HoeffdingTreeClassifier(grace_period=50)
    for row, y in enumerate(stream.y.tolist()):
        model.learn_one(instance(stream, row), y)
    predictions = RiverLearner(described).run(stream, prequential(500)).model_bytes
    assert predictions == pytest.approx(model._raw_memory_usage, rel=0.05)


def test_weights_that_a_model_cannot_honour():
    tape = Tape(np.arange(4), np.full(4, LEARN), np.array([1, 0, 2, 1.5]))
    with pytest.raises(DataError, match=r"GaussianNB .*no weights: .*\b1\.5"):
        RiverLearner("river.naive_bayes.GaussianNB").run(Sea().stream(4), tape)
    # In a pipeline the scaler would not know of them.
    with pytest.raises(DataError, match=r"River's LogisticRegression takes no weights"):
        RiverLearner(SCALED).run(Sea().stream(4), tape)
    RiverLearner(SCALED[-1]).run(Sea().stream(4), tape)


def test_two_class_models_do_not_take_three_classes():
    message = r"LogisticRegression predicts only two classes, and stream 'random_tree' has 3\. Wrap"
    with pytest.raises(ConfigError, match=message):
        RiverLearner(SCALED).run(RandomTree(classes=3).stream(5), prequential(5))


def test_what_river_cannot_do_is_said():
    message = (
        r"River's GaussianNB could not learn \{'nominal1': 'value1'.*TypeError: .*"
        r"Some of River's models accept no texts"
    )
    with pytest.raises(DataError, match=message):
        RiverLearner("river.naive_bayes.GaussianNB").run(RandomTree().stream(5), prequential(5))
    described, _ = MODELS["list of models"]
    with pytest.raises(DataError, match=r"VotingClassifier .*class scores .*Not"):
        RiverLearner(described).run(Sea().stream(5), prequential(5), scores=True)


def test_attributes_of_the_same_name():
    schema = Schema((Attribute("a"), Attribute("a")), classes=("no", "yes"))
    twins = Stream(np.zeros((2, 2)), np.zeros(2), schema)
    with pytest.raises(DataError, match=r"'stream' .*several .*'a'"):
        RiverLearner("river.naive_bayes.GaussianNB").run(twins, prequential(2))


def test_predicting_an_instance_without_any_value():
    empty = Stream(np.full((2, 1), np.nan), np.array([0, 1]), strategies.schema(2, [0]))
    tape = Tape(np.array([0, 0]), np.array([LEARN, PREDICT]), np.ones(2))
    predictions = RiverLearner("river.tree.HoeffdingTreeClassifier").run(empty, tape)
    assert predictions.label.tolist() == [0]


def labels_of(model, stream):
    return RiverLearner(model).run(stream, prequential(len(stream))).label.tolist()


def test_parameters_that_name_classes_may_have_names_or_codes():
    stream = Sea().stream(300)
    first, second = stream.schema.classes
    tree, sampler = river.tree.HoeffdingTreeClassifier, river.imblearn.RandomUnderSampler
    by_name, by_code = (
        sampler(tree(), desired_dist=desired, seed=1)
        for desired in ({first: 0.2, second: 0.8}, {0: 0.2, 1: 0.8})
    )
    assert labels_of(by_name, stream) == labels_of(by_code, stream)
    assert by_name.desired_dist == {first: 0.2, second: 0.8}  # the user's model stays as it is
    other = sampler(tree(), desired_dist={"a": 0.5, "b": 0.5}, seed=1)
    with pytest.raises(
        DataError, match=r"KeyError.* classes are given by their names, or by the codes 0, 1"
    ):
        labels_of(other, stream)


def test_the_positive_class_of_a_metric_may_be_a_name():
    stream = Sea().stream(20)
    started = [
        RiverLearner(river.forest.ARFClassifier(metric=river.metrics.F1(pos_val=value)))._start(
            stream, 1
        )
        for value in (stream.schema.classes[1], 1)
    ]
    assert [run.model.metric.pos_val for run in started] == [1, 1]


FRESH = {
    "pipeline": scaled,
    "tree": lambda: river.tree.HoeffdingTreeClassifier(),
    "forest": lambda: river.forest.ARFClassifier(n_models=2),
    "models in a list": lambda: river.ensemble.VotingClassifier([scaled(), scaled()]),
}


@pytest.mark.parametrize("make", FRESH.values(), ids=FRESH)
def test_a_model_that_has_learnt_is_warned_of_since_a_run_begins_untrained(make):
    stream, model = Sea().stream(40), make()
    evaluate(stream, model, progress=False)
    for row in range(3):
        model.learn_one(dict(zip("abc", stream.X[row].tolist(), strict=True)), row % 2)
    with pytest.warns(StreamWarning, match=r"has been trained before, .* untrained"):
        evaluate(stream, model, progress=False)


def test_an_estimator_that_has_learnt_is_warned_of():
    stream = Sea().stream(40)
    model = SGDClassifier().fit(stream.X, stream.y)
    for call in (lambda: evaluate(stream, model, progress=False), lambda: retrained(model)):
        with pytest.warns(StreamWarning, match="SGDClassifier has been trained before"):
            call()
