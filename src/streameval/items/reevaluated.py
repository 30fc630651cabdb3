"""The re-evaluation that an item asks for, and the first predictions of all instances."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.params import LARGEST
from streameval.evaluation.reevaluation import Reevaluated, reevaluated
from streameval.evaluation.run import run_learners
from streameval.items.frame_dates import date_columns
from streameval.items.inputs import StreamInput
from streameval.protocols.reevaluation import FIRST
from streameval.streams.making import synthesise
from streameval.streams.stream import Stream
from streameval.streams.timeline import Timeline

#: Labels between two predictions, so many that there are none between the first and the last one.
FIRST_AND_LAST = LARGEST


def of_given(
    given: StreamInput[Any],
    every: int = FIRST_AND_LAST,
    *,
    whole: bool = False,
) -> Reevaluated:
    """Return the re-evaluation that the settings of an item ask for, by default first and last.

    With `whole` it goes on to the last label, wherever evaluation stops.
    """
    settings: Any = given.settings
    return reevaluated(
        given.stream if given.spec is None else synthesise(given.spec),
        every,
        "label" if given.name in settings.label_first else "instance",
        labels=None if whole else settings.labels.get(given.name),
        delay=settings.delay.get(given.name),
    )


def first_predictions(
    given: StreamInput[Any], made: Reevaluated, seed: int | tuple[str | int, ...] = 1
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


def label_dates(stream: Stream, instances: NDArray[Any]) -> dict[str, Any]:
    """Return the columns of a frame with the dates at which the labels of its rows arrive.

    `instances` are places in the stream; there are no columns without such dates.
    """
    labels = Timeline.of(stream).of_labels(stream)
    return {} if labels is None else date_columns(labels.take(instances))
