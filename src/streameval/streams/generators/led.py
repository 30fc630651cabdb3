"""Digits of a seven-segment display, with the draws of MOA's LED generators."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
from msgspec import Meta

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.params import Percentage, Seed, Whole
from streameval.compiled.java_random import java_random, next_int
from streameval.compiled.kernels import allocating_kernel
from streameval.streams.generators.generator import Draw, Generator
from streameval.streams.stream import Attribute, Schema

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
#: Number of segments, which are the relevant attributes.
RELEVANT = SEGMENTS.shape[1]
#: Number of irrelevant attributes.
IRRELEVANT = 17


@allocating_kernel
def _fill(X: Floats, y: Codes, random: Integers, columns: Integers, noise: int) -> None:
    for t in range(len(y)):
        digit = next_int(random, 10)
        for j in range(RELEVANT):
            lit = SEGMENTS[digit, j]
            is_inverted = 1 + next_int(random, 100) <= noise  # a percentage, as in MOA
            X[t, columns[j]] = 1 - lit if is_inverted else lit
        for j in range(RELEVANT, len(columns)):
            X[t, columns[j]] = next_int(random, 2)
        y[t] = digit


@dataclass(frozen=True)
class _LedGenerator(Generator):
    """Base class of the LED generators."""

    seed: Seed = 1
    noise: Percentage = 10

    @abstractmethod
    def _columns(self) -> Integers:
        """Columns of the segments, then of the irrelevant attributes, shape (m,)."""

    def _start(self, n: int) -> Draw:
        columns = self._columns()
        fill = partial(_fill, random=java_random(self.seed), columns=columns, noise=self.noise)
        source = f"LED generator, seed {self.seed}, noise {self.noise} %"
        schema = Schema(
            tuple(Attribute(f"att{j + 1}", ("0", "1")) for j in range(len(columns))),
            classes=tuple(str(digit) for digit in range(len(SEGMENTS))),
        )
        return self._make_draw(fill, schema, source)


@dataclass(frozen=True)
class Led(_LedGenerator):
    """Digits on a seven-segment display.

    Binary attributes, ten equally frequent classes.

    Parameters
    ----------
    seed : int
        Seed of the instances.
    noise : int
        Percentage of the segments that are inverted.
    irrelevant : bool
        Whether 17 irrelevant attributes follow the seven segments.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and regression trees.
    Draws: MOA 24.07, ``generators.LEDGenerator``.
    """

    irrelevant: bool = True

    name = "led"

    def _columns(self) -> Integers:
        return np.arange(RELEVANT + IRRELEVANT * self.irrelevant)


@dataclass(frozen=True)
class LedDrift(_LedGenerator):
    """Digits of `Led` in which relevant and irrelevant attributes are interchanged.

    24 binary attributes, ten classes. Nothing changes over time. For a drifting stream, combine two
    such streams with different numbers of interchanged attributes by `ConceptDrift`.

    Parameters
    ----------
    seed : int
        Seed of the instances. The digits do not depend on `drifting`.
    noise : int
        Percentage of the segments that are inverted.
    drifting : int
        Number of interchanged segments, 0 to 7: the i-th segment changes places with the i-th
        irrelevant attribute.

    References
    ----------
    Draws: MOA 24.07, ``generators.LEDGeneratorDrift``.
    """

    drifting: Annotated[Whole, Meta(le=RELEVANT)] = 1

    name = "led_drift"

    def _columns(self) -> Integers:
        columns = np.arange(RELEVANT + IRRELEVANT)
        # Segment i and irrelevant attribute i, which is column RELEVANT + i, change places.
        columns[: self.drifting] += RELEVANT
        columns[RELEVANT : RELEVANT + self.drifting] -= RELEVANT
        return columns
