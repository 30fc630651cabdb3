"""Tasks of learners by name: classification and regression.

What a task means for results is in `streameval.evaluation.task`. The two modules are apart so that
an edit of how results are written trains no learner again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

#: Classification predicts class labels, regression predicts numbers.
TaskName = Literal["classification", "regression"]
#: The tasks of a learner: one, or both where the target of the stream decides.
Tasks = tuple[TaskName, ...]

CLASSIFICATION: TaskName = "classification"
REGRESSION: TaskName = "regression"
BOTH: Tasks = (CLASSIFICATION, REGRESSION)
#: By task: the word for predictions, the word for a learner, and the id of an example learner.
PREDICTED: Mapping[TaskName, str] = {CLASSIFICATION: "classes", REGRESSION: "numbers"}
KINDS: Mapping[TaskName, str] = {CLASSIFICATION: "classifier", REGRESSION: "regressor"}
EXAMPLES: Mapping[TaskName, str] = {CLASSIFICATION: "naive_bayes", REGRESSION: "fimt_dd"}


class HasClasses(Protocol):
    """A stream or predictions."""

    @property
    def n_classes(self) -> int:
        """Number of declared classes; 0 for regression."""


def task_name(subject: HasClasses) -> TaskName:
    """Task of a stream or of predictions: regression if there are no classes."""
    return CLASSIFICATION if subject.n_classes else REGRESSION


def predicted_words(tasks: Tasks) -> str:
    """Word for the predictions of learners of these tasks: classes, numbers or either."""
    return PREDICTED[tasks[0]] if len(tasks) == 1 else "either"
