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
    waits_for_label: bool,
    progress: Callable[[int], object] | None = None,
) -> P:
    """Run a learner that ignores inputs as one model per entity.

    `run(stream, tape)` runs a model over a stream without groups. The instances of each entity are
    numbered from 0, so that seasons are counted within the entity. Before the first label of an
    entity, predictions come from a model over all entities. With `waits_for_label` they come from
    the entity's model, which then predicts nothing. The model over all entities is not counted in
    `model_bytes`, but in `seconds`.
    """
    whole = run(replace(stream, groups=None), tape)
    columns, seconds, model_bytes = columns_of(whole), whole.seconds, 0
    # Index of the prediction of each event.
    prediction_index = np.cumsum((tape.op & PREDICT) != 0) - 1
    for entity_stream, events, entity_tape in _tapes_by_entity(stream, groups, tape):
        predictions = run(entity_stream, entity_tape, progress=progress)
        is_used = _has_learnt(entity_tape) | waits_for_label
        indices = prediction_index[events[(entity_tape.op & PREDICT) != 0]][is_used]
        for name, values in columns_of(predictions).items():
            if name != "row":  # rows of the entity's stream
                columns[name][indices] = values[is_used]
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
    row_in_entity = np.empty(len(stream), np.int32)
    rows_of_code = dict[int, Integers]()
    for _, rows in groups.rows_by_entity():
        row_in_entity[rows] = np.arange(len(rows))
        rows_of_code[int(groups.code[rows[0]])] = rows
    code = groups.code[tape.row]
    order = order_by_entity(code)
    for events in np.split(order, np.flatnonzero(np.diff(code[order])) + 1):
        if len(events):  # an empty tape has one empty part
            y = stream.y[rows_of_code[int(code[events[0]])]]
            entity_stream = Stream(np.empty((len(y), 0)), y, schema, name=stream.name)
            entity_rows = row_in_entity[tape.row[events]]
            entity_tape = Tape(entity_rows, tape.op[events], tape.weight[events])
            yield entity_stream, events, entity_tape


def _has_learnt(tape: Tape) -> Flags:
    """For each prediction, whether a label has been learnt before it."""
    learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    n_learnt_before = np.cumsum(learns) - learns
    has_learnt: Flags = n_learnt_before[(tape.op & PREDICT) != 0] > 0
    return has_learnt
