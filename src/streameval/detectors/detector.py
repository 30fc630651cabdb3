"""The base class of drift detectors, which signal alarms on a sequence of numbers.

A detector is a frozen dataclass whose fields are its parameters, so detectors with equal
parameters are equal. It reads inputs one by one, so alarms do not depend on later inputs. It
restarts after each change.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Configurable
from streameval.detectors.alarms import NUMBERS, Alarms, InputRange, check_inputs, split_signals

#: Function of inputs and an array for signals. It reads the inputs up to the first change, writes a
#: signal for each into the array, and returns the number of inputs that it has read.
InputReader = Callable[[Floats, Integers], int]


@dataclass(frozen=True)
class Detector(Configurable, ABC):
    """A drift detector with its parameters; `run` signals the alarms on a sequence.

    ``str()`` shows the name and the parameters that differ from their defaults, such as
    ``adwin:delta=0.05``.
    """

    noun: ClassVar[str] = "detector"  # for messages
    #: Name in captions and messages.
    title: ClassVar[str]
    valid_inputs: ClassVar[InputRange] = NUMBERS

    def __str__(self) -> str:
        values = [
            (declared, getattr(self, declared.name)) for declared in self.declared_parameters()
        ]
        settings = [
            f"{declared.name}={_format(value)}"
            for declared, value in values
            if value != declared.default
        ]
        return ":".join([self.name, *settings])

    def run(self, values: ArrayLike, seed: int = 1) -> Alarms:
        """Run the detector over a sequence.

        Parameters
        ----------
        values : array-like of float or bool, shape (n,)
            The inputs in order, for example 1 for an error and 0 for a correct prediction.
        seed : int
            Seed of a randomised detector.

        Returns
        -------
        Alarms
            Indices of the inputs after which the detector signalled a warning or a change.

        Raises
        ------
        DataError
            If an input is not one of `valid_inputs`.
        """
        x = check_inputs(self.title, values, self.valid_inputs)
        read_inputs, signals, n_read = self._begin(seed), np.empty(len(x), dtype=np.int64), 0
        while n_read < len(x):
            n_read += read_inputs(x[n_read:], signals[n_read:])
        return split_signals(signals)

    def begin(self, seed: int = 1) -> Callable[[ArrayLike], Integers]:
        """Begin a run over a sequence that arrives in chunks.

        Parameters
        ----------
        seed : int
            Seed of a randomised detector.

        Returns
        -------
        callable
            Takes the next inputs, and returns QUIET, WARNING or CHANGE for each of them up to the
            first change. Inputs after a change are not read: pass them again. The signals equal
            the signals of `run`, however the sequence is divided.
        """
        read_inputs = self._begin(seed)

        def read_chunk(values: ArrayLike) -> Integers:
            x = check_inputs(self.title, values, self.valid_inputs)
            signals = np.empty(len(x), dtype=np.int64)
            return signals[: read_inputs(x, signals)]

        return read_chunk

    @abstractmethod
    def _begin(self, seed: int) -> InputReader:
        """Start a run. Return the function that reads its inputs, see `InputReader`."""


def _format(value: object) -> str:
    """The value of a parameter in the notation of settings."""
    return str(value).lower() if isinstance(value, bool) else f"{value}"
