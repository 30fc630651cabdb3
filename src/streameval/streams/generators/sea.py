"""The SEA concepts (Street and Kim, 2001), with the draws of MOA's `SEAGenerator`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.params import Count, Percentage, Seed
from streameval.compiled.java_random import java_random, next_double, next_int
from streameval.compiled.kernels import allocating_kernel
from streameval.streams.generators.generator import Draw, Generator
from streameval.streams.stream import Attribute, Schema

#: Thresholds of x1 + x2 of MOA's functions 1 to 4.
THRESHOLDS = (8.0, 9.0, 7.0, 9.5)

SCHEMA = Schema(tuple(Attribute(f"attrib{i}") for i in (1, 2, 3)), classes=("groupA", "groupB"))


@allocating_kernel
def _fill(
    X: Floats,
    y: Codes,
    random: Integers,
    threshold: float,
    noise: int,
    balance: bool,
    next_label: int,
) -> None:
    for t in range(len(y)):
        label = -1  # none drawn yet
        while label < 0 or (balance and label != next_label):
            for j in range(3):
                X[t, j] = 10.0 * next_double(random)
            label = 0 if X[t, 0] + X[t, 1] <= threshold else 1
        next_label = 1 - next_label
        # Noise comes after balancing, as in MOA, so it may unbalance the labels.
        y[t] = 1 - label if 1 + next_int(random, 100) <= noise else label


@dataclass(frozen=True)
class Sea(Generator):
    """A SEA concept: class 1 if x1 + x2 exceeds a threshold.

    Three numeric attributes, uniform on [0, 10), the third irrelevant; two classes.

    Parameters
    ----------
    function : int
        1 to 4, for the thresholds 8, 9, 7 and 9.5.
    seed : int
        Seed of the instances. The attributes are the same for every function.
    noise : int
        Percentage of the labels that are flipped.
    balance : bool
        Whether classes 1 and 0 alternate (before the noise).

    References
    ----------
    Street, Kim (2001), A streaming ensemble algorithm (SEA) for large-scale classification,
    section 4.2. Draws and order of the thresholds: MOA 24.07, ``generators.SEAGenerator``.
    """

    function: Annotated[Count, Meta(le=len(THRESHOLDS))] = 1
    seed: Seed = 1
    noise: Percentage = 10
    balance: bool = False

    name = "sea"

    def _start(self, n: int) -> Draw:
        random, next_label = java_random(self.seed), 1
        threshold = THRESHOLDS[self.function - 1]
        source = f"SEA generator, function {self.function}, seed {self.seed}, noise {self.noise} %"

        def fill(X: Floats, y: Codes) -> None:
            nonlocal next_label
            _fill(X, y, random, threshold, self.noise, self.balance, next_label)
            next_label = (next_label + len(y)) % 2  # the kernel changes only its own copy

        return self._make_draw(fill, SCHEMA, source)
