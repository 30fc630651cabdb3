"""MOA's evaluators, for comparison with published numbers. Do not use them for new results.

They reproduce MOA's values, including these defects:

* The comparator of κ_m counts each label before it predicts the label. So the κ_m of a majority
  learner is below 0, and lower in smaller windows.
* The comparator of κ_t starts with class 0, and a missing prediction is scored as class 0. So
  values depend on how classes are coded. With delays or folds, the comparator uses labels that the
  learners do not have yet.
* Divisions by 0 are not guarded: in a window of one class κ is NaN, and κ_t is NaN or -inf.
* With ADWIN, accuracy, each class proportion and each comparator have separate ADWINs, and so
  refer to different windows.
* The exponentially weighted mean starts at 0, and its bias towards 0 is not corrected.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.compiled.kernels import kernel, subkernel
from streameval.detectors.adwin import TOTAL, WIDTH, AdwinState, adwin_insert, adwin_start
from streameval.measures.counting import checked_codes, checked_positions, checked_predictions

# Codes of the evaluators in the kernels.
_BASIC, _WINDOW, _FADING, _EWMA, _ADWIN = range(5)
_CODES = {"basic": _BASIC, "window": _WINDOW, "fading": _FADING, "ewma": _EWMA, "adwin": _ADWIN}
#: MOA's default parameter of each evaluator; "basic" has none.
DEFAULT_PARAMETERS = {"basic": 0.0, "window": 1000.0, "fading": 0.999, "ewma": 0.01, "adwin": 0.002}


class MoaValues(NamedTuple):
    """MOA's measures at the sample positions, as fractions of 1, each of shape (s,)."""

    accuracy: Floats
    kappa: Floats
    kappa_temporal: Floats
    kappa_m: Floats


class _Estimators(NamedTuple):
    """The m = 2k + 3 estimators of an evaluator.

    Each estimates a mean of values as total / weight. In order, with the values at an event:

    - 0 to k - 1: 1 for the predicted class, otherwise 0;
    - k to 2k - 1: 1 for the true class, otherwise 0;
    - 2k: 1 if the prediction is correct;
    - 2k + 1: 1 if No-Change is correct;
    - 2k + 2: 1 if the majority class is correct.
    """

    values: Floats  # (m,), at the newest event
    totals: Floats  # (m,)
    weights: Floats  # (m,)
    recent: NDArray[np.int8]  # (m, w), circular buffer of the last values; unused without a window
    adwin: AdwinState  # (m,), unused without ADWIN


@subkernel
def _add(
    estimators: _Estimators, start: int, stop: int, t: int, evaluator: int, parameter: float
) -> None:
    """Update the estimators start:stop with their values at event `t`."""
    values, totals, weights, recent, adwin = estimators
    slot = t % recent.shape[1]
    for j in range(start, stop):
        value = values[j]
        if evaluator == _BASIC:
            totals[j] += value
            weights[j] += 1.0
        elif evaluator == _WINDOW:
            totals[j] += value - recent[j, slot]
            weights[j] = min(t + 1, recent.shape[1])
            recent[j, slot] = value
        elif evaluator == _FADING:
            totals[j] = parameter * totals[j] + value
            weights[j] = parameter * weights[j] + 1.0
        elif evaluator == _EWMA:
            totals[j] += parameter * (value - totals[j])  # the mean itself
            weights[j] = 1.0
        else:
            adwin_insert(adwin, j, value, parameter)
            totals[j] = adwin.window[j, TOTAL]
            weights[j] = adwin.counts[j, WIDTH]


@kernel
def _evaluate(
    true: Codes,
    predicted: Codes,
    n_classes: int,
    evaluator: int,
    parameter: float,
    estimators: _Estimators,
    positions: Integers,
    out: Floats,
) -> None:
    """Fill `out`, (s, 4), with the accuracies of classifier, chance, No-Change and majority."""
    k, values = n_classes, estimators.values
    totals, weights = estimators.totals, estimators.weights
    previous, s = 0, 0  # No-Change starts with class 0
    for t in range(positions[-1] if len(positions) else 0):
        y, label = true[t], predicted[t]
        values[:] = 0.0
        values[label] = values[k + y] = 1.0
        values[2 * k], values[2 * k + 1] = label == y, previous == y
        _add(estimators, 0, 2 * k + 2, t, evaluator, parameter)
        previous = y
        majority, highest = 0, 0.0
        for i in range(k):
            proportion = totals[k + i] / weights[k + i]
            if proportion > highest:
                majority, highest = i, proportion
        values[2 * k + 2] = majority == y
        _add(estimators, 2 * k + 2, 2 * k + 3, t, evaluator, parameter)
        if t + 1 == positions[s]:
            chance = 0.0
            for i in range(k):
                chance += totals[i] / weights[i] * (totals[k + i] / weights[k + i])
            out[s, 0], out[s, 1] = totals[2 * k] / weights[2 * k], chance
            for j in range(2):
                out[s, 2 + j] = totals[2 * k + 1 + j] / weights[2 * k + 1 + j]
            s += 1


