"""Claims of papers: conditions, look-ups in the results of a run, and verdicts.

A claim is a line in ``claims.csv`` of the paper and a `Predicate` under its key in `CLAIMS`. Its
thresholds, in ``published.py`` there or below, are fixed before a run; ``docs/rules.csv`` records
rules, since when, and what a changed one changed. A test compares both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np
import pandas as pd

from streameval.report.results import (
    NotRunError,
    Results,
    above_no_change,
    data_of,
    number,
    reported_accuracies,
)
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.stream_mean import SECTIONS
from streameval.view.numbers import number_text

#: Landis and Koch (1977), The measurement of observer agreement for categorical data, p. 165: from
#: 0.41 agreement is "moderate", up to 0.20 it is "slight".
GOOD_KAPPA, SLIGHT_KAPPA = 0.4, 0.2


class Condition(NamedTuple):
    """A part of a claim: true, false, or None if undecided, and the numbers."""

    holds: bool | None
    numbers: str

    @property
    def fails(self) -> bool:
        """Whether the condition is decided and does not hold."""
        return self.holds is not None and not self.holds


Found = TypeVar("Found")
#: Checks a claim, or raises `NotRunError`.
Check = Callable[[Results], list[Condition]]


class Need(NamedTuple):
    """Data that a figure must have before a claim about it can be judged.

    `where` has required values of other columns; `distinct` is how many values there must be. With
    `fewer`, a lower scale may leave some streams out: that is no other reason then.
    """

    figure: str
    part: str
    streams: tuple[str, ...]
    column: str
    values: tuple[int, ...] = ()
    distinct: int = 0
    where: Mapping[str, str] = {}
    fewer: bool = False

    def short(self, results: Results) -> list[str]:
        """The lacks of the run's data, stream by stream; nothing about missing streams."""
        return [
            f"{self.figure}, {stream}: needs {lacking}"
            for stream in self.streams
            for frame, _ in [results.trace(self.figure, stream, self.part)]
            if frame is not None
            for lacking in [self._lacking(frame)]
            if lacking
        ]

    def absent(self, results: Results) -> list[str]:
        """Reasons why data are missing, stream by stream."""
        streams = () if self.fewer else self.streams
        traces = (results.trace(self.figure, stream, self.part) for stream in streams)
        return [reason for frame, reason in traces if frame is None]

    def _lacking(self, frame: pd.DataFrame) -> str:
        for column, value in self.where.items():
            frame = frame[frame[column] == value]
        present = set(frame[self.column].unique())
        lacking = [value for value in self.values if value not in present]
        what = " ".join([self.column, *(f"({value})" for value in self.where.values())])
        if lacking:
            return f"{what} {', '.join(map(str, lacking))} too"
        if len(present) < self.distinct:
            return f"{self.distinct} values of {what}, found {len(present)}"
        return ""


class Predicate(NamedTuple):
    """A claim in terms of numbers, with the data that it needs and another rule, shown beside.

    If `universal`, the paper says it of all cases, or without restriction: a single one that fails
    refutes it. Others can hold in part.
    """

    rule: str
    check: Check
    needs: tuple[Need, ...] = ()
    other: Predicate | None = None
    universal: bool = True

    @property
    def stated(self) -> str:
        """The rule in words, with the meaning of a counterexample."""
        return f"{self.rule}; {UNIVERSAL}" if self.universal else self.rule


#: The end of the rule of a universal claim.
UNIVERSAL = "the claim is about all of these, so one that fails refutes it"
COUNT = "as many reported accuracies are above our own No-Change, and as many are reported"
BY_INTERVAL = (
    f"a difference in accuracy counts where its whole {100 * CONFIDENCE:g} % interval is on one "
    f"side (that of the mean of a stream, over {SECTIONS} blocks of time), and is undecided where "
    "it is not or where there is none"
)


