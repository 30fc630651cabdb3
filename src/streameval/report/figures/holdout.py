"""Estimates of accuracy against a hold-out of the current concept (Bifet et al. 2015, Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from streameval.items.subject import Subject
from streameval.report import style
from streameval.report.figures.following import draw_following
from streameval.studies.following import HOLD_OUT


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    return draw_following(frames, subject, HOLD_OUT)
