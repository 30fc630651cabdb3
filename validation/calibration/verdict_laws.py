"""Laws of streams on which the true difference of two learners is known.

Each of two inputs is the class code times a separation, plus normal noise. Each learner predicts
the nearest class mean of one input. By symmetry, they are equally good if separations are equal.
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

#: Distance of class means, in standard deviations of the noise. The accuracy is Φ(0.4) = 65.5 %.
SEPARATION = 0.8
#: Separations of both inputs while the learner of the first input is better.
_UNEQUAL_SEPARATIONS = np.array([1.3, 0.3])
#: Standard deviation of separations that move slowly. One unit of separation changes the accuracy
#: by about 18 points.
_MOVEMENT_SD = 1.0
#: Number of consecutive rows of an entity in a burst.
_BURST_ROWS = 10
#: Autocorrelation of noise that entities share.
_SHARED_DEPENDENCE = 0.98
_SCHEMA = Schema((Attribute("x0"), Attribute("x1")), classes=("a", "b"))


@dataclass(frozen=True)
class Law:
    """A law of streams, with two learners.

    Parameters
    ----------
    title : str
        Name of the law.
    dependence : float
        Probability that a label repeats the previous label, and autocorrelation of the noise;
        with entities, within each entity.
    turns : float
        Expected number of times that the separations of the two inputs are exchanged.
    accuracy_gap : float
        Accuracy of the first learner minus accuracy of the second.
    first_class_proportion : float
        Proportion of the first class. If it is not 0.5, the expected accuracy of a learner depends
        on its estimates of the class means.
    forests : bool
        Whether the learners are two random forests on SEA, instead of nearest means.
    entities : int
        Number of entities whose rows are interleaved; 0 for a stream without entities.
    order : {"random", "rounds", "bursts", "blocks"}
        Order of the rows of entities.
    unequal : bool
        Whether the first learner is better in half of the entities, and the second in the others.
    shared_variance : float
        Proportion of the noise's variance that is common to all entities.
    movement_dependence : float
        Autocorrelation, within an entity, of separations that move slowly, in opposite directions
        for the two learners; 0 if they do not move.
    """

    title: str
    dependence: float = 0.0
    turns: float = 0.0
    accuracy_gap: float = 0.0
    first_class_proportion: float = 0.5
    forests: bool = False
    entities: int = 0
    order: Literal["random", "rounds", "bursts", "blocks"] = "random"
    unequal: bool = False
    shared_variance: float = 0.0
    movement_dependence: float = 0.0

    def learners(self) -> dict[str, Classifier]:
        """The two learners."""
        if self.forests:
            return {"first": RandomForest(members=3), "second": RandomForest(members=3)}
        return {"first": NearestMean(0), "second": NearestMean(1)}

    def stream(self, n: int, rng: np.random.Generator) -> Stream:
        """Draw a stream of n instances."""
        if self.forests:
            return Sea(seed=int(rng.integers(2**31))).stream(n)
        groups = self._groups(n, rng)
        entity_rows: list[Any] = [slice(None)]
        if groups is not None:
            entity_rows = [rows for _, rows in groups.rows_by_entity()]
        y = self._labels(n, rng)
        for rows in entity_rows:
            y[rows] = _repeat_values(y[rows], self.dependence, rng)
        noise = rng.normal(size=(n, 2))
        if self.dependence:
            for rows in entity_rows:
                noise[rows] = _autocorrelate(noise[rows], self.dependence)
        if self.shared_variance:
            common = _autocorrelate(rng.normal(size=(n, 2)), _SHARED_DEPENDENCE)
            noise *= math.sqrt(1.0 - self.shared_variance)
            noise += math.sqrt(self.shared_variance) * common
        separations = self._separations(n, rng)
        if self.unequal and groups is not None:  # there are always groups, but mypy cannot know
            odd = groups.code % 2 == 1
            separations = np.where(odd[:, None], _UNEQUAL_SEPARATIONS, _UNEQUAL_SEPARATIONS[::-1])
        if self.movement_dependence:
            movement = rng.normal(size=n)
            for rows in entity_rows:
                movement[rows] = _autocorrelate(movement[rows], self.movement_dependence)
            separations = separations + _MOVEMENT_SD * movement[:, None] * (1.0, -1.0)
        X = y[:, None] * separations + noise
        return Stream(
            X,
            y.astype(np.int32),
            _SCHEMA,
            name="nearest_means",
            source=self.title,
            groups=groups,
        )

    def _groups(self, n: int, rng: np.random.Generator) -> Groups | None:
        """The entity of each row; None without entities."""
        if not self.entities:
            return None
        code = np.arange(n) % self.entities
        if self.order == "random":
            code = rng.integers(0, self.entities, n)
        elif self.order == "bursts":
            code = np.repeat(rng.integers(0, self.entities, -(-n // _BURST_ROWS)), _BURST_ROWS)[:n]
        elif self.order == "blocks":
            code = np.sort(rng.integers(0, self.entities, n))
        names = tuple(map(str, range(self.entities)))
        return Groups("entity", code.astype(np.int32), names)

    def _labels(self, n: int, rng: np.random.Generator) -> Integers:
        """Independent labels of the rows."""
        if self.first_class_proportion == 0.5:
            return rng.integers(0, 2, n)
        return (rng.random(n) >= self.first_class_proportion).astype(np.int64)

    def _separations(self, n: int, rng: np.random.Generator) -> Floats:
        """Separations of both inputs for each instance, shape (n, 2)."""
        if self.turns:
            is_turn = rng.random(n) < self.turns / n
            better_input = (is_turn.cumsum() + rng.integers(2)) % 2
            return np.stack(
                [_UNEQUAL_SEPARATIONS[better_input], _UNEQUAL_SEPARATIONS[1 - better_input]], axis=1
            )
        accuracy = NormalDist().cdf(SEPARATION / 2.0) - self.accuracy_gap
        second = 2.0 * NormalDist().inv_cdf(accuracy)
        return np.tile([SEPARATION, second], (n, 1))


#: Laws with equal learners: a verdict for one of them is false.
NULLS = {
    "forests": Law("forests that differ by seeds", forests=True),
    "independent": Law("independent instances"),
    "dependent_50": Law("dependence 0.5", dependence=0.5),
    "dependent_90": Law("dependence 0.9", dependence=0.9),
    "dependent_98": Law("dependence 0.98", dependence=0.98),
    "frequent_80": Law("80 % in one class", first_class_proportion=0.8),
    "frequent_90": Law("90 % in one class", first_class_proportion=0.9),
    "frequent_95": Law("95 % in one class", first_class_proportion=0.95),
    "turns_3": Law("better in turns, 3 changes", turns=3),
    "turns_10": Law("better in turns, 10 changes", turns=10),
    "turns_30": Law("better in turns, 30 changes", turns=30),
    "turns_100": Law("better in turns, 100 changes", turns=100),
}
#: Laws in which the first learner is better by less than the region of practical equivalence.
WITHIN_REGION = {"half_point": Law("0.5 points apart", accuracy_gap=0.005)}
#: Laws in which the first learner is better by more than the region.
DIFFERENT = {
    "three_points": Law("3 points apart", accuracy_gap=0.03),
    "ten_points": Law("10 points apart", accuracy_gap=0.1),
    "ten_points_90": Law("10 points apart, dependence 0.9", dependence=0.9, accuracy_gap=0.1),
    "ten_points_entities": Law(
        "10 points apart, 20 entities, dependence 0.9",
        dependence=0.9,
        accuracy_gap=0.1,
        entities=20,
    ),
}
#: Laws with smaller differences between class frequencies than in `NULLS`. They show up to which
#: frequency an interval of a single learner is valid.
MODERATE_IMBALANCE = {
    "frequent_60": Law("60 % in one class", first_class_proportion=0.6),
    "frequent_70": Law("70 % in one class", first_class_proportion=0.7),
}
#: Laws with equal learners and interleaved rows of several entities. Each entity has its own
#: baselines.
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
        "20 entities with common noise, dependence 0.9",
        dependence=0.9,
        entities=20,
        shared_variance=0.5,
    ),
}
#: Laws with equal learners whose error rates move too slowly to be noticed in a short stream.
SLOW = {
    "slow_99": Law("slowly moving error rates", movement_dependence=0.99),
    "slow_99_3": Law("3 entities, slowly moving error rates", entities=3, movement_dependence=0.99),
    "slow_99_20": Law(
        "20 entities, slowly moving error rates", entities=20, movement_dependence=0.99
    ),
}
#: All laws by name.
LAWS = {**NULLS, **WITHIN_REGION, **DIFFERENT, **MODERATE_IMBALANCE, **ENTITIES, **SLOW}


@dataclass(frozen=True)
class NearestMean(Learner):
    """Predict the class whose mean of one input is nearest.

    There is no prediction before an instance of each class has been learnt. Predictions are
    computed at once, from cumulative sums over the instances learnt before each event.

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
        distances, has_both = [], np.ones(len(tape), bool)
        for code in range(2):
            class_weight = weight * (y == code)
            total = _sums_before(class_weight)
            mean = np.divide(
                _sums_before(class_weight * x), total, out=np.zeros_like(x), where=total > 0
            )
            distances.append(np.abs(x - mean))
            has_both &= total > 0
        nearest = distances[1] < distances[0]  # True is class 1
        label = np.where(has_both, nearest, NO_PREDICTION).astype(np.int16)
        if progress is not None:
            progress(len(tape))
        return Predictions(tape.predict_rows, label[tape.op & PREDICT > 0], stream.n_classes)


def _sums_before(values: Floats) -> Floats:
    """Sum of all earlier values, for each value."""
    total = np.cumsum(values)
    return np.concatenate([[0.0], total[:-1]])


def _autocorrelate(noise: Floats, dependence: float) -> Floats:
    """Noise of the same variance with an autocorrelation."""
    innovations = noise.copy()
    innovations[1:] *= math.sqrt(1.0 - dependence * dependence)
    series: Floats = scipy.signal.lfilter([1.0], [1.0, -dependence], innovations, axis=0)
    return series


def _repeat_values(values: Integers, dependence: float, rng: np.random.Generator) -> Integers:
    """Replace each value by the previous value with probability `dependence`."""
    if not dependence:
        return values
    is_repeated = rng.random(len(values)) < dependence
    is_repeated[0] = False
    source = np.maximum.accumulate(np.where(is_repeated, 0, np.arange(len(values))))
    return values[source]
