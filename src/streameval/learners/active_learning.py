"""Active learning: a label budget that is spent by the class scores of a learner.

A learner runs over a tape of offers, `streameval.protocols.partial.OfferedTape`, up to the first
label that is not decided. If the strategy asks for it, by the class scores of its instance, it has
the weight 1 when it is learnt, otherwise 0, which learns nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.base.other_tools import repeated_warnings_once
from streameval.compiled.java_random import java_random, next_double, next_gaussian
from streameval.compiled.kernels import inlined, kernel
from streameval.learners.class_order import (
    ClassOrder,
    decode_predictions,
    needs_learnt_order,
    recode_classes,
)
from streameval.learners.learner import AnyLearner, Classifier, Progress
from streameval.learners.predictions import P, Predictions
from streameval.learners.stepped_run import SteppedRun
from streameval.learners.tasks import CLASSIFICATION, task_name
from streameval.protocols.partial import (
    QUERYING,
    LabelQueries,
    OfferedTape,
    count_learnt_labels,
    random_labels_tape,
)
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream

#: Events between two reports of progress.
_REPORT = 8192
#: Strategies by number, as kernels know them.
FIXED, VARIABLE, RANDOMISED, SELECTIVE = range(len(QUERYING))
#: By the rules of the paper, spending is a mean over about this number of instances.
SPENDING_WINDOW = 100


@dataclass(frozen=True, kw_only=True)
class ActivePredictions(Predictions):
    """Predictions of a learner that asked for its labels.

    Parameters
    ----------
    bought : ndarray of int32
        Rows of the labels that it learnt, in the order of the tape.
    """

    bought: Codes


def count_labels_learnt(predictions: P, tape: Tape) -> int:
    """Number of labels that a run learnt: the bought labels, or all labels of its tape."""
    return (
        len(predictions.bought)
        if isinstance(predictions, ActivePredictions)
        else count_learnt_labels(tape)
    )


def learnt_tape(predictions: P, tape: Tape) -> Tape:
    """Tape of a run with the labels that it learnt: those it asked for, or all of them."""
    if not isinstance(predictions, ActivePredictions):
        return tape
    is_bought = np.isin(tape.row, predictions.bought)
    return Tape(tape.row, tape.op, np.where(is_bought, tape.weight, 0.0))


def run_learner(
    learner: AnyLearner[P],
    stream: Stream,
    tape: Tape,
    seed: int = 1,
    *,
    scores: bool = False,
    progress: Progress | None = None,
) -> P:
    """Run a learner over any tape, one whose labels are offered included.

    For the parameters see `Learner.run`, for offered labels `run_with_queries`.
    """
    if needs_learnt_order(learner, stream.schema):
        order = ClassOrder(stream.n_classes)
        silent = order.extended(stream, tape)
        stream = recode_classes(stream, order.codes)
        again = run_learner(learner, stream, tape, seed, scores=scores, progress=progress)
        return decode_predictions(again, order.codes, silent)
    if isinstance(tape, OfferedTape) and task_name(stream) == CLASSIFICATION:
        classifier: Any = learner
        predictions: Any = run_with_queries(
            classifier, stream, tape, seed, scores=scores, progress=progress
        )
        return predictions
    return learner.run(stream, tape, seed, scores=scores, progress=progress)


def run_with_queries(
    learner: Classifier,
    stream: Stream,
    tape: OfferedTape,
    seed: int = 1,
    *,
    scores: bool = False,
    progress: Progress | None = None,
) -> ActivePredictions:
    """Run a learner over a tape that offers labels, and buy labels by the learner's scores.

    Parameters
    ----------
    learner : Classifier
        A learner with class scores that runs event by event.
    stream, seed, scores, progress
        See `Learner.run`.
    tape : OfferedTape
        Each row is predicted once, before its label is offered.

    Returns
    -------
    ActivePredictions
        The predictions, equal to those of a run over a tape with only the bought labels.

    Raises
    ------
    ConfigError
        If the learner has no class scores, or needs the whole tape first.

    Notes
    -----
    A learner whose forecasts do not depend on the instance (`AnyLearner.ignores_inputs`) gets
    labels at random, with the same budget.
    """
    if learner.ignores_inputs:
        at_random_tape = random_labels_tape(stream, tape)
        predictions = learner.run(stream, at_random_tape, seed, scores=scores, progress=progress)
        return _with_labels(predictions, at_random_tape, scores)
    _check(learner, stream, tape.asking)
    bought = Tape(tape.row, tape.op, np.zeros(len(tape), np.float32))
    with repeated_warnings_once():
        run = learner.begin(stream, bought, seed)
        predictions = _run_with_offers(run, stream, tape, bought, progress)
    return _with_labels(predictions, bought, scores)


def _run_with_offers(
    run: SteppedRun[Predictions],
    stream: Stream,
    tape: OfferedTape,
    bought: Tape,
    progress: Progress | None,
) -> Predictions:
    """Advance a run over the tape `bought`; the weight of each label that is bought becomes 1."""
    offers = _offers(tape)
    state = _start(tape.asking, stream, tape, offers)
    scores, weight, seconds, done = run.outputs.scores, bought.weight, 0.0, 0
    steps = [*zip(offers.event.tolist(), offers.place.tolist(), strict=True)]
    begun, reached = time.thread_time(), 0
    while reached < len(tape):
        at = skip_offers(state)
        reached, place = steps[at] if at < len(steps) else (len(tape), 0)
        run.advance(reached)
        if at < len(steps) and decide_offer(state, scores[place]):
            weight[reached] = 1.0
        if reached - done >= _REPORT or reached == len(tape):
            seconds += time.thread_time() - begun
            if progress is not None:
                progress(reached - done)
            begun, done = time.thread_time(), reached
    return run.predictions(seconds)


def _check(learner: Classifier, stream: Stream, asking: LabelQueries) -> None:
    """Refuse learners without class scores, before they run."""
    try:
        learner.check_scores(stream)
    except ConfigError as error:
        raise ConfigError(
            f"The strategy {asking.strategy} asks for labels by class scores. {error} The "
            "strategies random and every need none."
        ) from error


def _with_labels(predictions: Predictions, tape: Tape, scores: bool) -> ActivePredictions:
    """Predictions together with the labels that their tape learns."""
    columns = {field.name: getattr(predictions, field.name) for field in fields(Predictions)}
    bought = tape.row[((tape.op & LEARN) != 0) & (tape.weight > 0)]
    with_labels = ActivePredictions(**columns, bought=bought)
    return with_labels if scores else replace(with_labels, scores=None)


class _Offers(NamedTuple):
    """The q labels that a tape offers."""

    event: Integers  # (q,) the event at which each is learnt
    place: Integers  # (q,) the prediction of its instance
    before: Integers  # (q,) labels whose events come before that prediction


def _offers(tape: OfferedTape) -> _Offers:
    """Offered labels of a tape on which each row is predicted once, before it is learnt."""
    (learns,) = np.nonzero(tape.op & LEARN)
    (predicts,) = np.nonzero(tape.op & PREDICT)
    error_location = np.empty(int(tape.row.max(initial=-1)) + 1, np.int64)
    error_location[tape.row[predicts]] = np.arange(len(predicts))
    place = error_location[tape.row[learns]]
    return _Offers(learns, place, np.searchsorted(learns, predicts[place]))


class _State(NamedTuple):
    """State of a strategy over q offers."""

    strategy: int
    budget: float
    step: float
    is_moa: bool
    threshold: Floats  # (1,)
    spent: Floats  # (1,) labels, or their faded number
    random: Integers  # see `java_random`
    at: Integers  # (2,) number of offers decided; number of offers whose learn event has passed
    seen: Integers  # (2,) the lowest and the highest class learnt
    bought: Flags  # (q,)
    label: Integers  # (q,)
    before: Integers  # (q,) see `_Offers`


def _start(asking: LabelQueries, stream: Stream, tape: OfferedTape, offers: _Offers) -> _State:
    is_fixed = asking.strategy == QUERYING[FIXED]
    return _State(
        QUERYING.index(asking.strategy),
        float(asking.budget),
        float(asking.step),
        asking.rules == "moa",
        np.array([asking.threshold if is_fixed else 1.0]),
        np.zeros(1),
        java_random(asking.seed),
        np.zeros(2, np.int64),
        np.array([np.iinfo(np.int64).max, -1]),
        np.zeros(len(offers.event), np.bool_),
        stream.y[tape.row[offers.event]].astype(np.int64),
        offers.before,
    )


@inlined
def _posterior(state: _State, scores: NDArray[np.float32]) -> float:
    """Largest score; 0 without votes, or if too few classes have been learnt."""
    decided = state.at[0]
    while state.at[1] < state.before[decided]:
        arrived = state.at[1]
        if state.bought[arrived]:
            state.seen[0] = min(state.seen[0], state.label[arrived])
            state.seen[1] = max(state.seen[1], state.label[arrived])
        state.at[1] += 1
    if state.is_moa:
        # MOA's votes have an entry for each class up to the highest one learnt, and a single
        # entry is not informative.
        if state.seen[1] < 1:
            return 0.0
    elif state.seen[1] <= state.seen[0]:
        return 0.0
    classes = scores.shape[0] - 1
    if scores[classes] == 0.0:
        return 0.0
    largest = np.float64(scores[0])
    for c in range(1, classes):
        largest = max(largest, np.float64(scores[c]))
    return largest


@inlined
def _is_uncertain(state: _State, posterior: float, classes: int) -> bool:
    """True if the strategy queries a label; its threshold is updated."""
    if state.strategy == SELECTIVE:
        margin = abs(posterior - 1.0 / classes)
        return next_double(state.random) < state.budget / (state.budget + margin)
    threshold = state.threshold[0]
    if state.strategy == RANDOMISED:
        factor = next_gaussian(state.random) + 1.0
        if state.is_moa:
            posterior = posterior / factor if factor != 0.0 else np.inf
        else:
            threshold *= factor
    # Scores have single precision, in which a score of 0.9 is not below a threshold of 0.9.
    asks = bool(np.float32(posterior) < np.float32(threshold))
    if state.strategy != FIXED:
        state.threshold[0] *= 1.0 - state.step if asks else 1.0 + state.step
    return asks


@inlined
def _has_budget(state: _State) -> bool:
    """True if the budget covers the label of the next offer."""
    if state.is_moa:
        return state.spent[0] / (state.at[0] + 1) < state.budget
    return state.spent[0] / SPENDING_WINDOW < state.budget


@inlined
def _decide(state: _State, buys: bool) -> None:
    """Count an offer."""
    if not state.is_moa:
        state.spent[0] *= 1.0 - 1.0 / SPENDING_WINDOW
    if buys:
        state.spent[0] += 1.0
        state.bought[state.at[0]] = True
    state.at[0] += 1


@kernel
def skip_offers(state: _State) -> int:
    """Skip the offers that the budget does not cover; return the number of the next offer."""
    while state.at[0] < state.bought.shape[0] and not _has_budget(state):
        _decide(state, False)
    return int(state.at[0])


@kernel
def decide_offer(state: _State, scores: NDArray[np.float32]) -> bool:
    """Decide by the scores (k + 1,) of an instance whether its label is bought.

    The budget must cover it. The last score is 0 if there are no votes; see `SteppedRun`.
    """
    buys = _is_uncertain(state, _posterior(state, scores), scores.shape[0] - 1)
    _decide(state, buys)
    return buys
