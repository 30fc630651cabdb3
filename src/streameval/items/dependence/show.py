"""Figures, tables and captions of temporal dependence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from streameval.base.arrays import Codes
from streameval.drawing import scales, style
from streameval.drawing.class_distribution import (
    draw_autocorrelation,
    draw_proportions,
    largest_classes,
)
from streameval.drawing.drift_marks import mark_drifts
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import axis_start, set_time_axis
from streameval.evaluation.curve_tables import axis_coordinates
from streameval.items.columns import (
    count_column,
    frame_table,
    number_column,
    stream_column,
    stream_names,
    stream_notes,
    text_frame_table,
)
from streameval.items.dependence import (
    STREAM_ORDERS,
    ClassCharacteristicsSettings,
    StreamCharacteristicsSettings,
)
from streameval.items.inputs import ItemInput, StreamInput, StreamInputs, table_over_streams
from streameval.items.text_templates import TextTemplates
from streameval.measures.registry import MEASURES, Measure
from streameval.report.names import VARIANT_TITLES
from streameval.streams.stream import Stream
from streameval.view.numbers import DECIMALS, number_text
from streameval.view.parts import Table

#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "class_characteristics": TextTemplates(
        title="Characteristics of the streams",
        menu_entry="class proportions and baselines of the streams",
        caption=(
            "Proportions of the largest classes, P(c); the probability that such a class follows "
            "itself, P(c|c); and the accuracies of two baselines, Majority (predicts the most "
            "frequent class) and No-Change (predicts the previous label). If P(c|c) exceeds P(c), "
            "labels come in runs."
        ),
    ),
    "class_distribution": TextTemplates(
        menu_entry="class proportions over time, and autocorrelation",
        caption=(
            "proportion of each class over a sliding window of {window} instances, and "
            "autocorrelation of the label to lag {lags}."
        ),
    ),
    "dependence": TextTemplates(
        menu_entry="dependence of labels on earlier labels",
        caption=(
            "the probability that a class follows ℓ labels of the same class, and its increase "
            "with the ℓ-th label; the curve of a class ends where there are fewer than 30 cases."
        ),
    ),
    "false_alarms": TextTemplates(
        menu_entry="accuracy by false-alarm rate",
        caption=(
            "accuracy of Naive Bayes with random resets, against the probability of such a false "
            "alarm, in the stream's own order, with instances permuted within each class (labels "
            "keep their order, drift disappears), and in random order; bands from {seeds} seeds."
        ),
        evaluation="test-then-train (prequential)",
    ),
    "lags": TextTemplates(
        menu_entry="{measures} by number of lags",
        caption=(
            "{measures} of learners by the number of lagged labels, or lagged labels and inputs, "
            "that they use."
        ),
        evaluation="test-then-train (prequential)",
    ),
    "stream_characteristics": TextTemplates(
        title="Characteristics of the streams",
        menu_entry="size and dependence of the streams",
        caption=(
            "Size of the streams, proportion of the most frequent class, P(M), and probability "
            "that a label equals the previous label, P(T). P(T) above P(M) shows temporal "
            "dependence."
        ),
    ),
}


#: Approximate width of a panel in a figure with two panels, in mm.
PANEL_MM = 74.0


@style.styled
def draw_class_distribution(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw class proportions over time beside the autocorrelation of the label.

    Multiples of the natural period are marked if the settings name a period.
    """
    figure = style.titled_figure(0.4, **subject.stream_arguments)
    left, right = figure.subplots(1, 2)
    lines: list[Artist] = [*_draw_prior(left, frames["prior"])]
    lines += mark_drifts([left], frames["prior"], subject.drifts)
    marks = _draw_autocorrelation(right, frames["autocorrelation"], subject.settings.period)
    legend_heights = [_legend_above(figure, left, lines)]
    if marks:
        legend_heights.append(_legend_above(figure, right, marks))
    style.make_room(figure, max(legend_heights) - style.LEGEND_ROOM_MM)
    return figure


def _draw_prior(axes: Axes, prior: pd.DataFrame) -> list[Line2D]:
    proportions = largest_classes(
        prior.pivot_table("proportion", "instance", "class", sort=False, observed=True)
    )
    places = axis_coordinates(prior, proportions.index)  # dates, or else numbers of instances
    lines = draw_proportions(axes, proportions, places)
    if len(proportions) == 1:
        axes.text(
            0.5, 0.5, style.ONE_WINDOW_NOTE, transform=axes.transAxes, ha="center", va="center"
        )
    axes.set_ylabel("proportion of instances")
    if isinstance(places, pd.DatetimeIndex):
        set_time_axis(axes, places, axis_start(prior))
    else:
        style.label_counts(axes)
    return lines


