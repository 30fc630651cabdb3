"""River's drift detectors, and objects that behave like them."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.detectors.alarms import CHANGE, ERRORS, QUIET, WARNING, checked_inputs
from streameval.detectors.detector import Detector
from streameval.errors import ConfigError, DataError, excerpt, near, plain
from streameval.notation import Parameter
from streameval.other_tools import Tool, is_object
from streameval.values import NUMBER

RIVER = Tool("River", "river", seed="seed")
#: Where a class is looked for by its name alone.
_PLACES = ("river.drift", "river.drift.binary")


@dataclass(frozen=True)
class RiverDetector(Detector):
    """A drift detector of River, or one that behaves like them.

    Each input is given to ``update``; then ``drift_detected`` is a change and ``warning_detected``,
    if there is one, a warning. River's detectors of binary inputs take zeros and ones only.

    Parameters
    ----------
    model : str, mapping or object
        What `streameval.other_tools` describes, or a detector itself, which is left alone: each
        run begins with a copy (River's ``clone``). The seed of the run goes to each ``seed`` that
        is not given.
    written : str
        How it is called in tables and messages.

    Raises
    ------
    ConfigError
        If River is not installed, or the description is wrong.

    References
    ----------
    Montiel et al. (2021), River: machine learning for streaming data in Python.
    """

    model: Any = field(hash=False)
    written: str

    name: ClassVar[str] = "river"
    title: ClassVar[str] = "River's detector"
    reference: ClassVar[str] = "Montiel et al. (2021), River"

    def __post_init__(self) -> None:
        model = self._build(seed=1)
        missing = [name for name in ("update", "drift_detected") if not hasattr(model, name)]
        if missing:
            raise ConfigError(
                f"{type(model).__name__} is no drift detector: expected an object with update and "
                "drift_detected, such as river.drift.KSWIN()."
            )

    def __str__(self) -> str:
        return self.written

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return no declarations: River's classes have their own."""
        return ()

    def _build(self, seed: int) -> Any:
        if not is_object(self.model, "drift_detected"):
            return RIVER.build(self.model, seed)
        if not hasattr(self.model, "clone"):
            return deepcopy(self.model)
        is_unseeded = getattr(self.model, "seed", seed) is None
        return self.model.clone({"seed": seed} if is_unseeded else None)

    def _signals(self, x: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
        model = self._build(seed)
        is_binary = _is_binary(model)
        values = checked_inputs(self.written, x, ERRORS).astype(bool) if is_binary else x
        signals = np.full(len(x), QUIET)
        for t, value in enumerate(values.tolist()):
            try:
                model.update(value)
            except Exception as error:
                raise DataError(
                    f"{self.written} could not be updated with {value} at position {t}: "
                    f"{type(error).__name__}: {excerpt(error)}."
                ) from error
            if model.drift_detected:
                signals[t] = CHANGE
            elif getattr(model, "warning_detected", False):
                signals[t] = WARNING
        return signals


def _is_binary(model: Any) -> bool:
    return any(
        cls.__name__ in ("BinaryDriftDetector", "BinaryDriftAndWarningDetector")
        for cls in type(model).__mro__
    )


def river_detector(setting: Any) -> RiverDetector:
    """Return the detector of an object, or of a text such as ``river:KSWIN:alpha=0.01``.

    Raises
    ------
    ConfigError
        If River is not installed, or there is no such class or parameter.
    """
    if not isinstance(setting, str):
        return RiverDetector(setting, f"river:{type(setting).__name__}")
    _, *words = (word.strip() for word in setting.split(":"))
    path, parameters = _path(words[0] if words else ""), {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals or key in parameters:
            raise ConfigError(
                f"Detector {plain(setting)!r}: "
                + (f"two values for {plain(key)}" if equals else f"{plain(word)!r} has no name")
                + ". Write river:KSWIN:alpha=0.01:seed=3."
            )
        parameters[key] = _value(value)
    return RiverDetector({path: parameters}, ":".join(["river", *words]))


def _path(written: str) -> str:
    """Return the dotted path of a class of River."""
    if "." in written:
        return written if written.startswith("river.") else f"river.{written}"
    names = {
        name: place
        for place in _PLACES
        for name, found in vars(RIVER.module(place.removeprefix("river"))).items()
        if hasattr(found, "drift_detected")
    }
    if written not in names:
        raise ConfigError(
            f"River has no detector {plain(written)!r}; it has {', '.join(sorted(names))}. "
            f"{near(written, names)}".rstrip()
        )
    return f"{names[written]}.{written}"


def _value(text: str) -> Any:
    """Return a number, a truth value, or the text itself."""
    if NUMBER.fullmatch(text):
        return float(text) if set(text) & set(".eE") else int(text)
    return {"true": True, "false": False, "none": None}.get(text.lower(), text)
