"""Clouds around fixed or moving random centres, with the draws of MOA's generators.

Fixed clouds are as in `RandomRBFGenerator`, moving clouds as in `RandomRBFGeneratorDrift`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np
from msgspec import Meta

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.params import Count, NotNegative, Seed, Whole
from streameval.compiled import lanes
from streameval.compiled.instructions import count_ones
from streameval.compiled.java_random import java_random, next_double, next_gaussian, next_int
from streameval.compiled.kernels import allocating_kernel, inlined, kernel
from streameval.compiled.lanes import WIDTH
from streameval.streams.drifts import Drift
from streameval.streams.generators.generator import Draw, Generator
from streameval.streams.stream import Attribute, Schema, Stream


class Clouds(NamedTuple):
    """Parameters of c clouds in m dimensions."""

    centre: Floats  # (c, m)
    label: Codes  # (c,)
    deviation: Floats  # (c,)
    cumulative_weight: Floats  # padded with infinities, as `WIDTH` are compared at once


@allocating_kernel
def _draw_cloud_parameters(
    random: Integers, centroids: int, attributes: int, classes: int
) -> Clouds:
    centre = np.empty((centroids, attributes))
    label = np.empty(centroids, dtype=np.int32)
    deviation = np.empty(centroids)
    cumulative_weight = np.full(-(-centroids // WIDTH) * WIDTH, np.inf)
    total = 0.0
    for i in range(centroids):
        for j in range(attributes):
            centre[i, j] = next_double(random)
        label[i] = next_int(random, classes)
        deviation[i] = next_double(random)
        total += next_double(random)
        cumulative_weight[i] = total
    return Clouds(centre, label, deviation, cumulative_weight)


@inlined
def draw_instance(row: Floats, random: Integers, clouds: Clouds) -> int:
    """Fill a row and return its label."""
    last = len(clouds.label) - 1
    target = next_double(random) * clouds.cumulative_weight[last]
    i = 0  # index of the cloud: the number of cumulative weights up to `target`
    for start in range(0, len(clouds.cumulative_weight), WIDTH):
        i += count_ones(lanes.bit_mask(lanes.load_at(clouds.cumulative_weight, start) <= target))
    i = min(i, last)
    square = 0.0
    for j in range(len(row)):
        row[j] = next_double(random) * 2.0 - 1.0
        square += row[j] * row[j]
    scale = next_gaussian(random) * clouds.deviation[i] / math.sqrt(square)
    for j in range(len(row)):
        row[j] = clouds.centre[i, j] + row[j] * scale
    return clouds.label[i]


@kernel
def _fill(X: Floats, y: Codes, random: Integers, clouds: Clouds) -> None:
    for t in range(len(y)):
        y[t] = draw_instance(X[t], random, clouds)


@dataclass(frozen=True)
class RandomRbf(Generator):
    """Clouds around random centres, each of one class.

    Numeric, unbounded attributes. Directions from the centre are the directions of uniform points
    in a cube, as in MOA, so they are not uniform.

    Parameters
    ----------
    model_seed, seed : int
        Seeds of the clouds and of the instances.
    classes : int
        Number of classes, at least 2.
    attributes : int
        Number of numeric attributes, at least 1.
    centroids : int
        Number of clouds, at least 1. The centre of each is uniform on the unit cube; class, weight
        and standard deviation of the distance to the centre are drawn uniformly.

    References
    ----------
    Draws: MOA 24.07, ``generators.RandomRBFGenerator``.
    """

    model_seed: Seed = 1
    seed: Seed = 1
    classes: Annotated[int, Meta(ge=2)] = 2
    attributes: Count = 10
    centroids: Count = 50

    name = "random_rbf"

    def _start(self, n: int) -> Draw:
        source = f"random RBF generator, model seed {self.model_seed}, seed {self.seed}"
        return self._make_cloud_draw(partial(_fill, random=java_random(self.seed)), source)

    def _make_cloud_draw(self, fill: Callable[..., None], source: str) -> Draw:
        """Function that draws instances of the clouds by `fill`; columns are named as in MOA."""
        random = java_random(self.model_seed)
        clouds = _draw_cloud_parameters(random, self.centroids, self.attributes, self.classes)
        schema = Schema(
            tuple(Attribute(f"att{j + 1}") for j in range(self.attributes)),
            classes=tuple(f"class{c + 1}" for c in range(self.classes)),
        )
        return self._make_draw(partial(fill, clouds=clouds), schema, source)


@allocating_kernel
def _draw_steps(random: Integers, drifting: int, attributes: int, speed: float) -> Floats:
    """Movement of the clouds per instance, shape (drifting, attributes)."""
    step = np.empty((drifting, attributes))
    for i in range(drifting):
        square = 0.0
        for j in range(attributes):
            step[i, j] = next_double(random)
            square += step[i, j] * step[i, j]
        length = math.sqrt(square)
        for j in range(attributes):
            step[i, j] = step[i, j] / length * speed
    return step


@inlined
def _move(centre: Floats, step: Floats) -> None:
    """Move the first centres by their steps; they turn back at the walls of the unit cube."""
    for i in range(step.shape[0]):
        for j in range(step.shape[1]):
            position = centre[i, j] + step[i, j]
            if position > 1.0 or position < 0.0:
                position = min(max(position, 0.0), 1.0)
                step[i, j] = -step[i, j]
            centre[i, j] = position


@kernel
def _fill_moving(X: Floats, y: Codes, random: Integers, clouds: Clouds, step: Floats) -> None:
    for t in range(len(y)):
        _move(clouds.centre, step)
        y[t] = draw_instance(X[t], random, clouds)


@kernel
def _fill_at_times(
    X: Floats, y: Codes, times: Integers, new_random: Integers, clouds: Clouds, step: Floats
) -> None:
    moves = 0
    for i in range(len(y)):
        while moves <= times[i]:  # clouds move before each instance, the first included
            _move(clouds.centre, step)
            moves += 1
        y[i] = draw_instance(X[i], new_random, clouds)


@dataclass(frozen=True)
class RandomRbfDrift(RandomRbf):
    """A stream of `RandomRbf` whose clouds move.

    Parameters
    ----------
    model_seed, seed, classes, attributes, centroids
        As for `RandomRbf`; without movement the streams are equal.
    drifting : int, optional
        Number of clouds that move, from the first; by default all.
    speed : float
        Distance by which a centre moves before each instance, in a direction of its own. At a wall
        of the unit cube, the movement along that coordinate is reversed.

    References
    ----------
    Draws: MOA 24.07, ``generators.RandomRBFGeneratorDrift``.
    """

    drifting: Whole | None = None
    speed: NotNegative = 0.0

    name = "random_rbf_drift"

    def _check_combination(self) -> None:
        self._check_at_most("drifting", "centroids")

    def _start(self, n: int) -> Draw:
        return self._make_moving_cloud_draw(partial(_fill_moving, random=java_random(self.seed)))

    def drifts(self, n: int) -> tuple[Drift, ...] | None:
        """See `Generator`."""
        return None if self.speed and self.drifting != 0 else ()

    def draw_from_concepts(self, n: int, times: Integers, seed: int) -> Stream:
        """Draw new instances of the clouds at their places at `times`; see `Generator`."""
        fill = partial(_fill_at_times, times=times, new_random=java_random(seed))
        return self._make_moving_cloud_draw(fill)(len(times))

    def _make_moving_cloud_draw(self, fill: Callable[..., None]) -> Draw:
        """Function that draws instances by `fill`, which moves the clouds."""
        drifting = self.centroids if self.drifting is None else self.drifting
        random = java_random(self.model_seed)
        step = _draw_steps(random, drifting, self.attributes, float(self.speed))
        source = f"random RBF generator, {drifting} clouds moving by {self.speed}, seed {self.seed}"
        return self._make_cloud_draw(partial(fill, step=step), source)
