"""A detector that ignores its inputs and signals changes at random.

It shows how much of a learner's accuracy is due to resets alone.

References
----------
Žliobaitė et al. (2015), Section 6.9, DDM-random.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval import seeds
from streameval.compiled.java_random import STATE_SIZE, java_random, next_double
from streameval.compiled.kernels import inlined, kernel
from streameval.detectors.alarms import CHANGE, QUIET, Alarms, alarms_of, checked_warm_up
from streameval.errors import ConfigError


class ChanceState(NamedTuple):
    """A pool of `d` independent detectors."""

    seen: NDArray[np.int64]  # (d,) inputs since the last change
    random: NDArray[np.int64]  # (d, 3) generators, see `rng`


class ChanceOptions(NamedTuple):
    """Number of inputs before the first signal, and probability of a signal."""

    min_instances: int
    probability: float


def chance_options(probability: float, min_instances: int = 30) -> ChanceOptions:
    """Return checked options; see `chance`."""
    if not 0.0 <= probability <= 1.0:
        raise ConfigError(
            f"Alarms by chance: expected a probability from 0 to 1, found {probability}."
        )
    warm_up = checked_warm_up("Alarms by chance", min_instances)
    return ChanceOptions(warm_up, float(probability))


def chance_start(count: int, seed: int) -> ChanceState:
    """Return `count` detectors whose draws depend on `seed`."""
    # Java's generators with similar seeds start with similar draws; these seeds are not similar.
    keys = (seeds.generator("alarms by chance", seed, d).integers(2**48) for d in range(count))
    generators = [java_random(int(key)) for key in keys]
    random = np.array(generators, dtype=np.int64).reshape(count, STATE_SIZE)
    return ChanceState(np.zeros(count, dtype=np.int64), random)


@inlined
def chance_insert(state: ChanceState, d: int, options: ChanceOptions) -> int:
    """Return QUIET or CHANGE after one more input, which detector number `d` ignores."""
    state.seen[d] += 1
    if state.seen[d] < options.min_instances:
        return QUIET
    if next_double(state.random[d]) >= options.probability:
        return QUIET
    state.seen[d] = 0
    return CHANGE


@kernel
def _run(state: ChanceState, options: ChanceOptions, signals: NDArray[np.int64]) -> None:
    for t in range(len(signals)):
        signals[t] = chance_insert(state, 0, options)


def chance(n: int, probability: float, min_instances: int = 30, seed: int = 1) -> Alarms:
    """Return changes at random places.

    Parameters
    ----------
    n : int
        Length of the sequence.
    probability : float
        Probability of a change at each input after the warm-up, p.
    min_instances : int
        Warm-up: the least number of inputs between changes. With a probability of 1 every
        input of that number is a change.
    seed : int
        Seed of the draws.

    Returns
    -------
    Alarms
        The inputs at which there is a change; no warnings.

    Raises
    ------
    ConfigError
        If an option is out of range.

    References
    ----------
    Žliobaitė et al. (2015), Section 6.9.
    """
    signals = np.empty(n, dtype=np.int64)
    _run(chance_start(1, seed), chance_options(probability, min_instances), signals)
    return alarms_of(signals)
