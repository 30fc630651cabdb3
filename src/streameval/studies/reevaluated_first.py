"""First predictions of a re-evaluation, which every instance has when it arrives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.protocols.reevaluation import FIRST
from streameval.studies.given import Given
from streameval.studies.reevaluated import Reevaluated
from streameval.studies.running import run_learners


def first_predictions(
    given: Given, made: Reevaluated, seed: int | tuple[str | int, ...] = 1
) -> dict[str, NDArray[np.int16]]:
    """Run the learners of an item and return the first predictions of all instances.

    Parameters
    ----------
    given : Given
        The item's learners.
    made : Reevaluated
        A stream, and the tape over it.
    seed : int or tuple of str and int
        Seed of the randomised learners.

    Returns
    -------
    dict of str to ndarray of int16, shape (n,)
        By learner, class codes for the rows of the stream; -1 for no prediction, and for rows that
        are not on the tape.
    """
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