class AccuracyGap(NamedTuple):
    """The accuracy of a learner less that of another, with the ends of its interval."""

    value: float
    low: float
    high: float

    def above(self, least: float = 0.0) -> bool | None:
        """Whether the difference is above a value; None if the interval does not decide."""
        if self.low > least:
            return True
        return False if self.high <= least else None

    def at_most(self, most: float = 0.0) -> bool | None:
        """Whether the difference is not above a value; None as above."""
        above = self.above(most)
        return None if above is None else not above

    def within(self, most: float) -> bool | None:
        """Whether the difference is at most so large in size; None as above."""
        if -most <= self.low and self.high <= most:
            return True
        return False if self.low > most or self.high < -most else None

    @property
    def text(self) -> str:
        """The difference and its interval."""
        value, low, high = (number_text(number, 5) for number in self)
        return f"{value} [{low}, {high}]"


def most_hold(verdicts: Sequence[bool | None]) -> bool | None:
    """Whether more than half hold; None if those that are undecided decide it."""
    holding, undecided = (sum(verdict is wanted for verdict in verdicts) for wanted in (True, None))
    if 2 * holding > len(verdicts):
        return True
    return None if 2 * (holding + undecided) > len(verdicts) else False


def differences(
    results: Results, stream: str, pairs: Sequence[tuple[str, str]]
) -> list[AccuracyGap]:
    """Return accuracy differences of pairs of learners; `NotRunError` if one is missing."""
    gaps = []
    for learner, other in pairs:
        ends = [
            results.find("differences", stream, column, learner=learner, other=other)
            for column in ("difference", "low", "high")
        ]
        gaps.append(AccuracyGap(number(ends[0]), *(end.value for end in ends[1:])))
    return gaps


def each_found(
    cases: Iterable[str], find: Callable[[str], Found]
) -> tuple[dict[str, Found], list[str]]:
    """Outcomes by case, and the reasons of each `NotRunError` of other cases."""
    outcomes, reasons = dict[str, Found](), list[str]()
    for case in cases:
        try:
            outcomes[case] = find(case)
        except NotRunError as reason:
            reasons.append(str(reason))
    return outcomes, reasons


def differences_in(rows: pd.DataFrame, value: str) -> list[AccuracyGap]:
    """The differences in a column of a table, with their intervals."""
    return [AccuracyGap(*ends) for ends in rows[[value, "low", "high"]].to_numpy(float).tolist()]


def unless_lacking(conditions: list[Condition], reasons: list[str]) -> list[Condition]:
    """The conditions on several streams; `NotRunError` if not all of them could be checked.

    What fails on one stream fails, whatever the others would have said.
    """
    if not reasons:
        return conditions
    if not any(condition.fails for condition in conditions):
        raise NotRunError("; ".join([*(condition.numbers for condition in conditions), *reasons]))
    *first, last = conditions
    return [*first, last._replace(numbers=f"{last.numbers}. Not checked: {'; '.join(reasons)}")]


def on_each(cases: Iterable[str], check: Callable[[Results, str], list[Condition]]) -> Check:
    """The check of several streams or figures; all are needed, unless one fails."""
    chosen = tuple(cases)

    def of_results(results: Results) -> list[Condition]:
        outcomes, reasons = each_found(chosen, lambda case: check(results, case))
        return unless_lacking([*chain.from_iterable(outcomes.values())], reasons)

    return of_results


def of_traces(
    figure: str,
    part: str,
    streams: Sequence[str],
    check: Callable[[pd.DataFrame, str], list[Condition]],
) -> Check:
    """The check of the data of a figure, ``paper/item``, for several streams.

    All of them have to be there, unless one fails.
    """
    return on_each(
        streams,
        lambda results, stream: check(data_of(results, figure, stream, part), stream),
    )


