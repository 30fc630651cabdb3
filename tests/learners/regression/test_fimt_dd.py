"""FIMT-DD: tests of splits and drifts beyond equality with the twin and with MOA."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import numbers
from hypothesis import given
from hypothesis import strategies as st

from streameval.compiled.kernels import kernel
from streameval.learners.regression import search_trees, tree
from streameval.learners.regression.fimt_dd import FimtDD
from streameval.measures.regression import mean_absolute_error
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Attribute, Schema, Stream


@kernel
def fill(trees, x, y, w):
    root = np.int64(search_trees.NONE)
    for t in range(len(x)):
        root = search_trees.insert(trees, root, x[t], y[t], w[t], False)
    return root


@kernel
def best_cut(trees, root, total):
    return search_trees.best_cut(trees, root, np.int64(4), total, False, False)


@kernel
def release(trees, root, nodes):
    search_trees.release(trees, root, nodes)


small = st.integers(-8, 8).map(float)  # sums of squares are exact


@given(rows=st.lists(st.tuples(small, small, st.integers(1, 3)), min_size=1, max_size=60))
def test_the_best_split_is_that_of_all_cuts(rows):
    x, y, w = np.array(rows, dtype=float).T.copy()
    trees = search_trees.make(64)
    root = fill(trees, x, y, w)
    held = trees.counters[search_trees.IN_USE]
    assert held == len(np.unique(x))
    total = np.array([w.sum(), w @ y, w @ y**2])
    split = search_trees.Split(*best_cut(trees, root, total))
    assert split.attribute == 4

    def reduction(cut):
        sides = x <= cut, x > cut
        if min(w[side].sum() for side in sides) < 5:
            return 0.0
        of_sides = [w[side].sum() * variance(y[side], w[side]) for side in sides]
        return variance(y, w) - sum(of_sides) / w.sum()

    merits = [reduction(cut) for cut in np.unique(x)]
    # The kernel rounds a few times, numpy at other places.
    assert split.merit == pytest.approx(max(merits), abs=1e-9)
    assert reduction(split.cut) == pytest.approx(max(merits), abs=1e-9)
    release(trees, root, held)
    assert trees.counters[search_trees.IN_USE] == 0
    again = fill(trees, x, y, w)  # in the nodes that were given back
    assert trees.counters[search_trees.ALLOCATED] == held
    assert search_trees.Split(*best_cut(trees, again, total)) == split


@pytest.mark.parametrize("perceptrons", [False, True])
def test_the_checked_memory_is_that_of_all_nodes(perceptrons, monkeypatch):
    sizes = []
    monkeypatch.setattr(tree, "check_room", lambda size, *texts: sizes.append(size))
    schema = Schema(tuple(Attribute(f"x{j}") for j in range(7)), "y", ())
    pool = tree.make(schema, 100, seeds=[1], observed=5, perceptrons=perceptrons, value_nodes=200)
    trees = (pool.trees.cut, pool.trees.sums, pool.trees.children, pool.trees.parent)
    fields = [getattr(pool, name) for name in tree.NODE_FIELDS]
    assert sizes == [sum(array.nbytes for array in (*fields, *trees))]


def variance(y, w):
    mean = np.average(y, weights=w)
    return np.average((y - mean) ** 2, weights=w)


def errors(learner, stream):
    n = len(stream)
    predictions = learner.run(stream, prequential(n)).value
    return [mean_absolute_error(stream.y[at], predictions[at]) for at in np.split(np.arange(n), 4)]


@pytest.mark.parametrize("regression_tree", [False, True])
def test_a_tree_recovers_from_drift(regression_tree):
    stream = numbers.friedman(20_000)
    options = {"regression_tree": regression_tree, "grace_period": 100, "split_confidence": 0.01}
    watching = errors(FimtDD(**options, change_threshold=10.0), stream)
    blind = errors(FimtDD(**options, change_threshold=1e9), stream)
    assert watching[:2] == blind[:2]
    assert watching[2] < blind[2]


def test_a_linear_target_is_learnt_by_perceptrons_only():
    rng = np.random.default_rng(3)
    X = rng.random((6000, 3))
    stream = Stream(X, X @ [4.0, -2.0, 1.0] + 100.0, numbers.schema([0, 0, 0]))
    model, means = (errors(FimtDD(regression_tree=flag), stream)[-1] for flag in (False, True))
    assert model < 0.1
    assert means > 2 * model


def test_constant_targets_make_no_splits_and_are_predicted():
    X = np.random.default_rng(4).random((8000, 2))
    stream, tape = Stream(X, np.full(8000, 0.1), numbers.schema([0, 0])), prequential(8000)
    predictions = FimtDD().run(stream, tape)
    assert predictions.size["leaves"] == 1
    np.testing.assert_allclose(predictions.value[2:], 0.1)
    # The bound is less than 0.05 from 3224 instances on.
    assert FimtDD(form="moa").run(stream, tape).size["leaves"] > 1


def test_memory_of_discarded_trees_is_used_again():
    stream, tape = numbers.friedman(20_000), prequential(20_000)
    learner = FimtDD(change_threshold=1.0, grace_period=30, split_confidence=0.5)
    predictions = learner.run(stream, tape)
    # Seven values an instance, of 44 bytes each; without reuse all would be kept.
    assert predictions.model_bytes < 20_000 * 7 * 44 / 2
