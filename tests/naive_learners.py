"""Slow, literal twins of the learners: objects, dictionaries and loops over plain numbers.

They are written from the descriptions of MOA's classes, not from the compiled kernels, and
share no code with the package. What a model answers is found by multiplying densities; a
class distribution is a list that is as long as the highest class put into it, plus one.
"""

from __future__ import annotations

import math

from scipy.special import ndtr

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
            return 1 / (NORMAL_CONSTANT * sd) * math.exp(-exponent)
        return 1.0 if x == self.mean else 0.0

    def divide(self, cut: float) -> tuple[float, float]:
        """Estimated weights at most at the cut, and above it."""
        equal = self.density(cut) * self.weight
        sd = self.deviation()
        if sd > 0:
            less = float(ndtr((cut - self.mean) / sd)) * self.weight - equal
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


class NaiveBayes:
    """`kinds` says per attribute how many values it has; 0 is a numeric one."""

    def __init__(self, kinds: list[int], class_weights: list[float] | None = None) -> None:
        self.kinds = kinds
        self.class_weights = list(class_weights or [])
        self.observers: dict[int, NumericObserver | NominalObserver] = {}

    def votes(self, x: list[float]) -> list[float]:
        everything = total(self.class_weights)
        result = []
        for c, weight in enumerate(self.class_weights):
            vote = quotient(weight, everything)
            for i, observer in sorted(self.observers.items()):
                if not math.isnan(x[i]):
                    vote *= observer.likelihood(x[i], c)
            result.append(vote)
        return result

    def predict(self, x: list[float]) -> int:
        return first_maximum(self.votes(x))

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w <= 0:
            return
        add(self.class_weights, y, w)
        for i, values in enumerate(self.kinds):
            if i not in self.observers:
                self.observers[i] = NominalObserver() if values else NumericObserver()
            self.observers[i].observe(x[i], y, w)


class Leaf:
    def __init__(self, kinds: list[int], class_weights: list[float]) -> None:
        self.bayes = NaiveBayes(kinds, class_weights)
        self.evaluated_at = total(class_weights)
        self.majority_right = self.bayes_right = 0.0

    def votes(self, x: list[float], leaf_prediction: str) -> list[float]:
        if leaf_prediction == "majority":
            return self.bayes.class_weights
        if leaf_prediction == "naive_bayes_adaptive" and self.majority_right > self.bayes_right:
            return self.bayes.class_weights
        return self.bayes.votes(x)

    def learn(self, x: list[float], y: int, w: float) -> None:
        weights = self.bayes.class_weights
        if weights and first_maximum(weights) == y:
            self.majority_right += w
        if self.bayes.predict(x) == y:
            self.bayes_right += w
        self.bayes.learn(x, y, w)


class Split:
    def __init__(self, proposal: Proposal, class_weights: list[float]) -> None:
        self.attribute, self.test = proposal.attribute, proposal.test
        self.class_weights = class_weights
        self.children: dict[int, Leaf | Split] = {}


