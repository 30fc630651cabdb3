"""Laws of streams on which the true difference of two learners is known.

The two inputs are the class's code times a separation plus normal noise, and the learners the
nearest means on the one and on the other: equally good where separations are equal, by symmetry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar, Literal

import numpy as np
import scipy  # loads its parts when they are first used

from streameval.base.arrays import Floats, Integers
from streameval.learners.ensembles.bagging import RandomForest
from streameval.learners.learner import Classifier, Learner, Progress
from streameval.learners.predictions import NO_PREDICTION, Predictions
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.generators.sea import Sea
from streameval.streams.groups import Groups
from streameval.streams.stream import Attribute, Schema, Stream

#: Distance of the means of the classes, in standard deviations: the accuracy is Φ(0.4) = 65.5 %.
SEPARATION = 0.8
#: The same where one learner is better, of its input and of the other.
_APART = np.array([1.3, 0.3])
#: Standard deviation of separations that move slowly: about 18 points of accuracy.
_MOVEMENT = 1.0
#: Rows of an entity in a burst, and the autocorrelation of noise that entities share.
_BURST, _SHARED = 10, 0.98
_SCHEMA = Schema((Attribute("x0"), Attribute("x1")), classes=("a", "b"))


@dataclass(frozen=True)
class Law:
    """A law of streams, with two learners: nearest means, or two random `forests` on SEA.

    `dependence` is the probability that a label is that before rather than a new one, and the
    autocorrelation of the noise; `turns` how often the separations are exchanged, the mean of a
    geometric law; `ahead` by how much the accuracy of the second learner is lower; `frequent` the
    proportion of the one class: if not 0.5, what a learner has learnt by chance moves its accuracy.
    With `entities` rows are of so many in turn, `order` says how, and dependence is within each;
    `unequal` ones have one learner ahead in half of them, the other in the other half; `shared` is
    the part of the noise that all have in common at a time. `moving` is the autocorrelation, from
    one instance of an entity to the next, of error rates that move slowly, those of the two
    learners in opposite directions.
    """

    title: str
    dependence: float = 0.0
    turns: float = 0.0
    ahead: float = 0.0
    frequent: float = 0.5
    forests: bool = False
    entities: int = 0
    order: Literal["random", "rounds", "bursts", "blocks"] = "random"
    unequal: bool = False
    shared: float = 0.0
    moving: float = 0.0

    def learners(self) -> dict[str, Classifier]:
        """The two learners."""
        if self.forests:
            return {"first": RandomForest(members=3), "second": RandomForest(members=3)}
        return {"first": NearestMean(0), "second": NearestMean(1)}

    def stream(self, n: int, draws: np.random.Generator) -> Stream:
        """A stream of n instances."""
        if self.forests:
            return Sea(seed=int(draws.integers(2**31))).stream(n)
        groups = self._groups(n, draws)
        parts: list[Any] = [slice(None)]
        if groups is not None:
            parts = [rows for _, rows in groups.parts()]
        y = self._labels(n, draws)
        for rows in parts:
            y[rows] = _kept(y[rows], self.dependence, draws)
        noise = draws.normal(size=(n, 2))
        if self.dependence:
            for rows in parts:
                noise[rows] = _lasting(noise[rows], self.dependence)
        if self.shared:
            common = _lasting(draws.normal(size=(n, 2)), _SHARED)
            noise = math.sqrt(1.0 - self.shared) * noise + math.sqrt(self.shared) * common
        separations = self._separations(n, draws)
        if self.unequal and groups is not None:
            odd = groups.code % 2 == 1
            separations = np.where(odd[:, None], _APART, _APART[::-1])
        if self.moving:
            movement = draws.normal(size=n)
            for rows in parts:
                movement[rows] = _lasting(movement[rows], self.moving)
            separations = separations + _MOVEMENT * movement[:, None] * (1.0, -1.0)
        X = y[:, None] * separations + noise
        about: dict[str, Any] = {"name": "nearest_means", "source": self.title, "groups": groups}
        return Stream(X, y.astype(np.int32), _SCHEMA, **about)

    def _groups(self, n: int, draws: np.random.Generator) -> Groups | None:
        """The entity of each row, if there are several."""
        if not self.entities:
            return None
        code = np.arange(n) % self.entities
        if self.order == "random":
            code = draws.integers(0, self.entities, n)
        elif self.order == "bursts":
            code = np.repeat(draws.integers(0, self.entities, -(-n // _BURST)), _BURST)[:n]
        elif self.order == "blocks":
            code = np.sort(draws.integers(0, self.entities, n))
        names = tuple(map(str, range(self.entities)))
        return Groups("entity", code.astype(np.int32), names)

    def _labels(self, n: int, draws: np.random.Generator) -> Integers:
        """Independent labels."""
        if self.frequent == 0.5:
            return draws.integers(0, 2, n)
        return (draws.random(n) >= self.frequent).astype(np.int64)

    def _separations(self, n: int, draws: np.random.Generator) -> Floats:
        """Distance between the classes in both inputs, by instance."""
        if self.turns:
            turns = draws.random(n) < self.turns / n
            which = (turns.cumsum() + draws.integers(2)) % 2
            return np.stack([_APART[which], _APART[1 - which]], axis=1)
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
    "ten_points_entities": Law(
        "10 points apart, 20 entities, dependence 0.9", dependence=0.9, ahead=0.1, entities=20
    ),
}
#: Where the classes are less unequal than in the nulls: how far an interval of one learner reaches.
BETWEEN = {
    "frequent_60": Law("60 % in one class", frequent=0.6),
    "frequent_70": Law("70 % in one class", frequent=0.7),
}
#: Equal learners where rows of several entities come in turn; baselines are those of the entity.
ENTITIES = {
    "entities_1": Law("1 entity, dependence 0.9", dependence=0.9, entities=1),
    "entities_3": Law("3 entities, dependence 0.9", dependence=0.9, entities=3),
    "entities_20": Law("20 entities, dependence 0.9", dependence=0.9, entities=20),
    "entities_100": Law("100 entities, dependence 0.9", dependence=0.9, entities=100),
    "entities_20_98": Law("20 entities, dependence 0.98", dependence=0.98, entities=20),
    "entities_20_rounds": Law(
        "20 entities in rounds, dependence 0.9", dependence=0.9, entities=20, order="rounds"
    ),
    "entities_20_bursts": Law(
        "20 entities in bursts, dependence 0.9", dependence=0.9, entities=20, order="bursts"
    ),
    "entities_20_blocks": Law(
        "20 entities one after the other, dependence 0.9",
        dependence=0.9,
        entities=20,
        order="blocks",
    ),
    "entities_20_unequal": Law(
        "20 unequal entities, dependence 0.9", dependence=0.9, entities=20, unequal=True
    ),
    "entities_20_shared": Law(
        "20 entities with common noise, dependence 0.9", dependence=0.9, entities=20, shared=0.5
    ),
}
#: Equal learners whose error rates move so slowly that a short stream does not show it.
SLOW = {
    "slow_99": Law("slowly moving error rates", moving=0.99),
    "slow_99_3": Law("3 entities, slowly moving error rates", entities=3, moving=0.99),
    "slow_99_20": Law("20 entities, slowly moving error rates", entities=20, moving=0.99),
}
LAWS = {**NULLS, **INSIDE, **APART, **BETWEEN, **ENTITIES, **SLOW}


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

    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Predictions:
        """See `Learner.run`."""
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
    """The sum of the values before each."""
    total = np.cumsum(values)
    return np.concatenate([[0.0], total[:-1]])


def _lasting(noise: Floats, dependence: float) -> Floats:
    """Noise with an autocorrelation, of the same variance."""
    innovations = noise.copy()
    innovations[1:] *= math.sqrt(1.0 - dependence * dependence)
    series: Floats = scipy.signal.lfilter([1.0], [1.0, -dependence], innovations, axis=0)
    return series


def _kept(values: Integers, dependence: float, draws: np.random.Generator) -> Integers:
    """Values that each repeat the previous value with probability `dependence`."""
    if not dependence:
        return values
    kept = draws.random(len(values)) < dependence
    kept[0] = False
    return values[np.maximum.accumulate(np.where(kept, 0, np.arange(len(values))))]
