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
    given: StreamInput[Any], made: ReevaluatedStream, seed: int | tuple[str | int, ...] = 1
) -> dict[str, NDArray[np.int16]]:
    """Run the learners of an item and return the first predictions of all rows; -1 for none."""
    learners = given.learners()
    table, costs = run_learners(made.stream, made.tape, learners, seed)
    for cost in costs:
        given.announce(f"{cost.learner}: {cost.seconds:.2f} s")
    is_first = made.polls.which == FIRST
    rows, found = made.polls.row[is_first], {}
    for name in learners:
        found[name] = np.full(len(made.stream), -1, dtype=np.int16)
        found[name][rows] = table.predicted[name][is_first]
    return found
