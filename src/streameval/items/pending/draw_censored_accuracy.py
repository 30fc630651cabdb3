"""Errors of estimates of accuracy where labels are missing, by law of their delays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.items.pending.censored_table import errors
from streameval.items.subject import Subject
from streameval.report import scales, style
from streameval.report.names import ESTIMATOR_TITLES

_ROW_MM, _PANEL_REST_MM, _REST_MM, _COLUMNS = 8.5, 14.0, 24.0, 2
_MARKER = 3.6


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each law, with a row for each kind of weights and a dot for each learner."""
    estimates, learners = frames["censored"], subject.settings.learners
    found = errors(estimates)
    laws = list(dict.fromkeys(found["law"]))
    count = -(-len(laws) // _COLUMNS)
    height_mm = _REST_MM + count * (_PANEL_REST_MM + _ROW_MM * len(ESTIMATOR_TITLES))
    drawn = style.figure(columns=2, aspect=height_mm / style.WIDTH_MM[2])
    style.headline(drawn, **subject.stream)
    panels = drawn.subplots(count, _COLUMNS, sharex=True, sharey=True, squeeze=False)
    for place, axes in enumerate(panels.flat):
        if place >= len(laws):
            axes.set_visible(False)
            continue
        _draw_law(axes, found[found["law"] == laws[place]], learners)
        axes.set_title(str(laws[place]).replace("_", " "), loc="left", pad=3)
        if place + _COLUMNS >= len(laws):
            axes.set_xlabel("estimate minus accuracy (points)")
            axes.tick_params(labelbottom=True)
    style.legend(drawn, style.learner_handles(learners, subject.titles), columns=4)
    return drawn


def _draw_law(axes: Axes, found: pd.DataFrame, learners: Sequence[str]) -> None:
    scales.dot_rows(axes, list(ESTIMATOR_TITLES.values()))
    style.zero_line(axes, along="x")
    for number, learner in enumerate(learners):
        look = style.learner_look(learner)
        own = found[found["learner"] == learner].set_index("estimator").to_dict("index")
        for row, name in enumerate(ESTIMATOR_TITLES):
            error, low, high = (100 * float(own[name][end]) for end in ("error", "low", "high"))
            y = scales.dot_height(row, number, len(learners))
            axes.plot([low, high], [y, y], color=look.color)
            marker = look.marker or "o"  # a line of few points has to be marked
            axes.plot([error], [y], marker, color=look.color, markersize=_MARKER)
