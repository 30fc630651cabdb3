"""Figures, tables and captions of continuous re-evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from streameval.base.errors import ConfigError
from streameval.drawing import scales, style
from streameval.drawing.bins import draw_binned_errors as draw_binned_errors
from streameval.drawing.bins import draw_binned_measures as draw_binned_measures
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import begin_of, on_axis, places_of, tune_time_axis
from streameval.evaluation.roles import MAXIMUM, WEIGHTED
from streameval.items.columns import (
    count_column,
    frame_table,
    learner_column,
    number_column,
    stream_column,
    stream_name,
    stream_notes,
    table_of_texts,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.published import (
    DIFFERENCE,
    PUBLISHED,
    published_notes,
    published_texts,
    with_published_columns,
)
from streameval.items.reevaluation import (
    BinnedErrorTableSettings,
    BinnedTableSettings,
    BinRulesSettings,
)
from streameval.items.text_templates import TextTemplates
from streameval.measures.registry import MEASURES
from streameval.report.published_values import LAST_BIN, Ours
from streameval.view.blocks import Table
from streameval.view.numbers import number_text, upper_bound_text

#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "bin_numbers": TextTemplates(
        subject="accuracy by bin for several numbers of bins",
        caption=(
            "accuracy of the predictions that count in the bins between the first and the last "
            "prediction of an instance, for several numbers of bins B. Bin b of B is drawn at its "
            "end, 100 b/B per cent of the time to the label."
        ),
        evaluation="continuous re-evaluation every {every} labels",
    ),
    "bin_rules": TextTemplates(
        title="The two rules for predictions in a bin",
        subject="accuracy by two rules for predictions in a bin",
        caption=(
            "Predictions that count in a bin: by the published program a single one for the whole "
            "bin, by the text of Grzenda et al. (2019) each as long as it is in force. For each "
            "learner, the bin in which the two accuracies differ most."
        ),
    ),
    "binned_error_table": TextTemplates(
        title="Mean absolute error in some bins of the time to the label",
        subject="mean absolute error by bin",
        caption=(
            "Mean absolute error, in the unit of the target, of the predictions that count in a "
            "bin. Bin 0 is the first prediction, bin B + 1 the one just before the label is "
            "learnt. The previous target is the latest known at the prediction; the CSV has the "
            "skill over it, and over the mean so far."
        ),
    ),
    "binned_errors": TextTemplates(
        subject="errors by bin of the time to the label",
        caption=(
            "{measures} in each bin of the time from an instance to its label. Skill: over a "
            "baseline with the same delay. Bars: 95 % intervals of a bin. Below: the mean absolute "
            "error minus the least of the other learners, with intervals for all bins and pairs of "
            "learners together. Squares: the learner may have the smallest error; hollow without "
            "an interval."
        ),
        evaluation="continuous re-evaluation every {every} labels",
    ),
    "binned_measures": TextTemplates(
        subject="accuracy by bin of the time to the label",
        caption=(
            "{measures} in each bin of the time from an instance to its label, from the first "
            "prediction, bin 0, to the last. Squares: the learner may be the most accurate one, at "
            "95 % for all bins and pairs of learners together; hollow without an interval, left "
            "out where no learner is excluded.{over_time}"
        ),
        evaluation="continuous re-evaluation every {every} labels",
    ),
    "binned_table": TextTemplates(
        title="Accuracy in some bins of the time to the label",
        subject="accuracy by bin",
        caption=(
            "Accuracy, in per cent, of the predictions that count in a bin. Bin 0 is the first "
            "prediction, bin B + 1 the one just before the label is learnt."
        ),
    ),
    "repredictions": TextTemplates(
        subject="additional predictions of a re-evaluation",
        caption=(
            "additional predictions, those between the first and the last of an instance, with a "
            "prediction after every {every} labels (K). Top: predictions made over the last "
            "{window} labels. Middle: predictions kept for instances with pending labels. Bottom: "
            "mean number for each instance whose label has arrived."
        ),
    ),
}


#: Lines in the order of the numbers of bins, from light to dark.
_DASHES = (style.DOTTED, style.SHORT, style.DASH_DOT, style.LONG, style.SOLID, style.DASH_DOT_DOT)
_MARKERS = "os^Dv*"
_LEARNER_MM, _NUMBERS_REST_MM = 50.0, 26.0
#: From this many bins on, single ones are not marked.
_MANY = 30


@style.styled
def draw_bin_numbers(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each learner and a line for each number of bins."""
    frame, learners = frames["bin_numbers"], subject.settings.learners
    height_mm = _NUMBERS_REST_MM + _LEARNER_MM * len(learners)
    figure = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    panels = figure.subplots(len(learners), 1, sharex=True, squeeze=False)[:, 0]
    numbers = sorted(frame["bins"].unique().tolist())
    measure, handles = MEASURES["accuracy"], list[Line2D]()
    for axes, learner in zip(panels, learners, strict=True):
        handles, color = [], style.learner_look(learner).color
        of_learner = frame[frame["learner"] == learner]
        for place, bins in enumerate(numbers):
            rows = of_learner[of_learner["bins"] == bins].sort_values("bin")
            look: dict[str, Any] = {
                "color": color,
                "alpha": 0.35 + 0.65 * (place + 1) / len(numbers),
                "linestyle": _DASHES[place % len(_DASHES)],
                "marker": _MARKERS[place % len(_MARKERS)] if bins < _MANY else "",
            }
            axes.plot(100 * rows["bin"] / bins, rows["accuracy"], **look)
            handles.append(Line2D([], [], label=f"B = {bins}", **{**look, "color": "0.25"}))
        scales.fit(axes, measure, of_learner["accuracy"].to_numpy(dtype=float))
        axes.set_title(subject.titles.get(learner, learner), loc="left", pad=3)
        axes.set_ylabel(f"{measure.title} {style.symbol_text(measure.symbol)}")
    panels[-1].set_xlim(0, 100 * style.MARKER_ROOM)
    panels[-1].set_xlabel("end of the bin (% of the time from an instance to its label)")
    style.legend(figure, handles, columns=6)
    return figure


