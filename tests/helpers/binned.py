"""Bins of predictions that are all at hand, of class codes and of numbers."""

from __future__ import annotations

import numpy as np

from streameval.protocols.bins import PAPER, BinnedPredictions, bin_predictions


def binned_labels(
    prediction_events, labels, bins=50, rule=PAPER, *, without_votes=None
) -> BinnedPredictions:
    """Binned predictions of class codes; the number of classes follows from the codes."""
    codes = np.asarray(labels)
    classes = int(codes.max(initial=0)) + 1 if codes.dtype.kind in "iu" else 1
    (binned,) = bin_predictions(
        prediction_events, codes, [(bins, rule)], classes, without_votes=without_votes
    )
    return binned


def binned_values(prediction_events, values, bins=50, rule=PAPER) -> BinnedPredictions:
    """Binned predictions of numbers."""
    (binned,) = bin_predictions(prediction_events, values, [(bins, rule)])
    return binned


def until(binned, labels) -> BinnedPredictions:
    """The counts after a number of labels."""
    return BinnedPredictions(binned.values[:labels], binned.is_new[:labels])


def correct_chains(rng, n, accuracy, dependence, size):
    """Whether predictions are correct, (n, size): a state is kept with probability `dependence`."""
    states = rng.random((n, size)) < accuracy
    kept = rng.random((n, size)) < dependence
    for t in range(1, n):
        states[t] = np.where(kept[t], states[t - 1], states[t])
    return states
