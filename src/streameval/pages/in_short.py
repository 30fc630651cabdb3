"""The sentences on top of a page: who beats the baselines, and who is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from streameval.evaluation.baseline_words import error_sentence, sentences
from streameval.evaluation.differences import Difference
from streameval.evaluation.number_measures import called
from streameval.evaluation.roles import MAJORITY, NO_CHANGE, PREVIOUS_TARGET, TARGET_MEAN
from streameval.evaluation.tuned import called as called_when_tuned
from streameval.evaluation.verdicts import EQUAL, FIRST, SECOND, UNDECIDED, Verdict
from streameval.pages.findings import Findings
from streameval.pages.page import Sentence, Tone
from streameval.significance.stream_mean import StreamMean

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
    seasons = {name: f"repeating {called(name)}" for name in found.quantity.baselines}
    return {**seasons, **PLAIN, **(LATEST if found.waiting else {})}


def in_short(found: Findings) -> list[Sentence]:
    """Return the sentences on baselines, then those on pairs of learners."""
    names, told = _called(found), _best(found)
    for name in found.learners:
        over, known = found.over[name], called_when_tuned(found.tuned, name)
        if found.is_accuracy:
            # The first sentence has the intervals, others are on differences without any.
            tones: list[Tone] = [_tone(one) for one in over.values() if not one.reason][:1]
            for sentence in sentences(known, _differences(over), names):
                told.append(Sentence(sentence, tones.pop() if tones else "open"))
        else:
            told += [
                Sentence(error_sentence(known, names[base], one, found.digits), _tone(over[base]))
                for base, one in _differences(over, sign=-1.0).items()
            ]
    check = None if found.labels is None else found.labels.check
    if check is not None and check.within is not None:
        told.append(Sentence(check.within.sentence, "open"))
    return told + [of_verdict(*one) for one in found.judged[:MOST_PAIRS]]


def _best(found: Findings) -> list[Sentence]:
    """Return which of three or more learners is better than all others, by their verdicts."""
    if len(found.learners) < _SEVERAL:
        return []
    better = {(FIRST, 0), (SECOND, 1)}
    wins = Counter(
        (one.first, one.second)[place]
        for one, _ in found.judged
        for place in (0, 1)
        if (one.verdict, place) in better
    )
    others = len(found.learners) - 1
    for name, won in wins.items():
        if won == others:
            return [Sentence(f"{name} is better than each of the {others} other learners.", "good")]
    return [Sentence(f"None of the {others + 1} learners is better than all others.", "open")]


def _differences(over: Mapping[str, StreamMean], sign: float = 1.0) -> dict[str, Difference]:
    """Return means as differences; of errors those of the learner less those of the baseline."""
    found = {}
    for base, one in over.items():
        low, high = sorted((sign * one.low, sign * one.high))
        found[base] = Difference(sign * one.mean, low, high, 1, one.reason)
    return found


def _tone(over: StreamMean) -> Tone:
    if np.isnan(over.low) or over.low <= 0.0 <= over.high:
        return "open"
    return "good" if over.low > 0.0 else "bad"


def of_verdict(verdict: Verdict, sentence: str) -> Sentence:
    """Return the sentence of a verdict with its tone."""
    tones: dict[str, Tone] = {EQUAL: "equal", UNDECIDED: "open"}
    return Sentence(sentence, tones.get(verdict.verdict, "good"))