_COST_MM, _COSTS_REST_MM = 36.0, 26.0


@style.styled
def draw_repredictions(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw three panels, with a line for each number of labels between two predictions."""
    frame, window = frames["repredictions"], subject.settings.window
    panels_of = {
        "made": f"made over\n{window:,} labels",
        "buffered": "kept for\npending labels",
        "per_label": "for each label,\non average",
    }
    height_mm = _COSTS_REST_MM + _COST_MM * len(panels_of)
    figure = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    panels = figure.subplots(len(panels_of), 1, sharex=True)
    handles = []
    for place, (every, rows) in enumerate(frame.groupby("every")):
        look = style.CLASSES[place % len(style.CLASSES)]
        for axes, column in zip(panels, panels_of, strict=True):
            axes.plot(on_axis(places_of(rows, "labels")), rows[column], **look.line)
        handles.append(Line2D([], [], label=f"K = {every}", **look.line))
    for axes, text in zip(panels, panels_of.values(), strict=True):
        axes.set_ylabel(f"predictions\n{text}")
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    places, what = places_of(frame, "labels"), "labels that have arrived"
    tune_time_axis(panels[-1], places, begin_of(frame), what=what)
    figure.align_ylabels(list(panels))
    style.legend(figure, handles, columns=6)
    return figure


def study_binned_table(
    stream_inputs: StreamInputs, item: ItemInput[BinnedTableSettings]
) -> pd.DataFrame:
    """The table of an item: accuracies in per cent by bin and learner, and weighted ones.

    Intervals are for this bin and learner alone; `which` is the bin, or the name of the weights.
    """
    numbers, weights = item.settings.bins, item.settings.weights
    if not weights:
        table = item.over_frames(lambda bins: _accuracies(bins, numbers), "bins")
    else:
        table = item.over_frames(
            lambda bins, weighted: pd.concat(
                [_accuracies(bins, numbers), _weighted(weighted, weights)]
            ),
            *("bins", "weighted"),
        ).astype({"bin": "Int64"})
    if not item.settings.published:
        return table
    return with_published_accuracies(table, item.resource(item.settings.published))


def with_published_accuracies(table: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Add the published accuracies of a file to the rows of the table, each compared with ours."""
    ours: dict[tuple[str, ...], Ours] = {
        (row["stream"], row["learner"], "accuracy", row["which"]): Ours(
            [row["accuracy_percent"] / 100], "no prediction counts in this bin", row["simulated"]
        )
        for row in table.to_dict("records")
    }
    return with_published_columns(table, ours, path)


def _weighted(weighted: pd.DataFrame, names: tuple[str, ...]) -> pd.DataFrame:
    missing = [name for name in names if name not in set(weighted["weights"])]
    if missing:
        raise ConfigError(
            f"Table of bins: expected the weights {missing[0]!r} in the item about it, found none "
            "of this name. Add them to its `weights`."
        )
    rows = weighted[weighted["weights"].isin(names) & (weighted["measure"] == "accuracy")].copy()
    rows["accuracy_percent"] = 100 * rows["value"]
    rows[["low", "high"]] *= 100
    rows["which"] = rows["weights"].where(rows["weights"] == MAXIMUM, WEIGHTED + rows["weights"])
    rows["place"] = rows["weights"].map({name: i for i, name in enumerate(names)})
    return rows.assign(bin=None).sort_values("place", kind="stable")


def _accuracies(bins: pd.DataFrame, numbers: tuple[int, ...]) -> pd.DataFrame:
    rows = chosen_bins(bins, numbers)
    correct = np.rint(rows["accuracy"] * rows["predictions"])
    # A single rounding: what is halfway between two numbers of two decimals stays so.
    rows["accuracy_percent"] = 100 * correct / rows["predictions"]
    rows[["low", "high"]] *= 100
    return rows


def chosen_bins(bins: pd.DataFrame, numbers: tuple[int, ...]) -> pd.DataFrame:
    """The rows of some bins of a stream.

    Raises ConfigError if the stream does not have one of the bins.
    """
    last = int(bins["bin"].max())
    wrong = [b for b in numbers if not 0 < b < last]
    if wrong:
        raise ConfigError(
            f"Table of bins: expected bins from 1 to {last - 1} in `bins`, which the item has for "
            f"it, found {wrong[0]}."
        )
    names = {0: "0", **{b: str(b) for b in sorted(numbers)}, last: LAST_BIN}
    rows = bins[bins["bin"].isin(names)].copy()
    rows["place"] = rows["bin"].map({b: i for i, b in enumerate(names)})
    rows["which"] = rows["bin"].map(names)
    return rows.sort_values("place", kind="stable")


def layout_binned_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item; the most accurate learners of a line are marked."""
    cells = cells_by_bin(table, subject, "accuracy_percent", 1)
    more = list[str]()
    if "published" in table:
        cells, more = _with_published_rows(cells, table, subject), published_notes(table)
    widest = ((table["high"] - table["low"]) / 2).max()
    note = (
        "* The highest accuracy of the bin. The CSV has 95 % intervals of single cells; the widest "
        f"is ±{upper_bound_text(widest, 1)}."
    )
    notes = (note, *more, *stream_notes(table))
    return table_of_texts(cells, "l" + "r" * (cells.shape[1] - 1), notes)


def _with_published_rows(
    cells: pd.DataFrame, table: pd.DataFrame, subject: Subject
) -> pd.DataFrame:
    """Add two rows below each bin that has published values: these, and the differences."""
    learners = list(dict.fromkeys(table["learner"]))
    titles = [subject.titles.get(name, name) for name in learners]
    lines = list[dict[Any, Any]]()
    groups = table.groupby(["stream", "which"], sort=False)
    for line, (_, rows) in zip(cells.to_dict("records"), groups, strict=True):
        lines.append(line)
        if (rows["published"] != "").any():
            texts = published_texts(rows.set_index("learner").loc[learners], True, 2)
            for end, row_texts in zip((PUBLISHED, DIFFERENCE), texts, strict=True):
                named = {**line, "Bin": f"{line['Bin']}{end}"}
                lines.append(named | dict(zip(titles, row_texts, strict=True)))
    return pd.DataFrame(lines, columns=cells.columns, dtype=object)


def cells_by_bin(table: pd.DataFrame, subject: Subject, column: str, sign: int) -> pd.DataFrame:
    """The texts: a line for each stream and bin, a column for each learner.

    The highest ones of a line are marked, or the lowest ones by a `sign` of -1.
    """
    lines: list[dict[str, str]] = []
    learners = list(dict.fromkeys(table["learner"]))
    for _, rows in table.groupby(["stream", "which"], sort=False):
        first = rows.to_dict("records")[0]
        values = rows.set_index("learner")[column].reindex(learners)  # NaN of one that failed
        texts = {learner: number_text(values[learner], 2) for learner in learners}
        best = texts[str((sign * values).idxmax())]
        lines.append(
            {
                "Stream": stream_name(
                    str(first["stream"]), bool(first["simulated"]), subject.streams
                ),
                "Labels": number_text(int(first["labels"])),
                "Inputs": number_text(int(first["attributes"])),
                "Bin": bin_name(str(first["which"])),
            }
            | {
                subject.titles.get(learner, learner): f"{text}{' *' if text == best else ''}"
                for learner, text in texts.items()
            }
        )
    return pd.DataFrame(lines, dtype=object)


def bin_name(which: str) -> str:
    """Name in tables of a bin, of the best bin, or of the weights of all bins."""
    if which == MAXIMUM:
        return "best bin"
    return which.replace(LAST_BIN, "B + 1").replace(WEIGHTED, "Ψ, ")


def study_binned_error_table(
    stream_inputs: StreamInputs, item: ItemInput[BinnedErrorTableSettings]
) -> pd.DataFrame:
    """The table of an item: mean absolute errors and skills by bin and learner.

    Intervals are for this bin and learner alone: over the labels, and over the seeds if several.
    """
    return item.over_frames(lambda bins: chosen_bins(bins, item.settings.bins), "bins")


def layout_binned_error_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item; the regressors with the smallest error of a line are marked."""
    cells = cells_by_bin(table, subject, "mean_absolute_error", -1)
    first = "The CSV has 95 % intervals of single cells over the labels, and over seeds."
    notes = [f"* The smallest error of the bin. {first}"]
    for learner, rows in table[table["seeds"] > 1].groupby("learner", sort=False):
        widest = ((rows["seeds_high"] - rows["seeds_low"]) / 2).max()
        notes.append(
            f"{subject.titles.get(str(learner), learner)}: mean over {rows['seeds'].iloc[0]} "
            f"seeds, at most ±{upper_bound_text(widest, 2)}."
        )
    return table_of_texts(
        cells,
        "l" + "r" * (cells.shape[1] - 1),
        (*notes, *stream_notes(table)),
    )


def study_bin_rules(stream_inputs: StreamInputs, item: ItemInput[BinRulesSettings]) -> pd.DataFrame:
    """The table of an item: for each stream and learner the bin where the rules differ most.

    It is the first of equals; the difference is the paper's rule minus the published one, in
    points.
    """
    return item.over_frames(_greatest_difference, "rules")


def _greatest_difference(rules: pd.DataFrame) -> pd.DataFrame:
    points = 100 * (rules["other_accuracy"] - rules["accuracy"])
    most = points.abs().fillna(0).groupby(rules["learner"], sort=False).idxmax()
    rows = rules.loc[most].assign(difference=points)
    rows["differing_percent"] = 100 * rows["differing"] / rows["predictions"]
    rows["published_percent"] = 100 * rows["accuracy"]
    rows["paper_percent"] = 100 * rows["other_accuracy"]
    return rows


def layout_bin_rules(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a line for each stream and learner."""
    columns = [
        stream_column(subject),
        learner_column(subject),
        count_column("Bin", "bin"),
        number_column("Other labels (%)", "differing_percent", 2),
        number_column("Published (%)", "published_percent", 2),
        number_column("Paper (%)", "paper_percent", 2),
        number_column("Difference", "difference", 2),
    ]
    return frame_table(table, columns, stream_notes(table))
