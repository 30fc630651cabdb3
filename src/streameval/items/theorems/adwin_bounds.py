"""ADWIN's false alarms and its detections by simulation (Bifet et al. 2015, Theorem 3).

The theorem's ADWIN tests every split at every step; `streameval.detectors.adwin` is MOA's.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import scipy.stats
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats, Integers
from streameval.base.seeds import generator
from streameval.compiled.kernels import kernel, subkernel
from streameval.detectors.adwin import CLOCK, AdwinTrace, adwin_trace, checked_delta
from streameval.detectors.alarms import checked_inputs
from streameval.evaluation.error_simulation import dependent_errors, proportion_interval
from streameval.items.theorems import ALARMS, DETECTIONS
from streameval.significance.intervals import Interval, mean_interval
from streameval.significance.simultaneous import SIZE_PER_SQUARED_SKEWNESS


def cut_threshold(older: ArrayLike, newer: ArrayLike, delta: float) -> Floats:
    """ε_cut of a window of n0 `older` and n1 `newer` inputs (Bifet et al. 2015, Theorem 3).

    It is sqrt(ln(4 / δ') / 2m) with m = 1 / (1/n0 + 1/n1) and δ' = δ / (n0 + n1).
    """
    n0, n1 = np.asarray(older, dtype=np.float64), np.asarray(newer, dtype=np.float64)
    return np.sqrt(np.log(4.0 * (n0 + n1) / delta) / 2.0 * (1.0 / n0 + 1.0 / n1))


def literal_adwin(values: ArrayLike, delta: float) -> AdwinTrace:
    """Run ADWIN as its theorem states it over inputs from 0 to 1.

    The oldest input is dropped for as long as the means of any two parts differ by more than ε_cut;
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
def _run(total: Floats, delta: float, width: Integers) -> None:
    first = 0
    for stop in range(1, len(total)):
        while _differs(total, first, stop, delta):
            first += 1
        width[stop - 1] = stop - first


@subkernel
def _differs(total: Floats, first: int, stop: int, delta: float) -> bool:
    """Whether the means of some split of the inputs from `first` to `stop` differ."""
    n, whole = stop - first, total[stop] - total[first]
    limit = 0.5 * np.log(4.0 * n / delta) * n
    differs = False
    # The rule, multiplied by n0 and n1: without divisions and without a way out of the loop, which
    # takes several splits at once.
    for n0 in range(1, n):
        gap = (total[first + n0] - total[first]) * n - whole * n0
        differs |= gap * gap > limit * n0 * (n - n0)
    return differs


#: The theorem's ADWIN, and MOA's.
DETECTORS: dict[str, Callable[..., AdwinTrace]] = {"literal": literal_adwin, "moa": adwin_trace}
#: A confidence parameter of the size of test levels, and MOA's default.
DELTAS = (0.05, 0.002)
#: The error rate, and autocorrelations of successive errors.
RATE, MEMORIES = 0.2, (0.0, 0.25, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
#: By how much the error rate rises.
GAPS = (0.35, 0.4, 0.5, 0.6, 0.7)


def alarms(steps: int, runs: int) -> pd.DataFrame:
    """Simulate the false alarms of ADWIN: changes found at a constant mean.

    ``steps`` is the proportion of the checks that cut the window, which the theorem bounds by δ;
    MOA checks every 32nd step. ``any`` is that of sequences with any cut (exact interval).
    """
    rows = []
    for memory in MEMORIES:
        draws = generator("theorem 3, alarms", repr(memory))
        sequences = dependent_errors(draws, np.full(steps, RATE), memory, runs)
        for name, run in DETECTORS.items():
            for delta in DELTAS:
                cuts = np.array([run(errors, delta).cut.sum() for errors in sequences])
                shares = cuts / (steps // (CLOCK if name == "moa" else 1))
                case = (name, delta, memory, steps)
                rows.append((*case, "steps", *share_interval(shares), runs))
                any_alarm = proportion_interval(int((shares > 0).sum()), runs)
                rows.append((*case, "any", *any_alarm, runs))
    return pd.DataFrame(rows, columns=list(ALARMS))


def share_interval(shares: Floats) -> Interval:
    """The mean of shares of independent sequences, most of which may be 0, and its interval.

    If `mean_of_runs` has none, it ends at that of the proportion of shares that are not 0.
    """
    interval = mean_of_runs(shares)
    if not np.isnan(interval.low):
        return Interval(interval.mean, max(interval.low, 0.0), min(interval.high, 1.0))
    any_share = proportion_interval(int((shares > 0).sum()), len(shares))
    return Interval(interval.mean, 0.0, any_share.high)


def mean_of_runs(values: Floats) -> Interval:
    """The mean of independent runs, and Student's t interval where it can be trusted.

    There have to be `SIZE_PER_SQUARED_SKEWNESS` runs for each unit of the skewness squared; equal
    values say nothing.
    """
    interval = mean_interval(values)
    skewness = float(scipy.stats.skew(values)) if np.ptp(values) > 0 else np.inf
    if len(values) >= SIZE_PER_SQUARED_SKEWNESS * skewness**2:
        return interval
    return Interval(interval.mean, np.nan, np.nan)


def detections(older: int, runs: int) -> pd.DataFrame:
    """Simulate the detections of ADWIN: its delay after a change of the mean.

    `needed` inputs after the change, the theorem promises with probability 1 - δ that it is
    ``detected`` and ``no older`` input is left; ``older`` is how many are, and ``delay`` the inputs
    to the first cut, NaN with a sequence without one.
    """
    rows = []
    for gap in GAPS:
        for delta in DELTAS:
            needed = inputs_needed(older, gap, delta)
            rates = np.repeat((RATE, RATE + gap), (older, needed))
            draws = generator("theorem 3, detections", repr(gap), repr(delta))
            sequences = dependent_errors(draws, rates, 0.0, runs)
            for name, run in DETECTORS.items():
                traces = [run(errors, delta) for errors in sequences]
                cut = np.array([trace.cut[older:] for trace in traces])
                detected = cut.any(axis=1)
                delays = np.where(detected, cut.argmax(axis=1) + 1.0, np.nan)
                kept = np.array([max(int(trace.width[-1]) - needed, 0) for trace in traces])
                case = (name, delta, gap, needed)
                for quantity, interval in (
                    ("detected", proportion_interval(int(detected.sum()), runs)),
                    ("no older", proportion_interval(int((kept == 0).sum()), runs)),
                    ("older", mean_of_runs(kept)),
                    ("delay", mean_of_runs(delays)),
                ):
                    rows.append((*case, quantity, *interval, runs))
    return pd.DataFrame(rows, columns=list(DETECTIONS))


def inputs_needed(older: int, gap: float, delta: float) -> int:
    """The least n1 such that means of n0 = `older` and n1 inputs differ by over 2 ε_cut.

    Raises ValueError if no n1 up to 100 n0 is enough.
    """
    newer = np.arange(1, 100 * older)
    enough = gap > 2 * cut_threshold(older, newer, delta)
    if not enough.any():
        raise ValueError(f"A gap of {gap} is never detected with {older} older inputs.")
    return int(newer[enough.argmax()])
