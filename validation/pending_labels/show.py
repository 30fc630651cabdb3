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
from streameval.drawing.time_axis import begin_of, on_axis, places_of, tune_time_axis
from streameval.items.columns import (
    count_column,
    frame_table,
    interval_column,
    learner_column,
    number_column,
    stream_column,
    stream_name,
    stream_notes,
    table_of_texts,
    text_column,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.text_templates import TextTemplates
from streameval.measures.registry import MEASURES
from streameval.significance.intervals import mean_interval
from streameval.significance.stream_mean import stream_mean
from streameval.view.blocks import Column, Table
from streameval.view.numbers import number_text

#: Weights by which accuracy is estimated where labels are missing.
ESTIMATOR_TITLES = {
    "arrived": "no weights",
    "by_age": "by age",
    "by_latency": "by latency",
    "by_prediction": "by age and prediction",
    "by_law": "by the true law",
}
#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "accuracy_by_age": TextTemplates(
        subject="accuracy by age, with the number at risk",
        caption=(
            "accuracy of the predictions in force at an age, {since} since an instance has "
            "arrived, with a prediction after every {every} labels. Unlike a bin, the age is known "
            "at the prediction. Instances at risk are those with labels pending at that age; their "
            "composition changes with age. Top: accuracy over those at risk. Middle: its "
            "difference from the accuracy of their first predictions. Bottom: accuracy over all "
            "instances, with the last prediction from the label on. Below the axis: numbers of "
            "instances at risk, and of others with labels pending at the end of evaluation, which "
            "no line counts. The CSV has 95 % intervals that respect dependence; there are none "
            "where the effective sample size is less than {effective}."
        ),
        evaluation="continuous re-evaluation every {every} labels",
    ),
    "censored_accuracy": TextTemplates(
        subject="accuracy estimated without missing labels",
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
        subject="estimates without missing labels",
        caption=(
            "Accuracy of first predictions over all instances, in per cent, and the difference, in "
            "points, of estimates from the labels that have arrived: means over runs, with half of "
            "the 95 % interval. Last column: bounds of the accuracy for any values of the missing "
            "labels."
        ),
    ),
    "delays": TextTemplates(
        subject="accuracy by label delay",
        caption=(
            "accuracy against the label delay, for learners whose inputs include no previous "
            "label, the latest known label, their own previous prediction, or both. With a delay "
            "of 0, a label is known before the next prediction. Vertical lines are 95 % intervals "
            "of the gain over the instances of this stream, which respect dependence; there are "
            "none where the effective sample size is less than {effective}."
        ),
        evaluation="labels delayed by {delays} instances",
    ),
    "evolving_inputs": TextTemplates(
        subject="inputs that change while labels wait",
        caption=(
            "gain in accuracy from updated inputs over the inputs at arrival alone, for instances "
            "with labels pending at an age, with a prediction after every {every} labels; 95 % "
            "intervals respect dependence. When a label arrives, learners learn the inputs just "
            "before it, so that all times they learn are complete, or those of each prediction of "
            "the instance, with weights that sum to 1.{known_later}"
        ),
        evaluation="continuous re-evaluation every {every} labels",
    ),
    "label_waiting": TextTemplates(
        subject="classes of pending labels and the bias of stopping",
        caption=(
            "pending labels. Top left: label delay by class. Top right: proportions of the classes "
            "among labels that have arrived (thick lines) and among those that are pending (thin "
            "lines), by the point at which evaluation stops. Below: the bias of stopping, the "
            "accuracy over labels that have arrived minus that over all instances that have "
            "arrived, for first predictions of the latest {window} instances. Instances without a "
            "label in the stream are left out."
        ),
        evaluation="delayed labels, predictions on arrival",
    ),
    "stopping_bias": TextTemplates(
        title="The bias of stopping",
        subject="bias of stopping",
        caption=(
            "Accuracy of first predictions over labels that have arrived when evaluation stops, "
            "over those that are pending, and over all instances that have arrived; the bias is "
            "the first minus the last. Last columns: the same bias over a window of the latest "
            "instances, the mean over stopping times, with a 95 % interval that respects "
            "dependence ({sections} sections of time), where the effective sample size is at least "
            "{effective}. Instances without a label in the stream are left out."
        ),
    ),
    "waiting_classes": TextTemplates(
        title="Classes of arrived and of pending labels",
        subject="classes of pending labels",
        caption=(
            "Classes of the labels that have arrived and of those that are pending when evaluation "
            "stops, and the quartiles of the time from an instance to its label, over all labels "
            "of the stream. Instances without a label in the stream are left out."
        ),
    ),
}


