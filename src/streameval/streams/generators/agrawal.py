"""Loan applicants in two groups (Agrawal et al., 1993), with the draws of MOA's generator."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.params import Count, Proportion, Seed
from streameval.compiled.java_random import java_random, next_double, next_int
from streameval.compiled.kernels import allocating_kernel
from streameval.streams.generators.generator import Draw, Generator
from streameval.streams.stream import Attribute, Schema

#: Columns of the inputs. ELEVEL is the level of education, HVALUE the value of the house, HYEARS
#: the number of years since it was bought.
SALARY, COMMISSION, AGE, ELEVEL, CAR, ZIPCODE, HVALUE, HYEARS, LOAN = range(9)
#: Number of functions that define the groups.
N_FUNCTIONS = 10

SCHEMA = Schema(
    (
        Attribute("salary"),
        Attribute("commission"),
        Attribute("age"),
        Attribute("elevel", tuple(f"level{i}" for i in range(5))),
        Attribute("car", tuple(f"car{i + 1}" for i in range(20))),
        Attribute("zipcode", tuple(f"zipcode{i + 1}" for i in range(9))),
        Attribute("hvalue"),
        Attribute("hyears"),
        Attribute("loan"),
    ),
    classes=("groupA", "groupB"),
)

# Intervals, both ends included, of group A. Rows: ages below 40, from 40 to 59, and from 60.
#: Education levels, in functions 3 and 4.
EDUCATION = np.array([[0, 1], [1, 3], [2, 4]])
#: Incomes, in functions 2 and 4 to 6.
INCOME = np.array([[50_000, 100_000], [75_000, 125_000], [25_000, 75_000]])
#: Incomes of applicants whose education is in `EDUCATION`, in function 4.
INCOME_OF_EDUCATED = np.array([[25_000, 75_000], [50_000, 100_000], [50_000, 100_000]])
#: Loans of applicants whose salary is in `INCOME`, in function 5.
LOAN_OF_EARNER = np.array([[100_000, 300_000], [200_000, 400_000], [300_000, 500_000]])
#: Loans of other applicants, in function 5.
LOAN_OF_OTHERS = np.array([[200_000, 400_000], [300_000, 500_000], [100_000, 300_000]])


@allocating_kernel
def _within(value: float, bounds: Integers) -> bool:
    return bounds[0] <= value <= bounds[1]


@allocating_kernel
def _disposable_income(row: Floats, function: int) -> float:
    """Disposable income of an applicant in functions 7 to 10."""
    money = 2.0 * (row[SALARY] + row[COMMISSION]) / 3.0
    if function != 7:
        money -= 5_000.0 * row[ELEVEL]
    if function in (7, 9):
        money -= row[LOAN] / 5.0
    if function == 10 and row[HYEARS] >= 20.0:
        money += row[HVALUE] * (row[HYEARS] - 20.0) / 10.0 / 5.0  # a fifth of the house's equity
    return money - (20_000.0 if function <= 8 else 10_000.0)


@allocating_kernel
def _is_group_a(row: Floats, function: int) -> bool:
    age_group = 0 if row[AGE] < 40.0 else 1 if row[AGE] < 60.0 else 2
    if function == 1:
        return age_group != 1
    if function == 2:
        return _within(row[SALARY], INCOME[age_group])
    if function == 3:
        return _within(row[ELEVEL], EDUCATION[age_group])
    if function == 4:
        is_educated = _within(row[ELEVEL], EDUCATION[age_group])
        return _within(
            row[SALARY], INCOME_OF_EDUCATED[age_group] if is_educated else INCOME[age_group]
        )
    if function == 5:
        is_earner = _within(row[SALARY], INCOME[age_group])
        return _within(
            row[LOAN], LOAN_OF_EARNER[age_group] if is_earner else LOAN_OF_OTHERS[age_group]
        )
    if function == 6:
        return _within(row[SALARY] + row[COMMISSION], INCOME[age_group])
    return _disposable_income(row, function) > 0.0


@allocating_kernel
def _draw(row: Floats, random: Integers) -> None:
    row[SALARY] = 20_000.0 + 130_000.0 * next_double(random)
    is_paid_commission = row[SALARY] < 75_000.0
    row[COMMISSION] = 10_000.0 + 65_000.0 * next_double(random) if is_paid_commission else 0.0
    row[AGE] = 20 + next_int(random, 61)
    row[ELEVEL] = next_int(random, 5)
    row[CAR] = next_int(random, 20)
    row[ZIPCODE] = next_int(random, 9)
    row[HVALUE] = (9.0 - row[ZIPCODE]) * 100_000.0 * (0.5 + next_double(random))
    row[HYEARS] = 1 + next_int(random, 30)
    row[LOAN] = 500_000.0 * next_double(random)


@allocating_kernel
def _perturb(
    row: Floats,
    j: int,
    random: Integers,
    low: float,
    high: float,
    spread: float,
    perturbation: float,
) -> None:
    value = row[j] + spread * (2.0 * (next_double(random) - 0.5)) * perturbation
    row[j] = min(max(value, low), high)


@allocating_kernel
def _perturb_all(row: Floats, random: Integers, perturbation: float) -> None:
    _perturb(row, SALARY, random, 20_000.0, 150_000.0, 130_000.0, perturbation)
    if row[COMMISSION] > 0.0:
        _perturb(row, COMMISSION, random, 10_000.0, 75_000.0, 65_000.0, perturbation)
    _perturb(row, AGE, random, 20.0, 80.0, 60.0, perturbation)
    row[AGE] = math.floor(row[AGE] + 0.5)
    # As in MOA, whose upper bound is below the values of most houses.
    spread = (9.0 - row[ZIPCODE]) * 100_000.0
    _perturb(row, HVALUE, random, 0.0, 135_000.0, spread, perturbation)
    _perturb(row, HYEARS, random, 1.0, 30.0, 29.0, perturbation)
    row[HYEARS] = math.floor(row[HYEARS] + 0.5)
    _perturb(row, LOAN, random, 0.0, 500_000.0, 500_000.0, perturbation)


@allocating_kernel
def _fill(
    X: Floats,
    y: Codes,
    random: Integers,
    function: int,
    perturbation: float,
    balance: bool,
    next_label: int,
) -> None:
    for t in range(len(y)):
        row = X[t]
        label = -1
        while label < 0 or (balance and label != next_label):
            _draw(row, random)
            label = 0 if _is_group_a(row, function) else 1
        next_label = 1 - next_label
        if perturbation > 0.0:
            _perturb_all(row, random, perturbation)
        y[t] = label


@dataclass(frozen=True)
class Agrawal(Generator):
    """Loan applicants in two groups.

    Six numeric and three nominal attributes, two classes. With a perturbation, MOA clips the value
    of the house at 135,000, which most houses exceed.

    Parameters
    ----------
    function : int
        1 to 10: the rule that defines the groups. Rules 1 to 6 use intervals of age, salary,
        education or loan, rules 7 to 10 the disposable income.
    seed : int
        Seed of the instances. Without `balance` the attributes are the same for every function.
    perturbation : float
        0 to 1: noise added to the numeric attributes after the group is determined, as a fraction
        of their range. Values are clipped to the range.
    balance : bool
        Whether classes 1 and 0 alternate.

    References
    ----------
    Agrawal, Imielinski, Swami (1993), Database mining: a performance perspective.
    Draws: MOA 24.07, ``generators.AgrawalGenerator``.
    """

    function: Annotated[Count, Meta(le=N_FUNCTIONS)] = 1
    seed: Seed = 1
    perturbation: Proportion = 0.05
    balance: bool = False

    name = "agrawal"

    def _start(self, n: int) -> Draw:
        random, next_label = java_random(self.seed), 1
        source = (
            f"Agrawal generator, function {self.function}, seed {self.seed}, "
            f"perturbation {self.perturbation}"
        )

        def fill(X: Floats, y: Codes) -> None:
            nonlocal next_label
            _fill(X, y, random, self.function, float(self.perturbation), self.balance, next_label)
            next_label = (next_label + len(y)) % 2

        return self._make_draw(fill, SCHEMA, source)
