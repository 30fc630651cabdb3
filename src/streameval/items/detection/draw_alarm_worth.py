"""Alarms of drift detectors over time, and what resets at them are worth."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from streameval.drawing import alarm_worth
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import begin_of


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    return alarm_worth.draw(frames, subject, begin_of(frames["errors"]))
