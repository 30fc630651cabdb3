"""The predictions of several learners side by side, beside the true labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from streameval.measures.tally import Tally, tally
from streameval.measures.windows import fading_tallies, window_tallies
from streameval.studies.roles import COMPARATORS


@dataclass(frozen=True)
class PredictionTable:
    """The predictions of several learners for the predict events of one tape.

    Parameters
    ----------
    true : ndarray of int32, shape (p,)
        True class codes.
    predicted : dict of str to ndarray of int16, shape (p,)
        Predicted class codes by learner id; `COMPARATORS` are among them.
    n_classes : int
        Declared number of classes.
    """

    true: NDArray[np.int32]
    predicted: Mapping[str, NDArray[np.int16]]
    n_classes: int

    def tally(self, learner: str) -> Tally:
        """Count all predictions of a learner."""
        return tally(self.true, self.predicted[learner], self.n_classes, **self._comparators())

    def window_tallies(self, learner: str, window: int, at: NDArray[np.int64]) -> Tally:
        """Count the last `window` predictions of a learner at each of the positions `at`."""
        return window_tallies(
            self.true,
            self.predicted[learner],
            self.n_classes,
            window=window,
            at=at,
            **self._comparators(),
        )

    def faded_tallies(self, learner: str, smoothing: float, at: NDArray[np.int64]) -> Tally:
        """Count a learner's predictions with fading weights at each of the positions `at`.

        A weight is 1 - `smoothing` times that of the next prediction.
        """
        return fading_tallies(
            self.true,
            self.predicted[learner],
            self.n_classes,
            fading=1.0 - smoothing,
            at=at,
            **self._comparators(),
        )

    def _comparators(self) -> dict[str, NDArray[np.int16]]:
        return {name: self.predicted[name] for name in COMPARATORS}
