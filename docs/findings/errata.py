"""Compute values that follow from definitions and from printed tables."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise, product
from math import ulp

import numpy as np
import pandas as pd
from scipy.stats import binom, norm

from findings.groups import FROM_FILES, Values
from findings.text import in_words, join_numbers, number, texts
from streameval.base.settings import ROOT
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally
from streameval.papers.zliobaite2015.baselines import _false_alarm_rate
from streameval.papers.zliobaite2015.published import REPEAT_PROBABILITY
from streameval.report.claims import UNIVERSAL
from streameval.streams.generators.agrawal import AGE, Agrawal

PUBLISHED = ROOT / "resources" / "published"
#: Proportion of the larger class in the examples with two classes.
_LARGER = 0.7


@FROM_FILES.add
def rules() -> Values:
    """Claims that are refuted since a rule says that they are about all cases."""
    record = pd.read_csv(ROOT / "docs" / "rules.csv", keep_default_na=False)
    changed = record[
        record["rule"].str.contains(UNIVERSAL, regex=False)
        & (record["before"] == "claim holds in part")
        & (record["after"] == "claim does not hold")
    ]
    return texts(universal=in_words(len(changed)))


@FROM_FILES.add
def three_classes() -> Values:
    """Three classes where No-Change loses although minority classes repeat often."""
    repeats, to_majority, stays = 0.4, 0.6, 0.8  # P(c|c), P(M|c) and P(M|M)
    majority = to_majority / (1 - stays + to_majority)  # of a stationary chain
    no_change = majority * stays + (1 - majority) * repeats
    assert repeats > 1 / 3
    assert no_change < majority
    return texts(
        repeats=number(repeats),
        to_majority=number(to_majority),
        stays=number(stays),
        no_change=number(no_change, 2),
        majority=number(majority, 2),
    )


@FROM_FILES.add
def extremes() -> Values:
    """Extremes of κ and of Matthews's coefficient where all predictions are wrong."""
    tally = Tally.from_confusion([[0, 70], [30, 0]], majority_correct=70)
    assert MEASURES["mcc"].value(tally) == -1
    return texts(kappa=number(float(MEASURES["kappa"].value(tally)), 2), larger=70, smaller=30)


