"""The `Detector` contract: alarms on a sequence of numbers.

A detector is a frozen dataclass whose fields are its parameters, so detectors with equal
parameters are equal. It reads one number after the other, so the alarms on the first inputs do not
depend on later ones. After each change it begins anew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Declared
from streameval.detectors.alarms import NUMBERS, Alarms, InputRange, alarms_of, checked_inputs

#: Reads some inputs up to the first change, writes a signal after each, and returns how many it has
#: read.
Feed = Callable[[Floats, Integers], int]


@dataclass(frozen=True)
class Detector(Declared, ABC):
    """A drift detector: its parameters, and the alarms that follow from them.

    ``str()`` of a detector is its name with the parameters that differ from their defaults:
    ``adwin:delta=0.05``.
    """

    what: ClassVar[str] = "detector"
    #: Its name in captions and messages.
    title: ClassVar[str]
    #: What its inputs must be.
    takes: ClassVar[InputRange] = NUMBERS

    def __str__(self) -> str:
        given = [(declared, getattr(self, declared.name)) for declared in self.declared()]
        words = [f"{one.name}={_word(value)}" for one, value in given if value != one.default]
        return ":".join([self.name, *words])

    def run(self, values: ArrayLike, seed: int = 1) -> Alarms:
        """Run the detector over a sequence.

        Parameters
        ----------
        values : array-like of float or bool, shape (n,)
            The inputs in order, for example 1 for an error and 0 for a correct prediction.
        seed : int
            Seed of the draws of a detector that makes any.

        Returns
        -------
        Alarms
            The inputs after which it signalled a warning, and those after which it signalled a
            change.

        Raises
        ------
        DataError
            If the detector does not take such inputs, see `takes`.
        """
        x = checked_inputs(self.title, values, self.takes)
        feed, signals, at = self._begin(seed), np.empty(len(x), dtype=np.int64), 0
        while at < len(x):
            at += feed(x[at:], signals[at:])
        return alarms_of(signals)

    def begin(self, seed: int = 1) -> Callable[[ArrayLike], Integers]:
        """Begin a run over a sequence that comes in parts.

        Parameters
        ----------
        seed : int
            Seed of the draws of a detector that makes any.

        Returns
        -------
        callable
            Takes the next inputs, and returns QUIET, WARNING or CHANGE after each of them up to the
            first change; it has not read those behind it. The signals of `run` are those of all
            parts, wherever these end.
        """
        feed = self._begin(seed)

        def signals(values: ArrayLike) -> Integers:
            x = checked_inputs(self.title, values, self.takes)
            found = np.empty(len(x), dtype=np.int64)
            return found[: feed(x, found)]

        return signals

    @abstractmethod
    def _begin(self, seed: int) -> Feed:
        """Return what reads inputs up to the first change."""


def _word(value: object) -> str:
    """Return the value of a parameter as it is written."""
    return str(value).lower() if isinstance(value, bool) else f"{value}"
