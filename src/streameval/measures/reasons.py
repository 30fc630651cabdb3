"""Causes why a measure is undefined: conditions on tallies, each with its text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.measures.correlation import variation
from streameval.measures.kappa import chance_agreement
from streameval.measures.tally import Tally, total


class Cause(NamedTuple):
    """A condition under which a measure is undefined."""

    text: str
    holds: Callable[[Tally], NDArray[np.bool_]]


NO_PREDICTIONS = Cause("there are no predictions", lambda t: t.n == 0)
ALL_MISSING = Cause(
    "every prediction is missing", lambda t: total(t.predicted_counts[..., :-1]) == 0
)
CHANCE_IS_RIGHT = Cause(
    "all labels and all predictions are one and the same class, so chance is always right",
    lambda t: t.n**2 == chance_agreement(t),
)
CHANCE_IS_WRONG = Cause(
    "no class is both true and predicted, so chance is never right",
    lambda t: chance_agreement(t) == 0,
)
NO_CHANGE_UNKNOWN = Cause(
    "the errors of No-Change are not known", lambda t: np.isnan(t.no_change_wrong)
)
NO_CHANGE_IS_RIGHT = Cause("No-Change is always right", lambda t: t.no_change_wrong == 0)
MAJORITY_UNKNOWN = Cause(
    "the errors of the majority class are not known", lambda t: np.isnan(t.majority_wrong)
)
MAJORITY_IS_RIGHT = Cause("the majority class is always right", lambda t: t.majority_wrong == 0)
ONE_CLASS = Cause("there is only one true class", lambda t: variation(t.true_counts) == 0)
ONE_PREDICTED_CLASS = Cause(
    "all predictions are the same", lambda t: variation(t.predicted_counts) == 0
)
NOT_BINARY = Cause(
    "it is defined for two classes only", lambda t: np.full(t.shape, t.n_classes != 2)
)
CLASS_MISSING = Cause("a class does not occur", lambda t: (t.true_counts == 0).any(axis=-1))
