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
from streameval.measures.prediction_intervals import ROUNDING, least_residuals
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream

#: Largest number of residuals in a window.
_LARGEST_WINDOW = 10**7


@dataclass(frozen=True)
class IntervalValues(PredictedValues):
    """Predicted numbers with conformal intervals.

    Parameters
    ----------
    limited : ndarray of bool, shape (p,), optional
        True where theory has an infinite or an empty interval, which is replaced by the widest or
        the narrowest interval that the residuals allow.
    """

    limited: Flags | None = None


class _Arrivals(NamedTuple):
    """The residuals of a run, in the order in which their targets arrive."""

    of: Integers  # (a,) number of the prediction
    before: Integers  # (a,) number of predictions that are made before the target arrives
    residual: Floats  # (a,)
    rank: Integers  # (a,) rank of each residual, from 1
    ordered: Floats  # (a,) residuals in ascending order


class _Ends(NamedTuple):
    """The intervals of predictions, and whether they are limited."""

    low: Floats  # (p,)
    high: Floats  # (p,)
    limited: Flags  # (p,)


class _State(NamedTuple):
    level: Floats  # (1,) 1 - α_t
    tree: Integers  # (a + 1,) Fenwick tree: residuals of the window by rank


@dataclass(frozen=True)
class Conformal(Regressor):
    r"""Any regressor, with prediction intervals whose nominal level follows their errors.

    The interval is the prediction ± the k-th smallest of the last n absolute residuals, with
    k = ⌈(n + 1)(1 - α_t)⌉, as in split conformal prediction. Residuals are those of predictions
    that were made before their target was known: each enters when its target arrives. Then the
    level changes, too:

        α_{t+1} = α_t + γ (α - miss_t),

    where α is 1 - `coverage`, and miss_t is 1 if the target is not within the interval of its
    prediction, otherwise 0. Too many misses thus widen later intervals. With γ = 0 they are
    split-conformal intervals over a sliding window.

    There is no interval (NaN) without a prediction, and while k > n at the nominal level: at a
    coverage of 0.9, until there are 9 residuals. Such predictions do not change the level. Later,
    α_t may lead to k > n, for which theory has an infinite interval, or to k < 1, for which it has
    the empty one. Only with these intervals is the proportion of misses as close to α on any
    sequence of targets as Proposition 4.1 of Gibbs and Candès says:

        \|mean miss - α\| ≤ (max(α, 1 - α) + (d + 1) γ) / (γ T),

    for T targets, where d is the largest number of other predictions whose targets are pending when
    a target arrives; 0 in the paper. By default (`infinite` false) the interval is limited to the
    largest residual if k > n, and to the smallest if k < 1, and α_t is kept within 0 and 1, so that
    widths and scores are finite. ``limited`` marks these predictions.

    In a stream with groups, each entity has its residuals and its level, since the errors of
    entities differ. While an entity has too few residuals for an interval, its intervals come from
    the residuals of all entities. These have a separate level, which only such intervals change.

    Under delay a row may be predicted several times. Each prediction has its interval; the residual
    and the miss of a row are those of its first prediction. A row has neither if it is learnt
    before it is predicted, or has weight 0.

    Cost: O(log n) for a prediction, and for a target, with n residuals of the run.

    Parameters
    ----------
    learner : AnyLearner
        The inner regressor. Its predictions do not change.
    coverage : float
        The nominal coverage of the intervals, 1 - α.
    gamma : float
        The step γ. Gibbs and Candès use 0.005.
    window : int
        Number of latest residuals.
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

    def _check_together(self) -> None:
        if self.window < self.least:
            raise self._refused(
                f"at window: expected at least {self.least:,} residuals at a coverage of "
                f"{self.coverage}, found {self.window:,}. With fewer, no residual is large enough.",
                "window",
            )

    @property
    def least(self) -> int:
        """Smallest number of residuals for an interval: k is at most n at the nominal level."""
        return least_residuals(self.coverage)

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
        return self.surround(inner, stream, tape)

    def surround(self, inner: PredictedValues, stream: Stream, tape: Tape) -> IntervalValues:
        """Add intervals to predictions that the inner regressor has already made.

        Parameters
        ----------
        inner : PredictedValues
            Predictions of the inner regressor on this stream and tape.
        stream, tape
            See `Learner.run`.
        """
        self._check(stream, tape)
        value, true = inner.value, stream.y[tape.predict_rows]
        none = np.empty(0, dtype=np.int64)
        self._around(_rank_residuals(none, none, value[:0]), value[:0], true[:0])  # compiles
        begun = time.thread_time()
        arrived = _arrivals(value, stream, tape)
        held, levels, ends = 0, 1, None
        if stream.groups is not None:
            ends = _empty_intervals(len(value))
            for _, place in stream.groups.part(tape.predict_rows).parts():
                of_entity = _arrivals_of_entity(arrived, place)
                around = self._around(of_entity, value[place], true[place])
                for column, part in zip(ends, around, strict=True):
                    column[place] = part
                held, levels = held + min(self.window, len(of_entity.of)), levels + 1
        low, high, limited = self._around(arrived, value, true, ends)
        seconds = time.thread_time() - begun
        held += min(self.window, len(arrived.of))
        return IntervalValues(
            inner.row,
            value,
            seconds=inner.seconds + seconds,
            model_bytes=inner.model_bytes + (held + levels) * low.itemsize,
            size=inner.size,
            low=low,
            high=high,
            limited=limited,
        )

    def _around(
        self, arrived: _Arrivals, value: Floats, true: Floats, ends: _Ends | None = None
    ) -> _Ends:
        """Intervals by arriving residuals, for predictions that have none yet in `ends`."""
        low, high, limited = _empty_intervals(len(value)) if ends is None else ends
        wanted = np.isnan(low)
        state = _State(np.full(1, self.coverage), np.zeros(len(arrived.of) + 1, dtype=np.int64))
        options = (self.coverage, self.gamma, self.window, self.least, self.infinite)
        _surround(state, arrived, value, true, wanted, *options, low, high, limited)
        return _Ends(low, high, limited)


def _empty_intervals(n: int) -> _Ends:
    """Ends of n predictions without intervals."""
    return _Ends(np.full(n, np.nan), np.full(n, np.nan), np.zeros(n, dtype=np.bool_))


def _arrivals_of_entity(arrived: _Arrivals, place: Integers) -> _Arrivals:
    """Residuals of an entity; `place` has the numbers of its predictions in ascending order."""
    number = np.searchsorted(place, arrived.of)
    is_of_entity = place[np.minimum(number, len(place) - 1)] == arrived.of
    before = np.searchsorted(place, arrived.before[is_of_entity])
    return _rank_residuals(number[is_of_entity], before, arrived.residual[is_of_entity])


def _arrivals(value: Floats, stream: Stream, tape: Tape) -> _Arrivals:
    """Residuals of first predictions in the order in which their targets arrive."""
    predicts = (tape.op & PREDICT) != 0
    learns = np.flatnonzero(((tape.op & LEARN) != 0) & (tape.weight > 0))
    n_predictions = np.cumsum(predicts)
    # The first prediction of each row, and its event.
    predicting = np.flatnonzero(predicts)
    row, first = np.unique(tape.row[predicting], return_index=True)
    number = np.full(len(stream), -1, dtype=np.int64)
    number[row] = first
    _, place = np.unique(tape.row[learns], return_index=True)
    event = np.sort(learns[place])  # the first event at which each row is learnt
    of = number[tape.row[event]]
    known = of >= 0
    of, event = of[known], event[known]
    residual = np.abs(stream.y[tape.row[event]] - value[of])
    counts = (predicting[of] <= event) & np.isfinite(residual)
    of, event, residual = of[counts], event[counts], residual[counts]
    return _rank_residuals(of, n_predictions[event], residual)


def _rank_residuals(of: Integers, before: Integers, residual: Floats) -> _Arrivals:
    """Residuals in the order of their arrival, with their ranks."""
    order = np.argsort(residual, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(1, len(order) + 1)
    return _Arrivals(of, before, residual, rank, residual[order])


@kernel
def _surround(
    state: _State,
    arrived: _Arrivals,
    value: Floats,
    true: Floats,
    wanted: Flags,
    coverage: float,
    gamma: float,
    window: int,
    least: int,
    infinite: bool,
    low: Floats,
    high: Floats,
    limited: Flags,
) -> None:
    """Write the intervals of the `wanted` predictions; only their misses change the level."""
    entered = 0
    for at in range(len(value)):
        while entered < len(arrived.of) and arrived.before[entered] <= at:
            _enter(state, arrived, entered, window)
            of = arrived.of[entered]
            if wanted[of] and low[of] == low[of]:
                miss = 0.0 if low[of] <= true[of] <= high[of] else 1.0
                state.level[0] += gamma * (miss - (1.0 - coverage))
                if not infinite:
                    state.level[0] = min(max(state.level[0], 0.0), 1.0)
            entered += 1
        n = min(entered, window)
        if n < least or not wanted[at] or not np.isfinite(value[at]):
            continue
        rank = int(np.ceil((n + 1) * state.level[0] - ROUNDING))
        limited[at] = not 1 <= rank <= n and not infinite
        if 1 <= rank <= n or not infinite:
            radius = arrived.ordered[_find(state.tree, min(max(rank, 1), n)) - 1]
            low[at], high[at] = value[at] - radius, value[at] + radius
        else:
            bound = np.inf if rank > n else -np.inf
            low[at], high[at] = -bound, bound


@inlined
def _enter(state: _State, arrived: _Arrivals, i: int, window: int) -> None:
    """Add residual `i` to the window, and remove the oldest one."""
    _add(state.tree, arrived.rank[i], 1)
    if i >= window:
        _add(state.tree, arrived.rank[i - window], -1)


@inlined
def _add(tree: Integers, rank: int, change: int) -> None:
    while rank < len(tree):
        tree[rank] += change
        rank += rank & -rank


@inlined
def _find(tree: Integers, k: int) -> int:
    """Rank, among all residuals, of the k-th smallest residual in the window."""
    step, rank = 1, 0
    while 2 * step < len(tree):
        step *= 2
    while step > 0:
        if rank + step < len(tree) and tree[rank + step] < k:
            rank += step
            k -= tree[rank]
        step //= 2
    return rank + 1
