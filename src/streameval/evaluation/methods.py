"""Sentences on methods that several pages share."""

from __future__ import annotations

from streameval.base.arrays import Integers
from streameval.evaluation.verdict_words import REGION_FRACTION
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE, interval_method_text

#: Ids of the papers behind the intervals: the initial positive sequence, and Student's t over
#: sections.
INTERVAL_REFERENCES = ("geyer1992", "ibragimov2010")


def interval_sentences(subject: str, order: Integers | None = None) -> str:
    """Sentences on the computation of intervals over the instances of a stream.

    Parameters
    ----------
    subject : str
        Start of the first sentence, up to its verb: ``"Differences in accuracy have"``.
    order : array of int, optional
        Order of instances entity by entity; see `stream_mean`.
    """
    return (
        f"{subject} 95 % intervals that account for the dependence between instances: "
        f"{interval_method_text(order)}. No interval is given if the effective sample size is "
        f"below {MIN_EFFECTIVE_SIZE}."
    )


def region_sentence() -> str:
    """Sentence on the default region of practical equivalence."""
    return (
        "A learner was called practically equal to a baseline if the interval of their difference "
        f"lay within ±{100 * REGION_FRACTION:g} % of the error of the better baseline, and was "
        "said to beat or to lose to it if the interval lay outside."
    )
