"""Dependence of errors if labels are dependent: Proposition 8 of Žliobaitė et al. (2015).

Section 5.1 and Appendix A: the errors of a fixed rule depend on each other through the labels. With
stationary labels of two classes, the probabilities of "A, then A" and of "B, then B" both exceed
those of independent labels by c = P(A) (P(A|A) - P(A)) = P(B) (P(B|B) - P(B)). So the covariance of
errors is c (e_A - e_B)², with e_A and e_B the error rates on A and B. It is 0 only for independent
labels (condition 1) or equal error rates (condition 2). Condition 3 as proved is condition 2. As
printed it requires e_A / e_B = P(A) / P(B), which leaves errors dependent unless classes are
balanced.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from streameval.base.arrays import Flags, Floats
from streameval.base.errors import DataError
from streameval.base.seeds import generator
from streameval.items.propositions.baseline_accuracies import shares_text
from streameval.streams.generators.markov import Markov, stationary_distribution, transition_matrix

#: Error rates on A and B of a classifier that neglects B.
_UNEQUAL_RATE_VALUES = (0.1, 0.4)
#: Error rates on A and B that are equal.
_EQUAL_RATE_VALUES = (0.2, 0.2)
#: The error rate on B under condition 3, which determines only the ratio of the two rates.
ERROR_B = 0.15

#: Names of conditions on the error rates.
UNEQUAL_RATES = "unequal rates"
EQUAL_RATES = "equal rates (condition 2)"
PRINTED = "condition 3 as printed"
PROVED = "condition 3 as proved"
#: A smaller covariance of labels is due to rounding: the labels are independent.
_ROUNDING = 1e-12

CONDITIONS = (UNEQUAL_RATES, EQUAL_RATES, PRINTED, PROVED)


def label_covariance(transition: Floats) -> float:
    """Covariance c of two consecutive labels, as indicators of class A.

    The chain is irreducible; class 0 is A.
    """
    proportion = stationary_distribution(transition)[0]
    return float(proportion * (transition[0, 0] - proportion))


def error_autocorrelation(transition: Floats, error_a: float, error_b: float) -> float:
    """The exact lag-one autocorrelation of the errors of a fixed rule; class 0 is A.

    It is c (e_A - e_B)² / (q (1 - q)) with q = P(A) e_A + P(B) e_B; NaN if q is 0 or 1.
    """
    covariance = label_covariance(transition) * (error_a - error_b) ** 2
    rate = float((stationary_distribution(transition) * np.array([error_a, error_b])).sum())
    variance = rate * (1.0 - rate)
    return covariance / variance + 0.0 if variance > 0.0 else float("nan")  # + 0.0: no -0.0


def error_ratio(transition: Floats, condition: str) -> float:
    """The ratio P(error|A) / P(error|B) of one form of condition 3; class 0 is A.

    `PRINTED` stands for the condition in Proposition 8, `PROVED` for the last line of its proof.
    """
    proportions = stationary_distribution(transition)
    terms = np.diag(transition) - proportions  # P(B|B) - P(B) is term 1
    if condition == PROVED:
        terms = terms * proportions
    return float(terms[1] / terms[0])


def error_rates(transition: Floats, condition: str) -> tuple[float, float]:
    """P(error|A) and P(error|B) under one of the `CONDITIONS`."""
    if condition == UNEQUAL_RATES:
        return _UNEQUAL_RATE_VALUES
    if condition == EQUAL_RATES:
        return _EQUAL_RATE_VALUES
    return error_ratio(transition, condition) * ERROR_B, ERROR_B


def run_errors(
    shares: Sequence[float], persistences: Sequence[float], seeds: int, n: int
) -> pd.DataFrame:
    """Draw the errors of fixed rules and return their autocorrelations, a row for each stream.

    For independent labels, condition 3 is undefined and omitted.
    """
    rows = []
    for persistence in persistences:
        transition = transition_matrix(shares, persistence)
        is_independent = abs(label_covariance(transition)) < _ROUNDING
        rates = {
            name: error_rates(transition, name)
            for name in CONDITIONS
            if not is_independent or name not in (PRINTED, PROVED)
        }
        for seed in range(1, seeds + 1):
            labels = Markov(shares, persistence, attributes=2, seed=seed).stream(n).y
            for name, (error_a, error_b) in rates.items():
                key = ("proposition 8", shares_text(shares), f"{persistence:.12g}", name)
                uniform = generator(*key, seed).random(n)
                is_error = uniform < np.array([error_a, error_b])[labels]
                rows.append(
                    {
                        "shares": shares_text(shares),
                        "persistence": persistence,
                        "condition": name,
                        "error_a": error_a,
                        "error_b": error_b,
                        "expected": error_autocorrelation(transition, error_a, error_b),
                        "seed": seed,
                        "autocorrelation": _lag_one_autocorrelation(is_error),
                    }
                )
    return pd.DataFrame(rows)


def _lag_one_autocorrelation(is_error: Flags) -> float:
    if is_error.all() or not is_error.any():
        raise DataError(
            "Dependence of errors: expected correct and wrong predictions, found "
            f"{len(is_error)} of one kind. Make the stream longer."
        )
    centred = is_error - is_error.mean()
    # Without `@`, since the order of BLAS's sums depends on the number of cores.
    return float((centred[1:] * centred[:-1]).sum() / (centred * centred).sum())
