"""The Temporal Correction classifier: a learner's scores, corrected by the previous label."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.errors import DataError
from streameval.base.memory import check_room
from streameval.base.params import Count, StrictProportion
from streameval.compiled.kernels import inlined, kernel
from streameval.learners.learner import Classifier, Learner, Progress
from streameval.learners.predictions import Predictions
from streameval.learners.wrappers.arrivals import MAX_LABELS, label_arrivals, label_contexts
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream

#: Weight of the prior in the estimated probabilities, in labels.
PRIOR_WEIGHT = 1.0


class _State(NamedTuple):
    # A context is a sequence of previous labels, of up to `lags` labels; there are c contexts.
    class_weight: Floats  # (k,) faded weight of each class
    next_weight: Floats  # (c, k) faded weight of each class directly after a context
    total: Floats  # (c,) sums of `next_weight`
    n_at_update: Integers  # (c,) number of labels that had arrived when a context was updated last
    marginal: Floats  # (k,) scratch: P(y_t)
    conditional: Floats  # (k,) scratch: P(y_t | context)
    vote: Floats  # (k,) scratch: the corrected scores


@dataclass(frozen=True)
class TemporalCorrection(Learner):
    r"""Any learner, with its class scores multiplied by P(y_t \| y_{t-1}) / P(y_t).

    The prediction is the class with the highest corrected score. If several classes have it, the
    class that the inner learner predicts is taken if it is among them, otherwise the first. If no
    corrected score is above zero, the prediction and the scores of the inner learner stay
    unchanged; so they do before the first label.

    Both probabilities are proportions of faded counts. A label counts with its weight, times 1 - λ
    for each label that arrived after it. With equal weights, these proportions are the exponential
    moving averages of the paper. N(i) is the faded count of class i, and N(j, i) is the faded count
    of labels of class i that followed class j. N and N(j) are their sums over the k classes i. Then

        P(i)     = (N(i) + 1/k) / (N + 1)
        P(i | j) = (N(j, i) + P(i)) / (N(j) + 1).

    The added 1 is a prior with the weight of one label. Without it, every class would be impossible
    until its first label. A context j that never occurred, or only long ago, corrects nothing.

    The paper does not say how P(y_t | y_{t-1}) starts and fades. Its Algorithm 1 estimates only
    P(j | j). It starts averages at 1/k, which weighs as much as 1/λ labels, and fades each average
    only at labels of its class. Extended to all pairs of classes, a rare j would keep 1/k for every
    i for a long time, while P(i) of a rare class goes to zero, so that the rarest classes would be
    predicted. So here all counts fade at every label, and the prior has the weight of one label.

    On any tape, y_{t-1} is the label that arrived last before the prediction. A label that arrives
    counts as the successor of the label that was the latest when its row was first shown. So with
    delayed labels, P(y_t | y_{t-1}) is the probability given the latest known label, not given the
    label that would be known without delay.

    Parameters
    ----------
    learner : Classifier
        The inner learner; it must give class scores.
    smoothing : float
        Weight of the newest label, λ; the paper's α. The paper takes 0.001 for elec2, 0.0001 for
        covtype and 0.00001 for kdd99: less for more or rarer classes.
    lags : int
        Number of previous labels; 1 in the paper. With 2, an extension, the probability is
        P(y_t | y_{t-1}, y_{t-2}), estimated as above with P(i | j) instead of P(i) as the
        prior. So a pair of labels that never occurred corrects like its last label. More lags
        continue in the same way.

    Raises
    ------
    ConfigError
        If a parameter is out of range.

    References
    ----------
    Žliobaitė et al. (2015), Section 3.1, Equation 3; averages: Sections 4.6 (Algorithm 1) and
    6.3; fading: Gama, Sebastião, Rodrigues (2013), On evaluating stream learning algorithms.
    """

    learner: Classifier
    smoothing: StrictProportion = 0.001
    lags: Annotated[Count, Meta(le=MAX_LABELS)] = 1

    name: ClassVar[str] = "temporal_correction"
    reference: ClassVar[str] = "Žliobaitė et al. (2015), Section 3.1"

    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Predictions:
        """See `Learner.run`.

        Raises
        ------
        DataError
            If the inner learner gives no scores.
        """
        self._check(stream, tape)
        # Before the inner learner runs, check that there is memory for the correction.
        labels = label_arrivals(stream.y, tape).labels
        self._check_room(stream.n_classes, self._contexts(labels), tape)
        inner = self.learner.run(stream, tape, seed, scores=True, progress=progress)
        return self.correct(inner, stream, tape, scores=scores)

    def _check_room(self, k: int, context: Integers, tape: Tape) -> None:
        n_contexts, p = int(context.max()) + 1, len(tape.predict_rows)
        check_room(
            8 * n_contexts * k + 2 * 4 * p * k,
            f"{self.name}: a table of {n_contexts:,} previous labels x {k:,} classes, and scores "
            f"of {k:,} classes for each of {p:,} predictions,",
            "Merge classes, use temporally_augmented, which needs no scores, or free memory.",
        )

    def correct(
        self, inner: Predictions, stream: Stream, tape: Tape, *, scores: bool = False
    ) -> Predictions:
        """Correct predictions that the inner learner has already made.

        Parameters
        ----------
        inner : Predictions
            Predictions of the inner learner with scores, on this stream and tape.
        stream, tape, scores
            See `Learner.run`.

        Raises
        ------
        DataError
            If there are no scores.
        """
        self._check(stream, tape)
        if inner.scores is None:
            raise DataError(
                f"{self.name} needs class scores, and {self.learner.name} has none. Choose "
                "another learner, or temporally_augmented, which needs no scores."
            )
        label, corrected = np.array(inner.label, np.int16), np.array(inner.scores, np.float32)
        start_time = time.thread_time()
        arrivals = label_arrivals(stream.y, tape)
        context = self._contexts(arrivals.labels)
        state = _start(stream.n_classes, int(context.max()) + 1)
        seconds = time.thread_time() - start_time
        events = (stream.y, *tape.events(0, len(tape)), context)
        counts, fading = (arrivals.n_known, arrivals.n_known_at_first_event), 1.0 - self.smoothing
        _run_events(state, *events, *counts, fading, 0, label, corrected)  # compiles
        start_time = time.thread_time()
        _run_events(state, *events, *counts, fading, len(tape), label, corrected)
        seconds += time.thread_time() - start_time
        return replace(
            inner,
            row=tape.predict_rows,
            label=label,
            scores=corrected if scores else None,
            seconds=inner.seconds + seconds,
            model_bytes=inner.model_bytes + self._bytes(state) + self.lags * stream.y.itemsize,
        )

    def _contexts(self, labels: Codes) -> Integers:
        """Numbers of the contexts of 1, 2, ... labels after each arrival, shape (a + 1, lags)."""
        numbers = np.empty((len(labels) + 1, self.lags), dtype=np.int64)
        n_contexts = 0
        for length in range(1, self.lags + 1):
            numbers[:, length - 1] = label_contexts(labels, length) + n_contexts
            n_contexts = int(numbers[:, length - 1].max()) + 1
        return numbers

    def _bytes(self, state: _State) -> int:
        """Bytes of the class weights, and of the contexts that occurred."""
        has_occurred = state.total > 0.0
        tables = (state.next_weight, state.total, state.n_at_update)
        bytes_of_contexts = sum(int(table[has_occurred].nbytes) for table in tables)
        return int(state.class_weight.nbytes) + bytes_of_contexts


def _start(k: int, n_contexts: int) -> _State:
    return _State(
        class_weight=np.zeros(k),
        next_weight=np.zeros((n_contexts, k)),
        total=np.zeros(n_contexts),
        n_at_update=np.zeros(n_contexts, dtype=np.int64),
        marginal=np.empty(k),
        conditional=np.empty(k),
        vote=np.empty(k),
    )


@kernel
def _run_events(
    state: _State,
    y: Codes,
    rows: Codes,
    ops: NDArray[np.uint8],
    weights: NDArray[np.float32],
    context: Integers,
    n_known: Integers,
    n_known_at_first_event: Integers,
    fading: float,
    stop: int,
    label: NDArray[np.int16],
    scores: NDArray[np.float32],
) -> None:
    """Correct `label` (p,) and `scores` (p, k) in place."""
    number = 0
    for event in range(stop):
        op, w = ops[event], float(weights[event])
        if op & PREDICT:
            latest = context[n_known[event]]
            label[number] = _correct(
                state, latest, n_known[event], fading, label[number], scores[number]
            )
            number += 1
        if op & LEARN and w > 0.0:
            previous = context[n_known_at_first_event[event]]
            _observe(state, previous, n_known[event] + 1, fading, y[rows[event]], w)


@inlined
def _correct(
    state: _State,
    context: Integers,
    n_arrived: int,
    fading: float,
    label: int,
    scores: NDArray[np.float32],
) -> int:
    """Correct `scores` (k,) in place and return the predicted class.

    `context` (lags,) has the numbers of the contexts of 1, 2, ... labels.
    """
    k = state.class_weight.shape[0]
    weight = 0.0
    for c in range(k):
        weight += state.class_weight[c]
    for c in range(k):
        state.marginal[c] = (state.class_weight[c] + PRIOR_WEIGHT / k) / (weight + PRIOR_WEIGHT)
        state.conditional[c] = state.marginal[c]
    for i in range(context.shape[0]):
        row = context[i]
        decay = fading ** float(n_arrived - state.n_at_update[row])
        context_weight = decay * state.total[row] + PRIOR_WEIGHT
        for c in range(k):
            observed = decay * state.next_weight[row, c]
            prior = PRIOR_WEIGHT * state.conditional[c]  # from the context with one label less
            state.conditional[c] = (observed + prior) / context_weight
    total, predicted = 0.0, max(label, 0)
    for c in range(k):
        # In brackets, as the quotient is exactly 1 before the first label.
        state.vote[c] = scores[c] * (state.conditional[c] / state.marginal[c])
        total += state.vote[c]
    if not (total > 0.0 and np.isfinite(total)):
        return label
    for c in range(k):
        if state.vote[c] > state.vote[predicted]:
            predicted = c
        scores[c] = state.vote[c] / total
    return predicted


@inlined
def _observe(
    state: _State, context: Integers, n_arrived: int, fading: float, c: int, w: float
) -> None:
    """Count a label of class `c`, with which `n_arrived` labels have arrived."""
    k = state.class_weight.shape[0]
    for other in range(k):
        state.class_weight[other] *= fading
    state.class_weight[c] += w
    for i in range(context.shape[0]):
        row = context[i]
        # Contexts fade only when they are updated, by all labels since then.
        decay = fading ** float(n_arrived - state.n_at_update[row])
        for other in range(k):
            state.next_weight[row, other] *= decay
        state.next_weight[row, c] += w
        state.total[row] = decay * state.total[row] + w
        state.n_at_update[row] = n_arrived
