"""Transformers without ``partial_fit``, and the warnings of other libraries."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import streameval as se
from streameval.base.other_tools import shown_once
from streameval.learners.adapters import sklearn as adapter
from streameval.streams.readers.table import StreamWarning

pytest.importorskip("sklearn")


@pytest.fixture(scope="module")
def stream():
    whole = se.generate("sea", rows=600, seed=2)
    X = whole.X.copy()
    X[::7, 1] = np.nan
    return replace(whole, X=X, _digest=[])


def literal(stream, steps, classifier, first):
    """Predict, then learn, with the transformers fitted on the first instances."""
    held, found = [], []
    for x, y in zip(stream.X, stream.y, strict=True):
        if held is None:
            z = x[None]
            for step in steps:
                z = step.transform(z)
            found.append(classifier.predict(z)[0])
            classifier.partial_fit(z, [y])
            continue
        found.append(-1)
        held.append((x, y))
        if len(held) == first:
            z, labels = np.array([x for x, _ in held]), np.array([y for _, y in held])
            for step in steps:
                z = step.fit(z, labels).transform(z)
            classifier.partial_fit(z, labels, classes=np.arange(2))
            held = None
    return np.array(found)


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
    expected = literal(stream, steps(), GaussianNB(), adapter.FIRST)
    found = result.predictions
    column = next(name for name in found.columns if "GaussianNB" in str(name))
    codes = {name: code for code, name in enumerate(stream.schema.classes)}
    assert [codes.get(name, -1) for name in found[column].tolist()] == expected.tolist()
    assert (expected[: adapter.FIRST] == -1).all()


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
    with pytest.raises(ZeroDivisionError), shown_once():
        _ = 1 / 0
    assert warnings.showwarning is before
