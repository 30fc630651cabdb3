"""Verdicts on pairs of learners, each by a single interval whose rule is fixed beforehand.

The interval is that of the mean difference over the process that generates the stream. It covers
the chance of dependent instances, seeds and folds. (The spread of folds alone declares one of two
equal learners better on half of all streams.) It does not cover the chance in the models of one
run, which affects all instances; ``beyond/verdict_calibration`` measures how many verdicts are
false for this reason.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.errors import ConfigError
from streameval.evaluation.one_sided import describe_side
from streameval.evaluation.runs import Runs
from streameval.evaluation.task import CLASSIFICATION_TASK, Task
from streameval.evaluation.verdict_words import (
    FIRST,
    REGION_PART,
    SECOND,
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


def region_among(known: Runs, task: Task) -> Region:
    """Region of practical equivalence by the mean accuracies or errors of the baselines."""
    of = {called: float(known.levels(name).mean()) for name, called in task.baselines.items()}
    return region_of(of, task)


@dataclass(frozen=True)
class ComparisonPlan:
    """The settings of a comparison, which are fixed before the run.

    `one_seed` are the randomised learners whose models have the same seed in all folds.
    """

    protocol: Protocol
    region: Region
    one_seed: frozenset[str] = frozenset()
    task: Task = CLASSIFICATION_TASK

    @property
    def rope(self) -> float:
        """The region of practical equivalence."""
        return self.region.rope

    @property
    def title(self) -> str:
        """The protocol in words."""
        if self.protocol.needs_times:
            return "predictions on arrival; labels are learnt when they arrive"
        return self.protocol.title

    @property
    def points(self) -> str:
        """The region of practical equivalence, in words."""
        return self.task.size(self.rope)

    @property
    def rule(self) -> str:
        """How the verdict follows from the interval, in words."""
        if not self.rope:
            return f"beats if the interval is above 0, loses to if below; otherwise {UNDECIDED}"
        of = self.region.baseline
        part = f", {100 * REGION_PART:g} % of the error of {of}, the better baseline," * bool(of)
        return (
            f"practically equal if the interval lies within ±{self.points}{part}; beats or loses "
            f"to if it lies beyond; otherwise, and without an interval, {UNDECIDED}"
        ).replace(",;", ";")


@dataclass(frozen=True)
class Verdict:
    """The verdict on two learners, with its evidence.

    Parameters
    ----------
    first, second : str
        A and B.
    difference : float
        Accuracy of A minus that of B, the mean over instances.
    low, high : float
        Interval of the difference; NaN where there is none. Where several pairs are compared, the
        intervals hold for all of them at once with 95 % confidence (Bonferroni).
    p_value : float
        P-value of the null hypothesis of no difference, adjusted for the number of pairs. It is at
        most 5 % where the interval does not contain 0.
    effective : float
        Effective sample size of the differences.
    sections_ahead, sections_behind : int
        Number of the 12 sections of the stream in which A is better, or worse, by surely more than
        `rope`.
    verdict : str
        The verdict with A as its subject: `FIRST`, `SECOND`, `EQUAL` or `UNDECIDED`.
    reason : str
        Reason why A cannot be told from B; empty with another verdict.
    signs : Signs or None
        Numbers of instances where A is worse, equal and better, if the differences are too few
        for an interval; otherwise None.
    task : Task
        The compared quantity; for errors the difference is that of B minus that of A.
    rope : float
        The region of practical equivalence.
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    p_value: float
    effective: float
    sections_ahead: int
    sections_behind: int
    verdict: str
    reason: str = ""
    signs: Signs | None = None
    task: Task = CLASSIFICATION_TASK
    rope: float = 0.0

    @property
    def words(self) -> str:
        """The verdict as a sentence without its full stop."""
        return f"{self.first} {self.predicate(self.second)}"

    @property
    def short(self) -> str:
        """The verdict in words, without numbers."""
        side = describe_side(self.signs, self.second)
        return f"{self.first} {side or f'{VERBS[self.verdict][0]} {self.second}'}"

    @property
    def outcome(self) -> str:
        """The verdict, or "no verdict" if all differences have one sign without an interval."""
        return "no verdict" if describe_side(self.signs, self.second) else self.verdict

    def predicate(self, other: str, *, plural: bool = False) -> str:
        """Predicate of the verdict with a name for B; the subject is A."""
        ends = (self.difference, self.low, self.high)
        why = verdict_note(ends, self.verdict, self.task, self.rope, self.reason)
        side = describe_side(self.signs, other, plural=plural)
        return verdict_predicate(
            other, self.verdict, ends, self.task, why, side=side, plural=plural
        )

    @property
    def by(self) -> str:
        """The difference with its interval."""
        return self.task.interval(self.difference, self.low, self.high)

    @property
    def turned(self) -> Verdict:
        """The same with A and B exchanged."""
        other = {FIRST: SECOND, SECOND: FIRST}.get(self.verdict, self.verdict)
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=-self.difference,
            low=-self.high,
            high=-self.low,
            sections_ahead=self.sections_behind,
            sections_behind=self.sections_ahead,
            verdict=other,
            signs=self.signs and self.signs.exchanged,
        )


