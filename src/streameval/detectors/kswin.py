"""KSWIN: a Kolmogorov-Smirnov test of the latest inputs against earlier ones.

KSWIN has a window of the last n inputs. The last r of them are one sample. After each input, KSWIN
draws another sample of r from the n - r older inputs, without replacement. It tests whether both
samples have the same distribution. After a change, only the last r inputs remain.

The p-value is the exact one for two samples of r numbers without ties, as in
`scipy.stats.ks_2samp`. It depends only on the largest difference of the two distribution functions,
a multiple of 1/r. There is a change if the difference reaches a critical value. With ties, as
among errors, the test is conservative: there are fewer false alarms than `alpha` allows. The paper
approximates the critical value by sqrt(-ln α / r).

River's KSWIN uses other random numbers. After a change it also drops the last r inputs, and its
random numbers repeat from the start.

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
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.detectors.alarms import CHANGE, QUIET
from streameval.detectors.detector import Detector, InputReader

# Entries of `KSWINState.counts`.
FILLED = 0  # inputs in the window
NEXT = 1  # write position in the ring
# Values of `KSWINState.group`.
NEITHER = 0  # in no sample
RECENT = 1  # in the sample of the last r inputs
DRAWN = 2  # in the sample drawn from the older inputs


class KSWINState(NamedTuple):
    """The window of KSWIN: `n` inputs, `r` of them recent."""

    value: Floats  # (n,), the window, a ring buffer
    order: Integers  # (n,), positions in the ring, sorted by value
    group: NDArray[np.int8]  # (n,), sample of the input at each position
    older: Integers  # (n - r,), older inputs by age, 0 for the oldest; first the r drawn ones
    counts: Integers  # (2,)
    random: Integers  # (3,), state of a random number generator, see `java_random`


def critical_difference(r: int, alpha: float) -> int:
    """Smallest k such that a difference of k/r is significant; r + 1 if no difference is.

    For two samples of r numbers without ties, the probability of a difference of at least k/r is
    2 (C(2r, r-k) - C(2r, r-2k) + C(2r, r-3k) - ...) / C(2r, r).
    """
    low, high = 1, r + 1  # binary search: the probability falls with k
    while low < high:
        k = (low + high) // 2
        # Of all orders of the 2r numbers, half of those with a difference of k/r or more.
        half = sum((-1) ** (i // k + 1) * comb(2 * r, r - i) for i in range(k, r + 1, k))
        is_significant = Fraction(2 * half, comb(2 * r, r)) <= alpha
        low, high = (low, k) if is_significant else (k + 1, high)
    return low


def kswin_start(window: int, recent: int, seed: int) -> KSWINState:
    """KSWIN without inputs; its random numbers depend on `seed`."""
    key = int(seeds.generator("KSWIN", seed, 0).integers(2**48))  # Java's seeds have 48 bits
    return KSWINState(
        value=np.zeros(window),
        order=np.zeros(window, dtype=np.int64),
        group=np.zeros(window, dtype=np.int8),
        older=np.arange(window - recent),
        counts=np.zeros(2, dtype=np.int64),
        random=java_random(key),
    )


@inlined
def kswin_update(state: KSWINState, value: float, critical_difference: int) -> int:
    """Update KSWIN with a number; the result is QUIET or CHANGE.

    `critical_difference` is the smallest difference that is a change, times r; see the function of
    this name.
    """
    _replace_oldest(state, value)
    if state.counts[FILLED] < len(state.value):
        return QUIET
    _draw(state)
    if _difference(state) < critical_difference:
        return QUIET
    _keep_recent(state)
    return CHANGE


@subkernel
def _replace_oldest(state: KSWINState, value: float) -> None:
    """Write a number over the oldest number, or to a free position, and sort."""
    values, order, counts = state.value, state.order, state.counts
    size, position = len(order), counts[NEXT]
    counts[NEXT] = position + 1 if position + 1 < size else 0
    if counts[FILLED] < size:
        rank = counts[FILLED]
        counts[FILLED] += 1
    else:
        rank = 0
        while order[rank] != position:
            rank += 1
    while rank > 0 and values[order[rank - 1]] > value:
        order[rank] = order[rank - 1]
        rank -= 1
    while rank + 1 < counts[FILLED] and values[order[rank + 1]] < value:
        order[rank] = order[rank + 1]
        rank += 1
    order[rank], values[position] = position, value


@subkernel
def _draw(state: KSWINState) -> None:
    """Draw r of the older inputs, and mark both samples in `group`."""
    older, group, size = state.older, state.group, len(state.group)
    oldest, n_older = state.counts[NEXT], len(older)  # the ring is full
    for k in range(size - n_older):  # the first steps of a Fisher-Yates shuffle
        chosen = k + next_int(state.random, n_older - k)
        older[k], older[chosen] = older[chosen], older[k]
    for number in range(size):
        position = oldest + number
        is_recent = number >= n_older
        group[position if position < size else position - size] = RECENT if is_recent else NEITHER
    for k in range(size - n_older):
        position = oldest + older[k]
        group[position if position < size else position - size] = DRAWN


@subkernel
def _difference(state: KSWINState) -> int:
    """Largest difference of the two distribution functions, times r."""
    values, order, group = state.value, state.order, state.group
    difference, largest = 0, 0
    for rank in range(len(order)):
        position = order[rank]
        difference += int(group[position] == RECENT) - int(group[position] == DRAWN)
        # Ties count together: the difference is compared after the last of equal numbers.
        if rank + 1 == len(order) or values[order[rank + 1]] > values[position]:
            largest = max(largest, abs(difference))
    return largest


@subkernel
def _keep_recent(state: KSWINState) -> None:
    order, n_recent = state.order, 0
    for rank in range(len(order)):
        if state.group[order[rank]] == RECENT:
            order[n_recent] = order[rank]
            n_recent += 1
    state.counts[FILLED] = n_recent


@kernel
def _run(state: KSWINState, values: Floats, critical_difference: int, signals: Integers) -> int:
    for t in range(len(values)):
        signals[t] = kswin_update(state, values[t], critical_difference)
        if signals[t] == CHANGE:
            return t + 1
    return len(values)


@dataclass(frozen=True)
class KSWIN(Detector):
    """Kolmogorov-Smirnov windowing: signal changes of the distribution of any numbers.

    Any change is signalled, including a fall of the error rate. The p-value is exact for samples
    without ties. Among errors, which have many ties, false alarms are rarer than `alpha` allows.
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

    def _check_combination(self) -> None:
        if 2 * self.recent > self.window:
            raise self._parameter_error(
                f"expected 2 recent <= window, found recent {self.recent} and window "
                f"{self.window}: two samples must fit into the window.",
                "recent",
            )
        if self._critical_difference() > self.recent:
            raise self._parameter_error(
                f"no two samples of {self.recent} inputs differ significantly at alpha "
                f"{self.alpha}. Increase recent or alpha.",
                "recent",
            )

    def _critical_difference(self) -> int:
        return critical_difference(self.recent, self.alpha)

    def _begin(self, seed: int) -> InputReader:
        state = kswin_start(self.window, self.recent, seed)
        critical = self._critical_difference()
        return lambda x, signals: int(_run(state, x, critical, signals))
