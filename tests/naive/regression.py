"""Regressors, slow and literal: objects that refer to each other, and recursion.

`corrected` are the forms of the package, otherwise MOA's with its defects.
"""

from __future__ import annotations

import math
from dataclasses import asdict

from naive.generators import JavaRandom
from naive.regression_sums import SearchTree, add, deviation


class TargetMean:
    def __init__(self) -> None:
        self.weight = self.total = 0.0

    def predict(self, x: list[float]) -> float:
        return self.total / self.weight if self.weight > 0 else 0.0

    def learn(self, x: list[float], y: float, w: float) -> None:
        if w > 0:
            self.weight += w
            self.total += y * w


class PreviousTarget:
    def __init__(self) -> None:
        self.targets: list[float] = []

    def predict(self, x: list[float]) -> float:
        return self.targets[-1] if self.targets else math.nan

    def learn(self, x: list[float], y: float, w: float) -> None:
        if w > 0:
            self.targets.append(y)


class Seasonal:
    """`row` is the row of the stream that is predicted or learnt; `run` sets it."""

    def __init__(self, period: int) -> None:
        self.period, self.row = period, 0
        self.target_of: dict[int, float] = {}

    def predict(self, x: list[float]) -> float:
        seasons = range(self.row - self.period, -1, -self.period)
        return next((self.target_of[row] for row in seasons if row in self.target_of), math.nan)

    def learn(self, x: list[float], y: float, w: float) -> None:
        if w > 0:
            self.target_of[self.row] = y


class Leaf:
    def __init__(self, parent: Split | None, original: Split | None) -> None:
        self.parent, self.original = parent, original
        self.watched = True
        self.sums, self.errors = [0.0, 0.0, 0.0], 0.0
        self.evaluated = 0.0
        self.search_trees: dict[int, SearchTree] = {}
        self.weights: list[float] | None = None
        self.learnt = 0.0
        self.chosen: list[int] | None = None


class Split:
    def __init__(self, leaf: Leaf, attribute: int, cut: float) -> None:
        self.attribute, self.cut = attribute, cut
        self.watched, self.n, self.errors = leaf.watched, leaf.sums[0], leaf.errors
        self.parent: Split | None = None
        self.children: list[Leaf | Split] = []
        self.alternate: Leaf | Split | None = None
        self.rise, self.least = 0.0, math.inf
        self.since = self.compared = self.loss = self.loss_of_alternate = 0.0

    def child(self, x: list[float]) -> Leaf | Split:
        return self.children[0 if x[self.attribute] <= self.cut else 1]

    def switch(self, on: bool) -> None:
        if on and self.alternate is not None:
            return
        self.watched = on
        if on:
            self.rise, self.least = 0.0, math.inf
        for child in self.children:
            if isinstance(child, Split):
                child.switch(on)
            else:
                child.watched = on


