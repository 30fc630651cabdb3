"""The exact votes equal those of the slow twin, bit for bit."""

from __future__ import annotations

import numpy as np
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import learners as naive

from streameval.compiled.kernels import kernel
from streameval.learners.bayes import class_statistics, engine, exact
from streameval.learners.bayes.naive_bayes import NaiveBayes


@kernel
def write_votes(stats, slot, prior, X, y, w, out):
    """Learn all rows but the last, and write the votes for the last."""
    for t in range(len(y) - 1):
        complete = engine.load_instance(stats, X[t])
        engine.learn_instance(stats, slot, y[t], w[t], X[t], complete, 1.0)
        prior[y[t]] += w[t]
    exact.votes(stats, slot, prior, X[len(y) - 1], out)


def votes(stats, slot, stream, weights):
    k = stream.n_classes
    prior, out = np.zeros(k), np.empty(k)
    write_votes(stats, slot, prior, stream.X, stream.y, weights, out)
    return out


@settings(max_examples=60)
@given(strategies.streams(rows=(2, 40), exponents=(-3, 3)), st.integers(0, 2))
def test_votes_equal_those_of_the_naive_twin_bit_for_bit(stream, slot):
    weights = np.random.default_rng(0).choice([0.5, 1.0, 2.0], len(stream))
    compiled = votes(class_statistics.make(stream.schema, 3), slot, stream, weights)
    model = naive.twin(NaiveBayes(), stream)
    for x, y, w in list(zip(stream.X.tolist(), stream.y.tolist(), weights, strict=True))[:-1]:
        model.learn(x, y, float(w))
    expected = model.votes(stream.X[-1].tolist())
    assert compiled[: len(expected)].tolist() == expected
    assert not compiled[len(expected) :].any()
