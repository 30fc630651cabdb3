"""Slow, literal twins of `streameval.detectors`: objects and plain numbers.

They are written from the descriptions of MOA's classes and share no code with the package.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from naive.generators import JavaRandom
from streameval.base import seeds


def uniforms(seed: int) -> Iterator[float]:
    """The linear congruential generator 1103515245 x + 12345 mod 2^31, scaled to [0, 1)."""
    state = seed
    while True:
        state = (1103515245 * state + 12345) % 2**31
        yield state / 2**31


def inputs(seed, levels, n, real=False):
    """`n` inputs with equally long phases: level + u if real, else 1 where u < level."""
    u = uniforms(seed)
    for t in range(n):
        level = levels[min(t * len(levels) // n, len(levels) - 1)]
        yield level + next(u) if real else float(next(u) < level)


class Adwin:
    """ADWIN as in MOA, on lists of (total, variance) per row, oldest first."""

    def __init__(self, delta):
        self.delta, self.rows, self.seen = delta, [[]], 0
        self.width, self.total, self.variance = 0, 0.0, 0.0

    @property
    def mean(self):
        return self.total / self.width if self.width else math.nan

    def insert(self, x):
        self.rows[0].append((x, 0.0))
        self.width += 1
        if self.width > 1:
            old = self.total / (self.width - 1)
            self.variance += (self.width - 1) * (x - old) * (x - old) / self.width
        self.total += x
        for r in range(64):
            if len(self.rows[r]) <= 5:
                break
            (t0, v0), (t1, v1) = self.rows[r].pop(0), self.rows[r].pop(0)
            size = 2.0**r
            gap = t0 / size - t1 / size
            if r + 1 == len(self.rows):
                self.rows.append([])
            self.rows[r + 1].append((t0 + t1, v0 + v1 + size * size * gap * gap / (2 * size)))
        self.seen += 1
        cut = False
        if self.seen % 32 == 0 and self.width > 10:
            while self.must_cut():
                self.drop()
                cut = True
        return cut

    def must_cut(self):
        buckets = [(2**r, b[0]) for r in reversed(range(len(self.rows))) for b in self.rows[r]]
        n0, u0 = 0, 0.0
        n1, u1 = self.width, self.total
        dd = math.log(2 * math.log(self.width) / self.delta)
        v = self.variance / self.width
        for size, total in buckets[:-1]:
            n0, u0 = n0 + size, u0 + total
            n1, u1 = n1 - size, u1 - total
            if n0 > 6 and n1 > 6:
                m = 1 / (n0 - 4) + 1 / (n1 - 4)
                # Rounding can leave a variance below zero. Java's root of that is NaN: no cut.
                root = math.sqrt(2 * m * v * dd) if v >= 0 else math.nan
                if abs(u0 / n0 - u1 / n1) > root + 2 / 3 * dd * m:
                    return True
        return False

    def drop(self):
        total, variance = self.rows[-1].pop(0)
        size = 2 ** (len(self.rows) - 1)
        self.width -= size
        self.total -= total
        gap = total / size - self.total / self.width
        self.variance -= variance + size * self.width * gap * gap / (size + self.width)
        if not self.rows[-1]:
            self.rows.pop()


class LiteralAdwin:
    """ADWIN of Theorem 3 in Bifet et al. (2015): a list, and every split of it."""

    def __init__(self, delta):
        self.delta, self.window = delta, []

    def insert(self, x):
        self.window.append(x)
        cut = False
        while any(self.is_cut(n0) for n0 in range(1, len(self.window))):
            del self.window[0]
            cut = True
        return cut

    def is_cut(self, n0):
        older, newer = self.window[:n0], self.window[n0:]
        m = 1 / (1 / len(older) + 1 / len(newer))
        epsilon = math.sqrt(1 / (2 * m) * math.log(4 / (self.delta / len(self.window))))
        return abs(sum(older) / len(older) - sum(newer) / len(newer)) > epsilon


class Ddm:
    """DDM as in MOA; `input` returns whether it warns and whether it finds a change."""

    def __init__(self, min_instances=30, warning_level=2.0, drift_level=3.0):
        self.min_instances = min_instances
        self.warning_level, self.drift_level = warning_level, drift_level
        self.change = True  # so that the first input resets

    def reset(self):
        self.n, self.p, self.s = 1, 1.0, 0.0
        self.p_min = self.s_min = self.ps_min = math.inf

    def input(self, error):
        if self.change:
            self.reset()
        self.change = False
        self.p += (error - self.p) / self.n
        self.s = math.sqrt(self.p * (1 - self.p) / self.n)
        self.n += 1
        if self.n < self.min_instances:
            return False, False
        if self.p + self.s <= self.ps_min:
            self.p_min, self.s_min, self.ps_min = self.p, self.s, self.p + self.s
        if (
            self.n > self.min_instances
            and self.p + self.s > self.p_min + self.drift_level * self.s_min
        ):
            self.change = True
            return False, True
        return self.p + self.s > self.p_min + self.warning_level * self.s_min, False


class Chance:
    """A coin, thrown after each input from number `min_instances` since the last change on."""

    def __init__(self, probability, min_instances, key):
        self.probability, self.min_instances = probability, min_instances
        self.random, self.seen = JavaRandom(key), 0

    def input(self, error):
        self.seen += 1
        if self.seen < self.min_instances or self.random.next_double() >= self.probability:
            return False, False
        self.seen = 0
        return False, True


def coin(alarm_probability: float, min_instances: int, seed: int) -> Chance:
    key = int(seeds.generator("alarms by chance", seed, 0).integers(2**48))
    return Chance(alarm_probability, min_instances, key)
