"""Sections of a page on the labels: what they look like, and when they arrive."""

from __future__ import annotations

import numpy as np

from streameval.base.errors import excerpt
from streameval.evaluation.persistence import PersistenceCheck
from streameval.evaluation.task import NUMBERS
from streameval.pages import draw_labels, draw_learners
from streameval.pages.findings import Findings, Target, Waiting
from streameval.pages.page import Section, interval, listed, number, picture, present
from streameval.view.blocks import Part, Table, Words, texts_table


def label_section(found: Findings, prefix: str) -> list[Section]:
    """Return the section on the labels, or on a numeric target; none where there are none."""
    labels = found.labels
    if labels is None:
        return [] if found.target is None else [_target_section(found, found.target, prefix)]
    classes = found.stream.schema.classes or ()
    over_time = picture(
        f"{prefix}classes",
        f"Proportions of {len(classes)} classes over time",
        f"Proportion of each class among the last {labels.window:,} labels.",
        lambda width: draw_labels.classes_over_time(labels, width),
    )
    lags, within = "", _within(found)
    if labels.autocorrelation is not None:
        lags = (
            f" Autocorrelation of the label{within} by lag: 0 where labels that far apart do not "
            "depend on each other."
        )
    runs = picture(
        f"{prefix}runs",
        "Lengths of runs of equal labels, and autocorrelation of the label",
        f"Proportion of the labels that stand in runs of equal labels of a length.{lags}",
        lambda width: draw_labels.runs_and_lags(labels, width),
    )
    median = float(np.median(labels.lengths))
    told = (
        f"{len(labels.lengths):,} run{'s' * (len(labels.lengths) != 1)} of equal labels{within}, "
        f"in the median {median:,.4g} label{'s' * (median != 1)} long, at most "
        f"{int(labels.lengths.max()):,}."
    )
    parts: list[Part | None] = []
    if labels.check is not None:
        parts += [Words([labels.check.advice]), _check(labels.check)]
    else:
        parts.append(Words(["There are too few labels to check their dependence."]))
    return [
        Section(f"{prefix}labels", "The labels", present([*parts, over_time, Words([told]), runs]))
    ]


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


def _target_section(found: Findings, target: Target, prefix: str) -> Section:
    """Return the section on a numeric target."""
    of_all = {name: f"{value:,.4g}" for name, value in target.whole.items()}
    told = (
        f"In the median {found.stream.schema.target} is {of_all['median']}. Half of the targets "
        f"lie from {of_all['low']} to {of_all['high']}, and 90 % from {of_all['least']} to "
        f"{of_all['most']}."
    )
    over_time = picture(
        f"{prefix}target",
        f"Mean and quantiles of {found.stream.schema.target} over time",
        f"Mean and median of the last {target.window:,} targets, and the ranges of the middle half "
        "and of the middle 90 % of them.",
        lambda width: draw_labels.target_over_time(target, width),
    )
    lags = target.autocorrelation
    drawn = None
    if lags is not None:
        drawn = picture(
            f"{prefix}lags",
            f"Autocorrelation of {found.stream.schema.target}",
            f"Autocorrelation of the target{_within(found)} by lag: 0 where targets that far apart "
            "do not depend on each other. Peaks are seasons: the option seasonal compares with the "
            "target a season before.",
            lambda width: draw_labels.lags_alone(lags, "the target", width),
        )
    check = [Words([_on_persistence(found, target)]), _persistence(found, target)]
    parts = present([*check, Words([told]), over_time, drawn])
    return Section(f"{prefix}target", "The target", parts)


def _on_persistence(found: Findings, target: Target) -> str:
    """Return whether rules that repeat a target are better than the mean so far."""
    names = {name: NUMBERS.called(name) for name in target.persistence}
    better = [names[name] for name, one in target.persistence.items() if one.low > 0.0]
    worse = [names[name] for name, one in target.persistence.items() if one.high < 0.0]
    if better:
        them = "it" if len(better) == 1 else "them"
        return (
            f"Targets depend on each other: {listed(better)} predict{'s' * (len(better) == 1)} "
            f"better than the mean so far. Judge learners by whether they beat {them}."
        )
    if len(worse) == len(names):
        return f"The mean so far predicts better than {listed(worse)}: judge learners by it."
    return "It cannot be told whether the mean so far predicts better than a target that repeats."


def _persistence(found: Findings, target: Target) -> Table:
    rows = []
    for name, one in target.persistence.items():
        ends = interval(one.low, one.high, sign=True) or f"(no interval: {one.reason})"
        rows.append([found.title(name), f"{number(one.value, sign=True)} {ends}"])
    return texts_table(
        "Does a target depend on the previous one? Skill over the mean so far: one less the ratio "
        "of the mean absolute errors, 1 is perfect, 0 as good as the mean. Intervals are 95 %.",
        ["", "skill"],
        rows,
    )


def _pending(waiting: Waiting) -> str:
    one = waiting.pending == 1
    return (
        f"{waiting.labels:,} labels have arrived; {waiting.pending:,} {'has' if one else 'have'} "
        f"not: {'this instance is' if one else 'these instances are'} neither scored nor learnt."
    )


def _before(first: int) -> str:
    if not first:
        return ""
    return f" {first:,} instances came before the first label, and are not scored either."


def waiting_section(found: Findings, prefix: str) -> list[Section]:
    """Return the section on delayed labels; none where labels are not delayed."""
    waiting = found.waiting
    if waiting is None:
        return []
    name = found.task.name
    unit = " (%)" if found.is_accuracy else ""
    ends = "for all bins of a learner at once" if waiting.together else "for each bin alone"
    bands = f" Bands are 95 % intervals that hold {ends}." if waiting.has_bands else ""
    later = f", {waiting.duration}" if waiting.duration else ""
    told = (
        f"In the median a label arrives {waiting.delay:,} instances after its instance{later}. "
        + (_pending(waiting) if waiting.pending else f"All {waiting.labels:,} have arrived.")
        + _before(waiting.before_first_label)
    )
    drawn = picture(
        f"{prefix}waiting",
        f"{name} of {listed(found.titles().values())} by the time until the label arrives",
        f"{name.capitalize()} by the time until the label arrives: the first bin is the prediction "
        f"on arrival, the last one that just before the label is learnt, of one run.{bands}",
        lambda width: draw_learners.by_bin(
            waiting, found.titles(), found.task.factor, f"{name}{unit} by bin", width
        ),
    )
    return [Section(f"{prefix}waiting", "Until the label arrives", present([Words([told]), drawn]))]
