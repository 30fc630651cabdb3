"""The claims of Bifet et al. (2015), Efficient online evaluation of big data stream classifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isclose

import numpy as np
import pandas as pd

from streameval.papers.bifet2015.estimates import OF_ESTIMATES
from streameval.papers.bifet2015.published import (
    ALL_CLASSES,
    LENGTHS,
    LEVEL,
    PERIOD,
    SIMILAR,
    value_of,
)
from streameval.papers.bifet2015.rates import OF_TESTS
from streameval.papers.bifet2015.rejections import OF_TABLE_2
from streameval.papers.bifet2015.theorems import OF_THEOREMS
from streameval.report.claims import Condition, Outcome, Predicate, of_traces
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


#: The learners of Figure 2, and the measures beside kappa_m.
TREE, MAJORITY = "hoeffding_tree", "moving_majority"
OTHERS = ("kappa", "harmonic_mean")


def _of_figure(check: Callable[[pd.DataFrame, str], Outcome]) -> Callable[[Results], Outcome]:
    """Return the check of the curves of Figure 2."""
    return of_traces("bifet2015/fig2", "curves", ("elec2",), check)


def _measures(curves: pd.DataFrame, learner: str, wanted: Sequence[str]) -> pd.DataFrame | str:
    """Return measures of a learner by window, or which of them are missing."""
    rows = curves[curves["learner"] == learner]
    table = rows.pivot_table("value", "instance", "measure", dropna=False, observed=True)
    lacking = {*wanted} - {*table}
    if lacking:
        return f"the figure of this run lacks {' and '.join(sorted(lacking))} of {learner}"
    return table


def _unnoticed(curves: pd.DataFrame, stream: str) -> Outcome:
    tree = _measures(curves, TREE, ("kappa_m", *OTHERS))
    if isinstance(tree, str):
        return tree
    negative = tree["kappa_m"] < 0
    at, last = tree.index.to_numpy(), int(tree.index.max())
    longest = _longest_stretch(at, negative.to_numpy()) / last
    conditions = [
        Condition(
            longest >= PERIOD,
            f"kappa_m of {TREE} is below 0 in {100 * float(negative.mean()):.1f} % of the windows, "
            f"for at most {100 * longest:.1f} % of the stream without a break",
        )
    ]
    for measure in OTHERS:
        least = float(tree.loc[negative, measure].min())
        text = f"{measure} of {TREE} is at least {number_text(least)} there"
        conditions.append(Condition(least > 0, text))
    return conditions


def _majority_positive(curves: pd.DataFrame, stream: str) -> Outcome:
    majority = _measures(curves, MAJORITY, ("kappa_m", *OTHERS))
    if isinstance(majority, str):
        return majority
    size = float(majority["kappa_m"].abs().max())
    text = f"kappa_m of {MAJORITY} is at most {number_text(size)} from 0"
    conditions = [Condition(size == 0, text)]
    for measure in OTHERS:
        share = float((majority[measure] > 0).mean())
        text = f"{measure} of {MAJORITY} is above 0 in {100 * share:.1f} % of the windows"
        conditions.append(Condition(share >= PERIOD, text))
    return conditions


def _longest_stretch(at: np.ndarray, which: np.ndarray) -> int:
    """Return the number of instances from end to end of the longest run of marked windows."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], which, [False]))))
    starts, stops = edges[::2], edges[1::2] - 1
    return int((at[stops] - at[starts]).max(initial=0))


def _kappa_m_below(curves: pd.DataFrame, stream: str) -> Outcome:
    table = _measures(curves, TREE, ("kappa", "kappa_m"))
    if isinstance(table, str):
        return table
    above = float((table["kappa_m"] - table["kappa"]).max())
    text = f"kappa_m of {TREE} is above kappa by {number_text(above)} at most"
    return [Condition(above <= SIMILAR, text)]


def _length(curves: pd.DataFrame, stream: str) -> Outcome:
    last = int(curves["instance"].max())
    return [Condition(last == LENGTHS["elec2"], f"it ends at instance {last:,}")]


CLAIMS: dict[str, Predicate] = {
    **OF_EXAMPLES,
    **OF_TABLE_2,
    **OF_TESTS,
    **OF_THEOREMS,
    "kappa_m_negative": Predicate(
        "kappa_m, here against the majority of the last 1000 labels as in Section 5.4.1, is below "
        f"0 for the Hoeffding tree over at least {100 * PERIOD:g} % of the stream without a break, "
        "and in all these windows kappa and H are above 0",
        _of_figure(_unnoticed),
        universal=True,
    ),
    "kappa_m_not_above_kappa": Predicate(
        "in no window that the figure shows kappa_m of the Hoeffding tree is above its kappa by "
        f"more than {SIMILAR}",
        _of_figure(_kappa_m_below),
        universal=True,
    ),
    "majority_kappa_positive": Predicate(
        "for the majority of the last 1000 labels kappa_m is 0 in all windows that the figure "
        f"shows, and kappa and H are above 0 in at least {100 * PERIOD:g} % of them",
        _of_figure(_majority_positive),
        universal=True,
    ),
    "electricity_length": Predicate(
        f"the last window of the figure ends at instance {LENGTHS['elec2']:,}",
        _of_figure(_length),
        universal=True,
    ),
    **OF_ESTIMATES,
}
