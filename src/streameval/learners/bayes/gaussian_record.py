"""Running Gaussians of the numeric attributes of one class.

They form a *record*, one block of memory: first what is derived from all attributes, then the
attributes in blocks of eight (see `lanes`), then of each block eight means, eight sums of
squares, and so on. Many records lie one after the other in a flat array.
"""

from __future__ import annotations

import math

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled import lanes
from streameval.compiled.approximate import log_ceiling, log_floor, rough_log
from streameval.compiled.java_exp import java_exp
from streameval.compiled.kernels import inlined, part
from streameval.compiled.lanes import WIDTH, Lanes, fill, where

#: Places in a record, before the blocks. Logarithm of the class weight times the densities'
#: maxima; a sum of the absolute logarithms of these, infinite where logarithms cannot stand for
#: densities. UNSEEN before the first instance, 1 while all instances have been complete (see
#: `load`), less after one that was not. Bounds within which the derived terms stay useful.
LOG_PEAK, MAGNITUDE, EASY, BOUND, PRIOR_BOUND = range(5)
UNSEEN = 2.0
HEAD = 8
#: Places in a block: mean (0 before the first observation), sum of squared deviations,
#: weight, 1/(2·variance), smallest and largest value.
MEAN, SQUARES, WEIGHT, INVERSE, LOW, HIGH = (i * WIDTH for i in range(6))
BLOCK = 6 * WIDTH

#: Variances and class weights may change by that part before terms are derived from them again.
STALENESS = 1.0 / 1024.0
#: Up to that class weight it is cheaper to do so after every instance.
YOUTH = 8192.0
#: Stands for 1/(2·variance) of a constant: any other value than the mean is impossible.
POINT_MASS = 1e300
#: Gaussians whose highest density, squared, is outside these bounds are left to the exact path
#: of `bayes`. Within, thirty-two and the square of the class weight can be multiplied.
SMALLEST_PEAK, LARGEST_PEAK = 1e-25, 1e25
#: Squares of smaller numbers are lost, and with them the difference from a constant.
SMALLEST_VALUE = 1e-100
#: Smaller class weights are left to the exact path: their squares are lost.
SMALLEST_PRIOR = 1e-50
#: Blocks of which the highest densities are multiplied before a logarithm is taken.
GROUP = 4


def empty_record(blocks: int) -> Floats:
    """Return the record of an unseen class."""
    record = np.zeros(HEAD + blocks * BLOCK)
    record[LOG_PEAK], record[EASY] = -np.inf, UNSEEN
    for at in range(HEAD, len(record), BLOCK):
        record[at + INVERSE : at + INVERSE + WIDTH] = POINT_MASS
        record[at + LOW : at + LOW + WIDTH] = np.inf
        record[at + HIGH : at + HIGH + WIDTH] = -np.inf
    return record


@inlined
def offset_of(place: int) -> int:
    """Return where in a record the Gaussian of a numeric attribute is."""
    return HEAD + place // WIDTH * BLOCK + place % WIDTH


@inlined
def observe(
    records: Floats, record: int, blocks: int, x: Floats, w: float, prior: float, complete: bool
) -> None:
    """Update the record at `record` with the values of an instance.

    `prior` is the weight of the class, this instance included; `complete` tells that no value
    is missing, infinite or next to zero. Derived terms stay until their relative error could
    exceed `STALENESS`: sums of squares and weights only grow, and variances are their quotients.
    At first every instance may change them by more.
    """
    easy = complete and lanes.item(records, record + EASY) == 1.0
    if not easy:
        records[record + EASY] *= 0.5 if complete else 0.0
    if easy and prior > YOUTH:
        bound, similar, at = fill(lanes.item(records, record + BOUND)), True, record + HEAD
        for block in range(blocks):
            values = lanes.load(x, block * WIDTH)
            _, squares, weight = _observe_block(records, at, values, w)
            excess = 2.0 * squares * lanes.load(records, at + INVERSE)
            similar &= lanes.in_all((excess <= bound) & (weight - 1.0 <= bound))
            at += BLOCK
        if similar and prior <= lanes.item(records, record + PRIOR_BOUND):
            return
        _derive(records, record, blocks, x, prior, w, False, True)
    else:
        _derive(records, record, blocks, x, prior, w, True, easy)


