"""The claims of Bifet et al. (2015), Efficient online evaluation of big data stream classifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise, product
from math import isclose
from typing import Any

import numpy as np
import pandas as pd

from streameval.papers.bifet2015.estimates import ESTIMATE_CLAIMS
from streameval.papers.bifet2015.published import (
    ALL_CLASSES,
    CHANCE_MINUS,
    CHANCE_PLUS,
    PREDICTED_PLUS,
    TEST_LEVEL,
    find_value,
)
from streameval.papers.bifet2015.rejections import REJECTION_CLAIMS
from streameval.report.claims import AccuracyGap, Check, Condition, Predicate, accuracy_gaps_of_rows
from streameval.report.results import NotRunError, Results, require_number
from streameval.significance.intervals import CONFIDENCE
from streameval.view.numbers import number_text

THEOREMS_ITEM = "bifet2015/theorems"
#: Id of ADWIN as the theorem states it, as opposed to ADWIN as it is implemented.
_STATED_ADWIN = "literal"
#: Columns of an estimate with its interval.
_INTERVAL_COLUMNS = ("low", "high")
_ESTIMATE_COLUMNS = ("mean", *_INTERVAL_COLUMNS)
_INTERVAL_RULE = (
    f"a number counts where its whole {100 * CONFIDENCE:g} % interval, over simulated streams, is "
    "on one side, and is undecided where it is not"
)


def _check_simulations(
    name: str,
    columns: Iterable[str],
    check: Callable[[pd.DataFrame], list[Condition]],
    missing_text: str = "",
) -> Check:
    """The check of a frame of simulations; `missing_text` is for a frame without cases."""

    def check_results(results: Results) -> list[Condition]:
        frame = results.frame(f"{THEOREMS_ITEM}/{name}", columns)
        if frame is None or frame.empty:
            raise NotRunError(f"this run has no {THEOREMS_ITEM}")
        conditions = check(frame)
        if not conditions:
            raise NotRunError(f"{THEOREMS_ITEM} of this run {missing_text}")
        return conditions

    return check_results


def _check_independent_errors(frame: pd.DataFrame) -> list[Condition]:
    # The column memory has the autocorrelation of the errors.
    return [
        Condition(
            row["exact"] <= row["delta"],
            f"error {row['error']:g}, {row['instances']} instances: missed with probability "
            f"{number_text(row['exact'])}, δ = {row['delta']:g}",
        )
        for row in frame[frame["memory"] == 0].to_dict("records")
    ]


def _check_dependent_errors(frame: pd.DataFrame) -> list[Condition]:
    dependent = [
        _is_at_most_delta(
            estimate,
            row["delta"],
            f"error {row['error']:g}, autocorrelation {row['memory']:g}, {row['instances']} "
            "instances: missed",
        )
        for row, estimate in _rows_with_estimates(frame[frame["memory"] > 0], "missed")
    ]
    return [*_premise_conditions(_check_independent_errors(frame)), *dependent] if dependent else []


def _premise_conditions(independent: list[Condition]) -> list[Condition]:
    """The conditions on the premise of a theorem, marked as such in their texts."""
    return [
        condition._replace(text=f"independent errors: {condition.text}")
        for condition in independent
    ]


def _rows_with_estimates(
    rows: pd.DataFrame, value: str = "mean"
) -> Iterator[tuple[Any, AccuracyGap]]:
    """Yield rows as mappings, each with its estimate and interval."""
    yield from zip(rows.to_dict("records"), accuracy_gaps_of_rows(rows, value), strict=True)


def _is_at_most_delta(estimate: AccuracyGap, delta: float, label: str) -> Condition:
    """Whether a proportion is at most δ; `label` names it in the text."""
    return Condition(estimate.at_most(delta), f"{label} {estimate.text}, δ = {delta:g}")


def _check_more_instances(frame: pd.DataFrame) -> list[Condition]:
    conditions = []
    for (error, memory, delta), rows in frame.groupby(["error", "memory", "delta"], sort=False):
        quantiles = rows.sort_values("instances")["quantile"].tolist()
        steps = [later - earlier for earlier, later in pairwise(quantiles)]
        # Equal quantiles are undecided, as they change in steps of one error.
        falls = False if max(steps) > 0 else True if max(steps) < 0 else None
        values = ", ".join(number_text(float(value)) for value in quantiles)
        text = f"error {error:g}, autocorrelation {memory:g}, δ = {delta:g}: {values}"
        conditions.append(Condition(falls, text))
    return conditions


def _check_folds_no_worse(frame: pd.DataFrame) -> list[Condition]:
    return [
        Condition(
            gap.at_most(),
            f"{row['scheme']}, true error {row['truth']}, q = {row['power']}: {gap.text}",
        )
        for row, gap in _rows_with_estimates(frame[frame["quantity"] == "k_fold - single"])
    ]


def _check_false_alarms(frame: pd.DataFrame, independent: bool) -> list[Condition]:
    steps = frame[(frame["detector"] == _STATED_ADWIN) & (frame["quantity"] == "steps")]
    return [
        _is_at_most_delta(estimate, row["delta"], f"autocorrelation {row['memory']:g}: alarms")
        for row, estimate in _rows_with_estimates(steps[(steps["memory"] == 0) == independent])
    ]


def _check_alarms_in_streams(frame: pd.DataFrame) -> list[Condition]:
    dependent = _check_false_alarms(frame, independent=False)
    independent = _check_false_alarms(frame, independent=True)
    return [*_premise_conditions(independent), *dependent] if dependent else []


def _check_detections(frame: pd.DataFrame) -> list[Condition]:
    rows = frame[(frame["detector"] == _STATED_ADWIN) & (frame["quantity"] == "detected")]
    return [
        Condition(
            proportion.above(1 - row["delta"]),
            f"rise by {row['gap']:g}, δ = {row['delta']:g}: {proportion.text}",
        )
        for row, proportion in _rows_with_estimates(rows)
    ]


#: Columns that identify a case of simulated errors.
_CASE_COLUMNS = ("error", "memory", "delta")
#: Columns of the frame of alarms.
_ALARM_COLUMNS = ("detector", "delta", "memory", "quantity", *_ESTIMATE_COLUMNS)
_NO_ERRORS_TEXT = "does not have such errors"
THEOREM_CLAIMS: Mapping[str, Predicate] = {
    "theorem1_bound": Predicate(
        "where errors are independent, the exact probability that the bound is missed is at most "
        "δ for each error rate, number of instances and δ of the figure",
        _check_simulations(
            "coverage", (*_CASE_COLUMNS, "instances", "exact"), _check_independent_errors
        ),
    ),
    "theorem1_in_streams": Predicate(
        "the bound is missed with probability at most δ where errors are independent, as the proof "
        "takes them, and in a proportion of at most δ of the simulated tests where successive "
        "errors are correlated, as in streams, in each case of the figure; where the first holds "
        f"and the second does not, the claim holds in part; {_INTERVAL_RULE}",
        _check_simulations(
            "coverage",
            (*_CASE_COLUMNS, "instances", "missed", "exact", *_INTERVAL_COLUMNS),
            _check_dependent_errors,
        ),
        universal=False,
    ),
    "theorem1_more_instances": Predicate(
        "in each case of the figure the distance of true and estimated error that is kept with "
        "probability 1 - δ is smaller, the more instances there are; it is a multiple of what one "
        "error of these instances makes, so equal distances are undecided",
        _check_simulations(
            "coverage", (*_CASE_COLUMNS, "instances", "quantile"), _check_more_instances
        ),
    ),
    "theorem2_folds": Predicate(
        "for each scheme of validation, q, and true error (of the tested or the final models) the "
        "mean of the difference to the power q, of k folds less that of a single model, is at most "
        f"0; {_INTERVAL_RULE}",
        _check_simulations(
            "discrepancies",
            ("scheme", "truth", "power", "quantity", *_ESTIMATE_COLUMNS),
            _check_folds_no_worse,
            "does not compare folds with a single model",
        ),
    ),
    "theorem3_false_alarms": Predicate(
        "ADWIN as stated there shrinks its window at a proportion of at most δ of the steps, for "
        f"independent errors with a constant rate and each δ of the figure; {_INTERVAL_RULE}; "
        "where hardly any stream has an alarm, its upper end is that of the proportion of streams "
        "with one",
        _check_simulations(
            "alarms",
            _ALARM_COLUMNS,
            partial(_check_false_alarms, independent=True),
            _NO_ERRORS_TEXT,
        ),
    ),
    "theorem3_alarms_in_streams": Predicate(
        "the same where errors are independent, as the proof takes them, and where successive "
        "errors are correlated, as in streams, for each autocorrelation of the figure; where the "
        f"first holds and the second does not, the claim holds in part; {_INTERVAL_RULE}",
        _check_simulations("alarms", _ALARM_COLUMNS, _check_alarms_in_streams, _NO_ERRORS_TEXT),
        universal=False,
    ),
    "theorem3_detections": Predicate(
        "as many instances after a rise as the theorem asks for, ADWIN as stated there has shrunk "
        "its window in a proportion of at least 1 - δ of the streams, for each rise and δ of the "
        "figure; how much is left of a window that was cut before is not judged, as the theorem "
        f"promises nothing of it; {_INTERVAL_RULE}",
        _check_simulations(
            "detections",
            ("detector", "delta", "gap", "quantity", *_ESTIMATE_COLUMNS),
            _check_detections,
            "has no detections",
        ),
    ),
}


#: Accuracies of each class for which the order of means is checked.
_CLASS_ACCURACIES = np.arange(1, 101) / 100
#: Bound on the relative rounding error of a mean, which takes at most four operations.
_MAX_ROUNDING_ERROR = np.finfo(float).eps * 4
#: Our table of the accuracies in ten folds.
FOLDS_TABLE = "bifet2015/table1"
#: Our table of measures of the printed confusion matrix.
MATRIX_TABLE = "bifet2015/table5"
#: Digits in texts of numbers that may differ only by rounding errors.
_DIGITS = 12


def _check_rejects(test: str) -> Check:
    def check(results: Results) -> list[Condition]:
        p_value = require_number(find_value(results, FOLDS_TABLE, of=test, quantity="p_value"))
        return [Condition(p_value <= TEST_LEVEL, f"p-value of {test} {number_text(p_value)}")]

    return check


def _check_matrix(names: Sequence[str], check: Callable[..., list[Condition]]) -> Check:
    """The check of measures of the printed matrix, passed to `check` in the order of `names`."""

    def check_results(results: Results) -> list[Condition]:
        rows = [{"measure": name, "class": ALL_CLASSES} for name in names]
        return check(*(require_number(find_value(results, MATRIX_TABLE, **row)) for row in rows))

    return check_results


def _check_majority_better(kappa: float, accuracy: float, majority: float) -> list[Condition]:
    return [
        Condition(kappa > 0, f"kappa {number_text(kappa)}"),
        Condition(
            majority > accuracy,
            f"accuracy {number_text(accuracy)}, of the majority {number_text(majority)}",
        ),
    ]


def _check_chance_proportions(results: Results) -> list[Condition]:
    """Compare printed proportions of a random classifier with proportions from the two recalls."""
    majority = require_number(
        find_value(results, MATRIX_TABLE, **{"measure": "majority_accuracy", "class": ALL_CLASSES})
    )
    plus, minus = (
        require_number(find_value(results, MATRIX_TABLE, **{"measure": "recall", "class": name}))
        for name in ("plus", "minus")
    )
    # Class+ is the majority class.
    predicted = majority * plus + (1 - majority) * (1 - minus)
    proportions = predicted, majority * predicted, (1 - majority) * (1 - predicted)
    return [
        Condition(isclose(proportion, printed), f"{label} {number_text(100 * proportion, 2)} %")
        for proportion, printed, label in zip(
            proportions,
            (PREDICTED_PLUS, CHANCE_PLUS, CHANCE_MINUS),
            ("predicted Class+", "by chance Class+", "by chance Class-"),
            strict=True,
        )
    ]


def _check_order_of_means(harmonic: float, geometric: float, arithmetic: float) -> list[Condition]:
    first, second = np.meshgrid(_CLASS_ACCURACIES, _CLASS_ACCURACIES)
    # H, G and A
    means = 2 * first * second / (first + second), np.sqrt(first * second), (first + second) / 2
    equal = first == second
    ordered = all((low <= high * (1 + _MAX_ROUNDING_ERROR)).all() for low, high in pairwise(means))
    differs = [bool(((high - low)[~equal] > 0).all()) for low, high in pairwise(means)]
    text = f"{equal.size} pairs of accuracies of two classes: H <= G <= A"
    text += f", and H < G < A but for the {int(equal.sum())} equal ones, where H = G = A"
    return [
        *(
            Condition(harmonic <= mean, f"H {number_text(harmonic)}, {name} {number_text(mean)}")
            for name, mean in (("G", geometric), ("A", arithmetic))
        ),
        Condition(ordered and all(differs), text),
    ]


def _check_progression(harmonic: float, geometric: float, arithmetic: float) -> list[Condition]:
    ratio = geometric / arithmetic
    return [
        Condition(ratio <= 1, f"G / A {number_text(ratio)}"),
        Condition(
            isclose(harmonic, geometric * ratio),
            f"H {number_text(harmonic, _DIGITS)}, G² / A {number_text(geometric * ratio, _DIGITS)}",
        ),
    ]


def _check_equal(*names: str) -> Callable[..., list[Condition]]:
    """The check that all numbers equal the first number, up to rounding errors."""

    def check(first: float, *others: float) -> list[Condition]:
        return [
            Condition(
                isclose(first, other),
                f"{names[0]} {number_text(first, _DIGITS)}, {name} {number_text(other, _DIGITS)}",
            )
            for name, other in zip(names[1:], others, strict=True)
        ]

    return check


#: Number of labels in a window in Section 5.4.1.
WINDOW_LENGTH = 1
#: Number of classes in the sequences of labels that are tried.
_N_CLASSES = 3
#: Length of these sequences.
_N_LABELS = 6


def _check_last_is_majority(results: Results) -> list[Condition]:
    del results  # by arithmetic
    windows = [
        (labels[max(0, end - WINDOW_LENGTH) : end], labels[end - 1])
        for labels in product(range(_N_CLASSES), repeat=_N_LABELS)
        for end in range(1, _N_LABELS)
    ]
    n_equal = sum(max(window, key=window.count) == last for window, last in windows)
    text = f"the majority is the last label in {n_equal:,} of {len(windows):,} windows"
    return [Condition(n_equal == len(windows), text)]


_MEAN_MEASURES = ("harmonic_mean", "geometric_mean", "arithmetic_mean")
_NUMERATOR_MEASURES = ("determinant", "numerator_of_kappa", "numerator_of_mcc")
_REJECTS_TEXT = (
    f"by the ten folds that the paper prints has a p-value of at most {100 * TEST_LEVEL:g} %"
)

EXAMPLE_CLAIMS: Mapping[str, Predicate] = {
    "sign_test_rejects": Predicate(
        f"the sign test {_REJECTS_TEXT}", _check_rejects("sign_test"), universal=False
    ),
    "wilcoxon_rejects": Predicate(
        f"Wilcoxon's test {_REJECTS_TEXT}", _check_rejects("wilcoxon"), universal=False
    ),
    "majority_beats_positive_kappa": Predicate(
        "of the printed matrix, kappa is above 0, and the majority is more accurate",
        _check_matrix(("kappa", "accuracy", "majority_accuracy"), _check_majority_better),
    ),
    "same_numerator": Predicate(
        "of the printed matrix, the determinant, n² (1 - p_c) kappa / 2, and MCC times the root of "
        "the product of its four sums are equal",
        _check_matrix(_NUMERATOR_MEASURES, _check_equal(*_NUMERATOR_MEASURES)),
    ),
    "harmonic_is_smallest": Predicate(
        "H <= G <= A, as the paper's formula says, of the printed matrix and of all pairs of class "
        "accuracies of 1, 2, ..., 100 %, and H < G < A of those that are not equal",
        _check_matrix(_MEAN_MEASURES, _check_order_of_means),
    ),
    "right_by_chance": Predicate(
        f"of the printed matrix, Class+ is predicted in {100 * PREDICTED_PLUS:g} % of the cases, "
        f"and a random classifier with these proportions predicts Class+ in {100 * CHANCE_PLUS:g} "
        f"% and Class- in {100 * CHANCE_MINUS:g} % correctly",
        _check_chance_proportions,
    ),
    "kappa_per_is_kappa_m": Predicate(
        f"in all sequences of {_N_LABELS} labels of {_N_CLASSES} classes the majority of the last "
        "label alone, which kappa_m then compares with, is that label, which kappa_per compares "
        "with",
        _check_last_is_majority,
    ),
    "geometric_progression": Predicate(
        "of the printed matrix, G / A is at most 1, and H is G times this ratio",
        _check_matrix(_MEAN_MEASURES, _check_progression),
    ),
    "f1_prime_is_harmonic": Predicate(
        "of the printed matrix, F1' and H are equal",
        _check_matrix(("f1_prime", "harmonic_mean"), _check_equal("F1'", "H")),
    ),
}


CLAIMS: dict[str, Predicate] = {
    **EXAMPLE_CLAIMS,
    **REJECTION_CLAIMS,
    **THEOREM_CLAIMS,
    **ESTIMATE_CLAIMS,
}
