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
from streameval.base.params import Configurable
from streameval.base.values import check_integer
from streameval.streams.drifts import Drift
from streameval.streams.stream import Schema, Stream

#: Function that returns the next instances of a stream; its argument is their number.
Draw = Callable[[int], Stream]


@dataclass(frozen=True)
class Generator(Configurable, ABC):
    """Base class of generators of synthetic streams of any length.

    The fields are declared parameters. All generators have a ``seed``. Streams get the generator's
    `name`.
    """

    #: Kind of object, for messages.
    noun: ClassVar[str] = "generator"

    def start(self, n: int) -> Draw:
        """Function that draws the first `n` instances, in one call or several.

        Raises ConfigError if the generator cannot make a stream of `n` instances.
        """
        return self._start(check_integer(n, f"{self.message_name()}: n"))

    def stream(self, n: int) -> Stream:
        """First `n` instances; see `start`."""
        return self.start(n)(n)

    def draw_from_concepts(self, n: int, times: Integers, seed: int) -> Stream:
        """Draw new instances from past concepts, in order.

        Row i of the result has the concept that held at row times[i] of the stream of `n`
        instances. Here the concept is constant; generators whose concept changes override this.
        The caller chooses a seed that is independent of the seeds of the stream.
        """
        changes: Any = {"seed": seed}  # a mapping, since this class does not declare `seed`
        return replace(self, **changes).stream(len(times))

    def drifts(self, n: int) -> tuple[Drift, ...] | None:
        """Drifts among the first `n` instances, by default (); None if concepts always change."""
        return ()

    @abstractmethod
    def _start(self, n: int) -> Draw:
        """Function that draws the first `n` instances; see `start`."""

    def _make_draw(
        self, fill: Callable[[NDArray[Any], NDArray[Any]], object], schema: Schema, source: str
    ) -> Draw:
        """Function that draws the next instances.

        `fill` writes their inputs and targets into two arrays.
        """
        dtype = np.float64 if schema.classes is None else np.int32

        def draw(rows: int) -> Stream:
            X, y = empty_matrix(rows, schema.n_attributes), np.empty(rows, dtype)
            fill(X, y)
            return Stream(X, y, schema, name=self.name, source=source)

        return draw
