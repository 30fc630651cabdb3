"""Laws of label delays: how long labels take, and how many never arrive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import numpy as np
from msgspec import Meta
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import ConfigError
from streameval.base.params import Proportion, Whole
from streameval.base.seeds import generator
from streameval.streams.stream import NEVER

#: Distributions of the delay. ``fixed``: the mean, rounded down. ``uniform``: whole numbers from 0
#: to twice the rounded mean. ``geometric``: whole numbers from 0, with the mean itself.
Distribution = Literal["fixed", "uniform", "geometric"]
DISTRIBUTIONS = get_args(Distribution)
#: Largest mean delay: a delay added to a time does not overflow 64 bits.
_MAX_MEAN = 2**31 - 1
_NOT_EMPTY = Meta(min_length=1)


@dataclass(frozen=True)
class DelayLaw:
    """Distribution of label delays, the same for all instances or one for each class.

    `latency` is the mean time to a label, `never` the probability that it never arrives. Both have
    one value, or one for each class.
    """

    latency: Annotated[tuple[Annotated[float, Meta(ge=0, le=_MAX_MEAN)], ...], _NOT_EMPTY]
    distribution: Distribution = "fixed"
    never: Annotated[tuple[Proportion, ...], _NOT_EMPTY] = (0.0,)
    seed: Whole = 1

    def __post_init__(self) -> None:
        if (
            self.distribution not in DISTRIBUTIONS
            or not all(0 <= mean <= _MAX_MEAN for mean in self.latency)
            or not all(0 <= probability <= 1 for probability in self.never)
        ):
            raise ConfigError(
                f"Law of delays: expected latencies from 0 to {_MAX_MEAN:,}, probabilities from 0 "
                f"to 1, and one of {', '.join(DISTRIBUTIONS)}, found {self}."
            )

    def label_times(
        self, time: ArrayLike, y: ArrayLike, n_classes: int, *key: str | int
    ) -> Integers:
        """Draw the times at which labels arrive; `NEVER` for labels that never arrive.

        `time` has the arrival times of instances, `y` their class codes. The random numbers depend
        on the seed and on `key`.
        """
        labels = np.asarray(y)
        mean, never = (values[labels] for values in self._by_class(n_classes))
        rng = generator("delay law", self.seed, *key)
        if self.distribution == "geometric":
            delays = rng.geometric(1.0 / (1.0 + mean)) - 1
        elif self.distribution == "uniform":
            delays = rng.integers(0, 2 * mean.astype(np.int64) + 1)
        else:
            delays = mean.astype(np.int64)
        never_arrives = rng.random(len(labels)) < never
        return np.where(never_arrives, NEVER, np.asarray(time, dtype=np.int64) + delays)

    def arrives_within(self, age: ArrayLike, y: ArrayLike, n_classes: int) -> Floats:
        """Probability that a label has arrived at an age.

        The age is the time since an instance arrived, at least 0; `y` are class codes.
        """
        ages, labels = np.asarray(age, dtype=np.float64), np.asarray(y)
        mean, never = (values[labels] for values in self._by_class(n_classes))
        if self.distribution == "geometric":
            within = 1.0 - _power(mean / (1.0 + mean), np.floor(ages).astype(np.int64) + 1)
        elif self.distribution == "uniform":
            within = np.minimum((np.floor(ages) + 1.0) / (2.0 * np.floor(mean) + 1.0), 1.0)
        else:
            within = (ages >= np.floor(mean)).astype(np.float64)
        proportion: Floats = (1.0 - never) * within
        return proportion

    def _by_class(self, n_classes: int) -> tuple[NDArray[Any], NDArray[Any]]:
        by_class = []
        for name in ("latency", "never"):
            values = getattr(self, name)
            if len(values) not in (1, n_classes):
                raise ConfigError(
                    f"Law of delays: expected 1 value of {name}, or {n_classes}, one for each "
                    f"class, found {len(values)}."
                )
            by_class.append(np.broadcast_to(np.array(values, dtype=np.float64), n_classes))
        return by_class[0], by_class[1]


def _power(base: Floats, exponent: Integers) -> Floats:
    """Powers by repeated squaring: the last digits of numpy's power depend on the processor."""
    power, squares = np.ones(np.broadcast(base, exponent).shape), base
    while exponent.any():
        power = np.where(exponent & 1, power * squares, power)
        squares, exponent = squares * squares, exponent >> 1
    return power
