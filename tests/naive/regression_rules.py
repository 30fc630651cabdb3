"""AMRules, slow and literal: rules as objects with dicts of literals."""

from __future__ import annotations

import copy
import math

from naive.generators import JavaRandom
from naive.regression_sums import SearchTree, add, variance


def deviation(sums: list[float]) -> float:
    if sums[0] <= 1:
        return 0.0
    square = (sums[2] - sums[1] * sums[1] / sums[0]) / (sums[0] - 1)
    return math.sqrt(square) if square >= 0 else math.nan


def standardised(sums: list[float], value: float) -> float:
    off, spread = value - sums[1] / sums[0], deviation(sums)
    return off / spread if spread > 1e-7 else off


def ratio(total: list[float], left: list[float], right: list[float], corrected: bool) -> float:
    if min(left[0], right[0]) < 0.05 * total[0]:
        return 0.0
    before, after = variance(total, True), 0.0
    if before <= 0 and corrected:
        return 0.0
    for side in (left, right):
        if side[0] > 0:
            after += side[0] / (left[0] + right[0]) * variance(side, True)
    return 1 - quotient(after, before)


def quotient(a: float, b: float) -> float:
    if b:
        return a / b
    return math.copysign(math.inf, a) if a else math.nan


class BoundedTree(SearchTree):
    """An E-BST that takes no more than 51 values."""

    def __init__(self, value: float, y: float, w: float, root: BoundedTree | None = None) -> None:
        super().__init__(value, y, w)
        self.root = root or self
        self.size = 1
        if root:
            root.size += 1

    def insert(self, value: float, y: float, w: float) -> None:
        if value <= self.cut:
            for i, term in enumerate([w, w * y, w * y * y]):
                self.sums[i] += term
        if value == self.cut:
            return
        side = "smaller" if value < self.cut else "larger"
        child = getattr(self, side)
        if child is not None:
            child.insert(value, y, w)
        elif self.root.size < 51:
            setattr(self, side, BoundedTree(value, y, w, self.root))

    def literals(self, left: list[float], right: list[float]):
        """As `cuts`, but to the end."""
        if self.smaller is not None:
            yield from self.smaller.literals(left, right)
        for i in range(3):
            left[i] += self.sums[i]
            right[i] -= self.sums[i]
        yield self.cut, left, right
        if self.larger is not None:
            yield from self.larger.literals(left, right)
        for i in range(3):
            left[i] -= self.sums[i]
            right[i] += self.sums[i]


class Model:
    def __init__(self, kinds: list[int]) -> None:
        self.numeric = [j for j, kind in enumerate(kinds) if not kind]
        self.mean = [0.0, 0.0]
        self.weights: list[float] | None = None
        self.target = [0.0, 0.0, 0.0]
        self.inputs = {j: [0.0, 0.0, 0.0] for j in self.numeric}
        self.errors = [[0.0, 0.0], [0.0, 0.0]]

    def features(self, x: list[float]) -> list[float]:
        return [
            0.0 if math.isnan(x[j]) or not self.inputs[j][0] else standardised(self.inputs[j], x[j])
            for j in self.numeric
        ]

    def product(self, x: list[float]) -> float:
        total = 0.0
        for weight, feature in zip(self.weights, self.features(x), strict=False):
            total += weight * feature
        return total + self.weights[-1]

    def perceptron(self, x: list[float]) -> float:
        mean, spread = self.target[1] / self.target[0], deviation(self.target)
        return self.product(x) * spread + mean if spread > 1e-7 else self.product(x) + mean

    def predict(self, x: list[float]) -> float:
        if self.weights is None:
            return 0.0
        least, best = math.inf, 0
        for i, (faded, weight) in enumerate(self.errors):
            if weight and faded / weight < least:
                least, best = faded / weight, i
        return self.perceptron(x) if best else self.mean[1] / self.mean[0]

    def learn(self, x, y, w, of_error, rate, decay, random: JavaRandom) -> None:
        if self.weights is None:
            generator = JavaRandom(random.next_bits(32))
            self.weights = [2 * generator.next_double() - 1 for _ in [*self.numeric, None]]
        else:
            for i, value in enumerate([self.mean[1] / self.mean[0], self.perceptron(x)]):
                error = self.errors[i]
                error[0] = abs(value - y) * of_error + 0.99 * error[0]
                error[1] = of_error + 0.99 * error[1]
        self.mean[0] += w
        self.mean[1] += y * w
        for sums, value in [(self.target, y), *((self.inputs[j], x[j]) for j in self.numeric)]:
            if not math.isnan(value):
                sums[0] += w
                sums[1] += value * w
                sums[2] += value * value * w
        rate = rate / (1 + self.target[0] * decay)
        step = rate * (standardised(self.target, y) - self.product(x))
        for i, feature in enumerate([*self.features(x), 1.0]):
            self.weights[i] += step * feature * w
        size = 0.0
        for weight in self.weights:
            size += abs(weight)
        if size > len(self.numeric):
            self.weights = [weight / size for weight in self.weights]


