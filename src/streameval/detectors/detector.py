"""The `Detector` contract: alarms on a sequence of numbers.

A detector is a frozen dataclass whose fields are its parameters, so detectors with equal
parameters are equal. It reads one number after the other, so the alarms on the first inputs do not
depend on later ones. After each change it begins anew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.detectors.alarms import NUMBERS, Alarms, Inputs, alarms_of, checked_inputs
from streameval.notation import Named


@dataclass(frozen=True)
class Detector(Named, ABC):
    """A drift detector: its parameters, and the alarms that follow from them.

    ``str()`` of a detector is its name with the parameters that differ from their defaults:
    ``adwin:delta=0.05``.
    """

    what: ClassVar[str] = "detector"
    #: Its name in captions and messages.
    title: ClassVar[str]
    #: What its inputs must be.
    takes: ClassVar[Inputs] = NUMBERS

    def __str__(self) -> str:
        given = [(declared, getattr(self, declared.name)) for declared in self.parameters()]
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
        return alarms_of(self._signals(checked_inputs(self.title, values, self.takes), seed))

    @abstractmethod
    def _signals(self, x: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
        """Return QUIET, WARNING or CHANGE after each of n checked inputs, shape (n,)."""

    def _check_order(self, lower: str, upper: str) -> None:
        """Refuse a parameter that is larger than another one."""
        least, most = getattr(self, lower), getattr(self, upper)
        if least > most:
            message = f"expected {lower} <= {upper}, found {lower} {least} and {upper} {most}."
            raise self._refused(message, lower)


def _word(value: object) -> str:
    """Return the value of a parameter as it is written."""
    return str(value).lower() if isinstance(value, bool) else f"{value}"