@inlined
def _observe_block(records: Floats, at: int, x: Lanes, w: float) -> tuple[Lanes, Lanes, Lanes]:
    """Update the Gaussians of eight attributes, all of which have been seen before."""
    mean, squares = lanes.load(records, at + MEAN), lanes.load(records, at + SQUARES)
    weight = lanes.load(records, at + WEIGHT) + w
    delta = x - mean
    mean += w * delta / weight
    squares += w * delta * (x - mean)
    return _kept(records, at, mean, squares, weight)


@inlined
def _observe_block_with_gaps(
    records: Floats, at: int, x: Lanes, w: float
) -> tuple[Lanes, Lanes, Lanes]:
    """Update the Gaussians of eight attributes; leave out missing and infinite values."""
    mean, squares = lanes.load(records, at + MEAN), lanes.load(records, at + SQUARES)
    weight = lanes.load(records, at + WEIGHT)
    known = abs(x) < np.inf
    before, later_weight = where(weight > 0.0, mean, x), weight + w
    delta = x - before
    later = before + w * delta / later_weight
    mean = where(known, later, mean)
    squares = where(known, squares + w * delta * (x - later), squares)
    return _kept(records, at, mean, squares, where(known, later_weight, weight))


@inlined
def _kept(
    records: Floats, at: int, mean: Lanes, squares: Lanes, weight: Lanes
) -> tuple[Lanes, Lanes, Lanes]:
    lanes.store(records, at + MEAN, mean)
    lanes.store(records, at + SQUARES, squares)
    lanes.store(records, at + WEIGHT, weight)
    return mean, squares, weight


@inlined
def derive(records: Floats, record: int, blocks: int, x: Floats, prior: float) -> None:
    """Derive stale terms again, unless the class is unseen; `x` is not read."""
    if records[record + EASY] < UNSEEN:
        _derive(records, record, blocks, x, prior, 0.0, False, False)


@inlined
def _derive(
    records: Floats,
    record: int,
    blocks: int,
    x: Floats,
    prior: float,
    w: float,
    learning: bool,
    easy: bool,
) -> None:
    """Derive the terms of scores from a record, if `learning` after one more instance.

    The squares of the highest densities are multiplied, those above 1 and those below apart.
    If all are in range, one logarithm then gives the sum of the densities' logarithms, and the
    exponents bound the sum of their absolute values.
    """
    well, twice_log, twice_size, at = prior > SMALLEST_PRIOR, 0.0, 0.0, record + HEAD
    above, below, factor = fill(1.0), fill(1.0), prior * prior
    for block in range(blocks):
        if learning and easy:
            gaussians = _observe_block(records, at, lanes.load(x, block * WIDTH), w)
        elif learning:
            gaussians = _observe_block_with_gaps(records, at, lanes.load(x, block * WIDTH), w)
        else:
            gaussians = (
                lanes.load(records, at + MEAN),
                lanes.load(records, at + SQUARES),
                lanes.load(records, at + WEIGHT),
            )
        peak = _derive_block(records, at, gaussians, easy)
        above *= lanes.maximum(peak, fill(1.0))
        below *= lanes.minimum(peak, fill(1.0))
        at += BLOCK
        if block % GROUP == GROUP - 1 or block == blocks - 1:
            well &= lanes.in_all((above < LARGEST_PEAK) & (below > SMALLEST_PEAK))
            over, under = lanes.product(above), lanes.product(below)
            twice_log += rough_log(over * under * factor)
            twice_size += log_ceiling(over) - log_floor(under)
            above, below, factor = fill(1.0), fill(1.0), 1.0
    records[record + LOG_PEAK] = 0.5 * (twice_log if blocks > 0 else rough_log(factor))
    records[record + MAGNITUDE] = 0.5 * twice_size
    if prior > YOUTH:
        freedom = records[record + HEAD + WEIGHT] - 1.0 if blocks > 0 else np.inf
        records[record + BOUND] = freedom * (1.0 + STALENESS)
        records[record + PRIOR_BOUND] = prior * (1.0 + STALENESS) if well else -np.inf
    if not well:
        _derive_one_by_one(records, record, blocks, prior)


