"""Two planes with noise (Breiman et al., 1984), a stream with a numeric target."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from streameval.base.arrays import Floats, Integers
from streameval.base.params import NotNegative, Seed
from streameval.compiled.java_random import java_random, next_gaussian, next_int
from streameval.compiled.kernels import allocating_kernel
from streameval.streams.generators.generator import Draw, Generator
from streameval.streams.stream import Attribute, Schema

ATTRIBUTES = 10
SCHEMA = Schema(tuple(Attribute(f"x{j + 1}") for j in range(ATTRIBUTES)), target="y")


@allocating_kernel
def _fill(X: Floats, y: Floats, random: Integers, noise: float) -> None:
    for t in range(len(y)):
        X[t, 0] = 2 * next_int(random, 2) - 1
        for j in range(1, X.shape[1]):
            X[t, j] = next_int(random, 3) - 1
        j = 1 if X[t, 0] > 0.0 else 4  # x2 to x4 or x5 to x7
        plane = 3.0 * X[t, j] + 2.0 * X[t, j + 1] + X[t, j + 2]
        y[t] = plane + 3.0 * X[t, 0] + noise * next_gaussian(random)


@dataclass(frozen=True)
class Planes(Generator):
    """A noisy target on one of two planes, which x1 selects.

    Without noise the target is 3 + 3 x2 + 2 x3 + x4 if x1 is 1, and -3 + 3 x5 + 2 x6 + x7 if x1 is
    -1. Ten numeric attributes: x1 is -1 or 1, all others are -1, 0 or 1; x8 to x10 are irrelevant.

    Parameters
    ----------
    seed : int
        Seed of the instances.
    noise : float
        Standard deviation of the Gaussian noise in the target, at least 0.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and regression trees, Section 8.6,
    where the variance of the noise is 2; also known as 2dplanes.
    """

    seed: Seed = 1
    noise: NotNegative = 1.0

    name = "planes"

    def _start(self, n: int) -> Draw:
        fill = partial(_fill, random=java_random(self.seed), noise=float(self.noise))
        return self._make_draw(fill, SCHEMA, f"two planes, seed {self.seed}, noise {self.noise}")
