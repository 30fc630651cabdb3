"""`java.util.Random` for compiled code, with exactly the random numbers of MOA.

A generator is an array of int64, shape (3,): the 48-bit seed, whether a second Gaussian is stored,
and the bits of this Gaussian. Several generators are an array of shape (p, 3); pass row i to a
kernel for generator i. Kernels advance the generator in place.

The arithmetic is specified in the Java API documentation of `java.util.Random` (Knuth, The Art of
Computer Programming, volume 2, section 3.2.1).
"""

from __future__ import annotations

import math

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled import lanes
from streameval.compiled.instructions import count_ones
from streameval.compiled.kernels import allocating_kernel, inlined_kernel, kernel

#: Entries of a generator.
SEED, HAS_GAUSSIAN, GAUSSIAN = 0, 1, 2
#: Length of a generator.
STATE_SIZE = 3

# The next seed is (seed · MULTIPLIER + INCREMENT) mod 2**48.
MULTIPLIER = 0x5DEECE66D
INCREMENT = 0xB
#: The 48 bits of a seed.
MASK = (1 << 48) - 1
#: Number of non-negative integers of Java's ``int``.
INT_RANGE = 1 << 31

#: Smallest mean for which `poisson` uses the normal approximation.
POISSON_NORMAL_FROM = 100.0

#: Number of partial sums that `poisson` compares at once.
N_AT_ONCE = lanes.WIDTH

#: ln 2 as a sum of two numbers. LN2_HIGH times an integer exponent is exact.
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10

#: Coefficients of the polynomial of `strict_log`, of even and of odd powers of s².
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


@allocating_kernel
def java_random(seed: int) -> Integers:
    """Make a generator like ``new Random(seed)``.

    Parameters
    ----------
    seed : int
        Any 64-bit integer.

    Returns
    -------
    ndarray of int64, shape (3,)
        State of the generator.
    """
    state = np.empty(STATE_SIZE, dtype=np.int64)
    reseed(state, seed)
    return state


@inlined_kernel
def next_bits(state: Integers, bits: int) -> int:
    """Draw the next `bits` high bits of the generator, as Java's ``next``.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator.
    bits : int
        1 to 32. With 32 the result is signed, as ``nextInt()`` without a bound;
        ``next_bits(state, 1) != 0`` is ``nextBoolean()``.
    """
    # The product overflows, but its lower 48 bits are correct, and only these are used.
    seed = (state[SEED] * MULTIPLIER + INCREMENT) & MASK
    state[SEED] = seed
    return int(np.int32(seed >> (48 - bits)))


@inlined_kernel
def next_int(state: Integers, bound: int) -> int:
    """Draw an integer, uniform on 0 .. `bound` - 1.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator.
    bound : int
        1 to 2**31 - 1; it is not checked.
    """
    draw = next_bits(state, 31)
    if bound & (bound - 1) == 0:  # a power of two
        return (bound * draw) >> 31
    value = draw % bound
    # A draw is rejected if it is in the last, incomplete block of `bound` numbers, which would
    # favour small results.
    while draw - value + bound > INT_RANGE:
        draw = next_bits(state, 31)
        value = draw % bound
    return value


@inlined_kernel
def next_double(state: Integers) -> float:
    """Draw a float64, uniform on [0, 1), a multiple of 2**-53.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator.
    """
    high = next_bits(state, 26)
    return ((high << 27) + next_bits(state, 27)) * 2.0**-53


@kernel
def strict_log(x: float) -> float:
    """Natural logarithm of a normal positive number, with the result of Java's ``StrictMath.log``.

    The logarithm of the C library may differ in the last bit, and then Gaussians would differ.

    Parameters
    ----------
    x : float
        Positive, finite, not subnormal; it is not checked.

    Notes
    -----
    The method and the constants come from ``e_log.c`` in FDLIBM 5.3:

    Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunSoft,
    a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this
    software is freely granted, provided that this notice is preserved.
    """
    fraction, exponent = math.frexp(x)
    high = int((2.0 * fraction - 1.0) * 1048576.0)  # the 20 high bits of the fraction
    if high < 0x6A09C:  # below about sqrt(2): keep 1 + f within sqrt(1/2) .. sqrt(2)
        fraction *= 2.0
        exponent -= 1
    f = fraction - 1.0
    ln2_high, ln2_low = exponent * LN2_HIGH, exponent * LN2_LOW
    if (high + 2) & 0xFFFFF < 3:  # |f| < 2**-20
        correction = f * f * (0.5 - 0.33333333333333333 * f)
        return ln2_high - ((correction - ln2_low) - f)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    rest = z * (L1 + w * (L3 + w * (L5 + w * L7))) + w * (L2 + w * (L4 + w * L6))
    if 0x6147A <= high <= 0x6B851:  # near sqrt(2), where FDLIBM subtracts f² / 2 separately
        square = 0.5 * f * f
        return ln2_high - ((square - (s * (square + rest) + ln2_low)) - f)
    return ln2_high - ((s * (f - rest) - ln2_low) - f)


@kernel
def next_gaussian(state: Integers) -> float:
    """Draw a standard normal number, by Marsaglia's polar method.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator. A trial gives two numbers; the second is stored for the next call.
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
    """Table from which `poisson` draws numbers with a mean.

    Parameters
    ----------
    mean : float
        Positive.

    Returns
    -------
    ndarray of float64, shape (2 + n,)
        The mean and its exponential. For means below 100, the partial sums of the exponential
        series follow, padded with infinities to a multiple of eight.
    """
    if mean >= POISSON_NORMAL_FROM:
        return np.array([mean, np.inf])
    n_terms = max(100, 10 * math.ceil(mean))  # MOA's limit; numbers are below it
    terms = np.cumprod(np.append(1.0, mean / np.arange(1, n_terms - 1)))
    padding = np.full(N_AT_ONCE - len(terms) % N_AT_ONCE, np.inf)
    return np.concatenate(([mean, math.exp(mean)], np.cumsum(terms), padding))


@inlined_kernel
def poisson(state: Integers, table: Floats) -> int:
    """Draw a Poisson number as MOA does: by inversion, with a single uniform number.

    Parameters
    ----------
    state : ndarray of int64, shape (3,)
        The generator.
    table : ndarray of float64
        Table of the mean, see `poisson_table`. For means of at least 100, the number is drawn from
        the normal approximation, and rounded down.
    """
    mean = table[0]
    if mean >= POISSON_NORMAL_FROM:
        return max(0, math.floor(mean + math.sqrt(mean) * next_gaussian(state)))
    # The series of e**mean is compared with a threshold times e**mean, which saves divisions.
    threshold = next_double(state) * table[1]
    n, start = 0, 2
    while True:  # eight sums at a time, as the processor cannot predict where to stop
        n_below = count_ones(lanes.bit_mask(lanes.load_at(table, start) <= threshold))
        n += n_below
        start += N_AT_ONCE
        if n_below < N_AT_ONCE:
            return n
