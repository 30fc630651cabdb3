"""Figures, tables and captions of pending labels."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from pending_labels import (
    CensoredTableSettings,
    StoppingBiasSettings,
    WaitingClassesSettings,
)
from streameval.drawing import scales, style
from streameval.drawing.ages import draw_accuracy_by_age as draw_accuracy_by_age
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import axis_numbers, axis_start, axis_times, set_time_axis
from streameval.items.columns import (
    count_column,
    frame_table,
    interval_column,
    learner_column,
    number_column,
    stream_column,
    stream_name,
    stream_notes,
    text_column,
    text_frame_table,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.text_templates import TextTemplates
from streameval.measures.registry import MEASURES
from streameval.significance.intervals import mean_interval
from streameval.significance.stream_mean import stream_mean
from streameval.view.numbers import number_text
from streameval.view.parts import Column, Table

#: Titles of weights, by the estimator of the accuracy.
ESTIMATOR_TITLES = {
    "arrived": "no weights",
    "by_age": "by age",
    "by_latency": "by latency",
    "by_prediction": "by age and prediction",
    "by_law": "by the true law",
}
#: Title, menu entry and captions of each kind. Settings in braces are filled in.
TEXTS = {
    "accuracy_by_age": TextTemplates(
        menu_entry="accuracy by age, with the number at risk",
        caption=(
            "accuracy of the predictions in force at an age, {since} since an instance has "
            "arrived, with a prediction after every {every} labels. Unlike a bin, the age is known "
            "at the prediction. Instances at risk are those with labels pending at that age; their "
            "composition changes with age. Top: accuracy over instances at risk. Middle: its "
            "difference from the accuracy of their first predictions. Bottom: accuracy over all "
            "instances; after the arrival of its label an instance keeps its last prediction. "
            "Below the axis: numbers of instances at risk, and of other instances whose labels are "
            "pending at the end of evaluation, which are in no line. The CSV has 95 % intervals "
            "that account for dependence, if the effective sample size is at least {effective}."
        ),
        evaluation="continuous re-evaluation every {every} labels",
    ),
    "censored_accuracy": TextTemplates(
        menu_entry="accuracy estimated without missing labels",
        caption=(
            "error of estimates of the accuracy over all instances from the labels that have "
            "arrived when evaluation stops: the mean over {runs} runs with its 95 % interval. "
            "Weights by age are right if correctness is independent of the time to the label; "
            "weights by latency, if it is independent of the age of an instance."
        ),
        evaluation="delayed labels, predictions on arrival",
    ),
    "censored_table": TextTemplates(
        title="Accuracy estimated without missing labels",
        menu_entry="estimates without missing labels",
        caption=(
            "Accuracy of first predictions over all instances, in per cent, and the difference, in "
            "points, of estimates from the labels that have arrived: means over runs, with half of "
            "the 95 % interval. Last column: bounds of the accuracy for any values of the missing "
            "labels."
        ),
    ),
    "delays": TextTemplates(
        menu_entry="accuracy by label delay",
        caption=(
            "accuracy against the label delay, for learners whose inputs include no previous "
            "label, the latest known label, their own previous prediction, or both. With a delay "
            "of 0, a label is known before the next prediction. Vertical lines are 95 % intervals "
            "of the gain over the instances of this stream, which account for dependence. They are "
            "shown if the effective sample size is at least {effective}."
        ),
        evaluation="labels delayed by {delays} instances",
    ),
    "evolving_inputs": TextTemplates(
        menu_entry="inputs that change while labels wait",
        caption=(
            "gain in accuracy from updated inputs over the inputs at arrival alone, for instances "
            "with labels pending at an age, with a prediction after every {every} labels; 95 % "
            "intervals account for dependence. When a label arrives, learners learn either the "
            "inputs just before it, so that they only learn complete latencies, or the inputs of "
            "each prediction of the instance, with weights that sum to 1.{known_later}"
        ),
        evaluation="continuous re-evaluation every {every} labels",
    ),
    "label_waiting": TextTemplates(
        menu_entry="classes of pending labels and the bias of stopping",
        caption=(
            "pending labels. Top left: label delay by class. Top right: proportions of the classes "
            "among arrived labels (thick lines) and among pending labels (thin lines), by the "
            "point at which evaluation stops. Below: the bias of stopping. It is the accuracy over "
            "labels that have arrived minus the accuracy over all instances that have arrived, for "
            "first predictions of the latest {window} instances. Instances without a label in the "
            "stream are left out."
        ),
        evaluation="delayed labels, predictions on arrival",
    ),
    "stopping_bias": TextTemplates(
        title="The bias of stopping",
        menu_entry="bias of stopping",
        caption=(
            "Accuracy of first predictions over labels that have arrived when evaluation stops, "
            "over pending labels, and over all instances that have arrived. The bias is the first "
            "minus the last of these. Last columns: the bias over a window of the latest "
            "instances, as a mean over stopping times, with a 95 % interval that accounts for "
            "dependence ({sections} sections of time), if the effective sample size is at least "
            "{effective}. Instances without a label in the stream are left out."
        ),
    ),
    "waiting_classes": TextTemplates(
        title="Classes of arrived and of pending labels",
        menu_entry="classes of pending labels",
        caption=(
            "Classes of arrived and of pending labels when evaluation stops, and the quartiles of "
            "the time from an instance to its label, over all labels of the stream. Instances "
            "without a label in the stream are left out."
        ),
    ),
}


#: Look and legend entry of the line of each option; a panel has the lines of one learner.
#: `CLASS_LOOKS` has more looks than there are options.
OPTION_LOOKS: dict[str, tuple[style.Look, str]] = {
    option: (replace(look, dash=dash, marker=marker), title)
    for look, (option, dash, marker, title) in zip(
        style.CLASS_LOOKS,
        (
            ("ordinary", style.SOLID, "o", "none"),
            ("older_label", style.LONG, "s", "latest label that has arrived"),
            ("predicted_label", style.DASH_DOT_DOT, "^", "previous prediction of the learner"),
            ("both", style.DASH_DOT, "D", "both"),
        ),
        strict=False,
    )
}
#: The measure that is drawn against delays.
_MEASURE = MEASURES["accuracy"]
#: Baselines, which are in each panel.
_BASELINES = ("no_change", "majority")

#: Mean width of a digit of a tick label.
_MM_PER_DIGIT = 1.6
#: Minimum gap between two tick labels.
_GAP_MM = 1.2
#: Height of the title, the legend and the axis names of the figure.
_DELAYS_MARGINS_MM = 30.0
#: Height of the two panels of a learner.
_LEARNER_MM = 72.0
#: Relative heights of the upper and the lower panel of a learner.
_DELAY_HEIGHTS = (3, 2)
#: Ratio of the x positions of two neighbouring intervals of the same delay, on a logarithmic axis.
_INTERVAL_OFFSET = 1.05


@style.styled
def draw_delays(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw accuracy against the label delay: two panels per learner, a line for each option.

    The lower panel has the gain over the ordinary learner, as most lines are too close to each
    other in the upper panel.
    """
    study, learners, titles = frames["delays"], subject.settings.learners, subject.titles
    accuracies = study[study["measure"] == _MEASURE.name]
    wide = _pivot(accuracies, learners)
    columns = min(2, len(learners))
    rows = -(-len(learners) // columns)  # rounded up
    names = _wrap_titles([titles.get(name, name) for name in learners], columns)
    title_mm = style.LINE_MM * max(name.count("\n") for name in names)
    height_mm = _DELAYS_MARGINS_MM + (_LEARNER_MM + title_mm) * rows
    figure = style.titled_figure(height_mm / style.FULL_WIDTH_MM, **subject.stream_arguments)
    grid = figure.subplots(2 * rows, columns, squeeze=False, height_ratios=_DELAY_HEIGHTS * rows)
    upper, lower = list(grid[0::2].ravel()), list(grid[1::2].ravel())
    for axes in (*upper[len(learners) :], *lower[len(learners) :]):
        axes.remove()
    for panels in (upper, lower):
        _set_axes(panels[: len(learners)], wide.index.to_numpy(dtype=float), columns)
    for place, learner in enumerate(learners):
        options = wide[[learner]].droplevel("learner", axis=1)
        for name in _BASELINES:
            line = wide[name, "ordinary"]
            upper[place].plot(wide.index + 1, line, zorder=2.0, **_baseline_look(name))
        _draw_options(upper[place], options)
        _draw_options(lower[place], options.sub(options["ordinary"], axis=0))
        _draw_intervals(lower[place], accuracies[accuracies["learner"] == learner])
        upper[place].set_title(names[place], loc="left", pad=3)
        upper[place].tick_params(axis="x", labelbottom=False)
        if place + columns >= len(learners):
            lower[place].set_xlabel("label delay (instances in between)")
    symbol = style.symbol_text(_MEASURE.symbol)
    for place in range(0, len(learners), columns):
        upper[place].set_ylabel(f"{_MEASURE.title} {symbol}")
        lower[place].set_ylabel(f"gain in {symbol}")
    figure.align_ylabels([*upper[: len(learners) : columns], *lower[: len(learners) : columns]])
    style.legend(figure, _handles(titles), columns=3, title="Additional inputs of the learner")
    return figure


def _pivot(rows: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """Values with a row for each delay and a column for each learner and option."""
    wide = rows.pivot(index="delay", columns=["learner", "option"], values="value")  # noqa: PD010
    order = [(name, "ordinary") for name in _BASELINES]
    order += [(name, option) for name in learners for option in OPTION_LOOKS]
    return wide[order]


def _wrap_titles(names: Sequence[str], columns: int) -> list[str]:
    """Titles of learners in lines that are shorter than a panel."""
    letters = int(0.9 * style.FULL_WIDTH_MM / columns / style.MM_PER_LEGEND_LETTER)
    return [fill(name, letters) for name in names]


def _set_axes(panels: Sequence[Axes], delays: np.ndarray, columns: int) -> None:
    """Give panels a common y axis, and an x axis with a tick at each delay.

    The axis is logarithmic in delay + 1, the distance to the instance of the latest label.
    """
    places = delays + 1
    low, high = float(places.min()), float(places.max())
    # Factor of 4 % of the axis; a single delay has an axis from half to double its position.
    margin = (high / low) ** 0.04 if high > low else 2.0
    # The panels of a row take about 80 % of the width.
    mm_per_unit = 0.8 * style.FULL_WIDTH_MM / columns / np.log(high * margin**2 / low)
    texts = _texts_with_room(delays, mm_per_unit)
    for place, axes in enumerate(panels):
        axes.set_xscale("log")
        axes.set_xlim(low / margin, high * margin)
        axes.set_xticks(places, texts)
        axes.xaxis.set_minor_locator(NullLocator())
        if place > 0:
            axes.sharey(panels[0])
        axes.tick_params(axis="y", labelleft=place % columns == 0)
    panels[0].yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    panels[0].yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: style.with_minus_sign(round(value, 9)))
    )


