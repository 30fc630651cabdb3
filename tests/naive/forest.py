"""Slow, literal twins of trees that observe random attributes, and of forests of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from naive.bagging import OnlineBagging
from naive.detectors import Adwin
from naive.generators import JavaRandom
from naive.learners import HoeffdingTree, Leaf
from naive.statistics import add, first_maximum, quotient, total
from streameval.base import seeds

#: Draws the attributes of one leaf.
Draw = Callable[[], list[int]]


def with_rejection(random: JavaRandom, attributes: int, size: int) -> list[int]:
    """Distinct attributes, without the last one drawn."""
    chosen: list[int] = []
    while len(chosen) < size:
        attribute = random.next_int(attributes)
        if attribute not in chosen:
            chosen.append(attribute)
    return chosen[:-1]


def from_rest(random: JavaRandom, attributes: int, size: int) -> list[int]:
    left = list(range(attributes))
    return [left.pop(random.next_int(len(left))) for _ in range(size)]


class RandomLeaf(Leaf):
    def __init__(self, kinds: list[int], class_weights: list[float], draw: Draw) -> None:
        super().__init__(kinds, class_weights)
        self.bayes.chosen, self.draw, self.is_fresh = [], draw, True

    def learn(self, x: list[float], y: int, w: float) -> None:
        if self.is_fresh:
            self.bayes.chosen, self.is_fresh = self.draw(), False
        super().learn(x, y, w)


class RandomTree(HoeffdingTree):
    def __init__(self, kinds: list[int], draw: Draw, **options: Any) -> None:
        self.draw = draw
        super().__init__(kinds, **options)

    def leaf(self, class_weights: list[float]) -> Leaf:
        return RandomLeaf(self.kinds, class_weights, self.draw)


def random_hoeffding_tree(kinds: list[int], seed: int, **options: Any) -> RandomTree:
    random, n = JavaRandom(seed), len(kinds)
    size = min(math.floor(math.sqrt(n + 1)), n)
    return RandomTree(kinds, lambda: with_rejection(random, n, size), **options)


class RandomForest(OnlineBagging):
    def __init__(
        self,
        kinds: list[int],
        members: int,
        mean_weight: float,
        own_draws: bool,
        seed: int,
        **options: Any,
    ) -> None:
        super().__init__(kinds, members, mean_weight, seed, **options)
        keys = [1] * members
        if own_draws:
            keys = seeds.generator("attributes", seed).integers(2**48, size=members).tolist()
        self.members = [random_hoeffding_tree(kinds, key, **options) for key in keys]


class Member:
    """A tree of an adaptive random forest with its detectors and its background tree."""

    def __init__(self, tree: RandomTree, drift_delta: float, warning_delta: float) -> None:
        self.tree, self.drift_delta, self.warning_delta = tree, drift_delta, warning_delta
        self.drift, self.warning = Adwin(drift_delta), Adwin(warning_delta)
        self.correct, self.judged = 0.0, 0
        self.background: Member | None = None


def rises(detector: Adwin, error: float) -> bool:
    before = detector.mean
    return detector.insert(error) and detector.mean > before


class AdaptiveRandomForest:
    def __init__(
        self,
        kinds: list[int],
        members: int,
        mean_weight: float,
        form: str,
        subspace_mode: str | None,
        subspace: float,
        drift_delta: float | None,
        warning_delta: float | None,
        own_draws: bool,
        abstains: bool,
        constant_inputs: int,
        seed: int,
        **options: Any,
    ) -> None:
        self.abstains, self.added = abstains, [0.0] * constant_inputs
        is_old = form == "2017"
        self.kinds, self.options = [*kinds, *[0] * constant_inputs], options
        self.mean_weight, self.random = mean_weight, JavaRandom(seed)
        self.keys = JavaRandom(int(seeds.generator("attributes", seed).integers(2**48)))
        self.own_draws, self.draw = own_draws, with_rejection if is_old else from_rest
        mode = subspace_mode or ("sqrt" if is_old else "percentage")
        self.n_drawn = self.subspace_size(mode, subspace)
        self.deltas = (
            (1e-5 if is_old else 1e-3) if drift_delta is None else drift_delta,
            (1e-4 if is_old else 1e-2) if warning_delta is None else warning_delta,
        )
        self.members = [self.start() for _ in range(members)]
        self.drifts = self.warnings = 0

    def subspace_size(self, mode: str, subspace: float) -> int:
        def rounded(value: float) -> int:
            return math.floor(value + 0.5)

        m = len(self.kinds)
        if mode == "percentage":
            size = rounded(m * (subspace / 100))
        elif mode == "sqrt":
            size = rounded(math.sqrt(m)) + 1
        elif mode == "sqrt_inverse":
            size = m - rounded(math.sqrt(m) + 1)
        else:
            size = rounded(subspace)
        return min(max(size, 1), m)

    def start(self) -> Member:
        key = 1
        if self.own_draws:
            key = (self.keys.next_bits(24) << 24) + self.keys.next_bits(24)
        random, n = JavaRandom(key), len(self.kinds)
        tree = RandomTree(self.kinds, lambda: self.draw(random, n, self.n_drawn), **self.options)
        return Member(tree, *self.deltas)

    def predict(self, x: list[float]) -> int:
        everything: list[float] = []
        for member in self.members:
            votes = member.tree.votes([*x, *self.added])
            if total(votes) > 0:
                scale = quotient(1.0, total(votes))
                percent = quotient(member.correct, member.judged) * 100
                for c, vote in enumerate(votes):
                    share = vote * scale
                    add(everything, c, share * percent if percent > 0 else share)
        if self.abstains and not everything:
            return -1
        return first_maximum(everything)

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w > 0:
            for i in range(len(self.members)):
                self.train(i, [*x, *self.added], y, w)

    def train(self, i: int, x: list[float], y: int, w: float) -> None:
        member = self.members[i]
        member.judged += 1
        member.correct += w if member.tree.predict(x) == y else 0.0
        k = self.random.poisson(self.mean_weight)
        if k == 0:
            return
        member.tree.learn(x, y, k * w)
        if member.background is not None:
            member.background.tree.learn(x, y, w)
        error = float(member.tree.predict(x) != y)
        if rises(member.warning, error):
            self.warnings += 1
            member.background = self.start()
            member.warning = Adwin(member.warning_delta)
        if rises(member.drift, error):
            self.drifts += 1
            if member.background is not None:
                self.members[i] = member.background
            else:
                member.tree = self.start().tree
                member.drift = Adwin(member.drift_delta)
                member.correct, member.judged = 0.0, 0

    def size(self) -> dict[str, int]:
        sizes = [member.tree.size() for member in self.members]
        whole = {name: sum(size[name] for size in sizes) for name in ("nodes", "leaves")}
        return whole | {
            "members": len(sizes),
            "backgrounds": sum(member.background is not None for member in self.members),
            "drifts": self.drifts,
            "warnings": self.warnings,
        }
