"""Pictures of learners on a page: over time, against others, and by section, order and bin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullLocator

from streameval.base.arrays import Floats
from streameval.drawing import style
from streameval.drawing.looks import learner_look
from streameval.drawing.sequences import draw_sequence, fit_late
from streameval.drawing.time_axis import on_axis, tune_time_axis
from streameval.evaluation.task import Task
from streameval.pages.findings import Findings
from streameval.pages.page import NARROW, canvas
from streameval.significance.confidence_sequence import ConfidenceSequence
from streameval.significance.intervals import Interval
from streameval.significance.stream_mean import SECTIONS, StreamMean

#: Height of a row of dots with its name beside or above, and of what stands around all rows.
BESIDE, ABOVE, AROUND = 28, 44, 62
#: Colours of axes at 0, of what is practically equal, of dots of no learner, of keys, of the page.
ZERO, ROPE, DOT, KEY, PAPER = "#666666", "#dddddd", "#0072b2", "#444444", "#ffffff"
#: Mean width of a letter in a legend, in pixels, and of the line and the gap beside it.
_LETTER, _LINE = 6.6, 62
#: Letters of names that stand beside rows of dots, of one panel; longer ones stand above.
_BESIDE = 52


#: A value, its colour, and whether it is hollow.
Dot: TypeAlias = tuple[StreamMean | Interval, str, bool]


class DotRow(NamedTuple):
    """A row of dots with intervals, and its name."""

    name: str
    dots: Sequence[Dot]


def over_time(found: Findings, width: int) -> Figure:
    """Draw the measure over a sliding window, signals of drift, and the lead over a baseline."""
    curves, rows = found.curves, len(found.signals)
    heights = [190, 10 + 13 * rows, 150] if rows else [190, 150]
    keys = _keys(found.titles(), width)
    drawn = canvas(width, 116 + sum(heights) + keys.height)
    panels = drawn.subplots(
        len(heights), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights}
    )[:, 0]
    factor = found.task.factor
    for name in reversed(found.names):
        panels[0].plot(on_axis(curves.index), factor * curves[name], **learner_look(name).line)
    panels[0].set_title(_title(f"{found.task.scale}, last {found.window:,} predictions", width))
    if rows:
        _signals(panels[1], found)
        none = ": none" * (not any(map(len, found.signals.values())))
        panels[1].set_title(f"drift signals (ADWIN){none}")
    leads = {
        name: (on_axis(at.axis), ConfidenceSequence(*(factor * part for part in lead)))
        for name, (at, lead) in found.leads.items()
    }
    for name, (at, lead) in leads.items():
        draw_sequence(panels[-1], at, lead, learner_look(name))
    fit_late(panels[-1], [lead for _, lead in leads.values()])
    panels[-1].yaxis.set_major_locator(MaxNLocator(5))
    panels[-1].axhline(0, color=ZERO, linewidth=1.0)
    base = next(iter(found.task.baselines.values()))
    unit = found.task.unit.strip()
    what = f"{unit} ahead of {base} so far" if unit else f"MAE below that of the {base} so far"
    panels[-1].set_title(_title(what, width))
    begin = found.timeline.begin
    tune_time_axis(panels[-1], curves.index, begin, ticks=8 if width > NARROW else 4)
    keys.add(drawn)
    return drawn


def _signals(axes: Axes, found: Findings) -> None:
    for number, (name, instances) in enumerate(found.signals.items()):
        color, at = learner_look(name).color, on_axis(instances.axis)
        axes.plot(at, np.full(len(at), -number), "|", color=color, **_edge(color, 1.4, 9))
    axes.set_ylim(0.3 - len(found.signals), 0.7)
    axes.yaxis.set_major_locator(NullLocator())
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)


def over_baselines(found: Findings, width: int) -> Figure:
    """Draw by how much learners are better than each baseline: a panel for each."""
    panels = []
    for base, called in found.task.baselines.items():
        rows = []
        for name in found.learners:
            over, color = found.over[name], learner_look(name).color
            dots: list[Dot] = (
                [(over[base], color, False)] if base in over else []
            )  # not over itself
            rows.append(DotRow(found.title(name), dots))
        if any(row.dots for row in rows):
            panels.append((f"over {called}", rows))
    return _dots(panels, found.task, width)


def pairs(found: Findings, width: int) -> Figure:
    """Draw the difference of each pair with its interval, and what is practically equal."""
    rows = []
    for one in found.pairs:
        name = f"{found.title(one.first)} − {found.title(one.second)}"
        rows.append(DotRow(name, [(Interval(one.difference, one.low, one.high), DOT, False)]))
    title = f"difference {found.task.about.partition(',')[0]}"
    return _dots([(title, rows)], found.task, width, rope=found.compared.plan.rope)


def order(found: Findings, levels: Mapping[str, Sequence[StreamMean]], width: int) -> Figure:
    """Draw each learner in the order of the stream, and in random order."""
    rows = []
    for name, (real, mixed) in levels.items():
        color = learner_look(name).color
        rows.append(DotRow(found.title(name), [(mixed, color, True), (real, color, False)]))
    keys = Keys(
        [
            Line2D([], [], color=KEY, linestyle="", marker="o", label="order of the stream"),
            Line2D(
                [], [], color=KEY, linestyle="", marker="o", label="random order", **_hollow(KEY)
            ),
        ],
        width,
    )
    return _dots([(found.task.scale, rows)], found.task, width, keys=keys, zero=False)


def _dots(
    panels: Sequence[tuple[str, Sequence[DotRow]]],
    task: Task,
    width: int,
    *,
    rope: float = 0.0,
    zero: bool = True,
    keys: Keys | None = None,
) -> Figure:
    """Draw rows of dots with intervals, a panel for each title, below each other if narrow."""
    down = -(-len(panels) // (3 if width > NARROW else 1))
    across = -(-len(panels) // down)
    rows = max(len(rows) for _, rows in panels)
    longest = max(len(row.name) for _, rows in panels for row in rows)
    is_beside = width > NARROW and longest * across <= _BESIDE
    each = BESIDE if is_beside else ABOVE
    height = down * (each * rows + AROUND) + (keys.height if keys else 0)
    drawn = canvas(width, height)
    grid = drawn.subplots(down, across, squeeze=False, sharey=is_beside).flat
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    for axes, (title, own) in zip(grid, panels, strict=False):
        if rope:
            reach = task.factor * rope
            axes.axvspan(-reach, reach, color=ROPE, linewidth=0, zorder=0.5)
        if zero:
            axes.axvline(0, color=ZERO, linewidth=1.0)
        for number, row in enumerate(own):
            _row(axes, -number, row, task.factor)
            if not is_beside:
                _name_above(axes, -number, row.name)
        axes.set_ylim(*((0.6 - rows, 0.6) if is_beside else (0.65 - rows, 0.75)))
        axes.set_yticks(
            [-n for n in range(rows * is_beside)], [row.name for row in own[: rows * is_beside]]
        )
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.spines["left"].set_visible(False)
        axes.xaxis.set_major_locator(MaxNLocator(5 if across > 1 or width == NARROW else 8))
        axes.margins(x=0.08)
        axes.set_title(_title(title, width // across))
        if task.unit and zero:
            axes.set_xlabel(task.unit.strip())
    if keys:
        keys.add(drawn)
    return drawn


def _row(axes: Axes, y: float, row: DotRow, factor: float) -> None:
    for value, color, hollow in row.dots:
        low, high = factor * value.low, factor * value.high
        axes.hlines(y, low, high, color=color, linewidth=2.2, alpha=0.55)
        more = _hollow(color) if hollow else {}
        axes.plot([factor * value.mean], [y], "o", color=color, **{"markersize": 8, **more})


def _name_above(axes: Axes, y: float, name: str) -> None:
    """Name a row above its dots; lines of the grid are not seen through the name."""
    axes.text(
        0.0,
        y + 0.26,
        shortened(name, 46),
        transform=axes.get_yaxis_transform(),
        ha="left",
        va="bottom",
        bbox={"facecolor": PAPER, "linewidth": 0, "pad": 1.0},
    )


def _hollow(color: str) -> dict[str, Any]:
    return {"markerfacecolor": "none", **_edge(color, 1.6)}


def _edge(color: str, width: float, size: float = 8.0) -> dict[str, Any]:
    return {"markeredgecolor": color, "markeredgewidth": width, "markersize": size}


def ranks(found: Findings, table: dict[str, Floats], width: int) -> Figure:
    """Draw the rank of each learner in each section of the stream."""
    keys = _keys({name: found.title(name) for name in table}, width)
    drawn = canvas(width, 90 + 26 * len(table) + keys.height)
    axes = drawn.subplots()
    for name, values in reversed(table.items()):
        look = learner_look(name)
        axes.plot(np.arange(1, SECTIONS + 1), values, **look.line)
        axes.plot(np.arange(1, SECTIONS + 1), values, "o", color=look.color, zorder=look.layer)
    axes.set_ylim(len(table) + 0.5, 0.5)
    axes.set_yticks(range(1, len(table) + 1))
    axes.set_xticks(range(1, SECTIONS + 1))
    axes.set_xlabel("section of the stream")
    axes.set_title(f"rank by {found.task.name}")
    keys.add(drawn)
    return drawn


def by_bin(found: Findings, bins: pd.DataFrame, ends: tuple[str, str], width: int) -> Figure:
    """Draw the measure by the time until the label arrives, with the columns of its `ends`."""
    task = found.task
    keys = _keys(found.titles(), width)
    drawn = canvas(width, 270 + keys.height)
    axes = drawn.subplots()
    shown = ["learner", "bin", task.measure, *ends]
    rows = bins[shown].assign(**{name: task.factor * bins[name] for name in shown[2:]})
    names = [*reversed(found.names)]
    style.learner_lines(axes, rows, "bin", task.measure, names, ends=ends, marked=False)
    axes.set_xlim(0, bins["bin"].max())
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_xlabel("bin of the time to the label (0: on arrival)")
    axes.set_title(_title(f"{task.scale} by bin", width))
    keys.add(drawn)
    return drawn


class Keys:
    """A legend above the panels, in as many columns as its names leave room for."""

    def __init__(self, handles: Sequence[Artist], width: int) -> None:
        most = int((width - _LINE) / _LETTER)
        self.handles = handles
        self.names = [fill(shortened(str(one.get_label()), 2 * most), most) for one in handles]
        letters = max(len(line) for name in self.names for line in name.splitlines())
        self.columns = max(1, min(len(handles), int(width / (_LINE + _LETTER * letters))))
        lines = sum(name.count("\n") + 1 for name in self.names)
        self.height = 12 + 19 * -(-lines // self.columns)

    def add(self, drawn: Figure) -> None:
        """Put the legend on top of a figure."""
        drawn.legend(
            self.handles,
            self.names,
            loc="outside upper left",
            ncols=self.columns,
            borderaxespad=0.25,
            borderpad=0.0,
            handlelength=2.6,
            columnspacing=1.8,
        )


def _keys(titles: Mapping[str, str], width: int) -> Keys:
    """Return the legend of learners, given their titles."""
    lines = [style.handle(learner_look(name), title, marker="") for name, title in titles.items()]
    return Keys(lines, width)


def shortened(name: str, most: int) -> str:
    """Return a name of at most so many letters, without a part of its middle."""
    return name if len(name) <= most else f"{name[: most - 11]}…{name[-10:]}"


def _title(text: str, width: int) -> str:
    return fill(text, int(width / 7.2))
