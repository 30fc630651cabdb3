"""Models that are given as objects: they are copied, seeded and never trained themselves."""

from __future__ import annotations

import pickle
from copy import deepcopy

import numpy as np
import pytest
import river.cluster
import river.compose
import river.ensemble
import river.forest
import river.linear_model
import river.multioutput
import river.preprocessing
import river.tree
import sklearn.cluster
import sklearn.ensemble
import sklearn.linear_model
import sklearn.mixture
import sklearn.model_selection
import sklearn.naive_bayes
import sklearn.neural_network
import sklearn.pipeline
import sklearn.preprocessing
from helpers.foreign_models import Last

from streameval.api.batch_models import retrained
from streameval.api.evaluate import evaluate
from streameval.base.errors import ConfigError, DataError
from streameval.learners.adapters.one_by_one import CustomLearner
from streameval.learners.adapters.retrained import Retrained
from streameval.learners.adapters.river import RiverLearner
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.learners.tasks import REGRESSION
from streameval.protocols.prequential import prequential
from streameval.streams.generators.sea import Sea
from streameval.streams.readers.table import StreamWarning

STREAM, TAPE = Sea().stream(150), prequential(150)


def labels(learner, seed=1):
    return learner.run(STREAM, TAPE, seed).label.tolist()


OBJECTS = [
    (RiverLearner, river.tree.HoeffdingTreeClassifier(), "river.tree.HoeffdingTreeClassifier"),
    (RiverLearner, river.forest.ARFClassifier(), "river.forest.ARFClassifier"),
    (
        RiverLearner,
        river.preprocessing.StandardScaler() | river.linear_model.LogisticRegression(),
        ["river.preprocessing.StandardScaler", "river.linear_model.LogisticRegression"],
    ),
    (SklearnLearner, sklearn.naive_bayes.BernoulliNB(), "sklearn.naive_bayes.BernoulliNB"),
    (
        SklearnLearner,
        sklearn.neural_network.MLPClassifier(),
        "sklearn.neural_network.MLPClassifier",
    ),
]


@pytest.mark.parametrize(("adapter", "model", "described"), OBJECTS)
def test_an_object_predicts_as_its_description(adapter, model, described):
    assert labels(adapter(model), 2) == labels(adapter(described), 2)


SEEDED = [
    (
        RiverLearner,
        lambda **seed: river.ensemble.BaggingClassifier(
            river.linear_model.LogisticRegression(), **seed
        ),
        "seed",
    ),
    (SklearnLearner, sklearn.neural_network.MLPClassifier, "random_state"),
]


@pytest.mark.parametrize(("adapter", "make", "seed"), SEEDED)
def test_a_given_seed_is_kept_and_a_missing_one_is_that_of_the_run(adapter, make, seed):
    assert labels(adapter(make()), 1) != labels(adapter(make()), 2)
    assert labels(adapter(make(**{seed: 1})), 2) == labels(adapter(make()), 1)


@pytest.mark.parametrize(
    "model",
    [
        river.tree.HoeffdingTreeClassifier(),
        river.preprocessing.StandardScaler() | river.forest.ARFClassifier(n_models=3),
        river.ensemble.VotingClassifier(
            [river.tree.HoeffdingTreeClassifier(), river.forest.ARFClassifier(n_models=3)]
        ),
        river.ensemble.BaggingClassifier(river.linear_model.LogisticRegression(), n_models=3),
    ],
    ids=str,
)
def test_what_an_object_of_river_has_learnt_is_neither_used_nor_changed(model):
    names = [attribute.name for attribute in STREAM.schema.attributes]
    fresh = labels(RiverLearner(model))
    trained = deepcopy(model)
    for x, y in zip(STREAM.X.tolist(), STREAM.y.tolist(), strict=True):
        trained.learn_one(dict(zip(names, x, strict=True)), 1 - y)
    before = pickle.dumps(trained)
    assert labels(RiverLearner(trained)) == fresh == labels(RiverLearner(trained))
    assert pickle.dumps(trained) == before


def test_a_pipeline_of_scikit_learn_is_its_steps():
    described = ["sklearn.preprocessing.StandardScaler", "sklearn.linear_model.SGDClassifier"]
    scaler, model = sklearn.preprocessing.StandardScaler(), sklearn.linear_model.SGDClassifier()
    pipelines = [
        sklearn.pipeline.make_pipeline(scaler, model),
        sklearn.pipeline.make_pipeline(sklearn.pipeline.make_pipeline(scaler), None, model),
        sklearn.pipeline.Pipeline([("a", scaler), ("b", "passthrough"), ("c", model)]),
        [scaler, model],
    ]
    for pipeline in pipelines:
        assert labels(SklearnLearner(pipeline)) == labels(SklearnLearner(described))
    assert not hasattr(scaler, "mean_")
    assert not hasattr(model, "coef_")


def test_what_an_object_of_scikit_learn_has_learnt_is_neither_used_nor_changed():
    model = sklearn.linear_model.Perceptron().fit(STREAM.X, 1 - STREAM.y)
    before = pickle.dumps(model)
    fresh = labels(SklearnLearner(sklearn.linear_model.Perceptron()))
    assert labels(SklearnLearner(model)) == fresh
    assert pickle.dumps(model) == before


OTHERS = {
    "a clusterer": sklearn.cluster.MiniBatchKMeans(2),
    "an outlier detector": sklearn.ensemble.IsolationForest(),
    "a density estimator": sklearn.mixture.GaussianMixture(2),
}


