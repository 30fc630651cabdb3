"""The exponential function of Java on x86-64, ``Math.exp``, bit for bit.

In about one call of 400, the last bit differs from the result of the C library. This bit can decide
at which of two instances the class weights of a leaf reach its grace period.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from typing import Any

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled.instructions import BIAS, FRACTION_BITS, ROUNDING_OFFSET
from streameval.compiled.kernels import inlined, subkernel

#: Number of bits of j, in the tabulated powers 2**(j/64).
_TABLE_BITS = 6
_TABLE_SIZE = 1 << _TABLE_BITS
#: Arguments with at least this absolute value give 0 or infinity.
_LARGE = 1024.0
#: The exponent of the smallest normal number.
_SMALLEST_EXPONENT = -1022
#: If the exponent of the result is in this range, no step under- or overflows. The range is that of
#: Intel's code.
_SAFE_FROM, _SAFE_TO = -894, 1022

#: 64 / log(2).
_STEPS = 92.33248261689366
#: log(2) / 64 as a sum of two numbers.
_STEP_HIGH, _STEP_LOW = 0.010830424696223417, 2.572804622327669e-14
#: Coefficients of exp(y) - 1 - y, from the square of y on.
_B, _C, _D = 0.4999999999999999, 0.16666666666523347, 0.04166666666952449
_E, _F = 0.008333368243348653, 0.001388874731341548


def _powers_of_two() -> tuple[Floats, Floats]:
    """2**(j/64) rounded down, and the logarithms of exact over rounded powers."""
    high, low = np.empty(_TABLE_SIZE), np.empty(_TABLE_SIZE)
    with localcontext() as context:
        context.prec = 40
        log_2 = Decimal(2).ln()
        for j in range(_TABLE_SIZE):
            logarithm = log_2 * j / _TABLE_SIZE
            high[j] = math.floor(logarithm.exp() * 2**FRACTION_BITS) / 2**FRACTION_BITS
            low[j] = float(logarithm - Decimal(high[j]).ln())
    low[22] = np.nextafter(low[22], 1.0)  # Intel's table rounds only this entry differently
    return high, low


#: 2**(j/64) is _HIGH[j] · exp(_LOW[j]).
_HIGH, _LOW = _powers_of_two()


@subkernel
def java_exp(x: float) -> float:
    """e**x with the result of Java's ``Math.exp`` on x86-64.

    On other processors, or with the option ``-XX:DisableIntrinsic=_dexp``, Java may use the method
    of ``StrictMath.exp``, which differs in one call of ten. Then MOA's predictions may differ.

    Notes
    -----
    The method and the coefficients come from ``exp`` in Intel's mathematical library:

    Copyright (c) 2014, Intel Corporation. All rights reserved. Redistribution and use in source
    and binary forms, with or without modification, are permitted under the 3-clause BSD licence.

    x is m·log(2)/64 + y, so that e**x is 2**(m // 64) · 2**((m % 64)/64) · e**y. Do not reorder
    operations: their order decides the last bit.
    """
    if not abs(x) < _LARGE:
        return np.inf if x > 0.0 else (0.0 if x < 0.0 else x)
    m = (x * _STEPS + ROUNDING_OFFSET) - ROUNDING_OFFSET
    y = (x - m * _STEP_HIGH) - m * _STEP_LOW
    step = np.int64(m)
    j, exponent = np.uint64(step & (_TABLE_SIZE - 1)), step >> _TABLE_BITS
    square = y * y
    cube = y * square
    # e**(y + _LOW[j]) - 1
    expm1 = (y + _LOW[j]) + cube * square * (_E + _F * y)
    expm1 = (cube * (_C + _D * y) + expm1) + square * _B
    if _SAFE_FROM <= exponent <= _SAFE_TO:
        power = _HIGH[j] * _two_to_the(exponent)
        return expm1 * power + power
    return _scale_twice(_HIGH[j], expm1, exponent)


@inlined
def _two_to_the(exponent: Any) -> float:
    return np.int64((exponent + BIAS) << FRACTION_BITS).view(np.float64)


@subkernel
def _scale_twice(high: float, expm1: float, exponent: Any) -> float:
    """(high + high · expm1) · 2**exponent, if this may over- or underflow.

    A subnormal result has no room for the last bits of `high`. They are rounded together with the
    product.
    """
    half = exponent >> 1
    power, scale = high * _two_to_the(exponent - half), _two_to_the(half)
    n_lost_bits = _SMALLEST_EXPONENT - exponent
    if not 0 <= n_lost_bits <= FRACTION_BITS:  # the result is normal, or all its bits are lost
        return (expm1 * power + power) * scale
    leading = np.int64(np.float64(power).view(np.int64) >> n_lost_bits << n_lost_bits).view(
        np.float64
    )
    rest = expm1 * power + (power - leading)
    result = (rest + leading) * scale
    is_normal = result >= _two_to_the(_SMALLEST_EXPONENT)
    # A subnormal result is scaled before the sum, so that it is rounded once.
    return result if is_normal else rest * scale + leading * scale
