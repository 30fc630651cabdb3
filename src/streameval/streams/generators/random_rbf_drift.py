"""Moving clouds, with the draws of MOA's `RandomRBFGeneratorDrift`."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from streameval.compiled.java_random import java_random, next_double
from streameval.compiled.kernels import generating, inlined, kernel
from streameval.streams.generators.checks import check_integers, check_range
from streameval.streams.generators.random_rbf import (
    Centroids,
    check_clouds,
    draw_clouds,
    draw_instance,
    rbf_schema,
)
from streameval.streams.generators.recipe import Generator
from streameval.streams.stream import Stream


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
def _fill(
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


def check(
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
    check(n, model_seed, seed, classes, attributes, centroids, drifting, speed)
    clouds = draw_clouds(model_seed, classes, attributes, centroids)
    step = _steps(model_seed, attributes, centroids, drifting, speed)
    X, y = np.empty((n, attributes)), np.empty(n, dtype=np.int32)
    _fill(X, y, java_random(seed), clouds, step)
    source = f"random RBF generator, {len(step)} clouds moving by {speed}, seed {seed}"
    schema = rbf_schema(classes, attributes)
    return Stream(X, y, schema, name="random_rbf_drift", source=source)


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
GENERATOR = Generator(random_rbf_drift, check, fresh)
