"""All classification measures by name. To add one, write a function of a tally and list it here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from streameval.measures import accuracy, correlation, kappa, means
from streameval.measures import reasons as why
from streameval.measures.reasons import Cause
from streameval.measures.tally import Floats, Tally

_INF = float("inf")
_KDD = "Bifet et al. (2015)"
_MLJ = "Žliobaitė et al. (2015)"


@dataclass(frozen=True)
class Measure:
    """A classification measure: a function of tallies, with its symbol, title, range and source.

    Parameters
    ----------
    name : str
        Its name in the registry.
    function : callable
        Maps a tally with leading axes (...) to values of shape (...), NaN where undefined.
    symbol, title : str
        For axes, and for tables.
    lower, upper : float
        Least and greatest possible value.
    reference : str
        Where it is defined.
    causes : tuple of Cause
        When it is undefined: exactly where one of these holds.
    """

    name: str
    function: Callable[[Tally], Floats]
    symbol: str
    title: str
    lower: float
    upper: float
    reference: str
    causes: tuple[Cause, ...] = (why.NO_PREDICTIONS,)

    def value(self, tally: Tally) -> Floats:
        """Return the value for each tally, shape (...); NaN where it is undefined."""
        return self.function(tally)

    def reason(self, tally: Tally) -> NDArray[np.object_]:
        """Return why the value is undefined for each tally, shape (...); "" where it is not."""
        reason = np.full(tally.shape, "", dtype=object)
        for cause in reversed(self.causes):  # the first cause that holds has the last word
            reason[cause.holds(tally)] = cause.text
        return reason


_CHANCE = (why.NO_PREDICTIONS, why.CHANCE_IS_RIGHT)
_TEMPORAL = (why.NO_PREDICTIONS, why.NO_CHANGE_UNKNOWN, why.NO_CHANGE_IS_RIGHT)
_MAJORITY = (why.NO_PREDICTIONS, why.MAJORITY_UNKNOWN, why.MAJORITY_IS_RIGHT)
_SIGNIFICANCE = (*_CHANCE, why.CHANCE_IS_WRONG)
_CORRELATION = (why.NO_PREDICTIONS, why.ONE_CLASS, why.ONE_PREDICTED_CLASS)
_BINARY = (why.NOT_BINARY, why.NO_PREDICTIONS)

# fmt: off
MEASURES: dict[str, Measure] = {measure.name: measure for measure in (
    Measure("accuracy", accuracy.accuracy, "p₀", "Accuracy", 0, 1, _KDD),
    Measure("chance_accuracy", kappa.chance_accuracy, "p_c", "Accuracy of chance", 0, 1, _KDD),
    Measure("kappa", kappa.kappa, "κ", "Cohen's kappa", -1, 1, "Cohen (1960)", _CHANCE),
    Measure("kappa_temporal", kappa.kappa_temporal, "κ_t", "Kappa-Temporal", -_INF, 1,
            "Bifet et al. (2013)", _TEMPORAL),
    Measure("kappa_m", kappa.kappa_m, "κ_m", "Kappa-M (majority class)", -_INF, 1, _KDD, _MAJORITY),
    Measure("kappa_combined", kappa.kappa_combined, "κ⁺", "Combined kappa", 0, 1, _MLJ,
            _CHANCE + _TEMPORAL),
    Measure("kappa_standard_error", kappa.kappa_standard_error, "δ_κ", "Standard error of kappa",
            0, _INF, "Cohen (1960)", _CHANCE),
    Measure("kappa_z", kappa.kappa_z, "z_κ", "z of kappa", -_INF, _INF, "Cohen (1960)",
            _SIGNIFICANCE),
    Measure("kappa_p_value", kappa.kappa_p_value, "P_κ", "p-value of kappa", 0, 1, "Cohen (1960)",
            _SIGNIFICANCE),
    Measure("arithmetic_mean", means.arithmetic_mean, "A", "Arithmetic mean of class accuracies",
            0, 1, _KDD),
    Measure("geometric_mean", means.geometric_mean, "G", "Geometric mean of class accuracies",
            0, 1, _KDD),
    Measure("harmonic_mean", means.harmonic_mean, "H", "Harmonic mean of class accuracies",
            0, 1, _KDD),
    Measure("precision", accuracy.precision, "P", "Precision, mean of classes", 0, 1, _KDD,
            (why.NO_PREDICTIONS, why.ALL_MISSING)),
    Measure("recall", accuracy.recall, "R", "Recall, mean of classes", 0, 1, _KDD),
    Measure("f1", accuracy.f1, "F1", "F1, mean of classes", 0, 1, _KDD),
    Measure("f1_prime", correlation.f1_prime, "F1′", "Symmetric F1", 0, 1, _KDD,
            (*_BINARY, why.CLASS_MISSING)),
    Measure("mcc", correlation.mcc, "MCC", "Matthews correlation", -1, 1,
            "Matthews (1975); Gorodkin (2004)", _CORRELATION),
    Measure("determinant", correlation.determinant, "CMD", "Determinant of the confusion matrix",
            -_INF, _INF, _KDD, _BINARY),
)}
# fmt: on
