"""DDM as in MOA, and alarms at random in its place.

DDM signals a drift where the error rate rises well above its lowest level. It tracks the error rate
p since its last alarm and its standard deviation s = √(p(1 - p)/n), and keeps both from where
p + s was lowest. `chance` ignores its inputs and signals changes at random: it shows how much of a
learner's accuracy is due to resets alone.

References
----------
Gama, Medas, Castillo, Rodrigues (2004), Learning with drift detection.
Žliobaitė et al. (2015), Section 6.9, DDM-random.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval import seeds
from streameval.compiled.java_random import STATE_SIZE, java_random, next_double
from streameval.compiled.kernels import inlined, kernel
from streameval.detectors.alarms import (
    CHANGE,
    QUIET,
    WARNING,
    Alarms,
    alarms_of,
    checked_inputs,
    checked_warm_up,
)
from streameval.errors import ConfigError

# Columns of `DDMState.level`: the error rate; rate and deviation where their sum was lowest.
RATE, LOW_RATE, LOW_DEVIATION = 0, 1, 2


class DDMState(NamedTuple):
    """A pool of `d` independent DDMs."""

    seen: NDArray[np.int64]  # (d,) inputs since the last change
    level: NDArray[np.float64]  # (d, 3)


class DDMOptions(NamedTuple):
    """Inputs before the first signal, and thresholds in deviations above the lowest level."""

    min_instances: int
    warning_level: float
    drift_level: float


def ddm_options(
    min_instances: int = 30, warning_level: float = 2.0, drift_level: float = 3.0
) -> DDMOptions:
    """Return checked options; see `ddm`."""
    if not 0.0 < warning_level <= drift_level < math.inf:
        raise ConfigError(
            "DDM: expected 0 < warning_level <= drift_level, found "
            f"warning_level {warning_level} and drift_level {drift_level}."
        )
    warm_up = checked_warm_up("DDM", min_instances)
    return DDMOptions(warm_up, float(warning_level), float(drift_level))


def ddm_start(count: int) -> DDMState:
    """Return `count` DDMs without inputs."""
    state = DDMState(np.zeros(count, dtype=np.int64), np.empty((count, 3)))
    state.level[:] = 1.0, np.inf, np.inf
    return state


@inlined
def ddm_reset(state: DDMState, d: int) -> None:
    """Reset DDM number `d`."""
    state.seen[d] = 0
    state.level[d, RATE] = 1.0
    state.level[d, LOW_RATE] = np.inf
    state.level[d, LOW_DEVIATION] = np.inf


@inlined
def ddm_insert(state: DDMState, d: int, error: float, options: DDMOptions) -> int:
    """Feed DDM number `d` with an error, 0 or 1; return QUIET, WARNING or CHANGE.

    It resets after a change.
    """
    seen, rate = state.seen[d] + 1, state.level[d, RATE]
    rate += (error - rate) / seen
    deviation = math.sqrt(rate * (1.0 - rate) / seen)
    state.seen[d], state.level[d, RATE] = seen, rate
    if seen + 1 < options.min_instances:  # MOA's counter is one ahead
        return QUIET
    if rate + deviation <= state.level[d, LOW_RATE] + state.level[d, LOW_DEVIATION]:
        state.level[d, LOW_RATE], state.level[d, LOW_DEVIATION] = rate, deviation
    low_rate, low_deviation = state.level[d, LOW_RATE], state.level[d, LOW_DEVIATION]
    above = rate + deviation
    if seen >= options.min_instances and above > low_rate + options.drift_level * low_deviation:
        ddm_reset(state, d)
        return CHANGE
    return WARNING if above > low_rate + options.warning_level * low_deviation else QUIET


@kernel
def _run(
    state: DDMState, errors: NDArray[np.float64], options: DDMOptions, signals: NDArray[np.int64]
) -> None:
    for t in range(len(errors)):
        signals[t] = ddm_insert(state, 0, errors[t], options)


def ddm(
    errors: ArrayLike,
    min_instances: int = 30,
    warning_level: float = 2.0,
    drift_level: float = 3.0,
) -> Alarms:
    """Run DDM over a sequence of errors.

    Parameters
    ----------
    errors : array-like of float or bool, shape (n,)
        1 for an error, 0 for a correct prediction, in order; losses between 0 and 1 are accepted
        as well.
    min_instances : int
        Least number of inputs between changes.
    warning_level, drift_level : float
        Deviations above the lowest level from which there is a warning, or a change.

    Returns
    -------
    Alarms
        The inputs after which it signalled a warning, and those after which it signalled a change.

    Raises
    ------
    ConfigError
        If an option is out of range.
    DataError
        If an error is not between 0 and 1.

    Notes
    -----
    As in MOA, a model without any error has a lowest level of exactly zero: its first error
    after the warm-up is a change.

    References
    ----------
    Gama, Medas, Castillo, Rodrigues (2004), Learning with drift detection.
    """
    x = checked_inputs("DDM", errors, 0.0, 1.0)
    signals = np.empty(len(x), dtype=np.int64)
    _run(ddm_start(1), x, ddm_options(min_instances, warning_level, drift_level), signals)
    return alarms_of(signals)


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
def _run_chance(state: ChanceState, options: ChanceOptions, signals: NDArray[np.int64]) -> None:
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
    _run_chance(chance_start(1, seed), chance_options(probability, min_instances), signals)
    return alarms_of(signals)
