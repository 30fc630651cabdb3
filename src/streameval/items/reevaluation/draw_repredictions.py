"""Additional predictions made, kept, and for each label (Grzenda et al. 2019, Figures 11, 12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from streameval.items.subject import Subject
from streameval.report import style

_PANEL_MM, _REST_MM = 36.0, 26.0


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw three panels, with a line for each number of labels between two predictions."""
    frame, window = frames["repredictions"], subject.settings.window
    panels_of = {
        "made": f"made over\n{window:,} labels",
        "buffered": "kept for\npending labels",
        "per_label": "for each label,\non average",
    }
    height_mm = _REST_MM + _PANEL_MM * len(panels_of)
    drawn = style.figure(columns=2, aspect=height_mm / style.WIDTH_MM[2])
    style.headline(drawn, **subject.stream)
    panels = drawn.subplots(len(panels_of), 1, sharex=True)
    handles = []
    for place, (every, rows) in enumerate(frame.groupby("every")):
        look = style.CLASSES[place % len(style.CLASSES)]
        drawn_as: dict[str, Any] = {"color": look.color, "linestyle": look.dash}
        for axes, column in zip(panels, panels_of, strict=True):
            axes.plot(rows["labels"], rows[column], **drawn_as)
        handles.append(Line2D([], [], label=f"K = {every}", **drawn_as))
    for axes, text in zip(panels, panels_of.values(), strict=True):
        axes.set_ylabel(f"predictions\n{text}")
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    panels[-1].set_xlim(0, frame["labels"].max())
    style.thousands(panels[-1], "labels that have arrived")
    drawn.align_ylabels(list(panels))
    style.legend(drawn, handles, columns=6)
    return drawn
