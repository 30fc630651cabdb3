"""Active learning: class scores of a learner decide for which labels a budget is spent.

A learner runs over a tape that offers labels (`streameval.protocols.partial.ActiveLearningTape`),
and stops before the learn event of each offered label. The strategy then decides by the class
scores of the instance whether the label is bought. A bought label is learnt with the weight 1. All
other labels get the weight 0: learners do not learn from them.
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
    SCORE_BASED,
    ActiveLearningTape,
    LabelQueries,
    count_learnt_labels,
    random_labels_tape,
)
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream

#: Events between two reports of progress.
_EVENTS_PER_REPORT = 8192
#: Numbers of the strategies in kernels, in the order of `SCORE_BASED`.
FIXED, VARIABLE, RANDOMISED, SELECTIVE = range(len(SCORE_BASED))
#: Under the rules ``paper`` of `Partial`, spending is a fading mean over about so many instances.
SPENDING_WINDOW = 100


@dataclass(frozen=True, kw_only=True)
class ActivePredictions(Predictions):
    """Predictions of a learner that bought some of its labels.

    Parameters
    ----------
    bought : ndarray of int32
        Rows of the labels that the learner bought, in the order of the tape.
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
    """Tape of a run in which labels that the learner did not buy have the weight 0."""
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
    """Run a learner over any tape, also over one that offers labels.

    For the parameters see `Learner.run`, for offered labels `run_with_queries`. If the learner
    needs class codes in the order in which it learns them, the stream is recoded for the run.
    """
    if needs_learnt_order(learner, stream.schema):
        order = ClassOrder(stream.n_classes)
        n_before_label = order.add_labels(stream, tape)
        stream = recode_classes(stream, order.codes)
        recoded = run_learner(learner, stream, tape, seed, scores=scores, progress=progress)
        return decode_predictions(recoded, order.codes, n_before_label)
    if isinstance(tape, ActiveLearningTape) and task_name(stream) == CLASSIFICATION:
        classifier: Any = learner
        predictions: Any = run_with_queries(
            classifier, stream, tape, seed, scores=scores, progress=progress
        )
        return predictions  # `P` is `Predictions` here, which mypy cannot infer
    return learner.run(stream, tape, seed, scores=scores, progress=progress)


