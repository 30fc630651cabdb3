"""The first predictions of all instances of a re-evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.evaluation.reevaluation import ReevaluatedStream
from streameval.evaluation.run import run_learners
from streameval.items.inputs import StreamInput
from streameval.protocols.reevaluation import FIRST


def first_predictions(
    stream_input: StreamInput[Any], run: ReevaluatedStream, seed: int | tuple[str | int, ...] = 1
) -> dict[str, NDArray[np.int16]]:
    """Run the learners of an item; return the first predictions of all rows, -1 if missing."""
    learners = stream_input.learners()
    table, costs = run_learners(run.stream, run.tape, learners, seed)
    for cost in costs:
        stream_input.announce(f"{cost.learner}: {cost.seconds:.2f} s")
    is_first = run.prediction_events.kind == FIRST
    rows, predictions = run.prediction_events.row[is_first], {}
    for name in learners:
        predictions[name] = np.full(len(run.stream), -1, dtype=np.int16)
        predictions[name][rows] = table.predicted[name][is_first]
    return predictions
