"""Signals of drift detectors, and checks of their inputs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import ConfigError, DataError, excerpt

#: The signal of a detector after an input: none, a warning, a change.
QUIET, WARNING, CHANGE = 0, 1, 2


class Alarms(NamedTuple):
    """The inputs after which a detector was not quiet, counted from 0, in order."""

    warnings: Integers  # (w,)
    changes: Integers  # (c,)


def alarms_of(signals: Integers) -> Alarms:
    """Return where a detector warned and where it found a change.

    Parameters
    ----------
    signals : ndarray of int64, shape (n,)
        QUIET, WARNING or CHANGE after each input.
    """
    return Alarms(np.flatnonzero(signals == WARNING), np.flatnonzero(signals == CHANGE))


class InputRange(NamedTuple):
    """What a detector takes: finite numbers in a closed range, or only its two ends."""

    text: str
    low: float = -np.inf
    high: float = np.inf
    ends_only: bool = False


#: 1 for an error and 0 for a correct prediction; losses; any numbers.
ERRORS = InputRange("zeros and ones", 0.0, 1.0, ends_only=True)
LOSSES = InputRange("numbers from 0 to 1", 0.0, 1.0)
NUMBERS = InputRange("finite numbers")


def checked_inputs(detector: str, values: ArrayLike, takes: InputRange = NUMBERS) -> Floats:
    """Check the inputs of a detector, and return them.

    Parameters
    ----------
    detector : str
        The name of the detector, for messages.
    values : array-like of float, shape (n,)
        Its inputs.
    takes : InputRange
        What they must be.

    Raises
    ------
    DataError
        If they are no sequence, or one is no such number.
    """
    try:
        x = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{detector}: expected a one-dimensional array of {takes.text}, found "
            f"{excerpt(repr(values), 60)}."
        ) from error
    wrong = ~(np.isfinite(x) & (x >= takes.low) & (x <= takes.high))
    if takes.ends_only:
        wrong |= (x != takes.low) & (x != takes.high)
    if x.ndim == 1 and not wrong.any():
        return np.ascontiguousarray(x)
    found = f"found shape {x.shape}"
    if x.ndim == 1:
        found = f"found {x[wrong][0]} at position {np.argmax(wrong)}, {wrong.sum()} wrong in all"
    raise DataError(f"{detector}: expected a one-dimensional array of {takes.text}, {found}.")


def checked_warm_up(detector: str, min_instances: int) -> int:
    """Check the number of inputs before which a detector signals nothing, and return it.

    Raises
    ------
    ConfigError
        If it is not a whole number of at least 1.
    """
    if not isinstance(min_instances, (int, np.integer)) or min_instances < 1:
        raise ConfigError(
            f"{detector}: min_instances must be a whole number, at least 1, found {min_instances}."
        )
    return int(min_instances)
