"""Slow, literal twins of online and leveraging bagging."""

from __future__ import annotations

from typing import Any

from naive.detectors import Adwin
from naive.generators import JavaRandom
from naive.learners import HoeffdingTree
from naive.statistics import add, first_maximum, quotient, total


class OnlineBagging:
    def __init__(
        self, kinds: list[int], members: int, mean_weight: float, seed: int, **tree: float
    ) -> None:
        self.start = lambda: HoeffdingTree(kinds, **tree)
        self.members = [self.start() for _ in range(members)]
        self.mean_weight, self.random = mean_weight, JavaRandom(seed)

    def predict(self, x: list[float]) -> int:
        everything: list[float] = []
        for member in self.members:
            votes = member.votes(x)
            if total(votes) > 0:
                scale = quotient(1.0, total(votes))
                for c, vote in enumerate(votes):
                    add(everything, c, vote * scale)
        return first_maximum(everything)

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w <= 0:
            return
        for member in self.members:
            member.learn(x, y, self.random.poisson(self.mean_weight) * w)

    def size(self) -> dict[str, int]:
        sizes = [member.size() for member in self.members]
        whole = {name: sum(size[name] for size in sizes) for name in ("nodes", "leaves")}
        return whole | {"members": len(sizes)}


class LeveragingBagging(OnlineBagging):
    def __init__(self, kinds: list[int], delta: float, **options: Any) -> None:
        super().__init__(kinds, **options)
        self.delta, self.resets = delta, 0
        self.detectors = [Adwin(delta) for _ in self.members]

    def learn(self, x: list[float], y: int, w: float) -> None:
        if w <= 0:
            return
        changed = False
        for member, detector in zip(self.members, self.detectors, strict=True):
            member.learn(x, y, self.random.poisson(self.mean_weight) * w)
            before = detector.mean
            if detector.insert(float(member.predict(x) != y)) and detector.mean > before:
                changed = True
        means = [detector.mean for detector in self.detectors]
        if changed and max(means) > 0:
            worst = means.index(max(means))
            self.members[worst], self.detectors[worst] = self.start(), Adwin(self.delta)
            self.resets += 1

    def size(self) -> dict[str, int]:
        return super().size() | {"resets": self.resets}
