"""Wrappers by name, for the command line and for configurations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from streameval.base.errors import ConfigError, did_you_mean, excerpt, listing
from streameval.base.params import from_words, syntax_of
from streameval.base.sources import LazyRegistry
from streameval.learners.tasks import EXAMPLE_LEARNERS, LEARNER_NOUNS, PREDICTION_NOUNS, TaskName

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner

#: The wrappers by name. The first field of each class is the inner learner, of the same task.
WRAPPERS: LazyRegistry[type[AnyLearner[Any]]] = LazyRegistry(
    {
        "temporally_augmented": (
            "streameval.learners.wrappers.temporally_augmented:TemporallyAugmented"
        ),
        "temporal_correction": (
            "streameval.learners.wrappers.temporal_correction:TemporalCorrection"
        ),
        "prediction_augmented": (
            "streameval.learners.wrappers.prediction_augmented:PredictionAugmented"
        ),
        "resetting": "streameval.learners.wrappers.resetting:Resetting",
        "conformal": "streameval.learners.wrappers.conformal:Conformal",
    }
)


def wrap_learner(learner: AnyLearner[Any], text: str | None) -> AnyLearner[Any]:
    """Wrap a learner as a text specifies.

    Parameters
    ----------
    learner : AnyLearner
        The inner learner.
    text : str, optional
        A name of `WRAPPERS`, followed by its first parameters in the order of the class, each
        after a colon: ``temporally_augmented:2``. Booleans are written 1 or 0. With None the
        result is the learner itself.

    Raises
    ------
    ConfigError
        If there is no such wrapper, it is for another task, or a parameter is wrong.
    """
    if text is None:
        return learner
    name, *values = text.split(":")
    tasks = learner.possible_tasks
    if name not in WRAPPERS:
        raise ConfigError(
            f"There is no wrapper {excerpt(name)!r}; there are {listing(wrapper_syntax(*tasks))}. "
            f"{did_you_mean(name, wrappers_of(*tasks))}".rstrip()
        )
    wrapper = WRAPPERS[name]
    if not {*tasks} & {*wrapper.tasks}:
        (needed,), (task,) = wrapper.tasks, tasks  # without a common task, both have one task
        raise ConfigError(
            f"Wrapper {text!r}: expected a learner that predicts {PREDICTION_NOUNS[needed]}, found "
            f"the {LEARNER_NOUNS[task]} {learner.name!r}. Choose a {LEARNER_NOUNS[needed]}, such "
            f"as {EXAMPLE_LEARNERS[needed]}; for {LEARNER_NOUNS[task]}s there are "
            f"{listing(wrapper_syntax(*tasks))}."
        )
    try:
        return from_words(wrapper, values, {"learner": learner})
    except ConfigError as error:
        reason = str(error).removeprefix(f"{wrapper.message_name()}: ")
        raise ConfigError(f"Wrapper {text!r}: {reason}") from error


def wrappers_of(*tasks: TaskName) -> list[str]:
    """Names of the wrappers for learners of at least one of these tasks."""
    return [name for name, wrapper in WRAPPERS.items() if {*tasks} & {*wrapper.tasks}]


def wrapper_syntax(*tasks: TaskName) -> list[str]:
    """Syntax of the wrappers for these tasks: ``temporal_correction[:SMOOTHING[:LAGS]]``."""
    return [syntax_of(WRAPPERS[name], "learner") for name in wrappers_of(*tasks)]
