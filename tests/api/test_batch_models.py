"""Batch models as learners: in Python, on the command line, and as rows of the registry."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import pytest

import streameval as se

pytest.importorskip("sklearn")
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

PATH = "sklearn.tree.DecisionTreeClassifier"


@pytest.fixture(scope="module")
def stream():
    return se.generate("sea", rows=1500)


def test_an_object_its_class_its_path_and_its_text_are_the_same_learner(stream):
    learners = {
        "object": se.retrained(DecisionTreeClassifier(), every=300, window=400),
        "class": se.retrained(DecisionTreeClassifier, every=300, window=400),
        "path": se.retrained(PATH, every=300, window=400),
        "text": f"retrained:{PATH}:300:400",
        "named": f"retrained:{PATH}:window=400:every=300",
    }
    result = se.evaluate(stream, learners)
    first, *others = (result.predictions[name].tolist() for name in learners)
    assert all(labels == first for labels in others)
    assert result.costs["fits"].iloc[:5].tolist() == [5] * 5
    assert result.to_dict("accuracy")["path"]["fits"] == 5
    assert "fits" not in result.to_dict("accuracy")["no_change"]
    shown = "\n".join(result.lines())
    assert re.findall(r"^fits +(.*)$", shown, re.MULTILINE)[-1].split() == ["–", "–"]


def test_names_have_parameters_that_differ_from_the_default():
    def name(*parameters, **options):
        return se.retrained(*parameters, **options).name

    assert name(PATH) == name(DecisionTreeClassifier()) == "retrained(DecisionTreeClassifier)"
    assert name(PATH, every=9) == "retrained(DecisionTreeClassifier, every=9)"
    steps = make_pipeline(StandardScaler(), LinearRegression())
    assert name(steps, window=70) == "retrained(StandardScaler | LinearRegression, window=70)"
    text = f"retrained:{PATH}:9:max_depth=2"
    (learner, *_) = se.evaluate(se.generate("sea", rows=200), text).learners
    assert learner == "retrained(DecisionTreeClassifier, every=9, max_depth=2)"


def test_numbers_and_delayed_labels(stream):
    planes = se.generate("planes", rows=1200)
    result = se.evaluate(planes, se.retrained(LinearRegression(), every=400))
    assert result.costs["fits"].iloc[0] == 3
    assert result.learners[0] == "retrained(LinearRegression, every=400)"
    late = se.evaluate(stream, se.retrained(PATH, every=200), delay=100)
    assert late.costs["fits"].iloc[0] == 8
    assert len(late.bins(4)) >= 4


def test_a_comparison_and_wrappers_take_it(stream):
    comparison = se.compare(stream, [se.retrained(PATH, every=200), "majority"])
    assert comparison.random_learners == ["retrained(DecisionTreeClassifier, every=200)"]
    assert comparison.runs == 5


def test_models_without_partial_fit_name_the_way_out(stream):
    with pytest.raises(se.StreamevalError, match=r"no partial_fit.*retrained\("):
        se.evaluate(stream, DecisionTreeClassifier())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("retrained", r"expected retrained:CLASS\[:EVERY"),
        (f"retrained:{PATH}:many", r"expected retrained:CLASS"),
        (f"retrained:{PATH}:depth=3", "unknown parameter depth"),
        (f"retrained:{PATH}:every=x", "every: expected a whole number above 0, found 'x'"),
        (f"retrained:{PATH}:every=5:6", "expected NAME=VALUE"),
        (f"retrained:{PATH}:every=5:every=6", "each name once"),
        ("hoeffding_tree:grace=5", "unknown parameter grace"),
        ("hoeffding_tre:grace_period=5", "no learner 'hoeffding_tre'"),
    ],
)
def test_texts_that_are_wrong_are_refused(stream, text, message):
    with pytest.raises(se.StreamevalError, match=message):
        se.evaluate(stream, text)


def test_any_learner_takes_parameters_in_its_text(stream):
    texts = ["hoeffding_tree:grace_period=50:leaf_prediction=majority"]
    same = se.learner("hoeffding_tree", grace_period=50, leaf_prediction="majority")
    result = se.evaluate(stream, [texts[0], same])
    spelled_out, abbreviated = result.learners[:2]
    assert spelled_out == "hoeffding_tree(grace_period=50, leaf_prediction=majority)"
    assert (result.predictions[spelled_out] == result.predictions[abbreviated]).all()


class Foreign(ClassifierMixin, BaseEstimator):
    """An estimator of another package: scikit-learn knows no constraints of its parameters."""

    def __init__(self, quantile=0.5):
        self.quantile = quantile

    def fit(self, X, y):
        self.threshold_ = np.quantile(X.sum(axis=1), self.quantile)
        self.above_ = np.bincount(y[X.sum(axis=1) > self.threshold_], minlength=2).argmax()
        return self

    def predict(self, X):
        return np.where(X.sum(axis=1) > self.threshold_, self.above_, 1 - self.above_)


def test_estimators_of_other_packages_are_retrained(stream):
    result = se.evaluate(stream, {"own": se.retrained(Foreign(0.3), every=200, window=400)})
    model = Foreign(0.3).fit(stream.X[900:1300], stream.y[900:1300])
    expected = [stream.schema.classes[code] for code in model.predict(stream.X[1300:1400])]
    assert result.predictions["own"].tolist()[1300:1400] == expected


def test_a_class_with_fit_and_predict_needs_no_scikit_learn(tmp_path):
    (tmp_path / "own_batch.py").write_text(
        textwrap.dedent(
            """
            class Rule:
                def fit(self, X, y):
                    self.majority = max(set(y.tolist()), key=y.tolist().count)

                def predict(self, X):
                    return [self.majority] * len(X)
            """
        )
    )
    program = """
        import sys
        sys.modules["sklearn"] = None
        import streameval as se
        from own_batch import Rule

        stream = se.generate("sea", rows=600)
        given = {"object": se.retrained(Rule()), "class": se.retrained(Rule),
                 "path": se.retrained("own_batch.Rule"), "text": "retrained:own_batch.Rule"}
        found = se.evaluate(stream, given, progress=False).predictions
        majority = stream.schema.classes[int(stream.y[:100].mean() > 0.5)]
        print([found[name].tolist()[100:] == [majority] * 500 for name in given])
        try:
            se.retrained("sklearn.tree.DecisionTreeClassifier")
        except se.StreamevalError as error:
            print(error)
    """
    process = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    first, second = process.stdout.splitlines()
    assert first == str([True] * 4)
    assert "pip install" in second


@pytest.fixture(scope="module")
def named():
    rng = np.random.default_rng(3)
    y = np.cumsum(rng.random(400) < 0.2) % 2
    frame = pd.DataFrame(
        {"x": rng.normal(y, 1), "k": np.array(list("abc"))[rng.integers(0, 3, 400)]}
    )
    frame.loc[::37, "k"] = None
    return frame, np.array(["no", "yes"])[y]


def by_name(last):
    encoder = OneHotEncoder(handle_unknown="ignore")
    parts = [("numbers", StandardScaler(), ["x"]), ("names", encoder, ["k"])]
    return make_pipeline(ColumnTransformer(parts), last)


def by_type(last):
    parts = [("numbers", StandardScaler(), make_column_selector(dtype_include="number"))]
    return make_pipeline(ColumnTransformer(parts), last)


@pytest.mark.parametrize("columns", [by_name, by_type])
def test_columns_by_name_and_weights_by_class_name_are_those_of_scikit_learn(named, columns):
    frame, labels = named
    stream = se.from_pandas(frame.assign(y=labels), "y")
    model = columns(LogisticRegression(class_weight={"no": 1, "yes": 5}))
    result = se.evaluate(stream, {"own": se.retrained(model, every=100)}, scores=True)
    expected = []
    for end in (100, 200, 300):
        model.fit(frame[:end], labels[:end])
        expected += model.predict(frame[end : end + 100]).tolist()
    assert result.predictions["own"].tolist()[100:] == expected


def test_weights_by_class_name_go_to_models_that_learn_step_by_step(named):
    frame, labels = named
    stream = se.from_pandas(frame.assign(y=labels), "y").first(120)
    steps = {"by name": {"no": 1, "yes": 5}, "by code": {0: 1, 1: 5}, "none": None}
    models = {
        name: by_type(SGDClassifier(random_state=1, class_weight=weights))
        for name, weights in steps.items()
    }
    with pytest.warns(se.StreamWarning, match="ColumnTransformer .*learns once"):
        predictions = se.evaluate(stream, models).predictions
    by_name, by_code, unweighted = (predictions[name].tolist() for name in steps)
    assert by_name == by_code != unweighted


class Frames:
    def fit(self, X, y):
        self.columns = list(X.columns)
        self.categories = list(X["k"].cat.categories)

    def predict(self, X):
        assert list(X.columns) == self.columns == ["x", "k"]
        assert list(X["k"].cat.categories) == self.categories == ["a", "b", "c"]
        return np.where(X["k"] == "a", "yes", "no")


def test_any_model_gets_a_frame_that_asks_for_one(named):
    frame, labels = named
    stream = se.from_pandas(frame.assign(y=labels), "y")
    learner = se.retrained(Frames(), as_frame=True)
    assert learner.name == "retrained(Frames, as_frame=True)"
    predictions = se.evaluate(stream, {"own": learner}).predictions["own"][100:]
    assert predictions.tolist() == ["yes" if k == "a" else "no" for k in frame["k"][100:]]
