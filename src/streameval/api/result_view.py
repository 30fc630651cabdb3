"""Display options of a result, and the format of its values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from streameval.base.rounding import format_number, percentage
from streameval.base.values import json_value
from streameval.evaluation.differences import Difference
from streameval.evaluation.task import Task
from streameval.evaluation.verdict_words import (
    BEATS,
    EQUAL,
    LOSES_TO,
    UNDECIDED,
    baseline_sentences,
    decide,
    error_sentence,
    error_text,
)
from streameval.measures.prediction_intervals import INTERVAL_MEASURES
from streameval.measures.registry import MEASURES
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.view.formats import score
from streameval.view.parts import Sentence, Tone

#: Classification measures that are shown by default.
SHOWN_MEASURES = ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined")
#: Default window of plots, in predictions.
_WINDOW = 1000
#: A long stream has a longer window: its length divided by this.
_WINDOWS_IN_LONG_STREAM = 40
#: A short stream has a shorter window: its length divided by this.
_WINDOWS_IN_SHORT_STREAM = 10


@dataclass(frozen=True)
class DisplayOptions:
    """What a result shows in addition to its main measures, and in which bins.

    Parameters
    ----------
    by_class : bool
        Whether to show precision, recall and F1 of each class, and the confusion matrix; with
        delayed labels, of the predictions on arrival. Accuracy hides errors on rare classes.
    bins : int
        Number of bins between the first and the last prediction; by default 50. See `Result.bins`.
    by : {"label", "age"}
        Bins of the time from an instance to its label (default), or of the age of the instance,
        which is known at the time of the prediction.
    rule : {"paper", "published"}
        Which prediction counts if several are made in a bin. By the paper (default) each counts for
        the time that it is in force. By the published program one prediction counts for the whole
        bin, and a missing prediction counts as the first class.
    more : bool
        Whether to show further measures by bin: Cohen's kappa, and MOA's kappas, which use labels
        that learners do not have yet.
    by_group : bool
        For a stream with groups, whether to show all entities instead of the worst, the median and
        the best.
    """

    by_class: bool = False
    bins: int = 50
    by: Literal["label", "age"] = "label"
    rule: Literal["paper", "published"] = "paper"
    more: bool = False
    by_group: bool = False


#: The default display options.
DEFAULT_DISPLAY = DisplayOptions()


#: Tone of a sentence (its colour in pages), by the verdict on its subject.
TONES: dict[str, Tone] = {BEATS: "good", LOSES_TO: "bad", EQUAL: "equal", UNDECIDED: "open"}


def baseline_verdict_sentences(
    task: Task,
    learner: str,
    differences: Mapping[str, Difference],
    rope: float,
    title_of: Callable[[str], str],
) -> list[Sentence]:
    """Sentences that compare a learner with each baseline, from its differences by baseline.

    `title_of` gives the title of a baseline.
    """
    tones = {
        base: TONES[decide(difference.low, difference.high, rope)]
        for base, difference in differences.items()
    }
    if task.is_error:
        return [
            Sentence(error_sentence(learner, title_of(base), difference, rope), tone=tones[base])
            for base, difference in differences.items()
        ]
    # The first sentence has all differences with an interval, if any. Its tone is that of the first
    # of them; the other sentences are about differences without an interval.
    with_interval = [base for base, difference in differences.items() if not difference.reason]
    first_tone: Tone = tones[with_interval[0]] if with_interval else "open"
    titles = {base: title_of(base) for base in differences}
    texts = baseline_sentences(learner, differences, rope, titles)
    return [
        Sentence(text, tone=first_tone if index == 0 else "open")
        for index, text in enumerate(texts)
    ]


def default_window(instances: int) -> int:
    """Number of predictions, labels or targets in the window of a figure."""
    longest = max(_WINDOW, instances // _WINDOWS_IN_LONG_STREAM)
    return max(1, min(longest, instances // _WINDOWS_IN_SHORT_STREAM))


def count_text(number: float) -> str:
    """Text of a count."""
    return format_number(number, ",.0f")


def measure_text(measure: str, value: float) -> str:
    """Text of the value of a measure; in the unit of the target, with significant digits."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinite"
    info = REGRESSION_MEASURES.get(measure) or INTERVAL_MEASURES.get(measure)
    # Of the measures for regression, those in the unit of the target have the range [0, inf).
    has_unit = info is not None and (info.lower, info.upper) == (0, math.inf)
    return error_text(value) if has_unit else score(value)


def ends_text(text: Callable[[float], str], low: float, high: float) -> str:
    """Text of an interval in brackets; empty without an interval."""
    return "" if math.isnan(low) else f"[{text(low)}, {text(high)}]"


def value_with_interval(text: Callable[[float], str], value: float, low: float, high: float) -> str:
    """Text of a value with its interval, if it has one; `text` formats a number."""
    return f"{text(value)} {ends_text(text, low, high)}".strip()


def skill_text(value: float, low: float, high: float) -> str:
    """Text of a skill with its interval, if it has one."""
    if math.isnan(value):
        return "undefined"
    return value_with_interval(lambda x: format_number(x, "+.2f"), value, low, high)


def measure_title(measure: Any) -> str:
    """Title of a measure, with its symbol in brackets, such as κ_t."""
    # Some measures have no symbol. S (skill) and the symbol of accuracy add nothing to the title.
    has_symbol = measure.symbol not in ("", "S", MEASURES["accuracy"].symbol)
    return f"{measure.title} ({measure.symbol})" if has_symbol else str(measure.title)


def percentage_text(labels: int, n: int) -> str:
    """Text of `labels` as a percentage of n instances."""
    return percentage(Fraction(labels, n), 2)


def throughput_text(instances: float, seconds: float | None) -> str:
    """Text of the instances per second; "not known" without a time."""
    return count_text(instances / seconds) if seconds else "not known"


def nan_if_none(value: float | None) -> float:
    """The value as a number; NaN if it is None."""
    return math.nan if value is None else value


def json_row(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Row for JSON: None where a value is undefined."""
    return {str(key): json_value(value) for key, value in row.items()}
