"""Section of a page on the labels, or on a numeric target."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from streameval.api.result_view import default_window
from streameval.api.target_summary import (
    persistence_sentence,
    persistence_skills,
    persistence_table,
    quantiles_sentence,
)
from streameval.base.errors import excerpt
from streameval.base.rounding import format_number
from streameval.drawing.label_panels import (
    draw_classes_over_time,
    draw_lags_of_target,
    draw_runs_and_lags,
    draw_target_over_time,
)
from streameval.evaluation.persistence import PersistenceCheck, run_lengths
from streameval.evaluation.target_quantiles import quantiles_over_time
from streameval.items.dependence.class_distribution import (
    autocorrelation,
    label_autocorrelation,
    prior_over_time,
)
from streameval.pages.findings import POINTS, Findings
from streameval.pages.page import Section, picture
from streameval.streams.stream import Stream
from streameval.view.parts import Part, Table, Words, texts_table

#: Number of lags of the autocorrelation; the longest season is added, so that its peak is visible.
_N_LAGS = 100


def label_section(findings: Findings, prefix: str) -> list[Section]:
    """The section on the labels, or on a numeric target; empty for a stream without labels.

    `prefix` begins the ids of sections and pictures if the page has several streams.
    """
    labelled = findings.stream.with_labels()
    if not len(labelled):
        return []
    if findings.task.is_error:
        return [Section(f"{prefix}target", "The target", _target_parts(findings, labelled, prefix))]
    return [Section(f"{prefix}labels", "The labels", _label_parts(findings, labelled, prefix))]


def label_autocorrelations(findings: Findings, labelled: Stream) -> pd.DataFrame | None:
    """The autocorrelation of labels or targets by lag; None if all are equal."""
    y, lags = labelled.y, _N_LAGS + max(findings.request.seasonal, default=0)
    if (y == y[0]).all():
        return None
    if findings.task.is_error:
        return autocorrelation([y], lags, labelled.groups)
    return label_autocorrelation(y, lags, labelled.groups)


def _label_parts(findings: Findings, labelled: Stream, prefix: str) -> list[Part]:
    classes, window = labelled.schema.classes or (), default_window(len(labelled))
    prior = prior_over_time(labelled.y, classes, window, POINTS)
    instances = findings.labelled_timeline
    over_time = picture(
        f"{prefix}classes",
        f"Proportions of {len(classes)} classes over time",
        f"Proportion of each class among the last {window:,} labels.",
        partial(draw_classes_over_time, prior, instances, window),
    )
    lags, lag_caption = label_autocorrelations(findings, labelled), ""
    within = _within_entity(findings)
    if lags is not None:
        lag_caption = (
            f" Autocorrelation of the label{within} by lag: 0 where labels that far apart do not "
            "depend on each other."
        )
    lengths = run_lengths(labelled.y, labelled.groups)
    runs = picture(
        f"{prefix}runs",
        "Lengths of runs of equal labels, and autocorrelation of the label",
        f"Proportion of the labels that are in runs of equal labels, by length.{lag_caption}",
        partial(draw_runs_and_lags, lengths, lags),
    )
    median = float(np.median(lengths))
    run_sentence = (
        f"{len(lengths):,} run{'s' * (len(lengths) != 1)} of equal labels{within}, in the median "
        f"{format_number(median, ',.4g')} label{'s' * (median != 1)} long, at most "
        f"{int(lengths.max()):,}."
    )
    check_parts: list[Part] = [Words(["There are too few labels to check their dependence."])]
    if (check := findings.persistence) is not None:
        check_parts = [Words([check.advice]), _check_table(check)]
    return [*check_parts, over_time, Words([run_sentence]), runs]


def _within_entity(findings: Findings) -> str:
    """Words that say that labels are compared within an entity; "" without groups."""
    groups = findings.stream.groups
    return "" if groups is None else f" within a {excerpt(groups.column)}"


def _check_table(check: PersistenceCheck) -> Table:
    """The numbers of the check whether labels depend on previous labels."""
    return texts_table(
        f"Does a label depend on the previous label? {check.n:,} labels. The interval of P(T) is "
        "95 %. P(M) and P(T) in random order are exact for these labels.",
        ["", "value"],
        check.facts(),
    )


def _target_parts(findings: Findings, labelled: Stream, prefix: str) -> list[Part]:
    target, window = labelled.schema.target, default_window(len(labelled))
    quantiles = quantiles_over_time(labelled.y, window, POINTS)
    over_time = picture(
        f"{prefix}target",
        f"Mean and quantiles of {target} over time",
        f"Mean and median of the last {window:,} targets, and the ranges of their middle half and "
        "their middle 90 %.",
        partial(draw_target_over_time, quantiles, findings.labelled_timeline, window),
    )
    skills = persistence_skills(findings.result, findings.task)
    parts: list[Part] = [
        Words([persistence_sentence(findings.task, skills)]),
        persistence_table(skills, findings.title),
        Words([quantiles_sentence(labelled)]),
        over_time,
    ]
    if (lags := label_autocorrelations(findings, labelled)) is None:
        return parts
    autocorrelations = picture(
        f"{prefix}lags",
        f"Autocorrelation of {target}",
        f"Autocorrelation of the target{_within_entity(findings)} by lag: 0 where targets that far "
        "apart do not depend on each other. Peaks are seasons: the option seasonal adds a baseline "
        "that predicts the target one season earlier.",
        partial(draw_lags_of_target, lags),
    )
    return [*parts, autocorrelations]
