"""Transformers without ``partial_fit``, and the warnings of other libraries."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin

import streameval as se
from streameval.base.errors import DataError
from streameval.base.other_tools import repeated_warnings_once
from streameval.learners.adapters import sklearn as adapter
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.readers.table import StreamWarning

pytest.importorskip("sklearn")


@pytest.fixture(scope="module")
def stream():
    whole = se.generate("sea", rows=250, seed=2)
    X = whole.X.copy()
    X[::7, 1] = np.nan
    return replace(whole, X=X)


def literal(stream, steps, classifier, first):
    """Predict, then learn, with the transformers fitted on the first instances."""
    held, predictions = [], []
    for x, y in zip(stream.X, stream.y, strict=True):
        if held is None:
            z = x[None]
            for step in steps:
                z = step.transform(z)
            predictions.append(classifier.predict(z)[0])
            classifier.partial_fit(z, [y])
            continue
        predictions.append(-1)
        held.append((x, y))
        if len(held) == first:
            z, labels = np.array([x for x, _ in held]), np.array([y for _, y in held])
            for step in steps:
                z = step.fit(z, labels).transform(z)
            classifier.partial_fit(z, labels, classes=np.arange(2))
            held = None
    return np.array(predictions)


def test_a_transformer_without_partial_fit_learns_once(stream):
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import RobustScaler

    def steps():
        columns = ColumnTransformer([("a", RobustScaler(), [0, 1])], remainder="passthrough")
        return [SimpleImputer(), columns]

    names = "SimpleImputer, ColumnTransformer cannot learn step by step"
    with pytest.warns(StreamWarning, match=rf"{names} .* the first 100 labelled instances"):
        result = se.evaluate(stream, make_pipeline(*steps(), GaussianNB()), progress=False)
    expected = literal(stream, steps(), GaussianNB(), adapter.MIN_FIRST_BATCH)
    predictions = result.predictions
    column = next(name for name in predictions.columns if "GaussianNB" in str(name))
    codes = {name: code for code, name in enumerate(stream.schema.classes)}
    assert [codes.get(name, -1) for name in predictions[column].tolist()] == expected.tolist()
    assert (expected[: adapter.MIN_FIRST_BATCH] == -1).all()


def test_a_warning_of_a_library_is_shown_once(stream):
    class Odd:
        def learn(self, x, y, w):
            warnings.warn(f"odd {x[0]}", RuntimeWarning, stacklevel=1)
            warnings.warn(f"even {x[0]}", RuntimeWarning, stacklevel=1)

        def predict(self, x):
            return 0

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        se.evaluate(stream, Odd, progress=False)
    assert [str(w.message).split()[0] for w in caught] == ["odd", "even"]


def test_what_was_there_before_shows_again_afterwards():
    before = warnings.showwarning
    with pytest.raises(ZeroDivisionError), repeated_warnings_once():
        _ = 1 / 0
    assert warnings.showwarning is before


def test_a_transformer_that_needs_several_instances_begins_with_them_together():
    from sklearn.decomposition import IncrementalPCA
    from sklearn.linear_model import SGDClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    stream = se.generate("sea", rows=150, seed=2)
    steps = StandardScaler(), IncrementalPCA(2)
    expected, classifier = [-1] * adapter.MIN_FIRST_BATCH, SGDClassifier(random_state=1)
    for stop in range(adapter.MIN_FIRST_BATCH, len(stream) + 1):
        rows = slice(0 if stop == adapter.MIN_FIRST_BATCH else stop - 1, stop)
        z = stream.X[rows]
        if stop > adapter.MIN_FIRST_BATCH:
            expected.append(classifier.predict(steps[1].transform(steps[0].transform(z)))[0])
        for step in steps:
            z = step.partial_fit(z).transform(z)
        classifier.partial_fit(z, stream.y[rows], classes=np.arange(2))
    model = make_pipeline(StandardScaler(), IncrementalPCA(2), SGDClassifier(random_state=1))
    with pytest.warns(StreamWarning, match=r"IncrementalPCA .* the first 100"):
        predictions = adapter.SklearnLearner(model).run(stream, prequential(len(stream)))
    assert predictions.label.tolist() == expected


@pytest.mark.parametrize(("components", "first"), [(2, 100), (120, 120)])
def test_it_waits_for_as_many_instances_as_it_has_components(components, first):
    from sklearn.decomposition import IncrementalPCA

    assert adapter._Chain([IncrementalPCA(components), None], 2).first_batch == first


class Failing(TransformerMixin, BaseEstimator):
    def partial_fit(self, X, y=None):
        return self

    def transform(self, X):
        raise ValueError("no room")


def test_an_error_of_a_transformer_names_it():
    from sklearn.linear_model import SGDClassifier

    stream = se.generate("sea", rows=5)
    with pytest.raises(DataError, match=r"SGDClassifier: .* Failing failed at row 0 .*: no room"):
        adapter.SklearnLearner([Failing(), SGDClassifier()]).run(stream, prequential(5))


@pytest.mark.parametrize("together", [False, True])
def test_predictions_by_invalid_numbers_are_counted_and_warned_of(together):
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 2))
    y = np.where(np.arange(120) < 90, X[:, 0] > 0, 2)  # the third class comes late
    stream = se.from_arrays(X, y)
    op = np.full(120, PREDICT_THEN_LEARN)
    op[90:] = PREDICT if together else PREDICT_THEN_LEARN  # at the end in one call, or one by one
    model, invalid, predicted = GaussianNB(), 0, 0
    with np.errstate(all="ignore"):
        for t in range(120):
            if t and op[t] & PREDICT:
                predicted += 1
                invalid += bool(np.isnan(model.predict_joint_log_proba(X[[t]])).any())
            if op[t] & LEARN:
                model.partial_fit(X[[t]], y[[t]], classes=np.arange(3))
    text = f"GaussianNB: {invalid:,} of {predicted:,} predictions rest on invalid numbers"
    tape = Tape(np.arange(120), op, np.ones(120))
    with pytest.warns(StreamWarning, match=text):
        adapter.SklearnLearner(GaussianNB()).run(stream, tape)
    assert 0 < invalid <= predicted
