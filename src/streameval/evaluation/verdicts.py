"""Verdicts on pairs of learners, each by a single interval whose rule is fixed beforehand.

The interval is for the mean difference over the process that generates the stream. It covers the
random variation of dependent instances, seeds and folds. (With the variation between folds alone,
one of two equal learners would be declared better on half of all streams.) It does not cover the
randomness of the models of one run, which affects all instances; ``beyond/verdict_calibration``
measures how many verdicts are false for this reason.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.errors import ConfigError
from streameval.evaluation.one_sided import one_sided_predicate
from streameval.evaluation.runs import Runs
from streameval.evaluation.task import CLASSIFICATION_TASK, Task
from streameval.evaluation.verdict_words import (
    BEATS,
    LOSES_TO,
    REGION_FRACTION,
    UNDECIDED,
    VERBS,
    Region,
    decide,
    region_of,
    verdict_note,
    verdict_predicate,
)
from streameval.protocols.protocol import Protocol
from streameval.significance.significance_test import LEVEL
from streameval.significance.stream_mean import (
    Sample,
    Signs,
    StreamMean,
    section_signs,
    stream_mean,
)


def region_from_baselines(runs: Runs, task: Task) -> Region:
    """Region of practical equivalence from the mean accuracies or errors of the baselines."""
    levels = {
        title: float(runs.means_by_fold(name).mean()) for name, title in task.baselines.items()
    }
    return region_of(levels, task)


@dataclass(frozen=True)
class ComparisonPlan:
    """The settings of a comparison, which are fixed before the run."""

    protocol: Protocol
    region: Region
    one_seed_learners: frozenset[str] = (
        frozenset()
    )  # randomised learners with the same seed in all folds
    task: Task = CLASSIFICATION_TASK

    @property
    def rope(self) -> float:
        """Half width of the region of practical equivalence."""
        return self.region.rope

    @property
    def title(self) -> str:
        """Title of the protocol."""
        if self.protocol.needs_times:  # only first predictions are compared
            return "predictions on arrival; labels are learnt when they arrive"
        return self.protocol.title

    @property
    def rope_text(self) -> str:
        """Half width of the region of practical equivalence, with its unit."""
        return self.task.half_width_text(self.rope)

    @property
    def rule(self) -> str:
        """Text on how the verdict follows from the interval."""
        if not self.rope:
            return (
                "beats if the interval is above 0, loses to if it is below 0; otherwise "
                f"{UNDECIDED}"
            )
        source = ""
        if baseline := self.region.baseline:
            fraction = f"{100 * REGION_FRACTION:g} %"
            source = f" ({fraction} of the error of {baseline}, the better baseline)"
        return (
            f"practically equal if the interval lies within ±{self.rope_text}{source}; beats or "
            f"loses to if it lies outside; otherwise, and without an interval, {UNDECIDED}"
        )


@dataclass(frozen=True)
class Verdict:
    """The verdict on two learners, with its evidence.

    Parameters
    ----------
    first, second : str
        The learners A and B.
    difference : float
        Accuracy of A minus accuracy of B, the mean over instances.
    low, high : float
        Interval of the difference; NaN if there is no interval. If several pairs are compared, the
        intervals hold for all of them at once with 95 % confidence (Bonferroni).
    p_value : float
        P-value of the null hypothesis of no difference, adjusted for the number of pairs. It is at
        most 5 % if the interval does not contain 0.
    effective_size : float
        Effective sample size of the differences.
    sections_ahead, sections_behind : int
        Number of the `N_SECTIONS` sections of the stream in which A is better, or worse, by clearly
        more than `rope`; see `section_signs`.
    verdict : str
        The verdict with A as its subject: `BEATS`, `LOSES_TO`, `EQUAL` or `UNDECIDED`.
    reason : str
        Reason why A cannot be told from B; empty with another verdict.
    signs : Signs or None
        Numbers of instances where A is worse, equal and better, if the differences are too few
        for an interval; otherwise None.
    task : Task
        The compared quantity; the difference of errors is the error of B minus the error of A.
    rope : float
        Half width of the region of practical equivalence.
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    p_value: float
    effective_size: float
    sections_ahead: int
    sections_behind: int
    verdict: str
    reason: str = ""
    signs: Signs | None = None
    task: Task = CLASSIFICATION_TASK
    rope: float = 0.0

    @property
    def sentence(self) -> str:
        """The verdict as a sentence without its full stop."""
        return f"{self.first} {self.predicate(self.second)}"

    @property
    def short_sentence(self) -> str:
        """The sentence of the verdict without numbers."""
        one_sided = one_sided_predicate(self.signs, self.second)
        return f"{self.first} {one_sided or f'{VERBS[self.verdict][0]} {self.second}'}"

    @property
    def outcome(self) -> str:
        """The verdict, or "no verdict" if all differences have one sign without an interval."""
        return "no verdict" if one_sided_predicate(self.signs, self.second) else self.verdict

    def predicate(self, other: str, *, plural: bool = False) -> str:
        """Predicate of the verdict with a name for B; the subject is A."""
        estimate = (self.difference, self.low, self.high)
        note = verdict_note(estimate, self.verdict, self.task, self.rope, self.reason)
        one_sided = one_sided_predicate(self.signs, other, plural=plural)
        return verdict_predicate(
            other, self.verdict, estimate, self.task, note, one_sided=one_sided, plural=plural
        )

    @property
    def difference_text(self) -> str:
        """Text of the difference with its interval."""
        return self.task.interval(self.difference, self.low, self.high)

    @property
    def with_learners_exchanged(self) -> Verdict:
        """The verdict with A and B exchanged."""
        exchanged_verdict = {BEATS: LOSES_TO, LOSES_TO: BEATS}.get(self.verdict, self.verdict)
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=-self.difference,
            low=-self.high,
            high=-self.low,
            sections_ahead=self.sections_behind,
            sections_behind=self.sections_ahead,
            verdict=exchanged_verdict,
            signs=self.signs and self.signs.with_learners_exchanged,
        )