#: How the lines of a panel, all of one learner, differ, and what they are called.
OPTION_LOOKS: dict[str, tuple[style.Look, str]] = {
    option: (replace(look, dash=dash, marker=marker), words)
    for look, (option, dash, marker, words) in zip(
        style.CLASSES,
        (
            ("ordinary", style.SOLID, "o", "the instance alone"),
            ("older_label", style.LONG, "s", "with the latest label that has arrived"),
            ("predicted_label", style.DASH_DOT_DOT, "^", "with its own previous prediction"),
            ("both", style.DASH_DOT, "D", "with both"),
        ),
        strict=False,
    )
}
#: What is drawn.
_MEASURE = MEASURES["accuracy"]
#: The learners that others are compared with, whatever these are given.
_BASELINES = ("no_change", "majority")

#: Mean width of a digit of a tick's label, and the least gap between two labels.
_MM_PER_DIGIT, _GAP_MM = 1.6, 1.2
#: Height of what is drawn of a learner, and of the upper panel against the lower one.
_LEARNER_MM, _DELAY_HEIGHTS = 72.0, (3, 2)
#: By what factor intervals of one delay stand apart, along the axis.
_ASIDE = 1.05


@style.styled
def draw_delays(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw accuracy against the delay of labels, learner by learner, a line for each option.

    Below is what options add: most lines run too close together above to be compared.
    """
    study, learners, titles = frames["delays"], subject.settings.learners, subject.titles
    rows_shown = study[study["measure"] == _MEASURE.name]
    wide = _wide(rows_shown, learners)
    columns = min(2, len(learners))
    rows = -(-len(learners) // columns)
    names = _broken([titles.get(name, name) for name in learners], columns)
    title_mm = style.LINE_MM * max(name.count("\n") for name in names)
    height_mm = 30 + (_LEARNER_MM + title_mm) * rows
    figure = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    grid = figure.subplots(2 * rows, columns, squeeze=False, height_ratios=_DELAY_HEIGHTS * rows)
    upper, lower = list(grid[0::2].ravel()), list(grid[1::2].ravel())
    for axes in (*upper[len(learners) :], *lower[len(learners) :]):
        axes.remove()
    for panels in (upper, lower):
        _tune(panels[: len(learners)], wide.index.to_numpy(dtype=float), columns)
    for place, learner in enumerate(learners):
        options = wide[[learner]].droplevel("learner", axis=1)
        for name in _BASELINES:
            line = wide[name, "ordinary"]
            upper[place].plot(wide.index + 1, line, zorder=2.0, **_baseline_look(name))
        _draw_options(upper[place], options)
        _draw_options(lower[place], options.sub(options["ordinary"], axis=0))
        _draw_intervals(lower[place], rows_shown[rows_shown["learner"] == learner])
        upper[place].set_title(names[place], loc="left", pad=3)
        upper[place].tick_params(axis="x", labelbottom=False)
        if place + columns >= len(learners):
            lower[place].set_xlabel("label delay (instances in between)")
    symbol = style.symbol_text(_MEASURE.symbol)
    for place in range(0, len(learners), columns):
        upper[place].set_ylabel(f"{_MEASURE.title} {symbol}")
        lower[place].set_ylabel(f"gain in {symbol}")
    figure.align_ylabels([*upper[: len(learners) : columns], *lower[: len(learners) : columns]])
    style.legend(figure, _handles(titles), columns=3, title="What a learner is given")
    return figure


def _wide(rows: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """A row for each delay and a column for each learner and option."""
    wide = rows.pivot(index="delay", columns=["learner", "option"], values="value")  # noqa: PD010
    needed = [(name, "ordinary") for name in _BASELINES]
    needed += [(name, option) for name in learners for option in OPTION_LOOKS]
    return wide[needed]


def _broken(names: Sequence[str], columns: int) -> list[str]:
    """Titles of learners in lines that end before the next panel."""
    letters = int(0.9 * style.WIDTH_MM[2] / columns / style.MM_PER_LEGEND_LETTER)
    return [fill(name, letters) for name in names]


def _tune(panels: Sequence[Axes], delays: np.ndarray, columns: int) -> None:
    """Give panels of one kind a common y axis, and an x axis with a tick at each delay.

    The axis is logarithmic in delay + 1, the distance to the instance of the latest label.
    """
    places = delays + 1
    low, high = float(places.min()), float(places.max())
    margin = (high / low) ** 0.04 if high > low else 2.0
    mm_per_unit = 0.8 * style.WIDTH_MM[2] / columns / np.log(high * margin**2 / low)
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
    """The numbers of ticks on a logarithmic axis; "" where the last one is too close."""
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
        axes.plot(options.index + 1, values, zorder=2.1 + place / 10, **_drawn_as(look))


def _drawn_as(look: style.Look) -> dict[str, Any]:
    return {"color": look.color, "linestyle": look.dash, "marker": look.marker}


def _draw_intervals(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw the intervals of a learner's gains, side by side where they are of one delay."""
    for place, (option, (look, _)) in enumerate(OPTION_LOOKS.items()):
        part = rows[rows["option"] == option].dropna(subset=["low", "high"])
        at = (part["delay"] + 1) * _ASIDE ** (place - 2)
        axes.vlines(at, part["low"], part["high"], colors=look.color, linewidth=0.7, alpha=0.7)


def _baseline_look(name: str) -> dict[str, Any]:
    look = style.learner_look(name)
    dot = {"marker": ".", "markersize": 3.5, "markeredgewidth": 0}
    return {"color": look.color, "linestyle": look.dash, **dot}


def _handles(titles: Mapping[str, str]) -> list[Line2D]:
    handles = [
        Line2D([], [], label=text, **_drawn_as(look)) for look, text in OPTION_LOOKS.values()
    ]
    notes = {"no_change": ": the latest label, repeated"}
    for name in _BASELINES:
        text = titles.get(name, name) + notes.get(name, "")
        handles.append(Line2D([], [], label=text, **_baseline_look(name)))
    return handles


#: The panels from top to bottom.
_VARIANTS = {
    "time_last": "time so far; the inputs just before the label are learnt",
    "time_each": "time so far; the inputs of each prediction are learnt",
    "later_last": "inputs known later; those just before the label are learnt",
    "later_each": "inputs known later; those of each prediction are learnt",
    "both_each": "both; the inputs of each prediction are learnt",
}
_VARIANT_MM, _VARIANTS_REST_MM = 40.0, 30.0


@style.styled
def draw_evolving_inputs(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each variant, with the gain of each learner and its interval."""
    learners, inputs = subject.settings.learners, frames["inputs"]
    ends = ("gain_low", "gain_high")
    there = {name: title for name, title in _VARIANTS.items() if name in set(inputs["variant"])}
    height_mm = _VARIANTS_REST_MM + _VARIANT_MM * len(there)
    figure = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    points = inputs.copy()
    points[["gain", *ends]] *= 100
    panels = figure.subplots(len(there), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, (variant, title) in zip(panels, there.items(), strict=True):
        style.zero_line(axes)
        rows = points[points["variant"] == variant]
        style.learner_lines(axes, rows, "age", "gain", learners, ends=ends)
        axes.set_title(title, loc="left", pad=3)
        axes.set_ylabel("gain (points)")
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    panels[-1].set_xlim(0, max(float(inputs["age"].max()), 1.0) * style.MARKER_ROOM)
    panels[-1].set_xlabel(f"time since the instance has arrived ({inputs['unit'].iloc[0]})")
    handles = style.learner_handles(learners, subject.titles)
    style.legend(figure, [*handles, style.band_handle("95 % interval")], columns=4)
    return figure


_ASPECT = 0.86
_WAITING_HEIGHTS = (3, 4)
#: Panels side by side, and letters of the title of one.
_COLUMNS, _TITLE_LETTERS = 4, 24
_THIN, _THICK = 0.6, 1.6
#: Latencies are drawn up to this fraction: a few labels take very long.
_MOST = 0.975


@style.styled
def draw_label_waiting(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw latencies and classes above, and the bias in the latest instances below."""
    classes, latency, stopping = (frames[name] for name in ("classes", "latency", "stopping"))
    figure = style.sheet(_ASPECT, **subject.stream)
    grid = figure.add_gridspec(2, 2, height_ratios=_WAITING_HEIGHTS)
    names = list(dict.fromkeys(classes["class"]))
    left, right = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
    _draw_latency(left, latency, names)
    left.set_xlabel(f"time from an instance to its label ({''.join(latency['unit'].head(1))})")
    _draw_classes(right, classes, names)
    below = _draw_biases(figure, grid[1, :], stopping, subject)
    about = {"begin": begin_of(classes), "what": "labels that have arrived"}
    for axes in (right, *below):
        ticks = 8 if axes is right else 4
        tune_time_axis(axes, places_of(classes, "labels"), **about, ticks=ticks)
    for axes in below:
        axes.set_xlabel("")
    over = (
        f"bias: over the latest {int(stopping['window'].max()):,} instances, in points of accuracy"
    )
    figure.supxlabel(f"{right.get_xlabel()}; {over}", fontsize=style.SMALL)
    return figure


def _look(number: int) -> style.Look:
    return style.CLASSES[number] if number < len(style.CLASSES) else style.REST


def _draw_latency(axes: Axes, latency: pd.DataFrame, names: Sequence[str]) -> None:
    for index, name in enumerate(names):
        rows, look = latency[latency["class"] == name], _look(index)
        (line,) = axes.plot(rows["latency"], rows["fraction"], **look.line)
        line.set_label(style.shortened([name])[0])
    visible = latency[latency["fraction"] <= _MOST]["latency"]
    axes.set_xlim(0, max(float(visible.max()), 1.0))
    axes.set_ylim(0, 1)
    axes.set_ylabel("fraction of labels")
    axes.legend(loc="lower right")


def _draw_classes(axes: Axes, classes: pd.DataFrame, names: Sequence[str]) -> None:
    whole = classes.groupby("labels")[["arrived", "pending"]].transform("sum")
    visible = names[:1] if len(names) == 2 else names  # of two, the other is what is left
    for index, name in enumerate(visible):
        is_class, look = classes["class"] == name, _look(index)
        for state, width in (("arrived", _THICK), ("pending", _THIN)):
            share = classes.loc[is_class, state] / whole.loc[is_class, state]
            at = on_axis(places_of(classes[is_class], "labels"))
            axes.plot(at, share, color=look.color, linewidth=width)
    axes.set_ylim(0, 1)
    title = style.shortened(visible)[0] if len(visible) == 1 else "the class"
    axes.set_ylabel(f"fraction of {title}")
    axes.set_title("thick: arrived, thin: pending", loc="right", pad=3)


def _draw_biases(
    figure: Figure, place: SubplotSpec, stopping: pd.DataFrame, subject: Subject
) -> list[Axes]:
    """Draw a panel for each learner, as their lines in one would run through each other."""
    learners: Sequence[str] = subject.settings.learners
    points = stopping[stopping["window"] > 0].assign(bias=100 * stopping["bias"])
    columns = min(len(learners), _COLUMNS)
    rows = -(-len(learners) // columns)
    grid = place.subgridspec(rows, columns)
    panels: list[Axes] = []
    for index, learner in enumerate(learners):
        same = panels[0] if panels else None
        axes = figure.add_subplot(grid[divmod(index, columns)], sharex=same, sharey=same)
        style.zero_line(axes)
        of_learner = points[points["learner"] == learner]
        at = on_axis(places_of(of_learner, "labels"))
        axes.plot(at, of_learner["bias"], color=style.learner_look(learner).color)
        name = subject.titles.get(learner, learner)
        axes.set_title(fill(name, _TITLE_LETTERS), loc="left", pad=3)
        axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
        axes.tick_params(
            labelleft=index % columns == 0, labelbottom=index + columns >= len(learners)
        )
        axes.set_ylabel("" if index % columns else "bias")
        panels.append(axes)
    return panels


_ESTIMATOR_MM, _LAW_MM, _LAWS_REST_MM, _LAW_COLUMNS = 8.5, 14.0, 24.0, 2
_MARKER = 3.6


@style.styled
def draw_censored_accuracy(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each law, with a row for each kind of weights and a dot for each learner."""
    estimates, learners = frames["censored"], subject.settings.learners
    errors_by_law = errors(estimates)
    laws = list(dict.fromkeys(errors_by_law["law"]))
    count = -(-len(laws) // _LAW_COLUMNS)
    height_mm = _LAWS_REST_MM + count * (_LAW_MM + _ESTIMATOR_MM * len(ESTIMATOR_TITLES))
    figure = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    panels = figure.subplots(count, _LAW_COLUMNS, sharex=True, sharey=True, squeeze=False)
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


def _draw_law(axes: Axes, of_law: pd.DataFrame, learners: Sequence[str]) -> None:
    scales.dot_rows(axes, list(ESTIMATOR_TITLES.values()))
    style.zero_line(axes, along="x")
    for index, learner in enumerate(learners):
        look = style.learner_look(learner)
        by_estimator = of_law[of_law["learner"] == learner].set_index("estimator").to_dict("index")
        for row, name in enumerate(ESTIMATOR_TITLES):
            error, low, high = (
                100 * float(by_estimator[name][end]) for end in ("error", "low", "high")
            )
            y = scales.dot_height(row, index, len(learners))
            axes.plot([low, high], [y, y], color=look.color)
            marker = look.marker or "o"  # a line of few points has to be marked
            axes.plot([error], [y], marker, color=look.color, markersize=_MARKER)


def study_censored_table(
    stream_inputs: StreamInputs, item: ItemInput[CensoredTableSettings]
) -> pd.DataFrame:
    """The table of an item: means over runs for each stream, law, learner and estimator.

    `arrived` is a fraction of labels; `error` is the estimate minus the truth, with its interval.
    """
    return item.over_frames(errors, "censored")


def errors(estimates: pd.DataFrame) -> pd.DataFrame:
    """The rows of a stream: means and intervals over runs."""
    rows = []
    by = ["law", "learner", "estimator"]
    for key, rows_of_key in estimates.groupby(by, sort=False):
        error, low, high = mean_interval(
            (rows_of_key["estimate"] - rows_of_key["truth"]).to_numpy()
        )
        means = rows_of_key[["arrived", "truth", "estimate"]].mean().to_dict()
        about = dict(zip(by, key, strict=True)) | {"runs": len(rows_of_key)} | means
        rows.append(about | {"error": error, "low": low, "high": high})
    return pd.DataFrame(rows)


_ERROR = "Error, points"


def layout_censored_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item; errors and accuracies are in points and per cent."""
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
    return table_of_texts(cells, "lllrr" + "r" * (len(groups) - 5), stream_notes(table), groups)


def _percent(value: float, decimals: int = 1) -> str:
    return number_text(100 * float(value), decimals)


def _plus_minus(row: Mapping[Hashable, Any]) -> str:
    half = (float(row["high"]) - float(row["low"])) / 2
    return f"{_percent(row['error'])} ± {_percent(half)}"


def study_stopping_bias(
    stream_inputs: StreamInputs, item: ItemInput[StoppingBiasSettings]
) -> pd.DataFrame:
    """The table of an item: for each learner on each stream the bias of its accuracy.

    It is that of `label_waiting.stopping` at the last stop, and the mean over all stops in a
    window.
    """
    return item.over_frames(biases, "stopping")


def biases(stopping: pd.DataFrame) -> pd.DataFrame:
    """The rows of a stream."""
    rows = []
    for learner, of_learner in stopping.groupby("learner", sort=False):
        last = of_learner[of_learner["window"] == 0].sort_values("time").to_dict("records")[-1]
        defined = of_learner[(of_learner["window"] > 0) & of_learner["bias"].notna()].sort_values(
            "time"
        )
        nothing = (np.nan, np.nan, np.nan)
        mean, low, high = stream_mean(defined["bias"])[:3] if len(defined) else nothing
        windows = of_learner.loc[of_learner["window"] > 0, "window"]
        about = {
            "window": int(windows.iloc[0]) if len(windows) else 0,
            "stops": len(defined),
            "mean_pending": defined["pending"].mean(),
            "window_bias": mean,
            "low": low,
            "high": high,
        }
        rows.append(last | {"learner": learner} | about)
    return pd.DataFrame(rows)


def layout_stopping_bias(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item; accuracies and biases are in per cent and points."""
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


#: Columns of the quartiles, by fraction of the labels.
QUARTILES = {0.25: "low", 0.5: "median", 0.75: "high"}


def study_waiting_classes(
    stream_inputs: StreamInputs, item: ItemInput[WaitingClassesSettings]
) -> pd.DataFrame:
    """The table of an item: a row for each class of each stream, at the last stop.

    Fractions are of all labels that have arrived, and that are pending; times to labels have
    quartiles.
    """
    return item.over_frames(at_the_end, "classes", "latency")


def at_the_end(classes: pd.DataFrame, latency: pd.DataFrame) -> pd.DataFrame:
    """The rows of a stream."""
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
        Column("Arrived", ["arrived", "arrived_fraction"], _counted),
        Column("Pending", ["pending", "pending_fraction"], _counted),
        Column("Median time", ["median", "unit"], _time),
        Column("Quartiles", ["low", "high"], quartiles),
    ]
    return frame_table(table, columns, stream_notes(table))


def _time(length: float, unit: str) -> str:
    return f"{number_text(float(length), 1)} {unit}"


def _counted(count: int, fraction: float) -> str:
    if not count:
        return "0"
    return f"{number_text(int(count))} ({number_text(100 * float(fraction), 1)} %)"
