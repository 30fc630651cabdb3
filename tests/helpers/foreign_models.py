"""Models that know nothing of streameval, as its users have them."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

import numpy as np


class Frequencies:
    """The most frequent class among the instances with the same first value, gaps included."""

    def __init__(self, schema: Any, smoothing: float = 1.0) -> None:
        self.k, self.smoothing = schema.n_classes, smoothing
        self.counts: dict[str, Counter[int]] = {}

    def learn(self, x: Any, y: int, w: float) -> None:
        assert type(y) is int
        assert w > 0
        self.counts.setdefault(str(x[0]), Counter())[y] += w

    def predict(self, x: Any) -> int | None:
        counts = self.counts.get(str(x[0]))
        return counts.most_common(1)[0][0] if counts else None

    def scores(self, x: Any) -> list[float]:
        counts = self.counts.get(str(x[0]), Counter())
        return [counts[c] + self.smoothing for c in range(self.k)]


class Answering:
    """Answer whatever it is told to, and give it as the scores too."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def learn(self, x: Any, y: int, w: float) -> None:
        x[:] = 0  # its own copy

    def predict(self, x: Any) -> Any:
        return self.answer

    def scores(self, x: Any) -> Any:
        return self.answer


class Last:
    """Predict the class or number that was learnt last, before what it is told to."""

    def __init__(self, first: Any = None) -> None:
        self.last = first

    def learn(self, x: Any, y: Any, w: float) -> None:
        self.last = y

    def predict(self, x: Any) -> Any:
        return self.last


class Never(Last):
    """Never predict."""

    def learn(self, x: Any, y: Any, w: float) -> None:
        pass


class Seeded:
    """Answer at random, or always with the seed's parity."""

    def __init__(self, seed: int = 0, *, constant: bool = False) -> None:
        self.rng, self.seed, self.constant = np.random.default_rng(seed), seed, constant

    def learn(self, x: Any, y: int, w: float) -> None:
        pass

    def predict(self, x: Any) -> int:
        return self.seed % 2 if self.constant else int(self.rng.integers(2))


class Recorder:
    """A scikit-learn classifier without weights that records its calls."""

    calls: ClassVar[list[tuple[str, list[list[float]], list[int]]]] = []

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Recorder:
        self.calls.append(("learn", X.tolist(), y.tolist()))
        return self

    def predict(self, X: Any) -> Any:
        self.calls.append(("predict", X.tolist(), []))
        return np.zeros(len(X), dtype=int)


def no_class() -> None:
    """A function."""


class Memoriser:
    """A learner that memorises the label of each instance."""

    def __init__(self) -> None:
        self.known: dict[bytes, int] = {}

    def learn(self, x: Any, y: int, w: float) -> None:
        self.known[x.tobytes()] = y

    def predict(self, x: Any) -> int | None:
        return self.known.get(x.tobytes())


class Oracle:
    """Know everything beforehand: the class is the last value."""

    def learn(self, x: Any, y: int, w: float) -> None:
        pass

    def predict(self, x: Any) -> int:
        return int(x[-1])
