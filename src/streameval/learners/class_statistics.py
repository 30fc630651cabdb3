"""Class-conditional statistics of the attributes.

A *slot* holds what one Naive Bayes model, or one leaf of a tree, knows: for each class and
numeric attribute a running Gaussian, for each class and nominal attribute counts of the
values. The arithmetic of the statistics is MOA's, operation for operation.

Arrays of the hot loops are flat and indexed by unsigned integers: numba turns such loops
into vector instructions, and only such loops.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.kernels import inlined, part
from streameval.streams.stream import Schema

#: Stands for 1/(2·variance) of a constant: any other value than the mean is impossible.
POINT_MASS = 1e300
#: Gaussians outside these variances are left to the exact path of `bayes`: single precision,
#: in which their inverses are taken, ends not far beyond.
SMALLEST_VARIANCE, LARGEST_VARIANCE = 1e-25, 1e25
#: Squares of smaller numbers are lost, and with them the difference from a constant.
SMALLEST_VALUE = 1e-100

#: Kinds of a class in a slot: never seen, fit for sums of logarithms, and not.
EMPTY, REGULAR, IRREGULAR = 0, 1, 2


class Statistics(NamedTuple):
    """Statistics of a pool of slots.

    Shapes: s slots, k classes, q numeric attributes padded to `width`, a multiple of four,
    j nominal attributes, v values of all nominal attributes together. Flat arrays are
    indexed by ``(slot * k + class) * width + attribute``.
    """

    numeric: NDArray[np.int64]  # (q,) their columns
    run_start: NDArray[np.uint64]  # (r,) first columns of the runs of numeric columns
    run_length: NDArray[np.int64]  # (r,)
    nominal: NDArray[np.int64]  # (j,) their columns
    offset: NDArray[np.int64]  # (j + 1,) start of each nominal attribute's values
    position: NDArray[np.int64]  # (m,) place among the numeric, or -1 - place among the nominal
    mean: NDArray[np.float64]  # flat; +inf before the first observation
    squares: NDArray[np.float64]  # flat; sum of squared deviations
    weight: NDArray[np.float64]  # flat
    inverse: NDArray[np.float64]  # flat; 1/(2·variance), 0 in the padding
    counts: NDArray[np.float64]  # (s, k, v)
    total: NDArray[np.float64]  # (s, k, j)
    top: NDArray[np.int64]  # (s, k, j) highest value seen + 1
    share: NDArray[np.float64]  # (s, k, j) 1/(total + top), 0 before the first observation
    log_peak: NDArray[np.float64]  # (s, k) log of the class weight times the densities' maxima
    magnitude: NDArray[np.float64]  # (s, k) at least the sum of the latters' absolute logs
    unseen: NDArray[np.int64]  # (s, k) numeric attributes without an observation
    kind: NDArray[np.uint8]  # (s, k) EMPTY, REGULAR or IRREGULAR
    x: NDArray[np.float64]  # (width,) numeric values of the instance at hand
    peak: NDArray[np.float64]  # (width,) scratch of `observe`
    score: NDArray[np.float64]  # (k,) scratch of `label`


def make(schema: Schema, slots: int) -> Statistics:
    """Return empty statistics with room for `slots` slots."""
    n_values = schema.n_values
    numeric, nominal = np.flatnonzero(n_values == 0), np.flatnonzero(n_values > 0)
    q, j, k = len(numeric), len(nominal), max(schema.n_classes, 1)
    width = -(-q // 4) * 4
    position = np.zeros(len(n_values), dtype=np.int64)
    position[numeric] = np.arange(q)
    position[nominal] = -1 - np.arange(j)
    offset = np.concatenate(([0], np.cumsum(n_values[nominal]))).astype(np.int64)
    flat = slots * k * width
    mean, inverse = np.zeros((slots * k, width)), np.zeros((slots * k, width))
    mean[:, :q], inverse[:, :q] = np.inf, POINT_MASS
    first = np.flatnonzero(np.diff(numeric, prepend=-2) != 1)
    return Statistics(
        numeric=numeric.astype(np.int64),
        run_start=numeric[first].astype(np.uint64),
        run_length=np.diff(np.append(first, q)),
        nominal=nominal.astype(np.int64),
        offset=offset,
        position=position,
        mean=mean.reshape(flat),
        squares=np.zeros(flat),
        weight=np.zeros(flat),
        inverse=inverse.reshape(flat),
        counts=np.zeros((slots, k, int(offset[-1]))),
        total=np.zeros((slots, k, j)),
        top=np.zeros((slots, k, j), dtype=np.int64),
        share=np.zeros((slots, k, j)),
        log_peak=np.zeros((slots, k)),
        magnitude=np.zeros((slots, k)),
        unseen=np.full((slots, k), q),
        kind=np.full((slots, k), EMPTY, dtype=np.uint8),
        x=np.zeros(width),
        peak=np.ones(width),
        score=np.zeros(k),
    )


#: The fields of which each slot has its own part.
POOLED = (
    *("mean", "squares", "weight", "inverse", "counts", "total", "top", "share"),
    *("log_peak", "magnitude", "unseen", "kind"),
)


def slot_bytes(stats: Statistics, slots: int) -> int:
    """Return the bytes that one slot takes of a pool of `slots`."""
    return sum(getattr(stats, name).nbytes for name in POOLED) // slots


def grown(stats: Statistics, schema: Schema, old: int, new: int) -> Statistics:
    """Return the same statistics in a pool of `new` instead of `old` slots."""
    larger = make(schema, new)
    for name in POOLED:
        source = getattr(stats, name)
        getattr(larger, name).reshape(new, -1)[:old] = source.reshape(old, -1)
    return larger


@part
def clear(stats: Statistics, slot: int) -> None:
    """Forget all that a slot has seen."""
    k, q, width = stats.score.shape[0], stats.numeric.shape[0], stats.x.shape[0]
    for i in range(slot * k * width, (slot + 1) * k * width):
        within = i % width
        stats.mean[i] = np.inf if within < q else 0.0
        stats.inverse[i] = POINT_MASS if within < q else 0.0
        stats.squares[i] = stats.weight[i] = 0.0
    stats.counts[slot] = 0.0
    stats.total[slot] = 0.0
    stats.top[slot] = 0
    stats.share[slot] = 0.0
    stats.log_peak[slot] = 0.0
    stats.magnitude[slot] = 0.0
    stats.unseen[slot] = q
    stats.kind[slot] = EMPTY


@inlined
def load(stats: Statistics, row: NDArray[np.float64]) -> bool:
    """Bring an instance's numeric values into place; tell whether logarithms may be added up.

    It may not where values are missing, infinite, or next to zero.
    """
    place, one = np.uint64(0), np.uint64(1)
    for r in range(stats.run_start.shape[0]):
        column = stats.run_start[r]
        for _ in range(stats.run_length[r]):
            stats.x[place] = row[column]
            place, column = place + one, column + one
    unfit = 0
    for i in range(np.uint64(0), np.uint64(stats.x.shape[0])):
        size = abs(stats.x[i])
        unfit += 0 if (size == 0.0) | ((size >= SMALLEST_VALUE) & (size < np.inf)) else 1
    whole = unfit == 0
    for j in range(stats.nominal.shape[0]):
        value = row[stats.nominal[j]]
        whole &= value == value
    return whole


@inlined
def observe(
    stats: Statistics,
    slot: int,
    y: int,
    w: float,
    row: NDArray[np.float64],
    whole: bool,
    prior: float,
) -> None:
    """Learn one instance, brought into place by `load`, with weight `w`.

    `prior` is the weight of its class, this instance included.
    """
    width = np.uint64(stats.x.shape[0])
    base = np.uint64(slot * stats.score.shape[0] + y) * width
    if whole and stats.unseen[slot, y] == 0:
        _observe_whole(stats, slot, y, base, w, prior)
    else:
        _observe_with_gaps(stats, slot, y, base, w, prior)
    for j in range(stats.nominal.shape[0]):
        value = row[stats.nominal[j]]
        if value == value:
            v = int(value)
            stats.counts[slot, y, stats.offset[j] + v] += w
            stats.total[slot, y, j] += w
            stats.top[slot, y, j] = max(stats.top[slot, y, j], v + 1)
            stats.share[slot, y, j] = 1.0 / (stats.total[slot, y, j] + stats.top[slot, y, j])


@inlined
def _updated(x: float, mean: float, squares: float, total: float, w: float) -> tuple[float, float]:
    """Return mean and sum of squares after one more value; `total` includes its weight."""
    delta = x - mean
    later = mean + w * delta / total
    return later, squares + w * delta * (x - later)


@inlined
def _derived(mean: float, squares: float, weight: float) -> tuple[float, float, bool]:
    """Return 1/(2·variance), the square of the highest density, and whether both are sound.

    A constant has density 1. What must be neither tiny nor huge is the variance, or the
    value of a constant. All this by selection and not by branches, which vectors lack.
    """
    freedom = weight - 1.0
    spread = (squares > 0.0) & (freedom > 0.0)
    # Single precision divides twice as fast. What is kept of it only helps to find the class
    # whose vote is then beyond doubt; see `bayes.CLOSE`.
    inverse = float(np.float32(0.5 * freedom) / np.float32(squares if spread else 1.0))
    size = squares if spread else abs(mean)
    low = SMALLEST_VARIANCE * freedom if spread else SMALLEST_VALUE
    high = LARGEST_VARIANCE * freedom if spread else np.inf
    sound = ((size > low) & (size <= high)) | (size == 0.0)
    return (
        inverse if spread else POINT_MASS,
        inverse * (1.0 / math.pi) if spread else 1.0,
        sound,
    )


@inlined
def _observe_whole(
    stats: Statistics, slot: int, y: int, base: np.uint64, w: float, prior: float
) -> None:
    """Update the Gaussians at `base`, and what is derived from them.

    The squares of the highest densities are multiplied, those above 1 and those below apart:
    two logarithms then give the sum of the densities' logarithms, and of their absolute values.
    """
    one, width = np.uint64(1), np.uint64(stats.x.shape[0])
    unsound = 0
    for j in range(np.uint64(0), width):
        i = base + j
        weight = stats.weight[i] + w
        mean, squares = _updated(stats.x[j], stats.mean[i], stats.squares[i], weight, w)
        inverse, peak, sound = _derived(mean, squares, weight)
        stats.weight[i], stats.mean[i], stats.squares[i] = weight, mean, squares
        stats.inverse[i], stats.peak[j] = inverse, peak
        unsound += 0 if sound else 1
    log_above, log_below = 0.0, 0.0
    above, below = prior * prior, 1.0
    at = np.uint64(0)
    while at < width:
        p, q = stats.peak[at], stats.peak[at + one]
        r, s = stats.peak[at + one + one], stats.peak[at + one + one + one]
        above *= (max(p, 1.0) * max(q, 1.0)) * (max(r, 1.0) * max(s, 1.0))
        below *= (min(p, 1.0) * min(q, 1.0)) * (min(r, 1.0) * min(s, 1.0))
        at += one + one + one + one
        if above > 1e60 or below < 1e-60:
            log_above, above = log_above + math.log(above), 1.0
            log_below, below = log_below + math.log(below), 1.0
    log_above, log_below = log_above + math.log(above), log_below + math.log(below)
    _keep(stats, slot, y, log_above, log_below, unsound == 0)


@part
def _observe_with_gaps(
    stats: Statistics, slot: int, y: int, base: np.uint64, w: float, prior: float
) -> None:
    """Do as `_observe_whole` where values are missing or new."""
    log_above, log_below, sound = 2.0 * math.log(prior), 0.0, True
    for j in range(np.uint64(0), np.uint64(stats.numeric.shape[0])):
        i, value = base + j, stats.x[j]
        if math.isfinite(value):
            if stats.weight[i] == 0.0:
                stats.mean[i] = value
                stats.unseen[slot, y] -= 1
            stats.weight[i] += w
            stats.mean[i], stats.squares[i] = _updated(
                value, stats.mean[i], stats.squares[i], stats.weight[i], w
            )
        stats.inverse[i], peak, sound_here = _derived(
            stats.mean[i], stats.squares[i], stats.weight[i]
        )
        log_above += math.log(max(peak, 1.0))
        log_below += math.log(min(peak, 1.0))
        sound = sound and sound_here
    _keep(stats, slot, y, log_above, log_below, sound)


@inlined
def _keep(
    stats: Statistics,
    slot: int,
    y: int,
    log_above: float,
    log_below: float,
    sound: bool,
) -> None:
    stats.log_peak[slot, y] = 0.5 * (log_above + log_below)
    stats.magnitude[slot, y] = 0.5 * (log_above - log_below)
    stats.kind[slot, y] = REGULAR if sound else IRREGULAR


@inlined
def standard_deviation(stats: Statistics, i: int) -> float:
    """Return the standard deviation of the Gaussian at flat index `i`; 0 up to weight 1."""
    weight = stats.weight[i]
    return math.sqrt(stats.squares[i] / (weight - 1.0)) if weight > 1.0 else 0.0


@inlined
def density(stats: Statistics, i: int, deviation: float, value: float) -> float:
    """Return the Gaussian density at flat index `i`, whose standard deviation is known.

    A constant has density 1 at its value.
    """
    if stats.weight[i] <= 0.0:
        return 0.0
    if deviation > 0.0:
        difference = value - stats.mean[i]
        return (1.0 / (math.sqrt(2.0 * math.pi) * deviation)) * math.exp(
            -(difference * difference / (2.0 * deviation * deviation))
        )
    return 1.0 if value == stats.mean[i] else 0.0
