"""All classification measures by name, with the conditions under which each is undefined.

To add a measure, write a function of a tally in `classification` and list it here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats
from streameval.measures import classification as formulas
from streameval.measures.classification import chance_agreement, variation
from streameval.measures.tally import Tally, total


class Cause(NamedTuple):
    """A condition under which a measure is undefined, such as that there are no predictions."""

    text: str
    holds: Callable[[Tally], Flags]  # whether each tally meets the condition


def _is_empty(tally: Tally) -> Flags:
    return tally.n == 0


def _all_missing(tally: Tally) -> Flags:
    return total(tally.predicted_counts[..., :-1]) == 0


def _chance_is_right(tally: Tally) -> Flags:
    return tally.n**2 == chance_agreement(tally)


def _chance_is_wrong(tally: Tally) -> Flags:
    return chance_agreement(tally) == 0


def _no_change_is_unknown(tally: Tally) -> Flags:
    return np.isnan(tally.no_change_wrong)


def _no_change_is_right(tally: Tally) -> Flags:
    return tally.no_change_wrong == 0


def _majority_is_unknown(tally: Tally) -> Flags:
    return np.isnan(tally.majority_wrong)


def _majority_is_right(tally: Tally) -> Flags:
    return tally.majority_wrong == 0


def _has_one_class(tally: Tally) -> Flags:
    return variation(tally.true_counts) == 0


def _predicts_one_class(tally: Tally) -> Flags:
    return variation(tally.predicted_counts) == 0


def _is_not_binary(tally: Tally) -> Flags:
    return np.full(tally.shape, tally.n_classes != 2)


def _lacks_a_class(tally: Tally) -> Flags:
    return (tally.true_counts == 0).any(axis=-1)


# Conditions are named functions, not lambdas, so that results that refer to them can be pickled.
NO_PREDICTIONS = Cause("there are no predictions", _is_empty)
ALL_MISSING = Cause("every prediction is missing", _all_missing)
CHANCE_IS_RIGHT = Cause(
    "all labels and all predictions are one and the same class, so chance is always right",
    _chance_is_right,
)
CHANCE_IS_WRONG = Cause(
    "no class is both true and predicted, so chance is never right", _chance_is_wrong
)
NO_CHANGE_UNKNOWN = Cause("the errors of No-Change are not known", _no_change_is_unknown)
NO_CHANGE_IS_RIGHT = Cause("No-Change is always right", _no_change_is_right)
MAJORITY_UNKNOWN = Cause("the errors of the majority class are not known", _majority_is_unknown)
MAJORITY_IS_RIGHT = Cause("the majority class is always right", _majority_is_right)
ONE_CLASS = Cause("there is only one true class", _has_one_class)
ONE_PREDICTED_CLASS = Cause("all predictions are the same", _predicts_one_class)
NOT_BINARY = Cause("it is defined for two classes only", _is_not_binary)
CLASS_MISSING = Cause("a class does not occur", _lacks_a_class)


_INF = float("inf")
# Works that define several measures.
_BIFET = "Bifet et al. (2015)"
_ZLIOBAITE = "Žliobaitė et al. (2015)"


@dataclass(frozen=True)
class Measure:
    """A classification measure: a function of tallies, with its symbol, title, range and source.

    Parameters
    ----------
    name : str
        Id in the registry.
    value : callable
        Function that maps a tally with leading axes (...) to values of shape (...), NaN where
        undefined.
    symbol, title : str
        Short and full name in figures and tables.
    lower, upper : float
        Smallest and largest possible value.
    reference : str
        Work that defines the measure.
    causes : tuple of Cause
        Conditions: the measure is undefined exactly where one of them holds.
    """

    name: str
    value: Callable[[Tally], Floats]
    symbol: str
    title: str
    lower: float
    upper: float
    reference: str
    causes: tuple[Cause, ...] = (NO_PREDICTIONS,)

    @property
    def needs_baseline(self) -> bool:
        """Whether the measure needs the errors of No-Change or of the majority class."""
        return NO_CHANGE_UNKNOWN in self.causes or MAJORITY_UNKNOWN in self.causes

    def reason(self, tally: Tally) -> NDArray[np.object_]:
        """Why the value of each tally is undefined, shape (...); "" where it is defined."""
        reason = np.full(tally.shape, "", dtype=object)
        for cause in reversed(self.causes):  # if several hold, the first of them counts
            reason[cause.holds(tally)] = cause.text
        return reason


# Conditions that several measures share.
_CHANCE_CAUSES = (NO_PREDICTIONS, CHANCE_IS_RIGHT)
_NO_CHANGE_CAUSES = (NO_PREDICTIONS, NO_CHANGE_UNKNOWN, NO_CHANGE_IS_RIGHT)
_MAJORITY_CAUSES = (NO_PREDICTIONS, MAJORITY_UNKNOWN, MAJORITY_IS_RIGHT)
_Z_TEST_CAUSES = (*_CHANCE_CAUSES, CHANCE_IS_WRONG)
_CORRELATION_CAUSES = (NO_PREDICTIONS, ONE_CLASS, ONE_PREDICTED_CLASS)
_BINARY_CAUSES = (NOT_BINARY, NO_PREDICTIONS)

# fmt: off
MEASURES: dict[str, Measure] = {measure.name: measure for measure in (
    Measure("accuracy", formulas.accuracy, "p₀", "Accuracy", 0, 1, _BIFET),
    Measure("chance_accuracy", formulas.chance_accuracy, "p_c", "Accuracy of chance", 0, 1, _BIFET),
    Measure("kappa", formulas.kappa, "κ", "Cohen's kappa", -1, 1, "Cohen (1960)",
            _CHANCE_CAUSES),
    Measure("kappa_temporal", formulas.kappa_temporal, "κ_t", "Kappa-Temporal", -_INF, 1,
            "Bifet et al. (2013)", _NO_CHANGE_CAUSES),
    Measure("kappa_m", formulas.kappa_m, "κ_m", "Kappa-M (majority class)", -_INF, 1, _BIFET,
            _MAJORITY_CAUSES),
    Measure("kappa_combined", formulas.kappa_combined, "κ⁺", "Combined kappa", 0, 1, _ZLIOBAITE,
            _CHANCE_CAUSES + _NO_CHANGE_CAUSES),
    Measure("kappa_standard_error", formulas.kappa_standard_error, "δ_κ", "Standard error of kappa",
            0, _INF, "Cohen (1960)", _CHANCE_CAUSES),
    Measure("kappa_z", formulas.kappa_z, "z_κ", "z of kappa", -_INF, _INF, "Cohen (1960)",
            _Z_TEST_CAUSES),
    Measure("kappa_p_value", formulas.kappa_p_value, "P_κ", "p-value of kappa", 0, 1,
            "Cohen (1960)", _Z_TEST_CAUSES),
    Measure("arithmetic_mean", formulas.arithmetic_mean, "A", "Arithmetic mean of class accuracies",
            0, 1, _BIFET),
    Measure("geometric_mean", formulas.geometric_mean, "G", "Geometric mean of class accuracies",
            0, 1, _BIFET),
    Measure("harmonic_mean", formulas.harmonic_mean, "H", "Harmonic mean of class accuracies",
            0, 1, _BIFET),
    Measure("macro_precision", formulas.macro_precision, "P", "Macro precision", 0, 1, _BIFET,
            (NO_PREDICTIONS, ALL_MISSING)),
    Measure("macro_recall", formulas.macro_recall, "R", "Macro recall", 0, 1, _BIFET),
    Measure("macro_f1", formulas.macro_f1, "F1", "Macro F1", 0, 1, _BIFET),
    Measure("f1_prime", formulas.f1_prime, "F1′", "Symmetric F1", 0, 1, _BIFET,
            (*_BINARY_CAUSES, CLASS_MISSING)),
    Measure("mcc", formulas.mcc, "MCC", "Matthews correlation", -1, 1,
            "Matthews (1975); Gorodkin (2004)", _CORRELATION_CAUSES),
    Measure("determinant", formulas.determinant, "CMD", "Determinant of the confusion matrix",
            -_INF, _INF, _BIFET, _BINARY_CAUSES),
)}
# fmt: on

#: Suffix of the names of kappas whose comparator has the same label delays as the learners.
DELAYED_SUFFIX = "_delayed"
#: Suffix of the names of kappas in bins of the time to the label. Their comparator uses labels
#: before they arrive, as in MOA.
MOA_SUFFIX = "_moa"


def measure_phrase(name: str) -> str:
    """Phrase for a measure in a sentence, such as "κ_t"; `name` may end with `DELAYED_SUFFIX`."""
    id_ = name.removesuffix(DELAYED_SUFFIX)
    phrase = "accuracy" if id_ == "accuracy" else MEASURES[id_].symbol
    return phrase if id_ == name else f"{phrase} under the same delays"


def symbol_parts(text: str) -> tuple[str, str] | None:
    """Letter and subscript of the symbol of a measure, such as κ_t; None for any other text."""
    if text not in {measure.symbol for measure in MEASURES.values()}:
        return None
    letter, _, subscript = text.partition("_")
    return (letter, subscript) if subscript else None
