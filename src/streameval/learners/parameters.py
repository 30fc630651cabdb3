"""Learners with other parameters, and the texts that name a learner with parameters.

A text is an id or ``module:Class``, followed by ``:NAME=VALUE`` for each parameter:
``hoeffding_tree:grace_period=50``. ``retrained:CLASS[:EVERY[:WINDOW]]`` is an estimator of
scikit-learn's interface that is retrained from scratch, with its parameters behind it:
``retrained:sklearn.tree.DecisionTreeClassifier:500:max_depth=5``.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from streameval.base.errors import ConfigError, excerpt, some
from streameval.base.other_tools import SKLEARN, find_class
from streameval.base.values import NUMBER
from streameval.learners.registry import LearnerSpec, class_place

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner

RETRAINED = "retrained"
#: The adapters with a model inside, whose parameters can be set, too.
_INSIDE = (RETRAINED, "sklearn", "river")
#: What parameters of the adapters themselves are.
_OWN = ("every", "window", "one_hot", "as_frame")
_CITATION = "Read and Žliobaitė (2022)"
_PARAMETER = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_WORDS = {"true": True, "false": False, "none": None}
_FORM = "retrained:CLASS[:EVERY[:WINDOW]], such as retrained:sklearn.tree.DecisionTreeClassifier"


def split_text(text: str) -> tuple[str, dict[str, str]]:
    """Return the text of a learner without its parameters, and these as they are written.

    Raises
    ------
    ConfigError
        If a parameter occurs twice, or has something else behind it.
    """
    first, *words = text.split(":")
    parameters: dict[str, str] = {}
    for word in words:
        match = _PARAMETER.fullmatch(word)
        if match is None and not parameters:
            first = f"{first}:{word}"
        elif match is None or match[1] in parameters:
            raise ConfigError(
                f"{excerpt(text)}: expected NAME=VALUE, each name once, behind the name of a "
                f"learner, found {excerpt(repr(word), 60)}. For example "
                "hoeffding_tree:grace_period=50."
            )
        else:
            parameters[match[1]] = match[2]
    return first, parameters


def value_of(text: str) -> Any:
    """Return the value of a text: a number, true, false, none, or the text itself."""
    text = text.strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if not NUMBER.fullmatch(text):
        return text
    return int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else float(text)


def words_of(parameters: Mapping[str, Any]) -> str:
    """Return parameters in brackets, as names of learners have them; "" if there are none."""
    words = ", ".join(f"{name}={excerpt(value, 40)}" for name, value in parameters.items())
    return f"({words})" if words else ""


def retrained_row(text: str) -> LearnerSpec:
    """Return the row of ``retrained:CLASS[:EVERY[:WINDOW]]``.

    Raises
    ------
    ConfigError
        If it is written otherwise.
    """
    _, *words = text.split(":")
    if len(words) > 1 and words[1][:1].isupper():  # module:Class
        words[:2] = [".".join(words[:2])]
    path, numbers = (words or [""])[0], words[1:]
    if not path or len(numbers) > 2 or not all(word.isdecimal() for word in numbers):
        raise ConfigError(f"{excerpt(text)}: expected {_FORM}; found another form.")
    schedule = dict(zip(_OWN, map(int, numbers), strict=False))
    name = retrained_name(path.rpartition(".")[2], schedule)
    return LearnerSpec(
        name,
        RETRAINED,
        name,
        {"model": {path: {}}, **schedule},
        citation=_CITATION,
        imports=(path.rpartition(".")[0],),
    )


def class_row(text: str) -> LearnerSpec:
    """Return the row of a class, ``module:Class`` or ``package.Class``: River's, others', or own.

    Raises
    ------
    ConfigError
        If there is no such class.
    """
    module, name = class_place(text)
    cls, path = find_class(module, name, text), f"{module}.{name}"
    for adapter, method in (("river", "learn_one"), ("sklearn", "partial_fit"), ("sklearn", "fit")):
        if hasattr(cls, method):
            return LearnerSpec(text, adapter, text, {"model": {path: {}}}, imports=(module,))
    return LearnerSpec(text, f"{module}:{name}", text)


def retrained_name(model: str, parameters: Mapping[str, Any]) -> str:
    """Return the name of a retrained model with the parameters that are not usual."""
    words = [model, *(f"{name}={value}" for name, value in parameters.items())]
    return f"{RETRAINED}({', '.join(words)})"


def row_with(spec: LearnerSpec, parameters: Mapping[str, Any]) -> LearnerSpec:
    """Return a row of the registry with other parameters, also of the model inside an adapter.

    Its name has them.

    Raises
    ------
    ConfigError
        If the row describes a model inside whose parameters cannot be set.
    """
    if not parameters:
        return spec
    name = named_with(spec.id, parameters)
    if spec.learner not in _INSIDE:
        changed = {**spec.parameters, **parameters}
        return dataclasses.replace(spec, id=name, title=name, parameters=changed)
    outer, inner = _apart(parameters)
    model = spec.parameters["model"]
    if inner:
        model = _described_with(model, inner)
    return dataclasses.replace(
        spec, id=name, title=name, parameters={**spec.parameters, **outer, "model": model}
    )


def learner_with(learner: AnyLearner[Any], parameters: Mapping[str, Any]) -> AnyLearner[Any]:
    """Return a learner with other parameters, also of the model inside an adapter.

    Raises
    ------
    ConfigError
        If it has no such parameter.
    """
    if not parameters:
        return learner
    if learner.name not in _INSIDE:
        return _replaced(learner, parameters)
    outer, inner = _apart(parameters)
    model: Any = getattr(learner, "model")  # noqa: B009, the base class has none
    if inner:
        model = (
            _object_with(model, inner)
            if hasattr(model, "get_params") and not isinstance(model, type)
            else _described_with(model, inner)
        )
    return _replaced(learner, {**outer, "model": model})


def named_with(name: str, parameters: Mapping[str, Any]) -> str:
    """Return the name of a learner with further parameters in its brackets."""
    words = words_of(parameters)
    return f"{name[:-1]}, {words[1:]}" if name.endswith(")") and words else name + words


def _apart(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters of an adapter, and those of the model inside."""
    outer = {name: value for name, value in parameters.items() if name in _OWN}
    return outer, {name: value for name, value in parameters.items() if name not in outer}


