"""A generator together with its parameters: what streams and parts of streams are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.streams.stream import Stream


@dataclass(frozen=True)
class Generator:
    """How a kind of stream is made.

    Parameters
    ----------
    make : callable
        From the number of instances and the parameters to a `Stream`.
    check : callable
        Refuses what `make` refuses, without any work.
    fresh : callable, optional
        From the number of instances, times, a seed and the parameters to new instances, as
        `Recipe.fresh`. None where the concept never changes: there a stream with another
        parameter ``seed`` is new instances at any time.
    """

    make: Callable[..., Stream]
    check: Callable[..., None]
    fresh: Callable[..., Stream] | None = None


@dataclass(frozen=True)
class Recipe:
    """A generator and all of its parameters but the number of instances.

    Parameters
    ----------
    name : str
        The generator's name.
    generator : Generator
        What makes the stream.
    parameters : mapping
        Its parameters, defaults included.
    """

    name: str
    generator: Generator
    parameters: Mapping[str, Any]

    def check(self, n: int) -> None:
        """Refuse parameters outside their ranges; nothing is generated or compiled.

        Raises
        ------
        ConfigError
            If there is one.
        """
        self.generator.check(n, **self.parameters)

    def stream(self, n: int) -> Stream:
        """Return the first `n` instances.

        Raises
        ------
        ConfigError
            If a parameter is outside its range.
        """
        return self.generator.make(n, **self.parameters)

    def fresh(self, n: int, times: NDArray[np.int64], seed: int) -> Stream:
        """Return new instances of the concepts that the stream has at some times.

        Parameters
        ----------
        n : int
            Number of instances of the stream.
        times : ndarray of int64, shape (m,)
            Row numbers of the stream, 0 to `n`, never decreasing, at least one.
        seed : int
            Seed of the new instances, independent of all seeds of the stream.

        Returns
        -------
        Stream
            m instances: the i-th is of the concept that row ``times[i]`` is drawn from.

        Raises
        ------
        ConfigError
            If a parameter is outside its range.
        """
        if self.generator.fresh is None:
            return self.generator.make(len(times), **{**self.parameters, "seed": seed})
        return self.generator.fresh(n, times, seed, **self.parameters)
