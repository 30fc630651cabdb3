"""Class-conditional statistics of the attributes, and Naive Bayes on them.

A *slot* holds what one Naive Bayes model, or one leaf of a tree, knows: for each class and
numeric attribute a running Gaussian, for each class and nominal attribute counts of the
values. The arithmetic of the statistics is MOA's, operation for operation.

Answers are MOA's too, though MOA multiplies densities and this module adds logarithms. Two
things can tell these apart: products of densities that under- or overflow, and classes so
close that rounding decides. `label` notices both and then multiplies as MOA does.

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
#: Gaussians outside these variances are left to the exact path.
SMALLEST_VARIANCE, LARGEST_VARIANCE = 1e-280, 1e280
#: Logarithmic scores that differ by less are compared by the exact path.
CLOSE = 1e-9
#: exp(-708) is the smallest normal double; the prior takes up to 50 of that.
SAFE = 650.0
#: A product of densities below exp(-900) is exactly zero, denormal steps included.
IMPOSSIBLE = 900.0
#: Attributes between two looks at whether a class has become impossible.
BLOCK = np.uint64(16)

LOG_2 = math.log(2.0)
#: Parts of the bits of a double.
MANTISSA, EXPONENT_OF_ONE = np.uint64(2**52 - 1), np.uint64(1023 << 52)

EMPTY, REGULAR, IRREGULAR = 0, 1, 2


class Statistics(NamedTuple):
    """Statistics of a pool of slots.

    Shapes: s slots, k classes, q numeric attributes padded to `width`, a multiple of four,
    j nominal attributes, v values of all nominal attributes together. Flat arrays are
    indexed by ``(slot * k + class) * width + attribute``.
    """

    numeric: NDArray[np.int64]  # (q,) their columns
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
    log_norm: NDArray[np.float64]  # (s, k) sum of the logarithms of the densities' maxima
    magnitude: NDArray[np.float64]  # (s, k) at least the sum of their absolute values
    unseen: NDArray[np.int64]  # (s, k) numeric attributes without an observation
    kind: NDArray[np.uint8]  # (s, k) EMPTY, REGULAR or IRREGULAR
    x: NDArray[np.float64]  # (width,) numeric values of the instance at hand
    factor: NDArray[np.float64]  # (width,) scratch of `_refresh`, and its bits
    bits: NDArray[np.uint64]
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
    factor = np.ones(width)
    return Statistics(
        numeric=numeric.astype(np.int64),
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
        log_norm=np.zeros((slots, k)),
        magnitude=np.zeros((slots, k)),
        unseen=np.full((slots, k), q),
        kind=np.full((slots, k), EMPTY if len(n_values) else REGULAR, dtype=np.uint8),
        x=np.zeros(width),
        factor=factor,
        bits=factor.view(np.uint64),
        score=np.zeros(k),
    )


#: The fields of which each slot has its own part.
POOLED = (
    *("mean", "squares", "weight", "inverse", "counts", "total", "top", "share"),
    *("log_norm", "magnitude", "unseen", "kind"),
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
    stats.log_norm[slot] = 0.0
    stats.magnitude[slot] = 0.0
    stats.unseen[slot] = q
    stats.kind[slot] = EMPTY if stats.position.shape[0] > 0 else REGULAR


@inlined
def load(stats: Statistics, row: NDArray[np.float64]) -> bool:
    """Bring an instance's numeric values into place; tell whether all values are there."""
    nothing = 0.0
    for i in range(stats.numeric.shape[0]):
        value = row[stats.numeric[i]]
        stats.x[i] = value
        nothing += value - value  # NaN if the value is missing or infinite
    for j in range(stats.nominal.shape[0]):
        value = row[stats.nominal[j]]
        nothing += value - value
    return nothing == 0.0


@inlined
def observe(
    stats: Statistics, slot: int, y: int, w: float, row: NDArray[np.float64], whole: bool
) -> None:
    """Learn one instance, brought into place by `load`, with weight `w`."""
    width = np.uint64(stats.x.shape[0])
    base = np.uint64(slot * stats.score.shape[0] + y) * width
    if whole and stats.unseen[slot, y] == 0:
        for j in range(np.uint64(0), width):
            i = base + j
            total = stats.weight[i] + w
            delta = stats.x[j] - stats.mean[i]
            mean = stats.mean[i] + w * delta / total
            stats.weight[i] = total
            stats.squares[i] += w * delta * (stats.x[j] - mean)
            stats.mean[i] = mean
    else:
        _observe_with_gaps(stats, slot, y, base, w)
    for j in range(stats.nominal.shape[0]):
        value = row[stats.nominal[j]]
        if value == value:
            v = int(value)
            stats.counts[slot, y, stats.offset[j] + v] += w
            stats.total[slot, y, j] += w
            stats.top[slot, y, j] = max(stats.top[slot, y, j], v + 1)
            stats.share[slot, y, j] = 1.0 / (stats.total[slot, y, j] + stats.top[slot, y, j])
    _refresh(stats, slot, y, base)


