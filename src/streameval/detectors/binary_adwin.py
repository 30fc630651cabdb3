"""ADWIN for zeros and ones: exactly the cuts of `adwin`, at a fraction of its cost.

The window is only needed when it is checked for a cut, after every 32 inputs. Between checks,
inputs are appended as bits to a word. At the check the word is processed:

- The last twelve inputs remain bits. In `adwin` they would be the buckets of one and of two inputs.
  Here the first row has buckets of four inputs, each of which is four bits of the word.
- A bucket is stored as its number of ones, from which its sum of squared deviations follows. Both
  are exact in buckets of up to 2**27 inputs, in any order of additions.
- Only the squared deviations of the window depend on rounding, so they are summed input by input.
- A check starts with bounds without divisions, which rule out nearly all cuts.

References
----------
Bifet and Gavaldà (2007), Learning from time-changing data with adaptive windowing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Codes, Floats, Integers
from streameval.compiled import lanes
from streameval.compiled.kernels import inlined, subkernel
from streameval.detectors.adwin import CLOCK, ROW_BUCKETS, SHORTEST_PART
from streameval.detectors.alarms import CHANGE, QUIET

#: An empty word. The bits after the leading 1 of a word are inputs, the oldest first.
EMPTY = 1
#: Number of the last inputs that remain bits after a word is processed. After a multiple of 32
#: inputs, `adwin` has four buckets of two inputs and four of one input.
N_LAST = 12
#: Number of inputs in a bucket of the first row.
SMALLEST_BUCKET = 4
# Columns of `BinaryAdwinState.counts`.
WIDTH = 0  # inputs in the window
ONES = 1  # ones in the window
ROWS = 2  # rows in use
LAST = 3  # word of the last inputs, without a leading 1
# Column of `BinaryAdwinState.bucket`, after the buckets and two unused columns.
N_BUCKETS = 7  # number of buckets in the row
#: Factor by which bounds are widened to allow for rounding.
MARGIN = 1.0 + 1e-6


class BinaryAdwinState(NamedTuple):
    """A pool of `d` independent ADWINs for zeros and ones, with `r` rows of buckets each.

    Row i has buckets of ``4 * 2**i`` inputs. All fields but `unread` are as of the last check.
    """

    unread: Integers  # (d,), word of the inputs since the last check
    counts: Integers  # (d, 4)
    deviations: Floats  # (d,), sum of the squared deviations of the window
    bucket: Codes  # (d, r, 8), ones in each bucket, oldest first; then number of buckets
    n_older: Floats  # (p,), scratch: number of inputs in the older part of each split
    older_ones: Floats  # (p,), scratch: number of ones in these parts; also see `_add_deviations`


def binary_start(count: int, longest: int = 2**31 - 1) -> BinaryAdwinState:
    """Make a pool of `count` empty ADWINs.

    Parameters
    ----------
    count : int
        Size of the pool.
    longest : int
        Maximum number of inputs of an ADWIN; a small number saves memory.
    """
    # Row i overflows only after 24 * 2**i inputs, so this many rows are enough.
    rows = max(1, longest.bit_length() - 3)
    # `_add_deviations` needs CLOCK + 1 numbers. `_list_older_parts` needs one for each bucket in
    # the rows, two for buckets in the last bits, and padding for the last lanes.
    parts = max(CLOCK + 1, ROW_BUCKETS * rows + 2 + lanes.WIDTH)
    return BinaryAdwinState(
        np.full(count, EMPTY, dtype=np.int64),
        np.zeros((count, 4), dtype=np.int64),
        np.zeros(count),
        np.zeros((count, rows, N_BUCKETS + 1), dtype=np.int32),
        np.zeros(parts),
        np.zeros(parts),
    )


@subkernel
def binary_reset(state: BinaryAdwinState, d: int) -> None:
    """Empty ADWIN `d`."""
    state.unread[d] = EMPTY
    state.counts[d] = 0
    state.deviations[d] = 0.0


@subkernel
def binary_copy(state: BinaryAdwinState, source: int, target: int) -> None:
    """Copy ADWIN `source` to ADWIN `target`."""
    state.unread[target], state.deviations[target] = state.unread[source], state.deviations[source]
    for column in range(state.counts.shape[1]):
        state.counts[target, column] = state.counts[source, column]
    for row in range(state.counts[source, ROWS]):
        for column in range(state.bucket.shape[2]):
            state.bucket[target, row, column] = state.bucket[source, row, column]


@inlined
def binary_window(state: BinaryAdwinState, d: int) -> tuple[int, int]:
    """Number of inputs and of ones in the window of ADWIN `d`."""
    width, ones, word = state.counts[d, WIDTH], state.counts[d, ONES], state.unread[d]
    while word > EMPTY:
        width, ones, word = width + 1, ones + (word & 1), word >> 1
    return width, ones


@inlined
def binary_mean(state: BinaryAdwinState, d: int) -> float:
    """Mean of the window of ADWIN `d`; NaN while it is empty."""
    width, ones = binary_window(state, d)
    return ones / width if width > 0 else np.nan


@inlined
def binary_push(state: BinaryAdwinState, d: int, bit: bool) -> bool:
    """Append an input to ADWIN `d`; the result is whether a check for a cut is due.

    If a check is due, `binary_check` must be the next call.
    """
    word = 2 * state.unread[d] + bit
    state.unread[d] = word
    return word >> CLOCK != 0


@inlined
def binary_insert(state: BinaryAdwinState, d: int, bit: bool, delta: float) -> bool:
    """Update ADWIN `d` with 1 or 0; the result is whether its window was cut."""
    return binary_push(state, d, bit) and binary_check(state, d, delta)[0]


@inlined
def binary_detect(state: BinaryAdwinState, d: int, bit: bool, delta: float) -> int:
    """Update ADWIN `d` with 1 or 0; the result is CHANGE if the mean has risen, otherwise QUIET."""
    if not binary_push(state, d, bit):
        return QUIET
    cut, old_mean = binary_check(state, d, delta)
    return CHANGE if cut and binary_mean(state, d) > old_mean else QUIET


@subkernel
def binary_check(state: BinaryAdwinState, d: int, delta: float) -> tuple[bool, float]:
    """Process a full word; return whether the window was cut, and the mean before its last bit."""
    old_mean = _add_word(state, d, state.unread[d] - (1 << CLOCK))  # without the leading 1
    cut = False
    while _needs_cut(state, d, delta):
        _drop_oldest(state, d)
        cut = True
    return cut, old_mean


@inlined
def _add_word(state: BinaryAdwinState, d: int, word: int) -> float:
    """Add 32 inputs to the window; the result is its mean before the last of them."""
    counts = state.counts[d]
    is_first, width, last = counts[WIDTH] == 0, counts[WIDTH] + CLOCK, word & 1
    ones = _add_deviations(state, d, word)
    counts[WIDTH], counts[ONES] = width, ones
    # The inputs that move into buckets: the previous last inputs, and the start of the word.
    leaving = (counts[LAST] << (CLOCK - N_LAST)) | (word >> N_LAST)
    counts[LAST] = word & ((1 << N_LAST) - 1)
    # Each group of four bits is replaced by its number of ones: first in pairs, then in fours.
    sums = leaving - ((leaving >> 1) & 0x55555555)
    sums = (sums & 0x33333333) + ((sums >> 2) & 0x33333333)
    n_leaving = CLOCK - N_LAST if is_first else CLOCK  # at first there are no previous last inputs
    for shift in range(n_leaving - SMALLEST_BUCKET, -1, -SMALLEST_BUCKET):
        _append(state, d, (sums >> shift) & 0xF)
    state.unread[d] = EMPTY
    return (ones - last) / (width - 1)


@inlined
def _add_deviations(state: BinaryAdwinState, d: int, word: int) -> int:
    """Add the squared deviations of 32 inputs; the result is the new number of ones."""
    scratch, width, ones = state.older_ones, float(state.counts[d, WIDTH]), state.counts[d, ONES]
    for i in range(CLOCK):
        scratch[i] = ones
        ones += (word >> (CLOCK - 1 - i)) & 1
    scratch[CLOCK] = ones
    for i in range(0, CLOCK, lanes.WIDTH):
        n_before, ones_before = lanes.count_from(width + i), lanes.load_at(scratch, i)
        inputs = lanes.load_at(scratch, i + 1) - ones_before
        difference = inputs - ones_before / n_before  # from the mean before
        deviation = n_before * difference * difference / (n_before + 1.0)
        # Before the very first input there is no mean.
        lanes.store(scratch, i, lanes.where(n_before > 0.0, deviation, lanes.fill(0.0)))
    deviations = state.deviations[d]
    for i in range(CLOCK):
        deviations += scratch[i]
    state.deviations[d] = deviations
    return ones


@inlined
def _append(state: BinaryAdwinState, d: int, ones: int) -> None:
    """Append a bucket to the first row, and merge the two oldest buckets of each full row."""
    # Unsigned indices: the compiler adds no code for negative indices.
    rows, row, buckets = np.uint64(state.counts[d, ROWS]), np.uint64(0), state.bucket[d]
    while row < rows and buckets[row, N_BUCKETS] == ROW_BUCKETS:
        full = buckets[row]
        merged = full[0] + full[1]
        full[0], full[1], full[2], full[3] = full[2], full[3], full[4], ones
        full[N_BUCKETS] = ROW_BUCKETS - 1
        ones, row = merged, row + np.uint64(1)
    if row == rows:
        state.counts[d, ROWS] += 1
        buckets[row, N_BUCKETS] = 0
    buckets[row, np.uint64(buckets[row, N_BUCKETS])] = ones
    buckets[row, N_BUCKETS] += 1


@inlined
def _needs_cut(state: BinaryAdwinState, d: int, delta: float) -> bool:
    """Whether the window has a split into parts whose means differ too much.

    The window has n inputs with u ones and the sum V of squared deviations. The older part has n0
    inputs with u0 ones, the newer part n1 inputs. Without the reduction of sizes by four, a cut
    would need |u0 n - u n0| > sqrt(2 V log n0 n1) + 2/3 log n, where log stands for `logarithm`.
    The reduction makes the bound larger, and the square of a sum is at least the sum of the
    squares. So each cut has (u0 n - u n0)² > 2 V log n0 n1 + (2/3 log n)². This test needs no roots
    or divisions.
    """
    n, ones = float(state.counts[d, WIDTH]), float(state.counts[d, ONES])
    logarithm = np.log(2.0 * np.log(n) / delta)
    slope = 2.0 * state.deviations[d] * logarithm / MARGIN
    constant = (2.0 / 3.0 * logarithm * n) ** 2 / MARGIN
    n_parts = _list_older_parts(state, d)
    for i in range(0, n_parts, lanes.WIDTH):
        n_older = lanes.load_at(state.n_older, i)
        difference = lanes.load_at(state.older_ones, i) * n - n_older * ones
        may_differ = difference * difference > slope * n_older * (n - n_older) + constant
        if not lanes.none_true(may_differ) and _some_part_differs(state, d, logarithm, i):
            return True
    return False


@inlined
def _list_older_parts(state: BinaryAdwinState, d: int) -> Any:
    """List the older parts of all splits with more than six newer inputs; return their number."""
    rows, last, buckets = state.counts[d, ROWS], state.counts[d, LAST], state.bucket[d]
    count, n_older, ones = np.uint64(0), 0.0, 0
    for i_row in range(np.uint64(rows)):
        row = np.uint64(rows - 1) - i_row  # the last row has the oldest buckets
        size, filled = float(SMALLEST_BUCKET << row), np.uint64(buckets[row, N_BUCKETS])
        for i in range(np.uint64(ROW_BUCKETS)):
            # Without a branch, as the processor cannot predict whether there are four or five.
            n_older += size if i < filled else 0.0
            ones += buckets[row, i] if i < filled else 0
            state.n_older[count], state.older_ones[count] = n_older, ones
            count += np.uint64(i < filled)
    # The first four of the last inputs are two buckets of two inputs. The next split would leave
    # only six newer inputs.
    for bit in (N_LAST - 1, N_LAST - 3):
        ones += ((last >> bit) & 1) + ((last >> (bit - 1)) & 1)
        n_older += 2.0
        state.n_older[count], state.older_ones[count] = n_older, ones
        count += np.uint64(1)
    lanes.store(state.n_older, count, lanes.fill(0.0))  # padding that never differs
    lanes.store(state.older_ones, count, lanes.fill(0.0))
    return count


@subkernel
def _some_part_differs(state: BinaryAdwinState, d: int, logarithm: float, first: int) -> bool:
    """Whether the mean of any of eight older parts differs too much from the newer part."""
    n, ones = float(state.counts[d, WIDTH]), float(state.counts[d, ONES])
    variance = state.deviations[d] / n
    for i in range(first, first + lanes.WIDTH):
        n_older, n_newer = state.n_older[i], n - state.n_older[i]
        if n_older > SHORTEST_PART + 1:
            older_size, newer_size = n_older - SHORTEST_PART + 1, n_newer - SHORTEST_PART + 1
            inverse_sizes = 1.0 / older_size + 1.0 / newer_size
            epsilon = (
                np.sqrt(2.0 * inverse_sizes * variance * logarithm)
                + 2.0 / 3.0 * logarithm * inverse_sizes
            )
            older_mean = state.older_ones[i] / n_older
            if abs(older_mean - (ones - state.older_ones[i]) / n_newer) > epsilon:
                return True
    return False


@subkernel
def _drop_oldest(state: BinaryAdwinState, d: int) -> None:
    counts, row = state.counts[d], state.counts[d, ROWS] - 1
    bucket, size = state.bucket[d, row], SMALLEST_BUCKET << row
    oldest = np.int64(bucket[0])
    counts[WIDTH] -= size
    counts[ONES] -= oldest
    width = counts[WIDTH]
    difference = oldest / size - counts[ONES] / width
    between = float(size) * width * difference * difference / (size + width)
    state.deviations[d] -= oldest * (size - oldest) / size + between
    for i in range(1, bucket[N_BUCKETS]):
        bucket[i - 1] = bucket[i]
    bucket[N_BUCKETS] -= 1
    if bucket[N_BUCKETS] == 0:
        counts[ROWS] = row
