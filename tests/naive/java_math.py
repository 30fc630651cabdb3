"""Slow, literal twins of Java's exponential function and of MOA's normal distribution function."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from scipy.special import ndtr

LEAST_NORMAL = 2.0**-1022


@cache
def power_of_two(j: int) -> tuple[float, float]:
    """2**(j/64), rounded down, and the logarithm of the factor that this lacks."""
    root = 2 ** (j + 64 * 200)
    for _ in range(6):
        root = math.isqrt(root)  # at last the 64th root, 200 bits after the point
    high = (root >> 148) / 2**52
    lacking = Fraction(root, 2**200) / Fraction(high) - 1
    low = float(lacking - lacking**2 / 2)
    return high, math.nextafter(low, 1.0) if j == 22 else low


def java_exp(x: float) -> float:
    """Java's ``Math.exp`` on x86-64, with scaling by powers of two that cannot overflow."""
    if math.isnan(x) or abs(x) >= 1024:
        return x if math.isnan(x) else math.inf if x > 0 else 0.0
    m = round(x * 92.33248261689366)
    y = x - m * 0.010830424696223417
    y = y - m * 2.572804622327669e-14
    exponent, j = divmod(m, 64)
    high, low = power_of_two(j)
    fifth = y * (y * y) * (y * y) * (0.008333368243348653 + 0.001388874731341548 * y)
    third = y * (y * y) * (0.16666666666523347 + 0.04166666666952449 * y)
    factor = third + ((y + low) + fifth) + y * y * 0.4999999999999999
    lost = -1022 - exponent
    if not 0 <= lost <= 52:
        return scaled(factor * high + high, exponent)
    kept = math.floor(high * 2 ** (52 - lost)) / 2 ** (52 - lost)
    rest = factor * high + (high - kept)
    result = scaled(rest + kept, exponent)
    if result >= LEAST_NORMAL:
        return result
    return scaled(rest, exponent) + scaled(kept, exponent)


def scaled(x: float, exponent: int) -> float:
    try:
        return math.ldexp(x, exponent)
    except OverflowError:
        return math.inf


def polynomial(x: float, *coefficients: float) -> float:
    value = 0.0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


def erfc_parts(x: float) -> tuple[float, float]:
    """Cephes' numerator and denominator of erfc(x) / exp(-x²), for x >= 1."""
    if x < 8:
        return polynomial(
            x,
            *(2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687e0),
            *(4.86371970985681366614e1, 1.96520832956077098242e2, 5.26445194995477358631e2),
            *(9.34528527171957607540e2, 1.02755188689515710272e3, 5.57535335369399327526e2),
        ), polynomial(
            x,
            *(1.0, 1.32281951154744992508e1, 8.67072140885989742329e1, 3.54937778887819891062e2),
            *(9.75708501743205489753e2, 1.82390916687909736289e3, 2.24633760818710981792e3),
            *(1.65666309194161350182e3, 5.57535340817727675546e2),
        )
    return polynomial(
        x,
        *(5.64189583547755073984e-1, 1.27536670759978104416e0, 5.01905042251180477414e0),
        *(6.16021097993053585195e0, 7.40974269950448939160e0, 2.97886665372100240670e0),
    ), polynomial(
        x,
        *(1.0, 2.26052863220117276590e0, 9.39603524938001434673e0, 1.20489539808096656605e1),
        *(1.70814450747565897222e1, 9.60896809063285878198e0, 3.36907645100081516050e0),
    )


def normal_cdf(z: float) -> float:
    """Cephes' ndtr as in scipy, but with Java's exponential in the tails."""
    x = abs(z * 7.07106781186547524401e-1)
    if x < 1 or math.isnan(x) or x * x > 7.09782712893383996843e2:
        return float(ndtr(z))
    numerator, denominator = erfc_parts(x)
    tail = 0.5 * (java_exp(-x * x) * numerator / denominator)
    return 1.0 - tail if z > 0 else tail
