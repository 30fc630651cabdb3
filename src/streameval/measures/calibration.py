"""Calibration of probability forecasts, by bins of the probability.

There are `BINS` bins of equal width, [0, 1/15], (1/15, 2/15], ..., as in Guo et al. (2017).

Expected calibration error
    The weighted mean over bins of |mean probability of the top class - accuracy of the top class|,
    with the number of predictions in a bin as its weight. If m classes share the highest score and
    the true class is among them, the prediction counts as 1/m correct.

Decomposition of the Brier score
    The Brier score is a sum over classes, and so is its decomposition: for each class, predictions
    are binned by the probability of this class. As forecasts differ within a bin, the three terms
    of Murphy (1973) do not add up to the score. The two terms of Stephenson et al. (2008) make up
    the difference:

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

#: Number of bins, as in Guo et al. (2017).
BINS = 15


class Bins(NamedTuple):
    """Sums over the predictions in each of b bins.

    The leading axes are s windows, and for `class_bins` also k classes.
    """

    n: Floats  # (..., b), number of predictions
    forecast: Floats  # (..., b), sum of the probabilities
    outcome: Floats  # (..., b), number of predictions for which the class is true
    square: Floats  # (..., b), sum of the squared probabilities
    product: Floats  # (..., b), sum of the probabilities for which the class is true


def _empty_bins(*axes: int) -> Bins:
    return Bins(*(np.zeros((*axes, BINS)) for _ in Bins._fields))


def top_bins(forecasts: Forecasts, windows: Windows) -> Bins:
    """Bin predictions by their highest probability; arrays of shape (s, b)."""
    bins = _empty_bins(len(windows.last), 1)
    credit = top_credits(forecasts, 1)
    _fill_top_bins(forecasts, credit, windows.first, windows.last, bins)
    return Bins(*(sums[:, 0] for sums in bins))


def class_bins(forecasts: Forecasts, windows: Windows) -> Bins:
    """Bin predictions by the probability of each class; arrays of shape (s, k, b).

    Each window is counted from scratch, in O(w k), so that no rounding errors accumulate.
    """
    bins = _empty_bins(len(windows.last), forecasts.scores.shape[1])
    _fill_class_bins(forecasts, windows.first, windows.last, bins)
    return bins


@inlined
def _add(bins: Bins, s: int, c: int, p: float, outcome: float) -> None:
    """Add a probability and its outcome to the bins of window `s` and class `c`."""
    # A bin includes its upper end and, in the first bin only, its lower end.
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
    """Expected calibration error of `top_bins`, shape (s,)."""
    return ratio(total(np.abs(bins.outcome - bins.forecast)), total(bins.n))


def reliability(bins: Bins) -> Floats:
    """Mean squared difference of probability and frequency in a bin, shape (s,); 0 is best."""
    return _weighted(bins, _mean(bins.forecast, bins) - _mean(bins.outcome, bins))


def resolution(bins: Bins) -> Floats:
    """Mean squared difference of the frequency in a bin and overall, shape (s,)."""
    overall = ratio(total(bins.outcome), total(bins.n))
    return _weighted(bins, _mean(bins.outcome, bins) - overall[..., None])


def uncertainty(bins: Bins) -> Floats:
    """Brier score of constant forecasts of the class frequencies, shape (s,)."""
    overall = ratio(total(bins.outcome), total(bins.n))
    return total(overall * (1.0 - overall))


def within_variance(bins: Bins) -> Floats:
    """Variance of probabilities within bins, shape (s,)."""
    squares = bins.square - ratio(bins.forecast**2, bins.n)
    return _per_prediction(bins, np.maximum(squares, 0.0))


def within_covariance(bins: Bins) -> Floats:
    """Twice the covariance of probabilities and outcomes within bins, shape (s,)."""
    return _per_prediction(bins, 2.0 * (bins.product - bins.outcome * _mean(bins.forecast, bins)))


def _mean(sums: Floats, bins: Bins) -> Floats:
    """Means in bins; NaN in an empty bin."""
    return ratio(sums, bins.n)


def _weighted(bins: Bins, differences: Floats) -> Floats:
    """Sum over classes of the mean squared difference, weighted by predictions in a bin."""
    return _per_prediction(bins, bins.n * differences**2)


def _per_prediction(bins: Bins, sums: Floats) -> Floats:
    """Sum over classes and bins, divided by the number of predictions."""
    summed = total(np.where(bins.n > 0, sums, 0.0))
    return total(ratio(summed, total(bins.n)))
