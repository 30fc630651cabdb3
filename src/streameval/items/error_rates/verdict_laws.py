"""Laws of streams on which the true difference of two learners is known.

The two inputs are the class's code times a separation plus normal noise, and the learners the
nearest means on the one and on the other: equally good where separations are equal, by symmetry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar

import numpy as np
import scipy  # loads its parts when they are first used

from streameval.base.arrays import Floats, Integers
from streameval.learners.ensembles.bagging import RandomForest
from streameval.learners.learner import Learner, Progress
from streameval.learners.predictions import NO_PREDICTION, Predictions
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import Attribute, Schema, Stream

#: Distance of the means of the classes, in standard deviations: the accuracy is Φ(0.4) = 65.5 %.
SEPARATION = 0.8
_SCHEMA = Schema((Attribute("x0"), Attribute("x1")), classes=("a", "b"))


@dataclass(frozen=True)
class Law:
    """A law of streams, with two learners: nearest means, or two random `forests` on SEA.

    `dependence` is the probability that a label is that before rather than a new one, and the
    autocorrelation of the noise; `turns` how often the separations are exchanged, the mean of a
    geometric law; `ahead` by how much the accuracy of the second learner is lower; `frequent` the
    proportion of the one class: if not 0.5, what a learner has learnt by chance moves its accuracy.
    """

    title: str
    dependence: float = 0.0
    turns: float = 0.0
    ahead: float = 0.0
    frequent: float = 0.5
    forests: bool = False

    def learners(self) -> dict[str, Learner]:
        """Return the two learners."""
        if self.forests:
            return {"first": RandomForest(members=3), "second": RandomForest(members=3)}
        return {"first": NearestMean(0), "second": NearestMean(1)}

    def stream(self, n: int, draws: np.random.Generator) -> Stream:
        """Return a stream of n instances."""
        if self.forests:
            return Sea(seed=int(draws.integers(2**31))).stream(n)
        y = _kept(self._labels(n, draws), self.dependence, draws)
        noise = draws.normal(size=(n, 2))
        if self.dependence:
            rho = self.dependence
            noise[1:] *= math.sqrt(1.0 - rho * rho)
            noise = scipy.signal.lfilter([1.0], [1.0, -rho], noise, axis=0)
        X = y[:, None] * self._separations(n, draws) + noise
        return Stream(X, y.astype(np.int32), _SCHEMA, name="nearest_means", source=self.title)

    def _labels(self, n: int, draws: np.random.Generator) -> Integers:
        """Return independent labels."""
        if self.frequent == 0.5:
            return draws.integers(0, 2, n)
        return (draws.random(n) >= self.frequent).astype(np.int64)

    def _separations(self, n: int, draws: np.random.Generator) -> Floats:
        """Return how far apart the classes are in both inputs, by instance."""
        if self.turns:
            turns = draws.random(n) < self.turns / n
            which = (turns.cumsum() + draws.integers(2)) % 2
            apart = np.array([1.3, 0.3])
            return np.stack([apart[which], apart[1 - which]], axis=1)
        accuracy = NormalDist().cdf(SEPARATION / 2.0) - self.ahead
        second = 2.0 * NormalDist().inv_cdf(accuracy)
        return np.tile([SEPARATION, second], (n, 1))


#: Where the learners are equal in the population: a verdict for one of them is false.
NULLS = {
    "forests": Law("forests that differ by seeds", forests=True),
    "independent": Law("independent instances"),
    "dependent_50": Law("dependence 0.5", dependence=0.5),
    "dependent_90": Law("dependence 0.9", dependence=0.9),
    "dependent_98": Law("dependence 0.98", dependence=0.98),
    "frequent_80": Law("80 % in one class", frequent=0.8),
    "frequent_90": Law("90 % in one class", frequent=0.9),
    "frequent_95": Law("95 % in one class", frequent=0.95),
    "turns_3": Law("better in turns, 3 changes", turns=3),
    "turns_10": Law("better in turns, 10 changes", turns=10),
    "turns_30": Law("better in turns, 30 changes", turns=30),
    "turns_100": Law("better in turns, 100 changes", turns=100),
}
#: Where the first learner is better by less than the region of practical equivalence.
INSIDE = {"half_point": Law("0.5 points apart", ahead=0.005)}
#: Where it is better by more.
APART = {
    "three_points": Law("3 points apart", ahead=0.03),
    "ten_points": Law("10 points apart", ahead=0.1),
    "ten_points_90": Law("10 points apart, dependence 0.9", dependence=0.9, ahead=0.1),
}
#: Where the classes are less unequal than in the nulls: how far an interval of one learner reaches.
BETWEEN = {
    "frequent_60": Law("60 % in one class", frequent=0.6),
    "frequent_70": Law("70 % in one class", frequent=0.7),
}
LAWS = {**NULLS, **INSIDE, **APART, **BETWEEN}


@dataclass(frozen=True)
class NearestMean(Learner):
    """Predict the class whose mean of one input is nearest; no prediction before both are known.

    The same after each event as a loop would be: sums of what was learnt before it.

    Parameters
    ----------
    attribute : int
        The input.
    """

    attribute: int = 0

    name: ClassVar[str] = "nearest_mean"
    reference: ClassVar[str] = "none"

    def play(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Predictions:
        """See `Learner.play`."""
        x, y = stream.X[tape.row, self.attribute], stream.y[tape.row]
        weight = np.where(tape.op & LEARN, tape.weight, 0.0).astype(np.float64)
        distances, known = [], np.ones(len(tape), bool)
        for code in range(2):
            of_class = weight * (y == code)
            total = _before(of_class)
            mean = np.divide(_before(of_class * x), total, out=np.zeros_like(x), where=total > 0)
            distances.append(np.abs(x - mean))
            known &= total > 0
        label = np.where(known, distances[1] < distances[0], NO_PREDICTION).astype(np.int16)
        if progress is not None:
            progress(len(tape))
        return Predictions(tape.predict_rows, label[tape.op & PREDICT > 0], stream.n_classes)


def _before(values: Floats) -> Floats:
    """Return the sum of the values before each."""
    total = np.cumsum(values)
    return np.concatenate([[0.0], total[:-1]])


def _kept(values: Integers, dependence: float, draws: np.random.Generator) -> Integers:
    """Return values each of which is that before it with a probability of `dependence`."""
    if not dependence:
        return values
    kept = draws.random(len(values)) < dependence
    kept[0] = False
    return values[np.maximum.accumulate(np.where(kept, 0, np.arange(len(values))))]
