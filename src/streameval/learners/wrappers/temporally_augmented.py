"""The Temporally Augmented classifier: a learner with lagged labels and inputs."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Integers
from streameval.base.params import Count, Whole
from streameval.learners.learner import Classifier, Learner, Progress
from streameval.learners.predictions import Predictions
from streameval.learners.wrappers.arrivals import (
    MAX_LABELS,
    NO_LABEL,
    Arrivals,
    label_arrivals,
    label_contexts,
)
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.added_inputs import with_lags
from streameval.streams.stream import Stream

#: Class code of the lagged labels before the first label, by value of the parameter `start`.
INITIAL_LABELS = {"unknown": NO_LABEL, "first_class": 0}


class Augmented(NamedTuple):
    """The stream and the tape of the inner learner.

    Parameters
    ----------
    stream : Stream
        One row for each combination of an original row with lagged values.
    tape : Tape
        The events of the original tape in the same order; some are split into two.
    original_event : ndarray of int32, shape (length of `tape`,)
        Index of the original event of each event of `tape`.
    """

    stream: Stream
    tape: Tape
    original_event: Codes


@dataclass(frozen=True)
class TemporallyAugmented(Learner):
    """Any learner, with lagged labels, and optionally lagged inputs, as additional inputs.

    On a prequential tape the lagged labels are the labels of the previous instances. On any other
    tape a prediction uses the labels that have arrived by then. An instance is *learnt* with the
    lags that were known when it was first shown, even if it is predicted again or learnt after a
    delay. If it were learnt with labels that arrived in the meantime, the learner would rely on
    recent labels, which it does not have when it predicts. The drawback: when an instance is
    predicted again with more recent labels, the learner relies on them less than it could.

    If the tape has no prediction of an instance, the instance is first shown when it is learnt. So
    with delayed labels, a tape should predict each instance that it learns, at its arrival.

    Lagged inputs are the inputs of previously shown instances. They are not delayed like labels.

    Parameters
    ----------
    learner : Classifier
        The inner learner.
    lags : int
        Number of lagged labels, ℓ in the papers.
    features : int
        Number of earlier instances whose inputs are added; missing values before the first
        instance.
    start : str
        Lagged labels before the first label. "unknown" stands for a missing value, which learners
        ignore. (An additional nominal value would occur only at the start, but a tree would keep a
        branch for it.) "first_class" is the class with code 0, as in MOA; predictions then depend
        on the order of classes.

    Raises
    ------
    ConfigError
        If a parameter is out of range.

    References
    ----------
    Žliobaitė et al. (2015), Section 3.2, Equation 4; Bifet et al. (2013), Section 5 (SWT),
    with lagged inputs in Figures 9 to 11. Neither paper tries delayed labels. Section 8 of the
    first and Section 5 of the second paper suggest older labels for them, as here.
    """

    learner: Classifier
    lags: Annotated[Count, Meta(le=MAX_LABELS)] = 1
    features: Annotated[Whole, Meta(le=MAX_LABELS)] = 0
    start: Literal["unknown", "first_class"] = "unknown"

    name: ClassVar[str] = "temporally_augmented"
    reference: ClassVar[str] = "Žliobaitė et al. (2015), Section 3.2; Bifet et al. (2013)"

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
        if len(tape) == 0:
            return self.learner.run(stream, tape, seed, scores=scores)
        start_time = time.thread_time()
        augmented = self.augment(stream, tape)
        seconds = time.thread_time() - start_time
        if progress is not None:
            progress = _progress_in_original_events(progress, augmented.original_event)
        inner = self.learner.run(
            augmented.stream, augmented.tape, seed, scores=scores, progress=progress
        )
        bytes_of_lags = self.lags * stream.y.itemsize + self.features * stream.X[:1].nbytes
        return replace(
            inner,
            row=tape.predict_rows,
            seconds=inner.seconds + seconds,
            model_bytes=inner.model_bytes + bytes_of_lags,
        )

    def augment(self, stream: Stream, tape: Tape) -> Augmented:
        """Stream and tape for the inner learner.

        The predict events of `tape` stay in order. An event that predicts and learns becomes two
        events if its lags differ between predicting and learning.

        Raises
        ------
        DataError
            If the target is numeric, or the tape refers to rows that do not exist.
        """
        self._check_can_run(stream, tape)
        arrivals = label_arrivals(stream.y, tape)
        n_known, n_known_at_first_event = arrivals.n_known, arrivals.n_known_at_first_event
        if np.array_equal(n_known, n_known_at_first_event):
            # The lags of a row are the same at all its events, so no event is split.
            event = np.arange(len(tape), dtype=np.int32)
            lagged = self._lagged_stream(stream, arrivals, tape.row, n_known)
            return Augmented(lagged, Tape(event, tape.op, tape.weight), event)

        context = label_contexts(arrivals.labels, self.lags, INITIAL_LABELS[self.start])
        event, op = _split_events(tape, context[n_known] != context[n_known_at_first_event])
        # Predictions use the labels known by now, learning those known at the row's first event. An
        # event that still does both has the same lags for both.
        predicts = (op & PREDICT) != 0
        n_labels = np.where(predicts, n_known[event], n_known_at_first_event[event])
        # Each combination of a row and its lagged labels becomes a row of the lagged stream.
        combination = tape.row[event] * np.int64(len(context)) + context[n_labels]
        _, index, row = np.unique(combination, return_index=True, return_inverse=True)
        lagged = self._lagged_stream(stream, arrivals, tape.row[event[index]], n_labels[index])
        return Augmented(lagged, Tape(row, op, tape.weight[event]), event)

    def _lagged_stream(
        self, stream: Stream, arrivals: Arrivals, rows: Codes, n_labels: Integers
    ) -> Stream:
        """Stream of `rows` (i,), each with the last labels when `n_labels` (i,) had arrived."""
        initial_label = INITIAL_LABELS[self.start]
        padded = np.concatenate((np.full(self.lags, initial_label), arrivals.labels))
        codes = np.where(padded == NO_LABEL, np.nan, padded)
        labels = [codes[offset:][n_labels] for offset in range(self.lags)]
        previous = self._previous_rows(arrivals.first_event, rows) if self.features else []
        name = f"{stream.name}:{self.name}:{self.lags}:{self.features}:{self.start}"
        return with_lags(stream, rows.astype(np.intp), labels, previous, name)

    def _previous_rows(self, first_event: Integers, rows: Codes) -> list[NDArray[np.intp]]:
        """Rows shown before each of `rows` (i,), an array per lag, the largest lag first; or -1."""
        order = np.argsort(first_event, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        padded = np.append(np.full(self.features, -1), order)
        return [padded[offset:][rank[rows]] for offset in range(self.features)]


def _split_events(tape: Tape, lags_differ: Flags) -> tuple[Codes, NDArray[np.uint8]]:
    """Split each event that both predicts and learns, and at which `lags_differ` (e,).

    Returns the index of the original event of each new event, and the operations.
    """
    is_split = (tape.op == PREDICT_THEN_LEARN) & lags_differ
    event = np.repeat(np.arange(len(tape), dtype=np.int32), 1 + is_split)
    op = tape.op[event]
    # New index of the first half of each split event: each earlier split shifts it by 1.
    first_half = np.flatnonzero(is_split) + np.arange(np.count_nonzero(is_split))
    op[first_half], op[first_half + 1] = PREDICT, LEARN
    return event, op


def _progress_in_original_events(progress: Progress, original_event: Codes) -> Progress:
    """Callback for progress on the augmented tape that reports events of the original tape."""
    n_completed = n_reported = 0

    def report(n_events: int) -> None:
        nonlocal n_completed, n_reported
        n_completed += n_events
        is_at_end = n_completed == len(original_event)
        # The original events before that of the next event are completed.
        n_original = int(original_event[-1]) + 1 if is_at_end else int(original_event[n_completed])
        progress(n_original - n_reported)
        n_reported = n_original

    return report
