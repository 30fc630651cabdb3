"""A display some segments of which have moved, as MOA's `LEDGeneratorDrift` draws it."""

from __future__ import annotations

import numpy as np

from streameval.streams.generators.checks import check_integers
from streameval.streams.generators.led import IRRELEVANT, RELEVANT, check_display, display
from streameval.streams.stream import Stream


def check(n: int, drifting: int, seed: int, noise: int) -> None:
    """Refuse parameters outside their ranges; see `led_drift`."""
    check_integers("led_drift", 0, RELEVANT, drifting=drifting)
    check_display("led_drift", n, seed, noise)


def led_drift(n: int, drifting: int = 1, seed: int = 1, noise: int = 10) -> Stream:
    """Return a stream of `led` in which relevant and irrelevant attributes change places.

    Nothing changes in time. A stream that drifts is made of two of these, with different
    numbers of attributes that have changed places, by `concept_drift`.

    Parameters
    ----------
    n : int
        Number of instances, at least 1.
    drifting : int
        How many of the seven segments have changed places, the first ones: the i-th with
        the i-th irrelevant attribute.
    seed : int
        Seed of the instances. The digits are the same for any number of changed places.
    noise : int
        Per cent of the segments that are inverted.

    Returns
    -------
    Stream
        24 binary attributes, ten classes.

    Raises
    ------
    ConfigError
        If a parameter is outside its range.

    References
    ----------
    Draws: MOA 24.07, ``generators.LEDGeneratorDrift``.
    """
    check(n, drifting, seed, noise)
    column = np.arange(RELEVANT + IRRELEVANT)
    column[:drifting] += RELEVANT
    column[RELEVANT : RELEVANT + drifting] -= RELEVANT
    return display(n, seed, noise, column, "led_drift")
