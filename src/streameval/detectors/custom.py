"""Custom detectors: objects with ``update`` and ``drift_detected``, as in River."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ClassVar

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import ConfigError, DataError, excerpt, listing
from streameval.detectors.alarms import CHANGE, QUIET, WARNING
from streameval.detectors.detector import Detector, InputReader

#: Members that `CustomDetector` needs, as in messages.
REQUIRED_MEMBERS = {"update": "update(x)", "drift_detected": "drift_detected"}
#: Similar members of other interfaces, such as ``change_detected``.
_SIMILAR = re.compile("add_element|.*(?:drift|change|warning).*|status", re.IGNORECASE)


def check_members(model: Any, detector_names: Iterable[str]) -> None:
    """Check that an object has the methods and attributes that a detector needs.

    `detector_names` are the detectors of the package, for the message.

    Raises
    ------
    ConfigError
        If a member is missing. The message says which, and lists similar members.
    """
    members = dir(model)
    missing = [
        text
        for name, text in REQUIRED_MEMBERS.items()
        # `dir` may miss a member that a wrapper passes on.
        if name not in members and not hasattr(model, name)
    ]
    if not missing:
        return
    similar = [name for name in members if _SIMILAR.fullmatch(name) and name[0] != "_"]
    similar_text = f"; it has {listing(similar)}" if similar else ""
    raise ConfigError(
        "Detector: expected a name, a mapping, or an object with "
        f"{' and '.join(REQUIRED_MEMBERS.values())}, like River's detectors, found "
        f"{excerpt(repr(model), 60)} of type {type(model).__name__}, without "
        f"{' and '.join(missing)}{similar_text}. Write a class that has both. The names are "
        f"{listing(detector_names)}."
    )


@dataclass(frozen=True)
class CustomDetector(Detector):
    """A custom drift detector: an object with ``update`` and ``drift_detected``.

    Each input is passed to ``update``. Then ``drift_detected`` signals a change, and the optional
    ``warning_detected`` a warning. Both may be attributes or methods. Each run uses a copy of the
    object, so the object does not change.
    """

    model: Any = field(hash=False)  # it may not be hashable

    name: ClassVar[str] = "custom"
    title: ClassVar[str] = "Custom detector"
    reference: ClassVar[str] = "none"

    def __str__(self) -> str:
        return type(self.model).__name__

    def _begin(self, seed: int) -> InputReader:
        model, n_read = deepcopy(self.model), 0

        def feed(x: Floats, signals: Integers) -> int:
            nonlocal n_read
            for t, value in enumerate(x.tolist()):
                try:
                    model.update(value)
                    is_warning = _flag(model, "warning_detected")
                    is_change = _flag(model, "drift_detected")
                except Exception as error:
                    raise DataError(
                        f"{self} could not be updated with {value} at position {n_read}: "
                        f"{type(error).__name__}: {excerpt(error)}."
                    ) from error
                n_read += 1
                signals[t] = WARNING if is_warning else QUIET
                if is_change:
                    signals[t] = CHANGE
                    return t + 1
            return len(x)

        return feed


def _flag(model: Any, name: str) -> bool:
    """Value of a boolean attribute, or of a method without arguments; False if it is missing."""
    value = getattr(model, name, False)
    return bool(value() if callable(value) else value)
