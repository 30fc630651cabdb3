"""The claims of Bifet et al. (2015) on the worked examples, Tables 1 and 5."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isclose

from streameval.papers.bifet2015.published import ALL_CLASSES, LEVEL, value_of
from streameval.report.claims.condition import Condition, Outcome, Predicate
from streameval.report.results import Results
from streameval.report.tables import number_text

FOLDS, MATRIX = "bifet2015/table1", "bifet2015/table5"
_DIGITS = 12


def _rejects(test: str) -> Callable[[Results], Outcome]:
    def check(results: Results) -> Outcome:
        found = value_of(results, FOLDS, of=test, quantity="p_value")
        if found.reason:
            return found.reason
        text = f"p-value of {test} {number_text(found.value)}"
        return [Condition(found.value <= LEVEL, text)]

    return check


def _of_matrix(
    names: Sequence[str], check: Callable[..., list[Condition]]
) -> Callable[[Results], Outcome]:
    """Return the check of measures of the matrix, which are given in the order of the names."""

    def of_results(results: Results) -> Outcome:
        found = [
            value_of(results, MATRIX, **{"measure": name, "class": ALL_CLASSES}) for name in names
        ]
        lacking = next((one.reason for one in found if one.reason), "")
        return lacking or check(*(one.value for one in found))

    return of_results


def _majority_better(kappa: float, accuracy: float, majority: float) -> list[Condition]:
    return [
        Condition(kappa > 0, f"kappa {number_text(kappa)}"),
        Condition(
            majority > accuracy,
            f"accuracy {number_text(accuracy)}, of the majority {number_text(majority)}",
        ),
    ]


def _smallest(harmonic: float, geometric: float, arithmetic: float) -> list[Condition]:
    return [
        Condition(harmonic < other, f"H {number_text(harmonic)}, {name} {number_text(other)}")
        for name, other in (("G", geometric), ("A", arithmetic))
    ]


def _progression(harmonic: float, geometric: float, arithmetic: float) -> list[Condition]:
    ratio = geometric / arithmetic
    return [
        Condition(ratio <= 1, f"G / A {number_text(ratio)}"),
        Condition(
            isclose(harmonic, geometric * ratio),
            f"H {number_text(harmonic, _DIGITS)}, G² / A {number_text(geometric * ratio, _DIGITS)}",
        ),
    ]


def _equal(*names: str) -> Callable[..., list[Condition]]:
    def check(first: float, *others: float) -> list[Condition]:
        return [
            Condition(
                isclose(first, other),
                f"{names[0]} {number_text(first, _DIGITS)}, {name} {number_text(other, _DIGITS)}",
            )
            for name, other in zip(names[1:], others, strict=True)
        ]

    return check


_MEANS = ("harmonic_mean", "geometric_mean", "arithmetic_mean")
_NUMERATORS = ("determinant", "numerator_of_kappa", "numerator_of_mcc")
_REJECTS = f"by the ten folds that the paper prints has a p-value of at most {100 * LEVEL:g} %"

OF_EXAMPLES: Mapping[str, Predicate] = {
    "sign_test_rejects": Predicate(f"the sign test {_REJECTS}", _rejects("sign_test")),
    "wilcoxon_rejects": Predicate(f"Wilcoxon's test {_REJECTS}", _rejects("wilcoxon")),
    "majority_beats_positive_kappa": Predicate(
        "of the printed matrix, kappa is above 0, and the majority is more accurate",
        _of_matrix(("kappa", "accuracy", "majority_accuracy"), _majority_better),
        universal=True,
    ),
    "same_numerator": Predicate(
        "of the printed matrix, the determinant, n² (1 - p_c) kappa / 2, and MCC times the root of "
        "the product of its four sums are equal",
        _of_matrix(_NUMERATORS, _equal(*_NUMERATORS)),
        universal=True,
    ),
    "harmonic_is_smallest": Predicate(
        "of the printed matrix, H is below G and A",
        _of_matrix(_MEANS, _smallest),
        universal=True,
    ),
    "geometric_progression": Predicate(
        "of the printed matrix, G / A is at most 1, and H is G times this ratio",
        _of_matrix(_MEANS, _progression),
        universal=True,
    ),
    "f1_prime_is_harmonic": Predicate(
        "of the printed matrix, F1' and H are equal",
        _of_matrix(("f1_prime", "harmonic_mean"), _equal("F1'", "H")),
        universal=True,
    ),
}
