"""The numbers of docs/findings.md that follow from definitions and from the printed tables."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise, product
from math import ulp
from statistics import harmonic_mean

import numpy as np
import pandas as pd
import pytest
from helpers.findings import said
from scipy.stats import binom, binomtest, norm

from streameval.base.settings import ROOT
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally
from streameval.papers.zliobaite2015.baselines import _false_alarms
from streameval.papers.zliobaite2015.published import ERRS_ON_A, ERRS_ON_B, REPEATS

PUBLISHED = ROOT / "resources" / "published"


def test_the_interval_of_a_rare_class():
    low, high = binomtest(8, 73).proportion_ci(method="wilson")
    assert said(f"It is 8/73 = {8 / 73:.4f}, with a 95 % interval (Wilson) from {low:.2f} to")
    assert said(f"to {high:.2f}. - **Why.** Only 73 of 2,536 days are ozone days.")


def test_kappa_plus_of_balanced_classes():
    chance, accuracy = Fraction(1, 5), Fraction(3, 4)  # of k = 5 classes
    kappa = (accuracy - chance) / (1 - chance)
    assert kappa == Fraction(5, 4) * accuracy - Fraction(1, 4)
    assert said("No-Change is then correct with probability 1/k. Two sentences later")
    assert said("The formula needs k, the number of classes: κ⁺ = k/(k−1) · p₀ − 1/(k−1).")


def test_extremes_of_kappa():
    found = Tally.from_confusion([[0, 70], [30, 0]], majority_correct=70)
    assert MEASURES["mcc"].value(found) == -1
    chance = 2 * 0.7 * 0.3
    assert float(MEASURES["kappa"].value(found)) == pytest.approx(-chance / (1 - chance))
    assert said(
        "With 70 and 30 instances of two classes and all predictions wrong, κ is "
        f"−{chance / (1 - chance):.2f}, and the coefficient −1."
    )
    assert said("κ is −p_c/(1 − p_c) if nothing is right, with p_c")
    assert said(f"with p_c = 2 · 0.7 · 0.3 = {chance:.2f}. That is −1 for equal classes only.")


def test_means_of_two_accuracies():
    pairs = [(a / 100, b / 100) for a in range(1, 101) for b in range(1, 101)]
    for a, b in pairs:
        harmonic, geometric, mean = 2 * a * b / (a + b), (a * b) ** 0.5, (a + b) / 2
        close = 1e-12
        assert harmonic <= geometric + close
        assert geometric <= mean + close
        assert (abs(mean - harmonic) < close) is (a == b)
    assert said("The formula holds for all pairs of accuracies of 1 to 100 %; where both are equal")


def test_half_of_a_harmonic_mean():
    assert harmonic_mean([10, 40]) == 2 / (1 / 10 + 1 / 40)
    assert said("The formula, m = 1/(1/n₀ + 1/n₁), is half of it.")
    assert said("The harmonic mean of two numbers is 2/(1/n₀ + 1/n₁). We use the formula.")


def test_the_first_function_of_agrawal():
    ages = np.array([20.0, 39.9, 40.0, 59.9, 60.0, 65.0, 80.0])
    printed, of_generator = (ages < 40) | (ages <= 65), (ages < 40) | (ages >= 60)
    assert (printed == (ages <= 65)).all()
    assert of_generator.tolist() == [True, True, False, False, True, True, True]
    assert said("The generator has age < 40 ∨ age ≥ 60, as Agrawal et al. (1993) do.")


def test_three_classes_where_repeating_loses():
    after_minority, to_majority, stays = 0.4, 0.6, 0.8
    majority = to_majority / (1 - stays + to_majority)  # stationary
    repeats = majority * stays + (1 - majority) * after_minority
    assert after_minority > 1 / 3
    assert said(
        f"P(c|c) = {after_minority} and P(M|c) = {to_majority} after both minority classes, and "
        f"P(M|M) = {stays}. Although 0.4 exceeds 1/3, the accuracy is {repeats:.2f} for No-Change "
        f"and {majority:.2f} for Majority."
    )


def test_a_change_in_accuracy_as_a_change_in_kappa_t():
    assert said(
        f"A change of 0.02 in accuracy is a change of {0.02 / (1 - 0.85):.2f} in κ_t if the "
        "accuracy of No-Change is 0.85."
    )


def _sequences(length: int, larger: float, repeats: float) -> list[tuple[tuple[int, ...], float]]:
    """Return all sequences of two classes with their probabilities in a Markov chain."""
    change = (1 - repeats) / 2  # the joint probability of each of the two changes
    joint = np.array([[larger - change, change], [change, 1 - larger - change]])
    start = joint.sum(axis=1)
    step = joint / start[:, None]
    found = []
    for labels in product((0, 1), repeat=length):
        mass = start[labels[0]]
        for before, after in pairwise(labels):
            mass *= step[before, after]
        found.append((labels, mass))
    return found


def _chance(larger: float, repeats: float) -> float:
    """Return p_ran of the majority of the last ten labels, with the larger class on ties."""
    ones = sum(mass for labels, mass in _sequences(10, larger, repeats) if sum(labels) > 5)
    return larger * (1 - ones) + (1 - larger) * ones


def test_proposition_5_by_all_sequences_of_ten_labels():
    independent = 0.7**2 + 0.3**2
    lower = _chance(0.7, independent) - _chance(0.7, 0.8)
    assert said(
        "For the majority of the last ten labels, proportions 0.7/0.3 and P(T) = 0.8, p_ran in "
        f"order is exactly {lower:.3f} below that of independent labels."
    )


def test_the_proofs_of_propositions_5_and_6():
    shares = (0.5, 0.4, 0.1)
    assert sum(shares) == 1.0
    assert shares[1] > 1 / len(shares)
    assert said(f"with proportions {shares[0]}, {shares[1]} and {shares[2]}, the second is above a")


def test_proposition_8_by_the_law_of_two_labels():
    error = np.array([0.35, 0.15])
    joint = np.array([[0.65, 0.05], [0.05, 0.25]])  # 0.7/0.3 and P(T) = 0.9
    frequencies = joint.sum(axis=1)
    beyond = np.diag(joint) - frequencies**2
    assert beyond[0] == pytest.approx(beyond[1])  # "by the same amount c"
    mean = frequencies @ error
    covariance = error @ joint @ error - mean**2
    assert covariance == pytest.approx(beyond[0] * (error[0] - error[1]) ** 2)
    # The condition: e_A / e_B is the inverse ratio of P(A|A) - P(A) and P(B|B) - P(B).
    dependence = np.diag(joint) / frequencies - frequencies
    assert error[0] / error[1] == pytest.approx(dependence[1] / dependence[0])
    assert said(
        "With proportions 0.7/0.3, P(T) = 0.9 and error rates 0.35 and 0.15, which satisfy the "
        "condition, the exact autocorrelation of errors is "
        f"{covariance / (mean * (1 - mean)):.3f}."
    )


def _after_a_reset(larger: float, repeats: float, until: int) -> np.ndarray:
    """Return the accuracy of Majority at each label after a reset; the larger class wins ties."""
    change = (1 - repeats) / 2
    joint = np.array([[larger - change, change], [change, 1 - larger - change]])
    start = joint.sum(axis=1)
    step = joint / start[:, None]
    found = [larger]  # without a label
    state = np.zeros((until + 2, 2))  # labels of the smaller class so far, and the last one
    state[0, 0], state[1, 1] = start
    count = np.arange(until + 2)
    for n in range(1, until + 1):
        following = state @ step
        is_smaller = 2 * count > n
        found.append(following[~is_smaller, 0].sum() + following[is_smaller, 1].sum())
        state = np.column_stack([following[:, 0], np.concatenate([[0], following[:-1, 1]])])
    return np.array(found)


def test_proposition_9_after_a_reset():
    accuracy = _after_a_reset(0.7, 0.9, 3000)
    lost = np.cumsum(0.7 - accuracy)
    assert said(
        f"A single reset costs Majority {lost[-1]:.3f} correct predictions on average at P(T) = "
        f"0.9 with proportions 0.7/0.3 (exact; {lost[400]:.2f} are lost after 400 labels)."
    )
    assert -lost[10] == pytest.approx(1, abs=0.1)
    assert lost[-1] - lost[10] == pytest.approx(2, abs=0.1)
    assert said("first gains one correct prediction over ten labels, then loses two.")
    assert (accuracy[20:201] < 0.7).all()
    assert said(
        "With 20 to 200 labels the accuracy is below that of all labels, most at "
        f"{accuracy.argmin()} labels, by {0.7 - accuracy.min():.3f}."
    )


def test_proposition_9_with_a_memory_of_two_labels():
    def accuracy(winner: int) -> float:
        return sum(
            mass * ((first if first == second else winner) == label)
            for (first, second, label), mass in sequences
        )

    sequences = _sequences(3, 0.7, 0.64)
    worse, better = 0.64 - accuracy(0), 0.64 - accuracy(1)
    assert said(
        f"At P(T) = 0.64 and two labels, Persistent is {-worse:.3f} less accurate if the larger "
        f"class wins ties, as here, and {better:.3f} more accurate if the smaller class does."
    )


def test_the_tests_of_table_1_of_2015():
    table = pd.read_csv(PUBLISHED / "bifet2015" / "table1.csv")
    positive = table["difference"] > 0
    assert positive.sum() == 8
    sums = [table.loc[which, "rank"].sum() for which in (positive, ~positive)]
    assert sum(sums) == 55
    assert said(f"They sum to {sums[0]} and {sums[1]}; the exact p-value of")
    two_sided = 2 * binom.sf(7, 10, 0.5)
    assert said(f"The two-sided p-value is {round(1024 * two_sided)}/1024 = {two_sided:.3f}")
    assert binom.sf(7, 10, 0.5) > 0.05 > binom.sf(8, 10, 0.5)
    assert said(
        "The critical value is that of the normal approximation at a level of 10 %. That of 5 % "
        f"is 9, whose size is {2 * binom.sf(8, 10, 0.5):.3f}."
    )
    at_10_percent = 5 + norm.ppf(0.95) * np.sqrt(10 / 4)
    assert np.ceil(at_10_percent) == 8
    assert said(f"8 wins reject a true null hypothesis in {100 * two_sided:.1f} % of all runs.")
    sums = np.array(
        [
            sum(r for r, s in zip(range(1, 11), signs, strict=True) if s)
            for signs in product((0, 1), repeat=10)
        ]
    )
    size = 2 * np.mean(sums <= 8)
    exact = 2 * np.mean(sums <= 3)
    assert said(f"the exact p-value of Wilcoxon's test is {round(1024 * exact)}/1024 = {exact:.4f}")
    assert said(
        f"the exact sizes are {two_sided:.3f} for the sign test with critical value 8 and "
        f"{size:.3f} for Wilcoxon's test."
    )


def test_the_noise_filter():
    classes, correct, noise = 2, Fraction(8, 10), Fraction(5, 100)
    formula = correct * (1 - noise) + (1 - correct) * noise / classes
    of_all = formula + correct * noise / classes
    of_others = correct * (1 - noise) + (1 - correct) * noise / (classes - 1)
    assert said(
        f"For c = 2, p₀ = 0.8 and p = 0.05 the formula gives {float(formula):.3f}. A label drawn "
        f"from all c classes leaves {float(of_all):.3f}, one of the other labels "
        f"{float(of_others):.3f}."
    )


def test_the_last_bit_of_an_exponential():
    argument = float("-0.007832924442097076")
    with localcontext(prec=60):
        exact = Decimal(argument).exp()
        for method, digits in (
            ("Java's `Math.exp` on x86-64, Intel's method", "0x1.fc01555924392p-1"),
            ("C library, glibc 2.36", "0x1.fc01555924391p-1"),
        ):
            value = float.fromhex(digits)
            error = (Decimal(value) - exact) / Decimal(ulp(value))
            assert said(f"| {method} | {digits} | {error:+.4f} |".replace("-0.", "−0."))


def test_tests_with_50_or_more_observations():
    extra = {n: _false_alarms(n, REPEATS) - _false_alarms(n, 0.5) for n in (50, 20)}
    assert said(
        f"a one-sided test at 5 % has {extra[50]:.3f} more false alarms with 50 observations than "
        f"on independent labels, and {extra[20]:.3f} more with 20."
    )
    assert said(f"The labels repeat in {100 * REPEATS:.0f} % of the cases, as on electricity, and")
    assert said(f"{100 * ERRS_ON_A:.0f} and {100 * ERRS_ON_B:.0f} % of both classes are errors.")


def test_what_differences_at_the_same_labels_changed():
    record = pd.read_csv(ROOT / "docs" / "rules.csv", keep_default_na=False)
    rows = record[record["why"].str.startswith("Both accuracies are of the same labels")]
    (changed,) = rows.loc[rows["before"] != rows["after"], "key"]
    assert said(f"With the new ones `{changed}` holds; no other verdict changed.")
    assert rows.set_index("key").loc[changed, "after"] == "claim holds"
