"""KSWIN: a Kolmogorov-Smirnov test of the latest inputs against earlier ones.

KSWIN keeps the last n inputs. After each it draws r of the first n - r without replacement, and
tests whether they and the last r have the same distribution. After a change it keeps the last r.

The p-value is the exact one of two samples of r numbers without ties, as `scipy.stats.ks_2samp`
computes it. It depends on the largest difference of the two distribution functions only, a multiple
of 1/r, so a change is where that reaches a critical number. With ties, as among errors, there are
fewer changes than `alpha` allows. The paper has an approximation instead, sqrt(-ln α / r).

River's KSWIN draws in another way. After a change it drops the last r inputs too, and draws as at
its start.

References
----------
Raab, Heusinger, Schleif (2020), Reactive soft prototype computing for concept drift streams.
Gnedenko, Koroljuk (1951): the distribution of the largest difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from streameval.base import seeds
from streameval.base.arrays import Floats, Integers
from streameval.base.params import Count, StrictProportion, parameter
from streameval.compiled.java_random import java_random, next_int
from streameval.compiled.kernels import inlined, kernel, part
from streameval.detectors.alarms import CHANGE, QUIET
from streameval.detectors.detector import Detector, Feed

# Columns of `KSWINState.counts`: inputs in the window, the place of the next of them.
FILLED, AT = 0, 1
# Values of `KSWINState.group`.
NEITHER, RECENT, DRAWN = 0, 1, 2


class KSWINState(NamedTuple):
    """The window of KSWIN: `n` inputs, `r` of them recent."""

    value: Floats  # (n,) the window, as a ring
    order: Integers  # (n,) its places by their values
    group: NDArray[np.int8]  # (n,) the sample that the input of each place is in
    older: Integers  # (n - r,) ages of the others, in any order; drawn ones come first
    counts: Integers  # (2,)
    random: Integers  # (3,) a generator, see `java_random`


def critical_distance(r: int, alpha: float) -> int:
    """Return the least k such that a difference of k/r is significant; r + 1 if there is none.

    For two samples of r numbers without ties, the probability of a difference of at least k/r is
    2 (C(2r, r-k) - C(2r, r-2k) + C(2r, r-3k) - ...) / C(2r, r).
    """
    low, high = 1, r + 1
    while low < high:
        k = (low + high) // 2
        paths = sum((-1) ** (i // k + 1) * comb(2 * r, r - i) for i in range(k, r + 1, k))
        significant = Fraction(2 * paths, comb(2 * r, r)) <= alpha
        low, high = (low, k) if significant else (k + 1, high)
    return low


def kswin_start(window: int, recent: int, seed: int) -> KSWINState:
    """Return KSWIN without inputs, whose draws depend on `seed`."""
    key = int(seeds.generator("KSWIN", seed, 0).integers(2**48))
    return KSWINState(
        np.zeros(window),
        np.zeros(window, dtype=np.int64),
        np.zeros(window, dtype=np.int8),
        np.arange(window - recent),
        np.zeros(2, dtype=np.int64),
        java_random(key),
    )


@inlined
def kswin_insert(state: KSWINState, value: float, critical: int) -> int:
    """Feed KSWIN with a number; return QUIET or CHANGE.

    `critical` is the least difference that is a change, see `critical_distance`.
    """
    _replace_oldest(state, value)
    if state.counts[FILLED] < len(state.value):
        return QUIET
    _draw(state)
    if _difference(state) < critical:
        return QUIET
    _keep_recent(state)
    return CHANGE


@part
def _replace_oldest(state: KSWINState, value: float) -> None:
    """Put a number in the place of the oldest one, or of none, and sort."""
    values, order, counts = state.value, state.order, state.counts
    size, place = len(order), counts[AT]
    counts[AT] = place + 1 if place + 1 < size else 0
    if counts[FILLED] < size:
        at = counts[FILLED]
        counts[FILLED] += 1
    else:
        at = 0
        while order[at] != place:
            at += 1
    while at > 0 and values[order[at - 1]] > value:
        order[at] = order[at - 1]
        at -= 1
    while at + 1 < counts[FILLED] and values[order[at + 1]] < value:
        order[at] = order[at + 1]
        at += 1
    order[at], values[place] = place, value


@part
def _draw(state: KSWINState) -> None:
    """Divide the window into the recent inputs, as many drawn from the others, and the rest."""
    older, group, size = state.older, state.group, len(state.group)
    first, count = state.counts[AT], len(older)
    for k in range(size - count):
        other = k + next_int(state.random, count - k)
        older[k], older[other] = older[other], older[k]
    for age in range(size):
        place = first + age
        group[place if place < size else place - size] = RECENT if age >= count else NEITHER
    for k in range(size - count):
        place = first + older[k]
        group[place if place < size else place - size] = DRAWN


@part
def _difference(state: KSWINState) -> int:
    """Return the largest difference of the two distribution functions, times r."""
    values, order, group = state.value, state.order, state.group
    ahead, largest = 0, 0
    for at in range(len(order)):
        place = order[at]
        ahead += int(group[place] == RECENT) - int(group[place] == DRAWN)
        # Equal numbers count at once.
        if at + 1 == len(order) or values[order[at + 1]] > values[place]:
            largest = max(largest, abs(ahead))
    return largest


@part
def _keep_recent(state: KSWINState) -> None:
    order, kept = state.order, 0
    for at in range(len(order)):
        if state.group[order[at]] == RECENT:
            order[kept] = order[at]
            kept += 1
    state.counts[FILLED] = kept


@kernel
def _run(state: KSWINState, values: Floats, critical: int, signals: Integers) -> int:
    for t in range(len(values)):
        signals[t] = kswin_insert(state, values[t], critical)
        if signals[t] == CHANGE:
            return t + 1
    return len(values)


@dataclass(frozen=True)
class KSWIN(Detector):
    """Kolmogorov-Smirnov windowing: signal changes of the distribution of any numbers.

    Any change is signalled, a fall of the error rate too. The p-value is the exact one of samples
    without ties; among errors, which have many, there are fewer alarms than `alpha` allows.
    """

    alpha: StrictProportion = parameter("p-value up to which there is a change", 0.005)
    window: Annotated[int, Meta(ge=2, le=100_000)] = parameter(
        "number of inputs in the window, n", 100
    )
    recent: Annotated[Count, Meta(le=10_000)] = parameter(
        "number of inputs in each of the two samples, r", 30
    )

    name: ClassVar[str] = "kswin"
    title: ClassVar[str] = "KSWIN"
    reference: ClassVar[str] = "Raab, Heusinger, Schleif (2020)"

    def _check_together(self) -> None:
        if 2 * self.recent > self.window:
            raise self._refused(
                f"expected 2 recent <= window, found recent {self.recent} and window "
                f"{self.window}: two samples must fit into the window.",
                "recent",
            )
        if self._critical() > self.recent:
            raise self._refused(
                f"no two samples of {self.recent} inputs differ significantly at alpha "
                f"{self.alpha}. Increase recent or alpha.",
                "recent",
            )

    def _critical(self) -> int:
        return critical_distance(self.recent, self.alpha)

    def _begin(self, seed: int) -> Feed:
        state = kswin_start(self.window, self.recent, seed)
        critical = self._critical()
        return lambda x, signals: int(_run(state, x, critical, signals))
