"""Entropy, information gain and the best split of an attribute equal their slow twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import learners as naive_learners
from naive import statistics as naive

from streameval.compiled.kernels import kernel
from streameval.learners.bayes import class_statistics, engine
from streameval.learners.trees import splitting
from streameval.learners.trees.splitting import (
    AT_MOST,
    EACH_VALUE,
    EQUALS,
    BranchWeights,
    SplitCandidate,
)

# Parts have no Python wrappers; these kernels are theirs.


@kernel
def entropy(weights):
    return splitting.entropy(weights)


@kernel
def information_gain(before, after, branches):
    return splitting.information_gain(before, after, branches)


@kernel
def learn(stats, slot, X, y, w):
    for t in range(len(y)):
        complete = engine.load_instance(stats, X[t])
        engine.learn_instance(stats, slot, y[t], w[t], X[t], complete, 1.0)
        engine.observe_extremes(stats, slot, y[t])


@kernel
def suggest(stats, slot, attribute, before, binary_only, scratch):
    return splitting.best_split(stats, slot, attribute, before, binary_only, scratch)


@kernel
def distribute(stats, slot, attribute, test, threshold, branches, out):
    splitting.distribute_weights(stats, slot, attribute, test, threshold, branches, out)


weights = st.one_of(
    st.just(0.0), st.floats(1e-3, 1e6), st.integers(0, 9).map(float), st.floats(-1e-9, 0.0)
)


@given(st.lists(weights, min_size=1, max_size=6))
def test_entropy_equals_its_naive_twin(values):
    assert entropy(np.array(values)) == naive.entropy(values)


@given(st.lists(weights, min_size=1, max_size=4), st.data())
def test_information_gain_equals_its_naive_twin(before, data):
    k = len(before)
    branch = st.lists(weights, min_size=k, max_size=k)
    after = data.draw(st.lists(branch, min_size=1, max_size=5))
    candidate = BranchWeights(np.array(after), np.full(len(after), k), np.zeros(k), np.zeros(k))
    gain = information_gain(naive.entropy(before), candidate, len(after))
    assert gain == naive.information_gain(before, after)


def test_information_gain_by_hand():
    def gain(after):
        return information_gain(
            1.0,
            BranchWeights(np.array(after), np.full(len(after), 2), np.zeros(2), np.zeros(2)),
            len(after),
        )

    assert gain([[8.0, 0.0], [0.0, 8.0]]) == 1.0
    assert gain([[4.0, 4.0], [4.0, 4.0]]) == pytest.approx(0.0, abs=1e-15)
    # One branch of exactly 1 % is too small, one of a little more is not.
    assert gain([[1.0, 0.0], [49.0, 50.0]]) == -math.inf
    assert gain([[1.1, 0.0], [48.9, 50.0]]) > 0
    assert gain([[50.0, 50.0]]) == -math.inf


def leaf(stream, w, slot):
    """The statistics of a leaf in the middle of a pool, and its observers in the twin."""
    stats = class_statistics.make(stream.schema, 3)
    learn(stats, slot, stream.X, stream.y, w)
    twin = naive_learners.Leaf(stream.schema.n_values.tolist(), [])
    for x, y, weight in zip(stream.X.tolist(), stream.y.tolist(), w.tolist(), strict=True):
        twin.learn(x, y, weight)
    return stats, twin.bayes


def as_candidate(proposal, attribute):
    test = proposal.test
    kind, threshold = {
        naive.AtMost: lambda: (AT_MOST, test.cut),
        naive.EachValue: lambda: (EACH_VALUE, 0.0),
        naive.Equals: lambda: (EQUALS, float(test.value)),
    }[type(test)]()
    return SplitCandidate(proposal.merit, attribute, kind, threshold, len(proposal.after))


@settings(max_examples=60)
@given(
    strategies.streams(rows=(1, 80), exponents=(-150, 150)),
    st.booleans(),
    st.integers(0, 2),
    st.sampled_from([[1.0, 3.0], [0.5, 1.0, 2.0], [0.1, 0.9, 1.0]]),
    st.integers(0, 2**32 - 1),
)
def test_suggestions_equal_those_of_the_naive_twin(stream, binary_only, slot, weights, seed):
    w = np.random.default_rng(seed).choice(weights, len(stream))
    stats, twin = leaf(stream, w, slot)
    scratch = splitting.make_branch_weights(stream.schema)
    before = naive.entropy(twin.class_weights)
    for attribute, observer in twin.observers.items():
        candidate = suggest(stats, slot, attribute, before, binary_only, scratch)
        proposal = observer.best_split(twin.class_weights, binary_only)
        if proposal is None:
            assert math.isnan(candidate.merit)
            continue
        assert candidate == as_candidate(proposal, attribute)
        distribute(
            stats,
            slot,
            attribute,
            candidate.test,
            candidate.threshold,
            candidate.branches,
            scratch,
        )
        for branch, expected in enumerate(proposal.after):
            assert scratch.length[branch] == len(expected)
            assert scratch.weight[branch, : len(expected)].tolist() == expected
            assert not scratch.weight[branch, len(expected) :].any()
