"""Slow, literal twin of learners that ask for labels: instance by instance, with a queue of labels.

Written from Žliobaitė et al. (2014), Algorithms 1 to 3, and from what MOA's ALUncertainty does.
"""

from __future__ import annotations

import numpy as np

from naive.generators import JavaRandom


class Asker:
    """Decides for one instance after the other whether to buy its label."""

    def __init__(self, strategy, budget, threshold=0.9, step=0.01, rules="moa", seed=1):
        self.strategy, self.budget, self.step, self.rules = strategy, budget, step, rules
        self.threshold = threshold if strategy == "uncertainty" else 1.0
        self.random = JavaRandom(seed)
        self.instances, self.bought, self.faded = 0, 0, 0.0
        self.learnt = []  # classes whose labels have arrived

    def learn(self, label):
        self.learnt.append(label)

    def is_within_budget(self):
        self.instances += 1
        if self.rules == "moa":
            return self.bought / self.instances < self.budget
        return self.faded / 100 < self.budget

    def posterior(self, scores, has_votes=True):
        classes = set(self.learnt)
        too_few = not classes or (max(classes) == 0 if self.rules == "moa" else len(classes) == 1)
        return 0.0 if too_few or not has_votes else max(scores)

    def is_uncertain(self, posterior, classes):
        if self.strategy == "selective_sampling":
            distance = abs(posterior - 1 / classes)
            return self.random.next_double() < self.budget / (self.budget + distance)
        threshold = self.threshold
        if self.strategy == "randomised_uncertainty":
            factor = 1 + self.random.next_gaussian()
            if self.rules == "moa":
                posterior /= factor
            else:
                threshold *= factor
        asks = np.float32(posterior) < np.float32(threshold)
        if self.strategy != "uncertainty":
            self.threshold *= 1 - self.step if asks else 1 + self.step
        return bool(asks)

    def ask(self, scores, has_votes=True):
        within = self.is_within_budget()
        asks = within and self.is_uncertain(self.posterior(scores, has_votes), len(scores))
        self.faded = self.faded * (1 - 1 / 100) + asks
        self.bought += asks
        return asks


def in_turn(asker, predict, learn, rows, labels, delay):
    """Predict each row, query its label, and learn the label that was bought `delay` rows before.

    `predict` returns the scores of a row and whether there are votes, `labels` None where there is
    no label. Returns the rows that were bought; those whose labels arrive too late are left out.
    """
    waiting, bought = [], []
    for t in range(rows):
        scores, has_votes = predict(t)
        waiting.append((t, labels[t] is not None and asker.ask(scores, has_votes)))
        while waiting and waiting[0][0] + delay <= t:
            row, is_bought = waiting.pop(0)
            if is_bought:
                learn(row)
                asker.learn(labels[row])
                bought.append(row)
    return bought
