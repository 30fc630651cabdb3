"""Whatever declares its parameters refuses wrong values, each in one message, and takes others."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.declared import least, right, wrong
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect
from numba.core.dispatcher import Dispatcher

from streameval.base.errors import ConfigError
from streameval.base.params import LARGEST, Configurable, from_words
from streameval.detectors.registry import DETECTORS
from streameval.learners.adapters.predictions_file import PredictionsFile
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.learners.baselines import NoChange
from streameval.learners.registry import LEARNERS, built_in_learners
from streameval.learners.regression.baselines import PreviousTarget
from streameval.learners.tasks import BOTH, CLASSIFICATION
from streameval.learners.wrappers.registry import WRAPPERS, wrappers_of
from streameval.protocols.registry import PROTOCOLS
from streameval.streams.generators import GENERATORS
from streameval.streams.generators.sea import Sea

INSIDE = {
    "learner": NoChange(),
    "before": Sea(),
    "after": Sea(2),
    "priors": (0.5, 0.5),
}


def given_of(cls: type[Configurable]) -> dict[str, object]:
    inside = INSIDE | ({"learner": PreviousTarget()} if cls is WRAPPERS["conformal"] else {})
    if cls.name == "prediction_augmented":
        inside["learner"] = LEARNERS["naive_bayes"]()
    needed = [declared.name for declared in cls.declared_parameters() if declared.is_required]
    return least(cls) | {name: inside[name] for name in needed if name in inside}


CLASSES = [
    cls
    for registry in (
        DETECTORS,
        GENERATORS,
        {name: LEARNERS[name] for task in BOTH for name in built_in_learners(task)},
        PROTOCOLS,
        WRAPPERS,
    )
    for cls in registry.values()
] + [PredictionsFile]


def in_python(cls, others, name, value):
    return cls(**others, **{name: value})


def as_text(cls, others, name, value):
    return from_words(cls, [f"{name}={value}"], others)


def has_another_text(declared, value):
    """Flags are written 0 and 1, too; whole numbers that no double holds are rounded."""
    if isinstance(declared.info, inspect.StrType):
        return True
    return value in (0, 1) if declared.is_flag else isinstance(value, int) and abs(value) > 2**53


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.name)
def test_wrong_values_are_refused_with_name_and_value_before_any_work(cls, monkeypatch):
    monkeypatch.setattr(Dispatcher, "compile", lambda *_: pytest.fail("compiled"))
    usual = given_of(cls)
    assert cls(**usual) == cls(**usual)
    for declared in cls.declared_parameters():
        if declared.info is None:
            assert declared.name in (*INSIDE, "detector", "table", "index")
            continue
        others = {name: value for name, value in usual.items() if name != declared.name}
        for make in (in_python, as_text):
            for value in wrong(declared.info):
                if make is as_text and has_another_text(declared, value):
                    continue
                with pytest.raises(ConfigError) as refused:
                    make(cls, others, declared.name, value)
                said = str(refused.value)
                assert cls.name in said
                assert f"at {declared.name}" in said
                assert "expected" in said


#: Parameters of which each by itself is right, and what is said of them together.
TOGETHER = [
    ("concept_drift", {"before": "sea"}, "at before: expected a generator .* found 'sea'"),
    ("conformal", {"coverage": 0.99, "window": 98}, "at window: .* at least 99 .* found 98"),
    ("ddm", {"warning_level": 3.0, "drift_level": 2.0}, "drift_level, which is 2.0, found 3.0"),
    ("ddm_nb", {"warning_level": 4.0}, "found warning_level 4.0 and drift_level 3.0"),
    ("eddm", {"warning_level": 0.8, "drift_level": 0.9}, "at drift_level: .*most warning_level"),
    ("hddm_a", {"drift_confidence": 0.1, "warning_confidence": 0.01}, "most warning_confidence"),
    ("hddm_w", {"drift_confidence": 0.1, "warning_confidence": 0.01}, "most warning_confidence"),
    ("hyperplane", {"drifting": 11}, "at drifting: .*attributes, which is 10, found 11"),
    ("kswin", {"recent": 51}, "kswin: .*2 recent <= window, found recent 51 and window 100"),
    ("kswin", {"recent": 3}, "kswin: no two samples of 3 inputs .* at alpha 0.005"),
    ("markov", {"attributes": 2, "nominal": 3}, "at nominal: .*attributes, which is 2, found 3"),
    ("markov", {"persistence": 1.0}, "persistence must lie strictly between"),
    ("partial", {"strategy": "every", "exponent": 0}, "exponent is for random, found 0.0 with"),
    ("partial", {"rules": "paper"}, "rules is for uncertainty, variable_.* the strategy random"),
    ("random_rbf_drift", {"centroids": 5, "drifting": 6}, "at drifting: .*centroids, which is 5"),
    ("random_tree", {"nominal": 0, "numeric": 0}, "an attribute, found nominal and numeric 0"),
    ("random_tree", {"depth": 99}, "a tree of depth 99 would have up to .* nodes"),
    ("rddm", {"warning_level": 3.0, "drift_level": 2.0}, "most drift_level, which is 2.0"),
    ("rddm", {"stored": 100, "longest_concept": 100}, "stored < longest_concept, found stored 100"),
    ("stepd", {"drift_alpha": 0.1, "warning_alpha": 0.01}, "at drift_alpha: .*most warning_alpha"),
]


@pytest.mark.parametrize(("name", "parameters", "message"), TOGETHER)
def test_what_does_not_fit_together_is_refused(name, parameters, message):
    (cls,) = [candidate for candidate in CLASSES if candidate.name == name]
    with pytest.raises(ConfigError, match=message):
        cls(**given_of(cls) | parameters)


def test_all_that_look_at_several_parameters_are_tried():
    looking = {
        cls.name for cls in CLASSES if cls._check_combination is not Configurable._check_combination
    }
    # Wrappers of classifiers look at their learner, each in its way; of a coin any fit together.
    apart = {*wrappers_of(CLASSIFICATION), "ddm_random"}
    assert looking - apart == {name for name, *_ in TOGETHER}


@st.composite
def objects(draw):
    """An object of any class, with any parameters that fit together, and these."""
    cls = draw(st.sampled_from(CLASSES))
    parameters = given_of(cls)
    for declared in cls.declared_parameters():
        if declared.info is not None and draw(st.booleans()):
            parameters[declared.name] = draw(right(declared, most=LARGEST))
    return cls, parameters


@given(objects())
def test_right_values_are_taken_as_they_are(case):
    cls, parameters = case
    try:
        instance = cls(**parameters)
    except ConfigError:  # those that are wrong together
        if cls._check_combination is Configurable._check_combination:
            raise
        return
    # Which instances test a model follows from how they come to folds, where it is not said.
    said = {key: value for key, value in parameters.items() if (key, value) != ("tested", None)}
    assert {name: getattr(instance, name) for name in said} == said
    of_numpy = {
        name: np.float64(value) if isinstance(value, float) else value
        for name, value in parameters.items()
    }
    assert cls(**of_numpy) == instance
    assert hash(instance) == hash(cls(**of_numpy))


def test_numbers_have_the_declared_type():
    forest = LEARNERS["adaptive_random_forest"](mean_weight=6, members=np.int64(3))
    assert type(forest.mean_weight) is float
    assert type(forest.members) is int
    assert LEARNERS["knn"](k="5", window=1e3) == LEARNERS["knn"](k=5, window=1000)


def test_a_message_names_the_words_that_fit():
    with pytest.raises(ConfigError, match=re.escape("'naive_baye'. Did you mean 'naive_bayes'")):
        LEARNERS["hoeffding_tree"](leaf_prediction="naive_baye")


def test_whole_numbers_in_text_are_exact_however_large():
    assert from_words(Sea, ["seed=9007199254740993"]).seed == 2**53 + 1
    assert from_words(Sea, [f"seed={2**63 - 1}"]).seed == 2**63 - 1
    assert from_words(Sea, ["seed=1e3"]).seed == 1000
    for beyond in (str(-(2**63) - 1), "9" * 5000):
        with pytest.raises(ConfigError, match="seed: expected"):
            from_words(Sea, [f"seed={beyond}"])


def test_models_of_other_tools_check_what_they_declare():
    with pytest.raises(ConfigError, match="sklearn: at one_hot: expected true or false"):
        SklearnLearner("sklearn.naive_bayes.BernoulliNB", one_hot="no")
