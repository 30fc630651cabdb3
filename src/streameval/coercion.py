"""Conversion of settings to the types of a schema or a function, where the meaning is clear.

A text is accepted for a list of one text, a whole number for a name, and numbers in any form of
YAML 1.1 or 1.2. The schema checks all other types. For that purpose, non-finite numbers and keys
that are not names are refused here.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np

from streameval.errors import ConfigError, excerpt

#: A number in settings and data. `float` accepts more: nan, inf, 1_000, digits of other scripts.
NUMBER = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
Rules = Mapping[str, Any]


def coerced(content: Any, rules: Rules, place: Sequence[str] = ()) -> Any:
    """Return settings in the form of a schema, where their meaning is clear.

    Parameters
    ----------
    content : object
        Settings read from YAML; they are not changed.
    rules : mapping
        A JSON schema.
    place : sequence of str
        The keys at which `content` stands, for messages.

    Raises
    ------
    ConfigError
        If a number is not finite, or a key is not a name; has its keys.
    """
    return _coerced(content, [rules], rules, [*place])


def _coerced(content: Any, rules: list[Rules], root: Rules, place: list[str]) -> Any:
    rules = [found for rule in rules for found in _applying(rule, root, content)]
    types = {kind for rule in rules for kind in _types(rule)}
    if isinstance(content, Mapping):
        keys = {key: name_of(key, ".".join(place)) for key in content}
        return {
            keys[key]: _coerced(
                value,
                [part for rule in rules if (part := _property(rule, keys[key])) is not None],
                root,
                [*place, keys[key]],
            )
            for key, value in content.items()
        }
    if types == {"array"} and isinstance(content, str | int | float):
        content = [content]
    if isinstance(content, list | tuple):
        inner = [rule["items"] for rule in rules if isinstance(rule.get("items"), Mapping)]
        return [
            _in_list(_coerced(part, inner, root, [*place, str(i)]), inner, root)
            for i, part in enumerate(content)
        ]
    return _scalar(content, types, place)


def _in_list(content: Any, rules: list[Rules], root: Rules) -> Any:
    """Return an item of a list, as a name if it is a whole number in a list of names."""
    types = {t for rule in rules for part in _applying(rule, root, content) for t in _types(part)}
    is_whole = isinstance(content, int) and not isinstance(content, bool)
    return str(content) if is_whole and types == {"string"} else content


def _scalar(content: Any, types: set[str], place: list[str]) -> Any:
    if isinstance(content, str) and types and types <= {"number", "integer"}:
        content = float(content) if NUMBER.fullmatch(content) else content
    if isinstance(content, float) and types & {"number", "integer"}:
        if not math.isfinite(content):
            shown = ".".join(place) or "the top level"
            raise ConfigError(f"at {shown}: expected a finite number, found {content}.", place)
        return int(content) if "integer" in types and content.is_integer() else content
    return content


def _applying(rule: Rules, root: Rules, content: Any) -> Iterator[Rules]:
    """Yield a rule and the rules that it refers to, if they apply to the content."""
    yield rule
    parts = [*rule.get("allOf", ()), *rule.get("anyOf", ())]
    if "$ref" in rule:
        parts.append(root["$defs"][rule["$ref"].removeprefix("#/$defs/")])
    if "if" in rule:
        import jsonschema  # takes long to load, and commands on files need no schema

        holds = jsonschema.Draft202012Validator(rule["if"]).is_valid(content)
        parts.append(rule.get("then" if holds else "else", {}))
    for part in parts:
        yield from _applying(part, root, content)


def _types(rule: Rules) -> list[str]:
    if "enum" in rule:
        return ["string"] if all(isinstance(value, str) for value in rule["enum"]) else []
    kinds = rule.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _property(rule: Rules, key: str) -> Rules | None:
    known = rule.get("properties", {}).get(key, rule.get("additionalProperties"))
    return known if isinstance(known, Mapping) else None


def names_of(values: Any, place: str) -> tuple[str, ...]:
    """Return values as names; a single value counts as a list of one.

    Parameters
    ----------
    values : object
        Texts, or whole numbers.
    place : str
        Their place, for messages.

    Raises
    ------
    ConfigError
        If a value has another type, such as ``no`` without quotes, which YAML reads as false.
    """
    is_list = isinstance(values, Iterable) and not isinstance(values, str | Mapping)
    is_list = is_list and not (isinstance(values, np.ndarray) and values.ndim == 0)
    return tuple(name_of(value, place) for value in (values if is_list else [values]))


def name_of(value: Any, place: str) -> str:
    """Return a value as a name; see `names_of`."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if type(value) is date:  # as Snakemake reads 2008-01-31; `streameval.yaml_files` does not
        return value.isoformat()
    where = f"at {place}: " if place else ""
    hint = " (as YAML reads yes, no, on and off)" if isinstance(value, bool) else ""
    raise ConfigError(
        f"{where}expected a name, found {excerpt(repr(value))}{hint}. If it is a name, write it in "
        "quotes."
    )


def arguments_of(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments in the declared types of a function: texts, lists of texts, flags.

    Parameters
    ----------
    function : callable
        A function with annotated parameters.
    given : mapping
        Arguments, read from YAML, by the names of its parameters.

    Raises
    ------
    ConfigError
        If an argument has another type.
    """
    declared = inspect.signature(function).parameters
    return {name: _argument(name, str(declared[name].annotation), given[name]) for name in given}


def _argument(name: str, annotation: str, value: Any) -> Any:
    if value is None and "None" in annotation:
        return None
    if "[str" in annotation:
        return list(names_of(value, name))
    if annotation.startswith("str"):
        return name_of(value, name)
    return flag_of(value, name) if annotation.startswith("bool") else value


def flag_of(value: Any, place: str) -> bool:
    """Return a truth value, also one of numpy.

    Raises
    ------
    ConfigError
        If it is something else.
    """
    if not isinstance(value, bool | np.bool_):
        raise ConfigError(f"at {place}: expected true or false, found {excerpt(repr(value), 60)}.")
    return bool(value)
