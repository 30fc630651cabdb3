"""The sentences on top of a page: who beats the baselines, and whom."""

from __future__ import annotations

from collections import Counter

from streameval.api.result_view import TONES, on_baselines
from streameval.base.errors import excerpt
from streameval.evaluation.differences import Difference
from streameval.evaluation.roles import MAJORITY, NO_CHANGE, PREVIOUS_TARGET, TARGET_MEAN
from streameval.evaluation.tuning import name_with_tuning as called_when_tuned
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
#: Smallest number of learners for which the best one is named first.
_SEVERAL = 3
#: Pairs of learners whose verdicts stand on top; more stand with the verdicts only.
MOST_PAIRS = 6


def _called(findings: Findings) -> dict[str, str]:
    seasons = {
        name: f"repeating {findings.task.name_in_text(name)}" for name in findings.task.baselines
    }
    called = {**seasons, **PLAIN, **(LATEST if findings.result.delays else {})}
    groups = findings.stream.groups
    of_entity = "" if groups is None else f" of the same {excerpt(groups.column)}"
    return {name: f"{what}{of_entity}" for name, what in called.items()}


def in_short(findings: Findings) -> list[Sentence]:
    """The sentences on baselines, then those on pairs of learners."""
    names, sentences, rope = _called(findings), _best(findings), findings.compared.plan.rope
    for name in findings.learners:
        over, known = findings.over[name], called_when_tuned(findings.result.tuned, name)
        differences = {base: Difference.of(difference, 1) for base, difference in over.items()}
        sentences += on_baselines(findings.task, known, differences, rope, names.__getitem__)
    if (check := findings.persistence) is not None and check.within is not None:
        sentences.append(Sentence(check.within.sentence))
    return sentences + on_pairs(findings)[:MOST_PAIRS]


def _best(findings: Findings) -> list[Sentence]:
    """The learner, of three or more, that beats all others by their verdicts."""
    if len(findings.learners) < _SEVERAL:
        return []
    wins = Counter(
        pair.first if pair.verdict == FIRST else pair.second
        for pair in findings.pairs
        if pair.verdict in (FIRST, SECOND)
    )
    others = len(findings.learners) - 1
    for name, won in wins.items():
        if won == others:
            return [Sentence(f"{name} beats each of the {others} other learners.", tone="good")]
    return [Sentence(f"None of the {others + 1} learners beats all others.")]


def on_pairs(findings: Findings) -> list[Sentence]:
    """The sentences on pairs of learners with the tones of their verdicts."""
    # A learner alone has no pairs.
    with_sentences = zip(findings.pairs, findings.compared.sentences(), strict=False)
    return [Sentence(sentence, tone=TONES[pair.verdict]) for pair, sentence in with_sentences]
