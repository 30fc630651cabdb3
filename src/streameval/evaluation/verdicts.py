"""Verdicts on two learners, each by a single interval that is fixed beforehand.

It is that of the mean difference of the process that makes the stream, with the chance of the
dependent instances, seeds and folds. The spread of folds alone called one of two equal learners
better in half of fresh streams. Not in it is what the models of one run have learnt from this
stream, which stays for all its instances: ``beyond/verdict_calibration`` measures how often
verdicts are false by that.
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
from streameval.evaluation.task import CLASSES, Task
from streameval.evaluation.verdict_words import (
    FIRST,
    PART,
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
    """Return the region of runs, by the mean accuracies or errors of their baselines."""
    of = {called: float(known.levels(name).mean()) for name, called in task.baselines.items()}
    return region_of(of, task)


@dataclass(frozen=True)
class ComparisonPlan:
    """The settings of a comparison, which are fixed before the run, as is the rule for its region.

    `one_seed` are learners that draw and whose models of all folds have one seed.
    """

    protocol: Protocol
    region: Region
    one_seed: frozenset[str] = frozenset()
    task: Task = CLASSES

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
        part = f", {100 * PART:g} % of the error of {of}, the better baseline," * bool(of)
        return (
            f"practically equal if the interval lies within ±{self.points}{part}; beats or loses "
            f"to if it lies beyond; otherwise, and without an interval, {UNDECIDED}"
        ).replace(",;", ";")


@dataclass(frozen=True)
class Verdict:
    """Which of two learners is better.

    Parameters
    ----------
    first, second : str
        A and B.
    difference : float
        Accuracy of A less that of B, the mean over instances.
    low, high : float
        Interval of the difference; NaN where there is none. Where several pairs are compared, the
        intervals hold for all of them at once with 95 % confidence (Bonferroni).
    p_value : float
        Of a difference of 0; adjusted for the number of pairs likewise, so that it is at most 5 %
        where the interval does not contain 0.
    effective : float
        How many independent instances the differences are worth.
    sections_ahead, sections_behind : int
        Number of the 12 sections of the stream in which A is better, or worse, by surely more than
        `rope`.
    verdict : str
        Of A about B: one of `FIRST`, `SECOND`, `EQUAL` and `UNDECIDED`.
    reason : str
        Why A cannot be told from B; empty with another verdict.
    signs : Signs or None
        Numbers of instances where A is worse, equal and better, if the differences are too few
        for an interval; otherwise None.
    task : Task
        What the difference is of; of errors, by how much that of A is lower.
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
    task: Task = CLASSES
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
        """The verdict; none where all differences point one way and there is no interval."""
        return "no verdict" if describe_side(self.signs, self.second) else self.verdict

    def predicate(self, other: str, *, plural: bool = False) -> str:
        """Return the words about A, the subject, given what B is called."""
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
    """Return a verdict for each pair of learners.

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
    task: Task = CLASSES,
) -> Verdict:
    """Return the verdict about two learners.

    `apart` is how much the first is better, for each instance in order of time, the mean over runs
    and folds, with that in each run or fold where chance is in it. Intervals hold for so many
    `pairs` at once. If it is `lacking`, why other seeds are not covered, there is no interval.
    """
    sample = Sample.of(apart)
    sample = replace(sample, runs=()) if lacking else sample
    mean = stream_mean(sample, 1.0 - LEVEL / pairs)
    surely = section_signs(sample, rope)
    n_ahead, n_behind = int((surely > 0).sum()), int((surely < 0).sum())
    loosely = section_signs(sample, rope, loosely=True)
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
    """Return why an interval does not decide."""
    if mean.low <= 0.0 <= mean.high:
        return "the interval contains 0"
    return f"{pair[0 if mean.mean > 0 else 1]} is ahead, but perhaps by what is practically none"


def _turning(n_ahead: int, n_behind: int) -> str:
    """Return a note that the better learner may change, where sections point both ways."""
    return "the better learner may change over the stream" if n_ahead and n_behind else ""


def uncovered_seeds(known: Runs, pair: tuple[str, str], plan: ComparisonPlan) -> str:
    """Return why other seeds are not covered; an empty text where they are."""
    shared = sorted(plan.one_seed & {*pair})
    if shared:
        return f"{one_seed_clause(shared)}, so other seeds are not covered"
    drawing = sorted((known.draws or frozenset()) & {*pair})
    if drawing and len(known.tested) < 2:
        return f"{draw_clause(drawing)}, and one run does not cover other seeds"
    return ""


def one_seed_clause(learners: Collection[str]) -> str:
    """Return the clause that all models of some learners have one seed."""
    return f"all models of {' and of '.join(sorted(learners))} have one seed"


def draw_clause(learners: Collection[str]) -> str:
    """Return the clause that some learners draw at random."""
    return f"{' and '.join(sorted(learners))} {'draws' if len(learners) == 1 else 'draw'} at random"


def check_rope(rope: Any, task: Task = CLASSES) -> float:
    """Return a region of practical equivalence, for accuracies a number from 0 to 1."""
    most = task.most
    if (
        isinstance(rope, bool)
        or not isinstance(rope, int | float | np.number)
        or not 0 <= rope <= most
    ):
        about = "accuracy from 0 to 1, such as 0.01" if most == 1.0 else f"{task.name} from 0"
        raise ConfigError(f"rope: expected a difference in {about}, found {rope!r}.")
    return float(rope)
