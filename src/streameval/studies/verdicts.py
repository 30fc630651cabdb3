"""Which of two learners is better: one verdict, by one test that is fixed beforehand.

The test depends on nothing but the number of runs. Among the tests over folds, the paired t-test
is the one whose size was found near its level for two learners that differ by their seeds only: at
5 % it rejected in 4.1 % of 3,600 pairs of forests of three trees (10 folds, three schemes, three
readings, 500 instances of SEA and 2,000 of an RBF stream; 1.5 % to 7 % of 200 pairs in each cell).
That takes a seed for each fold: with one seed for all folds of a forest, as in MOA, it rejected in
42 % of 200 pairs in cross-validation, and in 9 % in bootstrap and split validation. Over several
runs there is no need to assume anything of the folds.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from streameval.errors import ConfigError
from streameval.learners.baselines import Majority, NoChange
from streameval.protocols.protocol import Protocol
from streameval.significance.intervals import mean_interval
from streameval.significance.multiple_comparisons import holm
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL
from streameval.studies.fold_comparison import FoldRuns

#: The verdicts.
FIRST, SECOND = "A is better", "B is better"
EQUAL, UNDECIDED = "practically equal", "cannot tell"
#: The tests that decide: of one run, and of several.
BY_FOLDS, BY_RUNS = "paired_t", "runs_t"
#: Every learner is compared with these.
BASELINES = (NoChange.name, Majority.name)
#: Differences of accuracy up to this are practically none.
ROPE = 0.01


@dataclass(frozen=True)
class Plan:
    """What was fixed before the run.

    Parameters
    ----------
    protocol : Protocol
        How the models of the first run are trained and tested.
    assignment : {"at_random", "moa"}
        How instances come to folds.
    runs : int
        How many runs.
    rope : float
        Differences in accuracy up to this are practically none.
    """

    protocol: Protocol
    assignment: str
    runs: int
    rope: float

    @property
    def folds(self) -> int:
        """Number of models of each learner in a run."""
        return int(self.protocol.folds)  # type: ignore[attr-defined]

    @property
    def estimand(self) -> str:
        """What the verdict is about, in words."""
        what = "the mean difference in accuracy, A - B, of the two algorithms on this stream in "
        if self.assignment == "moa":
            return f"{what}this order, over models of folds in turn that share one seed"
        return f"{what}this order, over draws of the folds and of the seeds of their models"

    @property
    def rule(self) -> str:
        """How the verdict follows from the test, in words."""
        size = f"{100 * self.rope:g}"
        points = f"{size} point{'' if size == '1' else 's'}"
        return (
            f"practically equal if the interval lies within ±{points}; otherwise "
            "A is better or B is better if the p-value is at most 5 %; otherwise cannot tell"
        )

    @property
    def condition(self) -> str:
        """What the verdict is conditional on, in words."""
        alone = "A learner without randomness varies by its folds alone."
        if self.runs > 1:
            few = " With fewer than 5 the intervals are wide." if self.runs < 5 else ""
            return f"Each of {self.runs} runs had folds and seeds of its own.{few} {alone}"
        if self.assignment == "moa":
            return (
                "One run, in which all models of a learner have the same seed: the verdict is "
                "about these seeds, and nothing can be said about other seeds. Learners that "
                "differ by their seeds only are often told apart, in cross-validation most often. "
                "For a verdict about the algorithms assign instances to folds at random."
            )
        return (
            f"One run: nothing can be said about other seeds than those of its {self.folds} folds. "
            "The test assumes that differences of folds do not depend on each other, which one run "
            f"cannot show; several runs need not assume it. {alone}"
        )


@dataclass(frozen=True)
class Verdict:
    """Which of two learners is better.

    Parameters
    ----------
    first, second : str
        A and B.
    difference : float
        Mean accuracy of A less that of B, over folds and runs.
    low, high : float
        Interval of the difference. Where several pairs are compared, the intervals hold for all of
        them at once with 95 % confidence (Bonferroni).
    p_value : float
        Of the test; adjusted for the number of pairs (Holm).
    test : str
        Name of the test in `streameval.significance.registry`.
    verdict : str
        One of `FIRST`, `SECOND`, `EQUAL` and `UNDECIDED`.
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    p_value: float
    test: str
    verdict: str

    @property
    def words(self) -> str:
        """The verdict as a sentence without its full stop."""
        if self.verdict == EQUAL:
            return f"{self.first} and {self.second} are practically equal"
        if self.verdict == UNDECIDED:
            return f"Cannot tell {self.first} and {self.second} apart"
        better, other = (
            (self.first, self.second) if self.verdict == FIRST else (self.second, self.first)
        )
        return f"{better} is better than {other}"


def decide(low: float, high: float, p_value: float, difference: float, rope: float) -> str:
    """Return the verdict of an interval and a p-value.

    Practically equal if the interval lies within ±`rope`, ends included, whether or not it
    contains 0. Otherwise the learner with the higher accuracy is better if the p-value is at most
    5 %. Otherwise one cannot tell.
    """
    if -rope <= low and high <= rope:
        return EQUAL
    if p_value <= LEVEL and difference != 0:
        return FIRST if difference > 0 else SECOND
    return UNDECIDED


def deciding_test(runs: int) -> str:
    """Return the name of the test that decides after a number of runs."""
    return BY_FOLDS if runs == 1 else BY_RUNS


def verdicts(known: FoldRuns, learners: list[str], rope: float = ROPE) -> list[Verdict]:
    """Return a verdict for each pair of learners.

    Parameters
    ----------
    known : FoldRuns
        The runs.
    learners : list of str
        Two or more of those that were run.
    rope : float
        The region of practical equivalence: differences in accuracy up to this are practically
        none.

    Returns
    -------
    list of Verdict
        Of one run by the t-test over its folds, of several by the t-test over their mean
        differences; see `judged`.
    """
    pairs = list(combinations(learners, 2))
    found = [known.differences(*pair) for pair in pairs]
    values = [one[0] if len(one) == 1 else one.mean(axis=1) for one in found]
    return judged(pairs, values, deciding_test(len(known.tested)), rope)


def judged(
    pairs: list[tuple[str, str]], values: list[ArrayLike], test: str, rope: float
) -> list[Verdict]:
    """Return the verdict of each pair from independent differences, of folds or of runs.

    Parameters
    ----------
    pairs : list of (str, str)
        Names of A and B.
    values : list of array_like of float
        At least two differences A - B for each pair.
    test : str
        `BY_FOLDS` or `BY_RUNS`.
    rope : float
        See `decide`.
    """
    p_values = holm([float(TESTS[test](one).p_value) for one in values])
    intervals = [mean_interval(one, 1.0 - LEVEL / len(pairs)) for one in values]
    return [
        Verdict(
            *pair,
            difference=mean,
            low=low,
            high=high,
            p_value=float(p_value),
            test=test,
            verdict=decide(low, high, float(p_value), mean, rope),
        )
        for pair, (mean, low, high), p_value in zip(pairs, intervals, p_values, strict=True)
    ]


def check_rope(rope: float) -> float:
    """Return a region of practical equivalence, a number from 0 to 1."""
    if (
        isinstance(rope, bool)
        or not isinstance(rope, int | float | np.number)
        or not 0 <= rope <= 1
    ):
        raise ConfigError(
            f"rope: expected a difference in accuracy from 0 to 1, such as 0.01, found {rope!r}."
        )
    return float(rope)
