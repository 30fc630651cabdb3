"""The comparison of a control with other learners over streams: its table and sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from streameval.base.rounding import percentage, percentage_bound
from streameval.base.values import enumeration
from streameval.evaluation.control_comparison import ControlComparison
from streameval.evaluation.verdict_words import BEATS, EQUAL, LOSES_TO, UNDECIDED, VERBS
from streameval.significance.streams_needed import MAX_STREAMS, POWER
from streameval.view.numbers import DECIMALS, NO_VALUE, number_text, number_with_interval
from streameval.view.parts import Column, Table

# Largest rates of false results over the settings that were simulated, recorded in
# ``resources/recorded/beyond/over_streams.csv``.
#: Proportion of studies of equal learners that report a difference at 5 %; streams independent.
FALSE_RATE = 0.04625
#: `FALSE_RATE` if pairs of streams come from one generator.
FALSE_RATE_OF_GENERATORS = 0.151
#: Proportion of studies with a probability of at least 95 % for a region without the difference.
FALSE_RATE_OF_PROBABILITY = 0.120


class ControlSubject(NamedTuple):
    """The settings of a comparison, and the titles of learners."""

    control: str
    rope: float
    level: float
    difference: float | None
    titles: Mapping[str, str]
    is_error: bool = False  # whether a difference is the other learner's error minus the control's

    def title(self, learner: object) -> str:
        """Title of a learner; its id if it has no title."""
        return self.titles.get(str(learner), str(learner))

    @property
    def detected_difference(self) -> float:
        """The difference for which the power is simulated; 0 if the power is not simulated."""
        return self.rope if self.difference is None else self.difference


def control_table(others: pd.DataFrame, subject: ControlSubject, decimals: int = DECIMALS) -> Table:
    """Table with a row for each of the other learners."""

    def number(value: float) -> str:
        return number_text(float(value), decimals)

    def center(value: float, low: float, high: float) -> str:
        return number_with_interval(value, low, high, decimals)

    def p_value(value: float) -> str:
        return number_text(float(value), 4)

    def probability(value: float) -> str:
        return number_text(float(value), 3)

    n_tested = int(_is_tested(others).sum())
    confidence = f"{100 * (1 - subject.level):g} %"
    columns = [
        Column("Learner", ["learner"], subject.title, kind="name"),
        Column("Mean difference", ["difference"], number),
        Column(f"Centre ({confidence} interval)", ["center", "low", "high"], center),
        Column("Wins, ties, losses", ["wins", "ties", "losses"], _counts),
        Column("Effect size", ["effect"], lambda value: number_text(float(value), 2)),
        Column("Wilcoxon", ["wilcoxon_p"], p_value, group="p-value"),
        Column("sign test", ["sign_p"], p_value, group="p-value"),
        Column("better", ["better"], probability, group="Probability"),
        Column("equal", ["equal"], probability, group="Probability"),
        Column("worse", ["worse"], probability, group="Probability"),
        Column("Power", ["power"], _power),
        Column("Streams needed", ["streams_needed"], _streams_needed),
        Column("Verdict", ["verdict"], lambda text: text or NO_VALUE, kind="text"),
    ]
    return Table(columns, _records(others), notes=notes(others, subject, n_tested), noun="learners")


def notes(others: pd.DataFrame, subject: ControlSubject, n_tested: int) -> tuple[str, ...]:
    """Notes that explain the table."""
    if not n_tested:
        return tuple(_left_out_sentences(others, subject))
    control, number = subject.title(subject.control), number_text(n_tested)
    streams = int(others["streams"].max())
    scope = f" for all {number} learners together" if n_tested > 1 else ""
    rope, level = f"±{subject.rope:g}", f"{100 * subject.level:g} %"
    corrected = " (Bonferroni, Holm)" if n_tested > 1 else ""
    sides = f"other − {control}" if subject.is_error else f"{control} − other"
    differences = (
        f"Differences of means over the seeds, {sides}, on {streams} streams. Centre: "
        "the median of the means of all pairs of streams (Hodges and Lehmann), with the interval "
        f"of Wilcoxon's test. Intervals and p-values hold{scope}{corrected}."
    )
    verdict = (
        f"Verdict: beats or loses to if Wilcoxon's p-value is at most {level}; practically equal "
        f"if the interval lies within {rope}; otherwise cannot be told from, which is no evidence "
        "that learners are equal."
    )
    rates = (
        f"If learners are equal and streams independent, at most {percentage_bound(FALSE_RATE)} of "
        "simulated studies report a difference at 5 %; if pairs of streams come from one "
        f"generator, up to {percentage_bound(FALSE_RATE_OF_GENERATORS)}. A stream and its stand-in "
        "depend on each other, too."
    )
    probabilities = (
        f"Probability: {control} is better, practically equal within {rope}, or worse on most "
        "further domains (Bayesian signed-rank test). Between equal learners, and between learners "
        "that differ by the half width of that region, a probability of at least 95 % was false in "
        f"up to {percentage_bound(FALSE_RATE_OF_PROBABILITY)} of simulated studies."
    )
    too_few = [f"{reason[0].upper()}{reason[1:]}." for reason in _reasons(others)]
    unit = (
        "Above 0, the error of the control is lower. Differences are in the unit of the target, so "
        "streams with large targets weigh more. A skill has no unit."
    )
    texts = [
        differences,
        *([unit] if subject.is_error else []),
        verdict,
        *too_few,
        rates,
        probabilities,
    ]
    if subject.detected_difference > 0:
        texts.append(
            "Power: probability that Wilcoxon's test detects a difference of "
            f"{subject.detected_difference:g} on {streams} streams{scope}; streams needed: "
            f"for a power of {100 * POWER:g} %. Both are simulated from the spread of these "
            "differences; with eight streams the number is accurate to about a factor of two."
        )
    return (
        *texts,
        *_seed_sentences(others),
        *_stand_in_sentences(others),
        *_left_out_sentences(others, subject),
    )


def control_sentences(others: pd.DataFrame, subject: ControlSubject) -> list[str]:
    """Verdicts in words, a sentence for each kind of verdict."""
    control = subject.title(subject.control)
    texts = []
    for verdict in (BEATS, EQUAL, LOSES_TO, UNDECIDED):
        names = others.loc[others["verdict"] == verdict, "learner"]
        if len(names):
            texts.append(f"{control} {VERBS[verdict][0]} {enumeration(map(subject.title, names))}.")
    return texts


def _is_tested(others: pd.DataFrame) -> pd.Series:
    return others["wilcoxon_p"].notna()


def _reasons(others: pd.DataFrame) -> list[str]:
    """Distinct reasons why no other verdict on the tested learners is possible."""
    return [text for text in dict.fromkeys(others.loc[_is_tested(others), "reason"]) if text]


def _counts(wins: float, ties: float, losses: float) -> str:
    if math.isnan(wins):
        return NO_VALUE
    return ", ".join(number_text(count, 0) for count in (wins, ties, losses))


def _power(value: float) -> str:
    return NO_VALUE if math.isnan(value) else percentage(value, 0)


def _streams_needed(value: float) -> str:
    return f"> {MAX_STREAMS:,}" if math.isinf(value) else number_text(float(value), 0)


def _seed_sentences(others: pd.DataFrame) -> list[str]:
    """Sentence on the fraction of the variance of differences that is due to seeds."""
    fractions = others["seeds_part"].dropna().to_numpy(float)
    if not len(fractions):
        return ["Each learner has one seed, so the effect of other seeds is unknown."]
    low, high = (percentage(float(end), 0) for end in (np.min(fractions), np.max(fractions)))
    ends = low if low == high else f"{low} to {high}"
    return [
        f"Seeds cause {ends} of the variance of these differences; the rest is due to the streams."
    ]


def _stand_in_sentences(others: pd.DataFrame) -> list[str]:
    """Sentence on the number of streams that are simulated stand-ins for real streams."""
    number = int(others["simulated"].max())
    verb = "is a simulated stand-in" if number == 1 else "are simulated stand-ins"
    return [f"{number} of the streams {verb}."] if number else []


def _left_out_sentences(others: pd.DataFrame, subject: ControlSubject) -> list[str]:
    """Sentences on the learners and streams that are left out, with reasons."""
    texts = [
        f"{subject.title(row['learner'])} is left out: {row['reason']}."
        for row in others[~_is_tested(others)].to_dict("records")
    ]
    if streams := others["left_out"].iloc[0]:
        control = subject.title(subject.control)
        texts.append(f"Streams on which {control} has no value are left out ({streams}).")
    return texts


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame as dictionaries."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def control_json(comparison: ControlComparison, subject: ControlSubject) -> dict[str, Any]:
    """The comparison as an object for JSON."""
    return {
        "control": subject.control,
        "rope": subject.rope,
        "level": subject.level,
        "difference": subject.detected_difference or None,
        "learners": Table([], _records(comparison.others)).json_rows,
        "differences": Table([], _records(comparison.differences)).json_rows,
    }
