"""Concept drift from one stream to another, with the draws of MOA's `ConceptDriftStream`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from streameval.compiled.java_random import java_random, next_double
from streameval.compiled.kernels import generating
from streameval.errors import ConfigError
from streameval.seeds import generator
from streameval.streams.generators.recipe import (
    Draw,
    Generator,
    Recipe,
    check_integers,
    check_range,
    check_seeds,
)
from streameval.streams.stream import Stream

#: Largest position and width: Java's largest int.
LARGEST = 2**31 - 1
#: Instances whose concepts are counted at a time.
_STEP = 1 << 16

_Made = TypeVar("_Made", Stream, None)
_Make = Callable[[Recipe], Stream]


@generating
def _uniforms(n: int, random: NDArray[np.int64]) -> NDArray[np.float64]:
    draws = np.empty(n)
    for i in range(n):
        draws[i] = next_double(random)
    return draws


@generating
def _probabilities(times: NDArray[np.int64], position: int, width: int) -> NDArray[np.float64]:
    """Return the probability that each row of the stream belongs to the new concept."""
    probability = np.empty(len(times))
    for i in range(len(times)):
        past = times[i] + 1 - position  # MOA counts instances from one
        if width == 0:
            probability[i] = 1.0 if past >= 0 else 0.0
        else:
            probability[i] = 1.0 / (1.0 + math.exp(-4.0 * past / width))
    return probability


def check(
    n: int, before: Recipe, after: Recipe, position: int, width: int, alpha: float, seed: int
) -> None:
    """Refuse parameters outside their ranges, also those of both streams; see `concept_drift`."""
    check_integers("concept_drift", 1, n=n)
    check_integers("concept_drift", -LARGEST, LARGEST, position=position)
    check_integers("concept_drift", 0, LARGEST, width=width)
    check_range("concept_drift", 0, 90, alpha=alpha)
    check_seeds("concept_drift", seed=seed)
    for name, part in (("before", before), ("after", after)):
        _part(name, part, lambda recipe: recipe.check(n))


def _width(width: int, alpha: float) -> int:
    """Return the width, or that of a transition of the given slope."""
    return int(min(1.0 / math.tan(math.radians(alpha)), LARGEST)) if alpha else width


def _choices(position: int, width: int, seed: int) -> Callable[[int], NDArray[np.bool_]]:
    """Return what says which of the next instances belong to the new concept."""
    random, begin = java_random(seed), 0

    def draw(rows: int) -> NDArray[np.bool_]:
        nonlocal begin
        times = np.arange(begin, begin + rows)
        begin += rows
        chosen: NDArray[np.bool_] = _uniforms(rows, random) <= _probabilities(
            times, position, width
        )
        return chosen

    return draw


def _part(name: str, recipe: Recipe, make: Callable[[Recipe], _Made]) -> _Made:
    """Generate or check one of the two streams; its errors name the parameter."""
    if not isinstance(recipe, Recipe):
        raise ConfigError(
            f"Generator concept_drift: parameter {name} must be a generator with its parameters, "
            f"such as {{generator: sea, function: 2}}, found {recipe!r}."
        )
    try:
        return make(recipe)
    except ConfigError as error:
        raise ConfigError(f"In {name}: {error}") from error


def _merged(is_after: NDArray[np.bool_], before: Stream, after: Stream) -> Stream:
    """Return the instances of both streams, merged in the given order."""
    if before.schema != after.schema:
        raise ConfigError(
            "Generator concept_drift: both streams must have the same attributes and classes, in "
            f"number, name and kind; before ({before.name}) has {before.X.shape[1]} and "
            f"{before.n_classes}, after ({after.name}) has {after.X.shape[1]} and "
            f"{after.n_classes}."
        )
    X = np.empty((len(is_after), before.X.shape[1]))
    y = np.empty(len(is_after), dtype=before.y.dtype)
    for stream, chosen in ((before, ~is_after), (after, is_after)):
        count = int(chosen.sum())
        X[chosen], y[chosen] = stream.X[:count], stream.y[:count]
    source = f"{before.source}; then {after.source}"
    return Stream(X, y, before.schema, name="concept_drift", source=source)


def concept_drift(
    n: int,
    before: Recipe,
    after: Recipe,
    position: int = 0,
    width: int = 1000,
    alpha: float = 0.0,
    seed: int = 1,
) -> Stream:
    """Return a stream that changes from one concept to another.

    The t-th instance, counted from one, is the next instance of the new stream with probability
    ``1 / (1 + exp(-4 * (t - position) / width))``, otherwise the next instance of the old stream.
    Each stream advances only when one of its instances is taken. So if both have the same seed,
    the new stream starts with the same attributes as the old one.

    Parameters
    ----------
    n : int
        Number of instances, at least 1.
    before, after : Recipe
        The two streams, with equal attributes and classes; either may be a `concept_drift`.
        In a registry, a mapping of ``generator`` and that generator's parameters.
    position : int
        The instance at which both are equally probable.
    width : int
        Length of the transition, at least 0; it contains three quarters of the change.
    alpha : float
        If not 0, the slope of the transition as an angle of up to 90 degrees (MOA's option α):
        `width` is then the angle's cotangent, rounded down.
    seed : int
        Seed of the choice.

    Returns
    -------
    Stream
        With the attributes and classes of both streams.

    Raises
    ------
    ConfigError
        If a parameter is outside its range, or the two streams do not match.

    References
    ----------
    Bifet, Holmes, Pfahringer, Kirkby, Gavaldà (2009), New ensemble methods for evolving data
    streams. Draws: MOA 24.07, ``ConceptDriftStream``.
    """
    return start(n, before, after, position, width, alpha, seed)(n)


def start(
    n: int, before: Recipe, after: Recipe, position: int, width: int, alpha: float, seed: int
) -> Draw:
    """Return what draws the stream of `concept_drift` in pieces."""
    check(n, before, after, position, width, alpha, seed)
    width = _width(width, alpha)
    choose, counted = (_choices(position, width, seed) for _ in range(2))
    # So that nothing of the length of the stream is in memory.
    rows_after = sum(int(counted(min(_STEP, n - at)).sum()) for at in range(0, n, _STEP))
    # A stream has at least one instance, even if none is needed.
    recipes = (
        ("before", before, max(n - rows_after, 1)),
        ("after", after, max(rows_after, 1)),
    )
    ones = [_part(name, recipe, lambda recipe: recipe.stream(1)) for name, recipe, _ in recipes]
    draws = [recipe.start(rows) for _, recipe, rows in recipes]

    def draw(rows: int) -> Stream:
        is_after = choose(rows)
        counts = np.bincount(is_after, minlength=2).tolist()
        parts = [
            draw_part(count) if count else one
            for draw_part, count, one in zip(draws, counts, ones, strict=True)
        ]
        return _merged(is_after, *parts)

    return draw


def fresh(
    n: int,
    times: NDArray[np.int64],
    fresh_seed: int,
    before: Recipe,
    after: Recipe,
    position: int,
    width: int,
    alpha: float,
    seed: int,
) -> Stream:
    """Return new instances of the stream's mixture at `times`; see `Recipe.fresh`.

    Instances of each stream come from its own concept at the row that it has reached.
    """
    check(n, before, after, position, width, alpha, seed)
    width = _width(width, alpha)
    passed_after = np.concatenate([[0], np.cumsum(_choices(position, width, seed)(n))])
    passed_before = np.arange(n + 1) - passed_after
    random = generator("concept_drift", "fresh", fresh_seed)
    is_after = random.random(len(times)) <= _probabilities(times, position, width)
    seed_before, seed_after = random.integers(2**63, size=2).tolist()

    def part(passed: NDArray[np.int64], chosen: NDArray[np.bool_], part_seed: int) -> _Make:
        rows = max(int(passed[n]), 1)
        when = passed[times[chosen]] if chosen.any() else np.zeros(1, dtype=np.int64)
        return lambda recipe: recipe.fresh(rows, when, part_seed)

    return _merged(
        is_after,
        _part("before", before, part(passed_before, ~is_after, seed_before)),
        _part("after", after, part(passed_after, is_after, seed_after)),
    )


#: What the registry has.
GENERATOR = Generator(concept_drift, check, start, fresh)
