"""Synthetic streams: MOA's generators with MOA's random numbers, and `markov`, which is ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from streameval.base.errors import ConfigError, error_prefix
from streameval.base.sources import LazyRegistry
from streameval.streams.generators.generator import Generator
from streameval.streams.stream import Stream

#: Generators by their names in the registry. To add one, write its module and name it here.
GENERATORS: LazyRegistry[type[Generator]] = LazyRegistry(
    {
        "agrawal": "streameval.streams.generators.agrawal:Agrawal",
        "concept_drift": "streameval.streams.generators.concept_drift:ConceptDrift",
        "hyperplane": "streameval.streams.generators.hyperplane:Hyperplane",
        "led": "streameval.streams.generators.led:Led",
        "led_drift": "streameval.streams.generators.led:LedDrift",
        "markov": "streameval.streams.generators.markov:Markov",
        "planes": "streameval.streams.generators.planes:Planes",
        "random_rbf": "streameval.streams.generators.random_rbf:RandomRbf",
        "random_rbf_drift": "streameval.streams.generators.random_rbf:RandomRbfDrift",
        "random_tree": "streameval.streams.generators.random_tree:RandomTree",
        "sea": "streameval.streams.generators.sea:Sea",
    }
)


def make_generator(name: str, parameters: Mapping[str, Any]) -> Generator:
    """Generator, chosen by name, with its parameters.

    A parameter that is itself a generator is a mapping of ``generator`` and its parameters.
    """
    if not isinstance(name, str) or name not in GENERATORS:
        raise ConfigError(f"Generator: expected one of {', '.join(GENERATORS)}, found {name!r}.")
    defaults = {parameter.name: parameter.default for parameter in fields(GENERATORS[name])}
    names = ", ".join(defaults)
    unknown = [str(key) for key in parameters if key not in defaults]
    if unknown:
        raise ConfigError(
            f"Generator {name}: unknown parameter {', '.join(unknown)}. Known: {names}."
        )
    missing = [key for key in defaults if defaults[key] is MISSING and key not in parameters]
    if missing:
        raise ConfigError(
            f"Generator {name}: parameter {', '.join(missing)} is missing. Known: {names}."
        )
    return GENERATORS[name](**{key: _argument(key, value) for key, value in parameters.items()})


def _argument(key: str, value: Any) -> Any:
    """Value of a parameter, or the generator that the value describes."""
    if not isinstance(value, Mapping):
        return value
    if "generator" not in value:
        raise ConfigError(
            f"In {key}: expected a generator and its parameters, such as "
            f"{{generator: sea, function: 2}}, found no key 'generator' in {dict(value)!r}."
        )
    parameters = {name: argument for name, argument in value.items() if name != "generator"}
    with error_prefix(f"In {key}"):
        return make_generator(value["generator"], parameters)


def generate_instances(name: str, n: int, /, **parameters: Any) -> Stream:
    """Generate `n` instances by the generator called `name`; see `make_generator`."""
    return make_generator(name, parameters).stream(n)
