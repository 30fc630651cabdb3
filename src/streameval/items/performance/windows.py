"""Accuracy by ADWIN and over sliding windows (Bifet et al. 2015, Figure 3)."""

from __future__ import annotations

import pandas as pd

from streameval.evaluation.measurements import window_ends
from streameval.items.inputs import StreamInput
from streameval.items.performance import (
    ADWIN,
    DISTANCE_DIFFERENCES,
    DISTANCES,
    ESTIMATE_CURVES,
    WindowsSettings,
)
from streameval.items.performance.reference_distances import (
    curves,
    distances,
    predictions_until_full,
    running_accuracies,
)


def study(stream_input: StreamInput[WindowsSettings]) -> dict[str, pd.DataFrame]:
    """The estimates of each learner's accuracy, and distances of the windows to ADWIN.

    Distances are means over the instances after which all windows are full.
    """
    settings, predictions = stream_input.settings, stream_input.predictions()
    n = len(predictions)
    n_until_full = predictions_until_full(settings.windows, n, stream_input.name)
    ends = window_ends(n, 1, settings.points)  # numbers of predictions, from 1
    parts: list[tuple[pd.DataFrame, ...]] = []
    for learner in predictions.without_failed(settings.learners):
        correct = predictions.predicted[learner] == predictions.true
        accuracies = running_accuracies(correct, settings.windows)
        at_ends = {name: values[ends - 1] for name, values in accuracies.items()}
        points = curves(learner, at_ends, ends)
        estimates = {name: values[n_until_full - 1 :] for name, values in accuracies.items()}
        reference = estimates.pop(ADWIN)
        parts.append((points, *distances(learner, estimates, reference, n)))
    columns = {"following": ESTIMATE_CURVES, "distances": DISTANCES, "closer": DISTANCE_DIFFERENCES}
    if not parts:  # all learners failed
        return {name: pd.DataFrame(columns=[*names]) for name, names in columns.items()}
    frames = (pd.concat(part, ignore_index=True) for part in zip(*parts, strict=True))
    return dict(zip(columns, frames, strict=True))
