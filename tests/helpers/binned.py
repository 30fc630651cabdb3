"""Bins of predictions that are all at hand, of class codes and of numbers."""

from __future__ import annotations

import numpy as np

from streameval.protocols.bins import PAPER, BinnedPredictions, bin_predictions


def binned_labels(polls, labels, bins=50, rule=PAPER, *, silent=None) -> BinnedPredictions:
    """Return what counts of class codes, as many as there are."""
    codes = np.asarray(labels)
    classes = int(codes.max(initial=0)) + 1 if codes.dtype.kind in "iu" else 1
    (binned,) = bin_predictions(polls, codes, [(bins, rule)], classes, silent=silent)
    return binned


def binned_values(polls, values, bins=50, rule=PAPER) -> BinnedPredictions:
    """Return what counts of numbers."""
    (binned,) = bin_predictions(polls, values, [(bins, rule)])
    return binned


def until(binned, labels) -> BinnedPredictions:
    """Return the counts after a number of labels."""
    return BinnedPredictions(binned.values[:labels], binned.is_new[:labels])


def correct_chains(rng, n, accuracy, dependence, size):
    """Whether predictions are correct, (n, size): a state is kept with probability `dependence`."""
    states = rng.random((n, size)) < accuracy
    kept = rng.random((n, size)) < dependence
    for t in range(1, n):
        states[t] = np.where(kept[t], states[t - 1], states[t])
    return states
