"""How a run's results are judged by what a paper says about its tables and figures.

A claim is a line in the ``claims.csv`` of the paper and, under its key in `CLAIMS` of the paper's
folder, a `Predicate`: a rule in words and a function from `Results` to `Condition`s. Its thresholds
stand in ``thresholds.py`` there. The rule gets a line at the end of ``docs/rules.csv`` before the
run that it judges.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.report.claims.condition import Condition, Predicate
from streameval.report.results import Results

NOT_PART = "the study that it needs is not part of this version"
#: Verdicts on claims, see `judge`.
HOLDS, IN_PART = "claim holds", "claim holds in part"
FAILS, UNDECIDED = "claim does not hold", "claim undecided"
LOWER_SCALE, NOT_RUN = "not run: lower scale", "not run"
#: The rule of what is not judged.
NO_RULE = f"none: {NOT_RUN}"


class Judgement(NamedTuple):
    """A checked claim; `share` is that of its conditions that hold, NaN where it was not run."""

    share: float
    verdict: str
    rule: str
    reason: str


def judge(predicate: Predicate | None, results: Results) -> Judgement:
    """Check a claim against the results of a run.

    Parameters
    ----------
    predicate : Predicate or None
        The claim; None if no study of this version can check it.
    results : Results
        What the run has measured.

    Returns
    -------
    Judgement
        "claim holds" if every condition holds; "claim does not hold" if some fail and none holds,
        or if some fail and the claim is universal; "claim holds in part" if some fail and some
        hold otherwise; "claim undecided" if none fails and some are undecided; "not run: lower
        scale" if the run's settings give less than the claim needs; "not run" if there is nothing
        to check it on. If there is another rule for the claim, the reason says what that one leads
        to.
    """
    if predicate is None:
        return Judgement(np.nan, NOT_RUN, NO_RULE, NOT_PART)
    found = _by_rule(predicate, results)
    if predicate.other is None or found.verdict in (NOT_RUN, LOWER_SCALE):
        return found
    other = _by_rule(predicate.other, results)
    beside = f". By another rule ({other.rule}): {other.verdict}, {other.reason}"
    return found._replace(reason=found.reason + beside)


def _by_rule(predicate: Predicate, results: Results) -> Judgement:
    short = [text for need in predicate.needs for text in need.short(results)]
    if short:
        absent = [reason for need in predicate.needs for reason in need.absent(results)]
        reason = "; ".join(dict.fromkeys([*short, *absent])) + ". config/paper.yaml has all of it"
        verdict = NOT_RUN if absent else LOWER_SCALE
        return Judgement(np.nan, verdict, predicate.stated, reason)
    outcome = predicate.check(results)
    if isinstance(outcome, str):
        return Judgement(np.nan, NOT_RUN, predicate.stated, outcome)
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
    some_hold = any(condition.holds for condition in conditions)
    return IN_PART if some_hold and not universal else FAILS


def _counted(conditions: list[Condition]) -> str:
    held = sum(bool(condition.holds) for condition in conditions)
    undecided = sum(condition.holds is None for condition in conditions)
    text = f"{held} of {len(conditions)} conditions"
    return f"{text}, {undecided} undecided" if undecided else text
