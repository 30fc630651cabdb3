"""Learners with changed parameters, and their specification as text.

A specification is an id or ``module:Class``, followed by ``:NAME=VALUE`` for each parameter:
``hoeffding_tree:grace_period=50``. ``retrained:CLASS[:EVERY[:WINDOW]]`` is an estimator with
scikit-learn's interface that is retrained from scratch; its parameters follow:
``retrained:sklearn.tree.DecisionTreeClassifier:500:max_depth=5``.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from streameval.base.errors import ConfigError, excerpt, listing
from streameval.base.other_tools import SKLEARN, find_class
from streameval.base.values import NUMBER
from streameval.learners.registry import LearnerSpec, split_class_path

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner

RETRAINED = "retrained"
#: The adapters with an inner model whose parameters can be set, too.
_WITH_MODEL = (RETRAINED, "sklearn", "river")
#: Parameters of these adapters themselves; all others are parameters of the inner model.
_ADAPTER_PARAMETERS = ("every", "window", "one_hot", "as_frame")
_CITATION = "Read and Žliobaitė (2022)"
_PARAMETER = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_CONSTANTS = {"true": True, "false": False, "none": None}
_FORM = "retrained:CLASS[:EVERY[:WINDOW]], such as retrained:sklearn.tree.DecisionTreeClassifier"


def split_specification(text: str) -> tuple[str, dict[str, str]]:
    """Split a specification into the learner and its parameters, whose values stay texts.

    Raises
    ------
    ConfigError
        If a parameter occurs twice, or is followed by a part without ``=``.
    """
    learner, *parts = text.split(":")
    parameters: dict[str, str] = {}
    for part in parts:
        match = _PARAMETER.fullmatch(part)
        if match is None and not parameters:
            learner = f"{learner}:{part}"  # such as module:Class
        elif match is None or match[1] in parameters:
            raise ConfigError(
                f"{excerpt(text)}: expected NAME=VALUE, each name once, after the name of a "
                f"learner, found {excerpt(repr(part), 60)}. For example "
                "hoeffding_tree:grace_period=50."
            )
        else:
            parameters[match[1]] = match[2]
    return learner, parameters


def parse_value(text: str) -> Any:
    """Value of a text: a number, True, False or None; otherwise the text itself."""
    text = text.strip()
    if text.lower() in _CONSTANTS:
        return _CONSTANTS[text.lower()]
    if not NUMBER.fullmatch(text):
        return text
    return int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else float(text)


def parameters_in_brackets(parameters: Mapping[str, Any]) -> str:
    """Parameters in brackets, for names of learners; "" without parameters."""
    text = ", ".join(f"{name}={excerpt(value, 40)}" for name, value in parameters.items())
    return f"({text})" if text else ""


def retrained_row(text: str) -> LearnerSpec:
    """Registry row of ``retrained:CLASS[:EVERY[:WINDOW]]``.

    Raises
    ------
    ConfigError
        If the text has another form.
    """
    _, *parts = text.split(":")
    if len(parts) > 1 and parts[1][:1].isupper():  # module:Class
        parts[:2] = [".".join(parts[:2])]
    path, numbers = (parts or [""])[0], parts[1:]
    if not path or len(numbers) > 2 or not all(number.isdecimal() for number in numbers):
        raise ConfigError(f"{excerpt(text)}: expected {_FORM}; found another form.")
    schedule = dict(zip(("every", "window"), map(int, numbers), strict=False))
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
    """Registry row of a class of River, scikit-learn or a user, ``module:Class``.

    Raises
    ------
    ConfigError
        If there is no such class.
    """
    module, name = split_class_path(text)
    cls, path = find_class(module, name, text), f"{module}.{name}"
    for adapter, method in (("river", "learn_one"), ("sklearn", "partial_fit"), ("sklearn", "fit")):
        if hasattr(cls, method):
            return LearnerSpec(text, adapter, text, {"model": {path: {}}}, imports=(module,))
    return LearnerSpec(text, f"{module}:{name}", text)


def retrained_name(model: str, parameters: Mapping[str, Any]) -> str:
    """Name of a retrained model; `parameters` contains only values that differ from defaults."""
    parts = [model, *(f"{name}={value}" for name, value in parameters.items())]
    return f"{RETRAINED}({', '.join(parts)})"


def row_with_parameters(spec: LearnerSpec, parameters: Mapping[str, Any]) -> LearnerSpec:
    """Copy of a registry row with changed parameters, which also appear in its name.

    For an adapter, parameters of the inner model can be changed, too.

    Raises
    ------
    ConfigError
        If the parameters of the inner model cannot be set.
    """
    if not parameters:
        return spec
    name = name_with_parameters(spec.id, parameters)
    if spec.learner not in _WITH_MODEL:
        changed = {**spec.parameters, **parameters}
        return dataclasses.replace(spec, id=name, title=name, parameters=changed)
    outer, inner = _split_parameters(parameters)
    model = spec.parameters["model"]
    if inner:
        model = _description_with(model, inner)
    return dataclasses.replace(
        spec, id=name, title=name, parameters={**spec.parameters, **outer, "model": model}
    )


def learner_with_parameters(
    learner: AnyLearner[Any], parameters: Mapping[str, Any]
) -> AnyLearner[Any]:
    """Copy of a learner with changed parameters.

    For an adapter, parameters of the inner model can be changed, too.

    Raises
    ------
    ConfigError
        If neither the learner nor its inner model has such a parameter.
    """
    if not parameters:
        return learner
    if learner.name not in _WITH_MODEL:
        return _replace_parameters(learner, parameters)
    outer, inner = _split_parameters(parameters)
    model: Any = getattr(learner, "model")  # noqa: B009, the base class has none
    if inner:
        model = (
            _object_with(model, inner)
            if hasattr(model, "get_params") and not isinstance(model, type)
            else _description_with(model, inner)
        )
    return _replace_parameters(learner, {**outer, "model": model})


def name_with_parameters(name: str, parameters: Mapping[str, Any]) -> str:
    """Append parameters in brackets to the name of a learner; brackets in the name are extended."""
    brackets = parameters_in_brackets(parameters)
    if name.endswith(")") and brackets:
        return f"{name[:-1]}, {brackets[1:]}"
    return name + brackets


def _split_parameters(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split parameters into the adapter's parameters and the inner model's parameters."""
    outer = {name: value for name, value in parameters.items() if name in _ADAPTER_PARAMETERS}
    return outer, {name: value for name, value in parameters.items() if name not in outer}


