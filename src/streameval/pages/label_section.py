"""Section of a page on the labels, or on a numeric target."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.api.result_view import skill_text, window_of
from streameval.base.arrays import Floats
from streameval.base.errors import excerpt
from streameval.base.rounding import format_number
from streameval.evaluation.measurements import positions
from streameval.evaluation.persistence import PersistenceCheck, run_lengths
from streameval.evaluation.roles import TARGET_MEAN
from streameval.items.dependence.class_distribution import (
    autocorrelation,
    label_autocorrelation,
    prior_over_time,
)
from streameval.pages import draw_labels
from streameval.pages.findings import POINTS, Findings
from streameval.pages.page import Section, listed, picture
from streameval.significance.stream_mean import StreamMean
from streameval.streams.stream import Stream
from streameval.view.blocks import Part, Table, Words, texts_table

#: Lags of the autocorrelation, beyond the longest season.
LAGS = 100
#: Of a numeric target: the ends of the ranges of 90 % and of a half, and the median.
QUANTILES = {"least": 0.05, "low": 0.25, "median": 0.5, "high": 0.75, "most": 0.95}


def label_section(found: Findings, prefix: str) -> list[Section]:
    """Return the section on the labels, or on a numeric target; none where there are none."""
    known = found.stream.with_labels()
    if not len(known):
        return []
    if found.task.is_error:
        return [Section(f"{prefix}target", "The target", _of_target(found, known, prefix))]
    return [Section(f"{prefix}labels", "The labels", _of_labels(found, known, prefix))]


def lags_of(found: Findings, known: Stream) -> pd.DataFrame | None:
    """Return the autocorrelation of known labels or targets by lag; None if all are equal."""
    y, lags = known.y, LAGS + max(found.asked.seasonal, default=0)
    if (y == y[0]).all():
        return None
    if found.task.is_error:
        return autocorrelation([y], lags, known.groups)
    return label_autocorrelation(y, lags, known.groups)


def _of_labels(found: Findings, known: Stream, prefix: str) -> list[Part]:
    classes, window = known.schema.classes or (), window_of(len(known))
    prior = prior_over_time(known.y, classes, window, POINTS)
    instances = found.labels
    over_time = picture(
        f"{prefix}classes",
        f"Proportions of {len(classes)} classes over time",
        f"Proportion of each class among the last {window:,} labels.",
        lambda width: draw_labels.classes_over_time(prior, instances, window, width),
    )
    lags, told, within = lags_of(found, known), "", _within(found)
    if lags is not None:
        told = (
            f" Autocorrelation of the label{within} by lag: 0 where labels that far apart do not "
            "depend on each other."
        )
    lengths = run_lengths(known.y, known.groups)
    runs = picture(
        f"{prefix}runs",
        "Lengths of runs of equal labels, and autocorrelation of the label",
        f"Proportion of the labels that stand in runs of equal labels of a length.{told}",
        lambda width: draw_labels.runs_and_lags(lengths, lags, width),
    )
    median = float(np.median(lengths))
    on_runs = (
        f"{len(lengths):,} run{'s' * (len(lengths) != 1)} of equal labels{within}, in the median "
        f"{format_number(median, ',.4g')} label{'s' * (median != 1)} long, at most "
        f"{int(lengths.max()):,}."
    )
    check: list[Part] = [Words(["There are too few labels to check their dependence."])]
    if (of := found.persistence) is not None:
        check = [Words([of.advice]), _check(of)]
    return [*check, over_time, Words([on_runs]), runs]


def _within(found: Findings) -> str:
    """Return within what neighbours are, where rows of several entities come in turn."""
    groups = found.stream.groups
    return "" if groups is None else f" within a {excerpt(groups.column)}"


def _check(found: PersistenceCheck) -> Table:
    """Return the numbers of `check`."""
    return texts_table(
        f"Does a label depend on the previous one? {found.n:,} labels; the interval of P(T) is "
        "95 %. P(M) and P(T) in random order are those of these labels, without chance.",
        ["", "value"],
        found.facts(),
    )


def quantiles_over_time(targets: Floats, window: int) -> pd.DataFrame:
    """Return the mean and `QUANTILES` of a target over a sliding window, and where it ends."""
    at = positions(len(targets), window, POINTS).tolist()
    parts = [targets[max(end - window, 0) : end] for end in at]
    rows = [{"mean": part.mean(), **_quantiles(part)} for part in parts]
    return pd.DataFrame(rows).assign(instance=at)


def _quantiles(targets: Floats) -> dict[str, float]:
    return {name: float(np.quantile(targets, part)) for name, part in QUANTILES.items()}


def _of_target(found: Findings, known: Stream, prefix: str) -> list[Part]:
    target, window = known.schema.target, window_of(len(known))
    of_all = {name: format_number(value, ",.4g") for name, value in _quantiles(known.y).items()}
    told = (
        f"In the median {target} is {of_all['median']}. Half of the targets lie from "
        f"{of_all['low']} to {of_all['high']}, and 90 % from {of_all['least']} to "
        f"{of_all['most']}."
    )
    quantiles, instances = quantiles_over_time(known.y, window), found.labels
    over_time = picture(
        f"{prefix}target",
        f"Mean and quantiles of {target} over time",
        f"Mean and median of the last {window:,} targets, and the ranges of the middle half and of "
        "the middle 90 % of them.",
        lambda width: draw_labels.target_over_time(quantiles, instances, window, width),
    )
    skill, result = found.task.skill_over(TARGET_MEAN), found.result
    skills = {one: result.level(one, skill) for one in result.baselines if one != TARGET_MEAN}
    on_skills = Words([_on_persistence(found, skills)])
    parts: list[Part] = [on_skills, _persistence(found, skills), Words([told]), over_time]
    if (lags := lags_of(found, known)) is None:
        return parts
    drawn = picture(
        f"{prefix}lags",
        f"Autocorrelation of {target}",
        f"Autocorrelation of the target{_within(found)} by lag: 0 where targets that far apart do "
        "not depend on each other. Peaks are seasons: the option seasonal compares with the target "
        "a season before.",
        lambda width: draw_labels.lags_of_target(lags, width),
    )
    return [*parts, drawn]


def _on_persistence(found: Findings, skills: dict[str, StreamMean]) -> str:
    """Return whether rules that repeat a target are better than the mean so far."""
    better = [found.task.called(name) for name, one in skills.items() if one.low > 0.0]
    worse = [found.task.called(name) for name, one in skills.items() if one.high < 0.0]
    if better:
        them = "it" if len(better) == 1 else "them"
        return (
            f"Targets depend on each other: {listed(better)} predict{'s' * (len(better) == 1)} "
            f"better than the mean so far. Judge learners by whether they beat {them}."
        )
    if len(worse) == len(skills):
        return f"The mean so far predicts better than {listed(worse)}: judge learners by it."
    return "It cannot be told whether the mean so far predicts better than a target that repeats."


def _persistence(found: Findings, skills: dict[str, StreamMean]) -> Table:
    rows = []
    for name, one in skills.items():
        text = skill_text(one.mean, one.low, one.high)
        none = f" (no interval: {one.reason})" if one.reason else ""
        rows.append([found.title(name), f"{text}{none}"])
    return texts_table(
        "Does a target depend on the previous one? Skill over the mean so far: one less the ratio "
        "of the mean absolute errors, 1 is perfect, 0 as good as the mean. Intervals are 95 %.",
        ["", "skill"],
        rows,
    )
