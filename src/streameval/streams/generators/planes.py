"""Two planes with noise (Breiman et al., 1984), a stream with a numeric target."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.compiled.java_random import java_random, next_gaussian, next_int
from streameval.compiled.kernels import generating
from streameval.streams.generators.recipe import (
    Draw,
    Generator,
    check_integers,
    check_range,
    check_seeds,
)
from streameval.streams.stream import Attribute, Schema, Stream

ATTRIBUTES = 10
SCHEMA = Schema(tuple(Attribute(f"x{j + 1}") for j in range(ATTRIBUTES)), target="y")


@generating
def _fill(
    X: NDArray[np.float64], y: NDArray[np.float64], random: NDArray[np.int64], noise: float
) -> None:
    for t in range(len(y)):
        X[t, 0] = 2 * next_int(random, 2) - 1
        for j in range(1, X.shape[1]):
            X[t, j] = next_int(random, 3) - 1
        first = 1 if X[t, 0] > 0.0 else 4
        plane = 3.0 * X[t, first] + 2.0 * X[t, first + 1] + X[t, first + 2]
        y[t] = plane + 3.0 * X[t, 0] + noise * next_gaussian(random)


def check(n: int, seed: int, noise: float) -> None:
    """Refuse parameters outside their ranges; see `planes`."""
    check_integers("planes", 1, n=n)
    check_range("planes", 0, noise=noise)
    check_seeds("planes", seed=seed)


def planes(n: int, seed: int = 1, noise: float = 1.0) -> Stream:
    """Return a stream whose target is one of two planes, which x1 chooses, and noise.

    It is 3 + 3 x2 + 2 x3 + x4 where x1 is 1, and -3 + 3 x5 + 2 x6 + x7 where x1 is -1.

    Parameters
    ----------
    n : int
        Number of instances, at least 1.
    seed : int
        Seed of the instances.
    noise : float
        Standard deviation of what is added to the target, at least 0.

    Returns
    -------
    Stream
        Ten numeric attributes: x1 is -1 or 1, all others are -1, 0 or 1, x8 to x10 irrelevant; a
        numeric target.

    Raises
    ------
    ConfigError
        If a parameter is outside its range.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and regression trees, Section 8.6,
    where the variance of the noise is 2; also known as 2dplanes.
    """
    return start(n, seed, noise)(n)


def start(n: int, seed: int, noise: float) -> Draw:
    """Return what draws the stream of `planes` in pieces."""
    check(n, seed, noise)
    random, source = java_random(seed), f"two planes, seed {seed}, noise {noise}"

    def draw(rows: int) -> Stream:
        X, y = np.empty((rows, ATTRIBUTES)), np.empty(rows)
        _fill(X, y, random, float(noise))
        return Stream(X, y, SCHEMA, name="planes", source=source)

    return draw


#: What the registry has.
GENERATOR = Generator(planes, check, start)
