"""The main table of a paper, the table of its costs, and the figure of ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from streameval.base.errors import listing
from streameval.base.values import enumeration
from streameval.drawing import scales, style
from streameval.drawing.subject import Subject
from streameval.evaluation.regression_measures import named_measure, phrase_of_measure
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, Task
from streameval.items.benchmark import (
    ALIKE,
    BEST,
    BenchmarkSettings,
    no_verdict_reason,
)
from streameval.items.columns import stream_name, stream_notes
from streameval.items.published import (
    DIFFERENCE,
    PUBLISHED,
    published_notes,
    published_texts,
)
from streameval.items.text_templates import TextTemplates
from streameval.measures.registry import MEASURES
from streameval.measures.regression import is_error
from streameval.view.numbers import NO_VALUE, number_text
from streameval.view.parts import Column, Mark, Table

#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "benchmark": TextTemplates(
        title="{title}",
        menu_entry="{measures} of learners over streams",
        caption=(
            "{measure_names} of learners over whole streams; ± is the standard deviation over "
            "seeds. {caption}"
        ),
        pictures={
            "ranks": (
                "Ranks of the learners on each stream (dots) and their mean (line), 1 is the best; "
                "streams on which a learner has no value are left out."
            ),
        },
    ),
    "ranks_over_time": TextTemplates(
        menu_entry="ranks of learners over time",
        pictures={
            "ranks": (
                "Each stream is cut into {parts} parts of equal length. In each part learners are "
                "ranked by {measure_name}, the mean over seeds; 1 is the best. Lines are mean "
                "ranks over the streams that have values of all learners in the part. They "
                "describe these streams; they are not a test."
            ),
        },
    ),
    "benchmark_costs": TextTemplates(
        title="Processor time and memory of learners over streams",
        menu_entry="processor time and memory of learners",
        caption=(
            "CPU seconds of a run on this machine, and size of the model at its end; ± is the "
            "standard deviation over seeds."
        ),
    ),
}

#: Marks of cells, by the standing of a learner.
_MARKS: Mapping[str, Mark] = {BEST: "best", ALIKE: "alike"}
#: A cell of a laid-out table: its text and its mark.
_Cell = tuple[str, Mark]
#: Headings of the mean ranks and of the counts; both follow the streams.
_RANK, _COUNTS = "Mean rank", "Wins/ties/losses"


def layout_benchmark(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a block for each measure, with streams as rows.

    With the setting ``transposed`` learners are rows and streams are columns.
    """
    settings: BenchmarkSettings = subject.settings
    learners = list(dict.fromkeys(table["learner"]))
    titles = [subject.titles.get(name, name) for name in learners]
    blocks = []
    for name_of_measure, part in table.groupby("measure", sort=False):
        measure = str(name_of_measure)
        is_percent = settings.percent and not is_error(measure)
        factor = 100 if is_percent else 1
        cells: dict[str, list[_Cell]] = {}
        for (stream, simulated), rows in part.groupby(["stream", "simulated"], sort=False):
            by_learner = rows.set_index("learner").loc[learners]
            name = stream_name(str(stream), bool(simulated), subject.streams)
            digits = _digits(by_learner["mean"], measure, settings.digits)
            cells[name] = [
                (_mean_and_sd(row, factor, digits), _MARKS.get(row["standing"], ""))
                for row in by_learner.to_dict("records")
            ]
            cells |= _published_cells(name, by_learner, is_percent, digits)
        if settings.ranks:
            cells |= _rank_cells(part, learners)
        # Without errors in the table, its title says that all measures are in %.
        in_percent = (
            " (%)" if is_percent and any(map(is_error, settings.measures_or_default)) else ""
        )
        blocks.append((f"{named_measure(measure).title}{in_percent}", cells))
    return _block_table(titles, blocks, settings.transposed, _notes(table, subject))


def _digits(means: pd.Series, measure: str, digits: int | None) -> int:
    """Number of decimals of a measure on a stream.

    By default 2, or for errors the number with which the largest has four significant digits, but
    from 0 to 10.
    """
    if digits is not None:
        return digits
    if not is_error(measure):
        return 2
    largest = float(means[np.isfinite(means)].abs().max())
    return min(max(3 - int(np.floor(np.log10(largest))), 0), 10) if largest > 0 else 2


