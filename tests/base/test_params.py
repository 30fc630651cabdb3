"""Whatever declares its parameters refuses wrong values, each in one message, and takes others."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.declared import least, right, wrong
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import ConfigError
from streameval.base.params import LARGEST, Declared
from streameval.detectors.registry import DETECTORS
from streameval.learners.baselines import NoChange
from streameval.learners.registry import LEARNERS, REGRESSORS
from streameval.learners.regression.baselines import PreviousTarget
from streameval.learners.wrappers.registry import REGRESSOR_WRAPPERS, WRAPPERS
from streameval.protocols.registry import PROTOCOLS
from streameval.streams.generators import GENERATORS
from streameval.streams.generators.sea import Sea

INSIDE = {
    "learner": NoChange(),
    "before": Sea(),
    "after": Sea(2),
    "priors": (0.5, 0.5),
}


def given_of(cls: type[Declared]) -> dict[str, object]:
    inside = INSIDE | ({"learner": PreviousTarget()} if cls in REGRESSOR_WRAPPERS.values() else {})
    if cls.name == "prediction_augmented":
        inside["learner"] = LEARNERS["naive_bayes"]()
    needed = [one.name for one in cls.declared() if one.is_required]
    return least(cls) | {name: inside[name] for name in needed if name in inside}


CLASSES = [
    cls
    for registry in (
        DETECTORS,
        GENERATORS,
        LEARNERS,
        PROTOCOLS,
        REGRESSORS,
        REGRESSOR_WRAPPERS,
        WRAPPERS,
    )
    for cls in registry.values()
]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.name)
def test_wrong_values_are_refused_with_name_and_value(cls):
    usual = given_of(cls)
    assert cls(**usual) == cls(**usual)
    for declared in cls.declared():
        if declared.info is None:
            assert declared.name in (*INSIDE, "detector")
            continue
        for value in wrong(declared):
            with pytest.raises(ConfigError) as refused:
                cls(**usual | {declared.name: value})
            said = str(refused.value)
            assert cls.name in said
            assert f"at {declared.name}" in said
            assert "expected" in said


@st.composite
def objects(draw):
    """An object of any class, with any parameters that fit together, and these."""
    cls = draw(st.sampled_from(CLASSES))
    parameters = given_of(cls)
    for declared in cls.declared():
        if declared.info is not None and draw(st.booleans()):
            parameters[declared.name] = draw(right(declared, most=LARGEST))
    return cls, parameters


@given(objects())
def test_right_values_are_taken_as_they_are(case):
    cls, parameters = case
    try:
        made = cls(**parameters)
    except ConfigError:  # those that are wrong together
        if cls._check_together is Declared._check_together:
            raise
        return
    assert {name: getattr(made, name) for name in parameters} == parameters
    of_numpy = {
        name: np.float64(value) if isinstance(value, float) else value
        for name, value in parameters.items()
    }
    assert cls(**of_numpy) == made
    assert hash(made) == hash(cls(**of_numpy))


def test_numbers_have_the_declared_type():
    forest = LEARNERS["adaptive_random_forest"](mean_weight=6, members=np.int64(3))
    assert type(forest.mean_weight) is float
    assert type(forest.members) is int
    assert LEARNERS["knn"](k="5", window=1e3) == LEARNERS["knn"](k=5, window=1000)


def test_a_message_names_the_words_that_fit():
    with pytest.raises(ConfigError, match=re.escape("'naive_baye'. Did you mean 'naive_bayes'")):
        LEARNERS["hoeffding_tree"](leaf_prediction="naive_baye")
