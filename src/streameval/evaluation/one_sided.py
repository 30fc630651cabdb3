"""Texts for a difference without an interval, if no instance favours the other learner.

There are too few differences for a verdict, but all have one sign or are 0.
"""

from __future__ import annotations

from streameval.significance.stream_mean import Signs


def one_sided_predicate(signs: Signs | None, other: str, *, plural: bool = False) -> str:
    """Predicate that says on how many instances the subject is better, or worse, than `other`.

    It is "" without signs, or if the differences have both signs.
    """
    if signs is None or not signs.is_one_sided:
        return ""
    verb = "are" if plural else "is"
    if signs.zero == signs.total:
        return f"{verb} as good as {other} in each of {signs.total:,} instances"
    return f"{verb} {_comparative(signs)} than {other} in {_instances_text(signs)}"


def one_sided_reason(signs: Signs | None, reason: str) -> str:
    """Reason for the missing interval, after the better learner if differences have one sign."""
    if signs is None or not signs.is_one_sided:
        return reason
    if signs.zero == signs.total:
        return f"neither is better in any of {signs.total:,} instances: {reason}"
    return f"the first is {_comparative(signs)} in {_instances_text(signs)}: {reason}"


def _comparative(signs: Signs) -> str:
    return "better" if signs.positive else "worse"


def _instances_text(signs: Signs) -> str:
    """Text with the number of instances in which the learners differ."""
    if not signs.zero:
        return f"all {signs.total:,} instances"
    opposite = "worse" if signs.positive else "better"
    return f"{signs.total - signs.zero:,} of {signs.total:,} instances and {opposite} in none"
