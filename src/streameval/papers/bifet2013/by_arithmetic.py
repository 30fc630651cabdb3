"""Claims of Bifet et al. (2013), Sections 2 and 3, that arithmetic decides without a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from streameval.report.claims import Check, Condition, Predicate
from streameval.report.results import Results

#: Numbers of classes k for which claims about all k are checked.
NUMBERS_OF_CLASSES = range(2, 6)


def _check_random_accuracy(results: Results) -> list[Condition]:
    del results  # by arithmetic
    conditions = []
    for k in NUMBERS_OF_CLASSES:
        for frequency, counts in (("equally", [1] * k), ("differently", [*range(1, k + 1)])):
            accuracy = sum(Fraction(n, sum(counts)) * Fraction(1, k) for n in counts)
            text = f"{k} classes, {frequency} frequent: {accuracy}"
            conditions.append(Condition(accuracy == Fraction(1, k), text))
    return conditions


def _check_repeats_above_1_of_k(results: Results) -> list[Condition]:
    del results  # by arithmetic
    conditions = []
    for k in NUMBERS_OF_CLASSES:
        # The worst case for No-Change: the label after a minority class c is c or the majority
        # class M, so P(M|c) = 1 - P(c|c). P(c|c) has steps of 1/20.
        repeats = [Fraction(n, 20) for n in range(1, 20) if Fraction(n, 20) > Fraction(1, k)]
        failing = [repeated for repeated in repeats if repeated <= 1 - repeated]
        text = f"{k} classes: No-Change is more accurate in each case"
        if failing:
            text = f"{k} classes: not if P(c|c) is {failing[0]} and P(M|c) {1 - failing[0]}"
        conditions.append(Condition(not failing, text))
    return conditions


def _kappas(labels: Sequence[int], predicted: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Kappa, and kappa+ computed with the accuracy that No-Change has on independent labels."""
    n, pairs = len(labels), [*zip(labels, predicted, strict=True)]
    accuracy = Fraction(sum(label == prediction for label, prediction in pairs), n)
    chance = Fraction(sum(labels.count(c) * predicted.count(c) for c in set(labels)), n * n)
    no_change = Fraction(sum(labels.count(c) ** 2 for c in set(labels)), n * n)
    return (accuracy - chance) / (1 - chance), (accuracy - no_change) / (1 - no_change)


def _check_equal_kappas(*streams: tuple[int, ...]) -> Check:
    """The check that kappa+ equals kappa for all possible predictions of each stream."""

    def check(results: Results) -> list[Condition]:
        del results  # by arithmetic
        conditions = []
        for labels in streams:
            kappas = [
                _kappas(labels, predicted) for predicted in product(set(labels), repeat=len(labels))
            ]
            unequal = [(kappa, kappa_plus) for kappa, kappa_plus in kappas if kappa != kappa_plus]
            text = f"labels {labels}: equal for {len(kappas) - len(unequal)} of {len(kappas)}"
            if unequal:
                text += f" predictions, otherwise such as {unequal[0][0]} and {unequal[0][1]}"
            conditions.append(Condition(not unequal, text))
        return conditions

    return check


#: Two sequences of labels, with two and with three equally frequent classes.
_BALANCED_LABELS = ((0, 0, 0, 1, 1, 1), (0, 0, 1, 1, 2, 2))
#: Labels of two classes that are not equally frequent.
_UNBALANCED_LABELS = (0, 0, 0, 1)

ARITHMETIC_CLAIMS: Mapping[str, Predicate] = {
    "random_accuracy": Predicate(
        "by arithmetic, a classifier that predicts each of k = 2, ..., 5 classes with probability "
        "1/k is correct with probability 1/k, where classes are equally frequent and where not",
        _check_random_accuracy,
    ),
    "repeats_above_1_of_k": Predicate(
        "by arithmetic, of k = 2, ..., 5 classes, wherever the probability P(c|c) that a class "
        "repeats is above 1/k (in steps of 0.05), it is above P(M|c), that of the majority",
        _check_repeats_above_1_of_k,
    ),
    "balanced_kappas_agree": Predicate(
        "by arithmetic, kappa+ is kappa where No-Change has the accuracy of independent labels: "
        "for all predictions of 6 labels of 2 and of 3 equally frequent classes",
        _check_equal_kappas(*_BALANCED_LABELS),
    ),
    "independent_kappas_agree": Predicate(
        "by arithmetic, the same for classes that are not equally frequent: for all predictions of "
        "4 labels, 3 of them of one class",
        _check_equal_kappas(_UNBALANCED_LABELS),
    ),
}
