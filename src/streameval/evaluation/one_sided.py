"""Differences without an interval that all point one way, in words: no verdict, but no tie."""

from __future__ import annotations

import re

from streameval.significance.stream_mean import StreamMean

_REASON = re.compile(r"the first is (?P<side>better|worse) in (?P<where>[^:]+): (?P<why>.*)")
_EQUAL = re.compile(r"neither is better in any of (?P<where>[^:]+ instances): (?P<why>.*)")


def name_side(found: StreamMean) -> StreamMean:
    """Add to the reason for no interval which learner is better, if the other never is."""
    below, at, above = found.signs
    n = below + at + above
    if not found.reason or not n or (below and above):
        return found
    if at == n:
        side = f"neither is better in any of {n:,} instances"
    else:
        better, worse = ("better", "worse") if above else ("worse", "better")
        where = f"all {n:,} instances" if not at else f"{n - at:,} of {n:,} instances"
        side = f"the first is {better} in {where}" + f" and {worse} in none" * bool(at)
    return found._replace(reason=f"{side}: {found.reason}")


def describe_side(reason: str, other: str, *, plural: bool = False) -> tuple[str, str]:
    """Predicate about an `other` learner, and why there is no interval, by `name_side`.

    The predicate is empty where differences point both ways.
    """
    verb = "are" if plural else "is"
    if equal := _EQUAL.fullmatch(reason):
        return f"{verb} as good as {other} in each of {equal['where']}", equal["why"]
    if sided := _REASON.fullmatch(reason):
        return f"{verb} {sided['side']} than {other} in {sided['where']}", sided["why"]
    return "", reason


def turn_side(reason: str) -> str:
    """Return the reason of `name_side` with the two learners exchanged."""
    if not _REASON.fullmatch(reason):
        return reason
    side, colon, why = reason.partition(":")
    other = {"better": "worse", "worse": "better"}
    return re.sub("better|worse", lambda word: other[word[0]], side) + colon + why
