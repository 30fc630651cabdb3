"""Slow, literal twins of the learners: objects, dictionaries and loops over plain numbers.

They are written from the descriptions of MOA's classes, not from the compiled kernels, and
share no code with the package but the keys of random generators. What a model answers is found
by multiplying densities.
"""

from __future__ import annotations

import math
from dataclasses import asdict

from naive.detectors import Chance, Ddm, coin
from naive.statistics import (
    NominalObserver,
    NumericObserver,
    Proposal,
    add,
    first_maximum,
    log2,
    quotient,
    total,
)


class NaiveBayes:
    """`kinds` says per attribute how many values it has; 0 is a numeric one."""

    def __init__(self, kinds: list[int], class_weights: list[float] | None = None) -> None:
        self.kinds = kinds
        self.chosen = list(range(len(kinds)))  # the attributes that are observed
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
        for i in self.chosen:
            if i not in self.observers:
                self.observers[i] = NominalObserver() if self.kinds[i] else NumericObserver()
            self.observers[i].observe(x[i], y, w)


class DriftDetection:
    """Naive Bayes, exchanged where a detector finds a change, as MOA does it."""

    def __init__(self, kinds: list[int], detector: Ddm | Chance) -> None:
        self.kinds, self.detector = kinds, detector
        self.model, self.new = NaiveBayes(kinds), NaiveBayes(kinds)
        self.reset_new = False
        self.warnings = self.changes = 0

    def predict(self, x: list[float]) -> int:
        return self.model.predict(x)

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w <= 0:
            return
        warning, change = self.detector.input(float(self.model.predict(x) != y))
        if warning:
            if self.reset_new:
                self.warnings += 1
                self.new = NaiveBayes(self.kinds)
                self.reset_new = False
            self.new.learn(x, y, w)
        elif change:
            self.changes += 1
            self.model, self.new = self.new, NaiveBayes(self.kinds)
        else:
            self.reset_new = True
        self.model.learn(x, y, w)

    def size(self) -> dict[str, int]:
        return {"warnings": self.warnings, "changes": self.changes}


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
        self.root: Leaf | Split = self.leaf([])

    def leaf(self, class_weights: list[float]) -> Leaf:
        return Leaf(self.kinds, class_weights)

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

    def votes(self, x: list[float]) -> list[float]:
        passed, node = self.way_down(x)
        if isinstance(node, Leaf):
            return node.votes(x, self.leaf_prediction)
        return (node or passed[-1][0]).class_weights

    def predict(self, x: list[float]) -> int:
        return first_maximum(self.votes(x))

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w <= 0:
            return
        passed, node = self.way_down(x)
        if isinstance(node, Split):
            return
        if node is None:
            node = self.leaf([])
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
            self.put(passed, self.leaf(before))
            return
        node = Split(best, before)
        for branch, class_weights in enumerate(best.after):
            node.children[branch] = self.leaf(class_weights)
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


class LabelForecast:
    """Counts of all labels, or of the labels that directly followed a label like the last one."""

    def __init__(self, stream, prior: float, after_last: bool) -> None:
        self.k, self.prior, self.after_last = stream.n_classes, prior, after_last
        self.learnt: list[tuple[int, float]] = []

    def counts(self) -> list[float]:
        labels, counts = [None, *(y for y, _ in self.learnt)], [0.0] * self.k
        for before, (y, w) in zip(labels, self.learnt, strict=False):
            if not self.after_last or before == labels[-1]:
                counts[y] += w
        return counts

    def scores(self) -> list[float]:
        raised = [count + self.prior for count in self.counts()]
        return [power / sum(raised) for power in raised]

    def predict(self, x: list[float]) -> int:
        return first_maximum(self.counts())

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w > 0:
            self.learnt.append((y, w))


class KNN:
    def __init__(self, kinds: list[int], k: int = 10, window: int = 1000) -> None:
        self.kinds, self.k, self.window = kinds, k, window
        self.learnt: list[tuple[list[float], int]] = []

    def votes(self, x: list[float]) -> list[float]:
        remembered = self.learnt[-self.window :]
        ranges = [self.range(i, remembered) for i in range(len(x))]
        distances = [self.distance(x, other, ranges) for other, _ in remembered]
        votes: list[float] = []
        for n, (_, y) in enumerate(remembered):
            if self.is_neighbour(n, distances):
                add(votes, y, 1.0)
        return votes

    def is_neighbour(self, n: int, distances: list[float]) -> bool:
        if math.isnan(distances[n]):
            return n < self.k  # nothing is nearer than NaN: the first that came stay
        return distances[n] <= sorted(distances)[min(self.k, len(distances)) - 1]

    @staticmethod
    def range(i: int, remembered: list[tuple[list[float], int]]) -> tuple[float, float]:
        values = [x[i] for x, _ in remembered if not math.isnan(x[i])]
        return min(values, default=math.inf), max(values, default=-math.inf)

    def distance(
        self, x: list[float], other: list[float], ranges: list[tuple[float, float]]
    ) -> float:
        squares = 0.0
        for values, value, other_value, (low, high) in zip(
            self.kinds, x, other, ranges, strict=True
        ):
            gaps = math.isnan(value) + math.isnan(other_value)
            if values:
                apart = 1.0 if gaps or value != other_value else 0.0
            elif gaps == 2:
                apart = 1.0
            else:
                a, b = (
                    (0.0 if low == high else (v - low) / (high - low)) for v in (value, other_value)
                )
                known = b if math.isnan(value) else a
                apart = max(known, 1.0 - known) if gaps else a - b
            squares += apart * apart
        return squares

    def predict(self, x: list[float]) -> int:
        return first_maximum(self.votes(x))

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w > 0:
            self.learnt.append((x, y))


def twin(learner, stream, seed=1):
    """The slow twin of a learner of the package, with its parameters."""
    from naive import (
        bagging,  # which are built on this module
        forest,
    )
    from naive.adaptive_tree import HoeffdingAdaptiveTree

    kinds, options = stream.schema.n_values.tolist(), asdict(learner)
    return {
        "no_change": NoChange,
        "majority": MovingMajority,
        "moving_majority": lambda: MovingMajority(**options),
        "label_proportions": lambda: LabelForecast(stream, after_last=False, **options),
        "label_transitions": lambda: LabelForecast(stream, after_last=True, **options),
        "naive_bayes": lambda: NaiveBayes(kinds),
        "ddm_nb": lambda: DriftDetection(kinds, Ddm(**options)),
        "ddm_random": lambda: DriftDetection(kinds, coin(seed=seed, **options)),
        "hoeffding_tree": lambda: HoeffdingTree(kinds, **options),
        "knn": lambda: KNN(kinds, **options),
        "online_bagging": lambda: bagging.OnlineBagging(kinds, seed=seed, **options),
        "leveraging_bagging": lambda: bagging.LeveragingBagging(kinds, seed=seed, **options),
        "hoeffding_adaptive_tree": lambda: HoeffdingAdaptiveTree(kinds, seed=seed, **options),
        "random_hoeffding_tree": lambda: forest.random_hoeffding_tree(kinds, seed, **options),
        "random_forest": lambda: forest.RandomForest(kinds, seed=seed, **options),
        "adaptive_random_forest": lambda: forest.AdaptiveRandomForest(kinds, seed=seed, **options),
    }[learner.name]()


def run(model, stream, tape) -> list[int]:
    """The answers to the predict events of a tape."""
    answers = []
    for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
        x, y = [float(value) for value in stream.X[row]], int(stream.y[row])
        if op in (1, 3):
            answers.append(model.predict(x))
        if op in (2, 3):
            model.learn(x, y, float(weight))
    return answers
