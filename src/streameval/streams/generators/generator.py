"""The `Generator` contract."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Integers
from streameval.base.matrices import empty_matrix
from streameval.base.params import Declared
from streameval.base.values import whole
from streameval.streams.drifts import Drift
from streameval.streams.stream import Schema, Stream

#: Returns the next instances of a stream, so many of them.
Draw = Callable[[int], Stream]


@dataclass(frozen=True)
class Generator(Declared, ABC):
    """A synthetic stream without its number of instances.

    Its fields are declared parameters. All have a ``seed``; `name` is that of its streams, too.
    """

    what: ClassVar[str] = "generator"

    def start(self, n: int) -> Draw:
        """Return what draws the first `n` instances, some of them at each call.

        Raises ConfigError if there is none.
        """
        return self._start(whole(n, f"{self.called()}: n"))

    def stream(self, n: int) -> Stream:
        """First `n` instances; see `start`."""
        return self.start(n)(n)

    def fresh(self, n: int, times: Integers, seed: int) -> Stream:
        """New instances of the concepts of the stream's rows `times`, 0 to `n`, in order.

        A generator whose concept changes overrides this: here a stream with another seed provides
        new instances of any time. The seed is independent of all seeds of the stream of `n`
        instances.
        """
        other: Any = {"seed": seed}
        return replace(self, **other).stream(len(times))

    def drifts(self, n: int) -> tuple[Drift, ...] | None:
        """Where the concept of the first `n` instances changes.

        None if it changes all the time; by default it never does.
        """
        return ()

    @abstractmethod
    def _start(self, n: int) -> Draw:
        """Return what draws the stream."""

    def _drawn(
        self, fill: Callable[[NDArray[Any], NDArray[Any]], object], schema: Schema, source: str
    ) -> Draw:
        """Return what draws a stream; `fill` writes inputs and targets of the next instances."""
        kind = np.float64 if schema.classes is None else np.int32

        def draw(rows: int) -> Stream:
            X, y = empty_matrix(rows, schema.n_attributes), np.empty(rows, kind)
            fill(X, y)
            return Stream(X, y, schema, name=self.name, source=source)

        return draw
