"""Sums of targets, as lists of weight, sum and sum of squares, and E-BSTs of them."""

from __future__ import annotations

import math


class SearchTree:
    """An E-BST: `sums` are weight, sum and sum of squares of values up to the cut."""

    def __init__(self, value: float, y: float, w: float) -> None:
        self.cut = value
        self.sums = [w, w * y, w * y * y]
        self.smaller: SearchTree | None = None
        self.larger: SearchTree | None = None

    def insert(self, value: float, y: float, w: float) -> None:
        if value > self.cut:
            if self.larger is None:
                self.larger = SearchTree(value, y, w)
            else:
                self.larger.insert(value, y, w)
            return
        for i, term in enumerate([w, w * y, w * y * y]):
            self.sums[i] += term
        if value < self.cut:
            if self.smaller is None:
                self.smaller = SearchTree(value, y, w)
            else:
                self.smaller.insert(value, y, w)

    def cuts(self, left: list[float], right: list[float]):
        """Cuts in ascending order with the sums of both sides, which are changed meanwhile."""
        if right[0] == 0:
            return
        if self.smaller is not None:
            yield from self.smaller.cuts(left, right)
        for i in range(3):
            left[i] += self.sums[i]
            right[i] -= self.sums[i]
        yield self.cut, left, right
        if self.larger is not None:
            yield from self.larger.cuts(left, right)
        for i in range(3):
            left[i] -= self.sums[i]
            right[i] += self.sums[i]

    def best(self, total: list[float], corrected: bool) -> tuple[float, float]:
        """Merit and cut."""
        highest = []
        for cut, left, right in self.cuts([0.0, 0.0, 0.0], list(total)):
            merit = reduction(left, right, corrected)
            if not highest or merit > highest[0]:
                highest = [merit, cut]
        return highest[0], highest[1]


def variance(sums: list[float], corrected: bool) -> float:
    n = sums[0] if corrected else float(int(sums[0]))
    return (sums[2] - sums[1] * sums[1] / n) / n


def reduction(left: list[float], right: list[float], corrected: bool) -> float:
    if left[0] < 5 or right[0] < 5:
        return 0.0
    both = [a + b for a, b in zip(left, right, strict=True)]
    merit = variance(both, corrected)
    merit -= left[0] / both[0] * variance(left, corrected)
    merit -= right[0] / both[0] * variance(right, corrected)
    return merit


def deviation(sums: list[float], corrected: bool) -> float:
    if sums[0] <= 1:
        return 0.0
    square = (sums[2] - sums[1] * sums[1] / sums[0]) / sums[0]
    if square < 0:
        return 0.0 if corrected else math.nan
    return math.sqrt(square)


def add(sums: list[float], value: float, w: float) -> None:
    sums[0] += w
    sums[1] += w * value
    sums[2] += w * value * value
