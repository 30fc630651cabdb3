"""Synthetic streams: MOA's generators with MOA's draws, and our own `markov`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from streameval.errors import ConfigError
from streameval.streams.generators import markov, random_rbf, random_tree, sea
from streameval.streams.stream import Stream

#: Generators by their names in the registry. Each takes the number of instances first.
GENERATORS: dict[str, Callable[..., Stream]] = {
    "markov": markov.markov,
    "random_rbf": random_rbf.random_rbf,
    "random_tree": random_tree.random_tree,
    "sea": sea.sea,
}


def generate(name: str, n: int, **parameters: Any) -> Stream:
    """Return `n` instances of a generator, chosen by name.

    Parameters
    ----------
    name : str
        A key of `GENERATORS`.
    n : int
        Number of instances.
    **parameters
        The generator's own parameters.

    Raises
    ------
    ConfigError
        If the generator or a parameter is unknown, a parameter is missing, or outside its
        range.
    """
    if name not in GENERATORS:
        raise ConfigError(f"Unknown generator {name!r}. Known: {', '.join(sorted(GENERATORS))}.")
    _, *known = inspect.signature(GENERATORS[name]).parameters.values()
    names = ", ".join(p.name for p in known)
    unknown = sorted(set(parameters) - {p.name for p in known})
    if unknown:
        raise ConfigError(
            f"Generator {name}: unknown parameter {', '.join(unknown)}. Known: {names}."
        )
    missing = [p.name for p in known if p.default is p.empty and p.name not in parameters]
    if missing:
        raise ConfigError(
            f"Generator {name}: parameter {', '.join(missing)} is missing. Known: {names}."
        )
    return GENERATORS[name](n, **parameters)
