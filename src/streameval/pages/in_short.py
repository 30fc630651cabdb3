"""The sentences on top of a page: who beats the baselines, and whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from streameval.base.errors import excerpt
from streameval.evaluation.differences import Difference
from streameval.evaluation.roles import MAJORITY, NO_CHANGE, PREVIOUS_TARGET, TARGET_MEAN
from streameval.evaluation.tuning import called as called_when_tuned
from streameval.evaluation.verdict_words import (
    EQUAL,
    FIRST,
    SECOND,
    UNDECIDED,
    decide,
    error_sentence,
    sentences,
)
from streameval.pages.findings import Findings
from streameval.significance.stream_mean import StreamMean
from streameval.view.blocks import Sentence, Tone

#: What the first sentences call the baselines.
PLAIN = {
    NO_CHANGE: "repeating the previous label",
    MAJORITY: "predicting the most frequent label",
    PREVIOUS_TARGET: "repeating the previous target",
    TARGET_MEAN: "predicting the mean so far",
}
LATEST = {
    NO_CHANGE: "repeating the latest known label",
    PREVIOUS_TARGET: "repeating the latest known target",
}
#: From so many learners on, the best one is named first.
_SEVERAL = 3
#: Pairs of learners whose verdicts stand on top; more stand with the verdicts only.
MOST_PAIRS = 6


def _called(found: Findings) -> dict[str, str]:
    seasons = {name: f"repeating {found.task.called(name)}" for name in found.task.baselines}
    called = {**seasons, **PLAIN, **(LATEST if found.result.delays else {})}
    groups = found.stream.groups
    own = "" if groups is None else f" of the same {excerpt(groups.column)}"
    return {name: f"{what}{own}" for name, what in called.items()}


def in_short(found: Findings) -> list[Sentence]:
    """Return the sentences on baselines, then those on pairs of learners."""
    names, told, rope = _called(found), _best(found), found.compared.plan.rope
    for name in found.learners:
        over, known = found.over[name], called_when_tuned(found.result.tuned, name)
        if found.task.is_counted:
            # The first sentence has the intervals, others are on differences without any.
            tones: list[Tone] = [_tone(one, rope) for one in over.values() if not one.reason][:1]
            for sentence in sentences(known, _differences(over), rope, names):
                told.append(Sentence(sentence, tone=tones.pop() if tones else "open"))
        else:
            told += [
                Sentence(
                    error_sentence(known, names[base], one, rope), tone=_tone(over[base], rope)
                )
                for base, one in _differences(over).items()
            ]
    if (check := found.persistence) is not None and check.within is not None:
        told.append(Sentence(check.within.sentence))
    return told + on_pairs(found)[:MOST_PAIRS]


def _best(found: Findings) -> list[Sentence]:
    """Return which of three or more learners beats all others, by their verdicts."""
    if len(found.learners) < _SEVERAL:
        return []
    wins = Counter(
        one.first if one.verdict == FIRST else one.second
        for one in found.pairs
        if one.verdict in (FIRST, SECOND)
    )
    others = len(found.learners) - 1
    for name, won in wins.items():
        if won == others:
            return [Sentence(f"{name} beats each of the {others} other learners.", tone="good")]
    return [Sentence(f"None of the {others + 1} learners beats all others.")]


def _differences(over: Mapping[str, StreamMean]) -> dict[str, Difference]:
    return {base: Difference.of(one, 1) for base, one in over.items()}


#: Tones of the verdicts about the subject of a sentence.
_TONES: dict[str, Tone] = {FIRST: "good", SECOND: "bad", EQUAL: "equal", UNDECIDED: "open"}


def _tone(over: StreamMean, rope: float) -> Tone:
    return _TONES[decide(over.low, over.high, rope)]


def on_pairs(found: Findings) -> list[Sentence]:
    """Return the sentences on pairs of learners with the tones of their verdicts."""
    told = zip(found.pairs, found.compared.sentences(), strict=False)  # a learner alone has none
    return [Sentence(sentence, tone=_TONES[one.verdict]) for one, sentence in told]
