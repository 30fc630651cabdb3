"""The adaptive random forest for regression, slow and literal."""

from __future__ import annotations

import math

from naive.detectors import Adwin
from naive.generators import JavaRandom
from naive.regression import FimtDD
from naive.regression_sums import deviation
from streameval.base import seeds


class AdaptiveRandomForest:
    def __init__(
        self,
        kinds: list[int],
        seed: int = 1,
        members: int = 100,
        mean_weight: float = 6.0,
        subspace_mode: str = "percentage",
        subspace: float = 60.0,
        drift_detection: bool = True,
        drift_delta: float = 1e-3,
        warning_delta: float = 1e-2,
        form: str = "corrected",
        **options,
    ) -> None:
        self.kinds, self.options, self.corrected = kinds, options, form == "corrected"
        self.mean_weight, self.detects = mean_weight, drift_detection
        self.deltas = {"drift": drift_delta, "warning": warning_delta}
        self.random = JavaRandom(seed)
        self.keys = JavaRandom(int(seeds.generator("attributes", seed).integers(2**48)))
        m = len(kinds)
        size = {
            "percentage": math.floor(m * (subspace / 100) + 0.5),
            "sqrt": math.floor(math.sqrt(m) + 0.5) + 1,
            "sqrt_inverse": m - math.floor(math.sqrt(m) + 1.5),
            "size": math.floor(subspace + 0.5),
        }[subspace_mode]
        self.n_drawn = min(max(size, 1), m)
        self.trees = [self.new_tree() for _ in range(members)]
        self.background: list[FimtDD | None] = [None] * members
        self.detectors = [{name: Adwin(d) for name, d in self.deltas.items()} for _ in self.trees]
        self.drifts = self.warnings = 0

    def new_tree(self) -> FimtDD:
        key, form = 1, "moa"
        if self.corrected:
            key = (self.keys.next_bits(24) << 24) + self.keys.next_bits(24)
            form = "corrected"
        return FimtDD(
            self.kinds, key, form=form, regression_tree=True, n_drawn=self.n_drawn, **self.options
        )

    def predict(self, x: list[float]) -> float:
        total = 0.0
        for tree in self.trees:
            total += tree.predict(x)
        return total / len(self.trees)

    def learn(self, x: list[float], y: float, w: float) -> None:
        if w <= 0:
            return
        for i in range(len(self.trees)):
            copies = self.random.poisson(self.mean_weight)
            if copies:
                self.train(i, x, y, w, copies)

    def train(self, i: int, x: list[float], y: float, w: float, copies: int) -> None:
        tree, background = self.trees[i], self.background[i]
        before = tree.predict(x)
        tree.learn(x, y, copies * w)
        if background is not None:
            background.learn(x, y, w)
        if not self.detects:
            return
        signal = tree.predict(x)
        if self.corrected:
            spread = deviation(tree.target, True)
            signal = abs(y - before) / (3 * spread) if spread > 0 else 0.0
        if self.rises(i, "warning", signal):
            self.warnings += 1
            self.background[i] = self.new_tree()
            self.detectors[i]["warning"] = Adwin(self.deltas["warning"])
        if self.rises(i, "drift", signal):
            self.drifts += 1
            self.detectors[i]["drift"] = Adwin(self.deltas["drift"])
            if self.background[i] is not None:
                self.detectors[i]["warning"] = Adwin(self.deltas["warning"])
            self.trees[i] = self.background[i] or self.new_tree()
            self.background[i] = None

    def rises(self, i: int, name: str, signal: float) -> bool:
        detector = self.detectors[i][name]
        before = detector.mean
        return detector.insert(signal) and detector.mean > before

    def size(self) -> dict[str, int]:
        trees = [tree.size() for tree in self.trees]
        totals = {name: sum(tree[name] for tree in trees) for name in ("nodes", "leaves")}
        backgrounds = [tree for tree in self.background if tree is not None]
        alternates = sum(tree.size()["alternates"] for tree in [*self.trees, *backgrounds])
        return totals | {
            "alternates": alternates,
            "members": len(trees),
            "backgrounds": len(backgrounds),
            "drifts": self.drifts,
            "warnings": self.warnings,
        }
