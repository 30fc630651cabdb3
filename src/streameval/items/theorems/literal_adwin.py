"""ADWIN as its theorem states it, for the study of the theorem (Bifet et al. 2015, Theorem 3).

Every split of the window is tested at every step, with the theorem's threshold. That takes a time
proportional to the window at each step: `streameval.detectors.adwin` is MOA's, with buckets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.compiled.kernels import kernel, part
from streameval.detectors.adwin import AdwinTrace, checked_delta
from streameval.detectors.alarms import checked_inputs


def cut_threshold(older: ArrayLike, newer: ArrayLike, delta: float) -> NDArray[np.float64]:
    """Return ε_cut of a window of `older` and `newer` inputs.

    Parameters
    ----------
    older, newer : array-like of int
        Inputs of both parts, n0 and n1.
    delta : float
        Confidence parameter.

    References
    ----------
    Bifet et al. (2015), Theorem 3: ε_cut = sqrt(ln(4 / δ') / 2m), m = 1 / (1/n0 + 1/n1) and
    δ' = δ / (n0 + n1).
    """
    n0, n1 = np.asarray(older, dtype=np.float64), np.asarray(newer, dtype=np.float64)
    return np.sqrt(np.log(4.0 * (n0 + n1) / delta) / 2.0 * (1.0 / n0 + 1.0 / n1))


def literal_adwin(values: ArrayLike, delta: float) -> AdwinTrace:
    """Run ADWIN as its theorem states it over a sequence.

    Parameters
    ----------
    values : array-like of float, shape (n,)
        The inputs in order, each from 0 to 1.
    delta : float
        Confidence parameter, between 0 and 1.

    Returns
    -------
    AdwinTrace
        Width and mean of the window after each input, and whether it was cut there: its oldest
        input is dropped for as long as the means of any two parts differ by more than ε_cut.

    Raises
    ------
    ConfigError
        If `delta` is out of range.
    DataError
        If an input is not finite.

    References
    ----------
    Bifet and Gavaldà (2007), Learning from time-changing data with adaptive windowing, Figure 1.
    """
    x = checked_inputs("ADWIN", values)
    total = np.concatenate(([0.0], np.cumsum(x)))
    width = np.empty(len(x), dtype=np.int64)
    _run(total, checked_delta(delta), width)
    after = np.arange(1, len(x) + 1)
    mean = (total[after] - total[after - width]) / width
    cut = np.diff(width, prepend=0) < 1
    return AdwinTrace(width, mean, cut)


@kernel
def _run(total: NDArray[np.float64], delta: float, width: NDArray[np.int64]) -> None:
    first = 0
    for stop in range(1, len(total)):
        while _differs(total, first, stop, delta):
            first += 1
        width[stop - 1] = stop - first


@part
def _differs(total: NDArray[np.float64], first: int, stop: int, delta: float) -> bool:
    """Return whether some split of the inputs from `first` to `stop` has means too far apart."""
    n, whole = stop - first, total[stop] - total[first]
    limit = 0.5 * np.log(4.0 * n / delta) * n
    found = False
    # The rule, multiplied by n0 and n1: without divisions and without a way out of the loop, which
    # takes several splits at once.
    for n0 in range(1, n):
        gap = (total[first + n0] - total[first]) * n - whole * n0
        found |= gap * gap > limit * n0 * (n - n0)
    return found
