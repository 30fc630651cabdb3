"""Errors of several regressors over one tape, in one or several runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.errors import DataError
from streameval.evaluation.fold_comparison import (
    Seeded,
    SideBySide,
    learnt_of,
    seconds_of,
)
from streameval.learners.predictions import PredictedValues
from streameval.protocols.tape import Tape
from streameval.streams.stream import Stream


@dataclass(frozen=True)
class ErrorRuns(SideBySide):
    """The absolute errors of several regressors.

    Parameters
    ----------
    errors : mapping of str to ndarray of float64, shape (runs, p)
        By regressor, NaN where there is no prediction.
    models : ndarray of int32, shape (n,)
        Number of runs that predict an instance.
    learnt, draws, seconds
        See `FoldRuns`.
    """

    errors: Mapping[str, Floats]
    models: Codes
    learnt: float
    draws: frozenset[str] | None
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def learners(self) -> tuple[str, ...]:
        """The names of the regressors."""
        return tuple(self.errors)

    @property
    def tested(self) -> Integers:
        """The number of predicted instances, shape (runs, 1)."""
        runs, predictions = next(iter(self.errors.values())).shape
        return np.full((runs, 1), predictions)

    def accuracy(self, learner: str) -> Floats:
        """Return the mean absolute error of each run, shape (runs, 1)."""
        if np.isnan(self.errors[learner]).all():
            raise DataError(f"Expected an instance that {learner} predicts, found none.")
        found: Floats = np.nanmean(self.errors[learner], axis=1, keepdims=True)
        return found

    def differences(self, first: str, second: str) -> Floats:
        """Return the mean error of the second less that of the first, shape (runs, 1)."""
        found: Floats = self._gaps(first, second).mean(axis=1, keepdims=True)
        return found

    def series(self, first: str, second: str) -> Floats:
        """Return the error of the second less that of the first, by instance, averaged over runs.

        Instances that one of them does not predict in a run are left out.
        """
        found: Floats = self._gaps(first, second).mean(axis=0)
        return found

    def values(self, learner: str) -> Floats:
        """Return the error of a regressor by predicted instance, averaged over runs."""
        errors = self.errors[learner]
        found: Floats = errors[:, ~np.isnan(errors).any(axis=0)].mean(axis=0)
        return found

    def _gaps(self, first: str, second: str) -> Floats:
        gaps = self.errors[second] - self.errors[first]
        known = ~np.isnan(gaps).any(axis=0)
        if not known.any():
            raise DataError(f"Expected an instance that {first} and {second} predict, found none.")
        found: Floats = gaps[:, known]
        return found


def errors_of(stream: Stream, tape: Tape, done: Seeded[PredictedValues], kept: Flags) -> ErrorRuns:
    """Return the errors of runs of regressors over one tape.

    See `streameval.evaluation.fold_comparison.seeded_runs`; `kept` says which predictions count,
    each of another row.
    """
    rows = tape.predict_rows[kept]
    errors = {
        name: np.abs(np.stack([run.value[kept] for run in own]) - stream.y[rows])
        for name, own in done.by_learner.items()
    }
    models = np.zeros(len(stream), np.int32)
    models[rows] = done.runs
    seconds = seconds_of(done.by_learner)
    return ErrorRuns(errors, models, learnt_of(stream, [tape]), done.draws, seconds)
