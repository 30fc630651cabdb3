"""Figures, tables and captions of the error rates of verdicts and intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from streameval.drawing import style
from streameval.drawing.subject import Subject
from streameval.items.columns import (
    count_column,
    frame_table,
    interval_column,
    number_column,
    text_column,
)
from streameval.items.text_templates import TextTemplates
from streameval.measures.registry import measure_phrase
from streameval.report.names import SCHEME_TITLES
from streameval.significance.significance_test import LEVEL
from streameval.view.parts import Column, Table

#: Title, menu entry and captions of each kind. Settings in braces are filled in.
TEXTS = {
    "interval_coverage": TextTemplates(
        title="Intervals of single measures on fresh streams",
        menu_entry="how often intervals of single measures miss",
        caption=(
            "{origin}Proportion of the 95 % intervals of a measure, over fresh streams of a law, "
            "that do not contain its expected value, with its exact 95 % interval; it should be "
            "0.05. The expected value is the measure at the mean counts of all streams. The table "
            "also has its standard error, the median width of the intervals, and the proportion of "
            "streams with an interval. Test-then-train (prequential)."
        ),
        pictures={
            "missed": (
                "{origin}Proportion of the 95 % intervals of a learner's accuracy, κ, κ_t and κ_m "
                "that do not contain the expected value, if most streams have an interval. The "
                "dashed line is at 5 %. Bars: exact 95 % intervals. The table also has the "
                "baselines."
            ),
        },
    ),
    "verdict_calibration": TextTemplates(
        title="Verdicts about two learners on fresh streams with a known difference",
        menu_entry="verdicts of compare on streams with a known difference",
        caption=(
            "{origin}Proportion of fresh streams in which the 95 % interval of the difference "
            "excludes 0, and with a verdict for one of two learners. There is a verdict if the "
            "interval lies outside the region of practical equivalence, 2 % of the error of the "
            "better baseline. Each proportion has an exact 95 % interval. The learners are equal "
            "in the population, or differ by the given number of points. Before: rejections by "
            "the paired t-test over ten folds, which test on instances before they are learnt, "
            "and by McNemar's test on prequential runs."
        ),
        evaluation="{validations}",
        pictures={
            "false": (
                "{origin}Proportion of fresh streams in which the 95 % interval of the difference "
                "excludes 0, with learners that are equal in the population. With a difference of "
                "half a point: proportion in which the interval lies outside the region of "
                "practical equivalence, 2 % of the error of the better baseline. The dashed line "
                "is at 5 %. Bars: exact 95 % intervals."
            ),
            "right": (
                "{origin}Proportion of fresh streams with a verdict for the better learner: the 95 "
                "% interval lies above 2 % of the error of the better baseline. Bars: exact 95 % "
                "intervals."
            ),
        },
    ),
}


#: Titles of the validations.
VALIDATIONS = {
    "prequential": "prequential",
    **SCHEME_TITLES,
    "partial:0.1": "10 % of the labels",
    "partial:0.01": "1 % of the labels",
}
#: Colours and dashes of the validations, and their markers in matplotlib's letters.
_LOOKS = {
    name: (look, marker)
    for name, look, marker in zip(VALIDATIONS, style.CLASS_LOOKS, "os^DvP", strict=False)
}
#: Titles of the pictures of verdicts.
_TITLES = {
    "false": "Verdicts for one of two learners that are equal, simulated",
    "right": "Verdicts for the better of two learners, simulated",
}


@style.styled
def draw_verdict_calibration(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the proportions of false or of correct verdicts by the length of the stream."""
    from calibration.verdict_laws import DIFFERENT, WITHIN_REGION  # loads learners

    rates, picture = frames["rates"], subject.picture
    is_different = rates["law"].isin(list(DIFFERENT))
    drawn_rates = rates[is_different if picture == "right" else ~is_different]

    def panel(axes: Axes, law: str, part: pd.DataFrame) -> None:
        column = "better" if law in WITHIN_REGION or picture == "right" else "excludes"
        _draw_lines(axes, part, "validation", column, _LOOKS)
        if picture == "false":
            _draw_level(axes)

    columns = 5 if picture == "false" else 3
    figure, axes = _by_law(drawn_rates, _TITLES[picture], columns, "streams", panel)
    # Room for markers at 0 and 1.
    axes.set_ylim(bottom=-0.02, top=1.02 if picture == "right" else None)
    handles = _handles(drawn_rates["validation"], VALIDATIONS, _LOOKS)
    if picture == "false":
        handles.append(style.level_handle(LEVEL, "verdicts"))
    style.legend(figure, handles, columns=5)
    return figure


