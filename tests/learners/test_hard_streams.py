"""Classifiers of any parameters predict and grow as their slow twins, on streams of any kind."""

from __future__ import annotations

import pytest
from helpers import strategies
from helpers.every_learner import assert_agrees
from helpers.tree_cases import EAGER, ENSEMBLES
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.learners.baselines import Majority, MovingMajority, NoChange
from streameval.learners.bayes.ddm import DDMNaiveBayes, DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.knn import KNN
from streameval.learners.trees.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streameval.learners.trees.hoeffding_tree import HoeffdingTree, RandomHoeffdingTree

#: By name, classifiers, and the most columns of their streams; detectors raise alarms early.
FAMILIES = {
    "baselines": (
        st.just(NoChange()) | st.just(Majority()) | st.builds(MovingMajority, st.integers(1, 30)),
        {},
    ),
    "knn": (st.builds(KNN, st.integers(1, 40), st.integers(1, 70)), {}),
    "naive_bayes": (st.just(NaiveBayes()), {"columns": 8}),
    "ddm": (
        st.builds(
            lambda min_instances, levels: DDMNaiveBayes(min_instances, *levels),
            st.sampled_from([1, 3, 10, 30]),
            st.sampled_from([(0.1, 0.3), (0.5, 1.0), (1.0, 1.0), (2.0, 3.0)]),
        )
        | st.builds(DDMRandom, st.sampled_from([0.0, 0.03, 0.3, 1.0]), st.sampled_from([1, 5, 30])),
        {},
    ),
    "hoeffding_tree": (st.builds(HoeffdingTree, **EAGER), {}),
    "adaptive_tree": (st.builds(HoeffdingAdaptiveTree, **EAGER, own_draws=st.booleans()), {}),
    "random_tree": (st.builds(RandomHoeffdingTree, **EAGER), {"columns": 18}),
    **ENSEMBLES,
}
#: Powers of ten by which columns are multiplied. Squares of distances overflow earlier.
SCALES = {"knn": [(0, 0), (-5, 5)]}


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=120)
@given(data=st.data(), seed=st.integers(0, 2**31))
def test_each_equals_its_naive_twin(family, data, seed):
    learners, options = FAMILIES[family]
    exponents = data.draw(st.sampled_from(SCALES.get(family, [(0, 0), (-150, 150)])))
    case = data.draw(strategies.cases(rows=(1, 250), exponents=exponents, **options))
    assert_agrees(data.draw(learners), *case, seed)
