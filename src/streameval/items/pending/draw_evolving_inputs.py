"""What inputs that change while labels wait are worth, by age."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from streameval.items.subject import Subject
from streameval.report import style

#: The panels from top to bottom.
_PANELS = {
    "time_last": "time so far; the inputs just before the label are learnt",
    "time_each": "time so far; the inputs of each prediction are learnt",
    "later_last": "inputs known later; those just before the label are learnt",
    "later_each": "inputs known later; those of each prediction are learnt",
    "both_each": "both; the inputs of each prediction are learnt",
}
_PANEL_MM, _REST_MM = 40.0, 30.0


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each variant, with the gain of each learner and its interval."""
    learners, inputs = subject.settings.learners, frames["inputs"]
    ends = ("gain_low", "gain_high")
    there = {name: text for name, text in _PANELS.items() if name in set(inputs["variant"])}
    height_mm = _REST_MM + _PANEL_MM * len(there)
    drawn = style.figure(columns=2, aspect=height_mm / style.WIDTH_MM[2])
    style.headline(drawn, **subject.stream)
    points = inputs.copy()
    points[["gain", *ends]] *= 100
    panels = drawn.subplots(len(there), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, (variant, text) in zip(panels, there.items(), strict=True):
        style.zero_line(axes)
        rows = points[points["variant"] == variant]
        style.learner_lines(axes, rows, "age", "gain", learners, ends=ends)
        axes.set_title(text, loc="left", pad=3)
        axes.set_ylabel("gain (points)")
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    panels[-1].set_xlim(0, max(float(inputs["age"].max()), 1.0) * style.MARKER_ROOM)
    panels[-1].set_xlabel(f"time since the instance has arrived ({inputs['unit'].iloc[0]})")
    handles = style.learner_handles(learners, subject.titles)
    style.legend(drawn, [*handles, style.band_handle("95 % interval")], columns=4)
    return drawn
