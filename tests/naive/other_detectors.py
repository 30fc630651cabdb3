"""Slow, literal twins of the other detectors of `streameval.detectors`: lists of all inputs.

Each has a method `input` that returns whether it warns and whether it finds a change. They are
written from the papers and from what MOA's classes do, and share no code with the package.
"""

from __future__ import annotations

import math
import warnings

from scipy.stats import ks_2samp

from naive.detectors import Adwin, Ddm, coin
from naive.generators import JavaRandom
from naive.java_math import normal_cdf
from streameval.base import seeds


class Rises:
    """ADWIN whose window is cut and has a higher mean then."""

    def __init__(self, delta):
        self.adwin = Adwin(delta)

    def input(self, x):
        before = self.adwin.mean
        return False, self.adwin.insert(x) and self.adwin.mean > before


class Eddm:
    """EDDM on the list of distances between errors."""

    def __init__(self, min_instances, min_errors, warning_level, drift_level):
        self.min_instances, self.min_errors = min_instances, min_errors
        self.warning_level, self.drift_level = warning_level, drift_level
        self.reset()

    def reset(self):
        self.n, self.errors, self.last = 0, 0, 0
        self.mean, self.squares, self.highest, self.warns = 0.0, 0.0, 0.0, False

    def input(self, error):
        self.n += 1
        if error == 1:
            self.errors += 1
            distance, self.last = self.n - self.last, self.n
            old = self.mean
            self.mean = old + (distance - old) / self.errors
            self.squares += (distance - self.mean) * (distance - old)
            level = self.mean + 2 * math.sqrt(self.squares / self.errors)
            self.warns = False
            if level > self.highest and self.n >= self.min_instances:
                self.highest = level
            elif self.n >= self.min_instances and self.errors > self.min_errors:
                if level / self.highest < self.drift_level:
                    self.reset()
                    return False, True
                self.warns = level / self.highest < self.warning_level
        return self.warns, False


class HddmA:
    """HDDM-A on the list of all inputs and the lengths of its two cuts."""

    def __init__(self, drift_confidence, warning_confidence, two_sided):
        self.drift, self.warning = drift_confidence, warning_confidence
        self.two_sided = two_sided
        self.reset()

    def reset(self):
        self.values, self.low, self.high = [], 0, 0

    def mean(self, n):
        total = 0.0
        for x in self.values[:n]:
            total += x
        return total / n

    def margin(self, n):
        return math.sqrt(1 / (2 * n) * math.log(1 / self.drift))

    def bound(self, first, confidence):
        n = len(self.values)
        return math.sqrt((n - first) / first * (1 / n) / 2 * math.log(2 / confidence))

    def input(self, x):
        self.values.append(x)
        n = len(self.values)
        mean = self.mean(n)
        if not self.low or self.mean(self.low) + self.margin(self.low) >= mean + self.margin(n):
            self.low = n
        if not self.high or self.mean(self.high) - self.margin(self.high) <= mean - self.margin(n):
            self.high = n
        rise, fall = mean - self.mean(self.low), self.mean(self.high) - mean
        if self.low < n and rise >= self.bound(self.low, self.drift):
            self.reset()
            return False, True
        warns = self.low < n and rise >= self.bound(self.low, self.warning)
        if self.two_sided and self.high < n and fall >= self.bound(self.high, self.drift):
            self.reset()
        return warns, False


class HddmW:
    """HDDM-W on lists of inputs: all, up to each cut, and since it."""

    def __init__(self, drift_confidence, warning_confidence, smoothing, two_sided):
        self.drift, self.warning = drift_confidence, warning_confidence
        self.weight, self.two_sided = smoothing, two_sided
        self.reset()

    def reset(self):
        self.values, self.low, self.high = [], 0, 0
        self.lowest, self.highest = math.inf, -math.inf

    def sample(self, values):
        """The weighted mean and the sum of squared weights."""
        mean, squares = values[0], 1.0
        for x in values[1:]:
            mean = self.weight * x + (1 - self.weight) * mean
            squares = self.weight * self.weight + (1 - self.weight) * (1 - self.weight) * squares
        return mean, squares

    def exceeds(self, higher, lower, confidence):
        if not higher or not lower:
            return False
        (high, high_squares), (low, low_squares) = self.sample(higher), self.sample(lower)
        return high - low > math.sqrt((low_squares + high_squares) * math.log(1 / confidence) / 2)

    def input(self, x):
        self.values.append(x)
        mean, squares = self.sample(self.values)
        margin = math.sqrt(squares * math.log(1 / self.drift) / 2)
        if mean + margin < self.lowest:
            self.lowest, self.low = mean + margin, len(self.values)
        if mean - margin > self.highest:
            self.highest, self.high = mean - margin, len(self.values)
        low = self.values[self.low :], self.values[: self.low]
        if self.exceeds(*low, self.drift):
            self.reset()
            return False, True
        warns = self.exceeds(*low, self.warning)
        high = self.values[: self.high], self.values[self.high :]
        if self.two_sided and self.exceeds(*high, self.drift):
            self.reset()
        return warns, False


