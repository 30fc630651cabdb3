"""Cost of continuous re-evaluation (Grzenda et al. 2019, Section 6.1)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.base.arrays import Integers
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import label_dates, reevaluate_input
from streameval.items.reevaluation import REPREDICTION_COUNTS, RepredictionsSettings
from streameval.protocols.reevaluation import LAST, REPEATED, PredictionEvents


def study(stream_input: StreamInput[RepredictionsSettings]) -> dict[str, pd.DataFrame]:
    """The frame of the figure: ``repredictions``; see `reprediction_counts`."""
    settings, parts = stream_input.settings, []
    for every in settings.every:
        run = reevaluate_input(stream_input, every)
        part = reprediction_counts(run.prediction_events, settings.window, settings.points).assign(
            every=every
        )
        dates = label_dates(run.stream, run.prediction_events.labelled_rows[part["labels"] - 1])
        parts.append(part[[*REPREDICTION_COUNTS]].assign(**dates))
    return {"repredictions": pd.concat(parts, ignore_index=True)}


def reprediction_counts(
    prediction_events: PredictionEvents, window: int, points: int
) -> pd.DataFrame:
    """Numbers of additional predictions, at up to `points` labels.

    An additional prediction of an instance is neither its first nor its last one. `made` is the
    number over the last `window` labels (N_C), NaN until so many labels have arrived. `buffered` is
    the number for instances with pending labels (N_B). `per_label` is the mean number for an
    instance whose label has arrived (N_R). Grzenda, Gomes, Bifet (2019), Delayed labelling
    evaluation for data streams, Section 6.1.
    """
    is_additional = prediction_events.kind == REPEATED
    is_last = prediction_events.kind == LAST
    label_events = np.flatnonzero(is_last)  # the last prediction comes with the label
    n_labels = len(label_events)
    total = np.cumsum(is_additional)[label_events]
    count_by_row = np.bincount(
        prediction_events.row[is_additional], minlength=int(prediction_events.row.max()) + 1
    )
    labelled_total = np.cumsum(count_by_row[prediction_events.labelled_rows])
    labels = _label_indices(n_labels, points)
    # The total `window` labels earlier, 0 before the first label.
    total_before_window = np.concatenate((np.zeros(window, dtype=np.int64), total))[:n_labels]
    is_full = np.arange(1, n_labels + 1) >= window
    window_count = np.where(is_full, total - total_before_window, np.nan)
    return pd.DataFrame(
        {
            "labels": labels + 1,
            "made": window_count[labels],
            "buffered": (total - labelled_total)[labels],
            "per_label": (labelled_total / np.arange(1, n_labels + 1))[labels],
        }
    )


def _label_indices(n_labels: int, points: int) -> Integers:
    """Indices of at most `points` evenly spaced labels, including the last label."""
    return np.unique(np.linspace(0, n_labels - 1, min(points, n_labels)).astype(np.int64))
