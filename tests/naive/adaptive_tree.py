"""Slow, literal twin of MOA's Hoeffding adaptive tree."""

from __future__ import annotations

import math
from typing import Any

from naive.detectors import Adwin
from naive.generators import JavaRandom
from naive.learners import HoeffdingTree, Leaf, Split
from naive.statistics import first_maximum, total


class Watch:
    """What the adaptive tree adds to a node."""

    def __init__(self) -> None:
        self.random: JavaRandom | None = None
        self.errors = Adwin(0.002)
        self.alternate: Leaf | None = None

    @property
    def error(self) -> float:
        return self.errors.mean if self.errors.width else 0.0


class HoeffdingAdaptiveTree(HoeffdingTree):
    def __init__(
        self, kinds: list[int], own_draws: bool = False, seed: int = 1, **options: Any
    ) -> None:
        super().__init__(kinds, **options)
        self.seeds = JavaRandom(seed) if own_draws else None
        self.watches: dict[Leaf | Split, Watch] = {}
        self.alternates = self.replacements = self.switches = self.prunings = 0

    def watch(self, node: Leaf | Split) -> Watch:
        return self.watches.setdefault(node, Watch())

    def draws(self, leaf: Leaf) -> JavaRandom:
        """MOA's split nodes draw too, to no effect."""
        watch = self.watch(leaf)
        if watch.random is None:
            watch.random = JavaRandom(self.seeds.next_bits(32) if self.seeds else 1)
        return watch.random

    def leaf_label(self, leaf: Leaf, x: list[float]) -> int:
        votes, error = leaf.votes(x, self.leaf_prediction), self.watch(leaf).error
        divisor = total(votes) * error * error
        return first_maximum([v / divisor for v in votes] if divisor > 0 else votes)

    def predict(self, x: list[float]) -> int:
        passed, node = self.way_down(x)
        if isinstance(node, Leaf):
            return self.leaf_label(node, x)
        return first_maximum(passed[-1][0].class_weights if node is None else [])

    def label_below(self, split: Split, x: list[float]) -> int:
        node: Leaf | Split | None = split
        while isinstance(node, Split):
            value = x[node.attribute]
            if math.isnan(value):
                return first_maximum(node.class_weights)
            node = node.children.get(node.test.branch(value))
        return 0 if node is None else self.leaf_label(node, x)

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w > 0:
            self.train(self.root, [], x, y, w)

    def train(
        self,
        node: Leaf | Split,
        passed: list[tuple[Split, int]],
        x: list[float],
        y: int,
        w: float,
    ) -> None:
        """`passed` ends with the parent and the branch where MOA believes the node to be."""
        if isinstance(node, Leaf):
            self.train_leaf(node, passed, x, y, w)
            return
        standing, watch = self.at(passed), self.watch(node)
        wrong, before = float(self.label_below(node, x) != y), watch.error
        changed = watch.errors.insert(wrong)
        if changed and not before > watch.error:
            watch.alternate = Leaf(self.kinds, [])
            self.alternates += 1
        elif watch.alternate is not None:
            self.compare(watch, passed)
        if watch.alternate is not None:
            self.train(watch.alternate, passed, x, y, w)
        if self.at(passed) is not standing:
            self.replacements += 1
            return  # MOA goes on below, but all that has been thrown away
        value = x[node.attribute]
        if not math.isnan(value):
            branch = node.test.branch(value)
            child = node.children.get(branch)
            if child is not None:
                self.train(child, [*passed, (node, branch)], x, y, w)

    def at(self, passed: list[tuple[Split, int]]) -> Leaf | Split:
        """What stands where MOA believes a node to be."""
        return passed[-1][0].children[passed[-1][1]] if passed else self.root

    def compare(self, watch: Watch, passed: list[tuple[Split, int]]) -> None:
        assert watch.alternate is not None
        other = self.watch(watch.alternate)
        if watch.errors.width <= 300 or other.errors.width <= 300:
            return
        e, a = watch.error, other.error
        widths = 1 / watch.errors.width + 1 / other.errors.width
        bound = math.sqrt(2 * e * (1 - e) * math.log(2 / 0.05) * widths)
        if bound < e - a:
            self.put(passed, watch.alternate)
            self.switches += 1
        elif bound < a - e:
            watch.alternate = None
            self.prunings += 1

    def train_leaf(
        self, leaf: Leaf, passed: list[tuple[Split, int]], x: list[float], y: int, w: float
    ) -> None:
        watch = self.watch(leaf)
        times = self.draws(leaf).poisson(1.0)
        watch.errors.insert(float(self.leaf_label(leaf, x) != y))
        leaf.learn(x, y, w * times if times > 0 else w)
        weight = total(leaf.bayes.class_weights)
        if weight - leaf.evaluated_at >= self.grace_period:
            leaf.evaluated_at = weight
            self.attempt(passed, leaf, weight)

    def size(self) -> dict[str, int]:
        return super().size() | {
            "alternates": self.alternates,
            "replacements": self.replacements,
            "switches": self.switches,
            "prunings": self.prunings,
        }