def _published_cells(
    name: str, rows: pd.DataFrame, is_percent: bool, digits: int
) -> dict[str, list[_Cell]]:
    """Two rows of cells for a stream: its published values, and the differences from ours."""
    if not (rows["published"] != "").any():
        return {}
    printed, differences = published_texts(rows, is_percent, digits)
    return {
        f"{name}{PUBLISHED}": [(text, "") for text in printed],
        f"{name}{DIFFERENCE}": [(text, "") for text in differences],
    }


def _mean_and_sd(row: Mapping[Any, Any], factor: float, digits: int) -> str:
    """The text of a mean, followed by its standard deviation if there are several seeds."""
    mean = number_text(factor * float(row["mean"]), digits)
    if np.isnan(row["sd"]):
        return mean
    return f"{mean} ± {number_text(factor * float(row['sd']), digits)}"


def _rank_cells(part: pd.DataFrame, learners: Sequence[str]) -> dict[str, list[_Cell]]:
    """Two rows of cells: mean ranks, and numbers of wins, ties and losses, over the streams."""
    by_learner = part.groupby("learner", sort=False)
    ranks = by_learner["rank"].mean().loc[[*learners]]
    best = ranks.round(9).min()  # ties in spite of rounding errors
    mean_ranks: list[_Cell] = [
        (number_text(float(rank), 2), "best" if round(rank, 9) == best else "") for rank in ranks
    ]
    sums = by_learner[["wins", "ties", "losses"]].sum().loc[[*learners]]
    counts: list[_Cell] = [("/".join(map(str, row)), "") for row in sums.to_numpy().tolist()]
    return {_RANK: mean_ranks, _COUNTS: counts}


def _block_table(
    learners: Sequence[str],
    blocks: Sequence[tuple[str, Mapping[str, Sequence[_Cell]]]],
    is_transposed: bool,
    notes: Sequence[str],
) -> Table:
    """A table of titled blocks.

    A block has a list of cells, in the order of learners, for each stream by its name.
    """
    rows, headings = [], [*learners]
    for title, cells in blocks:
        cells_by_row = cells
        if is_transposed:
            headings = [*cells]
            cells_by_row = {
                name: [cells[stream][i] for stream in cells] for i, name in enumerate(learners)
            }
        for row_number, (name, row_cells) in enumerate(cells_by_row.items()):
            texts = {str(i): text for i, (text, _) in enumerate(row_cells)}
            marks = {f"mark {i}": mark for i, (_, mark) in enumerate(row_cells)}
            # The title stands in the first row of its block only.
            rows.append({"block": "" if row_number else title, "name": name, **texts, **marks})
    columns = [Column("Learner" if is_transposed else "Stream", ["name"], kind="name")]
    if len(blocks) > 1:
        columns.insert(0, Column("Measure", ["block"], kind="text"))
    columns += [Column(head, [str(i)], mark_key=f"mark {i}") for i, head in enumerate(headings)]
    return Table(columns, rows, notes=tuple(notes))


