"""Cost of continuous re-evaluation (Grzenda et al. 2019, Section 6.1)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.base.arrays import Integers
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import label_dates, reevaluate_input
from streameval.items.reevaluation import REPREDICTIONS, RepredictionsSettings
from streameval.protocols.reevaluation import LAST, REPEATED, PredictionEvents


def study(stream_input: StreamInput[RepredictionsSettings]) -> dict[str, pd.DataFrame]:
    """The frame of the figure: ``repredictions``; see `reprediction_counts`."""
    settings, parts = stream_input.settings, []
    for every in settings.every:
        run = reevaluate_input(stream_input, every)
        part = reprediction_counts(run.prediction_events, settings.window, settings.points).assign(
            every=every
        )
        dates = label_dates(run.stream, run.prediction_events.scored[part["labels"] - 1])
        parts.append(part[[*REPREDICTIONS]].assign(**dates))
    return {"repredictions": pd.concat(parts, ignore_index=True)}


def reprediction_counts(
    prediction_events: PredictionEvents, window: int, points: int
) -> pd.DataFrame:
    """Numbers of additional predictions, which are neither first nor last, after each label.

    `made` counts predictions over the last `window` labels (N_C) and `buffered` predictions for
    instances whose labels are pending (N_B). `per_label` is the mean number for instances with a
    label (N_R). Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data streams,
    Section 6.1.
    """
    is_last = prediction_events.kind == LAST
    label_events = np.flatnonzero(is_last)  # the last prediction comes with the label
    n_labels = len(label_events)
    so_far = np.cumsum(prediction_events.kind == REPEATED)[label_events]
    counts = np.bincount(
        prediction_events.row[prediction_events.kind == REPEATED],
        minlength=int(prediction_events.row.max()) + 1,
    )
    for_labelled = np.cumsum(counts[prediction_events.scored])
    labels = _label_indices(n_labels, points)
    before_window = np.concatenate((np.zeros(window, dtype=np.int64), so_far))[:n_labels]
    is_full = np.arange(1, n_labels + 1) >= window
    in_window = np.where(is_full, so_far - before_window, np.nan)
    return pd.DataFrame(
        {
            "labels": labels + 1,
            "made": in_window[labels],
            "buffered": (so_far - for_labelled)[labels],
            "per_label": (for_labelled / np.arange(1, n_labels + 1))[labels],
        }
    )


def _label_indices(labels: int, points: int) -> Integers:
    """Indices of at most `points` evenly spaced labels; the last one is among them."""
    return np.unique(np.linspace(0, labels - 1, min(points, labels)).astype(np.int64))
