"""Wrappers by name, for the command line and for configurations."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from streameval.errors import ConfigError, excerpt, near, some
from streameval.sources import LazyRegistry

if TYPE_CHECKING:
    from streameval.learners.learner import Learner

#: The wrappers by name. The first field of each is the learner inside.
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

#: How boolean parameters are written.
_FLAGS = {"0": False, "1": True}


def wrapped(learner: Learner, text: str | None) -> Learner:
    """Return a learner in the wrapper that a text specifies.

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
    name, *words = text.split(":")
    if name not in WRAPPERS:
        raise ConfigError(
            f"There is no wrapper {excerpt(name)!r}; there are {some(forms())}. "
            f"{near(name, WRAPPERS)}".rstrip()
        )
    parameters = _parameters(name)
    if len(words) > len(parameters):
        raise ConfigError(
            f"Wrapper {text!r}: expected at most {len(parameters)} parameters, found "
            f"{len(words)}. Write {_form(name)}."
        )
    values: dict[str, Any] = {"learner": learner}
    for parameter, word in zip(parameters, words, strict=False):
        values[parameter.name] = _value(parameter, word, text)
    return WRAPPERS[name](**values)


def forms() -> list[str]:
    """Return how each wrapper is written, such as ``temporal_correction[:SMOOTHING[:LAGS]]``."""
    return [_form(name) for name in WRAPPERS]


def _form(name: str) -> str:
    words = [parameter.name.upper() for parameter in _parameters(name)]
    return name + "".join(f"[:{word}" for word in words) + "]" * len(words)


def _parameters(name: str) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(WRAPPERS[name])[1:]  # type: ignore[arg-type]


def _value(parameter: dataclasses.Field[Any], word: str, text: str) -> object:
    kind: Any = type(parameter.default)
    try:
        return _FLAGS[word] if kind is bool else kind(word)
    except (KeyError, ValueError) as error:
        expected = {int: "a whole number", float: "a number", bool: "0 or 1"}[kind]
        raise ConfigError(
            f"Wrapper {text!r}: expected {expected} for {parameter.name}, found {word!r}."
        ) from error