@part
def _observe_with_gaps(stats: Statistics, slot: int, y: int, base: np.uint64, w: float) -> None:
    """Update the Gaussians at `base` where values are missing or new."""
    for j in range(np.uint64(0), np.uint64(stats.numeric.shape[0])):
        i, value = base + j, stats.x[j]
        if not math.isfinite(value):
            continue
        if stats.weight[i] == 0.0:
            stats.mean[i] = value
            stats.weight[i] = w
            stats.unseen[slot, y] -= 1
        else:
            stats.weight[i] += w
            delta = value - stats.mean[i]
            stats.mean[i] += w * delta / stats.weight[i]
            stats.squares[i] += w * delta * (value - stats.mean[i])


@inlined
def _refresh(stats: Statistics, slot: int, y: int, base: np.uint64) -> None:
    """Bring what is derived from the Gaussians of a class up to date.

    The logarithms of the densities' maxima are added up by adding binary exponents and
    multiplying mantissas: one call of `log` instead of one for each attribute.
    """
    width, one = np.uint64(stats.x.shape[0]), np.uint64(1)
    irregular = 0
    for j in range(np.uint64(0), width):
        i = base + j
        squares, freedom = stats.squares[i], stats.weight[i] - 1.0
        spread = squares > 0.0 and freedom > 0.0
        inverse = 0.5 * freedom / (squares if spread else 1.0)
        stats.inverse[i] = inverse if spread else POINT_MASS
        stats.factor[j] = inverse * (1.0 / math.pi) if spread else 1.0
        regular = squares > SMALLEST_VARIANCE * freedom and squares < LARGEST_VARIANCE * freedom
        irregular += 1 if spread and not regular else 0
    doublings, magnitude = np.int64(0), np.int64(0)
    for j in range(np.uint64(0), width):
        exponent = np.int64(stats.bits[j] >> np.uint64(52)) - 1023
        doublings += exponent
        magnitude += abs(exponent) + 1
        stats.bits[j] = (stats.bits[j] & MANTISSA) | EXPONENT_OF_ONE
    log_mantissas, p0, p1 = 0.0, 1.0, 1.0
    start = np.uint64(0)
    while start < width:
        p0 *= stats.factor[start] * stats.factor[start + one]
        p1 *= stats.factor[start + one + one] * stats.factor[start + one + one + one]
        start += one + one + one + one
        if p0 * p1 > 1e250:
            log_mantissas += math.log(p0 * p1)
            p0, p1 = 1.0, 1.0
    log_mantissas += math.log(p0 * p1)
    stats.log_norm[slot, y] = 0.5 * (LOG_2 * doublings + log_mantissas)
    stats.magnitude[slot, y] = 0.5 * LOG_2 * magnitude
    stats.kind[slot, y] = REGULAR if irregular == 0 else IRREGULAR


@inlined
def _log_score(
    stats: Statistics, slot: int, c: int, log_prior: float, row: NDArray[np.float64]
) -> tuple[float, bool]:
    """Return the logarithm of a class's vote, and whether multiplication would get it right.

    -inf stands for a vote of exactly zero.
    """
    if stats.kind[slot, c] != REGULAR:
        return (-np.inf, True) if stats.kind[slot, c] == EMPTY else (np.inf, False)
    magnitude = stats.magnitude[slot, c]
    distance = _distance(stats, slot, c, magnitude + IMPOSSIBLE)
    if distance > magnitude + IMPOSSIBLE and magnitude < SAFE:
        return -np.inf, True
    chance, product = 0.0, 1.0
    for j in range(stats.nominal.shape[0]):
        v = stats.offset[j] + int(row[stats.nominal[j]])
        product *= (stats.counts[slot, c, v] + 1.0) * stats.share[slot, c, j]
        if product < 1e-140:
            if product == 0.0:
                return -np.inf, True
            chance += math.log(product)
            product = 1.0
    if product != 1.0:
        chance += math.log(product)
    score = log_prior + stats.log_norm[slot, c] - distance + chance
    return score, distance - chance + magnitude < SAFE


