"""A display with interchanged attributes, with the draws of MOA's `LEDGeneratorDrift`."""

from __future__ import annotations

import numpy as np

from streameval.streams.generators.checks import check_integers
from streameval.streams.generators.led import IRRELEVANT, RELEVANT, check_display, display
from streameval.streams.generators.recipe import Generator
from streameval.streams.stream import Stream


def check(n: int, drifting: int, seed: int, noise: int) -> None:
    """Refuse parameters outside their ranges; see `led_drift`."""
    check_integers("led_drift", 0, RELEVANT, drifting=drifting)
    check_display("led_drift", n, seed, noise)


def led_drift(n: int, drifting: int = 1, seed: int = 1, noise: int = 10) -> Stream:
    """Return a stream of `led` in which relevant and irrelevant attributes are interchanged.

    Nothing changes over time. For a drifting stream, combine two such streams with different
    numbers of interchanged attributes by `concept_drift`.

    Parameters
    ----------
    n : int
        Number of instances, at least 1.
    drifting : int
        Number of interchanged segments, 0 to 7: the i-th segment changes places with the i-th
        irrelevant attribute.
    seed : int
        Seed of the instances. The digits do not depend on `drifting`.
    noise : int
        Percentage of the segments that are inverted.

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


#: What the registry has.
GENERATOR = Generator(led_drift, check)
