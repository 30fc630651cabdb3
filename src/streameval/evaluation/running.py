"""Running several learners over the tapes of one protocol."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Codes
from streameval.evaluation.folds import play_folds
from streameval.evaluation.predictions import PredictionTable, check_ids
from streameval.learners.asking import labels_of
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.learner import Learner, Progress
from streameval.learners.predictions import PredictedValues, Predictions
from streameval.protocols.partial import Partial
from streameval.protocols.protocol import Protocol
from streameval.protocols.tape import PREDICT, Tape
from streameval.streams.stream import Stream

#: Events that are looked at at a time.
_STRETCH = 1 << 16
_COMPARATORS: dict[str, Learner] = {NoChange.name: NoChange(), Majority.name: Majority()}


class Cost(NamedTuple):
    """Costs of a learner over all folds: CPU seconds, and the size of its models at the end.

    `labels` is how many it has learnt, where that is a part of those that are there, `fits` how
    often one that is retrained was fitted.
    """

    learner: str
    instances: int
    seconds: float
    model_bytes: int
    labels: int | None = None
    fits: int | None = None

    def as_dict(self) -> dict[str, float | int | None]:
        """Return the costs as plain numbers, None where not known."""
        seconds = None if math.isnan(self.seconds) else self.seconds
        size = self.model_bytes or None
        further = {"labels": self.labels, "fits": self.fits}
        known = {name: value for name, value in further.items() if value is not None}
        return {"instances": self.instances, "seconds": seconds, "model_bytes": size, **known}


def cost_of(
    learner: str, instances: int, found: Predictions | PredictedValues, labels: int | None = None
) -> Cost:
    """Return the costs of a run, in which so many labels were learnt if that is not all."""
    fits = found.size.get("fits")
    return Cost(learner, instances, found.seconds, found.model_bytes, labels, fits)


def run_learners(
    stream: Stream,
    protocol: Protocol | Tape,
    learners: Mapping[str, Learner],
    seed: int | tuple[str | int, ...] = 1,
    announce: Callable[[str, Predictions], object] | None = None,
    *,
    scores: Collection[str] = (),
    progress: Progress | None = None,
) -> tuple[PredictionTable, list[Cost]]:
    """Run several learners over the same tapes.

    No-Change and Majority are added to `learners` if they are missing, because κ_t and κ_m compare
    with their predictions over the same tapes. For a `seed` with folds see `play_folds`. `announce`
    is called with the id and the predictions (of all folds) of each learner when it has finished,
    with class scores for the ids in `scores`; nothing else keeps these. `progress` is called with
    the number of events processed since the last call.

    Predictions before any label is known are left out where labels are delayed, or not all learnt;
    those of a tape are all there. Costs are by learner, as they were run.

    Raises ConfigError if a learner's id is the name of another column. Raises DataError if the
    protocol needs time stamps that the stream does not have.
    """
    check_ids(learners)
    tapes = [protocol] if isinstance(protocol, Tape) else protocol.tapes(stream)
    places = _places(stream, tapes)
    instances = len(stream) if places["row"] is places["ordinal"] else sum(map(_instances, tapes))
    predicted, costs = {}, list[Cost]()
    for name, learner in with_comparators(learners).items():
        folds = play_folds(
            learner, stream, tapes, seed=seed, scores=name in scores, progress=progress
        )
        predictions = _joined(folds)
        predicted[name] = predictions.label
        labels = _labels_learnt(protocol, tapes, predictions)
        costs.append(cost_of(name, instances, predictions, labels))
        if announce is not None:
            announce(name, predictions)
    table = PredictionTable(
        stream.y if places["row"] is places["ordinal"] else stream.y[places["row"]],
        predicted,
        stream.n_classes,
        **places,
        stream=stream.name,
        protocol="" if isinstance(protocol, Tape) else str(protocol),
    )
    if isinstance(protocol, Protocol) and protocol.starts_unlabelled:
        table = table.part(protocol.knows_a_label(stream)[places["row"]])
    return table, costs


def _labels_learnt(
    protocol: Protocol | Tape, tapes: Sequence[Tape], found: Predictions
) -> int | None:
    """Return how many labels a learner has learnt; None if the protocol has no label budget."""
    if not isinstance(protocol, Partial):
        return None
    return labels_of(found, tapes[0])


def with_comparators(learners: Mapping[str, Learner]) -> dict[str, Learner]:
    """Return learners by id, with No-Change and Majority at the end if they are missing."""
    missing = {name: made for name, made in _COMPARATORS.items() if name not in learners}
    return {**learners, **missing}


def _places(stream: Stream, tapes: Sequence[Tape]) -> dict[str, Any]:
    """Return row and ordinal of each prediction, and its time and fold if there are any."""
    rows = [tape.predict_rows for tape in tapes]
    if len(tapes) == 1 and len(tapes[0]) == len(stream) and _counts_up(rows[0], len(stream)):
        row = ordinal = rows[0]  # each event predicts the next instance: no copies
    else:
        row = np.concatenate(rows)
        ordinal = np.concatenate([np.flatnonzero(tape.op & PREDICT) for tape in tapes])
    folds: Codes | None = None
    if len(tapes) > 1:
        lengths = [len(predicted) for predicted in rows]
        folds = np.repeat(np.arange(len(tapes), dtype=np.int32), lengths)
    return {
        "row": row,
        "ordinal": ordinal.astype(np.int32, copy=False),
        "time": None if stream.time is None else stream.time[row],
        "fold": folds,
    }


def _counts_up(row: Codes, n: int) -> bool:
    """Return whether rows are 0, ..., n - 1 in this order."""
    parts = range(0, n, _STRETCH)
    return len(row) == n and all(
        np.array_equal(row[at : at + _STRETCH], np.arange(at, min(at + _STRETCH, n)))
        for at in parts
    )


def _instances(tape: Tape) -> int:
    """Return how many instances a tape refers to."""
    return int(np.count_nonzero(np.bincount(tape.row)))


def _joined(folds: Sequence[Predictions]) -> Predictions:
    """Return the predictions of all folds, concatenated, and their total costs."""
    if len(folds) == 1:
        return folds[0]
    scores = [found.scores for found in folds if found.scores is not None]
    fits = [found.size["fits"] for found in folds if "fits" in found.size]
    return Predictions(
        row=np.concatenate([found.row for found in folds]),
        label=np.concatenate([found.label for found in folds]),
        n_classes=folds[0].n_classes,
        scores=np.concatenate(scores) if scores else None,
        seconds=sum(found.seconds for found in folds),
        model_bytes=sum(found.model_bytes for found in folds),
        size={"fits": sum(fits)} if fits else {},
    )
