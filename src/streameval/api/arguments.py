"""Arguments of the public functions and methods: their checks, in one place."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from streameval.base.errors import ConfigError, DataError, excerpt, listing, unknown_name_text
from streameval.base.values import check_integer
from streameval.streams.stream import Stream

#: Upper limit of the number of runs. More runs add no information, and
#: computing their seeds alone takes minutes.
MAX_RUNS = 10_000


def check_stream(stream: Stream) -> None:
    """Raise DataError if the value is not a stream."""
    if not isinstance(stream, Stream):
        raise DataError(
            f"Expected a stream, found {type(stream).__name__} {excerpt(repr(stream), 60)}. Make "
            "one with read(), load(), from_pandas(), from_arrays() or generate()."
        )


def select_names(names: Any, valid_names: Collection[str], kind: str) -> list[str]:
    """Checked names as a list; all valid names if `names` is empty.

    `names` is a name, or an iterable of names and of lists of names. `kind` is what the names stand
    for, such as "learner", for messages.

    Raises ConfigError if a value is no text, a name is unknown, or a name occurs twice.
    """
    selected = list(_flatten(names, kind))
    for name in selected:
        if name not in valid_names:
            raise ConfigError(f"There is {unknown_name_text(kind, name, valid_names)}")
    if repeated := [name for name in selected if selected.count(name) > 1]:
        raise ConfigError(
            f"Expected each {kind} once, found {repeated[0]!r} {selected.count(repeated[0])} "
            "times. Leave out all but one."
        )
    return selected or list(valid_names)


def _flatten(names: Any, kind: str) -> Iterable[str]:
    if isinstance(names, str):
        yield str(names)  # NumPy's texts become plain texts
        return
    is_scalar_array = isinstance(names, np.ndarray) and names.ndim == 0
    if is_scalar_array or not isinstance(names, Iterable) or isinstance(names, Mapping | bytes):
        raise _not_a_name(names, kind)
    for part in names:
        if isinstance(part, str | list | tuple):
            yield from _flatten(part, kind)
        else:
            raise _not_a_name(part, kind)


def _not_a_name(value: Any, kind: str) -> ConfigError:
    return ConfigError(
        f"Expected the name of a {kind}, found {type(value).__name__} "
        f"{excerpt(repr(value), 60)}. Give texts, such as 'x', or a list of them."
    )


def select_name(name: Any, valid_names: Collection[str], kind: str) -> str:
    """Checked single name; see `select_names`."""
    names = select_names([name], valid_names, kind)
    # `select_names` also accepts lists.
    if len(names) != 1 or not isinstance(name, str):
        raise ConfigError(
            f"Expected the name of one {kind}, found {excerpt(repr(name), 60)}. Known: "
            f"{listing(valid_names)}."
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


def as_list(value: Any, name: str) -> list[Any]:
    """Values of an argument that is a text, or a list or array of values.

    Raises ConfigError if the value is neither a text nor a list of values.
    """
    if isinstance(value, str):
        return [value]
    if isinstance(value, np.ndarray) and value.ndim:
        return [*value.tolist()]
    if isinstance(value, Iterable) and not isinstance(value, Mapping | bytes | np.ndarray):
        return list(value)
    raise ConfigError(
        f"{name}: expected a text, or a list of values, found {type(value).__name__} "
        f"{excerpt(repr(value), 60)}."
    )


def number_of_workers(cores: Any) -> int:
    """Number of models that run side by side; by default the number of processors."""
    return (os.cpu_count() or 1) if cores is None else check_integer(cores, "cores")