@style.styled
def draw_interval_coverage(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the proportions of intervals that miss, by law and by the length of the stream."""
    coverage = frames["coverage"]
    learner_rows = coverage[coverage["learner"] == "learner"]
    runs_text = np.where(
        learner_rows["runs"] == 1, "", ", " + learner_rows["runs"].astype(str) + " runs"
    )
    learner_rows = learner_rows.assign(
        law=learner_rows["law"] + runs_text, title=learner_rows["title"] + runs_text
    )

    names = dict.fromkeys(learner_rows["measure"])
    titles = {name: style.symbol_text(measure_phrase(name)) for name in names}
    looks = dict(zip(names, zip(style.CLASS_LOOKS, "os^D", strict=False), strict=False))

    def panel(axes: Axes, law: str, part: pd.DataFrame) -> None:
        # Only where most streams have an interval.
        _draw_lines(axes, part[part["interval"] > 0.5], "measure", "missed", looks)
        _draw_level(axes)

    title = "Intervals of single measures that miss the expected value, simulated"
    figure, axes = _by_law(learner_rows, title, 5, "intervals", panel)
    axes.set_ylim(bottom=-0.02)
    handles = _handles(learner_rows["measure"], titles, looks)
    style.legend(figure, [*handles, style.level_handle(LEVEL, "intervals")], columns=3)
    return figure


def _by_law(
    rates: pd.DataFrame,
    title: str,
    columns: int,
    units: str,
    draw_panel: Callable[[Axes, str, pd.DataFrame], None],
) -> tuple[Figure, Axes]:
    """A figure with a panel for each law by the lengths of the streams, and its first axes.

    All panels share their axes. `draw_panel` gets the axes, the law and its rows. `units` are the
    units of the proportions, "streams" or "intervals".
    """
    laws = list(dict.fromkeys(rates["law"]))
    columns = min(len(laws), columns) or 1  # also without laws
    rows = -(-len(laws) // columns) or 1  # rounded up
    figure = style.titled_figure(0.14 + 0.26 * rows, title)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes, law in zip(grid.flat, laws, strict=False):
        part = rates[rates["law"] == law]
        draw_panel(axes, law, part)
        axes.set_title(fill(str(part["title"].iloc[0]), 20), loc="left", pad=3)
    for place, axes in enumerate(grid.flat):
        if place >= len(laws):
            axes.remove()
        elif place + columns >= len(laws):  # no panel is below it
            axes.set_xlabel("instances")
            axes.tick_params(labelbottom=True)
    for axes in grid[:, 0]:
        axes.set_ylabel(f"proportion of {units}")
    first: Axes = grid[0, 0]
    first.set_xscale("log")
    first.xaxis.set_major_locator(FixedLocator(sorted(rates["instances"].unique())))
    first.xaxis.set_minor_locator(NullLocator())
    first.xaxis.set_major_formatter(FuncFormatter(lambda n, _: thousands_text(int(n))))
    return figure, first


def _draw_level(axes: Axes) -> None:
    """Draw the significance level as a horizontal line."""
    axes.axhline(LEVEL, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)


def thousands_text(n: int) -> str:
    """A number of instances in thousands from 1,000 on: 300, 1k, 100k."""
    return f"{n // 1000}k" if n >= 1000 and n % 1000 == 0 else f"{n}"


def _draw_lines(
    axes: Axes,
    part: pd.DataFrame,
    by: str,
    column: str,
    looks: Mapping[str, tuple[style.Look, str]],
) -> None:
    """Draw a line for each group, side by side, with the intervals of a rate."""
    for index, (name, line) in enumerate(part.groupby(by, sort=False)):
        look, marker = looks[str(name)]
        ordered = line.sort_values("instances")
        # Shifted on the logarithmic axis, so that intervals do not overlap; four are centred.
        x = ordered["instances"].to_numpy(dtype=float) * 1.06 ** (index - 1.5)
        low, high = ordered[f"{column}_low"], ordered[f"{column}_high"]
        axes.vlines(x, low, high, color=look.color, linewidth=0.6)
        axes.plot(x, ordered[column], marker=marker, markersize=2.5, linewidth=0.8, **look.line)


def _handles(
    names: pd.Series, titles: Mapping[str, str], looks: Mapping[str, tuple[style.Look, str]]
) -> list[Line2D]:
    """The legend handles of the groups in `names`."""
    present = set(names)
    return [
        style.handle(look, titles[name], marker=marker, markersize=3, linewidth=0.8)
        for name, (look, marker) in looks.items()
        if name in present
    ]


def layout_verdict_calibration(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, validation and length."""
    columns = [
        text_column("Learners", "title"),
        Column("Validation", ["validation"], VALIDATIONS.__getitem__, kind="text"),
        count_column("Instances", "instances"),
        count_column("Streams", "streams"),
        number_column("with an interval", "interval", 2),
        interval_column("excludes 0", "excludes", 3),
        interval_column("verdict", "better", 3),
        number_column("practically equal", "equal", 2),
        number_column("before", "by_other", 2),
    ]
    return frame_table(table, columns)


def layout_interval_coverage(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, length, learner and measure."""
    columns = [
        text_column("Law", "title"),
        count_column("Instances", "instances"),
        count_column("Streams", "streams"),
        text_column("Learner", "learner"),
        Column("Measure", ["measure", "runs"], _measure_text, kind="text"),
        number_column("expected", "expected"),
        number_column("± error", "error"),
        number_column("median width", "width"),
        number_column("with an interval", "interval", 2),
        interval_column("missed", "missed", 3),
    ]
    return frame_table(table, columns)


def _measure_text(measure: str, runs: int) -> str:
    phrase = measure_phrase(measure)
    return phrase if runs == 1 else f"{phrase}, {runs} runs"