def _draw_autocorrelation(axes: Axes, frame: pd.DataFrame, period: int | None) -> list[Line2D]:
    """Draw the curve and mark multiples of the period; return the legend handles of the marks."""
    lags = frame["lag"].to_numpy()
    style.zero_line(axes)
    draw_autocorrelation(axes, frame)
    axes.set_ylabel("autocorrelation of the label")
    if period is None or period > lags.max():
        return []
    multiples = np.arange(period, lags.max() + 1, period)
    axes.grid(visible=False, axis="x")
    # The numbers of more than eight ticks may overlap.
    axes.set_xticks(multiples if len(multiples) <= 8 else multiples[1::2])
    for lag in multiples:
        axes.axvline(lag, color="#D55E00", linewidth=0.7, linestyle=style.DOTTED, zorder=1)
    mark = Line2D([], [], color="#D55E00", linewidth=0.7, linestyle=style.DOTTED)
    mark.set_label(f"multiples of {period}")
    return [mark]


def _legend_above(figure: Figure, axes: Axes, lines: Sequence[Artist]) -> float:
    """Draw the legend above a panel, in up to three columns; return its height in mm."""
    for columns in range(min(3, len(lines)), 0, -1):
        legend = axes.legend(
            handles=lines,
            loc="lower left",
            bbox_to_anchor=(0, 1.0),
            borderaxespad=0.2,
            ncols=columns,
            handlelength=2.4,
            columnspacing=1.2,
        )
        width, height = style.legend_size_mm(figure, legend)
        if width <= PANEL_MM:
            break
    return height


