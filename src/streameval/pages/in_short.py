"""The sentences on top of a page: who beats the baselines, and whom."""

from __future__ import annotations

from collections import Counter

from streameval.api.result_view import TONES, on_baselines
from streameval.base.errors import excerpt
from streameval.evaluation.differences import Difference
from streameval.evaluation.roles import MAJORITY, NO_CHANGE, PREVIOUS_TARGET, TARGET_MEAN
from streameval.evaluation.tuning import called as called_when_tuned
from streameval.evaluation.verdict_words import FIRST, SECOND
from streameval.pages.findings import Findings
from streameval.view.blocks import Sentence

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
        differences = {base: Difference.of(one, 1) for base, one in over.items()}
        told += on_baselines(found.task, known, differences, rope, names.__getitem__)
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


def on_pairs(found: Findings) -> list[Sentence]:
    """Return the sentences on pairs of learners with the tones of their verdicts."""
    told = zip(found.pairs, found.compared.sentences(), strict=False)  # a learner alone has none
    return [Sentence(sentence, tone=TONES[one.verdict]) for one, sentence in told]
