"""The accuracy by bin for several numbers of bins (Grzenda et al. 2019, Figure 13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.items.subject import Subject
from streameval.measures.registry import MEASURES
from streameval.report import scales, style

#: Lines in the order of the numbers of bins, from light to dark.
_DASHES = (style.DOTTED, style.SHORT, style.DASH_DOT, style.LONG, style.SOLID, style.DASH_DOT_DOT)
_MARKERS = "os^Dv*"
_PANEL_MM, _REST_MM = 50.0, 26.0
#: From this many bins on, single ones are not marked.
_MANY = 30


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a panel for each learner and a line for each number of bins."""
    frame, learners = frames["bin_numbers"], subject.settings.learners
    height_mm = _REST_MM + _PANEL_MM * len(learners)
    drawn = style.figure(columns=2, aspect=height_mm / style.WIDTH_MM[2])
    style.headline(drawn, **subject.stream)
    panels = drawn.subplots(len(learners), 1, sharex=True, squeeze=False)[:, 0]
    numbers = sorted(frame["bins"].unique().tolist())
    measure, handles = MEASURES["accuracy"], list[Line2D]()
    for axes, learner in zip(panels, learners, strict=True):
        handles, color = [], style.learner_look(learner).color
        own = frame[frame["learner"] == learner]
        for place, bins in enumerate(numbers):
            rows = own[own["bins"] == bins].sort_values("bin")
            look: dict[str, Any] = {
                "color": color,
                "alpha": 0.35 + 0.65 * (place + 1) / len(numbers),
                "linestyle": _DASHES[place % len(_DASHES)],
                "marker": _MARKERS[place % len(_MARKERS)] if bins < _MANY else "",
            }
            axes.plot(100 * rows["bin"] / bins, rows["accuracy"], **look)
            handles.append(Line2D([], [], label=f"B = {bins}", **{**look, "color": "0.25"}))
        scales.fit(axes, measure, own["accuracy"].to_numpy(dtype=float))
        axes.set_title(subject.titles.get(learner, learner), loc="left", pad=3)
        axes.set_ylabel(f"{measure.title} {style.symbol_text(measure.symbol)}")
    panels[-1].set_xlim(0, 100 * style.MARKER_ROOM)
    panels[-1].set_xlabel("end of the bin (% of the time from an instance to its label)")
    style.legend(drawn, handles, columns=6)
    return drawn
