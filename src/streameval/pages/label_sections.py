"""Sections of a page on the labels: what they look like, and when they arrive."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from streameval.evaluation.persistence import PersistenceCheck
from streameval.items.dependence.draw_labels import largest
from streameval.pages import draw_learners
from streameval.pages.findings import Findings, Labels, Waiting
from streameval.pages.page import (
    NARROW,
    Part,
    Section,
    Table,
    Words,
    canvas,
    interval,
    listed,
    number,
    picture,
    present,
)
from streameval.report import style

#: Height of a panel.
_PANEL = 190


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
        lambda width: classes_over_time(labels, width),
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
        lambda width: runs_and_lags(labels, width),
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


def classes_over_time(labels: Labels, width: int) -> Figure:
    """Draw the proportion of each class over a sliding window; small ones as one."""
    shares = largest(
        labels.prior.pivot_table("share", "instance", "class", sort=False, observed=True)
    )
    looks = [*style.CLASSES, style.REST]
    names = [str(name) for name in shares.columns]
    shown = zip(looks, style.shortened(names), strict=False)
    keys = draw_learners.Keys([style.handle(*one, marker="") for one in shown], width)
    drawn = canvas(width, 60 + _PANEL + keys.height)
    axes = drawn.subplots()
    marker = "o" if len(shares) == 1 else ""
    for column, look in zip(range(len(names)), looks, strict=False):
        axes.plot(shares.index, shares.iloc[:, column], marker=marker, **look.line)
    axes.set_ylim(0, 1)
    axes.set_xlim(0, max(float(shares.index.max()), 1.0))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    axes.set_title(f"classes, last {labels.window:,} labels")
    style.thousands(axes, ticks=8 if width > NARROW else 4)
    keys.add(drawn)
    return drawn


def runs_and_lags(labels: Labels, width: int) -> Figure:
    """Draw how long runs of equal labels are beside the autocorrelation of the label."""
    panels = 1 if labels.autocorrelation is None else 2
    across = panels if width > NARROW else 1
    down = panels // across
    drawn = canvas(width, down * (_PANEL + 60))
    grid = drawn.subplots(down, across, squeeze=False).flat
    _draw_runs(grid[0], labels)
    if labels.autocorrelation is not None:
        axes, frame = grid[1], labels.autocorrelation
        axes.axhline(0, color=draw_learners.ZERO, linewidth=1.0)
        axes.plot(frame["lag"], frame["autocorrelation"], color=style.CLASSES[0].color)
        axes.set_xlim(0, frame["lag"].max())
        axes.set_xlabel("lag (instances)")
        axes.set_title("autocorrelation of the label")
    return drawn


def _draw_runs(axes: Axes, labels: Labels) -> None:
    """Draw the proportion of labels in runs of a length, by powers of two."""
    power = np.log2(labels.lengths).astype(np.int64)
    share = np.bincount(power, weights=labels.lengths) / labels.lengths.sum()
    place = np.arange(len(share))
    axes.bar(place, share, color=style.CLASSES[0].color, width=0.8)
    shown = place[:: max(1, -(-len(place) // 7))]
    axes.set_xticks(shown, [_short(2 ** int(one)) for one in shown])
    axes.set_xlabel("length of the run, from … on")
    axes.set_title("labels by the length of their run")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    axes.grid(visible=False, axis="x")


def _short(number: int) -> str:
    return str(number) if number < 10_000 else f"{number / 1000:,.0f}k"


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
