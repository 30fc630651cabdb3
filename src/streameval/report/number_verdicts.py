"""Verdict on a published number compared with ours: same digits, or within sampling error."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from streameval.base.rounding import round_half_up, truncate
from streameval.report.claims import NO_RULE, NOT_RUN
from streameval.report.results import Finding
from streameval.significance.intervals import Interval, interval_of_difference, wilson_interval
from streameval.view.numbers import number_text

# Verdicts on numbers.
REPRODUCED = "reproduced"
TRUNCATED = "reproduced if truncated"
DIFFERS = "differs"
#: Verdict on an estimate, which has an interval; the alternative is DIFFERS.
WITHIN = "within sampling error"
# Verdicts on estimates of a run that is smaller than the paper's.
WITHIN_LOWER = f"{WITHIN}, at a lower scale"
DIFFERS_LOWER = f"{DIFFERS}, at a lower scale"
# Rules, which explain the verdicts to readers. A change of them is a change of docs/rules.csv.
SAME_DIGITS = (
    "reproduced: ours, rounded half up to as many decimals, has the published digits; reproduced "
    "if truncated: it has them if cut off there; ratios of counts are rounded exactly"
)
SAME_COUNT = "counts are equal"
_LOWER_SCALE_RULE = (
    "at a lower scale: runs are shorter than the paper's, or an average is not over its streams, "
    "so neither verdict decides"
)
SAMPLING = (
    "within sampling error: the published number is in the 95 % interval of ours, widened by half "
    "a unit of its last printed digit; the sampling error of the published number itself is not "
    f"counted, as the paper does not tell its number of runs; {_LOWER_SCALE_RULE}"
)
TWO_SAMPLES = (
    "within sampling error: the 95 % interval of the difference between our rate and the published "
    "one, widened by half a unit of the last printed digit, contains 0 (Newcombe's interval, from "
    "our runs and the paper's, which are 50 for each stream; of averages from the runs of all "
    f"streams together); {_LOWER_SCALE_RULE}"
)
OVER_SEEDS = (
    "within sampling error: the published number is in the 95 % interval around our mean over "
    "seeds for the mean of as many other seeds as it has, one unless its file says so, "
    "widened by half a unit of the last printed digit"
)


class NumberVerdict(NamedTuple):
    """Verdict on a published number; `ours` and `difference` are NaN if we have no number."""

    ours: float
    difference: float  # ours - published
    verdict: str
    rule: str
    reason: str


def compare_number(
    published: str, finding: Finding, is_count: bool = False, sampling: str = SAMPLING
) -> NumberVerdict:
    """Compare a published number with ours.

    Parameters
    ----------
    published : str
        The printed digits.
    finding : Finding
        Our number; an estimate has an interval.
    is_count : bool
        Whether the number is a count, which has to be equal.
    sampling : str
        Text of the rule for estimates that are not proportions of runs.
    """
    if finding.reason:
        return NumberVerdict(np.nan, np.nan, NOT_RUN, NO_RULE, finding.reason)
    # `repr` has the digits that a reader sees, which decide how the number is rounded.
    exact = finding.exact if finding.exact is not None else Fraction(repr(finding.value))
    published_number = Decimal(published)
    difference = float(exact - Fraction(published_number))
    if finding.interval:
        return NumberVerdict(
            finding.value, difference, *_estimate_verdict(published_number, finding, sampling)
        )
    if is_count:
        same, rule = exact == published_number, SAME_COUNT
        reason = f"ours is {number_text(int(finding.value))}"
    else:
        decimals = len(published.partition(".")[2])
        rounded, rule = round_half_up(exact, decimals), SAME_DIGITS
        same = rounded == published_number
        reason = f"ours, {number_text(finding.value)}, rounds to {rounded}"
    if same:
        return NumberVerdict(finding.value, difference, REPRODUCED, rule, reason)
    reason += f", which differs from {published}: ours is {_difference_text(difference, is_count)}"
    if not is_count and truncate(exact, decimals) == published_number:
        reason += "; equal if truncated instead of rounded"
        return NumberVerdict(finding.value, difference, TRUNCATED, rule, reason)
    return NumberVerdict(finding.value, difference, DIFFERS, rule, reason)


def _estimate_verdict(published: Decimal, finding: Finding, sampling: str) -> tuple[str, str, str]:
    """Verdict, rule and reason for an estimate."""
    is_within = agrees(published, finding)
    reason = f"ours is {number_text(finding.value)}, {_interval_text(finding.interval)}"
    rule = TWO_SAMPLES if finding.n_runs else sampling
    if not finding.lower_scale:
        return WITHIN if is_within else DIFFERS, rule, reason
    verdict = WITHIN_LOWER if is_within else DIFFERS_LOWER
    return verdict, rule, f"{reason}. At a lower scale: {finding.lower_scale}"


def agrees(published: Decimal, finding: Finding) -> bool:
    """Whether a published number and ours differ by no more than their sampling errors.

    `published` has the printed digits. A published proportion of runs has Wilson's interval; for
    other numbers the sampling error is unknown and not counted.
    """
    low, high = (float(end) for end in finding.interval or ())
    value, n_runs = float(published), finding.n_runs
    ends = wilson_interval(value * n_runs, n_runs) if n_runs else (value, value)
    gap = interval_of_difference(Interval(finding.value, low, high), Interval(value, *ends))
    # Half a unit of the last printed digit, by which the paper may have rounded.
    half_unit = float(Decimal(5).scaleb(int(published.as_tuple().exponent) - 1))
    return gap.low <= half_unit and gap.high >= -half_unit


def _interval_text(interval: tuple[float, float] | None) -> str:
    low, high = interval or (np.nan, np.nan)
    return f"from {number_text(low)} to {number_text(high)} ({number_text(high - low)} wide)"


def _difference_text(difference: float, is_count: bool) -> str:
    size = number_text(int(abs(difference)) if is_count else abs(difference))
    return f"{size} {'higher' if difference > 0 else 'lower'}"
