"""A learner whose previous prediction is an input; it is known before labels arrive.

A *tape* lists the events of a run in order: which row is predicted or learnt.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from streameval.base.arrays import Integers
from streameval.base.errors import ConfigError
from streameval.learners.learner import CompiledLearner, CompiledRun, Learner, Progress, chunks
from streameval.learners.predictions import NO_PREDICTION, Predictions
from streameval.learners.wrappers.arrivals import Arrivals, label_arrivals
from streameval.protocols.tape import PREDICT, Tape
from streameval.streams.added_inputs import with_lags
from streameval.streams.stream import Attribute, Stream


@dataclass(frozen=True)
class PredictionAugmented(Learner):
    """A compiled learner with its prediction of the previously shown row as an additional input.

    A row is *shown* when it is predicted, or learnt with positive weight, for the first time. Its
    additional input is fixed then: the first prediction for the previously shown row. The row is
    learnt with the same input, whatever the delay of its label, so that the
    learner learns how reliable its predictions are. The input is a missing value for the first row,
    and if the previous row was learnt without a prediction.

    A row that is predicted again for the evaluation keeps its input, and the new prediction is not
    used as an input. So a row is learnt and tested with the same input, and additional predictions
    do not change the model.
    `TemporallyAugmented`, whose additional inputs are labels, differs: a row that is predicted
    again gets the label that is latest at that time. On tapes that predict each row once, the
    label that `older` adds equals the label that `TemporallyAugmented` adds by default.

    The prediction of a row is an input of the next row, so the learner runs event by event, which
    costs some microseconds per event.

    Parameters
    ----------
    learner : CompiledLearner
        The inner learner: a compiled learner of the package, which can run step by step.
    older : bool
        Whether the latest true label that had arrived when a row was shown is a second additional
        input, in front of the prediction. It is a missing value before the first label. The paper
        below calls it an older label, since with a delay it belongs to an older row.

    Raises
    ------
    ConfigError
        If the inner learner is not compiled.

    References
    ----------
    Žliobaitė et al. (2015), Section 8: "if labels are delayed [...] one could use the previous
    predicted label, an older label or a combination of both". The paper does not try this.
    `TemporallyAugmented` uses the older label alone.
    """

    learner: CompiledLearner
    older: bool = False

    name: ClassVar[str] = "prediction_augmented"
    reference: ClassVar[str] = "Žliobaitė et al. (2015), Section 8"

    def _check_combination(self) -> None:
        if not isinstance(self.learner, CompiledLearner):
            raise ConfigError(
                f"{self.name}: expected one of the package's learners, which can be stopped after "
                f"every event, found {self.learner.name}. Choose one of the package's learners "
                "without a wrapper; or use temporally_augmented, which takes any learner."
            )

    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Predictions:
        """See `Learner.run`."""
        self._check_can_run(stream, tape)
        start_time = time.thread_time()
        arrivals = label_arrivals(stream.y, tape)
        augmented = self._augment(stream, arrivals)
        steps = _steps(tape, arrivals.first_event)
        step_end, prediction, next_row = next(steps)
        seconds = time.thread_time() - start_time
        run = CompiledRun(self.learner, augmented, tape, seed, scores=scores)
        # The latest label, if it is an input, is column 0.
        labels, previous_column = run.outputs.label, run.inputs[:, 1 if self.older else 0]
        for chunk in chunks(len(tape), progress):  # ranges of event numbers
            start_time = time.thread_time()
            while step_end <= chunk.stop:
                run.advance(step_end)
                if labels[prediction] != NO_PREDICTION:
                    previous_column[next_row] = labels[prediction]
                step_end, prediction, next_row = next(steps)
            run.advance(chunk.stop)
            seconds += time.thread_time() - start_time
        inner = run.predictions(seconds)
        # Between two rows the model must keep the prediction and, with `older`, the latest label.
        added_bytes = (1 + self.older) * stream.y.itemsize
        return replace(inner, model_bytes=inner.model_bytes + added_bytes)

    def _augment(self, stream: Stream, arrivals: Arrivals) -> Stream:
        """Stream with the additional inputs; all predictions are missing values yet."""
        no_predictions = np.full(len(stream), np.nan)
        target, classes = stream.schema.target, stream.schema.classes
        columns, attributes = [no_predictions], [Attribute(f"{target}[t-1] predicted", classes)]
        if self.older:
            # Number of labels that had arrived before each row was shown. The first event of a row
            # that is never shown is len(tape), the index of the appended 0.
            n_arrived = np.append(arrivals.n_known, 0)[arrivals.first_event]
            columns.insert(0, np.append(np.nan, arrivals.labels)[n_arrived])
            attributes.insert(0, Attribute(f"{target}[latest]", classes))
        name = f"{stream.name}:{self.name}:{int(self.older)}"
        # All rows in their order, and no lagged inputs.
        lagged = with_lags(stream, np.arange(len(stream)), columns, lagged_rows=[], name=name)
        # `with_lags` names its columns after lagged labels; here they get their own names.
        schema = replace(stream.schema, attributes=(*attributes, *stream.schema.attributes))
        return replace(lagged, schema=schema)


def _steps(tape: Tape, first_event: Integers) -> Iterator[tuple[int, int, int]]:
    """Yield (event at which the run stops, number of a prediction, row whose input it becomes).

    The run stops directly after the first prediction of each row; the prediction becomes the input
    of the row that is shown next. The event of the last step is never reached.
    """
    rows = np.argsort(first_event, kind="stable")[: np.count_nonzero(first_event < len(tape))]
    predicts = (tape.op & PREDICT) != 0
    number = np.cumsum(predicts) - 1  # number of the prediction of each event
    # Positions in `rows` of the rows whose first event is a prediction; no row follows the last.
    positions = np.flatnonzero(predicts[first_event[rows[:-1]]])
    event, next_row = first_event[rows[positions]], rows[positions + 1]
    yield from zip((event + 1).tolist(), number[event].tolist(), next_row.tolist(), strict=True)
    yield len(tape) + 1, 0, 0
