"""Synthetic streams: MOA's generators with MOA's draws, and our own `markov`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from streameval.errors import ConfigError
from streameval.sources import LazyRegistry
from streameval.streams.generators.recipe import Generator, Recipe
from streameval.streams.stream import Stream

#: Generators by their names in the registry. To add one, write its module and name it here.
GENERATORS: LazyRegistry[Generator] = LazyRegistry(
    {
        "agrawal": "streameval.streams.generators.agrawal:GENERATOR",
        "concept_drift": "streameval.streams.generators.concept_drift:GENERATOR",
        "hyperplane": "streameval.streams.generators.hyperplane:GENERATOR",
        "led": "streameval.streams.generators.led:LED",
        "led_drift": "streameval.streams.generators.led:LED_DRIFT",
        "markov": "streameval.streams.generators.markov:GENERATOR",
        "planes": "streameval.streams.generators.planes:GENERATOR",
        "random_rbf": "streameval.streams.generators.random_rbf:RANDOM_RBF",
        "random_rbf_drift": "streameval.streams.generators.random_rbf:RANDOM_RBF_DRIFT",
        "random_tree": "streameval.streams.generators.random_tree:GENERATOR",
        "sea": "streameval.streams.generators.sea:GENERATOR",
    }
)


def make_recipe(name: str, parameters: Mapping[str, Any]) -> Recipe:
    """Return a generator, chosen by name, together with its parameters.

    Parameters
    ----------
    name : str
        A key of `GENERATORS`.
    parameters : mapping
        The generator's own parameters. A parameter that is itself a stream is a mapping of
        ``generator`` and that generator's parameters.

    Raises
    ------
    ConfigError
        If the generator or a parameter is unknown, or a parameter is missing.
    """
    if not isinstance(name, str) or name not in GENERATORS:
        raise ConfigError(f"Generator: expected one of {', '.join(GENERATORS)}, found {name!r}.")
    _, *known = inspect.signature(GENERATORS[name].make).parameters.values()
    names = ", ".join(p.name for p in known)
    unknown = [str(key) for key in parameters if key not in {p.name for p in known}]
    if unknown:
        raise ConfigError(
            f"Generator {name}: unknown parameter {', '.join(unknown)}. Known: {names}."
        )
    missing = [p.name for p in known if p.default is p.empty and p.name not in parameters]
    if missing:
        raise ConfigError(
            f"Generator {name}: parameter {', '.join(missing)} is missing. Known: {names}."
        )
    given = {key: _part(key, value) for key, value in parameters.items()}
    return Recipe(name, GENERATORS[name], {p.name: p.default for p in known} | given)


def _part(key: str, value: Any) -> Any:
    """Return a parameter's value, or its recipe if it describes a stream."""
    if not isinstance(value, Mapping):
        return value
    if "generator" not in value:
        raise ConfigError(
            f"In {key}: expected a generator and its parameters, such as "
            f"{{generator: sea, function: 2}}, found no key 'generator' in {dict(value)!r}."
        )
    parameters = {name: given for name, given in value.items() if name != "generator"}
    try:
        return make_recipe(value["generator"], parameters)
    except ConfigError as error:
        raise ConfigError(f"In {key}: {error}") from error


def generate(name: str, n: int, /, **parameters: Any) -> Stream:
    """Return `n` instances of a generator, chosen by name.

    Parameters
    ----------
    name : str
        A key of `GENERATORS`.
    n : int
        Number of instances.
    **parameters
        The generator's own parameters; see `make_recipe`.

    Raises
    ------
    ConfigError
        If the generator or a parameter is unknown, a parameter is missing, or outside its
        range.
    """
    return make_recipe(name, parameters).stream(n)
