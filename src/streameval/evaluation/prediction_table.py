"""The predictions of several learners side by side, beside the true labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.errors import ConfigError, some
from streameval.evaluation.roles import MAJORITY
from streameval.streams.stream import NO_LABEL

#: What is kept of each prediction besides labels, where it is known.
PLACES = ("row", "ordinal", "time", "fold")
#: Names that no learner may have, since a file has them as columns.
RESERVED = (*PLACES, "true")


def check_ids(learners: Iterable[str]) -> None:
    """Refuse ids of learners that are names of other columns.

    Raises
    ------
    ConfigError
        If there is one.
    """
    wrong = [name for name in learners if name in RESERVED]
    if wrong:
        raise ConfigError(
            f"No learner can be called {some(wrong)}: tables of predictions have columns of the "
            f"names {', '.join(RESERVED)}. Choose another id."
        )


@dataclass(frozen=True)
class PredictionTable:
    """The predictions of several learners over the tapes of one protocol.

    Folds stand one behind the other; within a fold, predictions are in the order of its tape.

    Parameters
    ----------
    true : ndarray of int32, shape (p,)
        True class codes, `NO_LABEL` where the label is missing: see `scored`.
    predicted : mapping of str to ndarray of int16, shape (p,)
        Predicted class codes by learner id, -1 where there is none; `COMPARATORS` are among them.
    n_classes : int
        Declared number of classes.
    row : ndarray of int32, shape (p,), optional
        Row of the stream that is predicted.
    ordinal : ndarray of int32, shape (p,), optional
        Place in the tape: the number of events of the fold, predicted or learnt, that come before
        the prediction.
    time : ndarray of int64, shape (p,), optional
        When the instance arrives, where the stream says so.
    fold : ndarray of int32, shape (p,), optional
        Which model predicts, where there are several: 0, 1, ...
    stream, protocol : str
        The stream's name, and the protocol as ``str()`` gives it; "" where they are not known.
    majority : str
        The learner that κ_m compares with.
    """

    true: NDArray[np.int32]
    predicted: Mapping[str, NDArray[np.int16]]
    n_classes: int
    row: NDArray[np.int32] | None = None
    ordinal: NDArray[np.int32] | None = None
    time: NDArray[np.int64] | None = None
    fold: NDArray[np.int32] | None = None
    stream: str = ""
    protocol: str = ""
    majority: str = MAJORITY

    def __len__(self) -> int:
        return len(self.true)

    def places(self) -> dict[str, NDArray[Any]]:
        """Return what is known of `PLACES`, by name."""
        known = {name: getattr(self, name) for name in PLACES}
        return {name: values for name, values in known.items() if values is not None}

    def scored(self) -> PredictionTable:
        """Return the predictions of instances with labels, which alone can be measured."""
        labelled = self.true != NO_LABEL
        return self if labelled.all() else self.part(labelled)

    def on_arrival(self) -> PredictionTable:
        """Return the first prediction of each instance, in their order."""
        if self.row is None or self.fold is not None:
            return self
        first = np.zeros(len(self), dtype=bool)
        first[np.unique(self.row, return_index=True)[1]] = True
        return self if first.all() else self.part(first)

    def by_fold(self) -> list[PredictionTable]:
        """Return a table for each fold; without folds, this one alone."""
        if self.fold is None:
            return [self]
        last = int(self.fold.max(initial=-1))
        return [replace(self.part(self.fold == fold), fold=None) for fold in range(last + 1)]

    def part(self, which: NDArray[np.bool_]) -> PredictionTable:
        """Return some of the predictions, in their order."""
        places: dict[str, Any] = {name: values[which] for name, values in self.places().items()}
        predicted = {name: labels[which] for name, labels in self.predicted.items()}
        return replace(self, true=self.true[which], predicted=predicted, **places)

    def require_one_fold(self, what: str) -> None:
        """Refuse the predictions of several folds, which are not one sequence.

        Parameters
        ----------
        what : str
            What needs a sequence, the subject of the message.

        Raises
        ------
        ConfigError
            If there are folds.
        """
        if self.fold is not None:
            raise ConfigError(
                f"{what}: expected predictions in one sequence, found those of several folds "
                f"(stream {self.stream!r}, protocol {self.protocol}). Choose a protocol without "
                "folds, such as prequential, or measures over all predictions."
            )