@inlined
def _distance(stats: Statistics, slot: int, c: int, enough: float) -> float:
    """Return the sum of (x - mean)²/(2·variance), or some number above `enough`."""
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    width = np.uint64(stats.x.shape[0])
    base = np.uint64(slot * stats.score.shape[0] + c) * width
    mean, inverse, x = stats.mean, stats.inverse, stats.x
    distance = 0.0
    j = np.uint64(0)
    while j < width:
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        stop = min(j + BLOCK, width)
        while j < stop:
            i = base + j
            d0, d1 = x[j] - mean[i], x[j + one] - mean[i + one]
            d2, d3 = x[j + two] - mean[i + two], x[j + three] - mean[i + three]
            s0 += d0 * d0 * inverse[i]
            s1 += d1 * d1 * inverse[i + one]
            s2 += d2 * d2 * inverse[i + two]
            s3 += d3 * d3 * inverse[i + three]
            j += four
        distance += (s0 + s1) + (s2 + s3)
        if distance > enough:
            break
    return distance


@inlined
def label(
    stats: Statistics,
    slot: int,
    prior: NDArray[np.float64],
    log_prior: NDArray[np.float64],
    row: NDArray[np.float64],
    whole: bool,
) -> int:
    """Return the class of the highest vote, the first of equals; 0 if all votes are zero.

    `prior` (k,) holds class weights and `log_prior` (k,) their logarithms, -inf for 0.
    """
    if not whole:
        return exact_label(stats, slot, prior, row)
    best, second, doubtful, answer = -np.inf, -np.inf, -np.inf, 0
    for c in range(prior.shape[0]):
        if log_prior[c] == -np.inf:
            continue
        score, certain = _log_score(stats, slot, c, log_prior[c], row)
        if not certain:
            doubtful = max(doubtful, score)
        elif score > best:
            best, second, answer = score, best, c
        elif score > second:
            second = score
    # Rounding among denormal numbers can double a product at each of its factors.
    doubtful += LOG_2 * stats.position.shape[0]
    if best - max(second, doubtful) > CLOSE:
        return answer
    if best == -np.inf and doubtful == -np.inf:
        return 0
    return exact_label(stats, slot, prior, row)


@part
def exact_label(
    stats: Statistics, slot: int, prior: NDArray[np.float64], row: NDArray[np.float64]
) -> int:
    """Return what `label` returns, by multiplying densities in the order of the attributes."""
    votes(stats, slot, prior, row, stats.score)
    best, answer = stats.score[0], 0
    for c in range(1, prior.shape[0]):
        if stats.score[c] > best:
            best, answer = stats.score[c], c
    return answer


@part
def votes(
    stats: Statistics,
    slot: int,
    prior: NDArray[np.float64],
    row: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Write the product of prior and densities of each class to `out` (k,), not normalised."""
    k, width = prior.shape[0], stats.x.shape[0]
    total = 0.0
    for c in range(k):
        total += prior[c]
    for c in range(k):
        vote = prior[c] / total if total > 0.0 else 0.0
        for i in range(row.shape[0]):
            value, place = row[i], stats.position[i]
            if value != value:
                continue
            if place >= 0:
                vote *= density(stats, (slot * k + c) * width + place, value)
            else:
                j = -1 - place
                if stats.total[slot, c, j] > 0.0:
                    count = stats.counts[slot, c, stats.offset[j] + int(value)]
                    vote *= (count + 1.0) / (stats.total[slot, c, j] + stats.top[slot, c, j])
                else:
                    vote = vote * 0.0
        out[c] = vote


@part
def standard_deviation(stats: Statistics, i: int) -> float:
    """Return the standard deviation of the Gaussian at flat index `i`; 0 up to weight 1."""
    weight = stats.weight[i]
    return math.sqrt(stats.squares[i] / (weight - 1.0)) if weight > 1.0 else 0.0


@part
def density(stats: Statistics, i: int, value: float) -> float:
    """Return the Gaussian density at flat index `i`; a constant has density 1 at its value."""
    if stats.weight[i] <= 0.0:
        return 0.0
    deviation = standard_deviation(stats, i)
    if deviation > 0.0:
        difference = value - stats.mean[i]
        return (1.0 / (math.sqrt(2.0 * math.pi) * deviation)) * math.exp(
            -(difference * difference / (2.0 * deviation * deviation))
        )
    return 1.0 if value == stats.mean[i] else 0.0
