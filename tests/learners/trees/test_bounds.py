"""Rough gains never deny a split that the exact ones allow, and are close to them."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import statistics as naive
from test_splitting import learn, suggest

from streameval.compiled.kernels import kernel
from streameval.learners.bayes import class_statistics
from streameval.learners.trees import bounds, splitting
from streameval.streams.generators.random_rbf import RandomRbf
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Stream


@kernel
def largest_lead(stats, before, binary_only, scratch):
    return bounds.largest_lead(stats, 0, before, -np.inf, binary_only, scratch)


def learnt(stream, weight):
    """Statistics of a leaf after a stream, and the entropy of its classes."""
    stats = class_statistics.make(stream.schema, 1)
    learn(stats, 0, stream.X, stream.y, weight)
    prior = np.bincount(stream.y, weight, stream.n_classes)
    return stats, naive.entropy(prior)


def exact_lead(stats, before, binary_only, scratch):
    """Gain of the best attribute less that of the second best."""
    merits = [-np.inf, -np.inf]
    for attribute in range(len(stats.position)):
        candidate = suggest(stats, 0, attribute, before, binary_only, scratch)
        merits.append(-np.inf if np.isnan(candidate.merit) else candidate.merit)
    second, best = sorted(merits)[-2:]
    return best - second if second > -np.inf else np.inf


def leads(stream, weight, binary_only=False):
    stats, before = learnt(stream, weight)
    scratch = splitting.make_branch_weights(stream.schema)
    arguments = stats, before, binary_only, scratch
    return largest_lead(*arguments), exact_lead(*arguments)


@settings(max_examples=100)
@given(
    strategies.streams(rows=(1, 120), exponents=(-12, 12)),
    st.integers(0, 2**32 - 1),
    st.booleans(),
)
def test_it_is_never_less_than_the_exact_lead(stream, seed, binary_only):
    weight = np.random.default_rng(seed).choice([0.5, 1.0, 2.0, 7.0], len(stream))
    rough, exact = leads(stream, weight, binary_only)
    assert rough >= exact - 1e-12


def test_values_that_weigh_no_more_than_one_have_no_deviation():
    X = np.array([[1.0, 10], [0, 2], [2, 6], [4, 1], [0, 7], [2, 3]])
    stream = Stream(X, np.array([1, 1, 1, 1, 0, 0]), strategies.schema(2, [0, 0]))
    rough, exact = leads(stream, np.full(6, 0.5))
    assert rough >= exact > 0.08


@pytest.mark.parametrize("make", [RandomRbf, RandomTree])
@pytest.mark.parametrize("classes", [2, 5])
def test_it_is_close_to_the_exact_lead(make, classes):
    for n in (200, 1000, 5000):
        rough, exact = leads(make(classes=classes).stream(n), np.ones(n))
        assert exact <= rough <= exact + 3 * bounds.GAIN_ERROR


@pytest.mark.parametrize("offset", [-30.0, -3.0, -0.01, 0.0, 2.0, 40.0])
def test_it_is_close_for_classes_far_apart_and_near(offset):
    # Two attributes that tell the classes apart, by different distances.
    stream = RandomRbf().stream(2000)
    X = stream.X + np.outer(stream.y, np.arange(10) * offset)
    moved = type(stream)(X, stream.y, stream.schema)
    rough, exact = leads(moved, np.ones(len(X)))
    assert exact <= rough <= exact + 3 * bounds.GAIN_ERROR


def test_where_nothing_can_be_told_it_is_infinite():
    # Denser than rounding allows, and cuts that rounding may join.
    stream = RandomRbf().stream(300)
    for X in (stream.X * 1e-9, 1e12 + stream.X):
        rough, _ = leads(type(stream)(X, stream.y, stream.schema), np.ones(300))
        assert rough == np.inf