class PageHinkley:
    """The Page-Hinkley test on the list of its sums."""

    def __init__(self, min_instances, delta, threshold, fading, statistic):
        self.min_instances, self.delta, self.threshold = min_instances, delta, threshold
        self.fading, self.statistic = fading, statistic
        self.reset()

    def reset(self):
        self.mean, self.sums = 0.0, [0.0]

    def input(self, x):
        self.mean += (x - self.mean) / len(self.sums)
        self.sums.append(self.fading * self.sums[-1] + (x - self.mean - self.delta))
        change = self.sums[-1] - (min(self.sums[1:]) if self.statistic == "rise" else 0)
        if len(self.sums) < self.min_instances or change <= self.threshold:
            return False, False
        self.reset()
        return False, True


class Stepd:
    """STEPD on the list of all inputs."""

    def __init__(self, window, drift_alpha, warning_alpha, rises_only):
        self.window, self.rises_only = window, rises_only
        self.drift_alpha, self.warning_alpha = drift_alpha, warning_alpha
        self.values = []

    def input(self, error):
        self.values.append(error)
        older, recent = self.values[: -self.window], self.values[-self.window :]
        if len(older) < self.window:
            return False, False
        p_value = self.p_value(older.count(0), len(older), recent.count(0), len(recent))
        if p_value < self.drift_alpha:
            self.values = []
            return False, True
        return p_value < self.warning_alpha, False

    def p_value(self, older_right, older, recent_right, recent):
        if self.rises_only and older_right / older <= recent_right / recent:
            return 1.0
        inverse = 1 / older + 1 / recent
        rate = (older_right + recent_right) / (older + recent)
        if rate in (0, 1):
            return 0.0
        apart = abs(older_right / older - recent_right / recent) - inverse / 2
        return 2 * (1 - normal_cdf(abs(apart / math.sqrt(rate * (1 - rate) * inverse))))


class Rddm:
    """RDDM as in MOA, with lists of the stored errors and of the errors in its error rate."""

    def __init__(
        self, min_instances, warning_level, drift_level, longest_concept, stored, longest_warning
    ):
        self.min_instances, self.size = min_instances, stored
        self.warning_level, self.drift_level = warning_level, drift_level
        self.longest_concept, self.longest_warning = longest_concept, longest_warning
        self.stored, self.used, self.lowest, self.since = [], [], (math.inf, math.inf), None

    def rate(self, n):
        """The rate and its deviation after n inputs."""
        p = 1.0
        for i, x in enumerate(self.used[:n]):
            p += (x - p) / (i + 1)
        return p, math.sqrt(p * (1 - p) / n)

    def keep(self, latest):
        """Begin anew after a change."""
        self.stored = self.stored[-latest:]
        self.used, self.lowest, self.since = [*self.stored], (math.inf, math.inf), None
        for n in range(self.min_instances + 1, len(self.used) + 1):
            if sum(self.rate(n)) < sum(self.lowest):
                self.lowest = self.rate(n)

    def input(self, error):
        self.stored = [*self.stored, error][-self.size :]
        self.used.append(error)
        n = len(self.used)
        if n < self.min_instances:
            return False, False
        total = sum(self.rate(n))
        if total < sum(self.lowest):
            self.lowest = self.rate(n)
        p, s = self.lowest
        if total > p + self.drift_level * s:
            self.keep(1 if self.since is None else self.since + 1)
            return False, True
        if total > p + self.warning_level * s:
            if self.since is not None and self.since >= self.longest_warning:
                self.keep(1)
                return False, True
            self.since = 1 if self.since is None else self.since + 1
            return True, False
        self.since = None
        if n >= self.longest_concept:
            self.used = [*self.stored]
        return False, False


class Kswin:
    """KSWIN with scipy's test, on draws of Java's generator."""

    def __init__(self, alpha, window, recent, seed):
        self.alpha, self.size, self.recent, self.values = alpha, window, recent, []
        self.random = JavaRandom(int(seeds.generator("KSWIN", seed, 0).integers(2**48)))
        self.older = list(range(window - recent))

    def input(self, x):
        self.values = [*self.values, x][-self.size :]
        if len(self.values) < self.size:
            return False, False
        for k in range(self.recent):  # Fisher and Yates
            other = k + self.random.next_int(len(self.older) - k)
            self.older[k], self.older[other] = self.older[other], self.older[k]
        sampled = [self.values[age] for age in self.older[: self.recent]]
        recent = self.values[-self.recent :]
        with warnings.catch_warnings():  # rounding takes scipy's p-value of 1 above 1
            warnings.simplefilter("ignore")
            p_value = ks_2samp(sampled, recent, method="exact").pvalue
        if p_value > self.alpha:
            return False, False
        self.values = recent
        return False, True


class Every:
    """A change after each n inputs; with n = 0 never."""

    def __init__(self, n):
        self.n, self.seen = n, 0

    def input(self, x):
        self.seen += 1
        return False, self.n > 0 and self.seen % self.n == 0


#: The twins by the names of the registry: of parameters and a seed.
TWINS = {
    "adwin": lambda seed, *options: Rises(*options),
    "ddm": lambda seed, *options: Ddm(*options),
    "eddm": lambda seed, *options: Eddm(*options),
    "hddm_a": lambda seed, *options: HddmA(*options),
    "hddm_w": lambda seed, *options: HddmW(*options),
    "kswin": lambda seed, *options: Kswin(*options, seed),
    "page_hinkley": lambda seed, *options: PageHinkley(*options),
    "rddm": lambda seed, *options: Rddm(*options),
    "stepd": lambda seed, *options: Stepd(*options),
    "chance": lambda seed, *options: coin(*options, seed),
    "every": lambda seed, *options: Every(*options),
    "always": lambda seed: Every(1),
    "never": lambda seed: Every(0),
}
