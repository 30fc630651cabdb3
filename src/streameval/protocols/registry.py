"""All protocols by name; `streameval.base.params` says how they are written.

To add one, write a module with a subclass of `Protocol` and list it here.
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

#: The protocol of an item or a command that names none.
DEFAULT = "prequential"


def parse(setting: Any) -> Protocol:
    """Return the protocol of a text or a mapping.

    Parameters
    ----------
    setting : str, mapping or Protocol
        See `streameval.base.params`; the result of ``str()`` of a protocol, ``delayed-48``, is
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
    found: Protocol = params.parse(
        setting,
        Protocol,  # type: ignore[type-abstract]
        PROTOCOLS,
        "{name: delayed, delay: 48}",
    )
    return found


def forms() -> list[str]:
    """Return the text form of each protocol, such as ``delayed:DELAY``."""
    return [params.form(protocol) for protocol in PROTOCOLS.values()]
