"""Baselines within the entities of a stream whose instances come in turn, such as machines.

"The same as before" is then the previous label of the same machine, not that of another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from streameval.base.arrays import Flags, Integers
from streameval.learners.predictions import P, columns_of
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.significance.entities import order_by_entity
from streameval.streams.groups import Groups
from streameval.streams.stream import Stream


def played_by_entity(
    play: Callable[..., P],
    stream: Stream,
    groups: Groups,
    tape: Tape,
    *,
    waits: bool,
    progress: Callable[[int], object] | None = None,
) -> P:
    """Run a learner that ignores inputs as one model for each entity.

    `play` runs a model over a stream without groups and a tape. The instances of an entity are
    numbered by themselves, so that a season is one of its own. Until a model has learnt a label it
    predicts as one over all entities does, unless it `waits`.
    """
    whole = play(replace(stream, groups=None), tape)
    columns, seconds, size = columns_of(whole), whole.seconds, 0
    place = np.cumsum((tape.op & PREDICT) != 0) - 1  # of the prediction of an event
    for small, events, tape_of_entity in _parts(stream, groups, tape):
        predictions = play(small, tape_of_entity, progress=progress)
        knows = _knows(tape_of_entity) | waits
        at = place[events[(tape_of_entity.op & PREDICT) != 0]][knows]
        for name, values in columns_of(predictions).items():
            if name != "row":
                columns[name][at] = values[knows]
        seconds, size = seconds + predictions.seconds, size + predictions.model_bytes
    changed: Any = {**columns, "seconds": seconds, "model_bytes": size}
    return replace(whole, **changed)


def _parts(stream: Stream, groups: Groups, tape: Tape) -> Iterator[tuple[Stream, Integers, Tape]]:
    """Yield for each entity its targets as a stream, the events of the tape, and a tape of them."""
    schema = replace(stream.schema, attributes=())
    number = np.empty(len(stream), np.int32)  # of a row among those of its entity
    rows_of = dict[int, Integers]()
    for _, rows in groups.parts():
        number[rows] = np.arange(len(rows))
        rows_of[int(groups.code[rows[0]])] = rows
    code = groups.code[tape.row]
    order = order_by_entity(code)
    for events in np.split(order, np.flatnonzero(np.diff(code[order])) + 1):
        if len(events):
            y = stream.y[rows_of[int(code[events[0]])]]
            small = Stream(np.empty((len(y), 0)), y, schema, name=stream.name)
            tape_of_entity = Tape(number[tape.row[events]], tape.op[events], tape.weight[events])
            yield small, events, tape_of_entity


def _knows(tape: Tape) -> Flags:
    """Return for each prediction whether a label has been learnt before it."""
    learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    before = np.cumsum(learns) - learns
    knows: Flags = before[(tape.op & PREDICT) != 0] > 0
    return knows
