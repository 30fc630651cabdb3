"""An estimator returns one prediction for each row, or the run ends: others would shift."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from streameval.base.errors import DataError
from streameval.learners.adapters.retrained import Retrained
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import Attribute, Schema, Stream

#: 100 rows learnt, then 20 predicted at once.
TAPE = Tape(np.arange(120), np.repeat([LEARN, PREDICT], [100, 20]), np.ones(120))
SEA = Sea().stream(120)
NUMBERS = Stream(SEA.X, SEA.X.sum(axis=1), Schema(tuple(map(Attribute, "abc")), "y", None))


class Shaped:
    """An estimator that returns whatever `shape` makes of one prediction for each row."""

    def __init__(self, shape):
        self.shape = shape

    def fit(self, X, y):
        self.fitted = True

    def partial_fit(self, X, y, classes=None):
        pass

    def predict(self, X):
        return self.shape(np.arange(len(X)) % 2)

    def predict_proba(self, X):
        return self.shape(np.repeat([[0.25, 0.75]], len(X), axis=0))


LEARNERS = [
    (SklearnLearner, SEA),
    (SklearnLearner, NUMBERS),
    (Retrained, SEA),
    (Retrained, NUMBERS),
]


@pytest.mark.parametrize(("adapter", "stream"), LEARNERS)
@pytest.mark.parametrize(
    ("shape", "returned"),
    [
        (lambda p: p[1:], "19 predictions"),
        (lambda p: np.append(p, 1), "21 predictions"),
        (lambda p: None, "None"),
        (lambda p: np.float64(0.5), "np.float64(0.5)"),
        (lambda p: "yes", "'yes'"),
        (lambda p: np.stack([p, p], axis=1), "an array of shape (20, 2)"),
    ],
)
def test_another_number_of_predictions_is_refused(adapter, stream, shape, returned):
    with pytest.raises(DataError) as refused:
        adapter(Shaped(shape)).run(stream, TAPE)
    for words in ("Shaped was given 20 rows, 100 to 119,", f"returned {returned}. Return one"):
        assert words in str(refused.value)


@pytest.mark.parametrize(("adapter", "stream"), LEARNERS)
@pytest.mark.parametrize("shape", [list, tuple, pd.Series, lambda p: p[:, None], lambda p: p])
def test_one_prediction_for_each_row_may_have_any_container(adapter, stream, shape):
    predictions = adapter(Shaped(shape)).run(stream, TAPE)
    values = predictions.label if stream.n_classes else predictions.value
    assert values.tolist() == [0, 1] * 10


@pytest.mark.parametrize("adapter", [SklearnLearner, Retrained])
@pytest.mark.parametrize("shape", [lambda p: p[:1], lambda p: p[1:] if p.ndim > 1 else p])
def test_another_number_of_class_scores_is_refused(adapter, shape):
    model = Shaped(lambda p: shape(p) if p.ndim > 1 else p)
    with pytest.raises(DataError, match=r"2 scores.* each of 20 rows, found shape \((1|19), 2\)"):
        adapter(model).run(SEA, TAPE, scores=True)
