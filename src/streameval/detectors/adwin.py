"""ADWIN as in MOA, compiled: an adaptive window over a sequence of numbers.

The window is stored as a histogram of buckets: row r has at most five buckets of 2**r inputs each,
oldest first. After every 32 inputs, the oldest buckets are dropped while any split of the window
into an older and a newer part has means that differ too much.

The test for a cut is MOA's, which differs from the paper's: δ' = δ / ln n with a factor 2 inside
the logarithm, an ε with a variance term, sizes reduced by four, and parts of at least seven inputs.

References
----------
Bifet and Gavaldà (2007), Learning from time-changing data with adaptive windowing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.base.params import StrictProportion, parameter
from streameval.compiled.kernels import kernel, subkernel
from streameval.detectors.alarms import CHANGE, QUIET, check_inputs
from streameval.detectors.detector import Detector, InputReader

#: Maximum number of buckets in a row. If there are more, the two oldest are merged into a bucket of
#: the next row.
ROW_BUCKETS = 5
#: Number of inputs between two checks for a cut.
CLOCK = 32
#: Windows of up to this many inputs are not checked for a cut.
SHORTEST_WINDOW = 10
#: MOA's constant. Both parts of a split have at least seven inputs, which is two more, and the test
#: for a cut reduces the sizes of both parts by four, which is one less.
SHORTEST_PART = 5


# Columns of `AdwinState.bucket` and `AdwinState.window`.
TOTAL = 0  # sum of the inputs
DEVIATIONS = 1  # sum of the squared deviations from the mean
# Columns of `AdwinState.counts`.
ROWS = 0  # rows in use
INPUTS = 1  # inputs so far
WIDTH = 2  # inputs in the window


class AdwinState(NamedTuple):
    """A pool of `d` independent ADWINs with up to `r` rows of buckets each.

    Related values share an array, as each argument of a compiled call costs time.
    """

    bucket: Floats  # (d, r, 6, 2); a row has a sixth bucket until two are merged
    n_buckets: Integers  # (d, r), number of buckets in each row
    window: Floats  # (d, 2)
    counts: Integers  # (d, 3)


class AdwinTrace(NamedTuple):
    """The window of an ADWIN after each input."""

    width: Integers  # (n,)
    mean: Floats  # (n,)
    cut: Flags  # (n,), whether the window was cut


def adwin_start(count: int, longest: int = 2**31 - 1) -> AdwinState:
    """Make a pool of `count` empty ADWINs.

    Parameters
    ----------
    count : int
        Size of the pool.
    longest : int
        Maximum number of inputs of an ADWIN; a small number saves memory.
    """
    # Row r overflows only after 6 * 2**r inputs, so this many rows are enough.
    rows = max(1, longest.bit_length() - 1)
    state = AdwinState(
        np.zeros((count, rows, ROW_BUCKETS + 1, 2)),
        np.zeros((count, rows), dtype=np.int64),
        np.zeros((count, 2)),
        np.zeros((count, 3), dtype=np.int64),
    )
    state.counts[:, ROWS] = 1
    return state


@kernel
def adwin_mean(state: AdwinState, d: int) -> float:
    """Mean of the window of ADWIN `d`; NaN while it is empty."""
    if state.counts[d, WIDTH] == 0:
        return np.nan
    return state.window[d, TOTAL] / state.counts[d, WIDTH]


@kernel
def adwin_insert(state: AdwinState, d: int, value: float, delta: float) -> bool:
    """Update ADWIN `d` with `value`; the result is whether its window was cut.

    A cut means that the mean has risen or fallen; see `adwin_detect`.
    """
    _append(state, d, value)
    state.counts[d, INPUTS] += 1
    if state.counts[d, INPUTS] % CLOCK != 0 or state.counts[d, WIDTH] <= SHORTEST_WINDOW:
        return False
    cut = False
    while _needs_cut(state, d, delta):
        _drop_oldest(state, d)
        cut = True
    return cut


@kernel
def adwin_detect(state: AdwinState, d: int, value: float, delta: float) -> int:
    """Update ADWIN `d` with `value`; the result is CHANGE if the mean has risen, otherwise QUIET.

    A fall is no change: a falling error rate is no reason to reset a model.
    """
    old_mean = adwin_mean(state, d)
    cut = adwin_insert(state, d, value, delta)
    return CHANGE if cut and adwin_mean(state, d) > old_mean else QUIET


@subkernel
def _append(state: AdwinState, d: int, value: float) -> None:
    slot = state.n_buckets[d, 0]
    state.bucket[d, 0, slot, TOTAL] = value
    state.bucket[d, 0, slot, DEVIATIONS] = 0.0
    state.n_buckets[d, 0] = slot + 1
    state.counts[d, WIDTH] += 1
    width = float(state.counts[d, WIDTH])
    if width > 1:
        deviation = value - state.window[d, TOTAL] / (width - 1)
        state.window[d, DEVIATIONS] += (width - 1) * deviation * deviation / width
    state.window[d, TOTAL] += value
    row = 0
    while state.n_buckets[d, row] > ROW_BUCKETS:
        _merge_oldest(state, d, row)
        row += 1
    state.counts[d, ROWS] = max(state.counts[d, ROWS], row + 1)


@subkernel
def _merge_oldest(state: AdwinState, d: int, row: int) -> None:
    """Merge the two oldest buckets of a row into a bucket of the next row."""
    size = float(1 << row)
    older, newer = state.bucket[d, row, 0, TOTAL], state.bucket[d, row, 1, TOTAL]
    difference = older / size - newer / size  # of the means
    slot = state.n_buckets[d, row + 1]
    state.bucket[d, row + 1, slot, TOTAL] = older + newer
    state.bucket[d, row + 1, slot, DEVIATIONS] = (
        state.bucket[d, row, 0, DEVIATIONS]
        + state.bucket[d, row, 1, DEVIATIONS]
        + size * size * difference * difference / (size + size)
    )
    state.n_buckets[d, row + 1] = slot + 1
    for bucket in range(2, state.n_buckets[d, row]):
        state.bucket[d, row, bucket - 2, TOTAL] = state.bucket[d, row, bucket, TOTAL]
        state.bucket[d, row, bucket - 2, DEVIATIONS] = state.bucket[d, row, bucket, DEVIATIONS]
    state.n_buckets[d, row] -= 2


@subkernel
def _needs_cut(state: AdwinState, d: int, delta: float) -> bool:
    """Whether the window has a split into parts whose means differ too much."""
    n_newer, newer_total = state.counts[d, WIDTH], state.window[d, TOTAL]
    n_older, older_total = 0, 0.0
    variance = state.window[d, DEVIATIONS] / n_newer
    logarithm = np.log(2.0 * np.log(float(n_newer)) / delta)
    for row in range(state.counts[d, ROWS] - 1, -1, -1):
        size = 1 << row
        for bucket in range(state.n_buckets[d, row]):
            n_older += size
            n_newer -= size
            if n_newer <= SHORTEST_PART + 1:
                return False
            older_total += state.bucket[d, row, bucket, TOTAL]
            newer_total -= state.bucket[d, row, bucket, TOTAL]
            if n_older <= SHORTEST_PART + 1:
                continue
            older_size, newer_size = n_older - SHORTEST_PART + 1, n_newer - SHORTEST_PART + 1
            inverse_sizes = 1.0 / older_size + 1.0 / newer_size
            epsilon = (
                np.sqrt(2.0 * inverse_sizes * variance * logarithm)
                + 2.0 / 3.0 * logarithm * inverse_sizes
            )
            if abs(older_total / n_older - newer_total / n_newer) > epsilon:
                return True
    return False


@subkernel
def _drop_oldest(state: AdwinState, d: int) -> None:
    row = state.counts[d, ROWS] - 1
    size, oldest = 1 << row, state.bucket[d, row, 0, TOTAL]
    state.counts[d, WIDTH] -= size
    state.window[d, TOTAL] -= oldest
    width = state.counts[d, WIDTH]
    difference = oldest / size - state.window[d, TOTAL] / width
    between = float(size) * width * difference * difference / (size + width)
    state.window[d, DEVIATIONS] -= state.bucket[d, row, 0, DEVIATIONS] + between
    for bucket in range(1, state.n_buckets[d, row]):
        state.bucket[d, row, bucket - 1, TOTAL] = state.bucket[d, row, bucket, TOTAL]
        state.bucket[d, row, bucket - 1, DEVIATIONS] = state.bucket[d, row, bucket, DEVIATIONS]
    state.n_buckets[d, row] -= 1
    if state.n_buckets[d, row] == 0:
        state.counts[d, ROWS] = row


@kernel
def _trace(
    state: AdwinState, values: Floats, delta: float, width: Integers, mean: Floats, cut: Flags
) -> None:
    for t in range(len(values)):
        cut[t] = adwin_insert(state, 0, values[t], delta)
        width[t] = state.counts[0, WIDTH]
        mean[t] = adwin_mean(state, 0)


@kernel
def _run(state: AdwinState, values: Floats, delta: float, signals: Integers) -> int:
    """Write the signals up to the first change; return their number."""
    for t in range(len(values)):
        signals[t] = adwin_detect(state, 0, values[t], delta)
        if signals[t] == CHANGE:
            return t + 1
    return len(values)


def check_delta(delta: float) -> float:
    """Check ADWIN's confidence parameter."""
    if not 0 < delta < 1:
        raise ConfigError(
            f"ADWIN: expected delta between 0 and 1, found {delta}. MOA's default is 0.002."
        )
    return float(delta)


