"""What the first page says of streams of one's own: whether learners beat the baselines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from streameval.evaluation.over_baselines import OverBaseline
from streameval.evaluation.roles import MAJORITY, NO_CHANGE, PREVIOUS_TARGET, TARGET_MEAN
from streameval.report.markup import rst_text
from streameval.report.names import listed
from streameval.report.tables import number_text

_CALLED = {
    NO_CHANGE: "No-Change",
    MAJORITY: "Majority",
    PREVIOUS_TARGET: "the previous target",
    TARGET_MEAN: "the target mean",
}
_MEANING = {
    NO_CHANGE: "No-Change repeats the latest label that is known.",
    MAJORITY: "Majority predicts the most frequent class so far.",
    PREVIOUS_TARGET: "The previous target is the latest that is known.",
    TARGET_MEAN: "The target mean is that of all targets so far.",
}
_POINTS = "Differences in accuracy are in percentage points, with 95 % intervals."
_SKILL = (
    "Skill is by how much the learner errs less than the baseline under the same delay, in "
    "proportion: 1 is perfect, 0 as good as the baseline; with 95 % intervals. It is about "
    "predictions on arrival."
)


class Found(NamedTuple):
    """What was found on a stream by a protocol.

    Parameters
    ----------
    stream : str
        Its id.
    protocol : str
        In words.
    rows : sequence of OverBaseline
        By how much learners are better than baselines.
    """

    stream: str
    protocol: str
    rows: Sequence[OverBaseline]


def own_findings(
    found: Sequence[Found], streams: Mapping[str, Mapping[str, Any]], learners: Mapping[str, str]
) -> Iterator[str]:
    """Yield paragraphs in reStructuredText: a line for each learner on each stream.

    A learner is compared once on a stream, by the first protocol that has it.

    Parameters
    ----------
    found : sequence of Found
        What was found, stream by stream.
    streams : mapping
        Entries of the registry as plain data, by id.
    learners : mapping of str to str
        Names of the learners by id.
    """
    told, explained = set[tuple[str, str]](), set[str]()
    for stream, protocol, rows in found:
        by_learner: dict[str, list[OverBaseline]] = {}
        for row in rows:
            if (stream, row.learner) not in told:
                by_learner.setdefault(row.learner, []).append(row)
        told |= {(stream, name) for name in by_learner}
        if not by_learner:
            continue
        shown = [row for of in by_learner.values() for row in of]
        baselines = list(dict.fromkeys(row.baseline for row in shown))
        meanings = [_MEANING[name] for name in baselines]
        meanings += [_SKILL if any(row.is_skill for row in shown) else _POINTS]
        new = [text for text in meanings if text not in explained]
        explained.update(new)
        asked = f"does a learner beat {listed([_CALLED[name] for name in baselines])}?"
        head = f"**{rst_text(str(streams[stream]['title']))}: {asked}** Protocol: {protocol}."
        yield " ".join([head, *new])
        yield "\n".join(_line(learners[name], rows) for name, rows in by_learner.items())


def _line(title: str, rows: Sequence[OverBaseline]) -> str:
    said = "; ".join(map(_compared, rows))
    correct = f" {100 * rows[0].accuracy:.1f} % of its predictions are correct."
    share = "" if rows[0].is_skill else correct
    return f"* **{rst_text(title)}** {said}.{share}"


def _compared(one: OverBaseline) -> str:
    """Say whether a learner is better than a baseline, by the interval."""
    other = _CALLED[one.baseline]
    numbers = (one.value, one.low, one.high)
    value, low, high = (number_text(x if one.is_skill else 100 * x, 2) for x in numbers)
    value = f"skill {value}" if one.is_skill else value
    if math.isnan(one.low):
        return f"cannot be told from {other}: {value}, too few effective instances for an interval"
    interval = f"{value} ({low} to {high})"
    if one.low > 0:
        return f"beats {other} by {interval}"
    if one.high < 0:
        return f"is worse than {other}: {interval}"
    return f"may or may not beat {other}, this run cannot tell: {interval}"
