"""The compiled sum of autocovariances."""

import numpy as np
import pytest

from streameval.significance.autocovariances import initial_positive_sum
from streameval.significance.series import MAX_BLOCKS


def by_numpy(deviations, variance):
    """Add products lag by lag, as `initial_positive_sum` does, to the same last digit."""
    m, total, least, last_lag = len(deviations), -variance, np.inf, 0
    for lag in range(0, m - 1, 2):
        even = (deviations[: m - lag] * deviations[lag:]).sum()
        odd = (deviations[: m - lag - 1] * deviations[lag + 1 :]).sum()
        least = min(least, (even + odd) / m)
        if least <= 0.0:
            break
        total, last_lag = total + 2.0 * least, lag + 1
    return total, last_lag


# Around the lengths at which numbers are added in another order: 8, 128 and their multiples.
@pytest.mark.parametrize("m", [*range(2, 40), *range(120, 150), 257, 1000, 2047, MAX_BLOCKS])
@pytest.mark.parametrize("is_walk", [False, True])
def test_it_is_that_of_numpy_to_the_last_digit(m, is_walk):
    rng = np.random.default_rng(m)
    for series in rng.normal(size=(3, m)), rng.integers(-1, 2, (3, m)).astype(np.float64):
        for values in series.cumsum(axis=1) if is_walk else series:
            deviations = values - values.mean()
            variance = float((deviations * deviations).sum()) / m
            assert initial_positive_sum(deviations, variance) == by_numpy(deviations, variance)
