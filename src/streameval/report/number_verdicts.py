"""The verdict on one published number beside ours: the same digits, or within sampling error."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np

from streameval.base.rounding import round_half_up, truncate
from streameval.report.claims import NO_RULE, NOT_RUN
from streameval.report.results import Finding
from streameval.significance.intervals import Interval, interval_of_difference, wilson_interval
from streameval.view.numbers import number_text

#: Verdicts on numbers.
REPRODUCED, TRUNCATED, DIFFERS = "reproduced", "reproduced if truncated", "differs"
#: Verdicts on estimates, which have an interval.
WITHIN = "within sampling error"
#: Verdicts on estimates of a run that is smaller than the paper's.
WITHIN_LOWER, DIFFERS_LOWER = (f"{verdict}, at a lower scale" for verdict in (WITHIN, DIFFERS))
SAME_DIGITS = (
    "reproduced: ours, rounded half up to as many decimals, has the published digits; reproduced "
    "if truncated: it has them if cut off there; ratios of counts are rounded exactly"
)
SAME_COUNT = "counts are equal"
_LOWER = (
    "at a lower scale: runs are shorter than the paper's, or an average is not over its streams, "
    "so neither verdict decides"
)
SAMPLING = (
    "within sampling error: the published number is in the 95 % interval of ours, widened by half "
    "a unit of its last printed digit; the sampling error of the published number itself is not "
    f"counted, as the paper does not tell its number of runs; {_LOWER}"
)
TWO_SAMPLES = (
    "within sampling error: the 95 % interval of the difference between our rate and the published "
    "one, widened by half a unit of the last printed digit, contains 0 (Newcombe's interval, from "
    "our runs and the paper's, which are 50 for each stream; of averages from the runs of all "
    f"streams together); {_LOWER}"
)
OVER_SEEDS = (
    "within sampling error: the published number is in the 95 % interval around our mean over "
    "seeds for the mean of as many other seeds as it has, one unless its file says so, "
    "widened by half a unit of the last printed digit"
)


def compare_number(
    published: str, finding: Finding, is_count: bool = False, sampling: str = SAMPLING
) -> tuple[float, float, str, str, str]:
    """Compare a published number with ours.

    Parameters
    ----------
    published : str
        The digits that are printed.
    finding : Finding
        Our number; an estimate has an interval.
    is_count : bool
        True for numbers that are counted, which have to be equal.
    sampling : str
        Rule of estimates that are no proportion of runs.

    Returns
    -------
    tuple
        Ours, the difference ours - published, the verdict, its rule and the reason. The first two
        are NaN where there is none of ours.
    """
    if finding.reason:
        return np.nan, np.nan, NOT_RUN, NO_RULE, finding.reason
    exact = finding.exact if finding.exact is not None else Fraction(repr(finding.value))
    theirs = Decimal(published)
    difference = float(exact - Fraction(theirs))
    if finding.interval:
        return finding.value, difference, *_by_sampling(theirs, finding, sampling)
    if is_count:
        same, rule = exact == theirs, SAME_COUNT
        reason = f"ours is {number_text(int(finding.value))}"
    else:
        decimals = len(published.partition(".")[2])
        rounded, rule = round_half_up(exact, decimals), SAME_DIGITS
        same = rounded == theirs
        reason = f"ours, {number_text(finding.value)}, rounds to {rounded}"
    if same:
        return finding.value, difference, REPRODUCED, rule, reason
    reason += f", which differs from {published}: ours is {_amount(difference, is_count)}"
    if not is_count and truncate(exact, decimals) == theirs:
        reason += "; equal if truncated instead of rounded"
        return finding.value, difference, TRUNCATED, rule, reason
    return finding.value, difference, DIFFERS, rule, reason


def _by_sampling(theirs: Decimal, finding: Finding, sampling: str) -> tuple[str, str, str]:
    """Return verdict, rule and reason of an estimate."""
    is_within = agrees(theirs, finding)
    reason = f"ours is {number_text(finding.value)}, {_ends(finding.interval)}"
    rule = TWO_SAMPLES if finding.runs else sampling
    if not finding.scale:
        return WITHIN if is_within else DIFFERS, rule, reason
    verdict = WITHIN_LOWER if is_within else DIFFERS_LOWER
    return verdict, rule, f"{reason}. At a lower scale: {finding.scale}"


def agrees(theirs: Decimal, finding: Finding) -> bool:
    """Whether a published number is within the sampling error of ours and of its own.

    `theirs` has the digits that the paper prints; a proportion of runs has Wilson's interval.
    """
    low, high = (float(end) for end in finding.interval or ())
    value = float(theirs)
    own_ends = (
        wilson_interval(value * finding.runs, finding.runs) if finding.runs else (value, value)
    )
    gap = interval_of_difference(Interval(finding.value, low, high), Interval(value, *own_ends))
    half = float(Decimal(5).scaleb(int(theirs.as_tuple().exponent) - 1))
    return gap.low <= half and gap.high >= -half


def _ends(interval: tuple[float, float] | None) -> str:
    low, high = interval or (np.nan, np.nan)
    return f"from {number_text(low)} to {number_text(high)} ({number_text(high - low)} wide)"


def _amount(difference: float, is_count: bool) -> str:
    size = number_text(int(abs(difference)) if is_count else abs(difference))
    return f"{size} {'higher' if difference > 0 else 'lower'}"
