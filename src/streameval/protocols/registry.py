"""All protocols by name, and their notation in texts and settings.

A protocol is written as

- a name: ``prequential``;
- a name and values after colons, in the order of the parameters or with their names:
  ``delayed:48``, ``cross_validation:5:tested=held_out``;
- a mapping: ``{name: cross_validation, folds: 5, tested: held_out}``.

To add one, write a module with a subclass of `Protocol` and list it here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from streameval.errors import ConfigError, excerpt, near, plain, some
from streameval.protocols.protocol import Protocol
from streameval.sources import LazyRegistry

#: The protocols by name.
PROTOCOLS: LazyRegistry[type[Protocol]] = LazyRegistry(
    {
        "prequential": "streameval.protocols.prequential:Prequential",
        "delayed": "streameval.protocols.prequential:Delayed",
        "reevaluation": "streameval.protocols.reevaluation:Reevaluation",
        "cross_validation": "streameval.protocols.folds:CrossValidation",
        "split_validation": "streameval.protocols.folds:SplitValidation",
        "bootstrap_validation": "streameval.protocols.folds:BootstrapValidation",
    }
)

#: The protocol of an item or a command that names none.
DEFAULT = "prequential"

_FRACTION = re.compile(r"[0-9]+_[0-9]+")


def parse(setting: Any) -> Protocol:
    """Return the protocol of a text or a mapping.

    Parameters
    ----------
    setting : str, mapping or Protocol
        See the head of this module; the result of ``str()`` of a protocol, ``delayed-48``, is
        accepted too.

    Returns
    -------
    Protocol
        Hashable, and equal to others with the same parameters.

    Raises
    ------
    ConfigError
        If there is no such protocol, or a parameter is unknown, missing or wrong.
    """
    if isinstance(setting, Protocol):
        return setting
    if isinstance(setting, str):
        # The form for file names has neither colons nor dots.
        is_stem = ":" not in setting
        name, *words = (part.strip() for part in setting.split("-" if is_stem else ":"))
        if is_stem:
            words = [
                word.replace("_", ".") if _FRACTION.fullmatch(word) else word for word in words
            ]
        protocol = _find(name)
        return _make(protocol, _arguments(protocol, words))
    if isinstance(setting, Mapping):
        arguments = {str(key): value for key, value in setting.items()}
        if "name" not in arguments:
            raise ConfigError(
                f"Protocol: expected the key name, found {some(arguments) or 'no keys'}. Write "
                "{name: delayed, delay: 48}; the names are " + f"{', '.join(PROTOCOLS)}."
            )
        return _make(_find(arguments.pop("name")), arguments)
    raise ConfigError(
        f"Protocol: expected a name or a mapping, found {excerpt(repr(setting), 60)}. The names "
        f"are {', '.join(PROTOCOLS)}."
    )


def forms() -> list[str]:
    """Return the text form of each protocol, such as ``delayed:DELAY``."""
    return [_form(protocol) for protocol in PROTOCOLS.values()]


def _find(name: Any) -> type[Protocol]:
    if not isinstance(name, str) or name not in PROTOCOLS:
        raise ConfigError(
            f"There is no protocol {plain(name)!r}; there are {', '.join(forms())}. "
            f"{near(str(name), PROTOCOLS)}".rstrip()
        )
    return PROTOCOLS[name]


def _arguments(protocol: type[Protocol], words: list[str]) -> dict[str, str]:
    """Return parameters from texts: values in their order, or ``name=value``."""
    names = iter(declared.name for declared in protocol.parameters())
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        key = name if equals else next(names, None)
        if key is None or key in given:
            raise ConfigError(
                f"Protocol {protocol.name}: "
                + ("too many values" if key is None else f"two values for {plain(key)}")
                + f" in {excerpt(':'.join(words), 60)!r}. Write {_form(protocol)}."
            )
        given[key] = value if equals else word
    return given


def _make(protocol: type[Protocol], arguments: Mapping[str, Any]) -> Protocol:
    """Return a protocol, after a check for unknown and missing parameters."""
    declared = {found.name: found for found in protocol.parameters()}
    for name in arguments:
        if name not in declared:
            raise ConfigError(
                f"Protocol {protocol.name}: unknown key {plain(name)!r}; known are "
                f"{', '.join(declared) or 'none'}. {near(name, declared)}".rstrip(),
                [name],
            )
    for name, found in declared.items():
        if found.is_required and name not in arguments:
            raise ConfigError(
                f"Protocol {protocol.name}: expected a value for {name} ({found.description}), "
                f"found none. Write {_form(protocol)}, or a mapping with the key {name}."
            )
    return protocol(**arguments)


def _form(protocol: type[Protocol]) -> str:
    declared = protocol.parameters()
    words = [f":{p.name.upper()}" if p.is_required else f"[:{p.name.upper()}" for p in declared]
    return protocol.name + "".join(words) + "]" * sum(not p.is_required for p in declared)
