"""Slow, literal twins of the random numbers and of the generators' kernels."""

from __future__ import annotations

import math
import struct

MASK = (1 << 48) - 1


def high_and_low_word(x: float) -> tuple[int, int]:
    """The two 32-bit halves of a float64."""
    high, low = struct.unpack(">II", struct.pack(">d", x))
    return high, low


def from_words(high: int, low: int) -> float:
    return float(struct.unpack(">d", struct.pack(">II", high, low))[0])


def strict_log(x: float) -> float:
    """FDLIBM's logarithm, on the words of the number as the original does it."""
    high, low = high_and_low_word(x)
    k = (high >> 20) - 1023
    high &= 0xFFFFF
    carry = (high + 0x95F64) & 0x100000
    f = from_words(high | (carry ^ 0x3FF00000), low) - 1.0
    k += carry >> 20
    k_high, k_low = k * 6.93147180369123816490e-01, k * 1.90821492927058770002e-10
    if ((2 + high) & 0xFFFFF) < 3:
        r = f * f * (0.5 - 0.33333333333333333 * f)
        return k_high - ((r - k_low) - f)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    t1 = 2.222219843214978396e-01 + w * 1.531383769920937332e-01
    t1 = w * (3.999999999940941908e-01 + w * t1)
    t2 = 1.818357216161805012e-01 + w * 1.479819860511658591e-01
    t2 = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * t2))
    r = t2 + t1
    if (high - 0x6147A) | (0x6B851 - high) > 0:
        half_square = 0.5 * f * f
        return k_high - ((half_square - (s * (half_square + r) + k_low)) - f)
    return k_high - ((s * (f - r) - k_low) - f)


class JavaRandom:
    """java.util.Random with Python's integers."""

    def __init__(self, seed: int) -> None:
        self.seed = (seed ^ 0x5DEECE66D) & MASK
        self.gaussian: float | None = None

    def next_bits(self, bits: int) -> int:
        self.seed = (self.seed * 0x5DEECE66D + 0xB) & MASK
        value = self.seed >> (48 - bits)
        return value - (1 << 32) if value >= 1 << 31 else value

    def next_int(self, bound: int) -> int:
        if bound & -bound == bound:
            return (bound * self.next_bits(31)) >> 31
        while True:
            draw = self.next_bits(31)
            if draw - draw % bound + (bound - 1) < 1 << 31:
                return draw % bound

    def next_double(self) -> float:
        high = self.next_bits(26) << 27
        return (high + self.next_bits(27)) / (1 << 53)

    def next_gaussian(self) -> float:
        if self.gaussian is not None:
            value, self.gaussian = self.gaussian, None
            return value
        while True:
            a = 2 * self.next_double() - 1
            b = 2 * self.next_double() - 1
            s = a * a + b * b
            if 0 < s < 1:
                factor = math.sqrt(-2 * strict_log(s) / s)
                self.gaussian = b * factor
                return a * factor

    def poisson(self, mean: float) -> int:
        if mean >= 100:
            return max(0, math.floor(mean + math.sqrt(mean) * self.next_gaussian()))
        threshold = self.next_double() * math.exp(mean)
        terms = [1.0]
        total = 1.0
        while total <= threshold and len(terms) < max(100, 10 * math.ceil(mean)):
            terms.append(terms[-1] * (mean / len(terms)))
            total += terms[-1]
        return len(terms) - 1


Rows = tuple[list[list[float]], list[int]]


def sea(n: int, function: int, seed: int, noise: int, balance: bool) -> Rows:
    random = JavaRandom(seed)
    X, y = [], []
    next_is_zero = False
    for _ in range(n):
        while True:
            row = [10 * random.next_double() for _ in range(3)]
            label = 0 if row[0] + row[1] <= {1: 8, 2: 9, 3: 7, 4: 9.5}[function] else 1
            if not balance:
                break
            if (label == 0) == next_is_zero:
                next_is_zero = not next_is_zero
                break
        if 1 + random.next_int(100) <= noise:
            label = {0: 1, 1: 0}[label]
        X.append(row)
        y.append(label)
    return X, y


def random_tree(n: int, options: dict[str, float]) -> Rows:
    """The random tree, with nested tuples for nodes."""
    nominal, numeric, values = (int(options[k]) for k in ("nominal", "numeric", "values"))
    random = JavaRandom(int(options["tree_seed"]))

    def node(level, candidates, low, high):
        if level >= options["depth"] or (
            level >= options["first_leaf"] and options["leaf_fraction"] >= 1 - random.next_double()
        ):
            return ("leaf", random.next_int(int(options["classes"])))
        choice = random.next_int(len(candidates) + numeric)
        if choice < len(candidates):
            rest = [a for a in candidates if a != candidates[choice]]
            return (
                "nominal",
                candidates[choice],
                [node(level + 1, rest, low, high) for _ in range(values)],
            )
        i = choice - len(candidates)
        cut = (high[i] - low[i]) * random.next_double() + low[i]
        below = node(level + 1, candidates, low, {**high, i: cut})
        above = node(level + 1, candidates, {**low, i: cut}, high)
        return ("numeric", nominal + i, cut, below, above)

    tree = node(
        0,
        list(range(nominal)),
        dict.fromkeys(range(numeric), 0.0),
        dict.fromkeys(range(numeric), 1.0),
    )
    random = JavaRandom(int(options["seed"]))
    X, y = [], []
    for _ in range(n):
        row: list[float] = [random.next_int(values) for _ in range(nominal)]
        row += [random.next_double() for _ in range(numeric)]
        here = tree
        while here[0] != "leaf":
            if here[0] == "nominal":
                here = here[2][int(row[here[1]])]
            else:
                here = here[3] if row[here[1]] < here[2] else here[4]
        X.append(row)
        y.append(here[1])
    return X, y


def draw_labels(uniform, transition, priors) -> list[int]:
    """A chain by inversion: the class at whose cumulative probability the uniform is passed."""
    labels: list[int] = []
    for u in uniform:
        distribution = transition[labels[-1]] if labels else priors
        label, passed = 0, distribution[0]
        while label < len(priors) - 1 and u >= passed:
            label += 1
            passed += distribution[label]
        labels.append(label)
    return labels


def add_turning_means(X, y, times, mean, half_step):
    """The noise plus class means turned by so many steps, with sines and cosines."""
    angle = 2 * math.atan(half_step)
    rows = []
    for noise, label, t in zip(X, y, times, strict=True):
        cosine, sine = math.cos(t * angle), math.sin(t * angle)
        row = [float(value) for value in noise]
        centre = mean[label]
        for j in range(len(row)):
            if j % 2 == 1:
                row[j] += sine * centre[j - 1] + cosine * centre[j]
            elif j + 1 < len(row):
                row[j] += cosine * centre[j] - sine * centre[j + 1]
            else:
                row[j] += centre[j]
        rows.append(row)
    return rows
