"""Claims of papers: conditions, look-ups in the results of a run, and verdicts.

A claim is a line in ``claims.csv`` of a paper, and a `Predicate` with the same key in ``CLAIMS`` of
the paper's package. Thresholds are fixed before a run. They are in ``published.py`` of the paper or
in this module. ``docs/rules.csv`` records the date of each rule and its changes; a test compares it
with the code.
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
    figure_data,
    reported_accuracies,
    require_number,
)
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.stream_mean import N_SECTIONS
from streameval.view.numbers import number_text

#: Above this κ, agreement is at least "moderate": Landis and Koch (1977), The measurement of
#: observer agreement for categorical data, p. 165.
MIN_GOOD_KAPPA = 0.4
#: Up to this κ agreement is "slight" (ibid.).
MAX_SLIGHT_KAPPA = 0.2


class Condition(NamedTuple):
    """A part of a claim: whether it holds (None if undecided), and a text with its numbers."""

    holds: bool | None
    text: str

    @property
    def fails(self) -> bool:
        """Whether the condition is decided and does not hold."""
        return self.holds is not None and not self.holds


Outcome = TypeVar("Outcome")
#: Function that checks a claim and returns its conditions, or raises `NotRunError`.
Check = Callable[[Results], list[Condition]]


class Need(NamedTuple):
    """Data that a figure must have before a claim about it can be judged.

    The data of a figure are files ``stream.part.csv``, one for each of `streams`. Each must have in
    its `column` all `values`, and at least `min_distinct` different values. `where` restricts the
    rows by the values of other columns. With `may_lack_streams`, a run at a lower scale may leave
    streams out; the verdict is then "lower scale" instead of "not run".
    """

    figure: str
    part: str
    streams: tuple[str, ...]
    column: str
    values: tuple[int, ...] = ()
    min_distinct: int = 0
    where: Mapping[str, str] = {}
    may_lack_streams: bool = False

    def missing_value_texts(self, results: Results) -> list[str]:
        """Text on the values that each stream lacks; streams without any data are ignored."""
        return [
            f"{self.figure}, {stream}: needs {missing}"
            for stream in self.streams
            for frame, _ in [results.find_figure_data(self.figure, stream, self.part)]
            if frame is not None
            for missing in [self._missing_values(frame)]
            if missing
        ]

    def reasons_for_missing_streams(self, results: Results) -> list[str]:
        """Reason for each required stream without any data; none with `may_lack_streams`."""
        streams = () if self.may_lack_streams else self.streams
        data = (results.find_figure_data(self.figure, stream, self.part) for stream in streams)
        return [reason for frame, reason in data if frame is None]

    def _missing_values(self, frame: pd.DataFrame) -> str:
        for column, value in self.where.items():
            frame = frame[frame[column] == value]
        present = set(frame[self.column].unique())
        missing = [value for value in self.values if value not in present]
        column_text = " ".join([self.column, *(f"({value})" for value in self.where.values())])
        if missing:
            return f"{column_text} {', '.join(map(str, missing))} too"
        if len(present) < self.min_distinct:
            return f"{self.min_distinct} values of {column_text}, found {len(present)}"
        return ""


class Predicate(NamedTuple):
    """A claim in terms of numbers, with the data that it needs.

    `alternative` is a second rule; its verdict is added to the reason. A claim is `universal` if
    the paper makes it about all cases, or without restriction: one counterexample refutes it. Other
    claims can hold in part.
    """

    rule: str
    check: Check
    needs: tuple[Need, ...] = ()
    alternative: Predicate | None = None
    universal: bool = True

    @property
    def rule_text(self) -> str:
        """The rule as text, with the meaning of a counterexample."""
        return f"{self.rule}; {UNIVERSAL}" if self.universal else self.rule


# Phrases of rules. A change of them is a change of docs/rules.csv.
#: The end of the rule of a universal claim.
UNIVERSAL = "the claim is about all of these, so one that fails refutes it"
COUNT_RULE = "as many reported accuracies are above our own No-Change, and as many are reported"
INTERVAL_RULE = (
    f"a difference in accuracy counts where its whole {100 * CONFIDENCE:g} % interval is on one "
    f"side (that of the mean of a stream, over {N_SECTIONS} blocks of time), and is undecided "
    "where it is not or where there is none"
)


class AccuracyGap(NamedTuple):
    """Difference in accuracy of two learners, with the ends of its interval."""

    value: float
    low: float
    high: float

    def above(self, bound: float = 0.0) -> bool | None:
        """Whether the difference is above a bound; None if the interval contains the bound."""
        if self.low > bound:
            return True
        return False if self.high <= bound else None

    def at_most(self, bound: float = 0.0) -> bool | None:
        """Whether the difference is not above a bound; None if the interval contains it."""
        above = self.above(bound)
        return None if above is None else not above

    def within(self, bound: float) -> bool | None:
        """Whether the difference is between -bound and bound; None if undecided."""
        if -bound <= self.low and self.high <= bound:
            return True
        return False if self.low > bound or self.high < -bound else None

    @property
    def text(self) -> str:
        """The difference and its interval as text."""
        value, low, high = (number_text(number, decimals=5) for number in self)
        return f"{value} [{low}, {high}]"


def most_hold(verdicts: Sequence[bool | None]) -> bool | None:
    """Whether more than half of the conditions hold; None if it depends on the undecided ones."""
    n_true = sum(verdict is True for verdict in verdicts)
    n_undecided = sum(verdict is None for verdict in verdicts)
    if 2 * n_true > len(verdicts):
        return True
    return None if 2 * (n_true + n_undecided) > len(verdicts) else False


def accuracy_gaps(
    results: Results, stream: str, pairs: Sequence[tuple[str, str]]
) -> list[AccuracyGap]:
    """Accuracy differences of pairs of learners; raises NotRunError if one is missing."""
    gaps = []
    for learner, other in pairs:
        difference, low, high = (
            results.find("differences", stream, column, learner=learner, other=other)
            for column in ("difference", "low", "high")
        )
        # Ends are NaN if there is no interval; comparisons with a bound are then undecided.
        gaps.append(AccuracyGap(require_number(difference), low.value, high.value))
    return gaps


def collect_outcomes(
    cases: Iterable[str], compute: Callable[[str], Outcome]
) -> tuple[dict[str, Outcome], list[str]]:
    """Outcomes by case, and the reasons of the cases that raise NotRunError."""
    outcomes, reasons = dict[str, Outcome](), list[str]()
    for case in cases:
        try:
            outcomes[case] = compute(case)
        except NotRunError as reason:
            reasons.append(str(reason))
    return outcomes, reasons


def accuracy_gaps_of_rows(rows: pd.DataFrame, column: str) -> list[AccuracyGap]:
    """Accuracy differences in a column of a table, with the intervals in low and high."""
    values = rows[[column, "low", "high"]].to_numpy(float).tolist()
    return [AccuracyGap(*row) for row in values]


def require_all_unless_failed(conditions: list[Condition], reasons: list[str]) -> list[Condition]:
    """Conditions on several streams; raises NotRunError if some streams could not be checked.

    `reasons` are those of the streams that could not be checked. If a condition fails on another
    stream, the claim fails anyway, so nothing is raised.
    """
    if not reasons:
        return conditions
    if not any(condition.fails for condition in conditions):
        raise NotRunError("; ".join([*(condition.text for condition in conditions), *reasons]))
    *first, last = conditions
    return [*first, last._replace(text=f"{last.text}. Not checked: {'; '.join(reasons)}")]


def check_each(cases: Iterable[str], check: Callable[[Results, str], list[Condition]]) -> Check:
    """Check that applies `check` to several streams or figures; see `require_all_unless_failed`."""
    all_cases = tuple(cases)

    def check_all(results: Results) -> list[Condition]:
        outcomes, reasons = collect_outcomes(all_cases, lambda case: check(results, case))
        return require_all_unless_failed([*chain.from_iterable(outcomes.values())], reasons)

    return check_all


def check_figure_data(
    figure: str,
    part: str,
    streams: Sequence[str],
    check: Callable[[pd.DataFrame, str], list[Condition]],
) -> Check:
    """Check of the data of a figure, ``paper/item``, on several streams; see `check_each`."""
    return check_each(
        streams,
        lambda results, stream: check(figure_data(results, figure, stream, part), stream),
    )


def check_differences(
    streams: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    check: Callable[[str, str, str, AccuracyGap], Condition],
) -> Check:
    """Check of accuracy differences of pairs of learners on several streams; see `check_each`."""

    def check_stream(results: Results, stream: str) -> list[Condition]:
        gaps = accuracy_gaps(results, stream, pairs)
        return [check(stream, *pair, gap) for pair, gap in zip(pairs, gaps, strict=True)]

    return check_each(streams, check_stream)


def check_survey_counts(item: str, above: int, reported: int) -> Check:
    """Check of a table of reported accuracies: `above` of `reported` are above our No-Change."""

    def check(results: Results) -> list[Condition]:
        counts = above_no_change(reported_accuracies(results, item))
        text = f"{counts[0]} of {counts[1]} reported accuracies are above our No-Change, "
        text += f"{above} of {reported} in the paper"
        return [Condition(counts == (above, reported), text)]

    return check


NO_STUDY = "the study that it needs is not part of this version"
# Verdicts on claims, see `judge`.
HOLDS = "claim holds"
IN_PART = "claim holds in part"
FAILS = "claim does not hold"
UNDECIDED = "claim undecided"
LOWER_SCALE = "not run: lower scale"
NOT_RUN = "not run"
#: The rule of a claim or number without a verdict.
NO_RULE = f"none: {NOT_RUN}"


class Judgement(NamedTuple):
    """A checked claim; `proportion` is the fraction of conditions that hold, NaN if not run."""

    proportion: float
    verdict: str
    rule: str
    reason: str


def judge(predicate: Predicate | None, results: Results) -> Judgement:
    """Check a claim against the results of a run; without a predicate no study can check it.

    - It holds if all conditions hold.
    - It does not hold if conditions fail, and none holds or the claim is universal.
    - It holds in part if conditions fail and others hold.
    - It is undecided if no condition fails and some are undecided.
    - It is not run if the run lacks data that the claim needs.

    If the predicate has an alternative rule, the reason also has its verdict.
    """
    if predicate is None:
        return Judgement(np.nan, NOT_RUN, NO_RULE, NO_STUDY)
    judgement = _judge_rule(predicate, results)
    if predicate.alternative is None or judgement.verdict in (NOT_RUN, LOWER_SCALE):
        return judgement
    alternative = _judge_rule(predicate.alternative, results)
    addition = (
        f". By another rule ({alternative.rule}): {alternative.verdict}, {alternative.reason}"
    )
    return judgement._replace(reason=judgement.reason + addition)


def _judge_rule(predicate: Predicate, results: Results) -> Judgement:
    """Judgement by the rule of a predicate, without its alternative."""
    needs = predicate.needs
    incomplete = [text for need in needs for text in need.missing_value_texts(results)]
    # If no values are missing, the check itself raises NotRunError for missing streams.
    if incomplete:
        missing_streams = [
            reason for need in needs for reason in need.reasons_for_missing_streams(results)
        ]
        texts = dict.fromkeys([*incomplete, *missing_streams])  # each text once
        reason = "; ".join(texts) + ". config/paper.yaml has all of it"
        verdict = NOT_RUN if missing_streams else LOWER_SCALE
        return Judgement(np.nan, verdict, predicate.rule_text, reason)
    try:
        conditions = predicate.check(results)
    except NotRunError as reason:
        return Judgement(np.nan, NOT_RUN, predicate.rule_text, str(reason))
    proportion = sum(bool(condition.holds) for condition in conditions) / len(conditions)
    numbers = "; ".join(_prefix(condition) + condition.text for condition in conditions)
    verdict = _verdict(conditions, predicate.universal)
    if verdict == UNDECIDED or 0 < proportion < 1:
        numbers = f"{_counts_text(conditions)}: {numbers}"
    return Judgement(proportion, verdict, predicate.rule_text, numbers)


def _prefix(condition: Condition) -> str:
    return "NOT " if condition.fails else ("" if condition.holds else "UNDECIDED ")


def _verdict(conditions: list[Condition], universal: bool) -> str:
    if all(condition.holds for condition in conditions):
        return HOLDS
    if not any(condition.fails for condition in conditions):
        return UNDECIDED
    return IN_PART if not universal and any(condition.holds for condition in conditions) else FAILS


def _counts_text(conditions: list[Condition]) -> str:
    """Text with the number of conditions that hold, and of undecided conditions."""
    n_true = sum(bool(condition.holds) for condition in conditions)
    n_undecided = sum(condition.holds is None for condition in conditions)
    text = f"{n_true} of {len(conditions)} conditions"
    return f"{text}, {n_undecided} undecided" if n_undecided else text