def run_with_queries(
    learner: Classifier,
    stream: Stream,
    tape: ActiveLearningTape,
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
    tape : ActiveLearningTape
        Each row is predicted once, before its label is offered.

    Returns
    -------
    ActivePredictions
        The same predictions as in a run over a tape with only the bought labels.

    Raises
    ------
    ConfigError
        If the learner has no class scores, or cannot run event by event.

    Notes
    -----
    A learner whose forecasts do not depend on the instance (`AnyLearner.ignores_inputs`) gets
    labels at random, with the same budget.
    """
    if learner.ignores_inputs:
        random_tape = random_labels_tape(stream, tape)
        predictions = learner.run(stream, random_tape, seed, scores=scores, progress=progress)
        return _active_predictions(predictions, random_tape, scores)
    _check_scores(learner, stream, tape.queries)
    bought_tape = Tape(tape.row, tape.op, np.zeros(len(tape), np.float32))
    with repeated_warnings_once():
        run = learner.begin(stream, bought_tape, seed)
        predictions = _run_and_query(run, stream, tape, bought_tape, progress)
    return _active_predictions(predictions, bought_tape, scores)


def _run_and_query(
    run: SteppedRun[Predictions],
    stream: Stream,
    tape: ActiveLearningTape,
    bought_tape: Tape,
    progress: Progress | None,
) -> Predictions:
    """Advance a run over `bought_tape`, and set the weight of each bought label to 1 there."""
    offers = _find_offers(tape)
    state = _start_state(tape.queries, stream, tape, offers)
    scores, weight = run.outputs.scores, bought_tape.weight
    positions = [*zip(offers.event.tolist(), offers.prediction.tolist(), strict=True)]
    seconds, start_time = 0.0, time.thread_time()
    event, n_reported = 0, 0
    while event < len(tape):
        offer = skip_offers(state)
        is_offer = offer < len(positions)
        event, prediction = positions[offer] if is_offer else (len(tape), 0)  # 0 is not used
        run.advance(event)
        if is_offer and decide_offer(state, scores[prediction]):
            weight[event] = 1.0
        if event - n_reported >= _EVENTS_PER_REPORT or event == len(tape):
            seconds += time.thread_time() - start_time  # without the time of `progress`
            if progress is not None:
                progress(event - n_reported)
            start_time, n_reported = time.thread_time(), event
    return run.predictions(seconds)


def _check_scores(learner: Classifier, stream: Stream, queries: LabelQueries) -> None:
    """Refuse learners without class scores, before they run."""
    try:
        learner.check_scores(stream)
    except ConfigError as error:
        raise ConfigError(
            f"The strategy {queries.strategy} asks for labels by class scores. {error} The "
            "strategies random and every need none."
        ) from error


def _active_predictions(predictions: Predictions, tape: Tape, scores: bool) -> ActivePredictions:
    """Predictions together with the rows of the labels that their tape learns."""
    columns = {field.name: getattr(predictions, field.name) for field in fields(Predictions)}
    bought = tape.row[((tape.op & LEARN) != 0) & (tape.weight > 0)]
    with_labels = ActivePredictions(**columns, bought=bought)
    return with_labels if scores else replace(with_labels, scores=None)


class _Offers(NamedTuple):
    """The q labels that a tape offers."""

    event: Integers  # (q,) learn event of each label
    prediction: Integers  # (q,) number of the prediction of its instance
    n_before: Integers  # (q,) number of learn events before that prediction


def _find_offers(tape: ActiveLearningTape) -> _Offers:
    """Offered labels of a tape on which each row is predicted once, before it is learnt."""
    (learns,) = np.nonzero(tape.op & LEARN)
    (predicts,) = np.nonzero(tape.op & PREDICT)
    prediction_of_row = np.empty(int(tape.row.max(initial=-1)) + 1, np.int64)
    prediction_of_row[tape.row[predicts]] = np.arange(len(predicts))
    prediction = prediction_of_row[tape.row[learns]]
    return _Offers(learns, prediction, np.searchsorted(learns, predicts[prediction]))


#: Entries of `_State.counts`: numbers of offers that are decided, and whose learn event has passed.
N_DECIDED, N_PASSED = 0, 1
#: Entries of `_State.classes`: the lowest and the highest class code learnt.
LOWEST, HIGHEST = 0, 1


class _State(NamedTuple):
    """State of a strategy over q offers."""

    strategy: int
    budget: float
    step: float  # relative change of a variable threshold
    is_moa: bool  # the rules of MOA instead of those of the paper
    threshold: Floats  # (1,)
    n_bought: Floats  # (1,) number of labels bought; under the rules of the paper it fades
    random: Integers  # see `java_random`
    counts: Integers  # (2,) see `N_DECIDED`
    classes: Integers  # (2,) see `LOWEST`
    bought: Flags  # (q,)
    label: Integers  # (q,)
    n_before: Integers  # (q,) see `_Offers`


def _start_state(
    queries: LabelQueries, stream: Stream, tape: ActiveLearningTape, offers: _Offers
) -> _State:
    """State before the first offer."""
    is_fixed = queries.strategy == SCORE_BASED[FIXED]
    return _State(
        strategy=SCORE_BASED.index(queries.strategy),
        budget=float(queries.budget),
        step=float(queries.step),
        is_moa=queries.rules == "moa",
        # Variable thresholds start at 1, as in the paper.
        threshold=np.array([queries.threshold if is_fixed else 1.0]),
        n_bought=np.zeros(1),
        random=java_random(queries.seed),
        counts=np.zeros(2, np.int64),
        classes=np.array([np.iinfo(np.int64).max, -1]),  # no class is learnt
        bought=np.zeros(len(offers.event), np.bool_),
        label=stream.y[tape.row[offers.event]].astype(np.int64),
        n_before=offers.n_before,
    )


@inlined
def _posterior(state: _State, scores: NDArray[np.float32]) -> float:
    """Largest score; 0 if the learner has no votes, or has learnt too few classes."""
    offer = state.counts[N_DECIDED]
    while state.counts[N_PASSED] < state.n_before[offer]:
        passed = state.counts[N_PASSED]
        if state.bought[passed]:
            state.classes[LOWEST] = min(state.classes[LOWEST], state.label[passed])
            state.classes[HIGHEST] = max(state.classes[HIGHEST], state.label[passed])
        state.counts[N_PASSED] += 1
    if state.is_moa:
        # MOA's votes have an entry for each class up to the highest class learnt. With a single
        # entry, MOA sets the posterior to 0.
        if state.classes[HIGHEST] < 1:
            return 0.0
    elif state.classes[HIGHEST] <= state.classes[LOWEST]:
        return 0.0  # a single class has the score 1, which would prevent all queries
    k = scores.shape[0] - 1
    if scores[k] == 0.0:  # vote flag: the learner has no votes
        return 0.0
    largest = np.float64(scores[0])
    for c in range(1, k):
        largest = max(largest, np.float64(scores[c]))
    return largest


@inlined
def _is_uncertain(state: _State, posterior: float, k: int) -> bool:
    """True if the strategy queries a label of `k` classes; updates a variable threshold.

    The formulas are in the docstring of `streameval.protocols.partial.Partial`.
    """
    if state.strategy == SELECTIVE:
        margin = abs(posterior - 1.0 / k)
        return next_double(state.random) < state.budget / (state.budget + margin)
    threshold = state.threshold[0]
    if state.strategy == RANDOMISED:
        factor = next_gaussian(state.random) + 1.0
        if state.is_moa:  # MOA divides the posterior instead of multiplying the threshold
            posterior = posterior / factor if factor != 0.0 else np.inf
        else:
            threshold *= factor
    # Scores have single precision, in which a score of 0.9 is not below a threshold of 0.9.
    queries = bool(np.float32(posterior) < np.float32(threshold))
    if state.strategy != FIXED:
        state.threshold[0] *= 1.0 - state.step if queries else 1.0 + state.step
    return queries


@inlined
def _has_budget(state: _State) -> bool:
    """True if the budget covers the label of the next offer."""
    if state.is_moa:
        n_offers = state.counts[N_DECIDED] + 1  # including the next offer
        return state.n_bought[0] / n_offers < state.budget
    return state.n_bought[0] / SPENDING_WINDOW < state.budget


@inlined
def _count_offer(state: _State, is_bought: bool) -> None:
    if not state.is_moa:
        state.n_bought[0] *= 1.0 - 1.0 / SPENDING_WINDOW
    if is_bought:
        state.n_bought[0] += 1.0
        state.bought[state.counts[N_DECIDED]] = True
    state.counts[N_DECIDED] += 1


@kernel
def skip_offers(state: _State) -> int:
    """Skip the offers that the budget does not cover; return the number of the next offer."""
    while state.counts[N_DECIDED] < state.bought.shape[0] and not _has_budget(state):
        _count_offer(state, False)
    return int(state.counts[N_DECIDED])


@kernel
def decide_offer(state: _State, scores: NDArray[np.float32]) -> bool:
    """Decide by the scores (k + 1,) of an instance whether its label is bought.

    The budget must cover the label. The last score is a vote flag, 0 without votes; see
    `SteppedRun`.
    """
    is_bought = _is_uncertain(state, _posterior(state, scores), scores.shape[0] - 1)
    _count_offer(state, is_bought)
    return is_bought