def _described_with(model: Any, parameters: Mapping[str, Any]) -> Any:
    """Return the description of a model with other parameters; of a list, of its last step."""
    if isinstance(model, Sequence) and not isinstance(model, str) and model:
        return [*model[:-1], _described_with(model[-1], parameters)]
    if isinstance(model, str):
        return {model: dict(parameters)}
    if isinstance(model, Mapping) and len(model) == 1:
        ((path, arguments),) = model.items()
        if arguments is None or isinstance(arguments, Mapping):
            return {path: {**(arguments or {}), **parameters}}
    raise ConfigError(
        f"{some(parameters)}: expected a model whose parameters can be set, found "
        f"{excerpt(repr(model), 60)}. Give it as a class of its package, or an object with "
        "set_params."
    )


def _object_with(model: Any, parameters: Mapping[str, Any]) -> Any:
    """Return a copy of an estimator of scikit-learn's interface with other parameters."""
    copied = SKLEARN.module(".base").clone(model)
    try:
        return copied.set_params(**parameters)
    except (ValueError, TypeError) as error:
        raise ConfigError(
            f"{type(model).__name__}: unknown parameter {some(parameters)} "
            f"({str(error).partition(chr(10))[0]})."
        ) from error


def _replaced(learner: AnyLearner[Any], parameters: Mapping[str, Any]) -> AnyLearner[Any]:
    fields: Any = dataclasses.fields(learner)
    known = [field.name for field in fields]
    if unknown := [name for name in parameters if name not in known]:
        raise ConfigError(
            f"{learner.name}: unknown parameter {some(unknown)}. It has {some(known)}."
        )
    make: Callable[..., AnyLearner[Any]] = dataclasses.replace
    return make(learner, **parameters)
