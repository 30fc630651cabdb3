"""Gain in accuracy by age from inputs that change while labels are pending."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pending_labels import INPUTS, MIN_AT_RISK, EvolvingInputsSettings
from streameval.base.memory import check_room
from streameval.evaluation.age_bins import ages_in_units, equidistant_ages, measures_by_age
from streameval.evaluation.reevaluation import ReevaluatedStream
from streameval.evaluation.run import run_learners
from streameval.evaluation.task import CLASSIFICATION_TASK, Gains
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import reevaluate_input
from streameval.protocols.ages import prediction_ages
from streameval.protocols.reevaluation import LAST
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.later_inputs import LaterInput, split_later_inputs
from streameval.streams.stream import Attribute, Stream


class Variant(NamedTuple):
    """A variant of evolving inputs."""

    waiting: bool = False  # whether the time since arrival is an input
    later: bool = False  # whether attributes that become known later are inputs
    each: bool = False  # whether all inputs of an instance are learnt, not only its last inputs


#: Name of the variant with the inputs at arrival only.
PLAIN = "plain"
VARIANTS = {
    PLAIN: Variant(),
    "time_last": Variant(waiting=True),
    "time_each": Variant(waiting=True, each=True),
    "later_last": Variant(later=True),
    "later_each": Variant(later=True, each=True),
    "both_each": Variant(waiting=True, later=True, each=True),
}


def study(stream_input: StreamInput[EvolvingInputsSettings]) -> dict[str, pd.DataFrame]:
    """The accuracy at each age of the `VARIANTS`, and their gain over "plain"."""
    settings = stream_input.settings
    run = reevaluate_input(stream_input, settings.every)
    base, later = split_later_inputs(run.stream, settings.known_at)
    run = run._replace(stream=base)
    predictions = prediction_ages(run.prediction_events)
    age_values = equidistant_ages(predictions, settings.ages, MIN_AT_RISK)
    latest = predictions.latest_predictions(age_values)
    true_labels = base.y[run.prediction_events.labelled_rows]
    learners, gains = stream_input.learners(), dict[tuple[str, str], Gains]()
    for name, variant in VARIANTS.items():
        if variant.later and not later:
            continue
        later_inputs = later if variant.later else []
        stream, tape = evolving_stream(
            run, later_inputs, waiting=variant.waiting, each=variant.each
        )
        table, costs = run_learners(stream, tape, learners)
        for cost in costs:
            stream_input.announce(f"{cost.learner}, {name}: {cost.seconds:.2f} s")
        for learner in learners:
            labels = table.predicted[learner][latest]
            gains[learner, name] = CLASSIFICATION_TASK.gain(true_labels[:, None], labels)
    parts = []
    for (learner, name), correct in gains.items():
        frame = measures_by_age(
            CLASSIFICATION_TASK, predictions, age_values, correct, gains[learner, PLAIN]
        )
        parts.append(frame.assign(learner=learner, variant=name))
    frame = pd.concat(parts, ignore_index=True)[[*INPUTS]]
    return {"inputs": ages_in_units(frame, base, settings.unit)}


#: Name of the input with the time since the arrival of the instance.
TIME_SINCE_ARRIVAL = "time since arrival"


def evolving_stream(
    run: ReevaluatedStream,
    later: Sequence[LaterInput] = (),
    *,
    waiting: bool = False,
    each: bool = False,
) -> tuple[Stream, Tape]:
    """A stream with a row for the inputs of each prediction, and the tape that predicts these rows.

    Row i belongs to prediction i of ``run.prediction_events``. When the label of an instance
    arrives, the inputs of its last prediction are learnt. With `each`, the inputs of each of its
    predictions are learnt instead, with weights that sum to 1.
    """
    stream, prediction_events = run.stream, run.prediction_events
    attributes = [*stream.schema.attributes, *(column.attribute for column in later)]
    attributes += [Attribute(TIME_SINCE_ARRIVAL)] * waiting
    check_room(
        8 * len(prediction_events) * len(attributes),
        f"Inputs of {len(prediction_events):,} predictions, {len(attributes):,} for each,",
        "Predict less often.",
    )
    columns: list[NDArray[Any]] = [stream.X[prediction_events.row]]
    for column in later:
        is_known = prediction_events.time >= column.time[prediction_events.row]
        columns.append(np.where(is_known, column.values[prediction_events.row], np.nan))
    if waiting:
        columns.append(prediction_events.time - np.asarray(stream.time)[prediction_events.row])
    evolved = replace(
        stream,
        X=np.column_stack(columns),
        y=stream.y[prediction_events.row],
        schema=replace(stream.schema, attributes=tuple(attributes)),
        time=None,
        label_time=None,
        source_rows=None,
    )
    return evolved, _tape(run, each)


def _tape(run: ReevaluatedStream, each: bool) -> Tape:
    """The tape: all predictions in order, and learning after each last prediction."""
    prediction_events = run.prediction_events
    p = len(prediction_events)
    number = np.arange(p)  # numbers of predictions, which are rows of the evolving stream
    is_last = prediction_events.kind == LAST
    if not each:
        op = np.where(is_last, PREDICT | LEARN, PREDICT)
        return Tape(number.astype(np.int32), op, np.ones(p, dtype=np.float32))
    # Number of the last prediction of each instance; p if its label never arrives.
    last_number = np.full(int(prediction_events.row.max(initial=-1)) + 1, p, dtype=np.int64)
    last_number[prediction_events.row[is_last]] = number[is_last]
    learnt_after = last_number[prediction_events.row]
    learnt = number[learnt_after < p]
    counts = np.bincount(prediction_events.row, minlength=len(last_number))
    row = np.concatenate((number, learnt))
    op = np.repeat([PREDICT, LEARN], [p, len(learnt)])
    weight = np.concatenate((np.ones(p), 1.0 / counts[prediction_events.row[learnt]]))
    # By number of the prediction; after a last prediction, the instance's rows are learnt in order.
    order = np.lexsort((row, op, np.concatenate((number, learnt_after[learnt]))))
    return Tape(row[order].astype(np.int32), op[order], weight[order].astype(np.float32))
