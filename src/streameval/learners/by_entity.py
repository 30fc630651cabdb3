"""Baselines that run separately in each entity of a stream, such as machines.

No-Change then predicts the previous label of the same machine, not the label of another machine.
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


def run_by_entity(
    run: Callable[..., P],
    stream: Stream,
    groups: Groups,
    tape: Tape,
    *,
    waits: bool,
    progress: Callable[[int], object] | None = None,
) -> P:
    """Run a learner that ignores inputs as one model per entity.

    `run(stream, tape)` runs a model over a stream without groups. The instances of each entity are
    numbered from 0, so that seasons are counted within the entity. Before the first label of an
    entity, predictions come from a model over all entities, or, with `waits`, from the new model.
    """
    whole = run(replace(stream, groups=None), tape)
    columns, seconds, model_bytes = columns_of(whole), whole.seconds, 0
    number = np.cumsum((tape.op & PREDICT) != 0) - 1  # number of the prediction of each event
    for entity_stream, events, entity_tape in _tapes_by_entity(stream, groups, tape):
        predictions = run(entity_stream, entity_tape, progress=progress)
        is_used = _has_learnt(entity_tape) | waits
        numbers = number[events[(entity_tape.op & PREDICT) != 0]][is_used]
        for name, values in columns_of(predictions).items():
            if name != "row":
                columns[name][numbers] = values[is_used]
        seconds, model_bytes = seconds + predictions.seconds, model_bytes + predictions.model_bytes
    changed: Any = {**columns, "seconds": seconds, "model_bytes": model_bytes}
    return replace(whole, **changed)


def _tapes_by_entity(
    stream: Stream, groups: Groups, tape: Tape
) -> Iterator[tuple[Stream, Integers, Tape]]:
    """Yield for each entity a stream of its targets, its events of the tape, and its own tape.

    The stream has no inputs, since the learner ignores them. The entity's tape refers to its rows.
    """
    schema = replace(stream.schema, attributes=())
    number = np.empty(len(stream), np.int32)  # row -> its number within the entity
    rows_of = dict[int, Integers]()
    for _, rows in groups.rows_by_entity():
        number[rows] = np.arange(len(rows))
        rows_of[int(groups.code[rows[0]])] = rows
    code = groups.code[tape.row]
    order = order_by_entity(code)
    for events in np.split(order, np.flatnonzero(np.diff(code[order])) + 1):
        if len(events):
            y = stream.y[rows_of[int(code[events[0]])]]
            entity_stream = Stream(np.empty((len(y), 0)), y, schema, name=stream.name)
            entity_tape = Tape(number[tape.row[events]], tape.op[events], tape.weight[events])
            yield entity_stream, events, entity_tape


def _has_learnt(tape: Tape) -> Flags:
    """For each prediction, whether a label has been learnt before it."""
    learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    n_learnt_before = np.cumsum(learns) - learns
    has_learnt: Flags = n_learnt_before[(tape.op & PREDICT) != 0] > 0
    return has_learnt