def adwin_trace(values: ArrayLike, delta: float = 0.002) -> AdwinTrace:
    """Run an ADWIN over a sequence.

    Parameters
    ----------
    values : array-like of float, shape (n,)
        The inputs in order.
    delta : float
        Confidence parameter, between 0 and 1; smaller values cut less often.

    Returns
    -------
    AdwinTrace
        Width and mean of the window after each input, and whether it was cut after the input.

    Raises
    ------
    ConfigError
        If `delta` is out of range.
    DataError
        If an input is not finite.
    """
    x = check_inputs("ADWIN", values)
    trace = AdwinTrace(
        np.empty(len(x), dtype=np.int64), np.empty(len(x)), np.empty(len(x), dtype=np.bool_)
    )
    _trace(adwin_start(1, len(x)), x, check_delta(delta), *trace)
    return trace


@dataclass(frozen=True)
class ADWIN(Detector):
    """Adaptive windowing: signal when the mean of an adaptive window rises.

    The window drops its oldest inputs while their mean differs from the mean of the newer inputs. A
    large rise is signalled several times while the window drops inputs.
    """

    delta: StrictProportion = parameter(
        "confidence parameter; smaller values detect fewer changes", 0.002
    )

    name: ClassVar[str] = "adwin"
    title: ClassVar[str] = "ADWIN"
    reference: ClassVar[str] = "Bifet, Gavaldà (2007)"

    def _begin(self, seed: int) -> InputReader:
        state = adwin_start(1)
        return lambda x, signals: int(_run(state, x, self.delta, signals))
