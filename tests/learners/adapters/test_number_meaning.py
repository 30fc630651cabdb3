"""Whole numbers that models of others predict: codes of classes, or their names."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import river.tree
import sklearn.frozen
import sklearn.linear_model
import sklearn.naive_bayes
import sklearn.pipeline
import sklearn.preprocessing

from streameval.api.evaluate import evaluate
from streameval.api.wrappers import augmented, corrected, wrap_by_text
from streameval.base.errors import DataError
from streameval.learners.adapters.number_meaning import (
    NumberMeaning,
    ignores_labels,
    number_meaning,
)
from streameval.learners.adapters.one_by_one import CustomLearner
from streameval.learners.adapters.retrained import Retrained
from streameval.learners.adapters.river import RiverLearner
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.protocols.prequential import prequential
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import Attribute, Schema, Stream

ADAPTERS = [CustomLearner, SklearnLearner, RiverLearner, Retrained]


def stream_of(classes, n=240):
    """A stream whose class follows from the sign of its input, which alternates."""
    x = np.resize([-1.0, 1.0, 2.0], n)
    y = np.where(x > 0, len(classes) - 1, 0)
    schema = Schema((Attribute("x"),), "y", tuple(classes))
    return Stream(x[:, None], y, schema)


class Plain:
    """A model from elsewhere: it learns nothing and predicts one of two labels by the input."""

    def __init__(self, low, high):
        self.answers = low, high

    def learn(self, x, y, w):
        pass

    def predict(self, x):
        return self.answers[int(x[-1] > 0)] if np.ndim(x) == 1 else [*map(self.predict, x)]


class Frozen(Plain):
    """The same with the methods of River's and scikit-learn's models."""

    fit = partial_fit = learn_one = lambda self, *_, **__: None

    def predict_one(self, x):
        return self.answers[int(x["x"] > 0)]


class Learning(Frozen):
    """A model that gets labels, and so may know their codes."""

    def learn(self, x, y, w=1.0, **_):
        self.label = y

    fit = partial_fit = learn_one = learn


def last_codes(adapter, model, stream):
    """Class codes predicted for the last instance below zero and the last above."""
    label = adapter(model).run(stream, prequential(len(stream))).label
    return [int(label[stream.X[:, 0] < 0][-1]), int(label[stream.X[:, 0] > 0][-1])]


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(
    ("classes", "predicted", "codes"),
    [
        (["-1", "1"], (-1, 1), [0, 1]),
        (["1", "2", "3"], (1, 2), [0, 1]),
        (["1", "2", "3"], (np.int64(3), np.int8(1)), [2, 0]),
        (["1", "10", "2"], (2, 10), [2, 1]),
        (["1", "0"], (0, 1), [1, 0]),
        (["1.0", "+2", " 3"], (1.0, np.float32(3)), [0, 2]),
        (["true", "false"], (False, np.bool_(True)), [1, 0]),
        (["1", "2", "3"], ("1", "2"), [0, 1]),
        (["1", "2", "3"], (None, -1), [-1, -1]),
        # The codes themselves, and names that are no numbers.
        (["0", "1", "2"], (0, 2), [0, 2]),
        (["false", "true"], (0, 1), [0, 1]),
        (["1", "2", "other"], (1, 2), [1, 2]),
        (["1", "2.5"], (0, 1), [0, 1]),
        (["1", "1.0"], (0, 1), [0, 1]),
    ],
)
def test_numbers_of_a_model_that_learns_nothing_are_names(adapter, classes, predicted, codes):
    assert last_codes(adapter, Frozen(*predicted), stream_of(classes)) == codes


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_number_that_names_no_class_counts_as_wrong(adapter):
    stream = stream_of(["1", "2", "3"])
    with pytest.warns(StreamWarning, match=r"predicted 4, .* \(1, 2, 3\)\. Such .* wrong\.$"):
        assert last_codes(adapter, Frozen(1, 4), stream) == [0, -1]
    with pytest.warns(StreamWarning, match=r"predicted 0, .* stream\.schema\.classes\[code\]\.$"):
        assert last_codes(adapter, Frozen(0, 1), stream) == [-1, 0]
    with pytest.raises(
        DataError, match=r"predicted '[78]' for row .*: expected a class name \(1, "
    ):
        last_codes(adapter, Frozen(7, 8), stream)
    with pytest.raises(DataError, match=r"predicted 1\.5 for row \d+: expected a class name"):
        last_codes(adapter, Frozen(1, 1.5), stream)


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(
    ("classes", "predicted", "read"),
    [
        (["-1", "1"], (-1, 1), r"-1, 1\. .* -1 as no prediction, 1 as 1\. .* texts, '-1', '1'\."),
        (["1", "2", "3"], (1, 2), r"1, 2\. .* 1 as 2, 2 as 3\. .* texts, '1', '2'\."),
    ],
)
def test_numbers_of_a_model_that_learns_codes_are_codes(adapter, classes, predicted, read):
    stream = stream_of(classes)
    with pytest.warns(StreamWarning, match=f"learns class codes, .* names of classes: {read}"):
        assert last_codes(adapter, Learning(*predicted), stream) == [*predicted]
    assert last_codes(adapter, Learning(0, 1), stream) == [0, 1]  # 0 is no name: nothing is unclear


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_number_that_is_no_code_of_a_learning_model_says_how_names_are_predicted(adapter):
    with pytest.raises(DataError, match=r"predicted 2 for row \d+: .* as a text, '2'"):
        last_codes(adapter, Learning(1, 2), stream_of(["1", "2"]))


def test_a_class_that_gets_the_schema_may_know_the_codes():
    class First(Frozen):
        def __init__(self, schema):
            super().__init__(0, schema.n_classes - 1)

    stream = stream_of(["1", "2", "3"])
    assert last_codes(CustomLearner, First, stream) == [0, 2]


def test_models_that_begin_untrained_predict_codes():
    stream = stream_of(["0", "1", "2", "3"])
    stream = Stream(stream.X, stream.y, Schema(stream.schema.attributes, "y", ("1", "2", "3", "4")))
    for learner in (
        SklearnLearner(sklearn.linear_model.SGDClassifier()),
        RiverLearner(river.tree.HoeffdingTreeClassifier(grace_period=10)),
        Retrained(sklearn.naive_bayes.GaussianNB()),
    ):
        label = learner.run(stream, prequential(len(stream))).label
        assert (label[120:] == stream.y[120:]).mean() > 0.9


def fitted_elsewhere(labels, scaled=False):
    X = np.array([[-1.0], [1.0], [2.0]] * 5)
    model = sklearn.naive_bayes.GaussianNB().fit(X, np.where(X[:, 0] > 0, labels[1], labels[0]))
    frozen = sklearn.frozen.FrozenEstimator(model)
    if not scaled:
        return frozen
    steps = sklearn.preprocessing.FunctionTransformer(), frozen
    return sklearn.pipeline.make_pipeline(*steps)


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("labels", [(1, 3), (1.0, 3.0), (3, 1), ("1", "3")])
def test_a_frozen_estimator_predicts_names_and_scores_in_the_order_of_its_classes(labels, scaled):
    stream = stream_of(["1", "2", "3"])
    learner = Retrained(fitted_elsewhere(labels, scaled))
    predictions = learner.run(stream, prequential(len(stream)), scores=True)
    codes = [int(float(label)) - 1 for label in labels]
    late, above = slice(120, None), (stream.X[120:, 0] > 0).astype(int)
    assert (predictions.label[late] == np.array(codes)[above]).all()
    assert (predictions.scores[late].argmax(axis=1) == predictions.label[late]).all()
    assert (predictions.scores[late, 1] == 0).all()


class Scoring(Plain):
    """A model of classes 3 and 1, in this order, that is surer of 3."""

    classes_ = (3, 1)

    def scores(self, x):
        return [0.9, 0.1] if x[-1] > 0 else [0.2, 0.8]


def test_scores_of_a_class_are_in_the_order_of_its_classes():
    stream = stream_of(["1", "2", "3"])
    predictions = CustomLearner(Scoring(1, 3)).run(stream, prequential(len(stream)), scores=True)
    expected = np.where(stream.X > 0, [0.1, 0.0, 0.9], [0.8, 0.0, 0.2]).astype(np.float32)
    assert (predictions.scores == expected).all()


def test_scores_of_a_river_like_model_are_by_name():
    class Probable(Frozen):
        def predict_proba_one(self, x):
            return {3: 0.75, 1: 0.25}

    stream = stream_of(["1", "2", "3"])
    predictions = RiverLearner(Probable(1, 3)).run(stream, prequential(len(stream)), scores=True)
    assert (predictions.scores == np.array([0.25, 0.0, 0.75], np.float32)).all()


def test_scores_of_classes_that_are_declared_in_another_order():
    class Weighted(sklearn.linear_model.SGDClassifier):
        """The names of classes in `class_weight` are learnt, which scikit-learn sorts."""

    stream = stream_of(["yes", "no"])
    model = Weighted(loss="log_loss", class_weight={"yes": 1.0, "no": 1.0}, random_state=1)
    predictions = SklearnLearner(model).run(stream, prequential(len(stream)), scores=True)
    assert (predictions.label[120:] == stream.y[120:]).all()
    assert (predictions.scores[120:].argmax(axis=1) == stream.y[120:]).all()


@pytest.mark.parametrize("wrap", [augmented, corrected, "resetting:ddm"])
def test_a_wrapped_model_predicts_as_alone(wrap):
    model, stream = Scoring(1, 3), stream_of(["1", "2", "3"])
    wrapped = wrap_by_text(model, wrap) if isinstance(wrap, str) else wrap(model)
    accuracy = evaluate(stream, {"alone": model, "wrapped": wrapped}).measures("accuracy")
    assert accuracy["accuracy"]["alone"] == 1
    # A corrected model begins with a prior over classes of its own.
    assert accuracy["accuracy"]["wrapped"] > 0.98


def test_numbers_of_a_regressor_are_numbers():
    x = np.resize([-1.0, 1.0], 100)
    stream = Stream(x[:, None], np.where(x > 0, 3.0, 1.0), Schema((Attribute("x"),), "y", None))
    measured = evaluate(stream, {"frozen": Plain(1, 3)}).measures("mean_absolute_error")
    assert measured["mean_absolute_error"]["frozen"] == 0


def test_methods_that_ignore_labels():
    def passed_on(function):
        @functools.wraps(function)
        def call(self, *args):
            return function(self, *args)

        return call

    class Model:
        def nothing(self, x, y, w):
            pass

        def counting(self, x, y, w):
            self.n = getattr(self, "n", 0) + w

        def renamed(self, x, label, w):
            self.last = label

        def gathered(self, x, *others):
            self.last = others

        def by_keyword(self, x, y=None, **others):
            self.last = others["classes"]

        def classes(self, x, y, classes=None):
            self.last = classes

        def closure(self, x, y, w):
            self.last = lambda: y

        def indirect(self, x, y, w):
            self.__dict__.update(locals())

        def both(self, x, y, w):
            self.n = y + w

        wrapped = passed_on(nothing)
        partial = functools.partialmethod(nothing)
        fixed = staticmethod(lambda x, y, w: None)

    model = Model()
    ignoring = {"nothing", "counting", "fixed"}
    others = {name for name in vars(Model) if not name.startswith("__")} - ignoring
    assert len(others) == 9
    assert all(ignores_labels(getattr(model, name)) for name in ignoring)
    assert not any(ignores_labels(getattr(model, name)) for name in others)
    assert not ignores_labels(print)  # a compiled function
    assert number_meaning(model.nothing) is NumberMeaning.NAMES
    assert number_meaning(model.nothing, has_schema=True) is NumberMeaning.UNCLEAR
    assert number_meaning(model.both) is NumberMeaning.UNCLEAR
    assert number_meaning(model.both, begins_untrained=True) is NumberMeaning.CODES