class FimtDD:
    def __init__(
        self,
        kinds: list[int],
        seed: int = 1,
        grace_period: int = 200,
        split_confidence: float = 1e-7,
        tie_threshold: float = 0.05,
        change_tolerance: float = 0.005,
        change_threshold: float = 50.0,
        fading: float = 0.995,
        comparison_period: int = 150,
        alternate_time: int = 1500,
        form: str = "corrected",
        learning_rate: float = 0.02,
        decay: float = 0.001,
        regression_tree: bool = False,
        n_drawn: int = 0,
    ) -> None:
        self.kinds, self.random, self.corrected = kinds, JavaRandom(seed), form == "corrected"
        self.grace_period, self.tie_threshold = grace_period, tie_threshold
        self.confidence = math.log(1 / split_confidence)
        self.tolerance, self.threshold = change_tolerance, change_threshold
        self.fading, self.period, self.time = fading, comparison_period, alternate_time
        self.rate, self.decay, self.mean_leaves = learning_rate, decay, regression_tree
        self.n_drawn = n_drawn
        self.root: Leaf | Split | None = None
        self.target = [0.0, 0.0, 0.0]
        self.inputs = [[0.0, 0.0, 0.0] for _ in kinds]

    # --- Predictions ---

    def standardised(self, y: float) -> float:
        spread = deviation(self.target, self.corrected)
        if not spread > 0:
            return 0.0
        return (y - self.target[1] / self.target[0]) / (3 * spread)

    def features(self, x: list[float]) -> list[float]:
        result = []
        for value, sums, kind in zip(x, self.inputs, self.kinds, strict=True):
            spread = deviation(sums, self.corrected)
            usable = not kind and not math.isnan(value) and spread > 0
            result.append((value - sums[1] / sums[0]) / (3 * spread) if usable else 0.0)
        return [*result, 1.0 if self.target[0] > 1 else 0.0]

    def product(self, leaf: Leaf, features: list[float]) -> float:
        total = 0.0
        for weight, feature in zip(leaf.weights or [0.0] * len(features), features, strict=True):
            total += weight * feature
        return total

    def value(self, node: Leaf | Split, x: list[float]) -> float:
        while isinstance(node, Split):
            node = node.child(x)
        if self.mean_leaves:
            return node.sums[1] / node.sums[0] if node.sums[0] > 0 else 0.0
        if self.target[0] <= 1:
            return 0.0
        spread = deviation(self.target, self.corrected)
        return self.product(node, self.features(x)) * spread * 3 + self.target[1] / self.target[0]

    def predict(self, x: list[float]) -> float:
        return 0.0 if self.root is None else self.value(self.root, x)

    # --- Training ---

    def learn(self, x: list[float], y: float, w: float) -> None:
        if w <= 0:
            return
        if self.root is None:
            self.root = Leaf(None, None)
        self.add_to_sums(x, y, w)
        prediction = self.value(self.root, x)
        error = abs(self.standardised(y) - self.standardised(prediction))
        node, grow = self.root, True
        while isinstance(node, Split):
            node.n += w
            node.errors += w * error
            if node.alternate is not None:
                before = node
                node = self.compare(node, x, y, w, prediction, grow)
                if node is not before:
                    if isinstance(node, Split):
                        node = node.child(x)
                    continue
                if node.alternate is not None:
                    grow = False
                    self.learn_beside(node.alternate, x, y, w, error)
            if node.watched:
                node.rise += error - node.errors / node.n - self.tolerance
                node.least = min(node.least, node.rise)
                if node.rise - node.least > self.threshold:
                    node.alternate = Leaf(None, node)
                    node.since = node.compared = node.loss = node.loss_of_alternate = 0.0
                    node.switch(False)
            node = node.child(x)
        self.learn_in_leaf(node, x, y, w, grow)

    def add_to_sums(self, x: list[float], y: float, w: float) -> None:
        add(self.target, y, w)
        for sums, value, kind in zip(self.inputs, x, self.kinds, strict=True):
            if not kind and not math.isnan(value):
                add(sums, value, w)

    def learn_beside(self, node, x: list[float], y: float, w: float, error: float) -> None:
        while isinstance(node, Split):
            node.n += w
            node.errors += w * error
            node = node.child(x)
        self.learn_in_leaf(node, x, y, w, True)

    def compare(self, node: Split, x, y: float, w: float, prediction: float, grow: bool):
        """The node itself, or the alternate tree that has replaced it."""
        other = node.alternate
        assert other is not None
        off, off_of_alternate = y - prediction, y - self.value(other, x)
        loss, loss_of_alternate = off * off, off_of_alternate * off_of_alternate
        copies = 0
        while copies < w:
            node.loss = loss + self.fading * node.loss
            node.loss_of_alternate = loss_of_alternate + self.fading * node.loss_of_alternate
            node.since += 1
            copies += 1
        if node.since - node.compared < self.period:
            return node
        node.compared = node.since
        if node.loss > node.loss_of_alternate:
            self.replace(node, other, grow)
            return other
        if node.since >= self.time:
            node.alternate = None
            if grow:
                node.switch(True)
        return node

    def replace(self, node: Split, other: Leaf | Split, grow: bool) -> None:
        if isinstance(other, Leaf):
            other.original = None
        if node.parent is None:  # the root; or what MOA takes for one
            self.root = other
        else:
            node.parent.children[node.parent.children.index(node)] = other
            if self.corrected:
                other.parent = node.parent
        if grow or node.parent is None:
            if isinstance(other, Split):
                other.switch(True)
            other.watched = True

    def learn_in_leaf(self, leaf: Leaf, x: list[float], y: float, w: float, grow: bool) -> None:
        before = abs(y - self.value(leaf, x))
        add(leaf.sums, y, w)
        if self.corrected:
            spread = deviation(self.target, True)
            leaf.errors += w * (before / (3 * spread) if spread > 0 else 0.0)
        else:
            leaf.errors += w * abs(self.standardised(abs(y - self.value(leaf, x))))
        if not self.mean_leaves:
            self.train(leaf, self.features(x), y, w)
        if leaf.chosen is None:
            leaf.chosen = self.choose()
        for j in leaf.chosen:
            if not self.kinds[j] and not math.isnan(x[j]):
                counted = w if self.corrected else 1.0
                if j in leaf.search_trees:
                    leaf.search_trees[j].insert(x[j], y, counted)
                else:
                    leaf.search_trees[j] = SearchTree(x[j], y, counted)
        if grow and leaf.sums[0] - leaf.evaluated >= self.grace_period:
            leaf.evaluated = leaf.sums[0]
            self.attempt(leaf)

    def choose(self) -> list[int]:
        """The attributes that a leaf observes; drawn again if one was drawn before."""
        chosen: list[int] = []
        while len(chosen) < self.n_drawn:
            j = self.random.next_int(len(self.kinds))
            if j not in chosen:
                chosen.append(j)
        return chosen if self.n_drawn else [*range(len(self.kinds))]

    def train(self, leaf: Leaf, features: list[float], y: float, w: float) -> None:
        if leaf.weights is None:
            leaf.weights = [2 * self.random.next_double() - 1 for _ in features]
        leaf.learnt += w
        rate = self.rate / (1 + leaf.learnt * self.decay)
        for _ in range(int(w)):
            step = (self.standardised(y) - self.product(leaf, features)) * rate
            for j, feature in enumerate(features):
                leaf.weights[j] += feature * step

    def attempt(self, leaf: Leaf) -> None:
        proposals = sorted(
            (
                (*leaf.search_trees[j].best(leaf.sums, self.corrected), j)
                for j in sorted(leaf.search_trees)
            ),
            key=lambda proposal: proposal[0],
        )
        if not proposals:
            return
        merit, cut, attribute = proposals[-1]
        if self.corrected and merit <= 1e-12 * leaf.sums[2] / leaf.sums[0]:
            return
        if len(proposals) > 1:
            bound = math.sqrt(self.confidence / (2 * leaf.sums[0]))
            second = proposals[-2][0]
            # 0 / 0 is not smaller than anything
            clear = second / merit < 1 - bound if merit else second < 0
            if not clear and bound >= self.tie_threshold:
                return
        self.split(leaf, attribute, cut)

    def split(self, leaf: Leaf, attribute: int, cut: float) -> None:
        split = Split(leaf, attribute, cut)
        for _ in range(2):
            child = Leaf(split, None)
            child.watched = leaf.watched
            child.weights = None if leaf.weights is None else list(leaf.weights)
            split.children.append(child)
        if leaf.parent is not None:
            leaf.parent.children[leaf.parent.children.index(leaf)] = split
            split.parent = leaf.parent
        elif leaf.original is not None:
            leaf.original.alternate = split
        else:
            self.root = split

    def size(self) -> dict[str, int]:
        def below(node: Leaf | Split | None) -> list[int]:
            if node is None:
                return [0, 0]
            if isinstance(node, Leaf):
                return [1, 1]
            counts = [below(child) for child in node.children]
            return [1 + sum(c[0] for c in counts), sum(c[1] for c in counts)]

        def alternates(node: Leaf | Split | None) -> int:
            if not isinstance(node, Split):
                return 0
            count = 0 if node.alternate is None else 1 + alternates(node.alternate)
            return count + sum(alternates(child) for child in node.children)

        nodes, leaves = below(self.root)
        return {"nodes": nodes, "leaves": leaves, "alternates": alternates(self.root)}


def twin(learner, stream, seed=1):
    """The slow twin of a regressor of the package, with its parameters."""
    from naive.regression_forest import AdaptiveRandomForest  # which are built on this module
    from naive.regression_options import Orto
    from naive.regression_rules import AMRules

    kinds, options = stream.schema.n_values.tolist(), asdict(learner)
    assert options.pop("constant_inputs", 0) == 0  # they are inputs of the stream
    return {
        "target_mean": TargetMean,
        "previous_target": PreviousTarget,
        "seasonal": lambda: Seasonal(**options),
        "orto": lambda: Orto(kinds, seed, **options),
        "amrules": lambda: AMRules(kinds, seed, **options),
        "arf_reg": lambda: AdaptiveRandomForest(kinds, seed, **options),
        "fimt_dd": lambda: FimtDD(kinds, seed, **options),
    }[learner.name]()


def run(model, stream, tape) -> list[float]:
    """The predictions of the predict events of a tape."""
    predictions = []
    for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
        x, y = [float(value) for value in stream.X[row]], float(stream.y[row])
        model.row = int(row)
        if op in (1, 3):
            predictions.append(model.predict(x))
        if op in (2, 3):
            model.learn(x, y, float(weight))
    return predictions