def of_differences(
    streams: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    check: Callable[[str, str, str, AccuracyGap], Condition],
) -> Check:
    """The check of differences in accuracy of pairs of learners, on several streams.

    All of these have to be there, unless one fails.
    """

    def of_stream(results: Results, stream: str) -> list[Condition]:
        gaps = differences(results, stream, pairs)
        return [check(stream, *pair, gap) for pair, gap in zip(pairs, gaps, strict=True)]

    return on_each(streams, of_stream)


def few_are_above(item: str, above: int, reported: int) -> Check:
    """The check of the number of accuracies in a survey above our own No-Change."""

    def check(results: Results) -> list[Condition]:
        counts = above_no_change(reported_accuracies(results, item))
        text = f"{counts[0]} of {counts[1]} reported accuracies are above our No-Change, "
        text += f"{above} of {reported} in the paper"
        return [Condition(counts == (above, reported), text)]

    return check


NO_STUDY = "the study that it needs is not part of this version"
#: Verdicts on claims, see `judge`.
HOLDS, IN_PART = "claim holds", "claim holds in part"
FAILS, UNDECIDED = "claim does not hold", "claim undecided"
LOWER_SCALE, NOT_RUN = "not run: lower scale", "not run"
#: The rule of what is not judged.
NO_RULE = f"none: {NOT_RUN}"


class Judgement(NamedTuple):
    """A checked claim; `share` is the proportion of its conditions that hold, NaN if not run."""

    share: float
    verdict: str
    rule: str
    reason: str


def judge(predicate: Predicate | None, results: Results) -> Judgement:
    """Check a claim against the results of a run; without a predicate no study can check it.

    It holds if every condition does; it does not if some fail and none holds, or if some fail and
    it is universal; otherwise it holds in part. It is undecided if none fails and some are
    undecided, and not run if the run gives less than it needs. The reason says what another rule
    leads to.
    """
    if predicate is None:
        return Judgement(np.nan, NOT_RUN, NO_RULE, NO_STUDY)
    judgement = _by_rule(predicate, results)
    if predicate.other is None or judgement.verdict in (NOT_RUN, LOWER_SCALE):
        return judgement
    other = _by_rule(predicate.other, results)
    addition = f". By another rule ({other.rule}): {other.verdict}, {other.reason}"
    return judgement._replace(reason=judgement.reason + addition)


def _by_rule(predicate: Predicate, results: Results) -> Judgement:
    short = [text for need in predicate.needs for text in need.short(results)]
    if short:
        absent = [reason for need in predicate.needs for reason in need.absent(results)]
        reason = "; ".join(dict.fromkeys([*short, *absent])) + ". config/paper.yaml has all of it"
        verdict = NOT_RUN if absent else LOWER_SCALE
        return Judgement(np.nan, verdict, predicate.stated, reason)
    try:
        outcome = predicate.check(results)
    except NotRunError as reason:
        return Judgement(np.nan, NOT_RUN, predicate.stated, str(reason))
    share = sum(bool(condition.holds) for condition in outcome) / len(outcome)
    numbers = "; ".join(_mark(condition) + condition.numbers for condition in outcome)
    verdict = _verdict(outcome, predicate.universal)
    if verdict == UNDECIDED or 0 < share < 1:
        numbers = f"{_counted(outcome)}: {numbers}"
    return Judgement(share, verdict, predicate.stated, numbers)


def _mark(condition: Condition) -> str:
    return "NOT " if condition.fails else ("" if condition.holds else "UNDECIDED ")


def _verdict(conditions: list[Condition], universal: bool) -> str:
    if all(condition.holds for condition in conditions):
        return HOLDS
    if not any(condition.fails for condition in conditions):
        return UNDECIDED
    return IN_PART if not universal and any(condition.holds for condition in conditions) else FAILS


def _counted(conditions: list[Condition]) -> str:
    held = sum(bool(condition.holds) for condition in conditions)
    undecided = sum(condition.holds is None for condition in conditions)
    text = f"{held} of {len(conditions)} conditions"
    return f"{text}, {undecided} undecided" if undecided else text
