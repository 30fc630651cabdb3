"""Terms that are derived from the Gaussians of a class, so that its vote needs few operations.

The logarithm of a vote is LOG_PEAK minus a sum of squared distances from the means, each times
INVERSE. LOG_PEAK is the logarithm of the class weight times the highest densities. Terms are used
until their relative error could exceed `STALENESS`. MAGNITUDE tells whether logarithms can replace
products.
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
from streameval.learners.bayes.exact import add_finite_value, add_value
from streameval.learners.bayes.gaussian_record import (
    BLOCK,
    BOUND,
    COMPLETE,
    HEAD,
    INCOMPLETE,
    INVERSE,
    LOG_PEAK,
    MAGNITUDE,
    MEAN,
    POINT_MASS,
    PRIOR_BOUND,
    SQUARES,
    STATE,
    UNSEEN,
    WEIGHT,
    offset_of,
)

#: Relative change of variances and class weights after which terms are derived again.
STALENESS = 1.0 / 1024.0
#: Up to this class weight, it is cheaper to derive the terms after every instance. Above it, terms
#: are usually valid for at least eight instances of weight 1, since 8 / 8192 is `STALENESS`.
LARGEST_EAGER_WEIGHT = 8192.0
#: Bounds on a squared peak density. Within them, the product of GROUP * WIDTH = 32 of them and the
#: squared class weight neither overflows nor underflows. Outside, `exact` decides.
SMALLEST_PEAK, LARGEST_PEAK = 1e-25, 1e25
#: Smallest magnitude of a value, other than 0, for which logarithms can replace densities. The
#: squares of smaller differences underflow, so a value could not be told from a constant.
SMALLEST_VALUE = 1e-100
#: For smaller class weights `exact` decides, as their squares underflow. No class weight is too
#: large, since tapes hold weights as float32.
SMALLEST_PRIOR = 1e-50
#: Number of blocks whose peak densities are multiplied before the logarithm is computed.
GROUP = 4


@inlined
def staleness(highest_prior: float) -> float:
    """Bound on the relative error of terms, from the highest class weight."""
    return STALENESS if highest_prior > LARGEST_EAGER_WEIGHT else 0.0


@inlined
def update_record(
    records: Floats, record: int, n_blocks: int, x: Floats, w: float, prior: float, complete: bool
) -> None:
    """Update the record that starts at `record` with the values of an instance.

    `prior` is the weight of the class, including this instance. `complete` tells that no value is
    missing, infinite or too close to zero. Derived terms are used until their relative error could
    exceed `STALENESS`. Sums of squares and weights only grow, and variances are their quotients, so
    bounds on both suffice. With a small class weight, every instance may change the terms by more.
    """
    state = lanes.load_item(records, record + STATE)
    all_complete = complete and state == COMPLETE
    if not all_complete:
        records[record + STATE] = COMPLETE if complete and state == UNSEEN else INCOMPLETE
    if all_complete and prior > LARGEST_EAGER_WEIGHT:
        bound = fill(lanes.load_item(records, record + BOUND))
        is_similar, start = True, record + HEAD
        for block in range(n_blocks):
            values = lanes.load_at(x, block * WIDTH)
            updated = _store(records, start, add_value(_gaussians(records, start), values, w))
            # Squares over the stored variance: the degrees of freedom when terms were derived.
            relative_squares = 2.0 * updated.squares * lanes.load_at(records, start + INVERSE)
            is_similar &= lanes.all_true(
                (relative_squares <= bound) & (updated.weight - 1.0 <= bound)
            )
            start += BLOCK
        if is_similar and prior <= lanes.load_item(records, record + PRIOR_BOUND):
            return
        _derive(records, record, n_blocks, x, prior, w, False, True)
    else:
        _derive(records, record, n_blocks, x, prior, w, True, all_complete)


@inlined
def _gaussians(records: Floats, start: int) -> Gaussian:
    """Gaussians of eight attributes, of the block at `start`."""
    return Gaussian(
        lanes.load_at(records, start + WEIGHT),
        lanes.load_at(records, start + MEAN),
        lanes.load_at(records, start + SQUARES),
    )


@inlined
def _store(records: Floats, start: int, gaussians: Gaussian) -> Gaussian:
    """Store the Gaussians of eight attributes in the block at `start`, and return them."""
    lanes.store(records, start + MEAN, gaussians.mean)
    lanes.store(records, start + SQUARES, gaussians.squares)
    lanes.store(records, start + WEIGHT, gaussians.weight)
    return gaussians


@inlined
def derive_terms_again(
    records: Floats, record: int, n_blocks: int, x: Floats, prior: float
) -> None:
    """Derive stale terms again, unless the class is unseen; `x` is not read."""
    if records[record + STATE] < UNSEEN:  # COMPLETE or INCOMPLETE
        _derive(records, record, n_blocks, x, prior, 0.0, False, False)


@inlined
def _derive(
    records: Floats,
    record: int,
    n_blocks: int,
    x: Floats,
    prior: float,
    w: float,
    learns: bool,
    all_complete: bool,
) -> None:
    """Derive the terms of scores from a record; with `learns`, add an instance before.

    The squares of the peak densities are multiplied, separately those above 1 and those below 1.
    If all are in range, one logarithm gives the sum of the densities' logarithms, and the exponents
    bound the sum of their absolute values.
    """
    is_in_range, start = prior > SMALLEST_PRIOR, record + HEAD
    twice_log, twice_magnitude = 0.0, 0.0  # twice, since peaks are squared
    above, below, factor = fill(1.0), fill(1.0), prior * prior
    for block in range(n_blocks):
        gaussians = _gaussians(records, start)
        if learns and all_complete:
            values = lanes.load_at(x, block * WIDTH)
            gaussians = _store(records, start, add_value(gaussians, values, w))
        elif learns:
            values = lanes.load_at(x, block * WIDTH)
            gaussians = _store(records, start, add_finite_value(gaussians, values, w))
        peak = _derive_block(records, start, gaussians, all_complete)
        above *= lanes.maximum(peak, fill(1.0))
        below *= lanes.minimum(peak, fill(1.0))
        start += BLOCK
        if block % GROUP == GROUP - 1 or block == n_blocks - 1:
            is_in_range &= lanes.all_true((above < LARGEST_PEAK) & (below > SMALLEST_PEAK))
            product_above, product_below = lanes.product(above), lanes.product(below)
            twice_log += rough_log(product_above * product_below * factor)
            twice_magnitude += log_ceiling(product_above) - log_floor(product_below)
            above, below, factor = fill(1.0), fill(1.0), 1.0
    records[record + LOG_PEAK] = 0.5 * (twice_log if n_blocks > 0 else rough_log(factor))
    records[record + MAGNITUDE] = 0.5 * twice_magnitude
    if prior > LARGEST_EAGER_WEIGHT:
        # Used only if the record is complete; then all attributes have the same weight.
        freedom = records[record + HEAD + WEIGHT] - 1.0 if n_blocks > 0 else np.inf
        records[record + BOUND] = freedom * (1.0 + STALENESS)
        records[record + PRIOR_BOUND] = prior * (1.0 + STALENESS) if is_in_range else -np.inf
    if not is_in_range:
        _derive_one_by_one(records, record, n_blocks, prior)


@inlined
def _derive_block(records: Floats, start: int, gaussians: Gaussian, all_complete: bool) -> Lanes:
    """Derive the inverses of eight variances; return the squares of the peak densities.

    A constant has the peak density 1. Infinity marks attributes that need the exact path.
    """
    weight, mean, squares = gaussians
    freedom, size = weight - 1.0, abs(mean)
    has_variance = (squares > 0.0) & (freedom > 0.0)
    inverse = where(has_variance, 0.5 * freedom / squares, fill(POINT_MASS))
    lanes.store(records, start + INVERSE, inverse)
    peak = where(has_variance, inverse * (1.0 / math.pi), fill(1.0))  # 1/(2π·variance)
    if all_complete:
        return peak
    return where((weight > 0.0) & ((size >= SMALLEST_VALUE) | (size == 0.0)), peak, fill(np.inf))


@subkernel
def _derive_one_by_one(records: Floats, record: int, n_blocks: int, prior: float) -> None:
    """Derive LOG_PEAK and MAGNITUDE with a logarithm for each attribute."""
    log_peak, magnitude = 0.0, 0.0
    for place in range(n_blocks * WIDTH):
        i = record + offset_of(place)
        inverse, size = records[i + INVERSE], abs(records[i + MEAN])
        peak = 1.0 if inverse == POINT_MASS else inverse / math.pi
        is_in_range = records[i + WEIGHT] > 0.0 and SMALLEST_PEAK < peak < LARGEST_PEAK
        is_in_range = is_in_range and (size == 0.0 or size >= SMALLEST_VALUE)
        log_peak += 0.5 * math.log(peak) if is_in_range else 0.0
        magnitude += 0.5 * abs(math.log(peak)) if is_in_range else np.inf
    records[record + LOG_PEAK] = log_peak + (math.log(prior) if prior > 0.0 else 0.0)
    records[record + MAGNITUDE] = magnitude if prior > 0.0 else np.inf
