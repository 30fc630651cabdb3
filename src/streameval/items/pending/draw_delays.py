"""Accuracy of learners with delayed labels (Žliobaitė et al. 2015, Section 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from streameval.drawing import style
from streameval.drawing.subject import Subject
from streameval.measures.registry import MEASURES

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
_LEARNER_MM, _HEIGHTS = 72.0, (3, 2)
#: By what factor intervals of one delay stand apart, along the axis.
_ASIDE = 1.05


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
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
    drawn = style.sheet(height_mm / style.WIDTH_MM[2], **subject.stream)
    grid = drawn.subplots(2 * rows, columns, squeeze=False, height_ratios=_HEIGHTS * rows)
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
    drawn.align_ylabels([*upper[: len(learners) : columns], *lower[: len(learners) : columns]])
    style.legend(drawn, _handles(titles), columns=3, title="What a learner is given")
    return drawn


def _wide(rows: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """Return a row for each delay and a column for each learner and option."""
    wide = rows.pivot(index="delay", columns=["learner", "option"], values="value")  # noqa: PD010
    needed = [(name, "ordinary") for name in _BASELINES]
    needed += [(name, option) for name in learners for option in OPTION_LOOKS]
    return wide[needed]


def _broken(names: Sequence[str], columns: int) -> list[str]:
    """Return titles of learners in lines that end before the next panel."""
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
        FuncFormatter(lambda value, _: style.minus(round(value, 9)))
    )


def _texts_with_room(delays: np.ndarray, mm_per_unit: float) -> list[str]:
    """Return the numbers of ticks on a logarithmic axis; "" where the last one is too close."""
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