def _description_with(model: Any, parameters: Mapping[str, Any]) -> Any:
    """Description of a model with changed parameters; in a list of steps, the last step changes."""
    if isinstance(model, Sequence) and not isinstance(model, str) and model:
        return [*model[:-1], _description_with(model[-1], parameters)]
    if isinstance(model, str):
        return {model: dict(parameters)}
    if isinstance(model, Mapping) and len(model) == 1:
        ((path, arguments),) = model.items()
        if arguments is None or isinstance(arguments, Mapping):
            return {path: {**(arguments or {}), **parameters}}
    raise ConfigError(
        f"{listing(parameters)}: expected a model whose parameters can be set, found "
        f"{excerpt(repr(model), 60)}. Describe the model by a class of its package, or pass an "
        "object with set_params."
    )


def _object_with(model: Any, parameters: Mapping[str, Any]) -> Any:
    """Copy of an estimator of scikit-learn's interface with changed parameters."""
    copied = SKLEARN.module(".base").clone(model)
    try:
        return copied.set_params(**parameters)
    except (ValueError, TypeError) as error:
        first_line = str(error).partition("\n")[0]
        raise ConfigError(
            f"{type(model).__name__}: unknown parameter {listing(parameters)} ({first_line})."
        ) from error


def _replace_parameters(learner: AnyLearner[Any], parameters: Mapping[str, Any]) -> AnyLearner[Any]:
    fields: Any = dataclasses.fields(learner)
    names = [field.name for field in fields]
    if unknown := [name for name in parameters if name not in names]:
        raise ConfigError(
            f"{learner.name}: unknown parameter {listing(unknown)}. It has {listing(names)}."
        )
    replace: Callable[..., AnyLearner[Any]] = dataclasses.replace  # for mypy
    return replace(learner, **parameters)