def variants(model, is_inside):
    """A model or a search for it, with the adapters that can hold it, also at a pipeline's end."""
    if is_inside:  # a search has the kind of its estimator
        model = sklearn.model_selection.GridSearchCV(model, {})
    scaled = sklearn.pipeline.make_pipeline(sklearn.preprocessing.StandardScaler(), model)
    stepwise = [(SklearnLearner, model)] if hasattr(model, "partial_fit") else []
    return [(Retrained, model), (Retrained, scaled), *stepwise]


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("is_inside", [False, True])
def test_estimators_that_predict_neither_classes_nor_numbers_are_refused(kind, is_inside):
    message = f"is no classifier or regressor but {kind}: expected an estimator that predicts class"
    for adapter, model in variants(OTHERS[kind], is_inside):
        with pytest.raises(ConfigError, match=message):
            adapter(model)


@pytest.mark.parametrize("is_inside", [False, True])
def test_a_regressor_predicts_numbers_alone(is_inside):
    for adapter, model in variants(sklearn.linear_model.SGDRegressor(), is_inside):
        learner = adapter(model)
        assert learner.possible_tasks == (REGRESSION,)
        with pytest.raises(DataError, match=r"predicts numbers, and the target .* is nominal"):
            learner.run(STREAM, prequential(len(STREAM)))


def test_models_of_river_that_predict_something_else_are_refused():
    several = river.multioutput.ClassifierChain(river.linear_model.LogisticRegression())
    for model in (river.cluster.KMeans(2), several):
        for tried in (river.preprocessing.StandardScaler() | model, model):
            with pytest.raises(ConfigError, match=f"{type(model).__name__} is no classifier"):
                RiverLearner(tried)
    with pytest.raises(DataError, match=r"predicts numbers, .* is nominal: expected a classifier"):
        evaluate(STREAM, river.linear_model.LinearRegression())


def test_a_plain_object_is_copied_with_what_it_knows():
    model = Last(first=1)
    for _ in range(2):
        assert labels(CustomLearner(model)) == [1, *STREAM.y[:-1].tolist()]
    assert model.last == 1


class Held(Last):
    def __deepcopy__(self, memo):
        raise TypeError("a file is open")


class Clumsy(Last):
    def learn(self, x, y, w):
        raise ZeroDivisionError("oh")


def test_a_plain_object_that_cannot_be_copied_is_refused():
    with pytest.raises(ConfigError, match=r"TypeError: a file is open"):
        labels(CustomLearner(Held()))


def test_an_error_in_a_class_of_ones_own_says_where():
    with pytest.raises(DataError, match=r"Clumsy .*row 0: ZeroDivisionError: oh \(") as e:
        labels(CustomLearner(Clumsy))
    assert "test_objects.py, line" in str(e.value)
    assert isinstance(e.value.__cause__, ZeroDivisionError)


def test_no_memory_is_no_fault_of_the_data():
    class Large(Last):
        def predict(self, x):
            raise MemoryError

    with pytest.raises(MemoryError):
        labels(CustomLearner(Large))


def test_an_object_and_a_class_are_the_same_learner():
    assert labels(CustomLearner(Last)) == labels(CustomLearner(Last()))
    assert np.array_equal(labels(CustomLearner(Last, {"first": 1})), labels(CustomLearner(Last(1))))


class Named(Last):
    """Predict the name of the class that was learnt last, or its code."""

    def __init__(self, schema, codes=False):
        super().__init__()
        self.words = range(2) if codes else schema.classes

    def predict(self, x):
        return None if self.last is None else self.words[self.last]


def test_a_class_of_ones_own_predicts_names_or_codes_of_classes():
    assert labels(CustomLearner(Named)) == labels(CustomLearner(Last))
    assert labels(CustomLearner(Named, {"codes": True})) == labels(CustomLearner(Last))


def test_a_name_that_is_no_class_counts_as_wrong():
    names = ", ".join(STREAM.schema.classes)
    with pytest.warns(StreamWarning, match=rf"predicted x, which is no class .* \({names}\)"):
        assert labels(CustomLearner(Last("x"))) == [-1, *labels(CustomLearner(Last))[1:]]


class Unbuilt(Last):
    """A class whose constructor fails, with or without the stream's schema."""

    def __init__(self, schema=None):
        raise KeyError("weights.bin")


class UnbuiltEstimator(sklearn.naive_bayes.GaussianNB):
    def __init__(self):
        raise KeyError("weights.bin")


class Demanding(sklearn.naive_bayes.GaussianNB):
    def __init__(self, rate):
        pass


@pytest.mark.parametrize(
    "call",
    [
        lambda: CustomLearner(Unbuilt).run(STREAM, TAPE),
        lambda: evaluate(STREAM, Unbuilt),
        lambda: evaluate(STREAM, f"{__name__}:Unbuilt"),
        lambda: evaluate(STREAM, UnbuiltEstimator),
        lambda: retrained(UnbuiltEstimator),
    ],
)
def test_a_constructor_that_fails_is_one_line_with_the_class_and_the_error(call):
    line = r"Unbuilt\w*: the constructor failed: KeyError: 'weights.bin' \(.*test_objects.py, line"
    with pytest.raises(ConfigError, match=line):
        call()


def test_a_class_that_needs_parameters_says_to_give_an_object():
    for call in (lambda: evaluate(STREAM, Demanding), lambda: retrained(Demanding)):
        with pytest.raises(ConfigError, match=r"'rate'\. Give an object"):
            call()
