"""Uninformed alarms, random or at given distances: a control.

They show how much of a gain is due only to the number of alarms and their distances.

References
----------
Žliobaitė et al. (2015), Section 6.9, DDM-random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from streameval.base import seeds
from streameval.base.arrays import Floats, Integers
from streameval.base.errors import ConfigError
from streameval.base.params import Count, Proportion, parameter
from streameval.compiled.java_random import STATE_SIZE, java_random, next_double
from streameval.compiled.kernels import inlined, kernel
from streameval.detectors.alarms import CHANGE, QUIET, check_min_instances
from streameval.detectors.detector import Detector, InputReader


class ChanceState(NamedTuple):
    """A pool of `d` independent detectors."""

    n_since_change: Integers  # (d,), inputs since the last change
    random: Integers  # (d, 3), states of random number generators, see `java_random`


class ChanceOptions(NamedTuple):
    """Smallest number of inputs before a signal, and probability of a signal at each input."""

    min_instances: int
    probability: float


def chance_options(probability: float, min_instances: int = 30) -> ChanceOptions:
    """Options of `Chance`, checked."""
    if not 0.0 <= probability <= 1.0:
        raise ConfigError(
            f"Alarms by chance: expected a probability from 0 to 1, found {probability}."
        )
    warm_up = check_min_instances("Alarms by chance", min_instances)
    return ChanceOptions(warm_up, float(probability))


def chance_start(count: int, seed: int) -> ChanceState:
    """Make a pool of `count` detectors whose random numbers depend on `seed`."""
    # Java's generators start with similar random numbers if their seeds of 48 bits are similar. So
    # their seeds are hashes of `seed` and d.
    java_seeds = (
        seeds.generator("alarms by chance", seed, d).integers(2**48) for d in range(count)
    )
    generators = [java_random(int(java_seed)) for java_seed in java_seeds]
    random = np.array(generators, dtype=np.int64).reshape(count, STATE_SIZE)
    return ChanceState(np.zeros(count, dtype=np.int64), random)


@inlined
def chance_update(state: ChanceState, d: int, options: ChanceOptions) -> int:
    """Count an input of detector `d`, and draw QUIET or CHANGE."""
    state.n_since_change[d] += 1
    if state.n_since_change[d] < options.min_instances:
        return QUIET
    if next_double(state.random[d]) >= options.probability:
        return QUIET
    state.n_since_change[d] = 0
    return CHANGE


@kernel
def _run(state: ChanceState, values: Floats, options: ChanceOptions, signals: Integers) -> int:
    for t in range(len(values)):
        signals[t] = chance_update(state, 0, options)
        if signals[t] == CHANGE:
            return t + 1
    return len(values)


@dataclass(frozen=True)
class Chance(Detector):
    """Signal changes at random times, whatever the inputs.

    With a probability of 1, there is a change after every `min_instances` inputs.
    """

    probability: Proportion = parameter("probability of a change at each input after the warm-up")
    min_instances: Count = parameter("warm-up: the minimum number of inputs between changes", 30)

    name: ClassVar[str] = "chance"
    title: ClassVar[str] = "By chance"
    reference: ClassVar[str] = "Žliobaitė et al. (2015), Section 6.9"

    def _begin(self, seed: int) -> InputReader:
        state = chance_start(count=1, seed=seed)
        options = chance_options(self.probability, self.min_instances)
        return lambda x, signals: int(_run(state, x, options, signals))


@dataclass(frozen=True)
class Gaps(Detector):
    """Signal changes at given distances, whatever the inputs.

    Settings have no notation for this detector.

    Parameters
    ----------
    label : str
        Name of the detector, its ``str()``.
    draw_gaps : callable
        Maps the seed of a run to distances: the number of inputs up to the first change, then from
        each change to the next. Each distance gives one change.
    """

    label: str
    draw_gaps: Callable[[int], Integers]

    name: ClassVar[str] = "gaps"
    title: ClassVar[str] = "At given distances"
    reference: ClassVar[str] = "none"

    def __str__(self) -> str:
        return self.label

    def _begin(self, seed: int) -> InputReader:
        # Reversed, so that `pop` removes the next change.
        changes = np.cumsum(self.draw_gaps(seed)).tolist()[::-1]
        n_read = 0

        def feed(x: Floats, signals: Integers) -> int:
            nonlocal n_read
            # After the last change, the next one is beyond the inputs.
            remaining = changes[-1] - n_read if changes else len(x) + 1
            signals[:remaining] = QUIET
            if remaining > len(x):
                n_read += len(x)
                return len(x)
            signals[remaining - 1] = CHANGE
            n_read = changes.pop()
            return remaining

        return feed
