"""Running several learners over the tapes of one protocol."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags
from streameval.evaluation.folds import run_over_tapes
from streameval.evaluation.predictions import Ends, PredictionTable, check_ids, run_intervals
from streameval.learners.active_learning import ActivePredictions, count_labels_learnt, learnt_tape
from streameval.learners.baselines import with_comparators
from streameval.learners.learner import AnyLearner, Progress
from streameval.learners.predictions import join_predictions
from streameval.protocols.partial import Partial
from streameval.protocols.protocol import Protocol
from streameval.protocols.tape import PREDICT, Tape
from streameval.streams.groups import part_of
from streameval.streams.stream import Stream
from streameval.streams.timeline import Clock

if TYPE_CHECKING:
    from streameval.learners.wrappers.conformal import Conformal

#: Default seed of learners.
SEED = 1
#: Number of events that are compared at a time.
_STRETCH = 1 << 16


class Cost(NamedTuple):
    """Costs of a learner over all folds: CPU seconds, and the size of its models at the end.

    `labels` is the number of learnt labels if only a part is learnt; `fits` is the number of fits
    of a learner that is retrained.
    """

    learner: str
    instances: int
    seconds: float
    model_bytes: int
    labels: int | None = None
    fits: int | None = None

    def as_dict(self) -> dict[str, float | int | None]:
        """Costs as plain numbers, None where not known."""
        seconds = None if math.isnan(self.seconds) else self.seconds
        size = self.model_bytes or None
        further = {"labels": self.labels, "fits": self.fits}
        known = {name: value for name, value in further.items() if value is not None}
        return {"instances": self.instances, "seconds": seconds, "model_bytes": size, **known}


class Run(NamedTuple):
    """All predictions of several learners over the tapes of a protocol, and which are scored.

    Parameters
    ----------
    table : PredictionTable
        All predictions.
    scored : ndarray of bool, shape (p,)
        Mask of the predictions made after every learner had learnt a label, see
        `Protocol.scored_rows`. Measures need a known true label in addition. All predictions of a
        tape without a protocol are scored.
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

    For the parameters see `run_all`.
    """
    table, scored, costs = run_all(
        stream, protocol, learners, seed, announce, scores=scores, progress=progress, fail=fail
    )
    return table if scored.all() else table.part(scored), costs


def run_all(
    stream: Stream,
    protocol: Protocol | Tape,
    learners: Mapping[str, AnyLearner[Any]],
    seed: int | tuple[str | int, ...] = SEED,
    announce: Callable[[str, Any], object] | None = None,
    *,
    tapes: Sequence[Tape] | None = None,
    scores: Collection[str] = (),
    around: Conformal | None = None,
    progress: Progress | None = None,
    fail: Callable[[str, Exception], object] | None = None,
) -> Run:
    """Run several learners over the same tapes.

    No-Change and Majority are added to classifiers, as the references of κ_t and κ_m. `tapes` are
    those of the protocol, computed by default. `announce` is called with the predictions of each
    learner, and the class scores of learners in `scores`, which are kept nowhere else. Regressors
    without prediction intervals get those of `around`. `fail` is called with a learner and its
    error, and the learner is left out; without `fail` the error is raised.
    """
    check_ids(learners)
    if tapes is None:
        tapes = [protocol] if isinstance(protocol, Tape) else protocol.tapes(stream)
    places = _places(stream, tapes)
    at = places.pop("at")
    instances = len(stream) if at is places["ordinal"] else sum(map(_instances, tapes))
    predicted, intervals, costs = dict[str, NDArray[Any]](), dict[str, Ends](), list[Cost]()
    counting = ScoredPredictions(stream, protocol, tapes)
    for name, learner in (with_comparators(learners) if stream.n_classes else learners).items():
        try:
            folds = run_over_tapes(
                learner, stream, tapes, seed=seed, scores=name in scores, progress=progress
            )
        except Exception as error:
            if fail is None:
                raise
            fail(name, error)
            continue
        counting.add(learner, folds)
        if around is not None:
            folds = [_surrounded(fold, around, stream, tapes[i]) for i, fold in enumerate(folds)]
        predictions = join_predictions(folds)
        predicted[name] = predictions.predicted
        if (ends := run_intervals(predictions)) is not None:
            intervals[name] = ends
        labels = (
            count_labels_learnt(predictions, tapes[0]) if isinstance(protocol, Partial) else None
        )
        fits = predictions.size.get("fits")
        costs.append(
            Cost(name, instances, predictions.seconds, predictions.model_bytes, labels, fits)
        )
        if announce is not None:
            announce(name, predictions)
    table = PredictionTable(
        stream.y if at is places["ordinal"] else stream.y[at],
        predicted,
        stream.n_classes,
        **places,
        stream=stream.name,
        protocol="" if isinstance(protocol, Tape) else str(protocol),
        intervals=intervals,
        coverage=None if around is None else around.coverage,
        groups=part_of(stream.groups, at),
        clock=Clock.of(stream),
    )
    return Run(table, counting.scored, costs)


class ScoredPredictions:
    """Predictions of several tapes that were made after all learners had learnt a label."""

    def __init__(self, stream: Stream, protocol: Protocol | Tape, tapes: Sequence[Tape]) -> None:
        self._stream, self._protocol, self._tapes = stream, protocol, tapes
        self._by_tape: list[Flags] | None = None

    def add(self, learner: AnyLearner[Any], runs: Sequence[Any]) -> None:
        """Add the runs of a learner, one for each tape."""
        if isinstance(self._protocol, Tape) or not learner.learns:
            return
        if self._by_tape is None or isinstance(runs[0], ActivePredictions):
            masks = [
                self._protocol.scored_rows(self._stream, learnt_tape(run, tape))[tape.predict_rows]
                for run, tape in zip(runs, self._tapes, strict=True)
            ]
            before = self._by_tape or masks
            self._by_tape = [
                mask & other_mask for mask, other_mask in zip(before, masks, strict=True)
            ]

    @property
    def scored(self) -> Flags:
        """Mask of the predictions of all tapes, tape after tape, shape (p,)."""
        if self._by_tape is None:
            return np.ones(sum(len(tape.predict_rows) for tape in self._tapes), dtype=np.bool_)
        return np.concatenate(self._by_tape)


def _surrounded(predictions: Any, around: Conformal, stream: Stream, tape: Tape) -> Any:
    return (
        around.add_intervals(predictions, stream, tape) if predictions.low is None else predictions
    )


def _places(stream: Stream, tapes: Sequence[Tape]) -> dict[str, Any]:
    """Position of each prediction in file, stream (`at`) and tape, with its time and fold."""
    rows = [tape.predict_rows for tape in tapes]
    if len(tapes) == 1 and len(tapes[0]) == len(stream) and _counts_up(rows[0], len(stream)):
        at = ordinal = rows[0]  # each event predicts the next instance: share the array
    else:
        at = np.concatenate(rows)
        ordinal = np.concatenate([np.flatnonzero(tape.op & PREDICT) for tape in tapes])
    folds: Codes | None = None
    if len(tapes) > 1:
        lengths = [len(predicted) for predicted in rows]
        folds = np.repeat(np.arange(len(tapes), dtype=np.int32), lengths)
    return {
        "at": at,
        "row": stream.file_row_of(at),
        "instance": None if stream.source_rows is None else at,
        "ordinal": ordinal.astype(np.int32, copy=False),
        "time": None if stream.time is None else stream.time[at],
        "fold": folds,
    }


def _counts_up(row: Codes, n: int) -> bool:
    """Whether rows are 0, ..., n - 1 in order."""
    parts = range(0, n, _STRETCH)
    return len(row) == n and all(
        np.array_equal(row[at : at + _STRETCH], np.arange(at, min(at + _STRETCH, n)))
        for at in parts
    )


def _instances(tape: Tape) -> int:
    """Number of distinct instances of a tape."""
    return int(np.count_nonzero(np.bincount(tape.row)))
