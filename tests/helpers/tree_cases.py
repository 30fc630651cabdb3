"""Trees and ensembles that grow and change early, and a stream on which they do."""

from __future__ import annotations

from typing import get_args

import numpy as np
from hypothesis import strategies as st

from streameval.learners.ensembles.adaptive_random_forest import (
    FORM_DEFAULTS,
    AdaptiveRandomForest,
)
from streameval.learners.ensembles.bagging import LeveragingBagging, OnlineBagging, RandomForest
from streameval.learners.trees.hoeffding_tree import LEAF_PREDICTIONS
from streameval.learners.trees.subsets import SubspaceMode
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Stream

#: Parameters of trees that grow after few instances.
EAGER = {
    "grace_period": st.sampled_from([5, 10, 20, 30]),
    "split_confidence": st.sampled_from([1e-7, 0.05, 0.5, 0.9]),
    "tie_threshold": st.sampled_from([0.0, 0.05, 0.4, 2.0]),
    "binary_splits": st.booleans(),
    "pre_prune": st.booleans(),
    "leaf_prediction": st.sampled_from(LEAF_PREDICTIONS),
}


#: Parameters of an option tree with many options and frequent changes.
EAGER_OPTIONS = {
    "grace_period": 40,
    "split_confidence": 0.05,
    "tie_threshold": 0.1,
    "change_threshold": 1.0,
    "comparison_period": 20,
    "alternate_time": 200,
    "max_trees": 20,
}
#: Parameters of small ensembles of trees that grow after few instances.
SMALL = EAGER | {
    "members": st.integers(1, 4),
    "mean_weight": st.sampled_from([0.3, 1.0, 6.0, 120.0]),
}
#: By name, small ensembles, and the most columns of their streams.
ENSEMBLES = {
    "bagging": (
        st.one_of(
            st.builds(OnlineBagging, **SMALL),
            st.builds(LeveragingBagging, **SMALL, delta=st.sampled_from([0.002, 0.5, 0.99])),
        ),
        {},
    ),
    "random_forest": (st.builds(RandomForest, **SMALL, own_draws=st.booleans()), {"columns": 18}),
    "adaptive_random_forest": (
        st.builds(
            AdaptiveRandomForest,
            **SMALL,
            form=st.sampled_from(list(FORM_DEFAULTS)),
            subspace_mode=st.sampled_from([None, *get_args(SubspaceMode)]),
            subspace=st.sampled_from([1.0, 2.0, 30.0, 60.0]),
            drift_delta=st.sampled_from([None, 0.5, 0.99]),
            warning_delta=st.sampled_from([None, 0.5, 0.99]),
            own_draws=st.booleans(),
            abstains=st.booleans(),
            constant_inputs=st.sampled_from([0, 0, 2]),
        ),
        {"columns": 9},
    ),
}
#: A leveraging bagging that starts members anew all the time.
RESTLESS_BAGGING = LeveragingBagging(20, 0.5, 0.5, members=3, mean_weight=1.0, delta=0.99)
#: Forests whose trees are replaced all the time.
RESTLESS_FORESTS = {
    form: AdaptiveRandomForest(
        200, 0.5, members=3, form=form, drift_delta=0.5, warning_delta=0.9999
    )
    for form in FORM_DEFAULTS
}


def turning(n, classes):
    """A stream whose labels change their meaning, back and forth."""
    stream = RandomTree(classes=classes).stream(n)
    y = (stream.y + np.arange(n) // 300) % classes
    return Stream(stream.X, y, stream.schema)
