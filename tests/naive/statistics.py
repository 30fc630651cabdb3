"""Slow, literal twins of the statistics and splits of leaves: loops over plain numbers.

They are written from the descriptions of MOA's classes, not from the compiled kernels, and
share no code with the package. A class distribution is a list that is as long as the highest
class put into it, plus one.
"""

from __future__ import annotations

import math

from naive.java_math import java_exp, normal_cdf

NORMAL_CONSTANT = math.sqrt(2 * math.pi)


def quotient(a: float, b: float) -> float:
    """Division of IEEE 754, where Python raises an error."""
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a)


def log2(x: float) -> float:
    return math.log(x) / math.log(2)


def first_maximum(votes: list[float]) -> int:
    """The first of the highest votes; 0 if there are none. NaN wins at place 0 only."""
    answer = 0
    for c in range(1, len(votes)):
        if votes[c] > votes[answer]:
            answer = c
    return answer


def add(vector: list[float], place: int, value: float) -> None:
    """Add to one place of a list that grows as needed."""
    vector.extend([0.0] * (place + 1 - len(vector)))
    vector[place] += value


def total(values: list[float]) -> float:
    """The sum from left to right; `sum` compensates rounding from Python 3.12 on."""
    result = 0.0
    for value in values:
        result += value
    return result


def entropy(weights: list[float]) -> float:
    """Bits, as MOA arranges the formula: another form has other last bits, and other ties."""
    positive = [w for w in weights if w > 0]
    if not positive:
        return 0.0
    value = 0.0
    for w in positive:
        value -= w * log2(w)
    return (value + total(positive) * log2(total(positive))) / total(positive)


def information_gain(before: list[float], after: list[list[float]]) -> float:
    sizes = [total(branch) for branch in after]
    everything = total(sizes)
    if len([size for size in sizes if quotient(size, everything) > 0.01]) < 2:
        return -math.inf
    remaining = total([total(branch) * entropy(branch) for branch in after])
    return entropy(before) - remaining / everything


class Gaussian:
    """Mean and variance of weighted values, and their extremes."""

    def __init__(self) -> None:
        self.weight = self.mean = self.squares = 0.0
        self.low, self.high = math.inf, -math.inf

    def add(self, x: float, w: float) -> None:
        if math.isnan(x) or math.isinf(x):
            return
        self.low, self.high = min(self.low, x), max(self.high, x)
        if self.weight == 0:
            self.mean, self.weight = x, w
            return
        self.weight += w
        old = self.mean
        self.mean = old + w * (x - old) / self.weight
        self.squares += w * (x - old) * (x - self.mean)

    def deviation(self) -> float:
        variance = self.squares / (self.weight - 1) if self.weight > 1 else 0.0
        return math.sqrt(variance) if variance >= 0 else math.nan

    def density(self, x: float) -> float:
        if self.weight == 0:
            return 0.0
        sd = self.deviation()
        if sd > 0:
            difference = x - self.mean
            exponent = quotient(difference * difference, 2 * sd * sd)
            return 1 / (NORMAL_CONSTANT * sd) * java_exp(-exponent)
        return 1.0 if x == self.mean else 0.0

    def divide(self, cut: float) -> tuple[float, float]:
        """Estimated weights at most at the cut, and above it."""
        equal = self.density(cut) * self.weight
        sd = self.deviation()
        if sd > 0:
            less = normal_cdf((cut - self.mean) / sd) * self.weight - equal
        else:
            less = self.weight - equal if cut < self.mean else 0.0
        greater = self.weight - equal - less
        return less + equal, 0.0 if greater < 0 else greater


class NumericObserver:
    def __init__(self) -> None:
        self.of_class: dict[int, Gaussian] = {}

    def observe(self, x: float, y: int, w: float) -> None:
        if math.isfinite(x):
            self.of_class.setdefault(y, Gaussian()).add(x, w)

    def likelihood(self, x: float, y: int) -> float:
        return self.of_class[y].density(x) if y in self.of_class else 0.0

    def distributions(self, cut: float) -> list[list[float]]:
        below: list[float] = []
        above: list[float] = []
        for y, gaussian in sorted(self.of_class.items()):
            if cut < gaussian.low:
                add(above, y, gaussian.weight)
            elif cut >= gaussian.high:
                add(below, y, gaussian.weight)
            else:
                left, right = gaussian.divide(cut)
                add(below, y, left)
                add(above, y, right)
        return [below, above]

    def cuts(self) -> list[float]:
        if not self.of_class:
            return []
        low = min(gaussian.low for gaussian in self.of_class.values())
        high = max(gaussian.high for gaussian in self.of_class.values())
        candidates = {(high - low) / 11 * k + low for k in range(1, 11)}
        return sorted(cut for cut in candidates if low < cut < high)

    def best_split(self, before: list[float], binary_only: bool) -> Proposal | None:
        best = None
        for cut in self.cuts():
            after = self.distributions(cut)
            merit = information_gain(before, after)
            if best is None or merit > best.merit:
                best = Proposal(merit, AtMost(cut), after)
        return best


class NominalObserver:
    def __init__(self) -> None:
        self.of_class: dict[int, list[float]] = {}

    def observe(self, x: float, y: int, w: float) -> None:
        if not math.isnan(x):
            add(self.of_class.setdefault(y, []), int(x), w)

    def likelihood(self, x: float, y: int) -> float:
        if y not in self.of_class:
            return 0.0
        counts = self.of_class[y]
        count = counts[int(x)] if int(x) < len(counts) else 0.0
        return (count + 1) / (total(counts) + len(counts))

    def distributions(self, branch_of: list[int], branches: int) -> list[list[float]]:
        result: list[list[float]] = [[] for _ in range(branches)]
        for y, counts in sorted(self.of_class.items()):
            for value, count in enumerate(counts):
                add(result[branch_of[value]], y, count)
        return result

    def best_split(self, before: list[float], binary_only: bool) -> Proposal | None:
        values = max((len(counts) for counts in self.of_class.values()), default=0)
        best = None
        if not binary_only:
            after = self.distributions(list(range(values)), values)
            best = Proposal(information_gain(before, after), EachValue(), after)
        for value in range(values):
            after = self.distributions([0 if v == value else 1 for v in range(values)], 2)
            merit = information_gain(before, after)
            if best is None or merit > best.merit:
                best = Proposal(merit, Equals(value), after)
        return best


class AtMost:
    def __init__(self, cut: float) -> None:
        self.cut = cut

    def branch(self, x: float) -> int:
        return 0 if x <= self.cut else 1


class EachValue:
    def branch(self, x: float) -> int:
        return int(x)


class Equals:
    def __init__(self, value: int) -> None:
        self.value = value

    def branch(self, x: float) -> int:
        return 0 if int(x) == self.value else 1


class Proposal:
    """A split, its merit, and the class distributions of its branches."""

    def __init__(
        self,
        merit: float,
        test: AtMost | EachValue | Equals | None,
        after: list[list[float]],
        attribute: int = -1,
    ) -> None:
        self.merit, self.test, self.after, self.attribute = merit, test, after, attribute
