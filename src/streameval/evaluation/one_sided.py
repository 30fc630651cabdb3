"""Words for differences of one sign without an interval: neither a verdict nor a tie."""

from __future__ import annotations

from streameval.significance.stream_mean import Signs


def describe_side(signs: Signs | None, other: str, *, plural: bool = False) -> str:
    """Predicate that compares with an `other` learner by the signs of the differences.

    It is "" without signs, and if differences have both signs.
    """
    if signs is None or not signs.is_one_sided:
        return ""
    verb = "are" if plural else "is"
    if signs.zero == signs.total:
        return f"{verb} as good as {other} in each of {signs.total:,} instances"
    return f"{verb} {_comparative(signs)} than {other} in {_where(signs)}"


def reason_with_side(signs: Signs | None, reason: str) -> str:
    """Reason for the missing interval, preceded by the better learner if the other never is."""
    if signs is None or not signs.is_one_sided:
        return reason
    if signs.zero == signs.total:
        return f"neither is better in any of {signs.total:,} instances: {reason}"
    return f"the first is {_comparative(signs)} in {_where(signs)}: {reason}"


def _comparative(signs: Signs) -> str:
    return "better" if signs.positive else "worse"


def _where(signs: Signs) -> str:
    """Number of instances in which the better learner is better, in words."""
    if not signs.zero:
        return f"all {signs.total:,} instances"
    opposite = "worse" if signs.positive else "better"
    return f"{signs.total - signs.zero:,} of {signs.total:,} instances and {opposite} in none"
