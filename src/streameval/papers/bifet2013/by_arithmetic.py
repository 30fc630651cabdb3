"""The claims of Bifet et al. (2013), Sections 2 and 3, that arithmetic decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from streameval.report.claims import Check, Condition, Predicate
from streameval.report.results import Results

#: The numbers of classes k for which statements about k are checked.
NUMBERS_OF_CLASSES = range(2, 6)


def _random_is_right(results: Results) -> list[Condition]:
    del results  # by arithmetic
    conditions = []
    for k in NUMBERS_OF_CLASSES:
        for what, counts in (("equally", [1] * k), ("differently", [*range(1, k + 1)])):
            right = sum(Fraction(n, sum(counts)) * Fraction(1, k) for n in counts)
            text = f"{k} classes, {what} frequent: {right}"
            conditions.append(Condition(right == Fraction(1, k), text))
    return conditions


def _repeats_above_1_of_k(results: Results) -> list[Condition]:
    del results  # by arithmetic
    conditions = []
    for k in NUMBERS_OF_CLASSES:
        # All other cases are the majority class: the case that is worst for No-Change.
        repeats = [Fraction(n, 20) for n in range(1, 20) if Fraction(n, 20) > Fraction(1, k)]
        wrong = [share for share in repeats if share <= 1 - share]
        text = f"{k} classes: No-Change is more accurate in each case"
        if wrong:
            text = f"{k} classes: not if P(c|c) is {wrong[0]} and P(M|c) {1 - wrong[0]}"
        conditions.append(Condition(not wrong, text))
    return conditions


def _kappas(labels: Sequence[int], predicted: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return kappa, and kappa+ where No-Change is as accurate as on independent labels."""
    n, pairs = len(labels), [*zip(labels, predicted, strict=True)]
    right = Fraction(sum(label == other for label, other in pairs), n)
    chance = Fraction(sum(labels.count(c) * predicted.count(c) for c in set(labels)), n * n)
    repeated = Fraction(sum(labels.count(c) ** 2 for c in set(labels)), n * n)
    return (right - chance) / (1 - chance), (right - repeated) / (1 - repeated)


def _kappas_agree(*streams: tuple[int, ...]) -> Check:
    def check(results: Results) -> list[Condition]:
        del results  # by arithmetic
        conditions = []
        for labels in streams:
            kappas = [_kappas(labels, row) for row in product(set(labels), repeat=len(labels))]
            apart = [pair for pair in kappas if pair[0] != pair[1]]
            text = f"labels {labels}: equal for {len(kappas) - len(apart)} of {len(kappas)}"
            if apart:
                text += f" predictions, otherwise such as {apart[0][0]} and {apart[0][1]}"
            conditions.append(Condition(not apart, text))
        return conditions

    return check


_BALANCED, _UNBALANCED = ((0, 0, 0, 1, 1, 1), (0, 0, 1, 1, 2, 2)), (0, 0, 0, 1)

BY_ARITHMETIC: Mapping[str, Predicate] = {
    "random_accuracy": Predicate(
        "by arithmetic, a classifier that predicts each of k = 2, ..., 5 classes with probability "
        "1/k is correct with probability 1/k, where classes are equally frequent and where not",
        _random_is_right,
    ),
    "repeats_above_1_of_k": Predicate(
        "by arithmetic, of k = 2, ..., 5 classes, wherever the probability P(c|c) that a class "
        "repeats is above 1/k (in steps of 0.05), it is above P(M|c), that of the majority",
        _repeats_above_1_of_k,
    ),
    "balanced_kappas_agree": Predicate(
        "by arithmetic, kappa+ is kappa where No-Change has the accuracy of independent labels: "
        "for all predictions of 6 labels of 2 and of 3 equally frequent classes",
        _kappas_agree(*_BALANCED),
    ),
    "independent_kappas_agree": Predicate(
        "by arithmetic, the same for classes that are not equally frequent: for all predictions of "
        "4 labels, 3 of them of one class",
        _kappas_agree(_UNBALANCED),
    ),
}
