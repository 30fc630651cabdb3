"""The engine predicts as the exact definition does, on statistics of any kind."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import learners as naive

from streameval.compiled.kernels import kernel
from streameval.learners.bayes import class_statistics, engine, exact
from streameval.learners.bayes.engine.terms import LARGEST_EAGER_WEIGHT
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.streams.stream import Stream

#: Weights of instances: alike, mixed, the least and the highest that a tape holds as float32, and
#: so large that terms are soon stale. Sums of them are exact in any order, as MOA adds the counts
#: of nominal values anew each time.
WEIGHTS = {
    "equal": [1.0],
    "mixed": [0.5, 1.0, 2.0, 7.0],
    "tiny": [2.0**-149, 2.0**-140],
    "large": [1e3, 1e4],
    "huge": [2.0**120, 2.0**127],
    "of many scales": [2.0**-20, 1.0, 2.0**20],
}


@kernel
def write_labels(stats, wanted, prior, X, y, w, quick, slow):
    """Write the labels of the engine and of the definition before each row is learnt."""
    if not class_statistics.observes_all(stats):
        class_statistics.choose_attributes(stats, 0, wanted)
    for t in range(len(y)):
        complete = engine.load_instance(stats, X[t])
        engine.load_inputs(stats, 0, X[t])
        quick[t] = engine.predict_label(stats, 0, prior, X[t], complete)
        slow[t] = exact.label(stats, 0, prior, X[t])
        prior[y[t]] += w[t]
        engine.learn_instance(stats, 0, y[t], w[t], X[t], complete, prior[y[t]])


def labels(stream, weights, wanted=None):
    """Labels of the engine and of the definition, by some or all attributes."""
    n_observed = None if wanted is None else int(wanted.sum())
    stats = class_statistics.make(stream.schema, 1, n_observed)
    flags = np.ones(stream.X.shape[1], dtype=np.bool_) if wanted is None else wanted
    quick, slow = (np.full(len(stream), -1) for _ in range(2))
    prior = np.zeros(stream.n_classes)
    write_labels(stats, flags, prior, stream.X, stream.y, weights, quick, slow)
    return quick, slow


@st.composite
def cases(draw):
    """Stream, weights, and observed attributes; None for all attributes."""
    stream = draw(strategies.streams(rows=(2, 80), exponents=(-150, 150), columns=10))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if draw(st.integers(0, 4)) == 0:  # each row is learnt for each class: votes are equal
        k = stream.n_classes
        X, y = np.repeat(stream.X[:20], k, axis=0), np.tile(np.arange(k), len(stream.X[:20]))
        stream = Stream(X, y.astype(np.int32), stream.schema)
    weights = rng.choice(WEIGHTS[draw(st.sampled_from([*WEIGHTS]))], len(stream))
    wanted = rng.random(stream.X.shape[1]) < 0.5
    return stream, weights, wanted if wanted.any() and draw(st.booleans()) else None


@settings(max_examples=200)
@given(cases())
def test_labels_equal_those_of_the_definition_and_of_the_naive_twin(case):
    stream, weights, wanted = case
    quick, slow = labels(stream, weights, wanted)
    assert quick.tolist() == slow.tolist()
    twin = naive.twin(NaiveBayes(), stream)
    if wanted is not None:
        twin.chosen = np.flatnonzero(wanted).tolist()
    for x, y, w, label in zip(
        stream.X.tolist(), stream.y.tolist(), weights.tolist(), slow.tolist(), strict=True
    ):
        assert twin.predict(x) == label
        twin.learn(x, y, w)


def _long_streams():
    rng = np.random.default_rng(7)
    n = 60_000
    X, y = rng.normal(size=(n, 10)), rng.integers(0, 3, n)
    yield "classes that are all alike", X, y
    yield "classes that are near each other", X + 0.1 * y[:, None], y
    late = X.copy()
    late[:40_000, 3] = 5.0
    yield "a constant that begins to vary late", late, y
    grows = X * np.geomspace(1.0, 1e4, n)[:, None]
    yield "ever larger values", grows, y
    outlier = X.copy()
    outlier[50_000] = 1e6
    yield "an outlier", outlier, y
    gaps = X.copy()
    gaps[rng.random(X.shape) < 1e-4] = np.nan
    yield "a few gaps", gaps, y
    yield "a class that grows rare", X + y[:, None], np.where(np.arange(n) < n / 2, y, y % 2)


@pytest.mark.parametrize("weight", [1.0, 0.7, 50.0])
@pytest.mark.parametrize(
    ("X", "y"), [pytest.param(X, y, id=name) for name, X, y in _long_streams()]
)
def test_terms_may_be_stale_but_no_label_changes(X, y, weight):
    assert len(y) * weight / 3 > LARGEST_EAGER_WEIGHT
    stream = Stream(X, y.astype(np.int32), strategies.schema(3, [0] * 10))
    quick, slow = labels(stream, np.full(len(y), weight))
    assert np.array_equal(quick, slow)
