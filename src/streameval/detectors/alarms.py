"""What change detectors say, and what they may be fed with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.errors import ConfigError, DataError

#: What a detector says after an input: nothing, a change may be near, there was a change.
QUIET, WARNING, CHANGE = 0, 1, 2


class Alarms(NamedTuple):
    """The inputs after which a detector was not quiet, counted from 0, in order."""

    warnings: NDArray[np.int64]  # (w,)
    changes: NDArray[np.int64]  # (c,)


def alarms_of(said: NDArray[np.int64]) -> Alarms:
    """Return where a detector warned and where it found a change.

    Parameters
    ----------
    said : ndarray of int64, shape (n,)
        QUIET, WARNING or CHANGE after each input.
    """
    return Alarms(np.flatnonzero(said == WARNING), np.flatnonzero(said == CHANGE))


def checked_inputs(
    detector: str, values: ArrayLike, low: float = -np.inf, high: float = np.inf
) -> NDArray[np.float64]:
    """Check a sequence that a detector is to be fed with, and return it.

    Parameters
    ----------
    detector : str
        How messages call the detector.
    values : array-like of float, shape (n,)
        Finite numbers from `low` to `high`.

    Raises
    ------
    DataError
        If it is no sequence, or a number is not finite or out of range.
    """
    x = np.ascontiguousarray(values, dtype=np.float64)
    wrong = ~(np.isfinite(x) & (x >= low) & (x <= high))
    if x.ndim == 1 and not wrong.any():
        return x
    found = f"found shape {x.shape}"
    if x.ndim == 1:
        found = f"found {x[wrong][0]} at position {np.argmax(wrong)}, {wrong.sum()} wrong in all"
    kind = "finite numbers" if high == np.inf else f"numbers from {low:g} to {high:g}"
    raise DataError(f"{detector}: expected a one-dimensional array of {kind}, {found}.")


def checked_warm_up(detector: str, min_instances: int) -> int:
    """Check for how many inputs a detector is to keep quiet at first, and return it.

    Raises
    ------
    ConfigError
        If that is no whole number from 1 on.
    """
    if not isinstance(min_instances, (int, np.integer)) or min_instances < 1:
        raise ConfigError(
            f"{detector}: min_instances must be a whole number, at least 1, found {min_instances}."
        )
    return int(min_instances)
