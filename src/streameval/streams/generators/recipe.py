"""Recipes: a generator together with its parameters, for streams and parts of streams."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.streams.stream import Stream


@dataclass(frozen=True)
class Generator:
    """The functions of one kind of synthetic stream.

    Parameters
    ----------
    make : callable
        Returns a `Stream`, given the number of instances and the parameters.
    check : callable
        Refuses the parameters that `make` refuses, without any work.
    fresh : callable, optional
        Returns new instances, given the number of instances, times, a seed and the parameters;
        see `Recipe.fresh`. None if the concept never changes: then a stream with another ``seed``
        provides new instances of any time.
    """

    make: Callable[..., Stream]
    check: Callable[..., None]
    fresh: Callable[..., Stream] | None = None


@dataclass(frozen=True)
class Recipe:
    """A generator and its parameters, without the number of instances.

    Parameters
    ----------
    name : str
        The generator's name.
    generator : Generator
        Its functions.
    parameters : mapping
        Its parameters, defaults included.
    """

    name: str
    generator: Generator
    parameters: Mapping[str, Any]

    def check(self, n: int) -> None:
        """Refuse parameters outside their ranges, without generating or compiling anything.

        Raises
        ------
        ConfigError
            If a parameter is outside its range.
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
        """Return new instances of the concepts of the stream at given times.

        Parameters
        ----------
        n : int
            Number of instances of the stream.
        times : ndarray of int64, shape (m,)
            Row numbers of the stream, 0 to `n`, not decreasing; at least one.
        seed : int
            Seed of the new instances, independent of all seeds of the stream.

        Returns
        -------
        Stream
            m instances; the i-th belongs to the concept of row ``times[i]``.

        Raises
        ------
        ConfigError
            If a parameter is outside its range.
        """
        if self.generator.fresh is None:
            return self.generator.make(len(times), **{**self.parameters, "seed": seed})
        return self.generator.fresh(n, times, seed, **self.parameters)
