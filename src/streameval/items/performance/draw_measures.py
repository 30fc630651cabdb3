"""Measures over a sliding window, one panel per measure (Bifet et al. 2013, Figures 2 to 8)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from streameval.drawing.curves import measure_curves
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import begin_of


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    curves = frames["curves"]
    shown = {"measures": subject.settings.measures, "learners": subject.settings.learners}
    about = {**shown, "titles": subject.titles, "begin": begin_of(curves)}
    return measure_curves(curves, **about, **subject.stream)
