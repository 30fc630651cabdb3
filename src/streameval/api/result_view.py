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
    EQUAL,
    FIRST,
    SECOND,
    UNDECIDED,
    baseline_sentences,
    decide,
    error_sentence,
    magnitude,
)
from streameval.measures.prediction_intervals import INTERVAL_MEASURES
from streameval.measures.registry import MEASURES
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.view.blocks import Sentence, Tone
from streameval.view.formats import score

#: The measures of classes that are shown where none are named.
SHOWN = ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined")
#: Predictions in the window of a picture, but one in so many of a long stream, and one in so many
#: at most.
_WINDOW, _LONG, _PART = 1000, 40, 10


@dataclass(frozen=True)
class DisplayOptions:
    """Display options of a result besides the measures of all predictions.

    Parameters
    ----------
    by_class : bool
        Also show precision, recall and F1 of each class, and the confusion matrix, which accuracy
        hides for rare classes; with delayed labels, for the predictions on arrival.
    bins : int
        Bins between the first and the last prediction; by default 50. See `Result.bins`.
    by : {"label", "age"}
        Bins of the time from an instance to its label (default), or of the age of the instance,
        which is known at the time of the prediction.
    rule : {"paper", "published"}
        Which prediction counts if several are made in a bin: with paper (default) each counts for
        the time that it is in force; with published a single one counts for the whole bin, and a
        missing prediction counts as the first class.
    more : bool
        All measures by bin: also Cohen's kappa, and those of MOA, which use later labels.
    by_group : bool
        For a stream with groups, show all entities instead of the worst, the median and the best.
    """

    by_class: bool = False
    bins: int = 50
    by: Literal["label", "age"] = "label"
    rule: Literal["paper", "published"] = "paper"
    more: bool = False
    by_group: bool = False


#: The default display options.
DEFAULT_DISPLAY = DisplayOptions()


#: Tones of the verdicts about the subject of a sentence.
TONES: dict[str, Tone] = {FIRST: "good", SECOND: "bad", EQUAL: "equal", UNDECIDED: "open"}


def on_baselines(
    task: Task,
    learner: str,
    over: Mapping[str, Difference],
    rope: float,
    called: Callable[[str], str],
) -> list[Sentence]:
    """Sentences that compare a learner with each baseline; `called` names baselines."""
    tones = {base: TONES[decide(gap.low, gap.high, rope)] for base, gap in over.items()}
    if task.is_error:
        return [
            Sentence(error_sentence(learner, called(base), gap, rope), tone=tones[base])
            for base, gap in over.items()
        ]
    # The first sentence has the differences with intervals, the others those without any.
    first: list[Tone] = [tones[base] for base, gap in over.items() if not gap.reason][:1]
    texts = baseline_sentences(learner, over, rope, {base: called(base) for base in over})
    rest: Tone = "open"
    all_tones = [*first, *[rest] * len(texts)]
    return [Sentence(text, tone=tone) for text, tone in zip(texts, all_tones, strict=False)]


def window_of(instances: int) -> int:
    """Number of predictions, labels or targets in the window of a figure."""
    return max(1, min(max(_WINDOW, instances // _LONG), instances // _PART))


def count_text(number: float) -> str:
    """Text of a count."""
    return format_number(number, ",.0f")


def measure_text(measure: str, value: float) -> str:
    """Text of the value of a measure; errors can have any magnitude."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinite"
    of_numbers = REGRESSION_MEASURES.get(measure) or INTERVAL_MEASURES.get(measure)
    has_unit = of_numbers is not None and (of_numbers.lower, of_numbers.upper) == (0, math.inf)
    return magnitude(value) if has_unit else score(value)


def ends_text(text: Callable[[float], str], low: float, high: float) -> str:
    """Text of an interval in brackets; empty without an interval."""
    return "" if math.isnan(low) else f"[{text(low)}, {text(high)}]"


def value_and_ends(text: Callable[[float], str], value: float, low: float, high: float) -> str:
    """Text of a value with its interval, if it has one."""
    return f"{text(value)} {ends_text(text, low, high)}".strip()


def skill_text(value: float, low: float, high: float) -> str:
    """Text of a skill with its interval, if it has one."""
    if math.isnan(value):
        return "undefined"
    return value_and_ends(lambda x: format_number(x, "+.2f"), value, low, high)


def titled(measure: Any) -> str:
    """Title of a measure, with its symbol."""
    has_symbol = measure.symbol not in ("S", "", MEASURES["accuracy"].symbol)
    return f"{measure.title} ({measure.symbol})" if has_symbol else str(measure.title)


def proportion(labels: int, n: int) -> str:
    """Text of `labels` as a percentage of n instances."""
    return percentage(Fraction(labels, n), 2)


def rate(instances: float, seconds: float | None) -> str:
    """Text of the instances per second; "not known" without a time."""
    return count_text(instances / seconds) if seconds else "not known"


def nan_if_none(value: float | None) -> float:
    """The value as a number; NaN if it is None."""
    return math.nan if value is None else value


def json_row(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Row for JSON: None where a value is undefined."""
    return {str(key): json_value(value) for key, value in row.items()}
