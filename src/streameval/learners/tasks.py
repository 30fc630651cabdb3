"""Tasks of learners by name: classification and regression.

`streameval.evaluation.task` says how results of a task are measured and written. It is a module of
its own, so that a study does not train its learners again after an edit of measures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

#: Classification predicts class labels, regression predicts numbers.
TaskName = Literal["classification", "regression"]
#: The tasks of a learner: one task, or both if the target of the stream decides.
Tasks = tuple[TaskName, ...]

CLASSIFICATION: TaskName = "classification"
REGRESSION: TaskName = "regression"
BOTH: Tasks = (CLASSIFICATION, REGRESSION)
#: Noun for the predictions of each task, for messages.
PREDICTION_NOUNS: Mapping[TaskName, str] = {CLASSIFICATION: "classes", REGRESSION: "numbers"}
#: Noun for a learner of each task, for messages.
LEARNER_NOUNS: Mapping[TaskName, str] = {CLASSIFICATION: "classifier", REGRESSION: "regressor"}
#: Id of a learner of each task, as an example in messages.
EXAMPLE_LEARNERS: Mapping[TaskName, str] = {CLASSIFICATION: "naive_bayes", REGRESSION: "fimt_dd"}


class HasClasses(Protocol):
    """A stream or predictions."""

    @property
    def n_classes(self) -> int:
        """Number of declared classes; 0 for regression."""


def task_name(subject: HasClasses) -> TaskName:
    """Task of a stream or of predictions: regression if there are no classes."""
    return CLASSIFICATION if subject.n_classes else REGRESSION


def prediction_noun(tasks: Tasks) -> str:
    """Noun for the predictions of learners of `tasks`: classes, numbers or either."""
    return PREDICTION_NOUNS[tasks[0]] if len(tasks) == 1 else "either"