def _texts_with_room(delays: np.ndarray, mm_per_unit: float) -> list[str]:
    """Tick labels on a logarithmic axis; "" if there is no room after the previous label."""
    texts, end = [], -np.inf
    for delay in delays:
        text = f"{delay:g}"
        centre, half = np.log(delay + 1) * mm_per_unit, len(text) * _MM_PER_DIGIT / 2
        has_room = centre - half >= end + _GAP_MM
        texts.append(text if has_room else "")
        end = centre + half if has_room else end
    return texts


def _draw_options(axes: Axes, options: pd.DataFrame) -> None:
    for place, (option, (look, _)) in enumerate(OPTION_LOOKS.items()):
        values = options[option].to_numpy(dtype=float)
        axes.plot(options.index + 1, values, zorder=2.1 + place / 10, **_line_style(look))


def _line_style(look: style.Look) -> dict[str, Any]:
    return {"color": look.color, "linestyle": look.dash, "marker": look.marker}


def _draw_intervals(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw the intervals of a learner's gains. Intervals of the same delay are side by side."""
    for place, (option, (look, _)) in enumerate(OPTION_LOOKS.items()):
        part = rows[rows["option"] == option].dropna(subset=["low", "high"])
        # The first option is the baseline and has no interval; the third is in the middle.
        x = (part["delay"] + 1) * _INTERVAL_OFFSET ** (place - 2)
        axes.vlines(x, part["low"], part["high"], colors=look.color, linewidth=0.7, alpha=0.7)


def _baseline_look(name: str) -> dict[str, Any]:
    look = style.learner_look(name)
    dot = {"marker": ".", "markersize": 3.5, "markeredgewidth": 0}
    return {"color": look.color, "linestyle": look.dash, **dot}


def _handles(titles: Mapping[str, str]) -> list[Line2D]:
    handles = [
        Line2D([], [], label=text, **_line_style(look)) for look, text in OPTION_LOOKS.values()
    ]
    notes = {"no_change": ": predicts the latest label"}
    for name in _BASELINES:
        text = titles.get(name, name) + notes.get(name, "")
        handles.append(Line2D([], [], label=text, **_baseline_look(name)))
    return handles


#: Titles of the panels of evolving inputs, from top to bottom, by variant.
_VARIANT_TITLES = {
    "time_last": "time so far; learns the inputs just before the label",
    "time_each": "time so far; learns the inputs of each prediction",
    "later_last": "inputs known later; learns those just before the label",
    "later_each": "inputs known later; learns those of each prediction",
    "both_each": "both; learns the inputs of each prediction",
}
#: Height of a panel.
_VARIANT_MM = 40.0
#: Height of the title, the legend and the axis labels.
_VARIANTS_MARGINS_MM = 30.0


@style.styled
def draw_evolving_inputs(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each variant, with the gain of each learner and its interval."""
    learners, inputs = subject.settings.learners, frames["inputs"]
    ends = ("gain_low", "gain_high")
    variants = {
        name: title for name, title in _VARIANT_TITLES.items() if name in set(inputs["variant"])
    }
    height_mm = _VARIANTS_MARGINS_MM + _VARIANT_MM * len(variants)
    figure = style.titled_figure(height_mm / style.FULL_WIDTH_MM, **subject.stream_arguments)
    points = inputs.copy()
    points[["gain", *ends]] *= 100
    panels = figure.subplots(len(variants), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, (variant, title) in zip(panels, variants.items(), strict=True):
        style.zero_line(axes)
        rows = points[points["variant"] == variant]
        style.learner_lines(axes, rows, "age", "gain", learners, ends=ends)
        axes.set_title(title, loc="left", pad=3)
        axes.set_ylabel("gain (points)")
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    panels[-1].set_xlim(0, max(float(inputs["age"].max()), 1.0) * style.AXIS_FACTOR)
    panels[-1].set_xlabel(f"time since the instance has arrived ({inputs['unit'].iloc[0]})")
    handles = style.learner_handles(learners, subject.titles)
    style.legend(figure, [*handles, style.band_handle("95 % interval")], columns=4)
    return figure


# The following constants belong to `draw_label_waiting`.
#: Height of the figure relative to its width.
_ASPECT = 0.86
#: Relative heights of the upper and the lower part.
_WAITING_HEIGHTS = (3, 4)
#: Maximum number of panels side by side.
_COLUMNS = 4
#: Maximum number of letters in a line of a panel's title.
_TITLE_LETTERS = 24
#: Line width for pending labels.
_THIN = 0.6
#: Line width for arrived labels.
_THICK = 1.6
#: Latencies are drawn up to this quantile, since a few labels take very long.
_MAX_QUANTILE = 0.975


@style.styled
def draw_label_waiting(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw latencies and classes above, and the bias in the latest instances below."""
    classes, latency, stopping = (frames[name] for name in ("classes", "latency", "stopping"))
    figure = style.titled_figure(_ASPECT, **subject.stream_arguments)
    grid = figure.add_gridspec(2, 2, height_ratios=_WAITING_HEIGHTS)
    names = list(dict.fromkeys(classes["class"]))
    left, right = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
    _draw_latency(left, latency, names)
    left.set_xlabel(f"time from an instance to its label ({''.join(latency['unit'].head(1))})")
    _draw_classes(right, classes, names)
    lower = _draw_biases(figure, grid[1, :], stopping, subject)
    axis = {"begin": axis_start(classes), "noun": "labels that have arrived"}
    for axes in (right, *lower):
        ticks = 8 if axes is right else 4  # panels below are narrower
        set_time_axis(axes, axis_times(classes, "labels"), **axis, ticks=ticks)
    for axes in lower:
        axes.set_xlabel("")
    bias_note = (
        f"bias: over the latest {int(stopping['window'].max()):,} instances, in points of accuracy"
    )
    figure.supxlabel(f"{right.get_xlabel()}; {bias_note}", fontsize=style.SMALL)
    return figure


def _look(number: int) -> style.Look:
    """Look of a class by its number; all further classes look the same."""
    return (
        style.CLASS_LOOKS[number] if number < len(style.CLASS_LOOKS) else style.OTHER_CLASSES_LOOK
    )


def _draw_latency(axes: Axes, latency: pd.DataFrame, names: Sequence[str]) -> None:
    for index, name in enumerate(names):
        rows, look = latency[latency["class"] == name], _look(index)
        (line,) = axes.plot(rows["latency"], rows["fraction"], **look.line)
        line.set_label(style.shorten_names([name])[0])
    visible = latency[latency["fraction"] <= _MAX_QUANTILE]["latency"]
    axes.set_xlim(0, max(float(visible.max()), 1.0))
    axes.set_ylim(0, 1)
    axes.set_ylabel("fraction of labels")
    axes.legend(loc="lower right")


def _draw_classes(axes: Axes, classes: pd.DataFrame, names: Sequence[str]) -> None:
    totals = classes.groupby("labels")[["arrived", "pending"]].transform("sum")
    visible = names[:1] if len(names) == 2 else names  # one of two classes determines the other
    for index, name in enumerate(visible):
        is_class, look = classes["class"] == name, _look(index)
        for state, width in (("arrived", _THICK), ("pending", _THIN)):
            fraction = classes.loc[is_class, state] / totals.loc[is_class, state]
            x = axis_numbers(axis_times(classes[is_class], "labels"))
            axes.plot(x, fraction, color=look.color, linewidth=width)
    axes.set_ylim(0, 1)
    title = style.shorten_names(visible)[0] if len(visible) == 1 else "the class"
    axes.set_ylabel(f"fraction of {title}")
    axes.set_title("thick: arrived, thin: pending", loc="right", pad=3)


def _draw_biases(
    figure: Figure, place: SubplotSpec, stopping: pd.DataFrame, subject: Subject
) -> list[Axes]:
    """Draw a panel for each learner, as their lines would cross in a single panel."""
    learners: Sequence[str] = subject.settings.learners
    points = stopping[stopping["window"] > 0].assign(bias=100 * stopping["bias"])
    columns = min(len(learners), _COLUMNS)
    rows = -(-len(learners) // columns)  # rounded up
    grid = place.subgridspec(rows, columns)
    panels: list[Axes] = []
    for index, learner in enumerate(learners):
        first = panels[0] if panels else None
        axes = figure.add_subplot(grid[divmod(index, columns)], sharex=first, sharey=first)
        style.zero_line(axes)
        part = points[points["learner"] == learner]
        x = axis_numbers(axis_times(part, "labels"))
        axes.plot(x, part["bias"], color=style.learner_look(learner).color)
        name = subject.titles.get(learner, learner)
        axes.set_title(fill(name, _TITLE_LETTERS), loc="left", pad=3)
        axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
        axes.tick_params(
            labelleft=index % columns == 0, labelbottom=index + columns >= len(learners)
        )
        axes.set_ylabel("" if index % columns else "bias")
        panels.append(axes)
    return panels


# The following constants belong to `draw_censored_accuracy`.
#: Height of the row of an estimator.
_ESTIMATOR_MM = 8.5
#: Height of the title and the axis of a panel.
_LAW_MM = 14.0
#: Height of the title and the legend of the figure.
_LAWS_MARGINS_MM = 24.0
#: Number of panels side by side.
_LAW_COLUMNS = 2
#: Marker size in points.
_MARKER = 3.6


@style.styled
def draw_censored_accuracy(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each law, with a row for each kind of weights and a dot for each learner."""
    estimates, learners = frames["censored"], subject.settings.learners
    errors_by_law = mean_errors(estimates)
    laws = list(dict.fromkeys(errors_by_law["law"]))
    rows = -(-len(laws) // _LAW_COLUMNS)  # rounded up
    height_mm = _LAWS_MARGINS_MM + rows * (_LAW_MM + _ESTIMATOR_MM * len(ESTIMATOR_TITLES))
    figure = style.titled_figure(height_mm / style.FULL_WIDTH_MM, **subject.stream_arguments)
    panels = figure.subplots(rows, _LAW_COLUMNS, sharex=True, sharey=True, squeeze=False)
    for place, axes in enumerate(panels.flat):
        if place >= len(laws):
            axes.set_visible(False)
            continue
        _draw_law(axes, errors_by_law[errors_by_law["law"] == laws[place]], learners)
        axes.set_title(str(laws[place]).replace("_", " "), loc="left", pad=3)
        if place + _LAW_COLUMNS >= len(laws):
            axes.set_xlabel("estimate minus accuracy (points)")
            axes.tick_params(labelbottom=True)
    style.legend(figure, style.learner_handles(learners, subject.titles), columns=4)
    return figure


def _draw_law(axes: Axes, part: pd.DataFrame, learners: Sequence[str]) -> None:
    scales.dot_rows(axes, list(ESTIMATOR_TITLES.values()))
    style.zero_line(axes, along="x")
    for index, learner in enumerate(learners):
        look = style.learner_look(learner)
        by_estimator = part[part["learner"] == learner].set_index("estimator").to_dict("index")
        for row, name in enumerate(ESTIMATOR_TITLES):
            error, low, high = (
                100 * float(by_estimator[name][end]) for end in ("error", "low", "high")
            )
            y = scales.dot_y(row, index, len(learners))
            axes.plot([low, high], [y, y], color=look.color)
            marker = look.marker or "o"  # a single point needs a marker
            axes.plot([error], [y], marker, color=look.color, markersize=_MARKER)


def study_censored_table(
    stream_inputs: StreamInputs, item: ItemInput[CensoredTableSettings]
) -> pd.DataFrame:
    """The table of an item: means over runs for each stream, law, learner and estimator.

    `arrived` is a fraction of labels; `error` is the estimate minus the truth, with its interval.
    """
    return item.table_from_frames(mean_errors, "censored")


def mean_errors(estimates: pd.DataFrame) -> pd.DataFrame:
    """Mean errors of estimates on a stream, with intervals over runs."""
    rows = []
    key_columns = ["law", "learner", "estimator"]
    for key, runs in estimates.groupby(key_columns, sort=False):
        error, low, high = mean_interval((runs["estimate"] - runs["truth"]).to_numpy())
        means = runs[["arrived", "truth", "estimate"]].mean().to_dict()
        row = dict(zip(key_columns, key, strict=True)) | {"runs": len(runs)} | means
        rows.append(row | {"error": error, "low": low, "high": high})
    return pd.DataFrame(rows)


#: Header of the columns of errors.
_ERROR = "Error, points"


def layout_censored_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: errors in points, accuracies in per cent."""
    rows = []
    for (stream, law, learner), group in table.groupby(["stream", "law", "learner"], sort=False):
        by_estimator = group.set_index("estimator").to_dict("index")
        first = group.iloc[0]
        lower, upper = (_percent(by_estimator[end]["estimate"]) for end in ("lower", "upper"))
        rows.append(
            {
                "Stream": stream_name(str(stream), bool(first["simulated"]), subject.streams),
                "Law": str(law).replace("_", " "),
                "Learner": subject.titles.get(str(learner), str(learner)),
                "Arrived, %": _percent(first["arrived"], 0),
                "Accuracy, %": _percent(first["truth"]),
                **{
                    f"{_ERROR}: {title}": _plus_minus(by_estimator[name])
                    for name, title in ESTIMATOR_TITLES.items()
                },
                "Bounds, %": f"{lower} to {upper}",
            }
        )
    cells = pd.DataFrame(rows, dtype=object)
    groups = ("",) * 5 + (_ERROR,) * len(ESTIMATOR_TITLES) + ("",)
    return text_frame_table(cells, "lllrr" + "r" * (len(groups) - 5), stream_notes(table), groups)


def _percent(value: float, decimals: int = 1) -> str:
    return number_text(100 * float(value), decimals)


def _plus_minus(row: Mapping[Hashable, Any]) -> str:
    half = (float(row["high"]) - float(row["low"])) / 2
    return f"{_percent(row['error'])} ± {_percent(half)}"


def study_stopping_bias(
    stream_inputs: StreamInputs, item: ItemInput[StoppingBiasSettings]
) -> pd.DataFrame:
    """The table of an item: the bias of the accuracy of each learner on each stream.

    A row has the bias at the last stop over all instances, and the mean over all stops of the bias
    in a window; see `label_waiting.stopping_biases`.
    """
    return item.table_from_frames(stream_biases, "stopping")


def stream_biases(stopping: pd.DataFrame) -> pd.DataFrame:
    """The bias of each learner on a stream: at the last stop, and the mean over windows."""
    rows = []
    for learner, part in stopping.groupby("learner", sort=False):
        last = part[part["window"] == 0].sort_values("time").to_dict("records")[-1]
        in_window = part[part["window"] > 0]
        defined = in_window[in_window["bias"].notna()].sort_values("time")
        undefined = (np.nan, np.nan, np.nan)
        mean, low, high = stream_mean(defined["bias"])[:3] if len(defined) else undefined
        columns = {
            "window": int(in_window["window"].iloc[0]) if len(in_window) else 0,
            "stops": len(defined),
            "mean_pending": defined["pending"].mean(),
            "window_bias": mean,
            "low": low,
            "high": high,
        }
        rows.append(last | {"learner": learner} | columns)
    return pd.DataFrame(rows)


def layout_stopping_bias(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: accuracies in per cent, biases in points."""
    window = number_text(int(table["window"].iloc[0]))
    columns = [
        stream_column(subject),
        learner_column(subject),
        count_column("Begun", "begun"),
        count_column("Pending", "pending"),
        number_column("Arrived, %", "arrived_accuracy", 2, 100.0),
        number_column("Pending, %", "pending_accuracy", 2, 100.0),
        number_column("All begun, %", "accuracy", 2, 100.0),
        number_column("Bias", "bias", 2, 100.0),
        interval_column(f"Latest {window}: bias", "window_bias", 2, ("low", "high"), 100.0),
    ]
    pending = table.drop_duplicates("stream")["mean_pending"]
    texts = ", ".join(number_text(float(value), 0) for value in pending)
    note = f"Pending instances in a window, on average over the stopping times: {texts}."
    return frame_table(table, columns, (note, *stream_notes(table)))


#: Columns of quartiles, by the fraction of labels.
QUARTILES = {0.25: "low", 0.5: "median", 0.75: "high"}


def study_waiting_classes(
    stream_inputs: StreamInputs, item: ItemInput[WaitingClassesSettings]
) -> pd.DataFrame:
    """The table of an item: a row for each class of each stream, at the last stop.

    It has the fractions of a class among all arrived and among all pending labels, and the
    quartiles of the time to a label.
    """
    return item.table_from_frames(last_stop, "classes", "latency")


def last_stop(classes: pd.DataFrame, latency: pd.DataFrame) -> pd.DataFrame:
    """Counts and fractions of each class of a stream at the last stop, and latency quartiles."""
    rows: pd.DataFrame = classes[classes["time"] == classes["time"].max()].copy()
    rows["pending_labels"] = rows["pending"].sum()
    for state in ("arrived", "pending"):
        rows[f"{state}_fraction"] = rows[state] / rows[state].sum()
    for fraction, name in QUARTILES.items():
        latencies = latency[latency["fraction"] == fraction].set_index("class")["latency"]
        rows[name] = rows["class"].map(latencies)
    return rows.assign(unit="".join(latency["unit"].head(1)))


def layout_waiting_classes(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item."""

    def quartiles(*ends: float) -> str:
        return " to ".join(number_text(float(end), 1) for end in ends)

    columns = [
        stream_column(subject),
        text_column("Class", "class"),
        Column("Arrived", ["arrived", "arrived_fraction"], _count_text),
        Column("Pending", ["pending", "pending_fraction"], _count_text),
        Column("Median time", ["median", "unit"], _time_text),
        Column("Quartiles", ["low", "high"], quartiles),
    ]
    return frame_table(table, columns, stream_notes(table))


def _time_text(length: float, unit: str) -> str:
    return f"{number_text(float(length), 1)} {unit}"


def _count_text(count: int, fraction: float) -> str:
    if not count:
        return "0"
    return f"{number_text(int(count))} ({number_text(100 * float(fraction), 1)} %)"
