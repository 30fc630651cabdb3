"""Sections of a page on the labels: what they look like, and when they arrive."""

from __future__ import annotations

import numpy as np

from streameval.evaluation.persistence import PersistenceCheck
from streameval.pages import draw_labels, draw_learners
from streameval.pages.findings import Findings, Waiting
from streameval.pages.page import (
    Part,
    Section,
    Table,
    Words,
    interval,
    listed,
    number,
    picture,
    present,
)


def label_section(found: Findings, prefix: str) -> list[Section]:
    """Return the section on the labels; none for numbers."""
    labels = found.labels
    if labels is None:
        return []
    classes = found.stream.schema.classes or ()
    over_time = picture(
        f"{prefix}classes",
        f"Proportions of {len(classes)} classes over time",
        f"Proportion of each class among the last {labels.window:,} labels.",
        lambda width: draw_labels.classes_over_time(labels, width),
    )
    lags = ""
    if labels.autocorrelation is not None:
        lags = (
            " Autocorrelation of the label by lag: 0 where labels that far apart do not depend on "
            "each other."
        )
    runs = picture(
        f"{prefix}runs",
        "Lengths of runs of equal labels, and autocorrelation of the label",
        f"Proportion of the labels that stand in runs of equal labels of a length.{lags}",
        lambda width: draw_labels.runs_and_lags(labels, width),
    )
    median = float(np.median(labels.lengths))
    told = (
        f"{len(labels.lengths):,} run{'s' * (len(labels.lengths) != 1)} of equal labels, in the "
        f"median {median:,.4g} label{'s' * (median != 1)} long, at most "
        f"{int(labels.lengths.max()):,}."
    )
    parts: list[Part | None] = []
    if labels.check is not None:
        parts += [Words(labels.check.advice), _check(labels.check)]
    else:
        parts.append(Words("There are too few labels to check their dependence."))
    return [
        Section(f"{prefix}labels", "The labels", present([*parts, over_time, Words(told), runs]))
    ]


def _check(found: PersistenceCheck) -> Table:
    """Return the numbers of `check`."""
    repeats = "label repeats" if found.delay is None else "latest known label"
    between = "" if found.low is None or found.high is None else interval(found.low, found.high, 4)
    p_value = "–" if found.p_value is None else f"{found.p_value:.2g}"
    if found.p_value == 0:
        p_value = "< 1e-300"
    none = "no interval: too few independent labels"
    rows = [
        [f"P(T), {repeats}", f"{number(found.persistent, 4)} {between or f'({none})'}"],
        ["P(T) if order were random", number(found.independent, 4)],
        ["P(M), most frequent label", number(found.majority, 4)],
        ["p-value of random order", f"{p_value}{f' ({found.method})' if found.method else ''}"],
    ]
    return Table(
        f"Does a label depend on the previous one? {found.n:,} labels; the interval of P(T) is "
        "95 %. P(M) and P(T) in random order are those of these labels, without chance.",
        ["", "value"],
        rows,
    )


def _pending(waiting: Waiting) -> str:
    one = waiting.pending == 1
    return (
        f"{waiting.labels:,} labels have arrived; {waiting.pending:,} {'has' if one else 'have'} "
        f"not: {'this instance is' if one else 'these instances are'} neither scored nor learnt."
    )


def waiting_section(found: Findings, prefix: str) -> list[Section]:
    """Return the section on delayed labels; none where labels are not delayed."""
    waiting = found.waiting
    if waiting is None:
        return []
    name = found.quantity.name
    unit = " (%)" if found.is_accuracy else ""
    ends = "for all bins of a learner at once" if waiting.together else "for each bin alone"
    later = f", {waiting.duration}" if waiting.duration else ""
    told = (
        f"In the median a label arrives {waiting.delay:,} instances after its instance{later}. "
        + (_pending(waiting) if waiting.pending else f"All {waiting.labels:,} have arrived.")
    )
    drawn = picture(
        f"{prefix}waiting",
        f"{name} of {listed(found.titles().values())} by the time until the label arrives",
        f"{name.capitalize()} by the time until the label arrives: the first bin is the prediction "
        "on arrival, the last one that just before the label is learnt, of one run. Bands are 95 % "
        f"intervals that hold {ends}.",
        lambda width: draw_learners.by_bin(
            waiting, found.titles(), found.quantity.factor, f"{name}{unit} by bin", width
        ),
    )
    return [Section(f"{prefix}waiting", "Until the label arrives", present([Words(told), drawn]))]
