"""Clouds around random centres, with the draws of MOA's `RandomRBFGenerator`."""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.compiled import lanes
from streameval.compiled.instructions import count_ones
from streameval.compiled.java_random import java_random, next_double, next_gaussian, next_int
from streameval.compiled.kernels import generating, inlined, kernel
from streameval.compiled.lanes import WIDTH
from streameval.streams.generators.checks import check_integers, check_seeds
from streameval.streams.generators.recipe import Generator
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
    check(n, model_seed, seed, classes, attributes, centroids)
    clouds = draw_clouds(model_seed, classes, attributes, centroids)
    X, y = np.empty((n, attributes)), np.empty(n, dtype=np.int32)
    _fill(X, y, java_random(seed), clouds)
    schema = rbf_schema(classes, attributes)
    source = f"random RBF generator, model seed {model_seed}, seed {seed}"
    return Stream(X, y, schema, name="random_rbf", source=source)


#: What the registry has.
GENERATOR = Generator(random_rbf, check)
