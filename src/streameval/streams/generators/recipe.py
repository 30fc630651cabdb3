"""Recipes, a generator together with its parameters, and checks of parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.errors import ConfigError
from streameval.streams.stream import Stream

#: Returns the next instances of a stream, so many of them.
Draw = Callable[[int], Stream]


@dataclass(frozen=True)
class Generator:
    """The functions of one kind of synthetic stream.

    Parameters
    ----------
    make : callable
        Returns a `Stream`, given the number of instances and the parameters.
    check : callable
        Refuses the parameters that `make` refuses, without any work.
    start : callable
        Returns a `Draw` of the instances of `make`, given the same.
    fresh : callable, optional
        Returns new instances, given the number of instances, times, a seed and the parameters;
        see `Recipe.fresh`. None if the concept never changes: then a stream with another ``seed``
        provides new instances of any time.
    """

    make: Callable[..., Stream]
    check: Callable[..., None]
    start: Callable[..., Draw]
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

    def start(self, n: int) -> Draw:
        """Return what draws the first `n` instances in pieces, one behind the other.

        Raises
        ------
        ConfigError
            If a parameter is outside its range.
        """
        return self.generator.start(n, **self.parameters)

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


def check_range(generator: str, low: float, high: float = math.inf, **parameters: Any) -> None:
    """Refuse parameters that are not finite numbers in a closed range.

    Parameters
    ----------
    generator : str
        Name of the generator, for the message.
    low, high : float
        The range.
    **parameters
        The values, by name.

    Raises
    ------
    ConfigError
        If a value is outside the range, or not a finite number.
    """
    wanted = f"at least {low}" if high == math.inf else f"from {low} to {high}"
    for name, value in parameters.items():
        is_number = isinstance(value, int | float | np.integer) and not isinstance(value, bool)
        if not is_number or not low <= value <= high or value == math.inf:
            raise ConfigError(
                f"Generator {generator}: parameter {name} must be a number {wanted}, "
                f"found {value!r}."
            )


def check_integers(generator: str, low: int, high: float = math.inf, **parameters: Any) -> None:
    """Refuse parameters that are not integers in a closed range; see `check_range`."""
    check_range(generator, low, high, **parameters)
    for name, value in parameters.items():
        if not isinstance(value, int | np.integer):
            raise ConfigError(
                f"Generator {generator}: parameter {name} must be an integer, found {value!r}."
            )


def check_seeds(generator: str, **seeds: Any) -> None:
    """Refuse seeds that are not signed 64-bit integers, as Java's are; see `check_range`."""
    check_integers(generator, -(2**63), 2**63 - 1, **seeds)


def check_flags(generator: str, **flags: Any) -> None:
    """Refuse flags that are neither true nor false; see `check_range`."""
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise ConfigError(
                f"Generator {generator}: parameter {name} must be true or false, found {value!r}."
            )
