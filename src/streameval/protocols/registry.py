"""All protocols by name; `streameval.base.params` defines their notation.

To add a protocol, write a module with a subclass of `Protocol` and list it here.
"""

from __future__ import annotations

from typing import Any

from streameval.base import params
from streameval.base.sources import LazyRegistry
from streameval.protocols.protocol import Protocol

#: The protocols by name.
PROTOCOLS: LazyRegistry[type[Protocol]] = LazyRegistry(
    {
        "prequential": "streameval.protocols.prequential:Prequential",
        "delayed": "streameval.protocols.prequential:Delayed",
        "partial": "streameval.protocols.partial:Partial",
        "reevaluation": "streameval.protocols.reevaluation:Reevaluation",
        "cross_validation": "streameval.protocols.folds:CrossValidation",
        "split_validation": "streameval.protocols.folds:SplitValidation",
        "bootstrap_validation": "streameval.protocols.folds:BootstrapValidation",
    }
)

#: Id of the default protocol of items and commands.
DEFAULT = "prequential"


def parse(setting: Any) -> Protocol:
    """Make a protocol from a text or a mapping.

    Parameters
    ----------
    setting : str, mapping or Protocol
        See `streameval.base.params`. The form for file names, such as ``delayed-48``, is accepted,
        too.

    Returns
    -------
    Protocol
        A hashable protocol, equal to other protocols with the same parameters.

    Raises
    ------
    ConfigError
        If there is no such protocol, or a parameter is unknown, missing or wrong.
    """
    protocol: Protocol = params.parse_setting(
        setting,
        Protocol,  # type: ignore[type-abstract]
        PROTOCOLS,
        example="{name: delayed, delay: 48}",
    )
    return protocol


def protocol_forms() -> list[str]:
    """Text form of each protocol, such as ``delayed:DELAY``."""
    return [params.syntax_of(protocol) for protocol in PROTOCOLS.values()]
