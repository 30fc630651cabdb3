"""Figures, tables and captions of drift detection."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from drift_detection import (
    CHOICE,
    DetectorChoiceSettings,
)
from streameval.drawing import alarm_worth, scales, style
from streameval.drawing.scales import DotMark
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import axis_start
from streameval.items.columns import (
    count_column,
    frame_table,
    interval_column,
    number_column,
    stream_column,
    stream_notes,
    text_column,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.text_templates import TextTemplates
from streameval.view.parts import Table

#: Title, menu entry and captions of each kind. Settings in braces are filled in.
TEXTS = {
    "alarm_calibration": TextTemplates(
        title="Uninformed alarms against the same gaps in random order",
        menu_entry="error rates of verdicts on alarms",
        caption=(
            "{origin}Proportion of fresh streams in which uninformed alarms appear better or "
            "worse than the same gaps in random order: the 95 % interval of the difference in "
            "accuracy excludes 0. Each proportion has an exact 95 % interval. Alarms are the "
            "same in all runs, except those drawn by seed. The learner that is reset is Naive "
            "Bayes."
        ),
        evaluation="test-then-train (prequential)",
    ),
    "alarm_worth": TextTemplates(
        menu_entry="effect of resets at alarms of drift",
        caption=(
            "effect on accuracy of resetting a learner ({learners}) at the alarms of drift "
            "detectors. Top: error rate over the last {window} predictions without resets, and "
            "that of No-Change. Below: alarms of each detector; accuracy with resets at its "
            "alarms (filled), and with the same gaps in random order (hollow, the mean of {runs} "
            "runs), with the learner without resets and No-Change as lines; and the difference "
            "of these two accuracies, with simultaneous 95 % intervals for all comparisons."
        ),
        evaluation="test-then-train (prequential)",
    ),
    "detection": TextTemplates(
        menu_entry="drift detection",
        caption=(
            "drift detection from the errors of a learner ({learners}) that is reset at each "
            "alarm, over {runs} runs on freshly drawn streams. The first alarm between the start "
            "of a drift and {tolerance} instances after its end detects it; further alarms there "
            "do not count, and all other alarms are false. Known drifts of a generator are used; "
            "without them, {drifts} sudden drifts are injected into its instances in random "
            "order. The delay is relative to the time in which an alarm can detect the drift, "
            "and 1 if the drift is missed. Bars are 95 % intervals over the runs: for false alarms "
            "by Student's t, which gives none if all runs have the same value; for the other "
            "measures an interval for bounded means, without further assumptions."
        ),
        evaluation="test-then-train (prequential)",
    ),
    "detector_choice": TextTemplates(
        title="F1 of drift detection with parameters chosen on other streams",
        menu_entry="detectors chosen on other streams",
        caption=(
            "F1 of drift detection. The parameters of each detector have the highest mean F1 on "
            "all streams except the stream of the row (leave one stream out). They are compared "
            "with the usual parameters and with the best parameters in hindsight."
        ),
        evaluation="test-then-train (prequential)",
    ),
}


def draw_alarm_worth(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    return alarm_worth.draw(frames, subject, axis_start(frames["errors"]))


#: Height of the row of a detector.
ROW_MM = 4.4
#: Height of the title of a row of panels, and of the gap between rows.
MARGINS_MM = 12.0
#: Height of the title, the legend and the axes of the figure.
FIGURE_MARGINS_MM = 18.0
#: Measures that are drawn, with the names of their axes.
AXIS_NAMES = {
    "episode_recall": "drifts found",
    "episode_precision": "precision",
    "episode_f1": "F1",
    "normalised_delay": "normalised\ndelay",
    "false_alarm_rate": "false alarms\nper 1,000",
}
#: Titles of the rows of panels, by type of change.
TITLES = {
    "own": "drifts of the stream itself",
    "none": "no drift",
    "relabelled": "two classes exchange their labels",
    "permuted": "inputs are permuted",
    "reweighted": "classes exchange their frequencies",
}
_MARK = DotMark("mean over runs", "o", filled=True)


@style.styled
def draw_detection(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    summary = frames["summary"]
    (learner,) = subject.settings.learners
    changes, detectors = (list(summary[name].unique()) for name in ("change", "detector"))
    names = scales.wrap_names(detectors)
    change_mm = scales.row_mm(names, ROW_MM) * len(names) + MARGINS_MM
    figure = style.titled_figure(
        (FIGURE_MARGINS_MM + change_mm * len(changes)) / style.FULL_WIDTH_MM,
        **subject.stream_arguments,
    )
    panels = figure.subplots(
        len(changes), len(AXIS_NAMES), sharex="col", sharey=True, squeeze=False
    )
    color = style.learner_look(learner).color
    for change, row in zip(changes, panels, strict=True):
        part = summary[summary["change"] == change]
        row[0].set_title(TITLES[change], loc="left", fontweight="bold")
        for axes, measure in zip(row, AXIS_NAMES, strict=True):
            scales.dot_rows(axes, names)
            rows = part[part["measure"] == measure].set_index("detector").loc[detectors]
            _draw_intervals(axes, rows, color)
    for axes, (measure, name) in zip(panels[-1], AXIS_NAMES.items(), strict=True):
        axes.set_xlabel(name)
        if measure == "false_alarm_rate":
            # Rates range over orders of magnitude, and may be 0.
            axes.set_xscale("symlog", linthresh=0.1)
            axes.set_xlim(0, None)
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        else:
            axes.set_xlim(-0.03, 1.03)
            style.fixed_ticks(axes.xaxis, (0.0, 0.5, 1.0))
    handles = [_MARK.handle(), style.bar_handle("95 % interval over runs")]
    if summary.loc[summary["measure"].isin([*AXIS_NAMES]), "mean"].isna().any():
        handles.append(scales.undefined_handle())
    style.legend(figure, handles, columns=len(handles))
    return figure


def _draw_intervals(axes: Axes, part: pd.DataFrame, color: str) -> None:
    for row, (mean, low, high) in enumerate(part[["mean", "low", "high"]].to_numpy(dtype=float)):
        if np.isfinite(low):
            axes.hlines(row, low, high, color=color, linewidth=style.BAR_WIDTH)
        scales.draw_dot(axes, _MARK, mean, row, color)


_TOO_FEW = "Parameters are chosen on other streams: at least two with drifts are needed."
#: The measure by which parameters are chosen.
_MEASURE = "episode_f1"


def study_detector_choice(
    stream_inputs: StreamInputs, item: ItemInput[DetectorChoiceSettings]
) -> pd.DataFrame:
    """The table of an item: each detector on each stream, with parameters chosen elsewhere.

    The ``chosen`` parameters have the highest mean F1 over the other streams: the mean over the
    changes of a stream, then over streams. ``usual`` is F1 with the parameters that the item lists
    first for the detector, and ``best`` the highest F1 on this stream. Changes without drifts have
    no F1. There are no rows unless two streams have drifts.
    """
    summaries, size = (item.frames_of_streams(name) for name in ("summary", "size"))
    parts = [frame.assign(stream=stream) for stream, frame in summaries.items()]
    means = pd.concat(parts, ignore_index=True)
    means = means[(means["measure"] == _MEASURE) & means["mean"].notna()]
    if means["stream"].nunique() < 2:
        return pd.DataFrame(columns=list(CHOICE))
    rows = []
    for family, part in means.groupby(means["detector"].str.partition(":")[0], sort=False):
        by_stream = part.groupby(["stream", "detector"], sort=False)["mean"].mean()
        for (stream, change), cell in part.groupby(["stream", "change"], sort=False):
            f1_elsewhere = by_stream.drop(stream).groupby("detector", sort=False).mean()
            by_detector, chosen = cell.set_index("detector"), str(f1_elsewhere.idxmax())
            simulated = bool(size[str(stream)]["simulated"].iloc[0])
            chosen_f1 = by_detector.loc[chosen, ["mean", "low", "high"]]
            f1 = by_detector["mean"]
            key = (family, stream, simulated, change, chosen)
            rows.append((*key, *chosen_f1, f1.iloc[0], f1.max(), f1.idxmax()))
    return pd.DataFrame(rows, columns=list(CHOICE))


def layout_detector_choice(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each detector, stream and change."""
    columns = [
        text_column("Detector", "detector"),
        stream_column(subject),
        text_column("Drift", "change"),
        text_column("chosen elsewhere", "chosen"),
        interval_column("F1", "f1", 2, ("low", "high")),
        number_column("usual", "usual", 2),
        number_column("best", "best", 2),
        text_column("best in hindsight", "hindsight"),
    ]
    return frame_table(table, columns, stream_notes(table) if len(table) else (_TOO_FEW,))


def layout_alarm_calibration(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, length, rate and law of alarms."""
    columns = [
        text_column("Streams", "title"),
        count_column("Instances", "instances"),
        number_column("Alarms per 1,000", "rate", 0, 1000.0),
        text_column("Alarms", "alarms"),
        count_column("Number", "streams"),
        number_column("with an interval", "interval", 2),
        interval_column("interval excludes 0", "excludes", 3),
    ]
    return frame_table(table, columns)
