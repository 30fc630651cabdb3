"""ADWIN's false alarms and its detections by simulation (Bifet et al. 2015, Theorem 3).

The ADWIN of the theorem tests every split at every step; `streameval.detectors.adwin` is the ADWIN
of MOA.
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
from streameval.detectors.adwin import CLOCK, AdwinTrace, adwin_trace, check_delta
from streameval.detectors.alarms import check_inputs
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


def theorem_adwin(values: ArrayLike, delta: float) -> AdwinTrace:
    """Run ADWIN as in its theorem, over inputs from 0 to 1.

    The oldest input is dropped as long as the window has a split whose parts have means that differ
    by more than ε_cut: Bifet and Gavaldà (2007), Learning from time-changing data with adaptive
    windowing, Figure 1.
    """
    x = check_inputs("ADWIN", values)
    cumulative = np.concatenate(([0.0], np.cumsum(x)))
    width = np.empty(len(x), dtype=np.int64)
    _set_widths(cumulative, check_delta(delta), width)
    ends = np.arange(1, len(x) + 1)
    mean = (cumulative[ends] - cumulative[ends - width]) / width
    cut = np.diff(width, prepend=0) < 1  # without a cut the window grows by 1
    return AdwinTrace(width, mean, cut)


@kernel
def _set_widths(cumulative: Floats, delta: float, width: Integers) -> None:
    """Set the length of the window after each input.

    ``cumulative[i]`` is the sum of the first i inputs.
    """
    first = 0
    for stop in range(1, len(cumulative)):
        while _has_cut(cumulative, first, stop, delta):
            first += 1
        width[stop - 1] = stop - first


@subkernel
def _has_cut(cumulative: Floats, first: int, stop: int, delta: float) -> bool:
    """Whether the parts of some split of the inputs `first` to `stop` differ by more than ε_cut."""
    n, window_sum = stop - first, cumulative[stop] - cumulative[first]
    limit = 0.5 * np.log(4.0 * n / delta) * n
    has_cut = False
    # The rule (mean0 - mean1)² > ε_cut² is multiplied by (n0 n1)². Without divisions and an early
    # exit, the compiler can test several splits at once.
    for n0 in range(1, n):
        gap = (cumulative[first + n0] - cumulative[first]) * n - window_sum * n0
        has_cut |= gap * gap > limit * n0 * (n - n0)
    return has_cut


#: The ADWIN of the theorem, and the ADWIN of MOA.
DETECTORS: dict[str, Callable[..., AdwinTrace]] = {"literal": theorem_adwin, "moa": adwin_trace}
#: Confidence parameters: a usual level of tests, and MOA's default.
DELTAS = (0.05, 0.002)
#: The error rate before any change.
RATE = 0.2
#: Autocorrelations of successive errors.
AUTOCORRELATIONS = (0.0, 0.25, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
#: Increases of the error rate.
GAPS = (0.35, 0.4, 0.5, 0.6, 0.7)


def alarms(steps: int, runs: int) -> pd.DataFrame:
    """Simulate the false alarms of ADWIN: changes found at a constant mean.

    ``steps`` is the proportion of checks that cut the window, which the theorem bounds by δ; MOA
    checks every 32nd step. ``any`` is the proportion of sequences with a cut, with an exact
    interval.
    """
    rows = []
    for memory in AUTOCORRELATIONS:
        rng = generator("theorem 3, alarms", repr(memory))
        sequences = dependent_errors(rng, np.full(steps, RATE), memory, runs)
        for name, run in DETECTORS.items():
            for delta in DELTAS:
                cuts = np.array([run(errors, delta).cut.sum() for errors in sequences])
                proportions = cuts / (steps // (CLOCK if name == "moa" else 1))
                case = (name, delta, memory, steps)
                rows.append((*case, "steps", *mean_proportion(proportions), runs))
                any_alarm = proportion_interval(int((proportions > 0).sum()), runs)
                rows.append((*case, "any", *any_alarm, runs))
    return pd.DataFrame(rows, columns=list(ALARMS))


def mean_proportion(proportions: Floats) -> Interval:
    """The mean of proportions from independent sequences, with an interval even if most are 0.

    If `mean_of_runs` has no interval, the lower end is 0. The upper end is then the upper limit of
    the fraction of sequences with a proportion above 0, which is at least as large as the mean.
    """
    interval = mean_of_runs(proportions)
    if not np.isnan(interval.low):
        return Interval(interval.mean, max(interval.low, 0.0), min(interval.high, 1.0))
    above_zero = proportion_interval(int((proportions > 0).sum()), len(proportions))
    return Interval(interval.mean, 0.0, above_zero.high)


def mean_of_runs(values: Floats) -> Interval:
    """The mean of independent runs, and Student's t interval if it is reliable.

    It is reliable if the number of runs is at least `SIZE_PER_SQUARED_SKEWNESS` times the squared
    skewness; see `streameval.evaluation.bins.drop_unsupported_bands`. There is no interval if all
    values are equal.
    """
    interval = mean_interval(values)
    skewness = float(scipy.stats.skew(values)) if np.ptp(values) > 0 else np.inf
    if len(values) >= SIZE_PER_SQUARED_SKEWNESS * skewness**2:
        return interval
    return Interval(interval.mean, np.nan, np.nan)


def detections(older: int, runs: int) -> pd.DataFrame:
    """Simulate the detections of ADWIN: its delay after a change of the mean.

    By the theorem, two events happen with probability 1 - δ within ``needed`` inputs after the
    change. The change is detected (``detected``), and the window has no input from before the
    change (``no older``). ``older`` is the number of inputs from before the change that are left in
    the window after ``needed`` inputs. ``delay`` is the number of inputs from the change to the
    first cut; its mean is NaN if a sequence has no cut.
    """
    rows = []
    for gap in GAPS:
        for delta in DELTAS:
            needed = inputs_needed(older, gap, delta)
            rates = np.repeat((RATE, RATE + gap), (older, needed))
            rng = generator("theorem 3, detections", repr(gap), repr(delta))
            sequences = dependent_errors(rng, rates, 0.0, runs)
            for name, run in DETECTORS.items():
                traces = [run(errors, delta) for errors in sequences]
                cut = np.array([trace.cut[older:] for trace in traces])
                detected = cut.any(axis=1)
                delays = np.where(detected, cut.argmax(axis=1) + 1.0, np.nan)
                # Inputs that the last window has besides the `needed` newest inputs.
                n_older = np.array([max(int(trace.width[-1]) - needed, 0) for trace in traces])
                case = (name, delta, gap, needed)
                for quantity, interval in (
                    ("detected", proportion_interval(int(detected.sum()), runs)),
                    ("no older", proportion_interval(int((n_older == 0).sum()), runs)),
                    ("older", mean_of_runs(n_older)),
                    ("delay", mean_of_runs(delays)),
                ):
                    rows.append((*case, quantity, *interval, runs))
    return pd.DataFrame(rows, columns=list(DETECTIONS))


def inputs_needed(older: int, gap: float, delta: float) -> int:
    """The smallest number n1 of newer inputs for which a `gap` of means is more than 2 ε_cut.

    The window has n0 = `older` inputs from before the change. Raises ValueError if no n1 below
    100 n0 is enough.
    """
    # ε_cut grows with n1 as soon as n1 > n0 ln(4 (n0 + n1) / δ), so a larger n1 does not help.
    newer = np.arange(1, 100 * older)
    is_enough = gap > 2 * cut_threshold(older, newer, delta)
    if not is_enough.any():
        raise ValueError(f"A gap of {gap} is never detected with {older} older inputs.")
    return int(newer[is_enough.argmax()])
