"""Figures, tables and captions of error rates of tests and verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import ascii_uppercase
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from streameval.base.errors import ConfigError, unknown
from streameval.base.rounding import format_number
from streameval.drawing import style
from streameval.drawing.looks import CLASSES
from streameval.drawing.subject import Subject
from streameval.evaluation.decisions import DECISIONS
from streameval.items.columns import (
    count,
    laid_out,
    number,
    of_texts,
    stream_name,
    stream_notes,
    text,
    with_ends,
)
from streameval.items.error_rates import RejectionsSettings
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.words import TextTemplates
from streameval.measures.registry import measure_words
from streameval.report.names import READING_TITLES, SCHEME_TITLES, VALIDATIONS
from streameval.significance.intervals import mean_of_rates
from streameval.significance.significance_test import LEVEL
from streameval.view.blocks import Column, Table
from streameval.view.numbers import in_brackets, number_text, upper_bound_text

#: Title, menu entry and captions of each kind; braces quote settings.
WORDS = {
    "interval_coverage": TextTemplates(
        title="Intervals of single measures on fresh streams",
        subject="how often intervals of single measures miss",
        caption=(
            "{origin}Proportion of the 95 % intervals of a measure, over fresh streams of a law, "
            "that do not hold its expected value, with its exact 95 % interval; it should be 0.05. "
            "The expected value is that at the mean counts of all streams; beside it are its "
            "standard error, the median width of the intervals, and the proportion of streams that "
            "have one. Test-then-train (prequential)."
        ),
        pictures={
            "missed": (
                "{origin}Proportion of the 95 % intervals of a learner's accuracy, κ, κ_t and κ_m "
                "that do not hold the expected value, where most streams have an interval. The "
                "dashed line is at 5 %. Bars: exact 95 % intervals. The table has the baselines, "
                "too."
            ),
        },
    ),
    "rejections": TextTemplates(
        title="Rejections of equal accuracy by test and scheme",
        subject="rejections by test and scheme",
        caption=(
            "Proportion of runs, {what}, in which a test rejects equal accuracy. Under same, "
            "learners differ by their seeds only, and the proportion should be the level of the "
            "test; elsewhere it should be 1."
        ),
    ),
    "test_choice": TextTemplates(
        title="Type I error of each test by the length of the stream",
        subject="size of tests by length of the stream",
        caption=(
            "Size: proportion of runs of one learner against itself in which the test rejects, the "
            "mean over these streams with its 95 % interval; it should be {percent} %. The verdict "
            "follows from the interval of the longest streams: too often if it is above the level, "
            "too rarely if it is below, otherwise at its level. Streams shorter than the greatest "
            "length count there as a whole."
        ),
        pictures={
            "choice": (
                "Left: rate of rejection for two runs of the same learner, which should be at the "
                "dashed line. Right: power by kind of difference, at the level that gives the "
                "nominal size. Means over the shortest and over the longest streams; the table has "
                "the other lengths."
            ),
        },
    ),
    "type_errors": TextTemplates(
        subject="rejections by test",
        caption=(
            "rate of rejection of equal accuracy by each test at {percent} % ({learners}; a single "
            "learner is compared with itself): {runs} runs of {longest} instances in {folds} "
            "folds, by scheme of validation and by which instances a model is tested on. Same: the "
            "predictions as they are; a single learner then differs by its seeds only. Swapped: "
            "the predictions of each instance are exchanged with probability 1/2. Noise: that "
            "proportion of the second learner's predictions is replaced. Bars are 95 % intervals."
        ),
        evaluation="{schemes}, {folds} folds",
    ),
    "verdict_calibration": TextTemplates(
        title="Verdicts about two learners on fresh streams with a known difference",
        subject="verdicts of compare on streams with a known difference",
        caption=(
            "{origin}Proportion of fresh streams in which the 95 % interval of the difference "
            "excludes 0, and with a verdict for one of two learners: there it lies beyond the "
            "region of practical equivalence, 2 % of the error of the better baseline. With exact "
            "95 % intervals. The learners are equal in the population, or differ by the given "
            "number of points. Before: the verdicts of the paired t-test over folds, and of "
            "McNemar's test of prequential runs. Folds: ten, tested on instances before they are "
            "learnt."
        ),
        evaluation="{validations}",
        pictures={
            "false": (
                "{origin}Proportion of fresh streams in which the 95 % interval of the difference "
                "excludes 0, where both learners are equal in the population; with a difference of "
                "half a point, in which it lies beyond the region of practical equivalence, 2 % of "
                "the error of the better baseline. The dashed line is at 5 %. Bars: exact 95 % "
                "intervals."
            ),
            "right": (
                "{origin}Proportion of fresh streams with a verdict for the better learner: the 95 "
                "% interval lies beyond 2 % of the error of the better baseline. Bars: exact 95 % "
                "intervals."
            ),
        },
    ),
}
WORDS["recorded_choice"] = WORDS["test_choice"].after(
    "Recorded {when}, {length}, {runs} runs of each scheme; not computed in this run.",
    title="Type I error of each test by the length of the stream, as recorded",
    subject="size of tests by length of the stream, recorded",
)
WORDS["recorded_rejections"] = WORDS["rejections"].after(
    "Recorded {when}, {length}, {runs} runs of each scheme; not computed in this run.",
    title="Rejections of equal accuracy by test and scheme, as recorded",
    subject="rejections by test and scheme, recorded",
)


#: Apart in grey, too.
MARKERS = {"bootstrap_validation": "o", "cross_validation": "s", "split_validation": "^"}


@style.styled
def draw_type_errors(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw rates of rejection of the longest runs: a panel for each reading and alternative."""
    frame, level = frames["rates"], subject.settings.level
    rows = frame[frame["instances"] == frame["instances"].max()]
    tests = [name for name in DECISIONS if name in set(rows["test"])]
    alternatives = list(dict.fromkeys(rows["alternative"]))
    schemes = [name for name in SCHEME_TITLES if name in set(rows["scheme"])]
    readings = [name for name in READING_TITLES if name in set(rows["reading"])]
    drawn = style.sheet(0.12 + 0.036 * len(tests) * len(readings), **subject.stream)
    grid = drawn.subplots(len(readings), len(alternatives), sharex=True, sharey=True, squeeze=False)
    for line, reading in zip(grid, readings, strict=True):
        for axes, alternative in zip(line, alternatives, strict=True):
            part = rows[(rows["reading"] == reading) & (rows["alternative"] == alternative)]
            _draw_rates(axes, part, tests, schemes, level)
            if reading == readings[0]:
                axes.set_title(alternative, loc="left", pad=3)
        line[0].set_yticks(range(len(tests)), [DECISIONS[name].title for name in tests])
        line[0].set_ylabel(READING_TITLES[reading])
    for axes in grid[-1]:
        axes.set_xlabel("proportion rejected")
    grid[0, 0].set_xticks([0, 0.5, 1])
    grid[0, 0].set_ylim(len(tests) - 0.5, -0.5)
    grid[0, 0].set_xlim(-0.03, 1.03)
    style.legend(drawn, [*_scheme_handles(schemes), style.level_handle(level, "tests")], columns=4)
    return drawn


