"""Digits of a seven-segment display, with the draws of MOA's LED generators."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.compiled.java_random import java_random, next_int
from streameval.compiled.kernels import generating
from streameval.streams.generators.recipe import (
    Draw,
    Generator,
    check_flags,
    check_integers,
    check_seeds,
)
from streameval.streams.stream import Attribute, Schema, Stream

#: Segments that are lit for the digits 0 to 9: top; upper left and right; middle; lower left
#: and right; bottom.
SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ],
    dtype=np.int8,
)
RELEVANT, IRRELEVANT = SEGMENTS.shape[1], 17


@generating
def _fill(
    X: NDArray[np.float64],
    y: NDArray[np.int32],
    random: NDArray[np.int64],
    column: NDArray[np.int64],
    noise: int,
) -> None:
    for t in range(len(y)):
        digit = next_int(random, 10)
        for j in range(RELEVANT):
            lit = SEGMENTS[digit, j]
            X[t, column[j]] = 1 - lit if 1 + next_int(random, 100) <= noise else lit
        for j in range(RELEVANT, len(column)):
            X[t, column[j]] = next_int(random, 2)
        y[t] = digit


def display(seed: int, noise: int, column: NDArray[np.int64], name: str) -> Draw:
    """Return what draws a stream of digits in pieces.

    Parameters
    ----------
    seed, noise
        As for `led`.
    column : ndarray of int64, shape (m,)
        Columns of the segments, then of the irrelevant attributes.
    name : str
        Name of the stream and, in messages, of the generator.

    """
    random, source = java_random(seed), f"LED generator, seed {seed}, noise {noise} %"
    schema = Schema(
        tuple(Attribute(f"att{j + 1}", ("0", "1")) for j in range(len(column))),
        classes=tuple(str(digit) for digit in range(len(SEGMENTS))),
    )

    def draw(rows: int) -> Stream:
        X, y = np.empty((rows, len(column))), np.empty(rows, dtype=np.int32)
        _fill(X, y, random, column, noise)
        return Stream(X, y, schema, name=name, source=source)

    return draw


def check_display(name: str, n: int, seed: int, noise: int) -> None:
    """Refuse parameters of `display` outside their ranges."""
    check_integers(name, 1, n=n)
    check_integers(name, 0, 100, noise=noise)
    check_seeds(name, seed=seed)


def check_led(n: int, seed: int, noise: int, irrelevant: bool) -> None:
    """Refuse parameters outside their ranges; see `led`."""
    check_flags("led", irrelevant=irrelevant)
    check_display("led", n, seed, noise)


def led(n: int, seed: int = 1, noise: int = 10, irrelevant: bool = True) -> Stream:
    """Return a stream of digits on a seven-segment display.

    Parameters
    ----------
    n : int
        Number of instances, at least 1.
    seed : int
        Seed of the instances.
    noise : int
        Percentage of the segments that are inverted.
    irrelevant : bool
        Whether 17 irrelevant attributes follow the seven segments.

    Returns
    -------
    Stream
        Binary attributes, ten classes, all uniform.

    Raises
    ------
    ConfigError
        If a parameter is outside its range.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and regression trees.
    Draws: MOA 24.07, ``generators.LEDGenerator``.
    """
    return start_led(n, seed, noise, irrelevant)(n)


def start_led(n: int, seed: int, noise: int, irrelevant: bool) -> Draw:
    """Return what draws the stream of `led` in pieces."""
    check_led(n, seed, noise, irrelevant)
    return display(seed, noise, np.arange(RELEVANT + IRRELEVANT * irrelevant), "led")


#: What the registry has.
LED = Generator(led, check_led, start_led)


def check_led_drift(n: int, drifting: int, seed: int, noise: int) -> None:
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
    return start_led_drift(n, drifting, seed, noise)(n)


def start_led_drift(n: int, drifting: int, seed: int, noise: int) -> Draw:
    """Return what draws the stream of `led_drift` in pieces."""
    check_led_drift(n, drifting, seed, noise)
    column = np.arange(RELEVANT + IRRELEVANT)
    column[:drifting] += RELEVANT
    column[RELEVANT : RELEVANT + drifting] -= RELEVANT
    return display(seed, noise, column, "led_drift")


#: What the registry has.
LED_DRIFT = Generator(led_drift, check_led_drift, start_led_drift)