def _notes(table: pd.DataFrame, subject: Subject) -> list[str]:
    """The notes below the table: marks, verdicts, spreads, ranks, missing values."""
    settings: BenchmarkSettings = subject.settings
    reasons = {
        name: no_verdict_reason(name, settings.protocol) for name in settings.measures_or_default
    }
    judged = [name for name in settings.measures_or_default if not reasons[name]]
    names = {name: phrase_of_measure(name) for name in reasons}
    task = _task(settings)
    verdict_measure = f"the {task.name}" if task.is_error else task.name
    notes = ["Bold: the best of a stream."]
    if judged and len(settings.learners_and_baselines) > 1:
        notes[0] += (
            " Underlined: cannot be told from the best by the verdict of streameval compare about "
            f"{verdict_measure}, whose intervals hold for all pairs of learners on a stream at "
            "once (95 %) and cover the dependence of instances and the seeds."
        )
        derived = [names[name] for name in judged if name != task.measure]
        if derived and not task.is_classification:
            notes.append(f"A skill ranks the learners of a stream as {verdict_measure} does.")
        elif derived:
            verb = "ranks" if len(derived) == 1 else "rank"
            notes.append(
                f"{enumeration(derived)} {verb} the learners of a stream as {verdict_measure} does."
            )
    if not task.is_classification:
        notes.append(
            "Instances that some learner of the table does not predict are left out for all "
            "learners. Errors are in the unit of each stream's target."
        )
    for reason in dict.fromkeys(filter(None, reasons.values())):
        listed = enumeration([names[name] for name in reasons if reasons[name] == reason])
        notes.append(f"No verdict by {listed}: {reason}. Nothing is underlined there.")
    seeds = sorted({*table.loc[table["seeds"] > 1, "seeds"]})
    if seeds:
        number = f"{seeds[0]} seeds" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]} seeds"
        notes.append(
            f"±: standard deviation over {number}. Learners without it do not draw at random."
        )
    if settings.ranks:
        ranks_note = _ranks_note(table, by_verdict=bool(judged), by_mean=len(judged) < len(reasons))
        notes.append(ranks_note)
    notes += _missing_interval_notes(table, subject)
    notes += published_notes(table)
    notes += _missing_value_notes(table, subject)
    return [*notes, *stream_notes(table)]


def _task(settings: BenchmarkSettings) -> Task:
    return CLASSIFICATION_TASK if settings.measures_or_default[0] in MEASURES else REGRESSION_TASK


def _ranks_note(table: pd.DataFrame, *, by_verdict: bool, by_mean: bool) -> str:
    """The note on mean ranks, and on whether wins count verdicts or higher means."""
    streams = table["stream"].nunique()
    ranked = table.loc[table["rank"].notna(), "stream"].nunique()
    ranked_streams = f"{streams} streams" if streams > 1 else "one stream"
    if ranked < streams:
        ranked_streams = f"the {ranked} of {streams} streams on which all learners have a value"
    criteria = ["verdict"] * by_verdict + ["means"] * by_mean
    criterion = " and, where there is no verdict, by the ".join(criteria)
    return (
        f"Mean rank over {ranked_streams}, 1 is the best. Wins, ties and losses count all other "
        f"learners and streams, by the {criterion}."
    )


def _missing_interval_notes(table: pd.DataFrame, subject: Subject) -> list[str]:
    """The note on learners whose difference from the best has no interval."""
    rows = table[(table["standing"] == ALIKE) & (table["reason"] != "")]
    cases = [_learner_on_stream(row, subject) for row in rows.to_dict("records")]
    if not cases:
        return []
    reasons = [*dict.fromkeys(rows["reason"])]
    reason = reasons[0] if len(reasons) == 1 else f"for example, {reasons[0]}"
    names = listing(dict.fromkeys(cases))
    return [f"Underlined since the difference from the best has no interval: {names} ({reason})."]


def _missing_value_notes(table: pd.DataFrame, subject: Subject) -> list[str]:
    """A note for each reason why values are missing, with their learners and streams."""
    cases_by_reason: dict[str, list[str]] = {}
    for row in table[table["mean"].isna()].to_dict("records"):
        cases_by_reason.setdefault(str(row["reason"]), []).append(_learner_on_stream(row, subject))
    return [
        f"{NO_VALUE}: {enumeration(list(dict.fromkeys(cases)))}: {reason.rstrip('.')}."
        for reason, cases in cases_by_reason.items()
    ]


def _learner_on_stream(row: Mapping[Any, Any], subject: Subject) -> str:
    learner = subject.titles.get(row["learner"], row["learner"])
    return f"{learner} on {subject.streams.get(row['stream'], row['stream'])}"