def moa_evaluate(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    evaluator: str = "basic",
    parameter: float | None = None,
    *,
    positions: ArrayLike,
) -> MoaValues:
    """Evaluate predictions as MOA does.

    Parameters
    ----------
    true, predicted : array-like of int, shape (n,)
        True and predicted class codes in order. A missing prediction, -1, is scored as class 0.
    n_classes : int
        Declared number of classes, k.
    evaluator : {"basic", "window", "fading", "ewma", "adwin"}
        Which of MOA's ``...ClassificationPerformanceEvaluator`` classes.
    parameter : float, optional
        Width of the window; fading factor (the weight kept) of "fading"; smoothing weight (of the
        newest value) of "ewma"; delta of "adwin". Defaults as in MOA: 1000, 0.999, 0.01, 0.002.
        "basic" has no parameter.
    positions : array-like of int, shape (s,)
        Sample positions: numbers of predictions so far, increasing, within 1..n.

    Returns
    -------
    MoaValues
        Fractions (MOA prints percentages), with NaN and -inf where MOA has them.

    Raises
    ------
    ConfigError
        If the evaluator is unknown or its parameter out of range.
    DataError
        If labels or positions are out of range.

    References
    ----------
    MOA 2024, moa.evaluation; Bifet, Holmes, Kirkby, Pfahringer (2010), MOA: Massive online
    analysis.
    """
    value = _checked_parameter(evaluator, parameter)
    y, labels = checked_predictions(true, predicted, n_classes)
    positions = checked_positions(positions, len(y))
    labels = np.where(labels == n_classes, np.int32(0), labels)  # missing: class 0, as in MOA
    return _values(_accuracies(y, labels, n_classes, _CODES[evaluator], value, positions))


def moa_basic_values(true: ArrayLike, predicted: ArrayLike, n_classes: int) -> MoaValues:
    """MOA's measures of several sequences of predictions for the same labels.

    Without missing predictions, the values equal the last ones of `moa_evaluate` with the basic
    evaluator. This function is faster: No-Change and the majority class depend only on the true
    labels, so they run once.

    Parameters
    ----------
    true : array-like of int, shape (n,)
        True class codes in order.
    predicted : array-like of int, shape (b, n)
        Predicted class codes, one row per sequence. A missing prediction, -1, is wrong and has no
        class.
    n_classes : int
        Declared number of classes, k.

    Returns
    -------
    MoaValues
        Values of shape (b,); NaN if there are no labels.

    Raises
    ------
    DataError
        If labels are out of range or too few.
    """
    labels = checked_codes(true, "true", n_classes, lowest=0)
    n, rows = len(labels), np.asarray(predicted)
    out = np.full((len(rows), 4), np.nan)
    if n:
        # Only the accuracies of No-Change and the majority class are used; the others follow below.
        out[:] = _accuracies(labels, labels, n_classes, _BASIC, 0.0, np.array([n]))
        proportions = np.bincount(labels, minlength=n_classes) / n
        for row, accuracies in zip(rows, out, strict=True):
            predictions = checked_codes(row, "predicted", n_classes, n)
            is_present = predictions >= 0
            chance = np.bincount(predictions[is_present], minlength=n_classes) / n * proportions
            # Python's `sum` adds in order of the classes, so rounding is as in `moa_evaluate`.
            accuracies[:2] = np.count_nonzero(predictions == labels) / n, sum(chance.tolist())
    return _values(out)


def _accuracies(
    true: Codes,
    predicted: Codes,
    n_classes: int,
    evaluator: int,
    parameter: float,
    positions: Integers,
) -> Floats:
    """Accuracies of classifier, chance, No-Change and majority class, shape (s, 4)."""
    n_estimators = 2 * n_classes + 3
    estimators = _Estimators(
        np.zeros(n_estimators),
        np.zeros(n_estimators),
        np.zeros(n_estimators),
        np.zeros((n_estimators, int(parameter) if evaluator == _WINDOW else 1), dtype=np.int8),
        adwin_start(n_estimators if evaluator == _ADWIN else 0, len(true)),
    )
    out = np.empty((len(positions), 4))
    _evaluate(true, predicted, n_classes, evaluator, parameter, estimators, positions, out)
    return out


def _values(accuracies: Floats) -> MoaValues:
    """Measures from the result of `_accuracies`."""
    accuracy, *comparators = accuracies.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return MoaValues(accuracy, *((accuracy - p) / (1 - p) for p in comparators))


def _checked_parameter(evaluator: str, parameter: float | None) -> float:
    if evaluator not in _CODES:
        raise ConfigError(
            f"MOA evaluator: expected one of {', '.join(_CODES)}, found {evaluator!r}."
        )
    value = DEFAULT_PARAMETERS[evaluator] if parameter is None else float(parameter)
    if evaluator == "window" and not (value >= 1 and value.is_integer()):
        raise ConfigError(f"MOA evaluator 'window': expected an integer >= 1, found {value}.")
    if evaluator in ("fading", "ewma", "adwin") and not 0 < value < 1:
        raise ConfigError(
            f"MOA evaluator {evaluator!r}: expected a parameter between 0 and 1, found {value}."
        )
    return value
