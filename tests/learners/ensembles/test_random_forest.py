"""Random trees and random forests predict and grow as their slow twins."""

from __future__ import annotations

from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import forest as naive_forest
from naive.generators import JavaRandom
from numba import njit

from streameval.learners.bayes import class_statistics
from streameval.learners.trees import subsets
from streameval.learners.trees.hoeffding_tree import HoeffdingTree, RandomHoeffdingTree
from streameval.protocols.prequential import prequential
from streameval.streams.generators.random_tree import RandomTree


@njit
def draw(state, tree, stats, slot):
    subsets.draw_subset(state, tree, stats, slot)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([0, 0, 3]), min_size=1, max_size=30),
    st.booleans(),
    st.integers(0, 2**48 - 1),
    st.data(),
)
def test_draws_equal_those_of_the_naive_twin(kinds, from_rest, seed, data):
    n = len(kinds)
    count = data.draw(st.integers(1, n))
    state = subsets.make(count, from_rest, n, [5, seed])
    stats = class_statistics.make(strategies.schema(2, kinds), 4, state.n_observed)
    random = JavaRandom(seed)
    twin = naive_forest.from_rest if from_rest else naive_forest.with_rejection
    for slot in (2, 0, 2):
        draw(state, 1, stats, slot)
        expected = sorted(twin(random, n, count))
        assert stats.chosen_attribute[slot].tolist() == expected
        numeric = [a if kinds[a] == 0 else class_statistics.NONE for a in expected]
        lanes = stats.chosen_column[slot].tolist()
        assert lanes[: len(expected)] == numeric
        assert set(lanes[len(expected) :]) <= {class_statistics.NONE}
        nominal = [sum(map(bool, kinds[:a])) for a in expected if kinds[a]]
        chosen = stats.chosen_nominal[slot].tolist()
        assert (
            [j for j in chosen if j != class_statistics.NONE] == nominal == chosen[: len(nominal)]
        )


def test_the_model_is_smaller_than_one_that_observes_all():
    stream = RandomTree(numeric=50, nominal=0).stream(3000)
    tape = prequential(len(stream))
    # One block of eight attributes for each class instead of seven.
    few = RandomHoeffdingTree(10**6)
    all_of_them = HoeffdingTree(10**6).run(stream, tape).model_bytes
    assert few.run(stream, tape).model_bytes < 0.25 * all_of_them