def _sequences(length: int, repeats: float) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield all sequences of two classes with their probabilities in a Markov chain."""
    joint = _joint(repeats)
    start = joint.sum(axis=1)
    step = joint / start[:, None]
    for labels in product((0, 1), repeat=length):
        yield labels, start[labels[0]] * np.prod([step[a, b] for a, b in pairwise(labels)])


def _joint(repeats: float) -> np.ndarray:
    change = (1 - repeats) / 2  # the probability of each of the two changes
    return np.array([[_LARGER - change, change], [change, 1 - _LARGER - change]])


def _chance(repeats: float) -> float:
    """Compute p_ran of the majority of the last ten labels, the larger class on ties."""
    ones = sum(mass for labels, mass in _sequences(10, repeats) if sum(labels) > 5)
    return _LARGER * (1 - ones) + (1 - _LARGER) * ones


def _after_reset(repeats: float, until: int) -> np.ndarray:
    """Compute the accuracy of Majority by the number of labels; the larger class wins ties."""
    joint = _joint(repeats)
    start = joint.sum(axis=1)
    step, count = joint / start[:, None], np.arange(until + 2)
    accuracies = [_LARGER]  # without a label
    state = np.zeros((until + 2, 2))  # labels of the smaller class so far, and the last label
    state[0, 0], state[1, 1] = start
    for n in range(1, until + 1):
        following, is_smaller = state @ step, 2 * count > n
        accuracies.append(following[~is_smaller, 0].sum() + following[is_smaller, 1].sum())
        state = np.column_stack([following[:, 0], np.concatenate([[0], following[:-1, 1]])])
    return np.array(accuracies)


@FROM_FILES.add
def propositions() -> Values:
    """Examples for Propositions 5, 8 and 9 of Žliobaitė et al. (2015), two classes."""
    errors, repeats = np.array([0.35, 0.15]), 0.9
    joint = _joint(repeats)
    shares = joint.sum(axis=1)
    mean = shares @ errors
    dependence = np.diag(joint) / shares - shares
    # The condition: e_A / e_B is the inverse ratio of P(A|A) - P(A) and P(B|B) - P(B).
    assert np.isclose(errors[0] / errors[1], dependence[1] / dependence[0])
    covariance = errors @ joint @ errors - mean**2
    beyond_chance = joint[0, 0] - shares[0] ** 2
    assert np.isclose(covariance, beyond_chance * (errors[0] - errors[1]) ** 2)
    accuracy = _after_reset(repeats, 3000)
    lost = np.cumsum(_LARGER - accuracy)
    assert (accuracy[20:201] < _LARGER).all()
    independent = _LARGER**2 + (1 - _LARGER) ** 2
    return texts(
        shares=f"{_LARGER} and {1 - _LARGER:.1f}",
        repeats_5=number(0.8),
        lower=number(_chance(independent) - _chance(0.8), 3),
        repeats=number(repeats),
        errors=join_numbers(errors, 2),
        autocorrelation=number(covariance / (mean * (1 - mean)), 3),
        lost=number(lost[-1], 3),
        worst=int(accuracy.argmin()),
        worst_by=number(_LARGER - accuracy.min(), 3),
    )


@FROM_FILES.add
def tests_of_50() -> Values:
    """False alarms of a one-sided test on dependent labels beyond those on independent ones."""
    few, many = 20, 50
    extra = {
        n: _false_alarm_rate(n, REPEAT_PROBABILITY) - _false_alarm_rate(n, 0.5) for n in (few, many)
    }
    assert extra[many] > extra[few]
    return texts(
        many=many,
        few=few,
        excess_of_many=number(extra[many], 3),
        excess_of_few=number(extra[few], 3),
    )


@FROM_FILES.add
def sign_test() -> Values:
    """Exact tests of Table 1 of Bifet et al. (2015), over ten folds."""
    table = pd.read_csv(PUBLISHED / "bifet2015" / "table1.csv")
    folds, is_positive = len(table), table["difference"] > 0
    wins = int(is_positive.sum())
    sums = [table.loc[which, "rank"].sum() for which in (is_positive, ~is_positive)]
    signs = np.array([*product((0, 1), repeat=folds)])
    rank_sums = signs @ np.arange(1, folds + 1)
    two_sided = 2 * binom.sf(wins - 1, folds, 0.5)
    of_9 = 2 * binom.sf(wins, folds, 0.5)
    exact = 2 * np.mean(rank_sums <= sums[1])
    assert of_9 < 0.05 < two_sided
    assert np.ceil(folds / 2 + norm.ppf(0.95) * np.sqrt(folds / 4)) == wins
    critical = 8  # of Wilcoxon's test at 5 %
    return texts(
        wins=wins,
        level=5,
        folds=folds,
        p_value=number(two_sided, 3),
        p_fraction=f"{round(2**folds * two_sided)}/{2**folds}",
        wins_of_5=wins + 1,
        size_of_9=number(of_9, 3),
        rank_sums=f"{sums[0]} and {sums[1]}",
        wilcoxon_p=number(exact, 4),
        wilcoxon_size=number(2 * np.mean(rank_sums <= critical), 3),
    )


@FROM_FILES.add
def noise_filter() -> Values:
    """Accuracies behind a noise filter, by the printed formula and by two filters."""
    classes, correct, noise = 2, Fraction(8, 10), Fraction(5, 100)
    formula = correct * (1 - noise) + (1 - correct) * noise / classes
    of_others = correct * (1 - noise) + (1 - correct) * noise / (classes - 1)
    return texts(
        classes=classes,
        correct=number(correct),
        noise=number(noise, 2),
        formula=number(formula, 3),
        of_all=number(formula + correct * noise / classes, 3),
        of_others=number(of_others, 3),
    )


@FROM_FILES.add
def odd_hundredths() -> Values:
    """Printed rates that are no proportions of 50 runs."""
    counts = []
    for name in ("table3", "table4"):
        printed = pd.read_csv(PUBLISHED / "bifet2015" / f"{name}.csv")["rejection_fraction"]
        counts.append((int((printed.mul(100).round() % 2).sum()), len(printed)))
    (third, all_of_third), (fourth, all_of_fourth) = counts
    return texts(third=third, all_of_third=all_of_third, fourth=fourth, all_of_fourth=all_of_fourth)


@FROM_FILES.add
def led() -> Values:
    """Printed accuracies of No-Change on LED just before the label and earlier, in percent."""
    table = pd.read_csv(PUBLISHED / "grzenda2019" / "table1.csv", dtype=str)
    cells = table.set_index(["stream", "learner", "bin"])["accuracy_percent"]
    late, last = (cells["led", "no_change", b] for b in ("45", "B+1"))
    assert float(last) < float(late)
    return texts(bin="45", late=late, last=last)


@FROM_FILES.add
def agrawal() -> Values:
    """Ages of the first class by the first function of Agrawal, as the generator draws them."""
    stream = Agrawal(function=1, perturbation=0.0).stream(1000)
    ages, is_first = np.asarray(stream.X)[:, AGE], np.asarray(stream.y) == 0
    young, old = 40, 60
    assert (is_first == ((ages < young) | (ages >= old))).all()
    assert not (is_first == (ages <= 65)).all()  # "age < 40 ∨ age ≤ 65", as printed
    return texts(young=young, old=old)


@FROM_FILES.add
def last_bit() -> Values:
    """Errors of two exponential functions, in units in the last place."""
    argument = "-0.007832924442097076"
    digits = {"java": "0x1.fc01555924392p-1", "c": "0x1.fc01555924391p-1"}
    errors = {}
    with localcontext(prec=60):
        exact = Decimal(float(argument)).exp()
        for method, text in digits.items():
            value = float.fromhex(text)
            errors[f"{method}_error"] = number(
                float((Decimal(value) - exact) / Decimal(ulp(value))), 4
            )
    return texts(argument=argument.replace("-", "−"), **errors)
