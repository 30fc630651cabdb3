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
from streameval.learners.wrappers.arrivals import MAX_LABELS, contexts, label_arrivals
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream

#: Weight of the prior in the estimated probabilities, in labels.
DOUBT = 1.0


class _State(NamedTuple):
    prior: Floats  # (k,) faded weight of each class
    follow: Floats  # (c, k) faded weight of each class after a context
    total: Floats  # (c,) sums of `follow`
    faded: Integers  # (c,) number of arrived labels when a context last faded
    marginal: Floats  # (k,) scratch: P(y_t)
    conditional: Floats  # (k,) scratch: P(y_t | context)
    vote: Floats  # (k,) scratch: the corrected scores


@dataclass(frozen=True)
class TemporalCorrection(Learner):
    r"""Any learner, its scores multiplied by P(y_t \| y_{t-1}) / P(y_t).

    The prediction is the class with the highest corrected score: among equals that of the inner
    learner, otherwise the first. Where no class has a corrected score above zero, or the inner
    learner gives none, its prediction and scores stay unchanged, as they do before the first
    label.

    Both probabilities are proportions of faded counts. A label counts with its weight, times 1 - λ
    for each label that arrived after it, so that without weights they are the exponential
    moving averages of the paper. With N(i) the faded count of class i among k, and N(j, i)
    that of i among the labels that followed j,

        P(i)     = (N(i) + 1/k) / (N + 1)
        P(i | j) = (N(j, i) + P(i)) / (N(j) + 1).

    The ones are a prior with the weight of one label, without which every class would be
    impossible until it is seen: a context j that was never seen, or long ago, corrects nothing.
    The paper does not say how P(y_t | y_{t-1}) starts and fades. Algorithm 1, for its
    diagonal, starts averages at 1/k, which weighs as much as 1/λ labels, and fades each in
    steps of its own class. Extended to all pairs of classes, a rare j would keep its 1/k for
    every i for a long time while P(i) of a rare class goes to zero, and the rarest classes would
    be predicted; hence one clock and a prior of one label here.

    On any tape, y_{t-1} is the label that arrived last before the prediction. A label that
    arrives counts as the successor of the one that was known when its row was first shown:
    under label delay P(y_t | y_{t-1}) is thus the probability given the latest label known, not
    the one that would be known without delay.

    Parameters
    ----------
    learner : Classifier
        The inner learner; it must give class scores.
    smoothing : float
        Weight of the newest label, λ; the paper's α. The paper takes 0.001 for elec2, 0.0001 for
        covtype and 0.00001 for kdd99: less for more or rarer classes.
    lags : int
        Number of previous labels. 1 is the paper's. With 2, an extension, the probability is
        P(y_t | y_{t-1}, y_{t-2}), estimated as above with P(i | j) instead of P(i) as the
        prior: an unseen pair corrects as its last label does. Likewise for more.

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
        # Check before the inner learner runs that its scores can be corrected in memory.
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
                "another learner, or temporally_augmented, which needs none."
            )
        label, corrected = np.array(inner.label, np.int16), np.array(inner.scores, np.float32)
        begun = time.thread_time()
        known = label_arrivals(stream.y, tape)
        context = self._contexts(known.labels)
        state = _start(stream.n_classes, int(context.max()) + 1)
        seconds = time.thread_time() - begun
        events = (stream.y, *tape.events(0, len(tape)), context)
        counts = (known.known, known.known_when_shown)
        _run_events(state, *events, *counts, 1.0 - self.smoothing, 0, label, corrected)  # compiles
        begun = time.thread_time()
        _run_events(state, *events, *counts, 1.0 - self.smoothing, len(tape), label, corrected)
        seconds += time.thread_time() - begun
        return replace(
            inner,
            row=tape.predict_rows,
            label=label,
            scores=corrected if scores else None,
            seconds=inner.seconds + seconds,
            model_bytes=inner.model_bytes + self._bytes(state) + self.lags * stream.y.itemsize,
        )

    def _contexts(self, labels: Codes) -> Integers:
        """Numbers of the last label, of the last two labels, ..., shape (a + 1, lags)."""
        result = np.empty((len(labels) + 1, self.lags), dtype=np.int64)
        used = 0
        for length in range(1, self.lags + 1):
            result[:, length - 1] = contexts(labels, length) + used
            used = int(result[:, length - 1].max()) + 1
        return result

    def _bytes(self, state: _State) -> int:
        seen = state.total > 0.0
        tables = (state.follow, state.total, state.faded)
        return int(state.prior.nbytes) + sum(int(table[seen].nbytes) for table in tables)


def _start(k: int, n_contexts: int) -> _State:
    return _State(
        prior=np.zeros(k),
        follow=np.zeros((n_contexts, k)),
        total=np.zeros(n_contexts),
        faded=np.zeros(n_contexts, dtype=np.int64),
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
    known: Integers,
    known_when_shown: Integers,
    fading: float,
    stop: int,
    label: NDArray[np.int16],
    scores: NDArray[np.float32],
) -> None:
    """Correct `label` (p,) and `scores` (p, k) in place."""
    at = 0
    for event in range(stop):
        op, w = ops[event], float(weights[event])
        if op & PREDICT:
            label[at] = _correct(
                state, context[known[event]], known[event], fading, label[at], scores[at]
            )
            at += 1
        if op & LEARN and w > 0.0:
            before = context[known_when_shown[event]]
            _observe(state, before, known[event] + 1, fading, y[rows[event]], w)


@inlined
def _correct(
    state: _State,
    context: Integers,
    arrived: int,
    fading: float,
    label: int,
    scores: NDArray[np.float32],
) -> int:
    """Correct `scores` (k,) in place and return the predicted class."""
    k = state.prior.shape[0]
    weight = 0.0
    for c in range(k):
        weight += state.prior[c]
    for c in range(k):
        state.marginal[c] = (state.prior[c] + DOUBT / k) / (weight + DOUBT)
        state.conditional[c] = state.marginal[c]
    for i in range(context.shape[0]):
        row = context[i]
        decay = fading ** float(arrived - state.faded[row])
        certainty = decay * state.total[row] + DOUBT
        for c in range(k):
            seen = decay * state.follow[row, c]
            state.conditional[c] = (seen + DOUBT * state.conditional[c]) / certainty
    total, predicted = 0.0, max(label, 0)
    for c in range(k):
        # In this order, because the quotient is exactly 1 before any label has been counted.
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
    state: _State, context: Integers, arrived: int, fading: float, c: int, w: float
) -> None:
    """Count the label of class `c` that arrives as number `arrived`."""
    for other in range(state.prior.shape[0]):
        state.prior[other] *= fading
    state.prior[c] += w
    for i in range(context.shape[0]):
        row = context[i]
        decay = fading ** float(arrived - state.faded[row])
        for other in range(state.prior.shape[0]):
            state.follow[row, other] *= decay
        state.follow[row, c] += w
        state.total[row] = decay * state.total[row] + w
        state.faded[row] = arrived
