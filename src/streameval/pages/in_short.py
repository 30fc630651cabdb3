"""The sentences on top of a page: which learners beat the baselines, and which beat each other."""

from __future__ import annotations

from collections import Counter

from streameval.api.result_view import TONES, baseline_verdict_sentences
from streameval.base.errors import excerpt
from streameval.evaluation.differences import Difference
from streameval.evaluation.roles import MAJORITY, NO_CHANGE, PREVIOUS_TARGET, TARGET_MEAN
from streameval.evaluation.tuning import name_with_tuning
from streameval.evaluation.verdict_words import BEATS, LOSES_TO
from streameval.pages.findings import Findings
from streameval.view.parts import Sentence

#: Names of the baselines in the first sentences.
PLAIN = {
    NO_CHANGE: "repeating the previous label",
    MAJORITY: "predicting the most frequent label",
    PREVIOUS_TARGET: "repeating the previous target",
    TARGET_MEAN: "predicting the mean so far",
}
#: Names of baselines if labels are delayed.
LATEST = {
    NO_CHANGE: "repeating the latest known label",
    PREVIOUS_TARGET: "repeating the latest known target",
}
#: Smallest number of learners for which the best one is named first.
_SEVERAL = 3
#: Largest number of pairs of learners whose verdicts are at the top of the page.
MOST_PAIRS = 6


def _baseline_names(findings: Findings) -> dict[str, str]:
    """Names of the baselines in sentences: what they do."""
    seasonal_names = {
        name: f"repeating {findings.task.name_in_text(name)}" for name in findings.task.baselines
    }
    names = {**seasonal_names, **PLAIN, **(LATEST if findings.result.delays else {})}
    groups = findings.stream.groups
    entity = "" if groups is None else f" of the same {excerpt(groups.column)}"
    return {baseline: f"{name}{entity}" for baseline, name in names.items()}


def in_short(findings: Findings) -> list[Sentence]:
    """The sentences on the best learner, on baselines, and on pairs of learners."""
    sentences, baseline_names = _best(findings), _baseline_names(findings)
    for name in findings.learners:
        title = name_with_tuning(findings.result.tuned, name)
        differences = {
            baseline: Difference.from_mean(difference, 1)
            for baseline, difference in findings.over[name].items()
        }
        rope = findings.compared.plan.rope
        sentences += baseline_verdict_sentences(
            findings.task, title, differences, rope, baseline_names.__getitem__
        )
    if (check := findings.persistence) is not None and check.within is not None:
        sentences.append(Sentence(check.within.sentence))
    return sentences + on_pairs(findings)[:MOST_PAIRS]


def _best(findings: Findings) -> list[Sentence]:
    """A sentence on whether one of three or more learners beats all others by the verdicts."""
    if len(findings.learners) < _SEVERAL:
        return []
    wins = Counter(
        pair.first if pair.verdict == BEATS else pair.second
        for pair in findings.pairs
        if pair.verdict in (BEATS, LOSES_TO)
    )
    n_others = len(findings.learners) - 1
    for name, n_wins in wins.items():
        if n_wins == n_others:
            return [Sentence(f"{name} beats each of the {n_others} other learners.", tone="good")]
    return [Sentence(f"None of the {n_others + 1} learners beats all others.")]


def on_pairs(findings: Findings) -> list[Sentence]:
    """The sentences on pairs of learners with the tones of their verdicts."""
    # A single learner has no pairs, but a sentence on a baseline.
    pairs_and_sentences = zip(findings.pairs, findings.compared.sentences(), strict=False)
    return [Sentence(sentence, tone=TONES[pair.verdict]) for pair, sentence in pairs_and_sentences]