@inlined
def _derive_block(
    records: Floats, at: int, gaussians: tuple[Lanes, Lanes, Lanes], easy: bool
) -> Lanes:
    """Derive the inverses of eight variances; return the squares of the highest densities.

    A constant has density 1. Infinity marks attributes that need the exact path.
    """
    mean, squares, weight = gaussians
    freedom, size = weight - 1.0, abs(mean)
    spread = (squares > 0.0) & (freedom > 0.0)
    inverse = where(spread, 0.5 * freedom / squares, fill(POINT_MASS))
    lanes.store(records, at + INVERSE, inverse)
    peak = where(spread, inverse * (1.0 / math.pi), fill(1.0))
    if easy:
        return peak
    return where((weight > 0.0) & ((size >= SMALLEST_VALUE) | (size == 0.0)), peak, fill(np.inf))


@part
def _derive_one_by_one(records: Floats, record: int, blocks: int, prior: float) -> None:
    """Derive the same as `_derive`, attribute by attribute."""
    log_peak, magnitude = 0.0, 0.0
    for place in range(blocks * WIDTH):
        at = record + offset_of(place)
        inverse, size = records[at + INVERSE], abs(records[at + MEAN])
        peak = 1.0 if inverse == POINT_MASS else inverse / math.pi
        sound = records[at + WEIGHT] > 0.0 and SMALLEST_PEAK < peak < LARGEST_PEAK
        sound = sound and (size == 0.0 or size >= SMALLEST_VALUE)
        log_peak += 0.5 * math.log(peak) if sound else 0.0
        magnitude += 0.5 * abs(math.log(peak)) if sound else np.inf
    records[record + LOG_PEAK] = log_peak + (math.log(prior) if prior > 0.0 else 0.0)
    records[record + MAGNITUDE] = magnitude if prior > 0.0 else np.inf


@inlined
def observe_extremes(records: Floats, record: int, blocks: int, x: Floats) -> None:
    """Widen the ranges of a record by the values of an instance."""
    at = record + HEAD
    for block in range(blocks):
        values = lanes.load(x, block * WIDTH)
        low, high = lanes.load(records, at + LOW), lanes.load(records, at + HIGH)
        outside = (abs(values) < np.inf) & ((values < low) | (values > high))
        if not lanes.in_none(outside):  # rarely: most values lie within the range
            lanes.store(records, at + LOW, where(outside & (values < low), values, low))
            lanes.store(records, at + HIGH, where(outside & (values > high), values, high))
        at += BLOCK


@inlined
def standard_deviation(records: Floats, i: int) -> float:
    """Return the standard deviation at `i` (see `offset_of`); 0 up to weight 1."""
    weight = records[i + WEIGHT]
    return math.sqrt(records[i + SQUARES] / (weight - 1.0)) if weight > 1.0 else 0.0


@inlined
def density(records: Floats, i: int, deviation: float, value: float) -> float:
    """Return the Gaussian density at `i` (see `offset_of`), given its standard deviation.

    A constant has density 1 at its value.
    """
    if records[i + WEIGHT] <= 0.0:
        return 0.0
    if deviation > 0.0:
        difference = value - records[i + MEAN]
        return (1.0 / (math.sqrt(2.0 * math.pi) * deviation)) * java_exp(
            -(difference * difference / (2.0 * deviation * deviation))
        )
    return 1.0 if value == records[i + MEAN] else 0.0
