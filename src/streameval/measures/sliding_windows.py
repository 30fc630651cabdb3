"""Sliding windows over predictions, and means of per-prediction values over them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.compiled.kernels import kernel
from streameval.measures.counting import checked_positions
from streameval.measures.tallies_over_time import checked_fading


class Windows(NamedTuple):
    """Windows of the last predictions at s positions.

    Parameters
    ----------
    width : int
        Number of predictions in a window; before it is full, all predictions so far.
    stops : ndarray of int64, shape (s,)
        Positions: numbers of predictions so far, increasing. Window i has the predictions
        ``starts[i]:stops[i]``.
    """

    width: int
    stops: Integers

    @property
    def starts(self) -> Integers:
        """Index of the first prediction of each window, shape (s,)."""
        return np.maximum(self.stops - self.width, 0)

    def class_counts(self, true: Codes, n_classes: int) -> Integers:
        """Number of predictions of each true class, shape (s, k)."""
        counts = np.empty((len(self.stops), n_classes), dtype=np.int64)
        for c in range(n_classes):
            so_far = np.append(0, np.cumsum(true == c))
            counts[:, c] = so_far[self.stops] - so_far[self.starts]
        return counts


def single_window(n: int) -> Windows:
    """A single window of all `n` predictions."""
    # `window_means` needs blocks of at least one prediction, even without predictions.
    return Windows(max(n, 1), np.array([n], dtype=np.int64))


def checked_windows(window: int, positions: ArrayLike, n: int) -> Windows:
    """Windows of `window` predictions at `positions` of `n` predictions, checked.

    Raises
    ------
    ConfigError
        If the window is empty.
    DataError
        If positions are out of range.
    """
    if window < 1:
        raise ConfigError(f"Window: expected at least 1 prediction, found {window}.")
    return Windows(min(int(window), max(n, 1)), checked_positions(positions, n))


def window_means(values: Floats, windows: Windows) -> Floats:
    """Means of values (n,) over windows, shape (s,); NaN for an empty window.

    A difference of running sums would have rounding errors: the mean of a window of zeros would not
    be exactly 0. Instead, values are divided into blocks as wide as a window. A window is the end
    of a block and the start of the next, so its sum is the sum of two running sums.
    """
    n, width, starts, stops = len(values), windows.width, windows.starts, windows.stops
    n_blocks = math.ceil(n / width)
    blocks = np.zeros((n_blocks, width))
    blocks.ravel()[:n] = values
    forward_sums = np.append(0.0, np.cumsum(blocks, axis=1).ravel())
    backward_sums = np.cumsum(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    # A window that starts with a block is this block, or the start of the first block if the window
    # is not full yet: one running sum is enough.
    is_in_two_blocks = starts % width != 0
    sums = forward_sums[stops]
    sums[is_in_two_blocks] += backward_sums[starts[is_in_two_blocks]]
    means = np.full(len(stops), np.nan)
    np.divide(sums, stops - starts, out=means, where=stops > starts)
    return means


def faded_means(values: Floats, fading: float, positions: Integers) -> Floats:
    """Weighted means of values (n,) so far, shape (s,): the i-th last value weighs ``fading**i``.

    Raises
    ------
    ConfigError
        If `fading` is out of range.

    References
    ----------
    Gama, Sebastião, Rodrigues (2013), On evaluating stream learning algorithms.
    """
    out = np.empty(len(positions))
    _fade(values, checked_fading(fading), positions, out)
    return out


@kernel
def _fade(values: Floats, fading: float, positions: Integers, out: Floats) -> None:
    weighted_sum, total_weight, s = 0.0, 0.0, 0
    for t in range(positions[-1] if len(positions) else 0):
        weighted_sum = values[t] + fading * weighted_sum
        total_weight = 1.0 + fading * total_weight
        if t + 1 == positions[s]:
            out[s] = weighted_sum / total_weight
            s += 1
