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

#: Most residuals of a window.
_LARGEST_WINDOW = 10**7


@dataclass(frozen=True)
class IntervalValues(PredictedValues):
    """Predicted numbers with conformal intervals.

    Parameters
    ----------
    limited : ndarray of bool, shape (p,), optional
        Where the interval is as wide, or as narrow, as the residuals allow, since theory has none
        of a finite width, or an empty one.
    """

    limited: Flags | None = None


class _Arrivals(NamedTuple):
    """The residuals of a run, in the order in which their targets arrive."""

    of: Integers  # (a,) number of the prediction
    before: Integers  # (a,) how many predictions are made before the target arrives
    residual: Floats  # (a,)
    rank: Integers  # (a,) place of each among all, from 1
    ordered: Floats  # (a,) all, from the least


class _Ends(NamedTuple):
    """The intervals of predictions, and where they are limited."""

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
    that were made before their target was known: each enters when its target arrives. At the same
    time the level moves,

        α_{t+1} = α_t + γ (α - miss_t),

    where α is 1 - `coverage`, and miss_t is 1 if the target is not within the interval of its
    prediction, otherwise 0. Too many misses thus widen the intervals that follow. With γ = 0 they
    are split-conformal intervals over a sliding window.

    There is no interval (NaN) without a prediction, and as long as k > n at the nominal level: the
    first 9 residuals at a coverage of 0.9. Such predictions do not move the level. Later, α_t may
    ask for more than the residuals contain. With k > n, theory has an interval without bounds, and
    with k < 1 the empty one; then, and only then, the proportion of misses comes as close to α as
    Proposition 4.1 of Gibbs and Candès says on any sequence of targets:

        \|mean miss - α\| ≤ (max(α, 1 - α) + (d + 1) γ) / (γ T),

    for T targets, where d is the largest number of predictions that wait for their targets when one
    arrives, itself left out; 0 in the paper. By default (`infinite` false) the interval is limited
    to the largest residual if k > n, to the smallest if k < 1, and α_t is kept within 0 and 1, so
    that widths and scores are finite. ``limited`` of the predictions says which of them these are.

    Where a stream has groups, the residuals and the level are those of the same entity, as the
    errors of entities differ. While an entity has too few residuals for an interval, it has that of
    all entities, with a level of its own that only such intervals move.

    Under delay a row may be predicted several times. Each prediction has an interval of its own;
    the residual and the miss of a row are those of the first one. A row that is learnt before it
    is predicted has none, nor has one of weight 0.

    Cost: O(log n) for a prediction, and for a target, with n residuals of the run.

    Parameters
    ----------
    learner : AnyLearner
        The regressor inside. Its predictions stay as they are.
    coverage : float
        The nominal coverage of the intervals, 1 - α.
    gamma : float
        The step γ. Gibbs and Candès take 0.005.
    window : int
        Number of latest residuals.
    infinite : bool
        Whether intervals are infinite or empty where theory says so.

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
                f"{self.coverage}, found {self.window:,}. Of fewer none is large enough.",
                "window",
            )

    @property
    def least(self) -> int:
        """The least number of residuals with an interval: k is at most n at the nominal level."""
        return least_residuals(self.coverage)

    def play(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> IntervalValues:
        """See `Learner.play`."""
        inner = self.learner.play(stream, tape, seed, scores=scores, progress=progress)
        return self.surround(inner, stream, tape)

    def surround(self, inner: PredictedValues, stream: Stream, tape: Tape) -> IntervalValues:
        """Put intervals around predictions that the regressor inside has made already.

        Parameters
        ----------
        inner : PredictedValues
            The inner regressor's, on this stream and tape.
        stream, tape
            See `Learner.play`.
        """
        self._check(stream, tape)
        value, true = inner.value, stream.y[tape.predict_rows]
        none = np.empty(0, dtype=np.int64)
        self._around(_ranked(none, none, value[:0]), value[:0], true[:0])  # compiles
        begun = time.thread_time()
        arrived = _arrivals(value, stream, tape)
        held, levels, ends = 0, 1, None
        if stream.groups is not None:
            ends = _without_intervals(len(value))
            for _, place in stream.groups.part(tape.predict_rows).parts():
                of_entity = _of_entity(arrived, place)
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
        """Intervals by the residuals that arrive, for predictions without; `ends` are their own."""
        low, high, limited = _without_intervals(len(value)) if ends is None else ends
        wanted = np.isnan(low)
        state = _State(np.full(1, self.coverage), np.zeros(len(arrived.of) + 1, dtype=np.int64))
        options = (self.coverage, self.gamma, self.window, self.least, self.infinite)
        _surround(state, arrived, value, true, wanted, *options, low, high, limited)
        return _Ends(low, high, limited)


def _without_intervals(n: int) -> _Ends:
    """The ends of n predictions before any has an interval."""
    return _Ends(np.full(n, np.nan), np.full(n, np.nan), np.zeros(n, dtype=np.bool_))


def _of_entity(arrived: _Arrivals, place: Integers) -> _Arrivals:
    """The residuals of an entity, of whose predictions `place` has the numbers, in order."""
    number = np.searchsorted(place, arrived.of)
    kept = place[np.minimum(number, len(place) - 1)] == arrived.of
    before = np.searchsorted(place, arrived.before[kept])
    return _ranked(number[kept], before, arrived.residual[kept])


def _arrivals(value: Floats, stream: Stream, tape: Tape) -> _Arrivals:
    """Return the residuals of first predictions, as their targets arrive."""
    predicts = (tape.op & PREDICT) != 0
    learns = np.flatnonzero(((tape.op & LEARN) != 0) & (tape.weight > 0))
    n_predictions = np.cumsum(predicts)
    # Of each row its first prediction, and the event of it.
    predicting = np.flatnonzero(predicts)
    row, first = np.unique(tape.row[predicting], return_index=True)
    number = np.full(len(stream), -1, dtype=np.int64)
    number[row] = first
    _, place = np.unique(tape.row[learns], return_index=True)
    event = np.sort(learns[place])  # the first at which each row is learnt
    of = number[tape.row[event]]
    known = of >= 0
    of, event = of[known], event[known]
    residual = np.abs(stream.y[tape.row[event]] - value[of])
    kept = (predicting[of] <= event) & np.isfinite(residual)
    of, event, residual = of[kept], event[kept], residual[kept]
    return _ranked(of, n_predictions[event], residual)


def _ranked(of: Integers, before: Integers, residual: Floats) -> _Arrivals:
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
    """Write the intervals of the `wanted` predictions, whose misses move the level."""
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
    """Let residual `i` enter the window, and the oldest one leave it."""
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
    """Return the rank, among all residuals, of the k-th smallest one of the window."""
    step, rank = 1, 0
    while 2 * step < len(tree):
        step *= 2
    while step > 0:
        if rank + step < len(tree) and tree[rank + step] < k:
            rank += step
            k -= tree[rank]
        step //= 2
    return rank + 1