class HoeffdingTree:
    def __init__(
        self,
        kinds: list[int],
        grace_period: float = 200,
        split_confidence: float = 1e-7,
        tie_threshold: float = 0.05,
        binary_splits: bool = False,
        pre_prune: bool = True,
        leaf_prediction: str = "naive_bayes_adaptive",
    ) -> None:
        self.kinds = kinds
        self.grace_period, self.split_confidence = grace_period, split_confidence
        self.tie_threshold, self.binary_splits = tie_threshold, binary_splits
        self.pre_prune, self.leaf_prediction = pre_prune, leaf_prediction
        self.root: Leaf | Split = Leaf(kinds, [])

    def way_down(self, x: list[float]) -> tuple[list[tuple[Split, int]], Leaf | Split | None]:
        """The split nodes passed, with the branches taken, and where they lead.

        That is a leaf, None where there is no child yet, or the split node itself where the
        tested value is missing.
        """
        passed: list[tuple[Split, int]] = []
        node: Leaf | Split | None = self.root
        while isinstance(node, Split):
            value = x[node.attribute]
            if math.isnan(value):
                return passed, node
            passed.append((node, node.test.branch(value)))
            node = node.children.get(passed[-1][1])
        return passed, node

    def predict(self, x: list[float]) -> int:
        passed, node = self.way_down(x)
        if isinstance(node, Leaf):
            return first_maximum(node.votes(x, self.leaf_prediction))
        return first_maximum((node or passed[-1][0]).class_weights)

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w <= 0:
            return
        passed, node = self.way_down(x)
        if isinstance(node, Split):
            return
        if node is None:
            node = Leaf(self.kinds, [])
            self.put(passed, node)
        node.learn(x, y, w)
        weight = total(node.bayes.class_weights)
        if weight - node.evaluated_at >= self.grace_period:
            node.evaluated_at = weight
            self.attempt(passed, node, weight)

    def put(self, passed: list[tuple[Split, int]], node: Leaf | Split) -> None:
        if passed:
            parent, branch = passed[-1]
            parent.children[branch] = node
        else:
            self.root = node

    def attempt(self, passed: list[tuple[Split, int]], leaf: Leaf, weight: float) -> None:
        before = leaf.bayes.class_weights
        if len([w for w in before if w != 0]) < 2:
            return
        proposals = [Proposal(-math.inf, None, [before])] if self.pre_prune else []
        for attribute, observer in sorted(leaf.bayes.observers.items()):
            proposal = observer.best_split(before, self.binary_splits)
            if proposal is not None:
                proposal.attribute = attribute
                proposals.append(proposal)
        proposals.sort(key=lambda proposal: proposal.merit)
        if not proposals or not self.is_clear(proposals, len(before), weight):
            return
        best = proposals[-1]
        if best.test is None:
            self.put(passed, Leaf(self.kinds, before))
            return
        node = Split(best, before)
        for branch, class_weights in enumerate(best.after):
            node.children[branch] = Leaf(self.kinds, class_weights)
        self.put(passed, node)

    def is_clear(self, proposals: list[Proposal], classes: int, weight: float) -> bool:
        if len(proposals) == 1:
            return True
        spread = log2(max(2, classes))
        bound = math.sqrt(spread * spread * math.log(1 / self.split_confidence) / (2 * weight))
        lead = proposals[-1].merit - proposals[-2].merit
        return lead > bound or bound < self.tie_threshold

    def size(self) -> dict[str, int]:
        """Nodes, leaves, and the longest way down in edges."""

        def below(node: Leaf | Split) -> tuple[int, int, int]:
            if isinstance(node, Leaf):
                return 1, 1, 0
            parts = [below(child) for child in node.children.values()]
            nodes, leaves, depths = zip(*parts, strict=True) if parts else ((), (), ())
            return 1 + sum(nodes), sum(leaves), 1 + max(depths, default=-1)

        return dict(zip(("nodes", "leaves", "depth"), below(self.root), strict=True))


class NoChange:
    def __init__(self) -> None:
        self.last = 0

    def predict(self, x: list[float]) -> int:
        return self.last

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w > 0:
            self.last = y


class MovingMajority:
    """The most frequent of the last labels; of all labels if there is no window."""

    def __init__(self, window: int | None = None) -> None:
        self.window = window
        self.learnt: list[tuple[int, float]] = []

    def predict(self, x: list[float]) -> int:
        remembered = self.learnt if self.window is None else self.learnt[-self.window :]
        weights: list[float] = []
        for y, w in remembered:
            add(weights, y, w)
        return first_maximum(weights)

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w > 0:
            self.learnt.append((y, w))


def play(model, stream, tape) -> list[int]:
    """The answers to the predict events of a tape."""
    answers = []
    for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
        x, y = [float(value) for value in stream.X[row]], int(stream.y[row])
        if op in (1, 3):
            answers.append(model.predict(x))
        if op in (2, 3):
            model.learn(x, y, float(weight))
    return answers
