"""Wrappers by name, for the command line and for configurations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from streameval.base.errors import ConfigError, excerpt, near, some
from streameval.base.params import form, of_words
from streameval.base.sources import LazyRegistry

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner, Learner
    from streameval.learners.regression.regressor import Regressor

A = TypeVar("A", bound="AnyLearner[Any]")

#: The wrappers of classifiers by name. The first field of each is the learner inside.
WRAPPERS: LazyRegistry[type[Learner]] = LazyRegistry(
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
    }
)

#: Those of regressors.
REGRESSOR_WRAPPERS: LazyRegistry[type[Regressor]] = LazyRegistry(
    {"conformal": "streameval.learners.wrappers.conformal:Conformal"}
)


def wrapped(learner: Learner, text: str | None) -> Learner:
    """Return a classifier in the wrapper that a text specifies.

    Parameters
    ----------
    learner : Learner
        The inner learner.
    text : str, optional
        A name of `WRAPPERS`, and its first parameters behind colons, in the order of the class:
        ``temporally_augmented:2``. Booleans are written 1 or 0. None returns the learner as it
        is.

    Raises
    ------
    ConfigError
        If there is no such wrapper, or a parameter is wrong.
    """
    if text is None:
        return learner
    name = text.partition(":")[0]
    if name in REGRESSOR_WRAPPERS:
        raise ConfigError(
            f"Wrapper {text!r}: expected a learner that predicts numbers, found the classifier "
            f"{learner.name!r}. Choose a regressor, such as fimt_dd; for classifiers there are "
            f"{some(forms())}."
        )
    return _in(WRAPPERS, learner, text)


def wrapped_regressor(learner: Regressor, text: str | None) -> Regressor:
    """Return a regressor in the wrapper that a text specifies; see `wrapped`.

    Raises
    ------
    ConfigError
        See `wrapped`.
    """
    if text is None:
        return learner
    name = text.partition(":")[0]
    if name in WRAPPERS:
        raise ConfigError(
            f"Wrapper {text!r}: expected a learner that predicts classes, found the regressor "
            f"{learner.name!r}, which predicts numbers. For regressors there are "
            f"{some(forms(REGRESSOR_WRAPPERS))}."
        )
    return _in(REGRESSOR_WRAPPERS, learner, text)


def _in(registry: LazyRegistry[type[A]], learner: A, text: str) -> A:
    name, *words = text.split(":")
    if name not in registry:
        raise ConfigError(
            f"There is no wrapper {excerpt(name)!r}; there are {some(forms(registry))}. "
            f"{near(name, registry)}".rstrip()
        )
    wrapper = registry[name]
    try:
        return of_words(wrapper, words, {"learner": learner})
    except ConfigError as error:
        said = str(error).removeprefix(f"{wrapper.called()}: ")
        raise ConfigError(f"Wrapper {text!r}: {said}") from error


def forms(registry: LazyRegistry[Any] = WRAPPERS) -> list[str]:
    """Return how each wrapper is written, such as ``temporal_correction[:SMOOTHING[:LAGS]]``."""
    return [form(wrapper, "learner") for wrapper in registry.values()]
