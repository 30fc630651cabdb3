"""Running several learners over the tapes of one protocol."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags
from streameval.evaluation.folds import run_over_tapes
from streameval.evaluation.predictions import (
    PredictionIntervals,
    PredictionTable,
    check_ids,
    run_intervals,
)
from streameval.learners.active_learning import ActivePredictions, count_labels_learnt, learnt_tape
from streameval.learners.baselines import with_classification_baselines
from streameval.learners.learner import AnyLearner, Progress
from streameval.learners.predictions import join_predictions
from streameval.protocols.partial import Partial
from streameval.protocols.protocol import Protocol
from streameval.protocols.tape import PREDICT, Tape
from streameval.streams.groups import select_groups
from streameval.streams.stream import Stream
from streameval.streams.timeline import Clock

if TYPE_CHECKING:
    from streameval.learners.wrappers.conformal import Conformal

#: Default seed of learners.
SEED = 1
#: Number of events that are compared at a time, to limit memory.
_CHUNK = 1 << 16


class Cost(NamedTuple):
    """Costs of a learner over all folds: CPU seconds, and the size of its models at the end.

    `labels` is the number of learnt labels if only a part of the labels is learnt; `fits` is the
    number of fits of a learner that is retrained.
    """

    learner: str
    instances: int
    seconds: float
    model_bytes: int
    labels: int | None = None
    fits: int | None = None

    def as_dict(self) -> dict[str, float | int | None]:
        """Costs as plain numbers; None where unknown."""
        seconds = None if math.isnan(self.seconds) else self.seconds
        size = self.model_bytes or None  # 0 bytes: unknown
        optional = {"labels": self.labels, "fits": self.fits}
        optional = {name: value for name, value in optional.items() if value is not None}
        return {"instances": self.instances, "seconds": seconds, "model_bytes": size, **optional}


class Run(NamedTuple):
    """All predictions of several learners over the tapes of a protocol, and which are scored.

    Parameters
    ----------
    table : PredictionTable
        All predictions.
    scored : ndarray of bool, shape (p,)
        Mask of the predictions made after every learner had learnt a label, see
        `Protocol.scored_rows`. Measures also need a known true label. All predictions of a tape
        without a protocol are scored.
    costs : list of Cost
        In the order in which the learners ran.
    """

    table: PredictionTable
    scored: Flags
    costs: list[Cost]


def run_learners(
    stream: Stream,
    protocol: Protocol | Tape,
    learners: Mapping[str, AnyLearner[Any]],
    seed: int | tuple[str | int, ...] = SEED,
    announce: Callable[[str, Any], object] | None = None,
    *,
    scores: Collection[str] = (),
    progress: Progress | None = None,
    fail: Callable[[str, Exception], object] | None = None,
) -> tuple[PredictionTable, list[Cost]]:
    """Run several learners over the same tapes; return the scored predictions, and the costs.

    For the parameters see `run_with_unscored`, which also returns the other predictions.
    """
    table, scored, costs = run_with_unscored(
        stream, protocol, learners, seed, announce, scores=scores, progress=progress, fail=fail
    )
    return table if scored.all() else table.select(scored), costs


def run_with_unscored(
    stream: Stream,
    protocol: Protocol | Tape,
    learners: Mapping[str, AnyLearner[Any]],
    seed: int | tuple[str | int, ...] = SEED,
    announce: Callable[[str, Any], object] | None = None,
    *,
    tapes: Sequence[Tape] | None = None,
    scores: Collection[str] = (),
    conformal: Conformal | None = None,
    progress: Progress | None = None,
    fail: Callable[[str, Exception], object] | None = None,
) -> Run:
    """Run several learners over the same tapes; return all predictions, scored or not.

    No-Change and Majority are added to classifiers, as the references of κ_t and κ_m. `tapes` are
    the tapes of the protocol, computed by default. For `seed` see `run_over_tapes`. `announce` is
    called with the name and the predictions of each learner, including class scores of learners in
    `scores`; the result does not keep them. Regressors without prediction intervals get intervals
    by `conformal`. If a learner fails, `fail` is called with its name and the error, and the
    learner is left out; without `fail` the error is raised.
    """
    check_ids(learners)
    if tapes is None:
        tapes = [protocol] if isinstance(protocol, Tape) else protocol.tapes(stream)
    rows, position_columns, is_prequential = _positions(stream, tapes)
    n_instances = len(stream) if is_prequential else sum(map(_count_instances, tapes))
    predicted, intervals, costs = (
        dict[str, NDArray[Any]](),
        dict[str, PredictionIntervals](),
        list[Cost](),
    )
    scored_predictions = ScoredPredictions(stream, protocol, tapes)
    for name, learner in (
        with_classification_baselines(learners) if stream.n_classes else learners
    ).items():
        try:
            folds = run_over_tapes(
                learner, stream, tapes, seed=seed, scores=name in scores, progress=progress
            )
        except Exception as error:
            if fail is None:
                raise
            fail(name, error)
            continue
        scored_predictions.add(learner, folds)
        if conformal is not None:
            folds = [
                _with_intervals(fold, conformal, stream, tapes[i]) for i, fold in enumerate(folds)
            ]
        predictions = join_predictions(folds)
        predicted[name] = predictions.predicted
        if (ends := run_intervals(predictions)) is not None:
            intervals[name] = ends
        labels = None
        if isinstance(protocol, Partial):  # it has a single tape
            labels = count_labels_learnt(predictions, tapes[0])
        fits = predictions.size.get("fits")  # only retrained learners have it
        costs.append(
            Cost(name, n_instances, predictions.seconds, predictions.model_bytes, labels, fits)
        )
        if announce is not None:
            announce(name, predictions)
    table = PredictionTable(
        stream.y if is_prequential else stream.y[rows],
        predicted,
        stream.n_classes,
        **position_columns,
        stream=stream.name,
        protocol="" if isinstance(protocol, Tape) else str(protocol),
        intervals=intervals,
        coverage=None if conformal is None else conformal.coverage,
        groups=select_groups(stream.groups, rows),
        clock=Clock.of(stream),
    )
    return Run(table, scored_predictions.scored, costs)


class ScoredPredictions:
    """Predictions of several tapes that were made after all learners had learnt a label."""

    def __init__(self, stream: Stream, protocol: Protocol | Tape, tapes: Sequence[Tape]) -> None:
        self._stream, self._protocol, self._tapes = stream, protocol, tapes
        self._by_tape: list[Flags] | None = None

    def add(self, learner: AnyLearner[Any], runs: Sequence[Any]) -> None:
        """Add the runs of a learner, one for each tape."""
        if isinstance(self._protocol, Tape) or not learner.learns:
            return
        # Learners that choose their labels differ in their first label; all others share it.
        if self._by_tape is None or isinstance(runs[0], ActivePredictions):
            masks = [
                self._protocol.scored_rows(self._stream, learnt_tape(run, tape))[tape.predict_rows]
                for run, tape in zip(runs, self._tapes, strict=True)
            ]
            previous = self._by_tape or masks
            self._by_tape = [
                mask & other_mask for mask, other_mask in zip(previous, masks, strict=True)
            ]

    @property
    def scored(self) -> Flags:
        """Mask of the predictions of all tapes, tape after tape, shape (p,)."""
        if self._by_tape is None:
            return np.ones(sum(len(tape.predict_rows) for tape in self._tapes), dtype=np.bool_)
        return np.concatenate(self._by_tape)


def _with_intervals(predictions: Any, conformal: Conformal, stream: Stream, tape: Tape) -> Any:
    if predictions.low is not None:
        return predictions
    return conformal.add_intervals(predictions, stream, tape)


def _positions(stream: Stream, tapes: Sequence[Tape]) -> tuple[Codes, dict[str, Any], bool]:
    """Rows in the stream, columns of `POSITION_COLUMNS`, and whether the tape is prequential.

    In a prequential tape each event predicts the next instance.
    """
    rows_by_tape = [tape.predict_rows for tape in tapes]
    n = len(stream)
    is_prequential = len(tapes) == 1 and len(tapes[0]) == n and _is_range(rows_by_tape[0], n)
    if is_prequential:
        rows = ordinal = rows_by_tape[0]  # shared, to save memory
    else:
        rows = np.concatenate(rows_by_tape)
        ordinal = np.concatenate([np.flatnonzero(tape.op & PREDICT) for tape in tapes])
    folds: Codes | None = None
    if len(tapes) > 1:
        lengths = [len(tape_rows) for tape_rows in rows_by_tape]
        folds = np.repeat(np.arange(len(tapes), dtype=np.int32), lengths)
    position_columns = {
        "row": stream.file_row_of(rows),
        "instance": None if stream.source_rows is None else rows,
        "ordinal": ordinal.astype(np.int32, copy=False),
        "time": None if stream.time is None else stream.time[rows],
        "fold": folds,
    }
    return rows, position_columns, is_prequential


def _is_range(rows: Codes, n: int) -> bool:
    """Whether rows are 0, ..., n - 1 in order."""
    return len(rows) == n and all(
        np.array_equal(rows[start : start + _CHUNK], np.arange(start, min(start + _CHUNK, n)))
        for start in range(0, n, _CHUNK)
    )


def _count_instances(tape: Tape) -> int:
    """Number of distinct instances of a tape."""
    return int(np.count_nonzero(np.bincount(tape.row)))
