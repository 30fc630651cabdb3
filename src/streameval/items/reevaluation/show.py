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
from streameval.drawing.time_axis import axis_numbers, axis_start, axis_times, set_time_axis
from streameval.evaluation.roles import MAXIMUM, WEIGHTED
from streameval.items.columns import (
    count_column,
    frame_table,
    learner_column,
    number_column,
    stream_column,
    stream_name,
    stream_notes,
    text_frame_table,
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
from streameval.report.published_values import LAST_BIN, OurValues
from streameval.view.numbers import number_text, upper_bound_text
from streameval.view.parts import Table

#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "bin_numbers": TextTemplates(
        menu_entry="accuracy by bin for several numbers of bins",
        caption=(
            "accuracy of the predictions that count in the bins between the first and the last "
            "prediction of an instance, for several numbers of bins B. Bin b of B is drawn at its "
            "end, at 100 b/B per cent of the time to the label."
        ),
        evaluation="continuous re-evaluation every {every} labels",
    ),
    "bin_rules": TextTemplates(
        title="The two rules for predictions in a bin",
        menu_entry="accuracy by two rules for predictions in a bin",
        caption=(
            "Predictions that count in a bin: in the published program a single prediction for the "
            "whole bin, in the text of Grzenda et al. (2019) each prediction until the next one "
            "replaces it. For each learner, the bin in which the two accuracies differ most."
        ),
    ),
    "binned_error_table": TextTemplates(
        title="Mean absolute error in some bins of the time to the label",
        menu_entry="mean absolute error by bin",
        caption=(
            "Mean absolute error, in the unit of the target, of the predictions that count in a "
            "bin. Bin 0 has the first predictions, bin B + 1 the predictions just before the label "
            "is learnt. The CSV has the skill over the previous target, which is the latest target "
            "known at the prediction, and over the mean so far."
        ),
    ),
    "binned_errors": TextTemplates(
        menu_entry="errors by bin of the time to the label",
        caption=(
            "{measures} in each bin of the time from an instance to its label. Skill: over a "
            "baseline with the same delay. Bars: 95 % intervals of a bin. Below: the mean absolute "
            "error minus the smallest error of the other learners, with intervals for all bins and "
            "pairs of learners together. Squares: the learner may have the smallest error; hollow "
            "without an interval."
        ),
        evaluation="continuous re-evaluation every {every} labels",
    ),
    "binned_measures": TextTemplates(
        menu_entry="accuracy by bin of the time to the label",
        caption=(
            "{measures} in each bin of the time from an instance to its label, from the first "
            "prediction, bin 0, to the last. Squares: the learner may be the most accurate, at "
            "95 % for all bins and pairs of learners together; hollow without an interval, left "
            "out where no learner can be excluded.{over_time}"
        ),
        evaluation="continuous re-evaluation every {every} labels",
    ),
    "binned_table": TextTemplates(
        title="Accuracy in some bins of the time to the label",
        menu_entry="accuracy by bin",
        caption=(
            "Accuracy, in per cent, of the predictions that count in a bin. Bin 0 has the first "
            "predictions, bin B + 1 the predictions just before the label is learnt."
        ),
    ),
    "repredictions": TextTemplates(
        menu_entry="additional predictions of a re-evaluation",
        caption=(
            "additional predictions, between the first and the last of an instance, with a "
            "prediction after every {every} labels (K). Top: number of predictions made over the "
            "last {window} labels. Middle: number of predictions kept for instances with pending "
            "labels. Bottom: mean number for an instance whose label has arrived."
        ),
    ),
}


#: Dashes of lines, from the smallest number of bins on.
_DASHES = (style.DOTTED, style.SHORT, style.DASH_DOT, style.LONG, style.SOLID, style.DASH_DOT_DOT)
#: Markers of lines, from the smallest number of bins on.
_MARKERS = "os^Dv*"
#: Height of a learner's panel in the figure of numbers of bins, in millimetres.
_LEARNER_PANEL_MM = 50.0
#: Height above and below the panels of a figure, in millimetres.
_MARGINS_MM = 26.0
#: From this number of bins on, markers would overlap, so lines have none.
_MIN_BINS_WITHOUT_MARKERS = 30


