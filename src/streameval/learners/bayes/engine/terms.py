"""Terms that are derived from the Gaussians of a class, so that its vote takes few operations.

The logarithm of a vote is LOG_PEAK, that of the class weight times the highest densities, less a
sum of squared distances from the means, each times INVERSE. Terms stay until their relative error
could exceed `STALENESS`; MAGNITUDE says where logarithms cannot stand for products.
"""

from __future__ import annotations

import math

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled import lanes
from streameval.compiled.approximate import log_ceiling, log_floor, rough_log
from streameval.compiled.kernels import inlined, subkernel
from streameval.compiled.lanes import WIDTH, Lanes, fill, where
from streameval.learners.bayes.class_statistics import Gaussian
from streameval.learners.bayes.exact import add_known_value, add_value
from streameval.learners.bayes.gaussian_record import (
    BLOCK,
    BOUND,
    EASY,
    HEAD,
    INVERSE,
    LOG_PEAK,
    MAGNITUDE,
    MEAN,
    POINT_MASS,
    PRIOR_BOUND,
    SQUARES,
    UNSEEN,
    WEIGHT,
    offset_of,
)

#: Variances and class weights may change by that part before terms are derived from them again.
STALENESS = 1.0 / 1024.0
#: Up to that class weight it is cheaper to do so after every instance.
YOUTH = 8192.0
#: Gaussians whose highest density, squared, is outside these bounds are left to `exact`.
#: Within, thirty-two and the square of the class weight can be multiplied.
SMALLEST_PEAK, LARGEST_PEAK = 1e-25, 1e25
#: Squares of smaller numbers are lost, and with them the difference from a constant.
SMALLEST_VALUE = 1e-100
#: Smaller class weights are left to `exact`: their squares are lost. No class weight is too large:
#: tapes hold weights as float32.
SMALLEST_PRIOR = 1e-50
#: Blocks of which the highest densities are multiplied before a logarithm is taken.
GROUP = 4


@inlined
def staleness(highest_prior: float) -> float:
    """Bound on the relative error of terms, given the highest class weight."""
    return STALENESS if highest_prior > YOUTH else 0.0


@inlined
def update_record(
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
            values = lanes.load_at(x, block * WIDTH)
            later = _store(records, at, add_value(_gaussians(records, at), values, w))
            excess = 2.0 * later.squares * lanes.load_at(records, at + INVERSE)
            similar &= lanes.in_all((excess <= bound) & (later.weight - 1.0 <= bound))
            at += BLOCK
        if similar and prior <= lanes.item(records, record + PRIOR_BOUND):
            return
        _derive(records, record, blocks, x, prior, w, False, True)
    else:
        _derive(records, record, blocks, x, prior, w, True, easy)


@inlined
def _gaussians(records: Floats, at: int) -> Gaussian:
    """Gaussians of eight attributes."""
    return Gaussian(
        lanes.load_at(records, at + WEIGHT),
        lanes.load_at(records, at + MEAN),
        lanes.load_at(records, at + SQUARES),
    )


@inlined
def _store(records: Floats, at: int, gaussians: Gaussian) -> Gaussian:
    lanes.store(records, at + MEAN, gaussians.mean)
    lanes.store(records, at + SQUARES, gaussians.squares)
    lanes.store(records, at + WEIGHT, gaussians.weight)
    return gaussians


@inlined
def renew_terms(records: Floats, record: int, blocks: int, x: Floats, prior: float) -> None:
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
        gaussians = _gaussians(records, at)
        if learning and easy:
            values = lanes.load_at(x, block * WIDTH)
            gaussians = _store(records, at, add_value(gaussians, values, w))
        elif learning:
            values = lanes.load_at(x, block * WIDTH)
            gaussians = _store(records, at, add_known_value(gaussians, values, w))
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
def _derive_block(records: Floats, at: int, gaussians: Gaussian, easy: bool) -> Lanes:
    """Derive the inverses of eight variances; return the squares of the highest densities.

    A constant has density 1. Infinity marks attributes that need the exact path.
    """
    weight, mean, squares = gaussians
    freedom, size = weight - 1.0, abs(mean)
    spread = (squares > 0.0) & (freedom > 0.0)
    inverse = where(spread, 0.5 * freedom / squares, fill(POINT_MASS))
    lanes.store(records, at + INVERSE, inverse)
    peak = where(spread, inverse * (1.0 / math.pi), fill(1.0))
    if easy:
        return peak
    return where((weight > 0.0) & ((size >= SMALLEST_VALUE) | (size == 0.0)), peak, fill(np.inf))


@subkernel
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
