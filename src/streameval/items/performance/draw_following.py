"""Estimates of accuracy over time, and their distances to a reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.drawing import scales, style
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import begin_of, on_axis, places_of, tune_time_axis
from streameval.items.performance.settings import ADWIN, HOLD_OUT, WINDOW

#: What is not a window. A window's look follows from its place among them, from the shortest on:
#: short ones are thin and pale below all others, since they fill the panel.
FIXED = {
    HOLD_OUT: (style.Look("#000000", style.SOLID, "", 2.4), "hold-out"),
    ADWIN: (style.Look("#AA4499", style.SOLID, "o", 2.3), "ADWIN"),
}
WINDOWS = (
    style.Look("#9DD3E8", style.SOLID, "", 1.6),
    style.Look("#117733", style.SHORT, "s", 2.1),
    style.Look("#D55E00", style.DASH_DOT, "^", 2.2),
    style.Look("#332288", style.DASH_DOT_DOT, "v", 2.0),
    style.Look("#661100", style.DOTTED, "D", 2.0),
)
FLOOR = style.Look("#4D4D4D", style.DOTTED)
#: The lower end of the axis of distances is 0; it is at least so long.
LEAST_DISTANCE = 0.01
PANEL_MM = 52.0


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a row of two panels for each learner: estimates over time, and distances.

    Distances are those to the hold-out where there is one, else to ADWIN.
    """
    curves, distances = frames["following"], frames["distances"]
    learners: Sequence[str] = subject.settings.learners
    looks = _looks(curves["estimator"])
    reference = HOLD_OUT if HOLD_OUT in looks else ADWIN
    aspect = (24 + PANEL_MM * len(learners)) / style.WIDTH_MM[2]
    drawn = style.sheet(aspect, **subject.stream)
    panels = drawn.subplots(len(learners), 2, squeeze=False, sharex="col", width_ratios=(3.4, 1))
    for (left, right), learner in zip(panels, learners, strict=True):
        _draw_curves(left, curves[curves["learner"] == learner], looks)
        _draw_distances(right, distances[distances["learner"] == learner], looks)
        left.set_title(subject.titles.get(learner, learner), loc="left", pad=3)
    left, right = panels[-1]
    tune_time_axis(left, places_of(curves), begin_of(curves), room=style.MARKER_ROOM)
    farthest = float(np.nanmax(distances[["distance", "high"]].to_numpy(dtype=float)))
    right.set_xlim(0, max(LEAST_DISTANCE, 1.06 * farthest))
    scales.thin(right)
    right.set_xlabel(f"mean distance to\n{FIXED[reference][1]} (accuracy)")
    drawn.align_ylabels(list(panels[:, 0]))
    handles = [style.handle(*looks[name]) for name in looks]
    if "floor" in distances:
        handles.append(style.handle(FLOOR, "the hold-out's own error"))
    style.legend(drawn, handles, columns=len(handles))
    return drawn


def _looks(estimators: pd.Series) -> dict[str, tuple[style.Look, str]]:
    """Return look and name of each estimator, windows from the shortest on."""
    found = set(estimators)
    looks = {name: FIXED[name] for name in FIXED if name in found}
    lengths = sorted(int(name.removeprefix(WINDOW)) for name in found if name.startswith(WINDOW))
    for number, length in enumerate(lengths):
        look = WINDOWS[number % len(WINDOWS)]
        looks[f"{WINDOW}{length}"] = (look, f"window of {length:,}")
    return looks


def _draw_curves(
    axes: Axes, curves: pd.DataFrame, looks: Mapping[str, tuple[style.Look, str]]
) -> None:
    for number, (name, (look, _)) in enumerate(looks.items()):
        part = curves[curves["estimator"] == name].sort_values("instance")
        step = max(1, len(part) // style.MARKERS)
        axes.plot(
            on_axis(places_of(part)),
            part["accuracy"],
            linewidth=0.6 if look is WINDOWS[0] else 1.0,
            marker=look.marker,
            markevery=(number * step // 5 % step, step),
            **look.line,
        )
    scales.zoom(axes, curves["accuracy"], least=0.1)
    axes.set_ylabel("accuracy")


def _draw_distances(
    axes: Axes, distances: pd.DataFrame, looks: Mapping[str, tuple[style.Look, str]]
) -> None:
    shown = [name for name in looks if name in set(distances["estimator"])]
    rows = distances.set_index("estimator").loc[shown]
    for place, name in enumerate(shown):
        look, row = looks[name][0], rows.loc[name]
        axes.errorbar(
            row["distance"],
            place,
            xerr=[[row["distance"] - row["low"]], [row["high"] - row["distance"]]],
            color=look.color,
            marker=look.marker or "x",
            markeredgecolor=None if look.marker else look.color,
            markeredgewidth=None if look.marker else 1.2,
            elinewidth=0.9,
        )
    if "floor" in rows:
        axes.axvline(float(rows["floor"].iloc[0]), **FLOOR.line)
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.set_yticks(
        range(len(shown)), [looks[name][1].removeprefix("window of ") for name in shown]
    )
    axes.set_ylabel("window (predictions)")
    axes.grid(visible=False, axis="y")
