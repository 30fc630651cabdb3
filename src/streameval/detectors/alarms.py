"""Signals of drift detectors, and checks of detector inputs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import ConfigError, DataError, excerpt

#: Signals of a detector after an input: none, a warning, a change.
QUIET, WARNING, CHANGE = 0, 1, 2


class Alarms(NamedTuple):
    """Indices of the inputs after which a detector signalled a warning or a change, in order."""

    warnings: Integers  # (w,)
    changes: Integers  # (c,)


def split_signals(signals: Integers) -> Alarms:
    """Indices of warnings and of changes among signals.

    Parameters
    ----------
    signals : ndarray of int64, shape (n,)
        QUIET, WARNING or CHANGE after each input.
    """
    return Alarms(np.flatnonzero(signals == WARNING), np.flatnonzero(signals == CHANGE))


class InputRange(NamedTuple):
    """Valid inputs of a detector: finite numbers in a closed range, or only its two ends."""

    text: str
    low: float = -np.inf
    high: float = np.inf
    ends_only: bool = False


#: Errors (1) and correct predictions (0).
ERRORS = InputRange("zeros and ones", 0.0, 1.0, ends_only=True)
#: Losses of predictions.
LOSSES = InputRange("numbers from 0 to 1", 0.0, 1.0)
NUMBERS = InputRange("finite numbers")


def check_inputs(detector: str, values: ArrayLike, valid: InputRange = NUMBERS) -> Floats:
    """Check the inputs of a detector, and convert them to an array of float.

    Parameters
    ----------
    detector : str
        Name of the detector, for messages.
    values : array-like of float, shape (n,)
        Inputs of the detector.
    valid : InputRange
        Valid inputs.

    Raises
    ------
    DataError
        If the inputs are not a sequence, or a number is out of range.
    """
    try:
        x = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{detector}: expected a one-dimensional array of {valid.text}, found "
            f"{excerpt(repr(values), 60)}."
        ) from error
    wrong = ~(np.isfinite(x) & (x >= valid.low) & (x <= valid.high))
    if valid.ends_only:
        wrong |= (x != valid.low) & (x != valid.high)
    if x.ndim == 1 and not wrong.any():
        return np.ascontiguousarray(x)
    problem = f"found shape {x.shape}"
    if x.ndim == 1:
        problem = f"found {x[wrong][0]} at position {np.argmax(wrong)}, {wrong.sum()} wrong in all"
    raise DataError(f"{detector}: expected a one-dimensional array of {valid.text}, {problem}.")


def check_min_instances(detector: str, min_instances: int) -> int:
    """Check the number of inputs before the first signal of a detector.

    Raises
    ------
    ConfigError
        If it is not an integer of at least 1.
    """
    if not isinstance(min_instances, (int, np.integer)) or min_instances < 1:
        raise ConfigError(
            f"{detector}: min_instances must be a whole number, at least 1, found {min_instances}."
        )
    return int(min_instances)
