"""Calibration of probability forecasts, by bins of the probability.

There are `BINS` bins of equal width, (0, 1/15], (1/15, 2/15], ..., as in Guo et al. (2017); the
first one also has 0.

Expected calibration error
    The mean over bins of the difference between the mean probability of the top class and the
    fraction of predictions in which it is the true one, weighted by the predictions in the bin.
    Where m classes share the highest score, a true one among them counts as 1/m.

Decomposition of the Brier score
    The Brier score sums over classes, and so does its decomposition: the predictions are put into
    bins by the probability of each class in turn. With bins of differing forecasts, the three terms
    of Murphy (1973) lack what happens within bins; with the two terms of Stephenson et al. (2008)
    the sum is the Brier score itself:

        Brier = reliability - resolution + uncertainty + within-bin variance - covariance.

References
----------
Guo, Pleiss, Sun, Weinberger (2017), On calibration of modern neural networks, ICML, Eq. 3.
Murphy (1973), A new vector partition of the probability score, Journal of Applied Meteorology
12(4), 595-600.
Stephenson, Coelho, Jolliffe (2008), Two extra components in the Brier score decomposition, Weather
and Forecasting 23(4), 752-757.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled.kernels import inlined, kernel
from streameval.measures.forecasts import Forecasts, probability, top_credits
from streameval.measures.spans import Windows
from streameval.measures.tally import ratio, total

#: Number of bins; Guo et al. (2017) have 15.
BINS = 15


class Bins(NamedTuple):
    """Sums over the predictions in each bin.

    The leading axes are s windows, and k classes for those of `class_bins`.
    """

    n: Floats  # (..., b) predictions
    forecast: Floats  # (..., b) sum of the probabilities
    outcome: Floats  # (..., b) how often the class is the true one
    square: Floats  # (..., b) sum of the squares of the probabilities
    product: Floats  # (..., b) sum of the probabilities where the class is the true one


def _no_bins(*axes: int) -> Bins:
    return Bins(*(np.zeros((*axes, BINS)) for _ in Bins._fields))


def top_bins(forecasts: Forecasts, windows: Windows) -> Bins:
    """Put predictions into bins by their highest probability, shapes (s, b)."""
    bins = _no_bins(len(windows.last), 1)
    credit = top_credits(forecasts, 1)
    _fill_top_bins(forecasts, credit, windows.first, windows.last, bins)
    return Bins(*(sums[:, 0] for sums in bins))


def class_bins(forecasts: Forecasts, windows: Windows) -> Bins:
    """Put predictions into bins by the probability of each class, shapes (s, k, b).

    Each window is counted anew, in O(w k): its sums do not depend on what came before it.
    """
    bins = _no_bins(len(windows.last), forecasts.scores.shape[1])
    _fill_class_bins(forecasts, windows.first, windows.last, bins)
    return bins


@inlined
def _add(bins: Bins, s: int, c: int, p: float, outcome: float) -> None:
    """Add a probability, and whether it came true, to the bins of window `s` and class `c`."""
    b = min(max(int(np.ceil(p * bins.n.shape[2])) - 1, 0), bins.n.shape[2] - 1)
    bins.n[s, c, b] += 1.0
    bins.forecast[s, c, b] += p
    bins.outcome[s, c, b] += outcome
    bins.square[s, c, b] += p * p
    bins.product[s, c, b] += p * outcome


@kernel
def _fill_top_bins(
    forecasts: Forecasts, credit: Floats, first: Integers, last: Integers, bins: Bins
) -> None:
    for s in range(len(last)):
        for t in range(first[s], last[s]):
            top = 0.0
            for c in range(forecasts.scores.shape[1]):
                top = max(top, probability(forecasts, t, c))
            _add(bins, s, 0, top, credit[t])


@kernel
def _fill_class_bins(forecasts: Forecasts, first: Integers, last: Integers, bins: Bins) -> None:
    for s in range(len(last)):
        for t in range(first[s], last[s]):
            for c in range(forecasts.scores.shape[1]):
                outcome = 1.0 if c == forecasts.true[t] else 0.0
                _add(bins, s, c, probability(forecasts, t, c), outcome)


def expected_calibration_error(bins: Bins) -> Floats:
    """Return the expected calibration error of `top_bins`, shape (s,)."""
    return ratio(total(np.abs(bins.outcome - bins.forecast)), total(bins.n))


def reliability(bins: Bins) -> Floats:
    """Return how far the mean probabilities are from the frequencies, shape (s,); 0 is best."""
    return _weighted(bins, _mean(bins.forecast, bins) - _mean(bins.outcome, bins))


def resolution(bins: Bins) -> Floats:
    """Return how far the frequencies in bins are from those of all predictions, shape (s,)."""
    overall = ratio(total(bins.outcome), total(bins.n))
    return _weighted(bins, _mean(bins.outcome, bins) - overall[..., None])


def uncertainty(bins: Bins) -> Floats:
    """Return the Brier score of the frequencies of the classes, shape (s,)."""
    overall = ratio(total(bins.outcome), total(bins.n))
    return total(overall * (1.0 - overall))


def within_variance(bins: Bins) -> Floats:
    """Return the variance of probabilities within bins, shape (s,)."""
    squares = bins.square - ratio(bins.forecast**2, bins.n)
    return _per_prediction(bins, np.maximum(squares, 0.0))


def within_covariance(bins: Bins) -> Floats:
    """Return twice the covariance of probabilities and outcomes within bins, shape (s,)."""
    return _per_prediction(bins, 2.0 * (bins.product - bins.outcome * _mean(bins.forecast, bins)))


def _mean(sums: Floats, bins: Bins) -> Floats:
    """Return means in bins, NaN for an empty one."""
    return ratio(sums, bins.n)


def _weighted(bins: Bins, differences: Floats) -> Floats:
    """Return the sum over classes of the mean square of the differences of bins."""
    return _per_prediction(bins, bins.n * differences**2)


def _per_prediction(bins: Bins, sums: Floats) -> Floats:
    """Return the sum over classes and bins, divided by the predictions."""
    summed = total(np.where(bins.n > 0, sums, 0.0))
    return total(ratio(summed, total(bins.n)))
