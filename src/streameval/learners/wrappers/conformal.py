"""Adaptive conformal prediction intervals around any regressor."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.params import Count, Proportion, StrictProportion
from streameval.compiled.kernels import inlined, kernel
from streameval.learners.learner import AnyLearner, Progress
from streameval.learners.predictions import PredictedValues
from streameval.learners.regression.regressor import Regressor
from streameval.measures.prediction_intervals import RANK_ROUNDING, smallest_n_residuals
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream

#: Largest number of residuals in a window. The bound protects the memory.
_LARGEST_WINDOW = 10**7


@dataclass(frozen=True)
class IntervalValues(PredictedValues):
    """Predicted numbers with conformal intervals.

    Parameters
    ----------
    limited : ndarray of bool, shape (p,), optional
        True if the theoretical interval is infinite or empty, and is replaced by the widest or the
        narrowest interval that the residuals allow.
    """

    limited: Flags | None = None


class _Residuals(NamedTuple):
    """The residuals of a run, in the order in which their targets arrive."""

    prediction: Integers  # (a,) number of the prediction
    n_before: Integers  # (a,) number of predictions that are made before the target arrives
    residual: Floats  # (a,)
    rank: Integers  # (a,) rank of each residual, from 1
    ordered: Floats  # (a,) residuals in ascending order


class _Intervals(NamedTuple):
    """The intervals of predictions, and whether they are limited."""

    low: Floats  # (p,)
    high: Floats  # (p,)
    limited: Flags  # (p,)


class _State(NamedTuple):
    level: Floats  # (1,) 1 - α_t
    tree: Integers  # (a + 1,) Fenwick tree: number of residuals in the window, by rank


@dataclass(frozen=True)
class Conformal(Regressor):
    r"""Any regressor, with prediction intervals whose nominal level follows their errors.

    The interval is the prediction ± the k-th smallest of the last n absolute residuals, with
    k = ⌈(n + 1)(1 - α_t)⌉, as in split conformal prediction. A residual belongs to a prediction
    that was made before its target was known. It enters the window when the target arrives. Then
    the level changes, too:

        α_{t+1} = α_t + γ (α - miss_t),

    where α is 1 - `coverage`, and miss_t is 1 if the target is not within the interval of its
    prediction, otherwise 0. Too many misses thus widen later intervals. With γ = 0, these are
    split-conformal intervals over a sliding window.

    The interval is NaN if there is no prediction, or too few residuals for k ≤ n at the nominal
    level: at a coverage of 0.9, fewer than 9. A NaN interval does not change the level. Later, α_t
    may lead to k > n, for which the theoretical interval is infinite, or to k < 1, for which it is
    empty. Proposition 4.1 of Gibbs and Candès holds only for theoretical intervals. It bounds the
    proportion of misses on any sequence of targets:

        \|mean miss - α\| ≤ (max(α, 1 - α) + (d + 1) γ) / (γ T),

    for T targets, where d is the largest number of other predictions whose targets are pending when
    a target arrives; 0 in the paper. By default (`infinite` false) the interval is limited to the
    largest residual if k > n, and to the smallest if k < 1, and α_t is kept within 0 and 1, so that
    widths and scores are finite. ``limited`` marks these predictions.

    In a stream with groups, each entity has its residuals and its level, since the errors of
    entities differ. While an entity has too few residuals for an interval, its intervals come from
    the residuals of all entities. Those intervals have a separate level, which only they change.

    With delayed labels, a row may be predicted several times. Each prediction has its interval. The
    residual and the miss of a row come from its first prediction. A row has neither if it is learnt
    before it is predicted, or has weight 0.

    Cost: O(log n) per prediction and per target, with n residuals in the run.

    Parameters
    ----------
    learner : AnyLearner
        The inner regressor. Its predictions do not change.
    coverage : float
        The nominal coverage of the intervals, 1 - α.
    gamma : float
        The step γ. Gibbs and Candès use 0.005.
    window : int
        Number of latest residuals, n.
    infinite : bool
        Whether intervals may be infinite or empty, as in theory.

    Raises
    ------
    ConfigError
        If a parameter is out of range.

    References
    ----------
    Gibbs, Candès (2021), Adaptive conformal inference under distribution shift, Advances in Neural
    Information Processing Systems 34, Eq. 2 and Proposition 4.1; ranks: Vovk, Gammerman, Shafer
    (2005), Algorithmic learning in a random world, Section 2.2.
    """

    learner: AnyLearner[PredictedValues]
    coverage: StrictProportion = 0.9
    gamma: Proportion = 0.005
    window: Annotated[Count, Meta(le=_LARGEST_WINDOW)] = 500
    infinite: bool = False

    name: ClassVar[str] = "conformal"
    reference: ClassVar[str] = "Gibbs, Candès (2021)"

    def _check_combination(self) -> None:
        if self.window < self.min_residuals:
            raise self._parameter_error(
                f"at window: expected at least {self.min_residuals:,} residuals at a coverage of "
                f"{self.coverage}, found {self.window:,}. With fewer, no residual is large enough.",
                "window",
            )

    @property
    def min_residuals(self) -> int:
        """Smallest number of residuals for an interval: k is at most n at the nominal level."""
        return smallest_n_residuals(self.coverage)

    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> IntervalValues:
        """See `Learner.run`."""
        inner = self.learner.run(stream, tape, seed, scores=scores, progress=progress)
        return self.add_intervals(inner, stream, tape)

    def add_intervals(self, inner: PredictedValues, stream: Stream, tape: Tape) -> IntervalValues:
        """Add intervals to predictions that the inner regressor has already made.

        Parameters
        ----------
        inner : PredictedValues
            Predictions of the inner regressor on this stream and tape.
        stream, tape
            See `Learner.run`.
        """
        self._check_can_run(stream, tape)
        value, true = inner.value, stream.y[tape.predict_rows]
        no_integers = np.empty(0, dtype=np.int64)
        no_residuals = _rank_residuals(no_integers, no_integers, value[:0])
        self._intervals(no_residuals, value[:0], true[:0])  # compiles, so that this is not timed
        start_time = time.thread_time()
        residuals = _residuals(value, stream, tape)
        n_stored, n_levels, entity_intervals = 0, 1, None
        if stream.groups is not None:
            entity_intervals = _empty_intervals(len(value))
            for _, of_entity in stream.groups.select(tape.predict_rows).rows_by_entity():
                entity_residuals = _residuals_of_entity(residuals, of_entity)
                intervals = self._intervals(entity_residuals, value[of_entity], true[of_entity])
                for column, part in zip(entity_intervals, intervals, strict=True):
                    column[of_entity] = part
                n_stored += min(self.window, len(entity_residuals.residual))
                n_levels += 1
        low, high, limited = self._intervals(residuals, value, true, entity_intervals)
        seconds = time.thread_time() - start_time
        n_stored += min(self.window, len(residuals.residual))
        return IntervalValues(
            inner.row,
            value,
            seconds=inner.seconds + seconds,
            model_bytes=inner.model_bytes + (n_stored + n_levels) * low.itemsize,
            size=inner.size,
            low=low,
            high=high,
            limited=limited,
        )

    def _intervals(
        self,
        residuals: _Residuals,
        value: Floats,
        true: Floats,
        intervals: _Intervals | None = None,
    ) -> _Intervals:
        """Intervals from residuals; those in `intervals` that are not NaN stay."""
        low, high, limited = _empty_intervals(len(value)) if intervals is None else intervals
        is_missing = np.isnan(low)
        tree = np.zeros(len(residuals.residual) + 1, dtype=np.int64)
        state = _State(level=np.full(1, self.coverage), tree=tree)
        options = (self.coverage, self.gamma, self.window, self.min_residuals, self.infinite)
        _write_intervals(state, residuals, value, true, is_missing, *options, low, high, limited)
        return _Intervals(low, high, limited)


def _empty_intervals(n: int) -> _Intervals:
    """NaN for the intervals of n predictions."""
    return _Intervals(np.full(n, np.nan), np.full(n, np.nan), np.zeros(n, dtype=np.bool_))


def _residuals_of_entity(residuals: _Residuals, of_entity: Integers) -> _Residuals:
    """Residuals of an entity, whose predictions are numbered from 0 in the result.

    `of_entity` has the numbers of its predictions in the run, in ascending order.
    """
    new_number = np.searchsorted(of_entity, residuals.prediction)
    # Predictions after the last of the entity get no valid place: compare them with the last.
    candidate = of_entity[np.minimum(new_number, len(of_entity) - 1)]
    is_of_entity = candidate == residuals.prediction
    n_before = np.searchsorted(of_entity, residuals.n_before[is_of_entity])
    return _rank_residuals(new_number[is_of_entity], n_before, residuals.residual[is_of_entity])


def _residuals(value: Floats, stream: Stream, tape: Tape) -> _Residuals:
    """Residuals of first predictions in the order in which their targets arrive."""
    predicts = (tape.op & PREDICT) != 0
    n_predictions = np.cumsum(predicts)
    predict_events = np.flatnonzero(predicts)
    row, first = np.unique(tape.row[predict_events], return_index=True)
    first_prediction = np.full(len(stream), -1, dtype=np.int64)  # of each row
    first_prediction[row] = first
    learn_events = np.flatnonzero(((tape.op & LEARN) != 0) & (tape.weight > 0))
    _, first = np.unique(tape.row[learn_events], return_index=True)
    event = np.sort(learn_events[first])  # the first event at which each row is learnt
    prediction = first_prediction[tape.row[event]]
    is_predicted = prediction >= 0
    prediction, event = prediction[is_predicted], event[is_predicted]
    residual = np.abs(stream.y[tape.row[event]] - value[prediction])
    # An event that predicts and learns predicts first.
    is_valid = (predict_events[prediction] <= event) & np.isfinite(residual)
    prediction, event, residual = prediction[is_valid], event[is_valid], residual[is_valid]
    return _rank_residuals(prediction, n_predictions[event], residual)


def _rank_residuals(prediction: Integers, n_before: Integers, residual: Floats) -> _Residuals:
    """Residuals in the order of their arrival, with their ranks."""
    order = np.argsort(residual, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(1, len(order) + 1)
    return _Residuals(prediction, n_before, residual, rank, residual[order])


@kernel
def _write_intervals(
    state: _State,
    residuals: _Residuals,
    value: Floats,
    true: Floats,
    is_missing: Flags,
    coverage: float,
    gamma: float,
    window: int,
    min_residuals: int,
    infinite: bool,
    low: Floats,
    high: Floats,
    limited: Flags,
) -> None:
    """Write the intervals of predictions where `is_missing`; only these change the level."""
    n_arrived = 0
    for number in range(len(value)):
        while n_arrived < len(residuals.rank) and residuals.n_before[n_arrived] <= number:
            _add_to_window(state, residuals, n_arrived, window)
            i = residuals.prediction[n_arrived]  # the prediction whose target arrives
            if is_missing[i] and not np.isnan(low[i]):
                miss = 0.0 if low[i] <= true[i] <= high[i] else 1.0
                state.level[0] += gamma * (miss - (1.0 - coverage))
                if not infinite:
                    state.level[0] = min(max(state.level[0], 0.0), 1.0)
            n_arrived += 1
        n = min(n_arrived, window)
        if n < min_residuals or not is_missing[number] or not np.isfinite(value[number]):
            continue
        rank = int(np.ceil((n + 1) * state.level[0] - RANK_ROUNDING))
        limited[number] = not 1 <= rank <= n and not infinite
        if 1 <= rank <= n or not infinite:
            radius = residuals.ordered[_kth_rank(state.tree, min(max(rank, 1), n)) - 1]
            low[number], high[number] = value[number] - radius, value[number] + radius
        else:
            radius = np.inf if rank > n else -np.inf  # -inf: low > high, the empty interval
            low[number], high[number] = -radius, radius


@inlined
def _add_to_window(state: _State, residuals: _Residuals, i: int, window: int) -> None:
    """Add residual `i` to the window, and remove the oldest residual of a full window."""
    _change_count(state.tree, residuals.rank[i], 1)
    if i >= window:
        _change_count(state.tree, residuals.rank[i - window], -1)


@inlined
def _change_count(tree: Integers, rank: int, change: int) -> None:
    """Change the number of residuals with a rank; see Fenwick (1994)."""
    while rank < len(tree):
        tree[rank] += change
        rank += rank & -rank  # the lowest bit of the rank that is 1


@inlined
def _kth_rank(tree: Integers, k: int) -> int:
    """Rank, among all residuals, of the k-th smallest residual in the window."""
    # Sums over `step` ranks are in the tree, for each power of two.
    step, rank = 1, 0
    while 2 * step < len(tree):
        step *= 2
    while step > 0:
        if rank + step < len(tree) and tree[rank + step] < k:
            rank += step
            k -= tree[rank]
        step //= 2
    return rank + 1
