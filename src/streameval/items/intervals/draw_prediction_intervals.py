"""Coverage and width of prediction intervals over time."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from streameval.drawing import style
from streameval.drawing.curves import draw_panel, wide_of
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import begin_of, places_of, tune_time_axis
from streameval.items.intervals.settings import STEPS
from streameval.measures.prediction_intervals import INTERVAL_MEASURES

_COVERAGE, _WIDTH = "interval_coverage", "mean_interval_width"
_PANEL_MM, _AROUND_MM = 34.0, 26.0


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    curves, chosen = frames["curves"], subject.settings
    learners = list(curves["learner"].unique())
    rows = [*((_COVERAGE, step) for step in STEPS), (_WIDTH, STEPS[-1])]
    height = (_AROUND_MM + _PANEL_MM * len(rows)) / style.WIDTH_MM[2]
    drawn = style.sheet(height, **subject.stream)
    panels = drawn.subplots(len(rows), len(chosen.delays), sharex=True, sharey="row", squeeze=False)
    for (name, step), row in zip(rows, panels, strict=True):
        for axes, delay in zip(row, chosen.delays, strict=True):
            own = curves[(curves["step"] == step) & (curves["delay"] == delay)]
            draw_panel(axes, INTERVAL_MEASURES[name], wide_of(own, name, learners))
            title = f"delay {delay:,} · γ = {step:g}" if delay else f"no delay · γ = {step:g}"
            axes.set_title(title, loc="left", pad=2.5)
            if name == _COVERAGE:
                axes.axhline(chosen.coverage, color="black", linewidth=0.8, linestyle=":")
            if axes is not row[0]:
                axes.set_ylabel("")
    for axes in panels[-1]:
        tune_time_axis(axes, places_of(curves), begin_of(curves), room=style.MARKER_ROOM)
    style.legend(drawn, style.learner_handles(learners, subject.titles), columns=5)
    drawn.align_ylabels([row[0] for row in panels])
    return drawn
