"""`java.util.Random` for compiled code: the draws of MOA, to the last bit.

A generator is one row of int64, shape (3,): the 48-bit seed, whether a second Gaussian is
kept, and that Gaussian's bits. A pool of generators is an array of shape (p, 3); hand
``pool[i]`` to the kernels. All kernels advance the row they are given, in place.

The arithmetic is that of the specification in the Java API documentation of
`java.util.Random` (Knuth, The Art of Computer Programming, volume 2, section 3.2.1).
"""

from __future__ import annotations

import math

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled import lanes
from streameval.compiled.instructions import count_ones
from streameval.compiled.kernels import generating, kernel, open_inlined

#: Columns of a generator's row, and how many there are.
SEED, HAS_GAUSSIAN, GAUSSIAN, STATE_SIZE = 0, 1, 2, 3

MULTIPLIER = 0x5DEECE66D
INCREMENT = 0xB
MASK = (1 << 48) - 1
INT_RANGE = 1 << 31

#: From this mean on, `poisson` draws from the normal approximation.
POISSON_NORMAL_FROM = 100.0

#: Partial sums that `poisson` compares at once.
RUN = lanes.WIDTH

#: ln 2 as a sum of two numbers; multiples of the first by an exponent are exact.
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10

#: Coefficients of the polynomial of `strict_log`: of even powers of w, of odd ones.
L2, L4, L6 = 3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01
L1, L3 = 6.666666666666735130e-01, 2.857142874366239149e-01
L5, L7 = 1.818357216161805012e-01, 1.479819860511658591e-01


@kernel
def reseed(state: Integers, seed: int) -> None:
    """Reset a generator to the state of ``new Random(seed)``.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator.
    seed : int
        Any 64-bit integer; Java uses its lower 48 bits.
    """
    state[SEED] = (seed ^ MULTIPLIER) & MASK
    state[HAS_GAUSSIAN] = 0
    state[GAUSSIAN] = 0


@generating
def java_random(seed: int) -> Integers:
    """Return a generator like ``new Random(seed)``.

    Parameters
    ----------
    seed : int
        Any 64-bit integer.

    Returns
    -------
    ndarray of int64, shape (3,)
        The generator's state.
    """
    state = np.empty(STATE_SIZE, dtype=np.int64)
    reseed(state, seed)
    return state


@open_inlined
def next_bits(state: Integers, bits: int) -> int:
    """Return the next `bits` high bits of the generator, as Java's ``next``.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator.
    bits : int
        1 to 32. With 32 the result is signed: it is ``nextInt()`` without a bound;
        ``next_bits(state, 1) != 0`` is ``nextBoolean()``.
    """
    # The product overflows, but its lower 48 bits, which are kept, are correct.
    seed = (state[SEED] * MULTIPLIER + INCREMENT) & MASK
    state[SEED] = seed
    return int(np.int32(seed >> (48 - bits)))


@open_inlined
def next_int(state: Integers, bound: int) -> int:
    """Return an integer that is uniform on 0 .. `bound` - 1.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator.
    bound : int
        1 to 2**31 - 1; not checked.
    """
    draw = next_bits(state, 31)
    if bound & (bound - 1) == 0:
        return (bound * draw) >> 31
    value = draw % bound
    # The last, incomplete run of `bound` values would favour the small ones.
    while draw - value + bound > INT_RANGE:
        draw = next_bits(state, 31)
        value = draw % bound
    return value


@open_inlined
def next_double(state: Integers) -> float:
    """Return a float64 that is uniform on [0, 1), a multiple of 2**-53.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator.
    """
    high = next_bits(state, 26)
    return ((high << 27) + next_bits(state, 27)) * 2.0**-53


@kernel
def strict_log(x: float) -> float:
    """Return the natural logarithm of a normal positive number, as Java's ``StrictMath.log``.

    The C library's logarithm may differ from it in the last bit, and so would the Gaussians.

    Parameters
    ----------
    x : float
        Positive, finite, not subnormal; not checked.

    Notes
    -----
    The method and the constants are those of ``e_log.c`` in FDLIBM 5.3:

    Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunSoft,
    a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this
    software is freely granted, provided that this notice is preserved.
    """
    half, exponent = math.frexp(x)
    high = int((2.0 * half - 1.0) * 1048576.0)  # the 20 high bits of the fraction
    if high < 0x6A09C:  # below about sqrt(2): keep 1 + f within sqrt(1/2) .. sqrt(2)
        half *= 2.0
        exponent -= 1
    f = half - 1.0
    ln2_high, ln2_low = exponent * LN2_HIGH, exponent * LN2_LOW
    if (high + 2) & 0xFFFFF < 3:  # |f| < 2**-20
        correction = f * f * (0.5 - 0.33333333333333333 * f)
        return ln2_high - ((correction - ln2_low) - f)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    rest = z * (L1 + w * (L3 + w * (L5 + w * L7))) + w * (L2 + w * (L4 + w * L6))
    if 0x6147A <= high <= 0x6B851:
        square = 0.5 * f * f
        return ln2_high - ((square - (s * (square + rest) + ln2_low)) - f)
    return ln2_high - ((s * (f - rest) - ln2_low) - f)


@kernel
def next_gaussian(state: Integers) -> float:
    """Return a standard normal number, by Marsaglia's polar method.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator. Two numbers come out of one trial; it keeps the second.
    """
    if state[HAS_GAUSSIAN]:
        state[HAS_GAUSSIAN] = 0
        return np.int64(state[GAUSSIAN]).view(np.float64)
    first, second, square = 0.0, 0.0, 0.0
    while square >= 1.0 or square == 0.0:
        first = 2.0 * next_double(state) - 1.0
        second = 2.0 * next_double(state) - 1.0
        square = first * first + second * second
    factor = math.sqrt(-2.0 * strict_log(square) / square)
    state[HAS_GAUSSIAN] = 1
    state[GAUSSIAN] = np.float64(second * factor).view(np.int64)
    return first * factor


def poisson_table(mean: float) -> Floats:
    """Return the table of a mean for `poisson`.

    Parameters
    ----------
    mean : float
        Positive.

    Returns
    -------
    ndarray of float64, shape (2 + n,)
        The mean and its exponential; then, for means below 100, the partial sums of the series
        of that, in whole runs of eight, of which the last ends with infinities.
    """
    if mean >= POISSON_NORMAL_FROM:
        return np.array([mean, np.inf])
    limit = max(100, 10 * math.ceil(mean))
    terms = np.cumprod(np.append(1.0, mean / np.arange(1, limit - 1)))
    missing = np.full(RUN - len(terms) % RUN, np.inf)
    return np.concatenate(([mean, math.exp(mean)], np.cumsum(terms), missing))


@open_inlined
def poisson(state: Integers, table: Floats) -> int:
    """Return a Poisson number as MOA draws it: inverse distribution, one uniform each.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator.
    table : ndarray of float64
        That of the mean, see `poisson_table`. From 100 on the normal approximation is used,
        rounded down.
    """
    mean = table[0]
    if mean >= POISSON_NORMAL_FROM:
        return max(0, math.floor(mean + math.sqrt(mean) * next_gaussian(state)))
    # The series of e**mean is summed, instead of its terms divided by e**mean.
    threshold = next_double(state) * table[1]
    count, start = 0, 2
    while True:  # in runs: the processor cannot predict where to stop
        here = count_ones(lanes.bits(lanes.load_at(table, start) <= threshold))
        count += here
        start += RUN
        if here < RUN:
            return count