def _draw_rates(
    axes: Axes, part: pd.DataFrame, tests: list[str], schemes: list[str], level: float
) -> None:
    axes.axvline(level, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)
    for index, scheme in enumerate(schemes):
        of_scheme = part[part["scheme"] == scheme].set_index("test").reindex(tests)
        places = np.arange(len(tests)) + 0.24 * (index - (len(schemes) - 1) / 2)
        ends = of_scheme["low"], of_scheme["high"]
        axes.hlines(places, *ends, color=_color(scheme), linewidth=0.8)
        axes.plot(
            of_scheme["value"],
            places,
            color=_color(scheme),
            linestyle="",
            marker=MARKERS[scheme],
            markersize=3.4,
            clip_on=False,
        )


def _color(scheme: str) -> str:
    return CLASSES[list(SCHEME_TITLES).index(scheme)].color


def _scheme_handles(schemes: list[str]) -> list[Line2D]:
    return [
        Line2D([], [], color=_color(name), marker=MARKERS[name], linewidth=0.8, label=title)
        for name, title in SCHEME_TITLES.items()
        if name in schemes
    ]


#: Tests of a family share a colour.
COLORS: Mapping[str, str] = {"instances": "#D55E00", "folds": "#0072B2", "time": "#009E73"}
#: Marker sizes of the shortest and the longest streams, in points.
SIZES = (2.5, 5.0)
#: Height of a row, and of all above and below the rows.
_ROW_MM, _REST_MM = 5.2, 38.0
#: Room for half of a marker beside the axis of a narrow panel.
_SIDE = 0.08


