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

#: Weight of the prior in the estimated probabilities; each observed label has the weight 1.
PRIOR_WEIGHT = 1.0


class _State(NamedTuple):
    # A context is a sequence of 1 to `lags` previous labels. c contexts occur on the tape.
    class_weight: Floats  # (k,) faded weight of each class
    next_weight: Floats  # (c, k) faded weight of each class directly after a context
    next_total: Floats  # (c,) sums of `next_weight` over classes
    n_at_update: Integers  # (c,) number of labels that had arrived at a context's last update, or 0
    marginal: Floats  # (k,) scratch: P(y_t)
    conditional: Floats  # (k,) scratch: P(y_t | context)
    corrected: Floats  # (k,) scratch: the corrected scores before they are divided by their sum


@dataclass(frozen=True)
class TemporalCorrection(Learner):
    r"""Any learner, with its class scores multiplied by P(y_t \| y_{t-1}) / P(y_t).

    The prediction is the class with the highest corrected score. If several classes have it, the
    class that the inner learner predicts is taken if it is among them, otherwise the first. The
    prediction and the scores of the inner learner stay unchanged if no corrected score is above
    zero, or if a corrected score is NaN or infinite. Before the first label, the factor is 1.

    Both probabilities are proportions of faded counts. A label counts with its weight, times 1 - λ
    for each label that arrived after it. With equal weights, these proportions are the exponential
    moving averages of the paper. N(i) is the faded count of class i, and N(j, i) is the faded count
    of labels of class i that followed class j. N and N(j) are their sums over the k classes i. Then

        P(i)     = (N(i) + 1/k) / (N + 1)
        P(i | j) = (N(j, i) + P(i)) / (N(j) + 1).

    The added 1 is a prior with the weight of one label. Without it, every class would be impossible
    until its first label. After a label j that never occurred, or only long ago, P(i | j) is close
    to P(i), so the scores hardly change.

    The paper does not say how P(y_t | y_{t-1}) starts and fades. Its Algorithm 1 estimates only
    P(j | j). An average there starts at 1/k, which has the weight of 1/λ labels, and fades only at
    labels of its class. With this rule for all pairs of classes, P(i | j) of a rare j would stay at
    1/k for a long time, while P(i) of a rare i goes to zero. Their quotient would be large, so the
    rarest classes would be predicted. So here all counts fade at every label, and the prior has the
    weight of one label.

    On any tape, y_{t-1} is the label that arrived last before the prediction. When the label of a
    row arrives, it is counted as the successor of the label that was the latest when the row was
    first shown. So with delayed labels, P(y_t | y_{t-1}) is the probability given the latest known
    label, not given the label that would be known without delay.

    Parameters
    ----------
    learner : Classifier
        The inner learner; it must give class scores.
    smoothing : float
        Weight of the newest label, λ; the paper's α. The paper takes 0.001 for elec2, 0.0001 for
        covtype and 0.00001 for kdd99: the more classes, or the rarer, the smaller.
    lags : int
        Number of previous labels; 1 in the paper. With 2, an extension, the probability is
        P(y_t | y_{t-1}, y_{t-2}), estimated as above with P(i | j) instead of P(i) as the
        prior. So after a pair of labels that never occurred, it is P(i | j). More lags continue in
        the same way.

    Raises
    ------
    ConfigError
        If a parameter is out of range.

    References
    ----------
    Žliobaitė et al. (2015), Section 3.1, Equation 3, and for the averages Sections 4.6 (Algorithm
    1) and 6.3; Gama, Sebastião, Rodrigues (2013), On evaluating stream learning algorithms, for
    fading.
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
        self._check_can_run(stream, tape)
        # Before the inner learner runs, check that there is memory for the correction.
        labels = label_arrivals(stream.y, tape).labels
        self._check_room(stream.n_classes, self._contexts(labels), tape)
        inner = self.learner.run(stream, tape, seed, scores=True, progress=progress)
        return self.correct(inner, stream, tape, scores=scores)

    def _check_room(self, k: int, contexts: Integers, tape: Tape) -> None:
        n_contexts, p = int(contexts.max()) + 1, len(tape.predict_rows)
        bytes_of_contexts = 8 * n_contexts * k
        bytes_of_scores = 4 * p * k  # of the inner learner; the corrected scores need as many
        check_room(
            bytes_of_contexts + 2 * bytes_of_scores,
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
        self._check_can_run(stream, tape)
        if inner.scores is None:
            raise DataError(
                f"{self.name} needs class scores, and {self.learner.name} has none. Choose "
                "another learner, or temporally_augmented, which needs no scores."
            )
        label, corrected = np.array(inner.label, np.int16), np.array(inner.scores, np.float32)
        start_time = time.thread_time()
        arrivals = label_arrivals(stream.y, tape)
        contexts = self._contexts(arrivals.labels)
        state = _start(stream.n_classes, int(contexts.max()) + 1)
        seconds = time.thread_time() - start_time
        events = (stream.y, *tape.events(0, len(tape)), contexts)
        n_known, fading = (arrivals.n_known, arrivals.n_known_at_first_event), 1.0 - self.smoothing
        # A run over no events compiles the kernel, so that this is not timed.
        _run_events(state, *events, *n_known, fading, 0, label, corrected)
        start_time = time.thread_time()
        _run_events(state, *events, *n_known, fading, len(tape), label, corrected)
        seconds += time.thread_time() - start_time
        bytes_of_lags = self.lags * stream.y.itemsize
        return replace(
            inner,
            row=tape.predict_rows,
            label=label,
            scores=corrected if scores else None,
            seconds=inner.seconds + seconds,
            model_bytes=inner.model_bytes + self._bytes(state) + bytes_of_lags,
        )

    def _contexts(self, labels: Codes) -> Integers:
        """Numbers of the contexts of 1, 2, ... labels after 0..a arrivals, shape (a + 1, lags)."""
        numbers = np.empty((len(labels) + 1, self.lags), dtype=np.int64)
        n_contexts = 0
        for length in range(1, self.lags + 1):
            numbers[:, length - 1] = label_contexts(labels, length) + n_contexts
            n_contexts = int(numbers[:, length - 1].max()) + 1
        return numbers

    def _bytes(self, state: _State) -> int:
        """Bytes of the class weights, and of the contexts that occurred."""
        has_occurred = state.next_total > 0.0
        tables = (state.next_weight, state.next_total, state.n_at_update)
        bytes_of_contexts = sum(int(table[has_occurred].nbytes) for table in tables)
        return int(state.class_weight.nbytes) + bytes_of_contexts


def _start(k: int, n_contexts: int) -> _State:
    return _State(
        class_weight=np.zeros(k),
        next_weight=np.zeros((n_contexts, k)),
        next_total=np.zeros(n_contexts),
        n_at_update=np.zeros(n_contexts, dtype=np.int64),
        marginal=np.empty(k),
        conditional=np.empty(k),
        corrected=np.empty(k),
    )


@kernel
def _run_events(
    state: _State,
    y: Codes,
    rows: Codes,
    ops: NDArray[np.uint8],
    weights: NDArray[np.float32],
    contexts: Integers,
    n_known: Integers,
    n_known_at_first_event: Integers,
    fading: float,
    stop: int,
    label: NDArray[np.int16],
    scores: NDArray[np.float32],
) -> None:
    """Run over the events before `stop`; correct `label` (p,) and `scores` (p, k) in place."""
    prediction = 0
    for event in range(stop):
        op, w = ops[event], float(weights[event])
        if op & PREDICT:
            latest = contexts[n_known[event]]
            label[prediction] = _correct(
                state, latest, n_known[event], fading, label[prediction], scores[prediction]
            )
            prediction += 1
        if op & LEARN and w > 0.0:  # a label of weight 0 does not arrive
            previous = contexts[n_known_at_first_event[event]]
            _observe(state, previous, n_known[event] + 1, fading, y[rows[event]], w)


@inlined
def _correct(
    state: _State,
    contexts: Integers,
    n_arrived: int,
    fading: float,
    label: int,
    scores: NDArray[np.float32],
) -> int:
    """Correct `scores` (k,) in place and return the predicted class.

    `contexts` (lags,) has the numbers of the latest contexts of 1, 2, ... labels.
    """
    k = state.class_weight.shape[0]
    weight = 0.0
    for c in range(k):
        weight += state.class_weight[c]
    for c in range(k):
        state.marginal[c] = (state.class_weight[c] + PRIOR_WEIGHT / k) / (weight + PRIOR_WEIGHT)
        state.conditional[c] = state.marginal[c]
    for i in range(contexts.shape[0]):
        context = contexts[i]
        decay = fading ** float(n_arrived - state.n_at_update[context])
        context_weight = decay * state.next_total[context] + PRIOR_WEIGHT
        for c in range(k):
            observed = decay * state.next_weight[context, c]
            prior = PRIOR_WEIGHT * state.conditional[c]  # from the context with one label less
            state.conditional[c] = (observed + prior) / context_weight
    total, predicted = 0.0, max(label, 0)  # without a prediction, start with the first class
    for c in range(k):
        # The factor is computed first: before the first label it is exactly 1.
        state.corrected[c] = scores[c] * (state.conditional[c] / state.marginal[c])
        total += state.corrected[c]
    if not (total > 0.0 and np.isfinite(total)):
        return label
    for c in range(k):
        if state.corrected[c] > state.corrected[predicted]:
            predicted = c
        scores[c] = state.corrected[c] / total
    return predicted


@inlined
def _observe(
    state: _State, contexts: Integers, n_arrived: int, fading: float, c: int, w: float
) -> None:
    """Count a label of class `c` after `contexts`; it is the label number `n_arrived` to arrive."""
    k = state.class_weight.shape[0]
    for other in range(k):
        state.class_weight[other] *= fading
    state.class_weight[c] += w
    for i in range(contexts.shape[0]):
        context = contexts[i]
        # An update first makes up for the fading at all labels since the last update.
        decay = fading ** float(n_arrived - state.n_at_update[context])
        for other in range(k):
            state.next_weight[context, other] *= decay
        state.next_weight[context, c] += w
        state.next_total[context] = decay * state.next_total[context] + w
        state.n_at_update[context] = n_arrived
