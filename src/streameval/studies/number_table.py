"""The predictions of several regressors side by side, beside the true targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from streameval.errors import ConfigError
from streameval.learners.learner import Progress
from streameval.learners.regression.regressor import Regressor
from streameval.protocols.protocol import Protocol
from streameval.protocols.tape import Tape
from streameval.streams.stream import Stream
from streameval.studies.prediction_table import check_ids
from streameval.studies.running import Cost

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NumberTable:
    """The predictions of several regressors over a tape, in its order.

    Parameters
    ----------
    true : ndarray of float64, shape (p,)
        True targets; NaN where a target is not known.
    predicted : mapping of str to ndarray of float64, shape (p,)
        Predicted targets by regressor, NaN where there is no prediction.
    row : ndarray of int32, shape (p,)
        Row of the stream that is predicted.
    """

    true: Floats
    predicted: Mapping[str, Floats]
    row: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.true)

    def errors(self, learner: str) -> Floats:
        """Return |true - predicted| for each prediction; NaN where one of them is missing."""
        found: Floats = np.abs(self.true - self.predicted[learner])
        return found

    def part(self, which: NDArray[np.bool_]) -> NumberTable:
        """Return some of the predictions."""
        predicted = {name: values[which] for name, values in self.predicted.items()}
        return NumberTable(self.true[which], predicted, self.row[which])

    def missing(self, learner: str) -> int:
        """Return the number of known targets without a prediction of a regressor."""
        without = np.isnan(self.predicted[learner]) & ~np.isnan(self.true)
        return int(np.count_nonzero(without))


def run_regressors(
    stream: Stream,
    protocol: Protocol | Tape,
    regressors: Mapping[str, Regressor],
    seed: int = 1,
    *,
    scored: NDArray[np.int32] | None = None,
    progress: Progress | None = None,
) -> tuple[NumberTable, list[Cost]]:
    """Run several regressors over the same tape.

    Parameters
    ----------
    stream : Stream
        The instances.
    protocol : Protocol or Tape
        What is predicted and learnt, in which order; without folds.
    regressors : mapping of str to Regressor
        Regressors by id.
    seed : int
        Seed of the randomised ones.
    scored : ndarray of int32, optional
        The rows whose targets become known; by default all.
    progress : callable, optional
        Called with the number of events processed since the last call.

    Raises
    ------
    ConfigError
        If an id is the name of another column, or the protocol has folds.
    DataError
        If the protocol needs time stamps that the stream does not have.
    """
    check_ids(regressors)
    if isinstance(protocol, Tape):
        tape = protocol
    else:
        check_one_fold(protocol)
        (tape,) = protocol.tapes(stream)
    predicted, costs = {}, list[Cost]()
    instances = int(np.count_nonzero(np.bincount(tape.row)))
    for name, regressor in regressors.items():
        found = regressor.play(stream, tape, seed, progress=progress)
        predicted[name] = found.value
        costs.append(Cost(name, instances, found.seconds, found.model_bytes))
    row = tape.predict_rows
    target: Floats = stream.y
    if scored is not None:
        target = np.full(len(stream), np.nan)
        target[scored] = stream.y[scored]
    true = target[row]
    return NumberTable(true, predicted, row), costs


def check_one_fold(protocol: Protocol) -> None:
    """Refuse folds, which regressors do not have."""
    if protocol.has_folds:
        raise ConfigError(
            f"Regressors: expected a protocol without folds, found {str(protocol)!r}. Choose "
            "prequential, delayed or reevaluation."
        )
