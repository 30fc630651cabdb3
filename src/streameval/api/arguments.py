"""Arguments of the public functions and methods: their checks, in one place."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from streameval.base.errors import ConfigError, DataError, excerpt, some, unknown
from streameval.base.values import check_integer
from streameval.streams.stream import Stream

#: More runs say nothing more, and their seeds alone would take minutes.
MOST_RUNS = 10_000


def check_stream(stream: Stream) -> None:
    """Refuse anything but a stream."""
    if not isinstance(stream, Stream):
        raise DataError(
            f"Expected a stream, found {type(stream).__name__} {excerpt(repr(stream), 60)}. Make "
            "one with read(), load(), from_pandas(), from_arrays() or generate()."
        )


def select_names(names: Any, known: Collection[str], what: str) -> list[str]:
    """Checked names as a list; by default all known names.

    `names` is a name, or an iterable of names and of lists of names. `known` are the valid names,
    and `what` is the kind of thing that they name, for messages.

    Raises ConfigError if a value is no name, a name is unknown, or a name occurs twice.
    """
    all_names = list(_flat(names, what))
    for name in all_names:
        if name not in known:
            raise ConfigError(f"There is {unknown(what, name, known)}")
    if twice := [name for name in all_names if all_names.count(name) > 1]:
        raise ConfigError(
            f"Expected each {what} once, found {twice[0]!r} {all_names.count(twice[0])} times. "
            "Leave out all but one."
        )
    return all_names or list(known)


def _flat(names: Any, what: str) -> Iterable[str]:
    if isinstance(names, str):
        yield str(names)
        return
    is_array = isinstance(names, np.ndarray) and names.ndim == 0
    if is_array or not isinstance(names, Iterable) or isinstance(names, Mapping | bytes):
        raise ConfigError(
            f"Expected the name of a {what}, found {type(names).__name__} "
            f"{excerpt(repr(names), 60)}. Give texts, such as 'x', or a list of them."
        )
    for part in names:
        if isinstance(part, list | tuple):
            yield from _flat(part, what)
        elif isinstance(part, str):
            yield str(part)
        else:
            yield from _flat(None if isinstance(part, Iterable) else part, what)


def one_of(name: Any, known: Collection[str], what: str) -> str:
    """Checked single name; see `select_names`."""
    names = select_names([name], known, what)
    if len(names) != 1 or not isinstance(name, str):
        raise ConfigError(
            f"Expected the name of one {what}, found {excerpt(repr(name), 60)}. Known: "
            f"{some(known)}."
        )
    return names[0]


def check_text(value: Any, name: str) -> str:
    """Checked text; a path of `pathlib` is refused.

    Raises ConfigError if the value is no text.
    """
    if not isinstance(value, str):
        raise ConfigError(
            f"{name}: expected a text, found {type(value).__name__} {excerpt(repr(value), 60)}."
        )
    return value


def names_in(value: Any, name: str) -> list[Any]:
    """List of one value or of several; an array of one value is one.

    Raises ConfigError if the value is neither a text nor a list of values.
    """
    if isinstance(value, str):
        return [value]
    if isinstance(value, np.ndarray) and value.ndim:
        return [*value.tolist()]
    if isinstance(value, Iterable) and not isinstance(value, Mapping | bytes | np.ndarray):
        return list(value)
    raise ConfigError(
        f"{name}: expected a text, or a list of several, found {type(value).__name__} "
        f"{excerpt(repr(value), 60)}."
    )


def workers_of(cores: Any) -> int:
    """Number of models that run side by side; by default the number of processors."""
    return (os.cpu_count() or 1) if cores is None else check_integer(cores, "cores")
