"""Conversion of what YAML was read into to names and to the types of a function."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

import numpy as np

from streameval.errors import ConfigError, excerpt

#: A number in settings and data. `float` accepts more: nan, inf, 1_000, digits of other scripts.
NUMBER = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")


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
    if type(value) is date:  # as Snakemake reads 2008-01-31; `streameval.settings` does not
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
