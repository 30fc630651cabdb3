"""Measures and costs of learners by the number of lagged labels.

Bifet et al. (2013), Figures 9 to 11; Žliobaitė et al. (2015), Figure 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from streameval.drawing import scales, style
from streameval.drawing.subject import Subject
from streameval.measures.registry import MEASURES, Measure

BASELINE = "no_change"
#: An axis of a measure is at least so long.
LEAST_SPAN = 0.05
#: Lags up to here are evenly spaced, longer ones closer and closer.
EVEN_TO = 12
#: Room for the number of a lag.
TICK_MM = 5.0


@dataclass(frozen=True)
class LagKind:
    """A way to give a learner previous instances, and the look of its line."""

    title: str
    axis: str
    dash: style.Dash
    filled: str

    def looks(self, color: str, marker: str) -> dict[str, Any]:
        """Return the properties of its lines."""
        return {
            "color": color,
            "linestyle": self.dash,
            "marker": marker or "o",
            "fillstyle": self.filled,
            "markerfacecoloralt": "white",
            # Half filled and hollow markers need an outline.
            "markeredgecolor": "white" if self.filled == "full" else color,
            "markeredgewidth": 0.5 if self.filled == "full" else 0.9,
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
#: What the x axis says if lines differ in it.
ANY_KIND = "previous instances that the learner knows"


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw measures and costs over the number of previous instances that a learner is given.

    No-Change is a horizontal line. Costs are drawn if the settings ask for times.
    """
    frame, costs = frames["lags"], frames["costs"] if subject.settings.times else None
    measures, titles = subject.settings.measures, subject.titles
    told = frame.loc[frame["kind"] != "", ["learner", "kind"]].drop_duplicates()
    lines = list(told.itertuples(index=False, name=None))
    columns = len(measures) + (0 if costs is None else 2)
    height_mm = 88.0 if columns == 1 else 32.0 + 47.0 * -(-columns // 3)
    drawn = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    panels = _panels(drawn, columns)
    for axes, name in zip(panels, measures, strict=False):
        part = frame[frame["measure"] == name]
        _draw_measure(axes, MEASURES[name], part, lines)
    if costs is not None:
        _draw_costs(panels[-2:], costs, lines)
    kinds = [kind for kind in LAG_KINDS if kind in {kind for _, kind in lines}]
    over = LAG_KINDS[kinds[0]].axis if len(kinds) == 1 else ANY_KIND
    for axes in panels:
        _spread(axes, frame["lags"].to_numpy())
        spec = axes.get_subplotspec()
        if spec is not None and spec.is_last_row():
            letters = int(_width_mm(axes) / style.MM_PER_LEGEND_LETTER)
            axes.set_xlabel(fill(f"{over}, ℓ (0:\u00a0none)", letters))
    handles = [*_handles(lines, kinds, titles), style.learner_handle(*_named(BASELINE, titles))]
    style.legend(drawn, handles, columns=len(handles))
    return drawn


def _named(learner: str, titles: Mapping[str, str]) -> tuple[str, str]:
    return learner, titles.get(learner, learner)


def _panels(drawn: Figure, count: int) -> list[Axes]:
    """Return panels in rows of at most three, the upper rows the fuller ones."""
    rows = np.array_split(np.arange(count), -(-count // 3))
    grid = drawn.add_gridspec(len(rows), 6)
    panels = []
    for i, row in enumerate(rows):
        width = 6 // len(row)
        panels += [drawn.add_subplot(grid[i, j * width : (j + 1) * width]) for j in range(len(row))]
    return panels


def _draw_measure(
    axes: Axes, measure: Measure, part: pd.DataFrame, lines: Sequence[tuple[str, str]]
) -> None:
    baseline = part.loc[part["learner"] == BASELINE, "value"].iloc[0]
    curves = [_curve(part, line, "value") for line in lines]
    values = np.concatenate([*curves, [baseline]])
    notes = scales.fit(axes, measure, values)
    if not notes:
        scales.zoom(axes, values, LEAST_SPAN, (measure.lower, measure.upper))
    if measure.lower < 0:
        style.zero_line(axes)
    axes.axhline(baseline, **style.learner_look(BASELINE).line)
    _draw_lines(axes, curves, lines)
    symbol = style.symbol_text(measure.symbol)
    if np.isnan(values).any():
        notes.append(f"gaps: {symbol} is undefined")
    axes.set_title("\n".join(notes), loc="right", pad=2.5)
    axes.set_ylabel(f"{fill(measure.title, 22)} {symbol}")


def _curve(part: pd.DataFrame, line: tuple[str, str], column: str) -> pd.Series:
    """Return the values of one line by lags; the learner alone begins it."""
    learner, kind = line
    own = part[part["learner"] == learner]
    told = own[own["kind"] == kind]
    alone = own[own["lags"] == 0].head(0 if (told["lags"] == 0).any() else 1)
    return pd.concat([alone, told]).set_index("lags")[column].sort_index()


def _draw_lines(axes: Axes, curves: Sequence[pd.Series], lines: Sequence[tuple[str, str]]) -> None:
    for curve, (learner, kind) in zip(curves, lines, strict=True):
        axes.plot(curve.index, curve, **_looks(learner, kind))


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
    unit, length = ("MB", 1e6) if _middle(sizes) >= 1e6 else ("kB", 1e3)
    _draw_cost(memory, [curve / length for curve in sizes], lines)
    memory.set_ylabel(f"model size, {unit}")


def _draw_cost(axes: Axes, curves: Sequence[pd.Series], lines: Sequence[tuple[str, str]]) -> None:
    _draw_lines(axes, curves, lines)
    values = np.concatenate(curves)
    scales.costs(axes, values)
    if np.isnan(values).all():
        axes.set_yticks([])
        axes.set_title("not known", loc="right", pad=2.5)
    elif np.isnan(values).any():
        axes.set_title("gaps: not known", loc="right", pad=2.5)


def _middle(curves: Sequence[pd.Series]) -> float:
    """Return the geometric mean of the least and greatest value; 0 if there is none."""
    values = np.concatenate(curves)
    known = values[np.isfinite(values)]
    return float(np.sqrt(known.min() * known.max())) if known.size else 0.0


def _spread(axes: Axes, all_lags: np.ndarray) -> None:
    """Place lags along the x axis, and number as many of them as there is room for."""
    there = np.unique(all_lags)
    last = float(there[-1])
    place, back = (np.log1p, np.expm1) if last > EVEN_TO else (_same, _same)
    axes.set_xscale("function", functions=(place, back))
    edge = 0.03 * place(last)
    axes.set_xlim(back(-edge), back(place(last) + edge))
    ahead = [lag for lag in (0.0, last, 1.0) if lag in there]
    ticks = scales.spaced([*ahead, *there[::-1]], place, TICK_MM / _width_mm(axes))
    axes.set_xticks(ticks, labels=[f"{lag:g}" for lag in ticks])
    axes.xaxis.set_minor_locator(NullLocator())


def _same(values: Any) -> Any:
    return values


def _width_mm(axes: Axes) -> float:
    """Return the approximate width of a panel."""
    spec = axes.get_subplotspec()
    share = 1.0 if spec is None else (spec.colspan.stop - spec.colspan.start) / 6
    return share * style.WIDTH_MM[2] - 18


def _handles(
    lines: Sequence[tuple[str, str]], kinds: Sequence[str], titles: Mapping[str, str]
) -> list[Line2D]:
    """Return the legend handles of learners and of kinds."""
    names = dict(_named(learner, titles) for learner, _ in lines)
    if len(names) == 1:
        ((learner, name),) = names.items()
        named = [f"{name} {LAG_KINDS[kind].title}" if len(kinds) > 1 else name for kind in kinds]
        looks = [_looks(learner, kind) for kind in kinds]
    else:
        # Filled and drawn through, unless there is only another kind.
        common = kinds[0] if len(kinds) == 1 else "labels"
        named, looks = list(names.values()), [_looks(learner, common) for learner in names]
    if len(kinds) > 1 and len(names) > 1:
        named += [LAG_KINDS[kind].title for kind in kinds]
        looks += [LAG_KINDS[kind].looks("0.4", "o") for kind in kinds]
    return [Line2D([], [], label=name, **look) for name, look in zip(named, looks, strict=True)]


def _looks(learner: str, kind: str) -> dict[str, Any]:
    look = style.learner_look(learner)
    return LAG_KINDS[kind].looks(look.color, look.marker)