@style.styled
def draw_dependence(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the probability of a class after a run of the class, by the length of the run.

    The right panel shows how much the ℓ-th label of the run increases this probability.
    """
    orders = frames["dependence"]
    largest = orders[orders["order"] == 0].sort_values("proportion", ascending=False, kind="stable")
    names = largest["class"].tolist()
    drawn_names = names[: len(style.CLASS_LOOKS)]
    figure = style.titled_figure(0.42, **subject.stream_arguments)
    left, right = figure.subplots(1, 2)
    lines = _draw_by_order(left, orders, drawn_names, "proportion")
    left.set_ylabel("proportion that is of the class again")
    left.set_ylim(0, 1.02)
    style.zero_line(right)
    _draw_by_order(right, orders, drawn_names, "delta")
    right.set_ylabel("increase from the ℓ-th label, Δ(ℓ)")
    for axes in (left, right):
        axes.set_xlabel("previous labels, all of the class, ℓ")
        axes.set_xlim(0, orders["order"].max())
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    n_left_out = len(names) - len(drawn_names)
    smaller = "smaller one" if n_left_out == 1 else "smaller ones"
    heading = f"class ({n_left_out} {smaller} left out)" if n_left_out else "class"
    style.legend(figure, lines, columns=len(lines), title=heading)
    return figure


def _draw_by_order(axes: Axes, orders: pd.DataFrame, names: list[str], column: str) -> list[Line2D]:
    lines = []
    labels = style.shorten_names([str(name) for name in names])
    for look, name, label in zip(style.CLASS_LOOKS, names, labels, strict=False):
        part = orders[orders["class"] == name]
        lines += axes.plot(
            part["order"],
            part[column],
            marker=".",  # makes single points visible
            markersize=3.5,
            markeredgewidth=0,
            label=label,
            **look.line,
        )
    return lines


#: The learner that is a horizontal line in the figure of lags.
LAGS_BASELINE = "no_change"
#: Smallest range of the axis of a measure.
MIN_LAG_SPAN = 0.05
#: Largest lag with a linear axis of lags; the axis is logarithmic for larger ones.
MAX_LINEAR_LAG = 12
#: Width of the number at a tick, in mm.
TICK_MM = 5.0


@dataclass(frozen=True)
class LagKind:
    """A way in which a learner uses lagged labels, and the look of its line."""

    title: str
    axis_label: str
    dash: style.Dash
    #: Style in which matplotlib fills the markers.
    fill_style: str

    def line_properties(self, color: str, marker: str) -> dict[str, Any]:
        """The properties of its lines for matplotlib."""
        return {
            "color": color,
            "linestyle": self.dash,
            "marker": marker or "o",
            "fillstyle": self.fill_style,
            "markerfacecoloralt": "white",
            # Half filled and hollow markers need an outline.
            "markeredgecolor": "white" if self.fill_style == "full" else color,
            "markeredgewidth": 0.5 if self.fill_style == "full" else 0.9,
        }


LAG_KINDS = {
    "labels": LagKind(
        "with previous labels", "previous labels that the learner knows", style.SOLID, "full"
    ),
    "labels_and_inputs": LagKind(
        "with previous labels and inputs",
        "instances before whose labels and inputs the learner knows",
        style.LONG,
        "none",
    ),
    "correction": LagKind(
        "corrected by previous labels",
        "previous labels that correct the learner's scores",
        style.DOTTED,
        "left",
    ),
}
#: Label of the x axis for lines of several kinds.
ANY_KIND = "previous instances that the learner knows"


@style.styled
def draw_lags(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw measures and costs over the number of previous instances that a learner uses.

    No-Change is a horizontal line. Costs are drawn if the setting ``times`` is true.
    """
    frame, costs = frames["lags"], frames["costs"] if subject.settings.times else None
    measures, titles = subject.settings.measures, subject.titles
    pairs = frame.loc[frame["kind"] != "", ["learner", "kind"]].drop_duplicates()
    lines = list(pairs.itertuples(index=False, name=None))
    n_panels = len(measures) + (0 if costs is None else 2)
    n_rows = -(-n_panels // 3)  # rounded up
    # A single, wide panel is higher; otherwise 47 mm a row, and 32 mm for all around the panels.
    height_mm = 88.0 if n_panels == 1 else 32.0 + 47.0 * n_rows
    figure = style.titled_figure(height_mm / style.FULL_WIDTH_MM, **subject.stream_arguments)
    panels = _panels(figure, n_panels)
    for axes, name in zip(panels, measures, strict=False):
        part = frame[frame["measure"] == name]
        _draw_measure(axes, MEASURES[name], part, lines)
    if costs is not None:
        _draw_costs(panels[-2:], costs, lines)
    kinds = [kind for kind in LAG_KINDS if kind in {kind for _, kind in lines}]
    axis_label = LAG_KINDS[kinds[0]].axis_label if len(kinds) == 1 else ANY_KIND
    for axes in panels:
        _scale_lags(axes, frame["lags"].to_numpy())
        spec = axes.get_subplotspec()
        if spec is not None and spec.is_last_row():
            letters = int(_width_mm(axes) / style.MM_PER_LEGEND_LETTER)
            axes.set_xlabel(fill(f"{axis_label}, ℓ (0:\u00a0none)", letters))
    baseline_handle = style.learner_handle(LAGS_BASELINE, titles.get(LAGS_BASELINE, LAGS_BASELINE))
    handles = [*_lag_handles(lines, kinds, titles), baseline_handle]
    style.legend(figure, handles, columns=len(handles))
    return figure


def _panels(figure: Figure, count: int) -> list[Axes]:
    """Panels in rows of at most three; upper rows have one panel more if rows differ."""
    rows = np.array_split(np.arange(count), -(-count // 3))  # as few rows as possible
    grid = figure.add_gridspec(len(rows), 6)  # six columns make rows of one, two or three panels
    panels = []
    for i, row in enumerate(rows):
        width = 6 // len(row)
        panels += [
            figure.add_subplot(grid[i, j * width : (j + 1) * width]) for j in range(len(row))
        ]
    return panels


def _draw_measure(
    axes: Axes, measure: Measure, part: pd.DataFrame, lines: Sequence[tuple[str, str]]
) -> None:
    baseline = part.loc[part["learner"] == LAGS_BASELINE, "value"].iloc[0]
    curves = [_curve(part, line, "value") for line in lines]
    values = np.concatenate([*curves, [baseline]])
    notes = scales.fit(axes, measure, values)
    if not notes:
        scales.zoom(axes, values, MIN_LAG_SPAN, (measure.lower, measure.upper))
    if measure.lower < 0:
        style.zero_line(axes)
    axes.axhline(baseline, **style.learner_look(LAGS_BASELINE).line)
    _draw_lines(axes, curves, lines)
    symbol = style.symbol_text(measure.symbol)
    if np.isnan(values).any():
        notes.append(f"gaps: {symbol} is undefined")
    axes.set_title("\n".join(notes), loc="right", pad=2.5)
    axes.set_ylabel(f"{fill(measure.title, 22)} {symbol}")


def _curve(part: pd.DataFrame, line: tuple[str, str], column: str) -> pd.Series:
    """The values of a line by number of lags; it starts at the learner without lags.

    If the line's kind has no run without lags, that of another kind is taken.
    """
    learner, kind = line
    learner_rows = part[part["learner"] == learner]
    kind_rows = learner_rows[learner_rows["kind"] == kind]
    n_missing = 0 if (kind_rows["lags"] == 0).any() else 1
    without_lags = learner_rows[learner_rows["lags"] == 0].head(n_missing)
    return pd.concat([without_lags, kind_rows]).set_index("lags")[column].sort_index()


def _draw_lines(axes: Axes, curves: Sequence[pd.Series], lines: Sequence[tuple[str, str]]) -> None:
    for curve, (learner, kind) in zip(curves, lines, strict=True):
        axes.plot(curve.index, curve, **_line_properties(learner, kind))


def _draw_costs(
    panels: Sequence[Axes], costs: pd.DataFrame, lines: Sequence[tuple[str, str]]
) -> None:
    costs = costs.assign(
        microseconds=1e6 * costs["seconds"] / costs["instances"],
        bytes=costs["model_bytes"].where(costs["model_bytes"] > 0),
    )
    time, memory = panels
    _draw_cost(time, [_curve(costs, line, "microseconds") for line in lines], lines)
    time.set_ylabel("CPU time, µs per instance")
    sizes = [_curve(costs, line, "bytes") for line in lines]
    unit, unit_bytes = ("MB", 1e6) if _geometric_midpoint(sizes) >= 1e6 else ("kB", 1e3)
    _draw_cost(memory, [curve / unit_bytes for curve in sizes], lines)
    memory.set_ylabel(f"model size, {unit}")


def _draw_cost(axes: Axes, curves: Sequence[pd.Series], lines: Sequence[tuple[str, str]]) -> None:
    _draw_lines(axes, curves, lines)
    values = np.concatenate(curves)
    scales.fit_costs(axes, values)
    if np.isnan(values).all():
        axes.set_yticks([])
        axes.set_title("not known", loc="right", pad=2.5)
    elif np.isnan(values).any():
        axes.set_title("gaps: not known", loc="right", pad=2.5)


def _geometric_midpoint(curves: Sequence[pd.Series]) -> float:
    """The geometric mean of the smallest and largest value; 0 without finite values."""
    values = np.concatenate(curves)
    finite = values[np.isfinite(values)]
    return float(np.sqrt(finite.min() * finite.max())) if finite.size else 0.0


def _scale_lags(axes: Axes, all_lags: np.ndarray) -> None:
    """Set the scale of the x axis, with ticks at as many lags as have room for their numbers."""
    lags = np.unique(all_lags)
    last = float(lags[-1])
    is_linear = last <= MAX_LINEAR_LAG
    # log(1 + lag), as a lag of 0 has no logarithm.
    position, inverse = (_identity, _identity) if is_linear else (np.log1p, np.expm1)
    axes.set_xscale("function", functions=(position, inverse))
    margin = 0.03 * position(last)  # leaves room for markers at both ends
    axes.set_xlim(inverse(-margin), inverse(position(last) + margin))
    first_choice = [lag for lag in (0.0, last, 1.0) if lag in lags]
    ticks = scales.ticks_with_room(
        [*first_choice, *lags[::-1]], position, TICK_MM / _width_mm(axes)
    )
    axes.set_xticks(ticks, labels=[f"{lag:g}" for lag in ticks])
    axes.xaxis.set_minor_locator(NullLocator())


def _identity(values: Any) -> Any:
    return values


def _width_mm(axes: Axes) -> float:
    """The approximate width of a panel."""
    spec = axes.get_subplotspec()
    # The grid has six columns, and the labels of a y axis take 18 mm.
    fraction = 1.0 if spec is None else (spec.colspan.stop - spec.colspan.start) / 6
    return fraction * style.FULL_WIDTH_MM - 18


def _lag_handles(
    lines: Sequence[tuple[str, str]], kinds: Sequence[str], titles: Mapping[str, str]
) -> list[Line2D]:
    """The legend handles of learners and of kinds."""
    names = {learner: titles.get(learner, learner) for learner, _ in lines}
    if len(names) == 1:
        ((learner, name),) = names.items()
        labels = [f"{name} {LAG_KINDS[kind].title}" if len(kinds) > 1 else name for kind in kinds]
        looks = [_line_properties(learner, kind) for kind in kinds]
    else:
        # Several kinds have handles of their own; lines of learners then look like those of the
        # kind "labels".
        common_kind = kinds[0] if len(kinds) == 1 else "labels"
        labels, looks = (
            list(names.values()),
            [_line_properties(learner, common_kind) for learner in names],
        )
    if len(kinds) > 1 and len(names) > 1:
        labels += [LAG_KINDS[kind].title for kind in kinds]
        looks += [LAG_KINDS[kind].line_properties("0.4", "o") for kind in kinds]
    return [Line2D([], [], label=name, **look) for name, look in zip(labels, looks, strict=True)]


def _line_properties(learner: str, kind: str) -> dict[str, Any]:
    look = style.learner_look(learner)
    return LAG_KINDS[kind].line_properties(look.color, look.marker)


def seed_band_handles(counts: pd.Series, text: str) -> list[Artist]:
    """The legend handle of bands over seeds, as a list; empty if no line has several seeds.

    `counts` are the lines' numbers of seeds, which replace {seeds} in `text`.
    """
    numbers = sorted({int(count) for count in counts if count > 1})
    if not numbers:
        return []
    number = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    return [style.band_handle(text.format(seeds=f"{number} seeds"))]


#: The learner with random alarms, whose probability is on the x axis.
RANDOM_ALARM_LEARNER = "ddm_random"
#: The learners without random alarms, each a horizontal line.
LEARNERS_WITHOUT_ALARMS = ("no_change", "naive_bayes", "ddm_nb")
#: Smallest range of the axis of accuracies.
MIN_ACCURACY_SPAN = 0.02


@style.styled
def draw_false_alarms(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw accuracy over the probability of a false alarm, a panel for each order of a stream.

    Lines are means over the seeds, bands reach from the smallest to the largest accuracy.
    """
    rows = frames["false_alarms"]
    figure = style.titled_figure(0.46, **subject.stream_arguments)
    panels = figure.subplots(1, len(STREAM_ORDERS), sharex=True, sharey=True)
    for axes, variant in zip(panels, STREAM_ORDERS, strict=True):
        part = rows[rows["variant"] == variant]
        for learner in LEARNERS_WITHOUT_ALARMS:
            _draw_horizontal(axes, learner, part.loc[part["learner"] == learner, "accuracy"])
        _draw_by_probability(axes, part[part["learner"] == RANDOM_ALARM_LEARNER])
        axes.set_title(VARIANT_TITLES[variant], loc="left", pad=3)
        axes.set_xlabel("probability of a false alarm")
    panels[0].set_ylabel("accuracy")
    _scale_false_alarms(panels[0], rows)
    lines = style.learner_handles((RANDOM_ALARM_LEARNER, *LEARNERS_WITHOUT_ALARMS), subject.titles)
    for line in lines[1:]:
        line.set_marker("")  # as in the panels
    seeds = rows.groupby(["variant", "learner", "probability"], dropna=False)["seed"].nunique()
    bands = seed_band_handles(seeds, "{seeds}: mean, least to greatest")
    style.legend(figure, [*lines, *bands], columns=5)
    return figure


def _draw_horizontal(axes: Axes, learner: str, accuracy: pd.Series) -> None:
    look = style.learner_look(learner)
    if accuracy.max() > accuracy.min():
        low, high = accuracy.min(), accuracy.max()
        axes.axhspan(low, high, color=look.color, alpha=style.BAND_OPACITY, linewidth=0, zorder=1.6)
    axes.axhline(accuracy.mean(), **look.line)


def _draw_by_probability(axes: Axes, part: pd.DataFrame) -> None:
    """Draw means over the seeds, with bands from the smallest to the largest accuracy."""
    import seaborn  # here, as importing it takes longer than drawing most figures

    look = style.learner_look(RANDOM_ALARM_LEARNER)
    seaborn.lineplot(
        part,
        x="probability",
        y="accuracy",
        errorbar=("pi", 100),  # from the smallest to the largest value
        err_kws={"alpha": style.BAND_OPACITY, "linewidth": 0, "zorder": 1.7},
        ax=axes,
        color=look.color,
        linestyle=look.dash,
        marker=look.marker,
        zorder=look.layer + 0.1,
    )
    axes.set_ylabel("")


def _scale_false_alarms(axes: Axes, rows: pd.DataFrame) -> None:
    """Set the axes of accuracy and probability, which all panels share."""
    scales.zoom(axes, rows["accuracy"], MIN_ACCURACY_SPAN)
    axes.set_xscale("log")
    axes.set_xlim(rows["probability"].min() / 1.4, rows["probability"].max() * 1.4)
    axes.xaxis.set_major_locator(LogLocator(numticks=6))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


#: Number of the most frequent classes that Table 2 shows for each stream.
N_LARGEST_CLASSES = 3


def study_class_characteristics(
    stream_inputs: StreamInputs, item: ItemInput[ClassCharacteristicsSettings]
) -> pd.DataFrame:
    """The table for several streams; see `class_characteristics`."""

    def rows_of_stream(stream_input: StreamInput[Any]) -> pd.DataFrame:
        predictions = stream_input.predictions()
        correct = predictions.predicted["no_change"] == predictions.true
        return class_characteristics(predictions.true, float(correct.mean()))

    return table_over_streams(stream_inputs, rows_of_stream, item.columns)


def class_characteristics(labels: Codes, no_change_accuracy: float) -> pd.DataFrame:
    """A stream's part of Table 2: P(c) and P(c|c), the most frequent class first.

    P(c|c) is the proportion of class c among the labels that directly follow a label of class c.
    """
    classes, counts = np.unique(labels, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:N_LARGEST_CLASSES]
    rows = [(f"P(c{i + 1})", counts[c] / len(labels)) for i, c in enumerate(order)]
    for i, c in enumerate(order):
        following = labels[1:][labels[:-1] == classes[c]]
        repeats = float(np.mean(following == classes[c])) if len(following) else float("nan")
        rows.append((f"P(c{i + 1}|c{i + 1})", repeats))
    rows.append(("majority_accuracy", counts[order[0]] / len(labels)))
    rows.append(("no_change_accuracy", no_change_accuracy))
    return pd.DataFrame(rows, columns=["measure", "value"])


def layout_class_characteristics(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out Table 2 of Bifet et al. (2013): lines P(c) and P(c|c) for each stream."""
    rows = []
    for _, part in table.groupby("stream", sort=False):
        value = dict(zip(part["measure"], part["value"], strict=True))
        name = stream_names(part, subject.streams)[0]
        lines = (
            (name, "P(c)", "P(c{0})", "Majority", "majority_accuracy"),
            ("", "P(c|c)", "P(c{0}|c{0})", "No-Change", "no_change_accuracy"),
        )
        for stream, symbol, measure, baseline, accuracy in lines:
            proportions = [number_text(value.get(measure.format(i)), DECIMALS) for i in (1, 2, 3)]
            accuracy_text = number_text(value.get(accuracy), DECIMALS)
            rows.append([stream, symbol, *proportions, baseline, accuracy_text])
    header = ["Stream", "Proportion", "c₁", "c₂", "c₃", "Baseline", "Accuracy"]
    return text_frame_table(pd.DataFrame(rows, columns=header), "llrrrlr", stream_notes(table))


def study_stream_characteristics(
    stream_inputs: StreamInputs, item: ItemInput[StreamCharacteristicsSettings]
) -> pd.DataFrame:
    """The table for several streams; see `stream_characteristics`."""
    return table_over_streams(
        stream_inputs,
        lambda stream_input: stream_characteristics(stream_input.labelled_stream),
        item.columns,
    )


def stream_characteristics(stream: Stream) -> pd.DataFrame:
    """A stream's row of Table 3.

    P(M) is the proportion of the most frequent class, P(T) the proportion of labels that equal the
    previous label.
    """
    labels = stream.y
    row = {
        "instances": len(stream),
        "attributes": stream.X.shape[1],
        "classes": stream.n_classes,
        "P(M)": np.bincount(labels).max() / len(labels),
        "P(T)": float(np.mean(labels[1:] == labels[:-1])) if len(labels) > 1 else float("nan"),
    }
    return pd.DataFrame([row])


def layout_stream_characteristics(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out Table 3 of Žliobaitė et al. (2015): a line for each stream."""
    counts = [
        count_column(name.capitalize(), name) for name in ("instances", "attributes", "classes")
    ]
    columns = [
        stream_column(subject),
        *counts,
        number_column("P(M)", "P(M)"),
        number_column("P(T)", "P(T)"),
    ]
    return frame_table(table, columns, stream_notes(table))
