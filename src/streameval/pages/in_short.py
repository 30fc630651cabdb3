"""The section "In short" on top of a page: which learners beat baselines and each other."""

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

#: What each baseline does, as its name in the sentences.
BASELINE_ACTIONS = {
    NO_CHANGE: "repeating the previous label",
    MAJORITY: "predicting the most frequent label",
    PREVIOUS_TARGET: "repeating the previous target",
    TARGET_MEAN: "predicting the mean so far",
}
#: The names that differ if labels are delayed.
DELAYED_BASELINE_ACTIONS = {
    NO_CHANGE: "repeating the latest known label",
    PREVIOUS_TARGET: "repeating the latest known target",
}
#: Smallest number of learners for which the first sentence names the best learner.
_MIN_LEARNERS_FOR_BEST = 3
#: Largest number of pairs of learners whose verdicts are at the top of the page.
MOST_PAIRS = 6


def _baseline_names(findings: Findings) -> dict[str, str]:
    """Names of the baselines in the sentences, by id."""
    seasonal_names = {
        name: f"repeating {findings.task.name_in_text(name)}" for name in findings.task.baselines
    }
    delayed_names = DELAYED_BASELINE_ACTIONS if findings.result.delays else {}
    names = {**seasonal_names, **BASELINE_ACTIONS, **delayed_names}
    groups = findings.stream.groups
    entity = "" if groups is None else f" of the same {excerpt(groups.column)}"
    return {baseline: f"{name}{entity}" for baseline, name in names.items()}


def in_short(findings: Findings) -> list[Sentence]:
    """The sentences on the best learner, on baselines, and on pairs of learners."""
    sentences, baseline_names = _best_learner(findings), _baseline_names(findings)
    for name in findings.learners:
        title = name_with_tuning(findings.result.tuned, name)
        differences = {
            # The sentences depend only on whether there are instances.
            baseline: Difference.from_mean(difference, instances=1)
            for baseline, difference in findings.baseline_differences[name].items()
        }
        rope = findings.comparison.plan.rope
        sentences += baseline_verdict_sentences(
            findings.task, title, differences, rope, baseline_names.__getitem__
        )
    if (check := findings.persistence) is not None and check.within is not None:
        sentences.append(Sentence(check.within.sentence))
    return sentences + pair_sentences(findings)[:MOST_PAIRS]


def _best_learner(findings: Findings) -> list[Sentence]:
    """A sentence on whether one of at least three learners beats all others, by the verdicts."""
    if len(findings.learners) < _MIN_LEARNERS_FOR_BEST:
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


def pair_sentences(findings: Findings) -> list[Sentence]:
    """The sentences on pairs of learners with the tones of their verdicts."""
    # For a single learner, `sentences` has one on a baseline, which is left out: there is no pair.
    pairs_and_sentences = zip(findings.pairs, findings.comparison.sentences(), strict=False)
    return [Sentence(sentence, tone=TONES[pair.verdict]) for pair, sentence in pairs_and_sentences]
