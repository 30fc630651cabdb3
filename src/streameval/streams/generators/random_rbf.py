"""Clouds around random centres that stand or move, with the draws of MOA's `RandomRBFGenerator`.

The moving ones are those of `RandomRBFGeneratorDrift`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.compiled import lanes
from streameval.compiled.instructions import count_ones
from streameval.compiled.java_random import java_random, next_double, next_gaussian, next_int
from streameval.compiled.kernels import generating, inlined, kernel
from streameval.compiled.lanes import WIDTH
from streameval.streams.generators.recipe import (
    Draw,
    Generator,
    check_integers,
    check_range,
    check_seeds,
)
from streameval.streams.stream import Attribute, Schema, Stream


class Centroids(NamedTuple):
    """The clouds, c of them in m dimensions."""

    centre: NDArray[np.float64]  # (c, m)
    label: NDArray[np.int32]  # (c,)
    deviation: NDArray[np.float64]  # (c,)
    cumulative_weight: NDArray[np.float64]  # (c,), padded with infinities to full lanes


@generating
def _draw_centroids(
    random: NDArray[np.int64], centroids: int, attributes: int, classes: int
) -> Centroids:
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
    return Centroids(centre, label, deviation, cumulative_weight)


@inlined
def draw_instance(row: NDArray[np.float64], random: NDArray[np.int64], clouds: Centroids) -> int:
    """Fill a row and return its label."""
    last = len(clouds.label) - 1
    place = next_double(random) * clouds.cumulative_weight[last]
    i = 0
    for start in range(0, len(clouds.cumulative_weight), WIDTH):
        i += count_ones(lanes.bits(lanes.load(clouds.cumulative_weight, start) <= place))
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
def _fill(
    X: NDArray[np.float64],
    y: NDArray[np.int32],
    random: NDArray[np.int64],
    clouds: Centroids,
) -> None:
    for t in range(len(y)):
        y[t] = draw_instance(X[t], random, clouds)


def check_clouds(
    generator: str,
    n: int,
    model_seed: int,
    seed: int,
    classes: int,
    attributes: int,
    centroids: int,
) -> None:
    """Refuse parameters outside their ranges, for all generators with these parameters."""
    check_integers(generator, 1, n=n, attributes=attributes, centroids=centroids)
    check_integers(generator, 2, classes=classes)
    check_seeds(generator, model_seed=model_seed, seed=seed)


#: Refuse parameters outside their ranges; see `random_rbf`.
check = partial(check_clouds, "random_rbf")


def draw_clouds(model_seed: int, classes: int, attributes: int, centroids: int) -> Centroids:
    """Draw the clouds of a generator with the parameters of `random_rbf`."""
    return _draw_centroids(java_random(model_seed), centroids, attributes, classes)


def rbf_schema(classes: int, attributes: int) -> Schema:
    """Return names and kinds of the columns, as in MOA."""
    return Schema(
        tuple(Attribute(f"att{j + 1}") for j in range(attributes)),
        classes=tuple(f"class{c + 1}" for c in range(classes)),
    )


def random_rbf(
    n: int,
    model_seed: int = 1,
    seed: int = 1,
    classes: int = 2,
    attributes: int = 10,
    centroids: int = 50,
) -> Stream:
    """Return a stream of clouds around random centres, each of one class.

    Parameters
    ----------
    n : int
        Number of instances, at least 1.
    model_seed, seed : int
        Seeds of the clouds and of the instances.
    classes : int
        Number of classes, at least 2.
    attributes : int
        Number of numeric attributes, at least 1.
    centroids : int
        Number of clouds, at least 1. The centre of each is uniform on the unit cube; class, weight
        and standard deviation of the distance to the centre are drawn uniformly.

    Returns
    -------
    Stream
        Numeric, unbounded attributes. Directions from the centre are those of uniform points in a
        cube, not on a sphere.

    Raises
    ------
    ConfigError
        If a parameter is outside its range.

    References
    ----------
    Draws: MOA 24.07, ``generators.RandomRBFGenerator``.
    """
    return start_clouds(n, model_seed, seed, classes, attributes, centroids)(n)


def start_clouds(
    n: int, model_seed: int, seed: int, classes: int, attributes: int, centroids: int
) -> Draw:
    """Return what draws the stream of `random_rbf` in pieces."""
    check(n, model_seed, seed, classes, attributes, centroids)
    clouds = draw_clouds(model_seed, classes, attributes, centroids)
    random, schema = java_random(seed), rbf_schema(classes, attributes)
    source = f"random RBF generator, model seed {model_seed}, seed {seed}"

    def draw(rows: int) -> Stream:
        X, y = np.empty((rows, attributes)), np.empty(rows, dtype=np.int32)
        _fill(X, y, random, clouds)
        return Stream(X, y, schema, name="random_rbf", source=source)

    return draw


#: What the registry has.
RANDOM_RBF = Generator(random_rbf, check, start_clouds)


@generating
def _draw_steps(
    random: NDArray[np.int64], drifting: int, attributes: int, speed: float
) -> NDArray[np.float64]:
    """Return the movement of the clouds per instance, shape (drifting, attributes)."""
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
def _move(centre: NDArray[np.float64], step: NDArray[np.float64]) -> None:
    """Move the first centres by their steps; they turn back at the walls of the unit cube."""
    for i in range(step.shape[0]):
        for j in range(step.shape[1]):
            place = centre[i, j] + step[i, j]
            if place > 1.0 or place < 0.0:
                place = min(max(place, 0.0), 1.0)
                step[i, j] = -step[i, j]
            centre[i, j] = place


@kernel
def _fill_moving(
    X: NDArray[np.float64],
    y: NDArray[np.int32],
    random: NDArray[np.int64],
    clouds: Centroids,
    step: NDArray[np.float64],
) -> None:
    for t in range(len(y)):
        _move(clouds.centre, step)
        y[t] = draw_instance(X[t], random, clouds)


@kernel
def _fill_fresh(
    X: NDArray[np.float64],
    y: NDArray[np.int32],
    times: NDArray[np.int64],
    fresh_random: NDArray[np.int64],
    clouds: Centroids,
    step: NDArray[np.float64],
) -> None:
    moves = 0
    for i in range(len(y)):
        while moves <= times[i]:
            _move(clouds.centre, step)
            moves += 1
        y[i] = draw_instance(X[i], fresh_random, clouds)


def _steps(
    model_seed: int, attributes: int, centroids: int, drifting: int | None, speed: float
) -> NDArray[np.float64]:
    """Draw the movement."""
    drifting = centroids if drifting is None else drifting
    return _draw_steps(java_random(model_seed), drifting, attributes, float(speed))


def check_moving(
    n: int,
    model_seed: int,
    seed: int,
    classes: int,
    attributes: int,
    centroids: int,
    drifting: int | None,
    speed: float,
) -> None:
    """Refuse parameters outside their ranges; see `random_rbf_drift`."""
    check_clouds("random_rbf_drift", n, model_seed, seed, classes, attributes, centroids)
    if drifting is not None:
        check_integers("random_rbf_drift", 0, centroids, drifting=drifting)
    check_range("random_rbf_drift", 0, speed=speed)


def random_rbf_drift(
    n: int,
    model_seed: int = 1,
    seed: int = 1,
    classes: int = 2,
    attributes: int = 10,
    centroids: int = 50,
    drifting: int | None = None,
    speed: float = 0.0,
) -> Stream:
    """Return a stream of `random_rbf` whose clouds move.

    Parameters
    ----------
    n, model_seed, seed, classes, attributes, centroids
        As for `random_rbf`; without movement the streams are equal.
    drifting : int, optional
        Number of clouds that move: the first ones, by default all.
    speed : float
        Distance that their centres move before each instance, each in its own direction. At a wall
        of the unit cube, the movement along that coordinate is reversed.

    Returns
    -------
    Stream
        As that of `random_rbf`.

    Raises
    ------
    ConfigError
        If a parameter is outside its range.

    References
    ----------
    Draws: MOA 24.07, ``generators.RandomRBFGeneratorDrift``.
    """
    shape = (classes, attributes, centroids, drifting, speed)
    return start_moving(n, model_seed, seed, *shape)(n)


def start_moving(
    n: int,
    model_seed: int,
    seed: int,
    classes: int,
    attributes: int,
    centroids: int,
    drifting: int | None,
    speed: float,
) -> Draw:
    """Return what draws the stream of `random_rbf_drift` in pieces."""
    check_moving(n, model_seed, seed, classes, attributes, centroids, drifting, speed)
    clouds = draw_clouds(model_seed, classes, attributes, centroids)
    step = _steps(model_seed, attributes, centroids, drifting, speed)
    random, schema = java_random(seed), rbf_schema(classes, attributes)
    source = f"random RBF generator, {len(step)} clouds moving by {speed}, seed {seed}"

    def draw(rows: int) -> Stream:
        X, y = np.empty((rows, attributes)), np.empty(rows, dtype=np.int32)
        _fill_moving(X, y, random, clouds, step)
        return Stream(X, y, schema, name="random_rbf_drift", source=source)

    return draw


def fresh(
    n: int,
    times: NDArray[np.int64],
    fresh_seed: int,
    model_seed: int,
    seed: int,
    classes: int,
    attributes: int,
    centroids: int,
    drifting: int | None,
    speed: float,
) -> Stream:
    """Return new instances of the clouds at their places at `times`; see `Recipe.fresh`."""
    one = random_rbf_drift(1, model_seed, seed, classes, attributes, centroids, drifting, speed)
    clouds = draw_clouds(model_seed, classes, attributes, centroids)
    step = _steps(model_seed, attributes, centroids, drifting, speed)
    X, y = np.empty((len(times), attributes)), np.empty(len(times), dtype=np.int32)
    _fill_fresh(X, y, times, java_random(fresh_seed), clouds, step)
    return replace(one, X=X, y=y, _digest=[])


#: What the registry has.
RANDOM_RBF_DRIFT = Generator(random_rbf_drift, check_moving, start_moving, fresh)
