"""Texts of verdicts on learners, with the difference and the region of equivalence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from streameval.base.rounding import format_number
from streameval.base.values import enumeration
from streameval.evaluation.differences import Difference
from streameval.evaluation.one_sided import one_sided_predicate
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, Task, Unit

# The verdicts on learners A and B; A is the subject.
#: A is better.
BEATS = "beats"
#: B is better.
LOSES_TO = "loses to"
#: The difference is negligible.
EQUAL = "practically equal"
#: None of the other verdicts is possible.
UNDECIDED = "cannot be told from"
#: Verbs of the verdicts for one subject and for several.
VERBS = {
    BEATS: ("beats", "beat"),
    LOSES_TO: ("loses to", "lose to"),
    EQUAL: ("is practically equal to", "are practically equal to"),
    UNDECIDED: (UNDECIDED, UNDECIDED),
}
#: Differences up to this fraction of the error of the better baseline are negligible: one point of
#: accuracy if the baseline is wrong on half of the instances.
REGION_FRACTION = 0.02


@dataclass(frozen=True)
class Region:
    """The region of practical equivalence: differences up to `rope` are negligible.

    If a `baseline` is named, it is the better baseline, and the rope is `REGION_FRACTION` of its
    error.
    """

    rope: float
    baseline: str = ""


def region_of(values: Mapping[str, float], task: Task) -> Region:
    """Region of practical equivalence from the values of the baselines by name.

    Baselines without a value, which make no predictions, are left out.
    """
    errors = {name: task.error(value) for name, value in values.items() if np.isfinite(value)}
    if not errors:
        return Region(0.0)
    better = min(errors, key=lambda name: errors[name])
    return Region(REGION_FRACTION * errors[better], better)


def decide(low: float, high: float, rope: float) -> str:
    """Verdict of an interval: practically equal within ±`rope`, ends included.

    An interval outside the region decides for a learner; any other interval is undecided.
    """
    if -rope <= low and high <= rope:
        return EQUAL
    if low > rope:
        return BEATS
    return LOSES_TO if high < -rope else UNDECIDED


def verdict_note(
    estimate: tuple[float, float, float], verdict: str, unit: Unit, rope: float, reason: str
) -> str:
    """Note after the numbers of a verdict; `reason` says why there is no interval.

    `estimate` is the difference with the ends of its interval.
    """
    _, low, high = estimate
    if verdict in (BEATS, LOSES_TO):
        return ""
    if verdict == EQUAL:
        return f"within ±{unit.half_width_text(rope)}"
    if np.isnan(low):
        return f"no interval, as {reason}"
    # Undecided: one learner is better, but the difference may be negligible.
    return "" if low <= 0.0 <= high else f"perhaps within ±{unit.half_width_text(rope)}"


def verdict_predicate(
    other: str,
    verdict: str,
    estimate: tuple[float, float, float],
    unit: Unit,
    reason: str = "",
    *,
    one_sided: str = "",
    plural: bool = False,
) -> str:
    """Predicate of a verdict about an `other` learner, with the numbers.

    `estimate` is the difference with the ends of its interval, positive if the subject is better.
    `one_sided` replaces the verb if it is not empty, see `one_sided_predicate`.
    """
    singular_verb, plural_verb = VERBS[verdict]
    verb, (difference, low, high) = plural_verb if plural else singular_verb, estimate
    is_behind, is_error = difference < 0.0, unit.is_error
    if is_behind and (is_error or verdict == LOSES_TO):  # the text already says who is better
        difference, low, high = -difference, -high, -low
    possessive = "their" if plural else "its"
    comparison = f"{possessive} {unit.name} is {'higher' if is_behind else 'lower'} by "
    if verdict in (BEATS, LOSES_TO):
        size = unit.interval(difference, low, high, sign="")
        return f"{verb} {other}: {comparison}{size}" if is_error else f"{verb} {other} by {size}"
    text = unit.interval(difference, low, high)
    if is_error:
        is_same = difference == 0.0 and np.isnan(low)
        text = comparison + text.removeprefix("+")
        if is_same:
            text = f"{possessive} {unit.name} is the same"
    evidence = f"{text}; {reason}" if reason else text
    return f"{one_sided or f'{verb} {other}'} ({evidence})"


def baseline_sentences(
    learner: str,
    differences: Mapping[str, Difference],
    rope: float,
    baseline_names: Mapping[str, str] = CLASSIFICATION_TASK.baselines,
) -> list[str]:
    """Sentences on a classifier: differences with an interval first, then other differences.

    `differences` has the difference in accuracy from each baseline.
    """
    without_verdict = {
        name: difference
        for name, difference in differences.items()
        if difference.reason and not one_sided_predicate(difference.signs, baseline_names[name])
    }
    with_verdict = [name for name in differences if name not in without_verdict]
    with_verdict.sort(key=lambda name: bool(differences[name].reason))  # intervals come first
    predicates = [
        difference_predicate(baseline_names[name], differences[name], CLASSIFICATION_TASK, rope)
        for name in with_verdict
    ]
    texts = [f"{learner} {' and '.join(predicates)}."] if predicates else []
    for reason in dict.fromkeys(difference.reason for difference in without_verdict.values()):
        values = {
            name: CLASSIFICATION_TASK.interval(difference.difference, np.nan, np.nan)
            for name, difference in without_verdict.items()
            if difference.reason == reason
        }
        baselines = [f"{baseline_names[name]} ({value})" for name, value in values.items()]
        texts.append(f"{learner} {UNDECIDED} {' and '.join(baselines)}; no interval, as {reason}.")
    return texts


def best_learner_sentence(
    values: Mapping[str, float],
    differences: Mapping[str, Mapping[str, Difference]],
    rope: float,
    task: Task,
    baseline_names: Mapping[str, str],
    prefix: str = "",
) -> str:
    """Sentence on the best learner: its value, and its verdicts against baselines.

    `differences` has the difference of each learner from each baseline. Without an interval there
    is no verdict. The sentence begins with `prefix`.
    """
    defined = {name: value for name, value in values.items() if np.isfinite(value)}
    if not defined:
        start = f"{prefix}no" if prefix else "No"
        return f"{start} {task.name} is defined: nothing could be scored."
    best = min(defined, key=lambda name: task.error(defined[name]))
    superlative = "lowest" if task.is_error else "highest"
    value_start = f"{'a' if task.is_error else 'an'} {task.name} of "
    if len(values) > 1:
        value_start = f"the {superlative} {task.name} of {len(values)} learners, "
    by_verb: dict[str, list[str]] = {}  # "" without an interval
    for name, difference in differences[best].items():
        verb = "" if difference.reason else VERBS[decide(difference.low, difference.high, rope)][0]
        by_verb.setdefault(verb, []).append(baseline_names[name])
    without_interval = enumeration(by_verb.pop("", []))
    clauses = enumeration(f"{verb} {enumeration(names)}" for verb, names in by_verb.items())
    tied = [name for name, value in defined.items() if value == defined[best] and name != best]
    subject = f"{best} (tied with {enumeration(tied)})" if tied else best
    parts = [
        f"{subject} has {value_start}{task.value_text(defined[best])}",
        *([f"it {clauses}"] if clauses else []),
    ]
    if without_interval:
        parts.append(f"without an interval there is no verdict against {without_interval}")
    return f"{prefix}{'; '.join(parts)}."


def difference_predicate(other: str, difference: Difference, unit: Unit, rope: float) -> str:
    """Predicate of the verdict by a difference, positive if the subject is better."""
    estimate = (difference.difference, difference.low, difference.high)
    verdict = decide(difference.low, difference.high, rope)
    note = verdict_note(estimate, verdict, unit, rope, difference.reason)
    one_sided = one_sided_predicate(difference.signs, other)
    return verdict_predicate(other, verdict, estimate, unit, note, one_sided=one_sided)


def error_sentence(learner: str, baseline: str, difference: Difference, rope: float) -> str:
    """Sentence on the difference in error between a regressor and a baseline."""
    if not difference.instances:
        return f"{learner} {UNDECIDED} {baseline}: {difference.reason}."
    return f"{learner} {difference_predicate(baseline, difference, REGRESSION_TASK, rope)}."


def error_text(value: float) -> str:
    """Text of an error of any magnitude: four decimals, or four digits if it is small or large."""
    return format_number(value, ",.4f" if value == 0 or 0.01 <= value < 1e6 else ".4g")