class Rule:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.upper: dict[int, float] = {}
        self.lower: dict[int, float] = {}
        self.equal: dict[int, float] = {}
        self.excluded: dict[int, set[float]] = {}
        self.restart()

    def restart(self) -> None:
        self.stats, self.evaluated = [0.0, 0.0, 0.0], 0.0
        self.trees: dict[int, BoundedTree] = {}
        self.counts: dict[int, dict[float, list[float]]] = {}
        self.change = {"n": 0, "mean": 0.0, "sum": 0.0, "least": 0.0}
        self.usual: dict[int, list[float]] = {}
        self.covered = 0.0

    def covers(self, x: list[float]) -> bool:
        return (
            all(x[j] <= bound for j, bound in self.upper.items())
            and all(x[j] > bound for j, bound in self.lower.items())
            and all(x[j] == value for j, value in self.equal.items())
            and all(
                not math.isnan(x[j]) and x[j] not in values for j, values in self.excluded.items()
            )
        )


class AMRules:
    def __init__(
        self,
        kinds: list[int],
        seed: int = 1,
        grace_period: int = 200,
        split_confidence: float = 1e-7,
        tie_threshold: float = 0.05,
        change_tolerance: float = 0.05,
        change_threshold: float = 35.0,
        anomaly_threshold: float = -0.75,
        form: str = "corrected",
        learning_rate: float = 0.025,
        decay: float = 0.001,
    ) -> None:
        self.kinds, self.random, self.corrected = kinds, JavaRandom(seed), form == "corrected"
        self.grace_period, self.tie_threshold = grace_period, tie_threshold
        self.confidence = math.log(1 / split_confidence)
        self.tolerance, self.threshold = change_tolerance, change_threshold
        self.anomaly, self.rate, self.decay = anomaly_threshold, learning_rate, decay
        self.rules: list[Rule] = []
        self.default = Rule(Model(kinds))
        self.changes = self.anomalies = 0.0

    def rule(self, x: list[float]) -> Rule:
        return next((rule for rule in self.rules if rule.covers(x)), self.default)

    def predict(self, x: list[float]) -> float:
        return self.rule(x).model.predict(x)

    def learn(self, x: list[float], y: float, w: float) -> None:
        if w <= 0:
            return
        rule = self.rule(x)
        if rule is not self.default and rule.stats[0] > 0:
            if self.is_anomaly(rule, x, w):
                self.anomalies += w
                return
            if self.has_changed(rule, x, y):
                self.changes += w
                self.rules.remove(rule)
                return
        add(rule.stats, y, w)
        for j, (kind, value) in enumerate(zip(self.kinds, x, strict=True)):
            if math.isnan(value):
                continue
            if kind:
                add(rule.counts.setdefault(j, {}).setdefault(value, [0.0] * 3), y, w)
            elif j in rule.trees:
                rule.trees[j].insert(value, y, w)
            else:
                rule.trees[j] = BoundedTree(value, y, w)
        of_model = w if self.corrected else 1.0
        rule.model.learn(x, y, of_model, w, self.rate, self.decay, self.random)
        if self.corrected:
            is_due = rule.stats[0] - rule.evaluated >= self.grace_period
        else:
            is_due = rule.stats[0] % self.grace_period == 0
        if is_due:
            rule.evaluated = rule.stats[0]
            self.attempt(rule)

    def is_anomaly(self, rule: Rule, x: list[float], w: float) -> bool:
        present = [j for j, kind in enumerate(self.kinds) if not kind and not math.isnan(x[j])]
        if rule.covered > 30:
            scores = []
            for j in present:
                sums = rule.usual.get(j, [0.0] * 3)
                spread = deviation(sums)
                if spread > 0.01:
                    off = x[j] - sums[1] / sums[0]
                    chance = 2 * (spread * spread) / (spread * spread + off * off)
                    chance = min(max(chance, 0.01), 1 - 0.01)
                    scores.append(math.log(chance) - math.log(1 - chance))
            if scores and sum(scores) / len(scores) < self.anomaly:
                return True
        counted = w if self.corrected or not rule.covered else 1.0
        rule.covered += w
        for j in present:
            sums = rule.usual.setdefault(j, [0.0] * 3)
            sums[0] += w
            sums[1] += counted * x[j]
            sums[2] += counted * x[j] * x[j]
        return False

    def has_changed(self, rule: Rule, x: list[float], y: float) -> bool:
        spread, mean, error = deviation(rule.stats), rule.stats[1] / rule.stats[0], 0.0
        if spread > 1e-7:
            error = abs((rule.model.predict(x) - mean) / spread - (y - mean) / spread)
        change = rule.change
        change["n"] += 1
        change["mean"] += (error - change["mean"]) / change["n"]
        change["sum"] = 0.9999 * change["sum"] + (error - change["mean"] - self.tolerance)
        if self.corrected:
            change["least"] = min(change["least"], change["sum"])
        return change["n"] >= 29 and change["sum"] - change["least"] > self.threshold

    def attempt(self, rule: Rule) -> None:
        proposals = []
        for j in range(len(self.kinds)):
            best = None
            for value, left, right in self.literals(rule, j):
                total = rule.stats
                if not self.kinds[j]:
                    total = [a + b for a, b in zip(left, right, strict=True)]
                merit = ratio(total, left, right, self.corrected)
                first = best is None and (not self.kinds[j] or not math.isnan(merit))
                if first or (best is not None and merit > best[0]):
                    best = merit, j, value, list(left), list(right)
            if best is not None:
                proposals.append(best)
        if not proposals:
            return
        # Java takes NaN for larger than any number
        order = sorted(proposals, key=lambda p: (math.isnan(p[0]), 0 if math.isnan(p[0]) else p[0]))
        merit = order[-1][0]
        if len(order) > 1:
            bound = math.sqrt(self.confidence / (2 * rule.stats[0]))
            if not (merit - order[-2][0] > bound or bound < self.tie_threshold):
                return
        if not self.corrected or merit > 0:
            self.expand(rule, *order[-1][1:])

    def literals(self, rule: Rule, j: int):
        if not self.kinds[j]:
            if j in rule.trees:
                yield from rule.trees[j].literals([0.0] * 3, list(rule.stats))
            return
        for value, sums in sorted(rule.counts.get(j, {}).items()):
            yield value, sums, [a - b for a, b in zip(rule.stats, sums, strict=True)]

    def expand(self, rule: Rule, j: int, value: float, left, right) -> None:
        if rule is self.default:
            self.default = Rule(copy.deepcopy(rule.model))
            self.rules.append(rule)
        ratings = [-variance(side, True) if side[0] > 0 else -math.inf for side in (left, right)]
        second = ratings[1] > ratings[0]
        if not self.kinds[j]:
            (rule.lower if second else rule.upper)[j] = value
        elif not second:
            rule.equal[j] = value
        elif self.corrected:
            rule.excluded.setdefault(j, set()).add(value)
        else:
            rule.excluded[j] = {value}
        rule.model.mean = [1.0, rule.model.mean[1] / rule.model.mean[0]]
        rule.model.errors = [[0.0, 0.0], [0.0, 0.0]]
        rule.restart()

    def size(self) -> dict[str, int]:
        return {
            "rules": len(self.rules) + 1,
            "changes": int(self.changes),
            "anomalies": int(self.anomalies),
        }