def verdicts(runs: Runs, learners: list[str], plan: ComparisonPlan) -> list[Verdict]:
    """Verdict on each pair of two or more learners."""
    pairs = list(combinations(learners, 2))
    return [
        judge_pair(
            pair,
            runs.advantage(*pair),
            plan.rope,
            pairs=len(pairs),
            no_interval_reason=uncovered_seeds_reason(runs, pair, plan),
            task=plan.task,
        )
        for pair in pairs
    ]


def judge_pair(
    pair: tuple[str, str],
    advantage: ArrayLike | Sample,
    rope: float,
    *,
    pairs: int = 1,
    no_interval_reason: str = "",
    task: Task = CLASSIFICATION_TASK,
) -> Verdict:
    """Verdict on two learners.

    `advantage` is the advantage of the first learner on each instance in order of time, averaged
    over runs and folds; its `runs` are the means of each run or fold, if they are random. Intervals
    hold for `pairs` pairs simultaneously. `no_interval_reason` says why an interval would not cover
    other seeds; there is none if it is not empty.
    """
    sample = Sample.of(advantage)
    sample = replace(sample, runs=()) if no_interval_reason else sample
    mean = stream_mean(sample, 1.0 - LEVEL / pairs)
    signs = section_signs(sample, rope)
    n_ahead, n_behind = int((signs > 0).sum()), int((signs < 0).sum())
    # An interval is withheld already if sections differ by the low threshold.
    low_threshold_signs = section_signs(sample, rope, low_threshold=True)
    may_change = (low_threshold_signs > 0).any() and (low_threshold_signs < 0).any()
    change_reason = "the better learner may change over the stream" if may_change else ""
    reason = no_interval_reason or change_reason or mean.reason
    low, high = (np.nan, np.nan) if reason else (mean.low, mean.high)
    verdict = decide(low, high, rope)
    if verdict == UNDECIDED and not reason:
        reason = _undecided_reason(pair, mean)
    p_value = np.nan if np.isnan(low) else min(1.0, pairs * mean.p_value)
    return Verdict(
        *pair,
        difference=mean.mean,
        low=low,
        high=high,
        p_value=p_value,
        effective_size=mean.effective_size,
        sections_ahead=n_ahead,
        sections_behind=n_behind,
        verdict=verdict,
        reason="" if verdict != UNDECIDED else reason,
        # `signs` means that the differences are too few, which is not the reason here.
        signs=None if no_interval_reason else mean.signs,
        task=task,
        rope=rope,
    )


def _undecided_reason(pair: tuple[str, str], mean: StreamMean) -> str:
    """Reason why an interval does not decide."""
    if mean.low <= 0.0 <= mean.high:
        return "the interval contains 0"
    better = pair[0 if mean.mean > 0 else 1]
    return f"{better} is better, but perhaps by a negligible difference"


def uncovered_seeds_reason(runs: Runs, pair: tuple[str, str], plan: ComparisonPlan) -> str:
    """Reason why the interval does not cover other seeds; "" if it does."""
    shared = sorted(plan.one_seed_learners & {*pair})
    if shared:
        return f"{one_seed_clause(shared)}, so other seeds are not covered"
    random_pair = sorted((runs.random_learners or frozenset()) & {*pair})
    if random_pair and len(runs.n_tested) < 2:
        return f"{random_learners_clause(random_pair)}, and one run does not cover other seeds"
    return ""


def one_seed_clause(learners: Collection[str]) -> str:
    """Clause that the models of some learners share one seed."""
    return f"all models of {' and of '.join(sorted(learners))} have one seed"


def random_learners_clause(learners: Collection[str]) -> str:
    """Clause that some learners draw at random."""
    return f"{' and '.join(sorted(learners))} {'draws' if len(learners) == 1 else 'draw'} at random"


def check_rope(rope: Any, task: Task = CLASSIFICATION_TASK) -> float:
    """A half width of the region of practical equivalence, checked.

    Raises ConfigError unless it is a possible difference, for accuracies a number from 0 to 1.
    """
    largest = task.largest_difference
    if (
        isinstance(rope, bool)
        or not isinstance(rope, int | float | np.number)
        or not 0 <= rope <= largest
    ):
        quantity = "accuracy from 0 to 1, such as 0.01"
        if largest != 1.0:
            quantity = f"{task.name} of at least 0"
        raise ConfigError(f"rope: expected a difference in {quantity}, found {rope!r}.")
    return float(rope)