@style.styled
def draw_bin_numbers(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each learner and a line for each number of bins."""
    frame, learners = frames["bin_numbers"], subject.settings.learners
    height_mm = _MARGINS_MM + _LEARNER_PANEL_MM * len(learners)
    figure = style.titled_figure(height_mm / style.FULL_WIDTH_MM, **subject.stream_arguments)
    panels = figure.subplots(len(learners), 1, sharex=True, squeeze=False)[:, 0]
    bin_counts = sorted(frame["bins"].unique().tolist())
    measure, handles = MEASURES["accuracy"], list[Line2D]()
    for axes, learner in zip(panels, learners, strict=True):
        handles, color = [], style.learner_look(learner).color
        learner_rows = frame[frame["learner"] == learner]
        for i, bins in enumerate(bin_counts):
            rows = learner_rows[learner_rows["bins"] == bins].sort_values("bin")
            look: dict[str, Any] = {
                "color": color,
                "alpha": 0.35 + 0.65 * (i + 1) / len(bin_counts),  # many bins are dark
                "linestyle": _DASHES[i % len(_DASHES)],
                "marker": _MARKERS[i % len(_MARKERS)] if bins < _MIN_BINS_WITHOUT_MARKERS else "",
            }
            axes.plot(100 * rows["bin"] / bins, rows["accuracy"], **look)
            handles.append(Line2D([], [], label=f"B = {bins}", **{**look, "color": "0.25"}))
        scales.fit(axes, measure, learner_rows["accuracy"].to_numpy(dtype=float))
        axes.set_title(subject.titles.get(learner, learner), loc="left", pad=3)
        axes.set_ylabel(f"{measure.title} {style.symbol_text(measure.symbol)}")
    panels[-1].set_xlim(0, 100 * style.AXIS_FACTOR)
    panels[-1].set_xlabel("end of the bin (% of the time from an instance to its label)")
    style.legend(figure, handles, columns=6)
    return figure


#: Height of a panel in the figure of additional predictions, in millimetres.
_REPREDICTIONS_PANEL_MM = 36.0


@style.styled
def draw_repredictions(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw three panels, with a line for each number of labels between two predictions."""
    frame, window = frames["repredictions"], subject.settings.window
    panel_labels = {
        "made": f"made over\n{window:,} labels",
        "buffered": "kept for\npending labels",
        "per_label": "for each label,\non average",
    }
    height_mm = _MARGINS_MM + _REPREDICTIONS_PANEL_MM * len(panel_labels)
    figure = style.titled_figure(height_mm / style.FULL_WIDTH_MM, **subject.stream_arguments)
    panels = figure.subplots(len(panel_labels), 1, sharex=True)
    handles = []
    for i, (every, rows) in enumerate(frame.groupby("every")):
        look = style.CLASS_LOOKS[i % len(style.CLASS_LOOKS)]
        for axes, column in zip(panels, panel_labels, strict=True):
            axes.plot(axis_numbers(axis_times(rows, "labels")), rows[column], **look.line)
        handles.append(Line2D([], [], label=f"K = {every}", **look.line))
    for axes, text in zip(panels, panel_labels.values(), strict=True):
        axes.set_ylabel(f"predictions\n{text}")
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    times = axis_times(frame, "labels")
    set_time_axis(panels[-1], times, axis_start(frame), noun="labels that have arrived")
    figure.align_ylabels(list(panels))
    style.legend(figure, handles, columns=6)
    return figure


def study_binned_table(
    stream_inputs: StreamInputs, item: ItemInput[BinnedTableSettings]
) -> pd.DataFrame:
    """The table of an item: accuracies in per cent by learner, in bins and weighted over bins.

    Each interval is only for its bin and learner. The column `which` has the bin as a text, or the
    name of the weights.
    """
    bin_numbers, weights = item.settings.bins, item.settings.weights
    if not weights:
        table = item.table_from_frames(lambda bins: _accuracies(bins, bin_numbers), "bins")
    else:
        table = item.table_from_frames(
            lambda bins, weighted: pd.concat(
                [_accuracies(bins, bin_numbers), _weighted_accuracies(weighted, weights)]
            ),
            *("bins", "weighted"),
        ).astype({"bin": "Int64"})  # integers, although weighted accuracies have no bin
    if not item.settings.published:
        return table
    return with_published_accuracies(table, item.resource(item.settings.published))


def with_published_accuracies(table: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Add the published accuracies of a file to the table, each compared with ours."""
    ours: dict[tuple[str, ...], OurValues] = {
        (row["stream"], row["learner"], "accuracy", row["which"]): OurValues(
            [row["accuracy_percent"] / 100], "no prediction counts in this bin", row["simulated"]
        )
        for row in table.to_dict("records")
    }
    return with_published_columns(table, ours, path)


def _weighted_accuracies(weighted: pd.DataFrame, names: tuple[str, ...]) -> pd.DataFrame:
    """The rows of weighted accuracies, in the order of the names of weights."""
    missing = [name for name in names if name not in set(weighted["weights"])]
    if missing:
        raise ConfigError(
            f"Table of bins: expected the weights {missing[0]!r} in each item that it shows, found "
            "no weights of this name in one of them. Add them to its `weights`."
        )
    rows = weighted[weighted["weights"].isin(names) & (weighted["measure"] == "accuracy")].copy()
    rows["accuracy_percent"] = 100 * rows["value"]
    rows[["low", "high"]] *= 100
    rows["which"] = rows["weights"].where(rows["weights"] == MAXIMUM, WEIGHTED + rows["weights"])
    rows["order"] = rows["weights"].map({name: i for i, name in enumerate(names)})
    return rows.assign(bin=None).sort_values("order", kind="stable")


def _accuracies(bins: pd.DataFrame, bin_numbers: tuple[int, ...]) -> pd.DataFrame:
    """The rows of accuracies in some bins, in per cent."""
    rows = select_bins(bins, bin_numbers)
    # The count gives the percentage with a single rounding error. A second error could move a
    # percentage that is exactly halfway between two printed numbers.
    correct = np.rint(rows["accuracy"] * rows["predictions"])
    rows["accuracy_percent"] = 100 * correct / rows["predictions"]
    rows[["low", "high"]] *= 100
    return rows


def select_bins(bins: pd.DataFrame, bin_numbers: tuple[int, ...]) -> pd.DataFrame:
    """The rows of some bins of a stream, and of its first and last bin.

    Raises ConfigError if the stream lacks one of the bins.
    """
    last = int(bins["bin"].max())
    outside = [b for b in bin_numbers if not 0 < b < last]
    if outside:
        raise ConfigError(
            f"Table of bins: expected bins from 1 to {last - 1} in `bins`, as the item that it "
            f"shows has these, found {outside[0]}. Choose another bin."
        )
    names = {0: "0", **{b: str(b) for b in sorted(bin_numbers)}, last: LAST_BIN}
    rows = bins[bins["bin"].isin(names)].copy()
    rows["order"] = rows["bin"].map({b: i for i, b in enumerate(names)})
    rows["which"] = rows["bin"].map(names)
    return rows.sort_values("order", kind="stable")


def layout_binned_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item; the most accurate learners of each row are marked."""
    cells = cells_by_bin(table, subject, "accuracy_percent", lower_is_better=False)
    notes_on_published = list[str]()
    if "published" in table:
        cells = _with_published_rows(cells, table, subject)
        notes_on_published = published_notes(table)
    widest = ((table["high"] - table["low"]) / 2).max()
    note = (
        "* The highest accuracy of the bin. The CSV has 95 % intervals of single cells; the widest "
        f"is ±{upper_bound_text(widest, 1)}."
    )
    notes = (note, *notes_on_published, *stream_notes(table))
    return text_frame_table(cells, "l" + "r" * (cells.shape[1] - 1), notes)


def _with_published_rows(
    cells: pd.DataFrame, table: pd.DataFrame, subject: Subject
) -> pd.DataFrame:
    """Add rows below each bin that has published values: published values, and differences."""
    learners = list(dict.fromkeys(table["learner"]))
    titles = [subject.titles.get(name, name) for name in learners]
    rows = list[dict[Any, Any]]()
    groups = table.groupby(["stream", "which"], sort=False)
    for row, (_, values) in zip(cells.to_dict("records"), groups, strict=True):
        rows.append(row)
        if (values["published"] != "").any():
            by_learner = values.set_index("learner").loc[learners]
            texts = published_texts(by_learner, is_percent=True, digits=2)
            for suffix, row_texts in zip((PUBLISHED, DIFFERENCE), texts, strict=True):
                first_cells = {**row, "Bin": f"{row['Bin']}{suffix}"}
                rows.append(first_cells | dict(zip(titles, row_texts, strict=True)))
    return pd.DataFrame(rows, columns=cells.columns, dtype=object)


def cells_by_bin(
    table: pd.DataFrame, subject: Subject, column: str, *, lower_is_better: bool
) -> pd.DataFrame:
    """Texts of a table with a row for each stream and bin, and a column for each learner.

    The best values of a row are marked by a star.
    """
    lines: list[dict[str, str]] = []
    learners = list(dict.fromkeys(table["learner"]))
    for _, rows in table.groupby(["stream", "which"], sort=False):
        first = rows.to_dict("records")[0]
        values = rows.set_index("learner")[column].reindex(learners)  # NaN if a learner failed
        texts = {learner: number_text(values[learner], 2) for learner in learners}
        best = texts[str(values.idxmin() if lower_is_better else values.idxmax())]
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
    """Name in tables of a value of `which`: a bin, the best bin, or weights."""
    if which == MAXIMUM:
        return "best bin"
    return which.replace(LAST_BIN, "B + 1").replace(WEIGHTED, "Ψ, ")


def study_binned_error_table(
    stream_inputs: StreamInputs, item: ItemInput[BinnedErrorTableSettings]
) -> pd.DataFrame:
    """The table of an item: mean absolute errors and skills by bin and learner.

    Each interval is only for its bin and learner: over the labels, and over several seeds.
    """
    return item.table_from_frames(lambda bins: select_bins(bins, item.settings.bins), "bins")


def layout_binned_error_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item; the smallest errors of each row are marked."""
    cells = cells_by_bin(table, subject, "mean_absolute_error", lower_is_better=True)
    notes = [
        (
            "* The smallest error of the bin. The CSV has 95 % intervals of single cells over the "
            "labels, and over seeds."
        )
    ]
    for learner, rows in table[table["seeds"] > 1].groupby("learner", sort=False):
        widest = ((rows["seeds_high"] - rows["seeds_low"]) / 2).max()
        notes.append(
            f"{subject.titles.get(str(learner), learner)}: mean over {rows['seeds'].iloc[0]} "
            f"seeds, at most ±{upper_bound_text(widest, 2)}."
        )
    return text_frame_table(
        cells,
        "l" + "r" * (cells.shape[1] - 1),
        (*notes, *stream_notes(table)),
    )


def study_bin_rules(stream_inputs: StreamInputs, item: ItemInput[BinRulesSettings]) -> pd.DataFrame:
    """The table of an item: for each stream and learner, the bin in which the rules differ most.

    If several bins differ most, it is the first of them. The difference in accuracy is the paper's
    rule minus the published rule, in percentage points.
    """
    return item.table_from_frames(_largest_difference, "rules")


def _largest_difference(rules: pd.DataFrame) -> pd.DataFrame:
    # `accuracy` is by the published rule, `other_accuracy` by the paper's rule.
    difference = 100 * (rules["other_accuracy"] - rules["accuracy"])
    largest = difference.abs().fillna(0).groupby(rules["learner"], sort=False).idxmax()
    rows = rules.loc[largest].assign(difference=difference)
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
