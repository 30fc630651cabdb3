"""One of each learner of the package, and a short stream on which something happens to it."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

import numpy as np
from naive import learners as naive_classifiers
from naive import regression as naive_regressors

from helpers import numbers
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, TASKS, Task
from streameval.learners.registry import LEARNERS, built_in_learners
from streameval.learners.regression.regressor import Form, MoaRegressor
from streameval.learners.tasks import CLASSIFICATION, REGRESSION
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Stream

#: Values of parameters, by their names, that let something happen on short streams.
EAGER = {
    "alarm_probability": 0.1,
    "alternate_time": 60,
    "change_threshold": 0.3,
    "change_tolerance": 0.0,
    "comparison_period": 10,
    "delta": 0.99,
    "drift_delta": 0.9,
    "drift_level": 1.0,
    "grace_period": 20,
    "k": 3,
    "members": 3,
    "min_instances": 5,
    "own_draws": True,
    "period": 3,
    "split_confidence": 0.5,
    "tie_threshold": 0.5,
    "warning_delta": 0.99,
    "warning_level": 0.5,
    "window": 20,
}


def _eager(cls: Any) -> list[Any]:
    """Learners whose parameters have these values, where they have them, in each form."""
    known = cls.__dataclass_fields__
    values = {name: EAGER[name] for name in known.keys() & EAGER}
    has_forms = issubclass(cls, MoaRegressor)
    forms = [{"form": form} for form in get_args(Form)] if has_forms else [{}]
    return [cls(**values, **form) for form in forms]


CLASSIFIERS = [
    learner for name in built_in_learners(CLASSIFICATION) for learner in _eager(LEARNERS[name])
]
REGRESSORS = [
    learner for name in built_in_learners(REGRESSION) for learner in _eager(LEARNERS[name])
]
EVERY = [*CLASSIFIERS, *REGRESSORS]


def called(learner: Any) -> str:
    """A learner as tests name it, with its form or the learner inside."""
    inside = getattr(getattr(learner, "learner", None), "name", None)
    return "-".join(filter(None, (learner.name, getattr(learner, "form", None), inside)))


def task_of(learner: Any) -> Task:
    """The task of a learner; classification, if it can do both."""
    return TASKS[learner.possible_tasks[0]]


@cache
def _streams() -> tuple[Stream, Stream]:
    return RandomTree(classes=3).stream(600), numbers.friedman(600)


def stream_for(learner: Any) -> Stream:
    """A stream of 600 instances for a learner: of three classes, or of numbers."""
    return _streams()[task_of(learner) is REGRESSION_TASK]


def assert_agrees(learner: Any, stream: Stream, tape: Any, seed: int = 1) -> Any:
    """Compare every prediction and the size at the end with those of the slow twin."""
    naive: Any = naive_classifiers if task_of(learner) is CLASSIFICATION_TASK else naive_regressors
    twin = naive.twin(learner, stream, seed)
    expected = naive.run(twin, stream, tape)
    predictions = learner.run(stream, tape, seed)
    np.testing.assert_array_equal(predictions.predicted, expected)
    assert predictions.size == (twin.size() if hasattr(twin, "size") else {})
    return predictions


def silent_before(learner: Any) -> int:
    """How many rows of a prequential run have no prediction."""
    return {"previous_target": 1, "seasonal": EAGER["period"]}.get(learner.name, 0)