def verdicts(known: Runs, learners: list[str], plan: ComparisonPlan) -> list[Verdict]:
    """A verdict for each pair of learners.

    There are two learners or more.
    """
    pairs = list(combinations(learners, 2))
    return [
        judge_pair(
            pair,
            known.apart(*pair),
            plan.rope,
            pairs=len(pairs),
            lacking=uncovered_seeds(known, pair, plan),
            task=plan.task,
        )
        for pair in pairs
    ]


def judge_pair(
    pair: tuple[str, str],
    apart: ArrayLike | Sample,
    rope: float,
    *,
    pairs: int = 1,
    lacking: str = "",
    task: Task = CLASSIFICATION_TASK,
) -> Verdict:
    """Verdict about two learners.

    `apart` is the advantage of the first learner on each instance in order of time, averaged over
    runs and folds; its `runs` are the means of each run or fold, if these are random. Intervals
    hold for `pairs` pairs simultaneously. `lacking` is the reason why other seeds are not covered,
    if they are not; then there is no interval.
    """
    sample = Sample.of(apart)
    sample = replace(sample, runs=()) if lacking else sample
    mean = stream_mean(sample, 1.0 - LEVEL / pairs)
    surely = section_signs(sample, rope)
    n_ahead, n_behind = int((surely > 0).sum()), int((surely < 0).sum())
    loosely = section_signs(sample, rope, low_threshold=True)
    turns = int((loosely > 0).sum()), int((loosely < 0).sum())
    reason = lacking or _turning(*turns) or mean.reason
    low, high = (np.nan, np.nan) if reason else (mean.low, mean.high)
    verdict = decide(low, high, rope)
    if verdict == UNDECIDED and not reason:
        reason = _undecided(pair, mean)
    p_value = np.nan if np.isnan(low) else min(1.0, pairs * mean.p_value)
    return Verdict(
        *pair,
        difference=mean.mean,
        low=low,
        high=high,
        p_value=p_value,
        effective=mean.effective,
        sections_ahead=n_ahead,
        sections_behind=n_behind,
        verdict=verdict,
        reason="" if verdict != UNDECIDED else reason,
        signs=None if lacking else mean.signs,
        task=task,
        rope=rope,
    )


def _undecided(pair: tuple[str, str], mean: StreamMean) -> str:
    """Reason why an interval is undecided."""
    if mean.low <= 0.0 <= mean.high:
        return "the interval contains 0"
    return f"{pair[0 if mean.mean > 0 else 1]} is ahead, but perhaps by what is practically none"


def _turning(n_ahead: int, n_behind: int) -> str:
    """Reason for no verdict if sections point both ways; otherwise ""."""
    return "the better learner may change over the stream" if n_ahead and n_behind else ""


def uncovered_seeds(known: Runs, pair: tuple[str, str], plan: ComparisonPlan) -> str:
    """Reason why other seeds are not covered; "" if they are."""
    shared = sorted(plan.one_seed & {*pair})
    if shared:
        return f"{one_seed_clause(shared)}, so other seeds are not covered"
    drawing = sorted((known.draws or frozenset()) & {*pair})
    if drawing and len(known.tested) < 2:
        return f"{draw_clause(drawing)}, and one run does not cover other seeds"
    return ""


def one_seed_clause(learners: Collection[str]) -> str:
    """Clause that the models of some learners share one seed."""
    return f"all models of {' and of '.join(sorted(learners))} have one seed"


def draw_clause(learners: Collection[str]) -> str:
    """Clause that some learners draw at random."""
    return f"{' and '.join(sorted(learners))} {'draws' if len(learners) == 1 else 'draw'} at random"


def check_rope(rope: Any, task: Task = CLASSIFICATION_TASK) -> float:
    """A region of practical equivalence, for accuracies a number from 0 to 1."""
    most = task.most
    if (
        isinstance(rope, bool)
        or not isinstance(rope, int | float | np.number)
        or not 0 <= rope <= most
    ):
        about = "accuracy from 0 to 1, such as 0.01" if most == 1.0 else f"{task.name} from 0"
        raise ConfigError(f"rope: expected a difference in {about}, found {rope!r}.")
    return float(rope)
