"""ADWIN's false alarms and its detections by simulation (Bifet et al. 2015, Theorem 3)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import scipy.stats
from numpy.typing import NDArray

from streameval.detectors.adwin import CLOCK, AdwinTrace, adwin_trace
from streameval.evaluation.simulated_errors import dependent_errors, proportion_interval
from streameval.items.theorems.literal_adwin import cut_threshold, literal_adwin
from streameval.seeds import generator
from streameval.significance.intervals import Interval, mean_interval
from streameval.significance.simultaneous import SKEWED

ALARMS = ("detector", "delta", "memory", "steps", "quantity", "mean", "low", "high", "seeds")
DETECTIONS = ("detector", "delta", "gap", "needed", "quantity", "mean", "low", "high", "seeds")

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

    Parameters
    ----------
    steps : int
        Length of each sequence of errors.
    runs : int
        Sequences for each case, at least 2.

    Returns
    -------
    pandas.DataFrame
        Columns `ALARMS`. Quantities: ``steps``, the proportion of the steps with a check at which
        the window shrinks (see `share_interval`), which the theorem bounds by δ; MOA's ADWIN checks
        every 32nd step. ``any``, the proportion of sequences with any such step (exact interval).
    """
    rows = []
    for memory in MEMORIES:
        draws = generator("theorem 3, alarms", repr(memory))
        sequences = dependent_errors(draws, np.full(steps, RATE), memory, runs)
        for name, run in DETECTORS.items():
            for delta in DELTAS:
                cuts = np.array([run(one, delta).cut.sum() for one in sequences])
                shares = cuts / (steps // (CLOCK if name == "moa" else 1))
                case = (name, delta, memory, steps)
                rows.append((*case, "steps", *share_interval(shares), runs))
                any_alarm = proportion_interval(int((shares > 0).sum()), runs)
                rows.append((*case, "any", *any_alarm, runs))
    return pd.DataFrame(rows, columns=list(ALARMS))


def share_interval(shares: NDArray[np.float64]) -> Interval:
    """Return the mean of shares of independent sequences, most of which may be 0, and its interval.

    It is that of `mean_of_runs`. Where there is none, it is from 0 to the upper end of the
    proportion of sequences whose share is not 0, which the mean cannot exceed, as no share is
    above 1.

    Parameters
    ----------
    shares : ndarray, shape (runs,)
        Between 0 and 1, at least 2.
    """
    found = mean_of_runs(shares)
    if not np.isnan(found.low):
        return Interval(found.mean, max(found.low, 0.0), min(found.high, 1.0))
    any_share = proportion_interval(int((shares > 0).sum()), len(shares))
    return Interval(found.mean, 0.0, any_share.high)


def mean_of_runs(values: NDArray[np.float64]) -> Interval:
    """Return the mean of independent runs, and Student's t interval where it can be trusted.

    There have to be `SKEWED` runs for each unit of the skewness squared; values that are all equal
    say nothing about others. Otherwise both ends are NaN, and so they are with a NaN.

    Parameters
    ----------
    values : ndarray, shape (runs,)
        At least 2.
    """
    found = mean_interval(values)
    skewness = float(scipy.stats.skew(values)) if np.ptp(values) > 0 else np.inf
    if len(values) >= SKEWED * skewness**2:
        return found
    return Interval(found.mean, np.nan, np.nan)


def detections(older: int, runs: int) -> pd.DataFrame:
    """Simulate the detections of ADWIN: its delay after a change of the mean.

    Parameters
    ----------
    older : int
        Inputs before the change.
    runs : int
        Sequences of independent errors for each case, at least 2.

    Returns
    -------
    pandas.DataFrame
        Columns `DETECTIONS`; `needed` is the number of inputs after the change from which on the
        theorem promises, with probability 1 - δ, that the change is detected and the window has no
        input from before it. Quantities: ``detected``, the proportion of sequences in which the
        window has shrunk by then, and ``no older``, that in which it has no such input (exact
        intervals); ``older``, how many of them it has (see `mean_of_runs`); ``delay``, inputs
        from the change to the first cut (the same), NaN with a sequence without one.
    """
    rows = []
    for gap in GAPS:
        for delta in DELTAS:
            needed = inputs_needed(older, gap, delta)
            rates = np.repeat((RATE, RATE + gap), (older, needed))
            draws = generator("theorem 3, detections", repr(gap), repr(delta))
            sequences = dependent_errors(draws, rates, 0.0, runs)
            for name, run in DETECTORS.items():
                traces = [run(one, delta) for one in sequences]
                cut = np.array([trace.cut[older:] for trace in traces])
                found = cut.any(axis=1)
                delays = np.where(found, cut.argmax(axis=1) + 1.0, np.nan)
                kept = np.array([max(int(trace.width[-1]) - needed, 0) for trace in traces])
                case = (name, delta, gap, needed)
                for quantity, interval in (
                    ("detected", proportion_interval(int(found.sum()), runs)),
                    ("no older", proportion_interval(int((kept == 0).sum()), runs)),
                    ("older", mean_of_runs(kept)),
                    ("delay", mean_of_runs(delays)),
                ):
                    rows.append((*case, quantity, *interval, runs))
    return pd.DataFrame(rows, columns=list(DETECTIONS))


def inputs_needed(older: int, gap: float, delta: float) -> int:
    """Return the least n1 such that means of n0 = `older` and n1 inputs differ by over 2 ε_cut.

    Raises
    ------
    ValueError
        If no n1 up to 100 n0 is enough.
    """
    newer = np.arange(1, 100 * older)
    enough = gap > 2 * cut_threshold(older, newer, delta)
    if not enough.any():
        raise ValueError(f"A gap of {gap} is never seen with {older} older inputs.")
    return int(newer[enough.argmax()])
