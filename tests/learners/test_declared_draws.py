"""Whether learners depend on the seed of a run is declared, and the seed of a row is kept."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.every_learner import EVERY, stream_for

from streameval.base.errors import ConfigError
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.ensembles.bagging import OnlineBagging
from streameval.learners.registry import (
    RANDOMISED_LEARNERS,
    LearnerSpec,
    built_in_learners,
)
from streameval.learners.reseeded import Reseeded
from streameval.learners.tasks import CLASSIFICATION, REGRESSION
from streameval.protocols.registry import parse
from streameval.streams.generators.random_tree import RandomTree

TREE = "river.tree.HoeffdingTreeClassifier"


def predicted(learner, seed):
    stream = stream_for(getattr(learner, "learner", learner))
    (tape,) = parse("prequential").tapes(stream)
    return learner.run(stream, tape, seed).predicted


@pytest.mark.parametrize("name", built_in_learners(CLASSIFICATION) + built_in_learners(REGRESSION))
def test_the_seed_matters_to_the_learners_that_are_declared_to_draw_and_to_no_other(name):
    is_random = [
        not np.array_equal(predicted(learner, 1), predicted(learner, 2), equal_nan=True)
        for learner in EVERY
        if learner.name == name
    ]
    assert any(is_random) == (name in RANDOMISED_LEARNERS)


def row(learner, **more):
    return LearnerSpec(id="mine", learner=learner, title="Mine", **more)


class Seeded:
    def __init__(self, seed=1):
        self.seed = seed

    def learn(self, x, y, w):
        """Learn nothing."""

    def predict(self, x):
        return 0


class Plain(Seeded):
    def __init__(self):
        super().__init__()


class Declared(Seeded):
    is_random = False


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (row("naive_bayes"), False),
        (row("random_forest"), True),
        (row("naive_bayes", wrapper="temporal_correction"), False),
        (row("random_forest", wrapper="temporal_correction"), True),
        (row("naive_bayes", wrapper="resetting:adwin"), False),
        (row("naive_bayes", wrapper="resetting:chance"), True),
        (row("hoeffding_adaptive_tree"), False),
        (row("hoeffding_adaptive_tree", wrapper="resetting:chance"), True),
        (row("hoeffding_adaptive_tree", parameters={"own_draws": True}), True),
        (row("predictions_file", parameters={"file": "a.csv"}), False),
        (row("moa", parameters={"learner": "bayes.NaiveBayes"}), False),
        (row("river", parameters={"model": "river.naive_bayes.GaussianNB"}), False),
        (row("river", parameters={"model": "river.forest.ARFClassifier"}), True),
        (row("river", parameters={"model": {"river.forest.ARFClassifier": {"seed": 3}}}), False),
        (
            row(
                "river",
                parameters={
                    "model": [
                        "river.preprocessing.StandardScaler",
                        {"river.ensemble.BaggingClassifier": {"model": TREE}},
                    ]
                },
            ),
            True,
        ),
        (row("sklearn", parameters={"model": "sklearn.naive_bayes.GaussianNB"}), False),
        (row("retrained", parameters={"model": "sklearn.tree.DecisionTreeClassifier"}), True),
        (row(f"{__name__}:Seeded"), True),
        (row(f"{__name__}:Seeded", parameters={"seed": 4}), False),
        (row(f"{__name__}:Plain"), False),
        (row(f"{__name__}:Declared"), False),
        (row("streameval.learners.learner:Learner"), True),
    ],
    ids=str,
)  # fmt: skip
def test_rows_are_random_if_this_is_declared(spec, expected):
    assert spec.is_random is expected


def test_a_class_that_does_not_exist_is_named():
    with pytest.raises(ConfigError, match="no_such"):
        _ = row("no_such:Class").is_random


def test_the_seed_of_a_row_is_that_of_its_first_run_and_later_runs_count_on():
    plain, mine = row("online_bagging").make(), row("online_bagging", seed=7).make()
    assert isinstance(mine, Reseeded)
    assert np.array_equal(predicted(mine, 1), predicted(plain, 7))
    assert np.array_equal(predicted(mine, 3), predicted(plain, 9))
    assert not np.array_equal(predicted(mine, 1), predicted(plain, 1))


def test_a_learner_with_a_seed_of_its_own_is_otherwise_the_same():
    for learner in (OnlineBagging(), NaiveBayes()):
        mine = Reseeded(learner, 3)
        for name in (
            "name",
            "learns",
            "ignores_inputs",
            "one_model_per_entity",
            "uses_class_codes",
        ):
            assert getattr(mine, name) == getattr(learner, name)
        assert mine.possible_tasks == learner.possible_tasks
        stream = RandomTree().stream(200)
        (tape,) = parse("prequential").tapes(stream)
        (segment,) = mine.run_segments(stream, [tape], 1)
        assert np.array_equal(segment.predicted, learner.run(stream, tape, 3).predicted)
        steps = mine.begin(stream, tape, 1)
        steps.advance(len(tape))
        assert np.array_equal(steps.predictions(0.0).predicted, segment.predicted)


def test_rows_without_a_seed_are_as_they_were():
    assert not {"seed", "seeds", "imports"} & row("knn").to_dict().keys()
    spec = row("random_forest", seed=3, seeds=4)
    assert LearnerSpec(**spec.to_dict()) == spec
    assert spec.recipe() == {**row("random_forest").recipe(), "seed": 3}
