"""What a claim is made of, and what claims of all papers look up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from streameval.report.frames import as_flags
from streameval.report.results import LITERATURE, Results, above_no_change
from streameval.report.tables import number_text
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.stream_mean import SECTIONS


class Condition(NamedTuple):
    """A part of a claim: whether it holds, None if that is undecided, and the numbers."""

    holds: bool | None
    numbers: str

    @property
    def fails(self) -> bool:
        """Whether the condition is decided and does not hold."""
        return self.holds is not None and not self.holds


#: The conditions of a claim, or why they cannot be checked in this run.
Outcome = list[Condition] | str


class Need(NamedTuple):
    """What the data of a figure must contain before a claim about the figure is judged.

    Parameters
    ----------
    figure, part : str
        The item, ``paper/item``, and which of its frames.
    streams : tuple of str
        The streams whose data are needed.
    column : str
        The column to look at.
    values : tuple of int
        Values that it must contain.
    distinct : int
        How many different values it must have at least.
    where : mapping of str to str
        What other columns must hold.
    fewer : bool
        Whether a lower scale may leave some of the streams out: then that is no other reason why
        the claim is not judged.
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
        """Return what the run's data lack, stream by stream; nothing about missing streams."""
        return [
            f"{self.figure}, {stream}: needs {lacking}"
            for stream in self.streams
            for frame, _ in [results.trace(self.figure, stream, self.part)]
            if frame is not None
            for lacking in [self._lacking(frame)]
            if lacking
        ]

    def absent(self, results: Results) -> list[str]:
        """Return why data are missing altogether, stream by stream."""
        streams = () if self.fewer else self.streams
        found = (results.trace(self.figure, stream, self.part) for stream in streams)
        return [reason for frame, reason in found if frame is None]

    def _lacking(self, frame: pd.DataFrame) -> str:
        for column, value in self.where.items():
            frame = frame[frame[column] == value]
        found = set(frame[self.column].unique())
        lacking = [value for value in self.values if value not in found]
        what = " ".join([self.column, *(f"({value})" for value in self.where.values())])
        if lacking:
            return f"{what} {', '.join(map(str, lacking))} too"
        if len(found) < self.distinct:
            return f"{self.distinct} values of {what}, found {len(found)}"
        return ""


class Predicate(NamedTuple):
    """A claim in terms of numbers.

    Parameters
    ----------
    rule : str
        What decides, in words.
    check : callable
        The function that follows the rule.
    needs : tuple of Need
        What must be in the run's data; with less the claim is not judged.
    other : Predicate, optional
        Another rule for the same claim, whose result is shown beside.
    universal : bool
        Whether the paper says it of all cases, in words such as "all", "any", "both" and "no", or
        without any restriction: then a single case that fails refutes it. A claim about most
        cases, or about some, can hold in part.
    """

    rule: str
    check: Callable[[Results], Outcome]
    needs: tuple[Need, ...] = ()
    other: Predicate | None = None
    universal: bool = False

    @property
    def stated(self) -> str:
        """The rule in words, with what one counterexample means."""
        return f"{self.rule}; {UNIVERSAL}" if self.universal else self.rule


#: What the rule of a universal claim adds.
UNIVERSAL = "the claim is about all of these, so one that fails refutes it"


COUNT = "as many reported accuracies are above our own No-Change, and as many are reported"
BY_INTERVAL = (
    f"a difference in accuracy counts where its whole {100 * CONFIDENCE:g} % interval is on one "
    f"side (that of the mean of a stream, over {SECTIONS} blocks of time), and is undecided where "
    "it is not or where there is none"
)


class Difference(NamedTuple):
    """The accuracy of a learner less that of another one, with the ends of its interval."""

    value: float
    low: float
    high: float

    def above(self, least: float = 0.0) -> bool | None:
        """Whether the difference is above a value; None if the interval does not tell."""
        if self.low > least:
            return True
        return False if self.high <= least else None

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


def differences(
    results: Results, stream: str, pairs: Sequence[tuple[str, str]]
) -> tuple[list[Difference], str]:
    """Return accuracy differences of pairs of learners, and why the first missing one is."""
    found, lacking = [], ""
    for learner, other in pairs:
        ends = [
            results.find("differences", stream, column, learner=learner, other=other)
            for column in ("difference", "low", "high")
        ]
        lacking = lacking or ends[0].reason
        found.append(Difference(*(end.value for end in ends)))
    return found, lacking


def unless_lacking(conditions: list[Condition], reasons: list[str]) -> Outcome:
    """Return the conditions on several streams, or why not all of them could be checked.

    What fails on one stream fails, whatever the others would have said.
    """
    if not reasons:
        return conditions
    if not any(condition.fails for condition in conditions):
        return "; ".join([*(condition.numbers for condition in conditions), *reasons])
    *first, last = conditions
    return [*first, last._replace(numbers=f"{last.numbers}. Not checked: {'; '.join(reasons)}")]


def of_traces(
    results: Results,
    figure: str,
    part: str,
    streams: Sequence[str],
    check: Callable[[pd.DataFrame, str], Outcome],
) -> Outcome:
    """Return what a check finds in the data of a figure, for several streams.

    Parameters
    ----------
    results : Results
        What the run has made.
    figure, part : str
        The item, ``paper/item``, and which of its frames.
    streams : sequence of str
        All of these have to be there, unless one fails.
    check : callable
        Maps a frame and its stream to conditions, or to why the frame does not show them.
    """
    conditions, reasons = [], []
    for stream in streams:
        frame, lacking = results.trace(figure, stream, part)
        found = lacking if frame is None else check(frame, stream)
        if isinstance(found, str):
            reasons.append(found)
        else:
            conditions += found
    return unless_lacking(conditions, reasons)


def of_learners(
    results: Results, stream: str, measure: str, learners: Sequence[str]
) -> tuple[dict[str, float], str]:
    """Return a measure by learner, and why the first one that is lacking is."""
    found = {
        learner: results.find("measures", stream, learner=learner, measure=measure)
        for learner in learners
    }
    lacking = next((finding.reason for finding in found.values() if finding.reason), "")
    return {learner: finding.value for learner, finding in found.items()}, lacking


def few_are_above(item: str, above: int, reported: int) -> Callable[[Results], Outcome]:
    """Return the check that so many accuracies of a survey are above our own No-Change."""

    def check(results: Results) -> Outcome:
        table = results.frame(item, LITERATURE)
        if table is None:
            return results.absence(item, "elec2")
        if not as_flags(table["measured"], item).any():
            return results.absence("No-Change", "elec2")
        found = above_no_change(table)
        return [
            Condition(
                found == (above, reported),
                f"{found[0]} of {found[1]} reported accuracies are above our No-Change, "
                f"{above} of {reported} in the paper",
            )
        ]

    return check
