"""The `Generator` contract, and the declaration and checks of parameters."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.errors import ConfigError
from streameval.streams.drifts import Drift
from streameval.streams.stream import Schema, Stream

#: Returns the next instances of a stream, so many of them.
Draw = Callable[[int], Stream]


def parameter(default: float, at_least: float, at_most: float = math.inf) -> Any:
    """Declare a parameter of a `Generator` that is a number in a closed range."""
    return field(default=default, metadata={"range": (at_least, at_most)})


@dataclass(frozen=True)
class Generator(ABC):
    """A synthetic stream without its number of instances.

    Subclasses are frozen dataclasses whose fields are the parameters, see `parameter`. All have a
    ``seed``; all seeds are signed integers of 64 bits, as Java's are.
    """

    #: The generator's name in the registry, and that of its streams.
    name: ClassVar[str]

    def check(self, n: int) -> None:
        """Refuse parameters outside their ranges, without generating or compiling anything.

        Raises ConfigError if a parameter, or the number of instances, is outside its range.
        """
        self._check_integers(1, n=n)
        self._check()

    def start(self, n: int) -> Draw:
        """Return what draws the first `n` instances in pieces, one behind the other.

        Raises ConfigError if a parameter is outside its range.
        """
        self.check(n)
        return self._start(n)

    def stream(self, n: int) -> Stream:
        """Return the first `n` instances; see `start`."""
        return self.start(n)(n)

    def fresh(self, n: int, times: NDArray[np.int64], seed: int) -> Stream:
        """Return new instances of the concepts of the stream at given times.

        A generator whose concept changes overrides this: here a stream with another seed provides
        new instances of any time.

        `n` is the number of instances of the stream; `times` are row numbers of it, 0 to `n`, not
        decreasing, at least one. The seed is independent of all seeds of the stream.

        The i-th instance belongs to the concept of row ``times[i]``.

        Raises ConfigError if a parameter is outside its range.
        """
        other: Any = {"seed": seed}
        return replace(self, **other).stream(len(times))

    def drifts(self, n: int) -> tuple[Drift, ...] | None:
        """Return where the concept of the first `n` instances changes.

        None if it changes all the time; by default it never does.
        """
        return ()

    def _check(self) -> None:
        """Refuse parameters outside their ranges; subclasses add what depends on several."""
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name.endswith("seed"):
                self._check_integers(-(2**63), 2**63 - 1, **{one.name: value})
            elif one.type == "bool" and not isinstance(value, bool):
                raise self._refused(one.name, "be true or false", value)
            elif "range" in one.metadata:
                check = self._check_integers if one.type == "int" else self._check_range
                check(*one.metadata["range"], **{one.name: value})

    @abstractmethod
    def _start(self, n: int) -> Draw:
        """Return what draws the stream, whose parameters are checked."""

    def _drawn(
        self, fill: Callable[[NDArray[Any], NDArray[Any]], object], schema: Schema, source: str
    ) -> Draw:
        """Return what draws the stream whose inputs and targets `fill` writes, piece by piece."""
        kind = np.float64 if schema.classes is None else np.int32

        def draw(rows: int) -> Stream:
            X, y = np.empty((rows, schema.n_attributes)), np.empty(rows, kind)
            fill(X, y)
            return Stream(X, y, schema, name=self.name, source=source)

        return draw

    def _check_range(self, low: float, high: float = math.inf, **parameters: Any) -> None:
        """Refuse parameters that are not finite numbers in a closed range."""
        wanted = f"at least {low}" if high == math.inf else f"from {low} to {high}"
        for name, value in parameters.items():
            is_number = isinstance(value, int | float | np.integer) and not isinstance(value, bool)
            if not is_number or not low <= value <= high or value == math.inf:
                raise self._refused(name, f"be a number {wanted}", value)

    def _check_integers(self, low: int, high: float = math.inf, **parameters: Any) -> None:
        """Refuse parameters that are not integers in a closed range."""
        self._check_range(low, high, **parameters)
        for name, value in parameters.items():
            if not isinstance(value, int | np.integer):
                raise self._refused(name, "be an integer", value)

    def _refused(self, name: str, wanted: str, value: Any) -> ConfigError:
        """Return the error about a parameter."""
        return ConfigError(
            f"Generator {self.name}: parameter {name} must {wanted}, found {value!r}."
        )
