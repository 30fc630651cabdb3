"""Fast approximations of logarithms, exponentials and normal probabilities.

Functions in the plural take `Lanes`, eight numbers at a time; see `lanes`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from streameval.compiled import lanes
from streameval.compiled.instructions import BIAS, FRACTION_BITS, ROOT_BITS
from streameval.compiled.kernels import inlined
from streameval.compiled.lanes import Lanes, where

#: Largest error of `rough_log` and `rough_logs`.
LOG_ERROR = 3e-6
#: Largest relative error of `rough_exps`.
EXP_ERROR = 4e-6
#: Smallest exponent of `rough_exps`; smaller exponents are replaced by it.
SMALLEST_EXPONENT = -700.0
#: Largest error of `rough_normal_cdfs`.
CDF_ERROR = 2.1e-6

_LOG_2 = math.log(2.0)
#: Coefficients of log(1 + t)/t for t between sqrt(1/2) - 1 and sqrt(2) - 1: the polynomial that is
#: exact at the six Chebyshev nodes.
_A, _B, _C = 1.0000037423879466, -0.4998948024036190, 0.3326590581299033
_D, _E, _F = -0.2543335636140277, 0.2196570849519576, -0.1402162328111118

#: Number of leading bits of a fraction that select the interval of a tangent.
_INTERVAL_BITS = 9
#: Ends of the 2**9 intervals between sqrt(1/2) and sqrt(2). They are equidistant as bits, so that a
#: shift of the bits gives the interval of a fraction.
_EDGES = (ROOT_BITS + (np.arange(2**_INTERVAL_BITS + 1) << (FRACTION_BITS - _INTERVAL_BITS))).view(
    float
)
_MIDDLES = 0.5 * (_EDGES[1:] + _EDGES[:-1])
#: Slopes of the tangents of the logarithm in the middles, and their values at 0. Half an interval
#: is at most h = 1e-3 times its middle, so the error is at most h**2 / 2.
_TANGENTS = np.column_stack([1.0 / _MIDDLES, np.log(_MIDDLES) - 1.0])

_LOG2_E = 1.0 / math.log(2.0)
#: Coefficients of 2**t for t between -1/2 and 1/2: the polynomial that is exact at the five
#: Chebyshev nodes.
_P, _Q, _R = 1.0000000000000009, 0.6931210452034255, 0.24022349038020144
_S, _T = 0.05592197584225432, 0.009666368515376476

# Normal distribution: Abramowitz and Stegun (1964), Handbook of mathematical functions, 26.2.17.
#: Their p, in t = 1/(1 + p z).
_T_FACTOR = 0.2316419
#: Their coefficients of t, t², ...
_TAIL = (0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
#: Density at 0.
_PEAK = 1.0 / math.sqrt(2.0 * math.pi)


# Polynomials of numbers or lanes. Terms are paired, so that pairs can be computed in parallel.


@inlined
def _log_one_plus(t: Any) -> Any:
    square = t * t
    return t * ((_A + _B * t) + square * ((_C + _D * t) + square * (_E + _F * t)))


@inlined
def _power_of_two(t: Any) -> Any:
    square = t * t
    return (_P + _Q * t) + square * ((_R + _S * t) + square * _T)


@inlined
def rough_log(x: float) -> float:
    """Natural logarithm of a normal, positive, finite number, within `LOG_ERROR`."""
    bits = np.float64(x).view(np.int64)
    offset = bits - ROOT_BITS  # so that the fraction is between sqrt(1/2) and sqrt(2)
    exponent = offset >> FRACTION_BITS
    fraction = np.int64(bits - (exponent << FRACTION_BITS)).view(np.float64)
    i = np.uint64((offset >> (FRACTION_BITS - _INTERVAL_BITS)) & (2**_INTERVAL_BITS - 1))
    return fraction * _TANGENTS[i, 0] + (_TANGENTS[i, 1] + exponent * _LOG_2)


@inlined
def rough_logs(x: Lanes) -> Lanes:
    """Natural logarithms of eight numbers, within `LOG_ERROR`; see `rough_log`."""
    return lanes.exponents(x) * _LOG_2 + _log_one_plus(lanes.fractions(x) - 1.0)


@inlined
def log_floor(x: float) -> float:
    """Lower bound on log(x), at most log(2) below it, for x as in `rough_log`."""
    return ((np.float64(x).view(np.int64) >> FRACTION_BITS) - BIAS) * _LOG_2


@inlined
def log_ceiling(x: float) -> float:
    """Upper bound on log(x), at most log(2) above it, for x as in `rough_log`."""
    return log_floor(x) + _LOG_2


@inlined
def rough_exps(x: Lanes) -> Lanes:
    """e**x of eight numbers up to 700, with a relative error of at most `EXP_ERROR`.

    Numbers below `SMALLEST_EXPONENT` are replaced by it.
    """
    power = lanes.maximum(x, lanes.fill(SMALLEST_EXPONENT)) * _LOG2_E
    integer = lanes.nearest_integers(power)
    return lanes.two_to_the(integer) * _power_of_two(power - integer)


@inlined
def rough_normal_cdfs(z: Lanes) -> Lanes:
    """Standard normal distribution function at eight numbers, within `CDF_ERROR`."""
    size = abs(z)
    t = 1.0 / (1.0 + _T_FACTOR * size)
    a, b, c, d, e = _TAIL
    tail = t * (a + t * (b + t * (c + t * (d + t * e))))
    tail *= _PEAK * rough_exps(-0.5 * (size * size))
    return where(z > 0.0, 1.0 - tail, tail)
