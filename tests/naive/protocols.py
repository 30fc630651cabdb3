"""Slow, literal twins of `streameval.protocols`: event by event, in plain lists."""

from __future__ import annotations

import fractions
import math


class JavaRandom:
    """As the documentation of java.util.Random says, for non-negative seeds."""

    def __init__(self, seed):
        self.seed = (seed ^ 0x5DEECE66D) % 2**48

    def bits(self, number):
        self.seed = (self.seed * 0x5DEECE66D + 11) % 2**48
        return self.seed >> (48 - number)

    def double(self):
        return ((self.bits(26) << 27) + self.bits(27)) / 2**53


def poisson_1(random):
    """Count the terms of e = 1/0! + 1/1! + ... that are needed to get past u e."""
    threshold = random.double() * math.e
    count, total = 0, 1.0
    while total <= threshold:
        count += 1
        total += 1 / math.factorial(count)
    return count


def scored_rows(events, n):
    """Which of n rows are first predicted after a label: events are (row, what, weight)."""
    first, learnt = {}, False
    for row, what, _ in events:
        if what == "predict":
            first.setdefault(row, learnt)
        else:
            learnt = True
    return [first.get(row, True) for row in range(n)]


def folds_in_turn(n, folds, scheme, tested, seed=1):
    """Each fold's events (row, op, weight), as MOA's EvaluatePrequentialCV goes through them."""
    random = JavaRandom(seed)
    tapes = [[] for _ in range(folds)]
    for t in range(n):
        for i in range(folds):
            weight = {
                "cross_validation": lambda t, i: int(t % folds != i),
                "split_validation": lambda t, i: int(t % folds == i),
                "bootstrap_validation": lambda t, i: poisson_1(random),
            }[scheme](t, i)
            predict = {"all": True, "held_out": weight == 0, "learnt": weight > 0}[tested]
            if predict or weight > 0:
                tapes[i].append((t, 1 * predict + 2 * (weight > 0), weight))
    return tapes


def delayed_in_turn(n, delay):
    """Events (row, op) of a stream: `delay` rows arrive before a label is known."""
    events, waiting = [], []
    for t in range(n):
        events.append((t, "predict"))
        waiting.append(t)
        while waiting and waiting[0] + delay <= t:
            events.append((waiting.pop(0), "learn"))
    return events


def tests_in_between(events, times, rows):
    """(row, op, is_test) of (row, op), with the tests of each time before the events of its row."""
    tested_events, left = [], list(zip(times, rows, strict=True))
    for row, op in [*events, (float("inf"), None)]:
        while left and left[0][0] <= row:
            tested_events += [(tested, 1, True) for tested in left.pop(0)[1]]
        if op is not None:
            tested_events.append((row, op, False))
    return tested_events


def evenly_spaced_in_turn(n, budget):
    """Whether each label is bought; each adds a part, an exact fraction, and a whole buys one."""
    saved, bought = fractions.Fraction(0), []
    for _ in range(n):
        saved += budget
        bought.append(saved >= 1)
        if saved >= 1:
            saved -= 1
    return bought


def chances_by_halving(shares, budget, exponent):
    """The probability of each class, its scale found by bisection in its logarithm."""

    def at(scale):
        return [min(1.0, scale * p ** (exponent - 1)) if p > 0 else 0.0 for p in shares]

    low, high = -200.0, 200.0
    for _ in range(200):
        middle = (low + high) / 2
        spent = sum(p * q for p, q in zip(shares, at(10**middle), strict=True))
        low, high = (middle, high) if spent < budget else (low, middle)
    return at(10**high)


def partly_in_turn(bought, delay):
    """Events (row, op): each row is predicted, and bought labels are learnt after the delay."""
    events, waiting = [], []
    for t, is_bought in enumerate(bought):
        events.append((t, "predict"))
        waiting.append((t, is_bought))
        while waiting and waiting[0][0] + delay <= t:
            row, known = waiting.pop(0)
            if known:
                events.append((row, "learn"))
    return events
