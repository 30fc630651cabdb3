"""Calibration of probability forecasts, by bins of the probability.

There are `N_BINS` bins of equal width, [0, 1/15], (1/15, 2/15], ..., as in Guo et al. (2017).

Expected calibration error
    The weighted mean over bins of |mean probability of the top class - accuracy of the top class|,
    with the number of predictions in a bin as its weight. If m classes share the highest score and
    the true class is among them, the prediction counts as 1/m correct.

Decomposition of the Brier score
    The score and each term of its decomposition are sums over classes. For each class, predictions
    are binned by the probability of this class. The three terms of Murphy (1973) add up to the
    score only if all forecasts in a bin are equal. The two terms of Stephenson et al. (2008) are
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
from streameval.measures.forecasts import Forecasts, probability, top_accuracies
from streameval.measures.sliding_windows import Windows
from streameval.measures.tally import ratio, total

#: Number of bins, as in Guo et al. (2017).
N_BINS = 15


class Bins(NamedTuple):
    """Sums over the predictions in each of b bins.

    The leading axes are s windows, and for `class_bins` also k classes.
    """

    n: Floats  # (..., b), number of predictions
    forecast: Floats  # (..., b), sum of the probabilities
    outcome: Floats  # (..., b), number of predictions for which the class is true
    square: Floats  # (..., b), sum of the squared probabilities
    product: Floats  # (..., b), sum of the probabilities in predictions whose class is true


def _empty_bins(*axes: int) -> Bins:
    return Bins(*(np.zeros((*axes, N_BINS)) for _ in Bins._fields))


def top_bins(forecasts: Forecasts, windows: Windows) -> Bins:
    """Bin predictions by their highest probability; arrays of shape (s, b)."""
    bins = _empty_bins(len(windows.stops), 1)  # all predictions as those of a single class
    outcomes = top_accuracies(forecasts, 1)
    _fill_top_bins(forecasts, outcomes, windows.starts, windows.stops, bins)
    return Bins(*(sums[:, 0] for sums in bins))


def class_bins(forecasts: Forecasts, windows: Windows) -> Bins:
    """Bin predictions by the probability of each class; arrays of shape (s, k, b).

    Each window of w predictions is summed anew, in O(w k). If sums were updated from window to
    window, rounding errors would accumulate.
    """
    bins = _empty_bins(len(windows.stops), forecasts.scores.shape[1])
    _fill_class_bins(forecasts, windows.starts, windows.stops, bins)
    return bins


@inlined
def _add_to_bin(bins: Bins, s: int, c: int, p: float, outcome: float) -> None:
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
    forecasts: Forecasts, outcomes: Floats, starts: Integers, stops: Integers, bins: Bins
) -> None:
    for s in range(len(stops)):
        for t in range(starts[s], stops[s]):
            top = 0.0
            for c in range(forecasts.scores.shape[1]):
                top = max(top, probability(forecasts, t, c))
            _add_to_bin(bins, s, 0, top, outcomes[t])


@kernel
def _fill_class_bins(forecasts: Forecasts, starts: Integers, stops: Integers, bins: Bins) -> None:
    for s in range(len(stops)):
        for t in range(starts[s], stops[s]):
            for c in range(forecasts.scores.shape[1]):
                outcome = 1.0 if c == forecasts.true[t] else 0.0
                _add_to_bin(bins, s, c, probability(forecasts, t, c), outcome)


def expected_calibration_error(bins: Bins) -> Floats:
    """Expected calibration error from the result of `top_bins`, shape (s,)."""
    return ratio(total(np.abs(bins.outcome - bins.forecast)), total(bins.n))


def reliability(bins: Bins) -> Floats:
    """Squared difference of mean probability and class frequency in a bin, shape (s,); 0 is best.

    Like the next two terms: for each class the mean over predictions, then the sum over classes.
    """
    return _mean_square(bins, _bin_means(bins.forecast, bins) - _bin_means(bins.outcome, bins))


def resolution(bins: Bins) -> Floats:
    """Squared difference of the class frequency in a bin and in all bins, shape (s,)."""
    overall = ratio(total(bins.outcome), total(bins.n))
    return _mean_square(bins, _bin_means(bins.outcome, bins) - overall[..., None])


def uncertainty(bins: Bins) -> Floats:
    """Brier score of constant forecasts of the class frequencies, shape (s,)."""
    overall = ratio(total(bins.outcome), total(bins.n))
    return total(overall * (1.0 - overall))


def within_variance(bins: Bins) -> Floats:
    """Variance of probabilities within bins, shape (s,)."""
    squares = bins.square - ratio(bins.forecast**2, bins.n)
    return _mean_of_sums(bins, np.maximum(squares, 0.0))  # rounding can make it negative


def within_covariance(bins: Bins) -> Floats:
    """Twice the covariance of probabilities and outcomes within bins, shape (s,)."""
    products = bins.product - bins.outcome * _bin_means(bins.forecast, bins)
    return _mean_of_sums(bins, 2.0 * products)


def _bin_means(sums: Floats, bins: Bins) -> Floats:
    """Means in bins; NaN in an empty bin."""
    return ratio(sums, bins.n)


def _mean_square(bins: Bins, differences: Floats) -> Floats:
    """Mean over predictions of the squared difference in their bins, summed over classes."""
    return _mean_of_sums(bins, bins.n * differences**2)


def _mean_of_sums(bins: Bins, sums: Floats) -> Floats:
    """Mean over predictions from `sums` in bins, summed over classes."""
    summed = total(np.where(bins.n > 0, sums, 0.0))
    return total(ratio(summed, total(bins.n)))