@style.styled
def draw_test_choice(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a row for each test: its size, then its power against each alternative.

    Of the lengths of the stream only the shortest and the longest one are drawn; the table has all.
    """
    frame, seconds, level = frames["choice"], frames["seconds"], subject.settings.level
    tests = list(dict.fromkeys(frame["test"]))
    alternatives = list(dict.fromkeys(frame["alternative"]))
    lengths = sorted({int(frame["instances"].min()), int(frame["instances"].max())})
    shown = frame[frame["instances"].isin(lengths)]
    aspect = (_REST_MM + _ROW_MM * len(tests)) / style.WIDTH_MM[2]
    drawn = style.sheet(aspect, "Which test: how often it errs, and what it notices")
    panels = drawn.subplots(1, 1 + len(alternatives), sharey=True, squeeze=False)[0]
    _draw_choice(panels[0], shown[shown["alternative"] == alternatives[0]], "size", tests, lengths)
    panels[0].axvline(level, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)
    longest = max(shown["size"].max() * 1.12, 2 * level)
    panels[0].set_xlim(-_SIDE * longest, longest)
    panels[0].set_title("no difference", loc="left", pad=3)
    panels[0].set_xlabel("proportion rejected")
    panels[0].set_yticks(range(len(tests)), [DECISIONS[test].title for test in tests])
    panels[0].set_ylim(len(tests) - 0.4, -0.6)
    for axes, name in zip(panels[1:], alternatives, strict=True):
        _draw_choice(axes, shown[shown["alternative"] == name], "power", tests, lengths)
        axes.set_xlim(-_SIDE, 1 + _SIDE)
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_title(fill(name, 11), loc="left", pad=3)
    for axes in panels:
        axes.tick_params(axis="y", length=0)
    panels[1 + len(alternatives) // 2].set_xlabel("power at equal size")
    handles = [*_family_handles(tests), style.level_handle(level, "tests")]
    style.legend(drawn, [*handles, *_length_handles(lengths, seconds)], columns=3)
    return drawn


def _draw_choice(
    axes: Axes, part: pd.DataFrame, column: str, tests: list[str], lengths: list[int]
) -> None:
    for row, test in enumerate(tests):
        color = COLORS[DECISIONS[test].family]
        found = part[part["test"] == test].sort_values("instances")
        axes.plot(found[column], [row] * len(found), color=color, linewidth=0.8)
        for length, value in zip(found["instances"], found[column], strict=True):
            axes.plot(value, row, zorder=2.5, **_marker(lengths, int(length), color))


def _marker(lengths: list[int], length: int, color: str) -> dict[str, Any]:
    """Return the marker of a length: the longest filled, the shortest small and hollow."""
    is_longest = length == lengths[-1]
    return {
        "color": color,
        "marker": "o",
        "linestyle": "",
        "markersize": SIZES[is_longest],
        "markerfacecolor": color if is_longest else "white",
        "markeredgecolor": color,
    }


def _family_handles(tests: list[str]) -> list[Line2D]:
    families = dict.fromkeys(DECISIONS[test].family for test in tests)
    return [
        Line2D([], [], color=COLORS[name], linewidth=2.5, label=f"tests of {name}")
        for name in families
    ]


def _length_handles(lengths: list[int], seconds: pd.DataFrame) -> list[Line2D]:
    """Return markers by length, with the core-seconds that a run of both learners takes."""
    each = (seconds["seconds"] / seconds["runs"] / seconds["instances"]).mean()
    return [
        Line2D(
            *([], []),
            label=f"n = {n:,} ({format_number(n * each, '.2g')} s a run)",
            **_marker(lengths, n, "0.35"),
        )
        for n in lengths
    ]


#: Colours, markers and dashes of the validations.
_LOOKS = {
    name: (look, marker)
    for name, look, marker in zip(VALIDATIONS, style.CLASSES, "os^DvP", strict=False)
}
_TITLES = {
    "false": "Verdicts for one of two learners that are equal, simulated",
    "right": "Verdicts for the better of two learners, simulated",
}


@style.styled
def draw_verdict_calibration(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the proportions of false verdicts, or of correct ones, by the length of the stream."""
    from streameval.items.error_rates.verdict_laws import APART, INSIDE  # loads learners

    rates, picture = frames["rates"], subject.picture
    is_right = rates["law"].isin(list(APART))
    shown = rates[is_right if picture == "right" else ~is_right]

    def panel(axes: Axes, law: str, part: pd.DataFrame) -> None:
        column = "better" if law in INSIDE or picture == "right" else "excludes"
        _draw_lines(axes, part, "validation", column, _LOOKS)
        if picture == "false":
            _draw_level(axes)

    columns = 5 if picture == "false" else 3
    drawn, axes = _by_law(shown, _TITLES[picture], columns, "streams", panel)
    axes.set_ylim(bottom=-0.02, top=1.02 if picture == "right" else None)
    handles = _handles(shown["validation"], VALIDATIONS, _LOOKS)
    if picture == "false":
        handles.append(style.level_handle(LEVEL, "verdicts"))
    style.legend(drawn, handles, columns=5)
    return drawn


@style.styled
def draw_interval_coverage(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw how often the learners' intervals miss, by law and by the length of the stream."""
    found = frames["coverage"]
    shown = found[found["learner"] == "learner"]
    of_runs = np.where(shown["runs"] == 1, "", ", " + shown["runs"].astype(str) + " runs")
    shown = shown.assign(law=shown["law"] + of_runs, title=shown["title"] + of_runs)

    names = dict.fromkeys(shown["measure"])
    titles = {name: style.symbol_text(measure_words(name)) for name in names}
    looks = dict(zip(names, zip(style.CLASSES, "os^D", strict=False), strict=False))

    def panel(axes: Axes, law: str, part: pd.DataFrame) -> None:
        _draw_lines(axes, part[part["interval"] > 0.5], "measure", "missed", looks)
        _draw_level(axes)

    title = "Intervals of single measures that miss the expected value, simulated"
    drawn, axes = _by_law(shown, title, 5, "intervals", panel)
    axes.set_ylim(bottom=-0.02)
    handles = _handles(shown["measure"], titles, looks)
    style.legend(drawn, [*handles, style.level_handle(LEVEL, "intervals")], columns=3)
    return drawn


def _by_law(
    shown: pd.DataFrame,
    title: str,
    columns: int,
    of_what: str,
    panel: Callable[[Axes, str, pd.DataFrame], None],
) -> tuple[Figure, Axes]:
    """Return a figure with a panel for each law by the lengths of the streams, and its first axes.

    All panels share their axes. `panel` is given the axes, the law and its rows, and draws.
    """
    laws = list(dict.fromkeys(shown["law"]))
    columns = min(len(laws), columns) or 1
    rows = -(-len(laws) // columns) or 1
    drawn = style.sheet(0.14 + 0.26 * rows, title)
    grid = drawn.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes, law in zip(grid.flat, laws, strict=False):
        part = shown[shown["law"] == law]
        panel(axes, law, part)
        axes.set_title(fill(str(part["title"].iloc[0]), 20), loc="left", pad=3)
    for place, axes in enumerate(grid.flat):
        if place >= len(laws):
            axes.remove()
        elif place + columns >= len(laws):  # none is below it
            axes.set_xlabel("instances")
            axes.tick_params(labelbottom=True)
    for axes in grid[:, 0]:
        axes.set_ylabel(f"proportion of {of_what}")
    first: Axes = grid[0, 0]
    first.set_xscale("log")
    first.xaxis.set_major_locator(FixedLocator(sorted(shown["instances"].unique())))
    first.xaxis.set_minor_locator(NullLocator())
    first.xaxis.set_major_formatter(FuncFormatter(lambda n, _: short(int(n))))
    return drawn, first


def _draw_level(axes: Axes) -> None:
    axes.axhline(LEVEL, color="0.35", linestyle=style.SHORT, linewidth=0.8, zorder=1.5)


def short(n: int) -> str:
    """Return a number of instances in thousands from 1,000 on: 300, 1k, 100k."""
    return f"{n // 1000}k" if n >= 1000 and n % 1000 == 0 else f"{n}"


def _draw_lines(
    axes: Axes,
    part: pd.DataFrame,
    by: str,
    column: str,
    looks: Mapping[str, tuple[style.Look, str]],
) -> None:
    """Draw a line for each group, side by side, with the intervals of a rate."""
    for index, (name, found) in enumerate(part.groupby(by, sort=False)):
        look, marker = looks[str(name)]
        ordered = found.sort_values("instances")
        at = ordered["instances"].to_numpy(dtype=float) * 1.06 ** (index - 1.5)
        low, high = ordered[f"{column}_low"], ordered[f"{column}_high"]
        axes.vlines(at, low, high, color=look.color, linewidth=0.6)
        axes.plot(at, ordered[column], marker=marker, markersize=2.5, linewidth=0.8, **look.line)


def _handles(
    shown: pd.Series, titles: Mapping[str, str], looks: Mapping[str, tuple[style.Look, str]]
) -> list[Line2D]:
    """Return the legend handles of groups that are shown."""
    among = set(shown)
    return [
        style.handle(look, titles[name], marker=marker, markersize=3, linewidth=0.8)
        for name, (look, marker) in looks.items()
        if name in among
    ]


draw_recorded_choice = draw_test_choice


#: The name of the average over all streams.
ALL = "all"
_CELL = ["test", "reading", "scheme", "alternative"]
_ORDER = ["bootstrap_validation", "cross_validation", "split_validation"]


def study_rejections(given: StreamInputs, item: ItemInput[RejectionsSettings]) -> pd.DataFrame:
    """Return the table of an item: how often tests reject, by stream and on average.

    The interval of an average is about these very streams, from their runs: so few tell too little
    of others. `gap` is the true difference in accuracy.
    """
    rates, gaps = (item.frames_of_streams(name) for name in ("rates", "gaps"))
    settings = item.settings
    parts = [_of_stream(name, rates[name], gaps[name]) for name in rates]
    frame = pd.concat(parts, ignore_index=True)
    for column, wanted in (("test", settings.tests), ("alternative", settings.alternatives)):
        known = list(frame[column].unique())
        for name in wanted:
            if name not in known:
                raise ConfigError(f"Rejections: there is {unknown(column, name, known)}")
    chosen = frame["test"].isin(settings.tests) & frame["reading"].isin(settings.readings)
    frame = frame[chosen & frame["alternative"].isin(settings.alternatives)]
    averages = _averages(frame)
    shown = pd.concat([frame, averages]) if settings.by_stream else averages
    keys = {
        "stream": [*rates, ALL],
        "test": settings.tests,
        "reading": settings.readings,
        "alternative": settings.alternatives,
        "scheme": _ORDER,
    }
    for column, order in keys.items():
        shown[column] = pd.Categorical(shown[column], list(order), ordered=True)
    shown = shown.sort_values(list(keys)).astype(dict.fromkeys(keys, str))
    return shown[list(item.columns)].reset_index(drop=True)


def _of_stream(name: str, rates: pd.DataFrame, gaps: pd.DataFrame) -> pd.DataFrame:
    """Return the rates of a stream at its full length, with the true differences."""
    longest = rates[rates["instances"] == rates["instances"].max()]
    keys = ["scheme", "reading", "alternative", "instances"]
    found: pd.DataFrame = longest.merge(gaps[[*keys, "gap"]], on=keys)
    return found.assign(stream=name, streams=1)


def _averages(frame: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for key, cell in frame.groupby(_CELL, sort=False):
        mean = mean_of_rates(cell["value"], cell["runs"])
        counted = (int(cell["instances"].min()), len(cell), int(cell["runs"].sum()))
        about = (*key, ALL, bool(cell["simulated"].any()))
        rows.append((*about, *counted, *mean, float(cell["gap"].mean())))
    columns = [*_CELL, "stream", "simulated", "instances", "streams", "runs", "value"]
    columns += ["low", "high", "gap"]
    return pd.DataFrame(rows, columns=columns)


def layout_rejections(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a column for each alternative and scheme."""
    rows: dict[str, dict[str, str]] = {}
    groups: dict[str, str] = {}
    for row in table.to_dict("records"):
        name = f"{row['alternative']}: {SCHEME_TITLES[row['scheme']]}"
        groups[name] = str(row["alternative"])
        rows.setdefault(_name(row, subject), {})[name] = number_text(row["value"], 2)
    cells = pd.DataFrame(rows.values(), dtype=object)
    first = "Stream" if subject.settings.by_stream else "Test"
    cells.insert(0, first, list(rows))
    widest = ((table["high"] - table["low"]) / 2).max()
    shortest, longest = (number_text(int(table["instances"].agg(end))) for end in ("min", "max"))
    lengths = longest if shortest == longest else f"{shortest} to {longest}"
    if not subject.settings.by_stream:
        lengths = f"at least {shortest}"  # all that averages say of their streams
    note = (
        f"Runs of {lengths} instances. The CSV has 95 % intervals, the true difference in accuracy "
        "behind each cell, and the number of runs. The widest interval is "
        f"±{upper_bound_text(widest, 2)}."
    )
    notes = (note, *stream_notes(table))
    return of_texts(cells, "l" + "r" * len(groups), notes, ("", *groups.values()))


def _name(row: Mapping[Any, Any], subject: Subject) -> str:
    reading, test = str(row["reading"]), str(row["test"])
    parts = []
    if subject.settings.by_stream:
        is_average = row["stream"] == "all"
        name = stream_name(str(row["stream"]), bool(row["simulated"]), subject.streams)
        parts.append("Average" if is_average else name)
    if not subject.settings.by_stream or len(subject.settings.tests) > 1:
        parts.append(DECISIONS[test].title)
    if not subject.settings.by_stream or len(subject.settings.readings) > 1:
        parts.append(READING_TITLES[reading])
    return ", ".join(parts)


def layout_verdict_calibration(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, validation and length."""
    columns = [
        text("Learners", "title"),
        Column("Validation", ["validation"], VALIDATIONS.__getitem__, kind="text"),
        count("Instances", "instances"),
        count("Streams", "streams"),
        number("with an interval", "interval", 2),
        with_ends("excludes 0", "excludes", 3),
        with_ends("verdict", "better", 3),
        number("practically equal", "equal", 2),
        number("before", "by_other", 2),
    ]
    return laid_out(table, columns)


def layout_interval_coverage(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, length, learner and measure."""
    columns = [
        text("Law", "title"),
        count("Instances", "instances"),
        count("Streams", "streams"),
        text("Learner", "learner"),
        Column("Measure", ["measure", "runs"], _measure, kind="text"),
        number("expected", "expected"),
        number("± error", "error"),
        number("median width", "width"),
        number("with an interval", "interval", 2),
        with_ends("missed", "missed", 3),
    ]
    return laid_out(table, columns)


def _measure(measure: str, runs: int) -> str:
    words = measure_words(measure)
    return words if runs == 1 else f"{words}, {runs} runs"


#: What stands for the long texts that say what tests are about, and are below the table.
_LETTERS = ascii_uppercase


def layout_test_choice(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each test, its size at each length, a verdict."""
    once = table.drop_duplicates(["test", "instances"])
    about: dict[str, str] = {}
    rows = []
    for test, found in once.groupby("test", sort=False):
        ordered = found.sort_values("instances")
        cells = {"Test": DECISIONS[str(test)].title}
        cells |= {
            f"n = {row.instances:,}": in_brackets(row.size, row.size_low, row.size_high, 2)
            for row in ordered.itertuples()
        }
        cells["rejects"] = str(ordered["verdict"].iloc[-1])
        estimand = str(ordered["estimand"].iloc[-1])
        cells["is about"] = about.setdefault(estimand, _LETTERS[len(about)])
        rows.append(cells)
    shown = pd.DataFrame(rows, dtype=object).fillna("")
    lengths = [str(name) for name in shown if str(name).startswith("n = ")]
    shown = shown[["Test", *lengths, "rejects", "is about"]]
    notes = [f"{letter}: {estimand}." for estimand, letter in about.items()]
    return of_texts(shown, "l" + "r" * len(lengths) + "ll", tuple(notes))


layout_recorded_choice = layout_test_choice
study_recorded_rejections = study_rejections
layout_recorded_rejections = layout_rejections
