"""Measures of learners over a sliding window, for figures."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from streameval.studies.given import Given
from streameval.studies.measuring import windowed_measures


def study(given: Given) -> dict[str, pd.DataFrame]:
    """Return the frame of a figure: ``curves``; see `windowed_measures`."""
    settings = given.settings
    shown = (settings.learners, settings.measures, settings.window, settings.points)
    predictions = replace(given.predictions(), majority=settings.majority)
    return {"curves": windowed_measures(predictions, *shown)}
