"""Checks of parameters, shared by all generators."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from streameval.errors import ConfigError


def check_range(generator: str, low: float, high: float = math.inf, **parameters: Any) -> None:
    """Refuse parameters that are not finite numbers in a closed range.

    Parameters
    ----------
    generator : str
        Name of the generator, for the message.
    low, high : float
        The range.
    **parameters
        The values, by name.

    Raises
    ------
    ConfigError
        If a value is outside the range, or not a finite number.
    """
    wanted = f"at least {low}" if high == math.inf else f"from {low} to {high}"
    for name, value in parameters.items():
        is_number = isinstance(value, int | float | np.integer) and not isinstance(value, bool)
        if not is_number or not low <= value <= high or value == math.inf:
            raise ConfigError(
                f"Generator {generator}: parameter {name} must be a number {wanted}, "
                f"found {value!r}."
            )


def check_integers(generator: str, low: int, high: float = math.inf, **parameters: Any) -> None:
    """Refuse parameters that are not integers in a closed range; see `check_range`."""
    check_range(generator, low, high, **parameters)
    for name, value in parameters.items():
        if not isinstance(value, int | np.integer):
            raise ConfigError(
                f"Generator {generator}: parameter {name} must be an integer, found {value!r}."
            )


def check_seeds(generator: str, **seeds: Any) -> None:
    """Refuse seeds that are not signed 64-bit integers, as Java's are; see `check_range`."""
    check_integers(generator, -(2**63), 2**63 - 1, **seeds)


def check_flags(generator: str, **flags: Any) -> None:
    """Refuse flags that are neither true nor false; see `check_range`."""
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise ConfigError(
                f"Generator {generator}: parameter {name} must be true or false, found {value!r}."
            )
