"""A rotating hyperplane (Hulten et al., 2001), with the draws of MOA's `HyperplaneGenerator`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.params import Count, Percentage, Proportion, Seed, Whole
from streameval.compiled.java_random import java_random, next_double, next_int
from streameval.compiled.kernels import allocating_kernel
from streameval.streams.drifts import Drift
from streameval.streams.generators.generator import Draw, Generator
from streameval.streams.stream import Attribute, Schema, Stream


@allocating_kernel
def _draw_weights(random: Integers, attributes: int) -> Floats:
    weight = np.empty(attributes)
    for j in range(attributes):
        weight[j] = next_double(random)
    return weight


@allocating_kernel
def _draw(row: Floats, random: Integers, weight: Floats, noise: int) -> int:
    """Fill a row and return its label."""
    score, total = 0.0, 0.0
    for j in range(len(row)):
        row[j] = next_double(random)
        score += weight[j] * row[j]
        total += weight[j]
    label = 1 if score >= 0.5 * total else 0
    return 1 - label if 1 + next_int(random, 100) <= noise else label  # a percentage, as in MOA


@allocating_kernel
def _move_weights(random: Integers, weight: Floats, step: Floats, reversal: int) -> None:
    """Move the weights by the steps; `reversal` percent of the steps then change their sign."""
    for j in range(len(step)):
        weight[j] += step[j]
        if 1 + next_int(random, 100) <= reversal:
            step[j] = -step[j]


@allocating_kernel
def _fill(
    X: Floats, y: Codes, random: Integers, weight: Floats, step: Floats, noise: int, reversal: int
) -> None:
    for t in range(len(y)):
        y[t] = _draw(X[t], random, weight, noise)
        _move_weights(random, weight, step, reversal)


@allocating_kernel
def _fill_at_times(
    X: Floats,
    y: Codes,
    times: Integers,
    new_random: Integers,
    random: Integers,
    step: Floats,
    noise: int,
    reversal: int,
) -> None:
    weight = _draw_weights(random, X.shape[1])
    # The instances of the stream are drawn, too, since the weights use the same random numbers.
    skipped = np.empty(X.shape[1])
    now = 0
    for i in range(len(y)):
        while now < times[i]:
            _draw(skipped, random, weight, noise)
            _move_weights(random, weight, step, reversal)
            now += 1
        y[i] = _draw(X[i], new_random, weight, noise)


@dataclass(frozen=True)
class Hyperplane(Generator):
    """Classes on the two sides of a rotating hyperplane.

    Instances are of class 1 if the weighted sum of the attributes is at least half the sum of the
    weights. The initial weights are uniform on [0, 1). After each instance the first
    `drifting` weights change by `magnitude`: they increase until their first reversal. Weights are
    not bounded and may become negative. MOA's option for the number of classes is left out, as its
    additional classes never occur.

    Parameters
    ----------
    seed : int
        Seed of the weights and the instances.
    attributes : int
        Number of numeric attributes, uniform on [0, 1), at least 1.
    drifting : int
        Number of weights that move, from the first.
    magnitude : float
        Change of a weight per instance, 0 to 1.
    noise : int
        Percentage of the labels that are flipped.
    reversal : int
        Percentage of the moves after which a weight changes direction.

    References
    ----------
    Hulten, Spencer, Domingos (2001), Mining time-changing data streams. Draws: MOA
    24.07, ``generators.HyperplaneGenerator``.
    """

    seed: Seed = 1
    attributes: Count = 10
    drifting: Whole = 2
    magnitude: Proportion = 0.0
    noise: Percentage = 5
    reversal: Percentage = 10

    name = "hyperplane"

    def _check_combination(self) -> None:
        self._check_at_most("drifting", "attributes")

    def _start(self, n: int) -> Draw:
        random = java_random(self.seed)
        weight = _draw_weights(random, self.attributes)
        return self._make_moving_draw(partial(_fill, random=random, weight=weight))

    def drifts(self, n: int) -> tuple[Drift, ...] | None:
        """See `Generator`."""
        return None if self.magnitude and self.drifting else ()

    def draw_from_concepts(self, n: int, times: Integers, seed: int) -> Stream:
        """Draw new instances of the hyperplane at `times`; see `Generator`."""
        new_random, random = java_random(seed), java_random(self.seed)
        fill = partial(_fill_at_times, times=times, new_random=new_random, random=random)
        return self._make_moving_draw(fill)(len(times))

    def _make_moving_draw(self, fill: Callable[..., None]) -> Draw:
        """Function that draws instances by `fill`, which moves the plane."""
        step = np.full(self.drifting, float(self.magnitude))
        schema = Schema(
            tuple(Attribute(f"att{j + 1}") for j in range(self.attributes)),
            classes=("class1", "class2"),
        )
        movement = f"{self.drifting} weights moving by {self.magnitude}"
        return self._make_draw(
            partial(fill, step=step, noise=self.noise, reversal=self.reversal),
            schema,
            f"hyperplane generator, {movement}, seed {self.seed}",
        )
