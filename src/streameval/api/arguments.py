"""Arguments of the public functions and methods: their checks, in one place."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from streameval.errors import ConfigError, excerpt, some, unknown
from streameval.values import whole

#: More runs say nothing more, and their seeds alone would take minutes.
MOST_RUNS = 10_000


def checked(names: Any, known: Collection[str], what: str) -> list[str]:
    """Return the given names, checked; by default all known names.

    A name, or several, also where a list stands for one of several names, is given; `known` are the
    names that there are, and `what` they name, for messages.

    Raises ConfigError if something else than a name is among them, a name is unknown, or one occurs
    twice.
    """
    found = list(_flat(names, what))
    for name in found:
        if name not in known:
            raise ConfigError(f"There is {unknown(what, name, known)}")
    if twice := [name for name in found if found.count(name) > 1]:
        raise ConfigError(
            f"Expected each {what} once, found {twice[0]!r} {found.count(twice[0])} times. Leave "
            "out all but one."
        )
    return found or list(known)


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
    """Return a single name, checked; see `checked`."""
    found = checked([name], known, what)
    if len(found) != 1 or not isinstance(name, str):
        raise ConfigError(
            f"Expected the name of one {what}, found {excerpt(repr(name), 60)}. Known: "
            f"{some(known)}."
        )
    return found[0]


def text(value: Any, name: str) -> str:
    """Return a text; a path of `pathlib` is none.

    Raises ConfigError if it is something else.
    """
    if not isinstance(value, str):
        raise ConfigError(
            f"{name}: expected a text, found {type(value).__name__} {excerpt(repr(value), 60)}."
        )
    return value


def names_in(given: Any, name: str) -> list[Any]:
    """Return one value, or several, as a list; an array of one is one.

    Raises ConfigError if it is neither a text nor a list of values.
    """
    if isinstance(given, str):
        return [given]
    if isinstance(given, np.ndarray) and given.ndim:
        return [*given.tolist()]
    if isinstance(given, Iterable) and not isinstance(given, Mapping | bytes | np.ndarray):
        return list(given)
    raise ConfigError(
        f"{name}: expected a text, or a list of several, found {type(given).__name__} "
        f"{excerpt(repr(given), 60)}."
    )


def workers_of(cores: Any) -> int:
    """Return how many models run at the same time; by default as many as there are processors."""
    return (os.cpu_count() or 1) if cores is None else whole(cores, "cores")


def weights_of(given: Any, bins: int) -> dict[str, float | Sequence[float]]:
    """Return the weights of bins by name, checked; see `streameval.Result.over_bins`.

    Raises ConfigError if they are not weights of so many bins, or a name is not a text.
    """
    from streameval.items.reevaluation.settings import fault_of_weights

    if not isinstance(given, Mapping):
        raise ConfigError(
            "weights: expected a mapping of names to weights, such as {'early': 0.5}, found "
            f"{type(given).__name__} {excerpt(repr(given), 60)}."
        )
    found = dict[str, float | Sequence[float]]()
    for name, value in given.items():
        try:
            numbers = np.asarray(value, dtype=np.float64)
            of_numbers = np.asarray(value).dtype.kind in "iuf" and numbers.ndim <= 1
        except (TypeError, ValueError, OverflowError):
            of_numbers = False
        if not isinstance(name, str) or not of_numbers:
            raise ConfigError(
                "weights: expected a number, or one for each bin, by a name, found "
                f"{excerpt(repr({name: value}), 60)}."
            )
        found[name] = numbers.tolist()
        if wrong := fault_of_weights(found[name], bins, name):
            raise ConfigError(f"weights, {excerpt(name)}: {wrong}.")
    return found