def layout_benchmark_costs(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a block of CPU seconds and a block of model sizes."""
    learners = list(dict.fromkeys(table["learner"]))
    titles_and_factors = {"seconds": ("CPU seconds", 1.0), "memory": ("Model, MB", 1e-6)}
    blocks = []
    for cost, part in table.groupby("cost", sort=False):
        title, factor = titles_and_factors[str(cost)]
        digits = 2 if factor * part["mean"].max() >= 10 else 4  # show small costs, too
        cells: dict[str, list[_Cell]] = {}
        for (stream, simulated), rows in part.groupby(["stream", "simulated"], sort=False):
            by_learner = rows.set_index("learner").loc[learners].to_dict("records")
            name = stream_name(str(stream), bool(simulated), subject.streams)
            cells[name] = [(_mean_and_sd(row, factor, digits), "") for row in by_learner]
        blocks.append((title, cells))
    notes = ["CPU seconds of a run on this machine; they differ from run to run."]
    if (table["seeds"] > 1).any():
        notes.append("±: standard deviation over seeds.")
    titles = [subject.titles.get(name, name) for name in learners]
    return _block_table(titles, blocks, subject.settings.transposed, [*notes, *stream_notes(table)])


#: Height of the row of a learner in the figure of ranks, in mm.
_ROW_MM = 5.4
#: Height of the title above the rows and the axis below them, in mm.
_MARGINS_MM = 24.0


@style.styled
def draw_benchmark(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the rank of each learner on each stream, and its mean rank, the best learner first."""
    table = frames["table"]
    measure = subject.settings.measures_or_default[0]
    ranks = table[(table["measure"] == measure) & table["rank"].notna()]
    mean_ranks = ranks.groupby("learner", sort=False)["rank"].mean().sort_values(kind="stable")
    names = scales.wrap_names([subject.titles.get(name, name) for name in mean_ranks.index])
    height = _MARGINS_MM + scales.row_mm(names, _ROW_MM) * max(len(names), 1)
    figure = style.figure(columns=2, aspect=height / style.FULL_WIDTH_MM)
    title = f"{named_measure(measure).title}: ranks of learners over streams"
    style.add_title(figure, title, bool(table["simulated"].any()))
    axes = figure.subplots()
    if not names:
        axes.set_axis_off()
        axes.text(0.0, 0.5, "No stream has values of all learners.")
        return figure
    scales.dot_rows(axes, names)
    for row, (learner, mean_rank) in enumerate(mean_ranks.items()):
        look = style.learner_look(str(learner))
        ranks_of_learner = ranks.loc[ranks["learner"] == learner, "rank"].to_numpy(float)
        values, counts = np.unique(ranks_of_learner, return_counts=True)
        sizes = 6 + 6 * counts  # dots grow with the number of streams
        axes.scatter(values, np.full(len(values), row), s=sizes, color=look.color, zorder=3)
        ends = [row - 0.36, row + 0.36]  # rows are 1 apart
        axes.plot([mean_rank, mean_rank], ends, color="0.15", linewidth=1.4, zorder=4)
        axes.annotate(
            number_text(float(mean_rank), 2),
            (1.0, row),
            xycoords=axes.get_yaxis_transform(),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
        )
    axes.set_xlim(0.7, max(len(names), 2) + 0.3)
    axes.set_xlabel("rank on a stream (1 is the best); line and number: mean rank")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


#: Height of the figure of ranks over time, as a fraction of its width.
_RANKS_OVER_TIME_ASPECT = 0.42
#: Largest number of ticks of the axis of ranks.
_MAX_RANK_TICKS = 8


@style.styled
def draw_ranks_over_time(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the mean rank of each learner over the streams, in each part; the best is on top."""
    ranks, settings = frames["ranks"], subject.settings
    name = named_measure(settings.measure_or_default).title
    title = f"{name}: mean ranks of learners over time"
    figure = style.titled_figure(
        _RANKS_OVER_TIME_ASPECT, title, bool(frames["values"]["simulated"].any())
    )
    axes = figure.subplots()
    if ranks.empty:
        axes.set_axis_off()
        axes.text(0.0, 0.5, "No part of a stream has values of all learners.")
        return figure
    by_middle = ranks.assign(percent=100 * (ranks["part"] - 0.5) / settings.parts)
    style.learner_lines(axes, by_middle, "percent", "mean_rank", settings.learners)
    axes.set_xlim(0, 100)
    last = len(settings.learners)
    axes.set_ylim(last + 0.2, 0.8)
    style.fixed_ticks(axes.yaxis, range(1, last + 1, -(-last // _MAX_RANK_TICKS)))
    axes.set_xlabel("part of each stream (%)")
    axes.set_ylabel(f"mean rank over {int(ranks['streams'].max())} streams")
    style.legend(figure, style.learner_handles(settings.learners, subject.titles), columns=5)
    return figure
