"""What a claim is made of, and what claims of all papers look up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pandas as pd

from streameval.report.frames import as_flags
from streameval.report.layouts import above_no_change
from streameval.report.results import Results

#: Landis and Koch (1977), The measurement of observer agreement for categorical data, p. 165: from
#: 0.41 agreement is "moderate", up to 0.20 it is "slight".
GOOD_KAPPA, SLIGHT_KAPPA = 0.4, 0.2


class Condition(NamedTuple):
    """A part of a claim: whether it holds, and the numbers that say so."""

    holds: bool
    numbers: str


#: The conditions of a claim, or why they cannot be checked in this run.
Outcome = list[Condition] | str


class Predicate(NamedTuple):
    """A claim in terms of numbers: the rule in words, and the function that follows it."""

    rule: str
    check: Callable[[Results], Outcome]


#: The predicates of a paper: by the paper and the key of the claim.
Predicates = dict[tuple[str, str], Predicate]

COUNT = "as many reported accuracies are above our own No-Change, and as many are reported"


def unless_lacking(conditions: list[Condition], reasons: list[str]) -> Outcome:
    """Return the conditions on several streams, or why not all of them could be checked.

    What fails on one stream fails, whatever the others would have said.
    """
    if reasons and all(condition.holds for condition in conditions):
        return "; ".join([*(condition.numbers for condition in conditions), *reasons])
    return conditions


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
        if item not in results.frames:
            return results.absence(item, "elec2")
        table = results.frames[item]
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
