"""Sliding windows over predictions, and means of a number for each prediction over them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.compiled.kernels import kernel
from streameval.measures.counting import checked_positions
from streameval.measures.windows import checked_fading


class Windows(NamedTuple):
    """Windows of the last predictions at s positions.

    Parameters
    ----------
    width : int
        Number of predictions; at positions below it, all predictions so far.
    last : ndarray of int64, shape (s,)
        Numbers of predictions made, increasing.
    """

    width: int
    last: Integers

    @property
    def first(self) -> Integers:
        """Where each window begins, shape (s,)."""
        return np.maximum(self.last - self.width, 0)

    def class_counts(self, true: Codes, n_classes: int) -> Integers:
        """Return the predictions of each true class, shape (s, k)."""
        counts = np.empty((len(self.last), n_classes), dtype=np.int64)
        for c in range(n_classes):
            before = np.append(0, np.cumsum(true == c))
            counts[:, c] = before[self.last] - before[self.first]
        return counts


def all_of(n: int) -> Windows:
    """Return the window of all `n` predictions."""
    return Windows(max(n, 1), np.array([n], dtype=np.int64))


def checked_windows(window: int, at: ArrayLike, n: int) -> Windows:
    """Return the windows of `window` of `n` predictions at the positions `at`.

    Raises
    ------
    ConfigError
        If the window is empty.
    DataError
        If positions are out of range.
    """
    if window < 1:
        raise ConfigError(f"Window: expected at least 1 prediction, found {window}.")
    return Windows(min(int(window), max(n, 1)), checked_positions(at, n))


def window_means(values: Floats, windows: Windows) -> Floats:
    """Return the means of values (n,) over windows, shape (s,); NaN for an empty window.

    Nothing is subtracted: a window of zeros has the mean 0, whatever came before it. For this the
    values are divided into blocks of the window's width, which have their sums from either end.
    """
    n, width, last = len(values), windows.width, windows.last
    blocks = np.zeros((-(-n // width), width))
    blocks.ravel()[:n] = values
    up_to = np.append(0.0, np.cumsum(blocks, axis=1).ravel())
    onwards = np.cumsum(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    first = windows.first
    # Windows that begin within a block end in the next one; others are a block or its beginning.
    within = first % width != 0
    sums = up_to[last]
    sums[within] += onwards[first[within]]
    means = np.full(len(last), np.nan)
    np.divide(sums, last - first, out=means, where=last > first)
    return means


def faded_means(values: Floats, fading: float, at: Integers) -> Floats:
    """Return the means of values (n,) with the weight ``fading**i`` of the i-th last, shape (s,).

    Raises
    ------
    ConfigError
        If `fading` is out of range.

    References
    ----------
    Gama, Sebastião, Rodrigues (2013), On evaluating stream learning algorithms.
    """
    out = np.empty(len(at))
    _fade(values, checked_fading(fading), at, out)
    return out


@kernel
def _fade(values: Floats, fading: float, at: Integers, out: Floats) -> None:
    weighted, weight, s = 0.0, 0.0, 0
    for t in range(at[-1] if len(at) else 0):
        weighted, weight = values[t] + fading * weighted, 1.0 + fading * weight
        if t + 1 == at[s]:
            out[s] = weighted / weight
            s += 1
