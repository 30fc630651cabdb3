"""Cost of continuous re-evaluation (Grzenda et al. 2019, Section 6.1)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.base.arrays import Integers
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import label_dates, reevaluate_input
from streameval.items.reevaluation import REPREDICTIONS, RepredictionsSettings
from streameval.protocols.reevaluation import AGAIN, LAST, PredictionEvents


def study(stream_input: StreamInput[RepredictionsSettings]) -> dict[str, pd.DataFrame]:
    """The frame of a figure: ``repredictions``; see `reprediction_counts`."""
    settings, parts = stream_input.settings, []
    for every in settings.every:
        run = reevaluate_input(stream_input, every)
        part = reprediction_counts(run.polls, settings.window, settings.points).assign(every=every)
        dates = label_dates(run.stream, run.polls.scored[part["labels"] - 1])
        parts.append(part[[*REPREDICTIONS]].assign(**dates))
    return {"repredictions": pd.concat(parts, ignore_index=True)}


def reprediction_counts(polls: PredictionEvents, window: int, points: int) -> pd.DataFrame:
    """Numbers of additional predictions, which are neither first nor last.

    ``made`` are those over the last `window` labels (N_C), `buffered` those of instances still
    without a label (N_B), `per_label` the mean of those with one (N_R); Grzenda, Gomes, Bifet
    (2019), Delayed labelling evaluation for data streams, Section 6.1.
    """
    is_last = polls.which == LAST
    at = np.flatnonzero(is_last)
    so_far = np.cumsum(polls.which == AGAIN)[at]
    counts = np.bincount(polls.row[polls.which == AGAIN], minlength=int(polls.row.max()) + 1)
    of_labelled = np.cumsum(counts[polls.scored])
    chosen = _shown(len(at), points)
    before = np.concatenate((np.zeros(window, dtype=np.int64), so_far))[: len(at)]
    in_window = np.where(np.arange(1, len(at) + 1) >= window, so_far - before, np.nan)
    return pd.DataFrame(
        {
            "labels": chosen + 1,
            "made": in_window[chosen],
            "buffered": (so_far - of_labelled)[chosen],
            "per_label": (of_labelled / np.arange(1, len(at) + 1))[chosen],
        }
    )


def _shown(labels: int, points: int) -> Integers:
    """The numbers, from 0, of at most `points` labels, the last one among them."""
    return np.unique(np.linspace(0, labels - 1, min(points, labels)).astype(np.int64))
