"""Eight numbers at a time are eight numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.compiled import instructions, lanes
from streameval.compiled.kernels import kernel
from streameval.compiled.lanes import WIDTH, fill, where

# Lanes exist in compiled code only; these kernels take them in and out of arrays.


@kernel
def operations(a, b, number, out):
    x, y = lanes.load_at(a, 0), lanes.load_at(b, 0)
    lanes.store(out[0], 0, x + y)
    lanes.store(out[1], 0, x - y)
    lanes.store(out[2], 0, x * y)
    lanes.store(out[3], 0, x / y)
    lanes.store(out[4], 0, x + number)
    lanes.store(out[5], 0, number - x)
    lanes.store(out[6], 0, 2 * x)
    lanes.store(out[7], 0, x / number)
    lanes.store(out[8], 0, abs(x))
    lanes.store(out[9], 0, lanes.maximum(x, y))
    lanes.store(out[10], 0, lanes.minimum(x, y))
    x += y
    x *= y
    lanes.store(out[11], 0, x)


@kernel
def conditions(a, b, out):
    x, y = lanes.load_at(a, 0), lanes.load_at(b, 0)
    each, zero = fill(1.0), fill(0.0)
    lanes.store(out[0], 0, where(x < y, each, zero))
    lanes.store(out[1], 0, where(x <= y, each, zero))
    lanes.store(out[2], 0, where(x > y, each, zero))
    lanes.store(out[3], 0, where(x >= y, each, zero))
    lanes.store(out[4], 0, where(x == y, each, zero))
    first, second = x > 0.0, y > 0.0
    lanes.store(out[5], 0, where(first & second, each, zero))
    lanes.store(out[6], 0, where(first | second, each, zero))
    lanes.store(out[7], 0, where(first ^ second, each, zero))
    return lanes.bit_mask(x < y), lanes.all_true(first), lanes.none_true(first)


@kernel
def gather(array, places, at, out):
    lanes.store(out[0], 0, lanes.gather(array, places, at))
    lanes.store(out[1], 0, lanes.gather_four(array, places, at))


@kernel
def taken_apart(a, out):
    x = lanes.load_at(a, 0)
    lanes.store(out[0], 0, lanes.exponents(x))
    lanes.store(out[1], 0, lanes.fractions(x))
    lanes.store(out[2], 0, lanes.fractions(x) * lanes.two_to_the(lanes.exponents(x)))


@kernel
def together(a):
    x = lanes.load_at(a, 0)
    return lanes.total(x), lanes.product(x)


@kernel
def copy_where(a, at, wanted, out):
    lanes.store(out, 0, lanes.load_where(a, at, lanes.load_at(wanted, 0) > 0.0))


@kernel
def through_float32(a, single, out):
    lanes.store(single, 2, lanes.load_at(a, 0))
    lanes.store(out, 0, lanes.load_at(single, 2))


@kernel
def item_at(a, at):
    return lanes.load_item(a, at)


@kernel
def ask_for(a, at):
    instructions.prefetch(a, at)
    return a[0]


numbers = st.floats(allow_subnormal=True)
eight = st.lists(numbers, min_size=WIDTH, max_size=WIDTH).map(np.array)
#: Bits are compared, but not those of NaN.
same = np.testing.assert_array_equal


@given(eight, eight, numbers)
def test_operations_are_those_of_numpy(a, b, number):
    out = np.empty((12, WIDTH))
    operations(a, b, number, out)
    with np.errstate(all="ignore"):
        expected = [a + b, a - b, a * b, a / b, a + number, number - a, 2 * a, a / number]
        expected += [np.abs(a), np.where(a > b, a, b), np.where(a < b, a, b), (a + b) * b]
    for place, (result, values) in enumerate(zip(out, expected, strict=True)):
        same(result, values, str(place))


@given(eight, eight)
def test_conditions_are_those_of_numpy(a, b):
    out = np.empty((8, WIDTH))
    x, y = a > 0, b > 0
    bits = sum(1 << lane for lane in range(WIDTH) if a[lane] < b[lane])
    assert conditions(a, b, out) == (bits, x.all(), not x.any())
    expected = [a < b, a <= b, a > b, a >= b, a == b, x & y, x | y, x ^ y]
    for place, (result, values) in enumerate(zip(out, expected, strict=True)):
        same(result, values, str(place))


@given(eight)
def test_sums_and_products_join_halves(a):
    with np.errstate(all="ignore"):
        half, other = a[:4] + a[4:], a[:4] * a[4:]
        half, other = half[:2] + half[2:], other[:2] * other[2:]
        same(together(a), (half[0] + half[1], other[0] * other[1]))


@pytest.mark.parametrize("wanted", ["11111111", "11010111", "01110000", "00000001", "00000000"])
def test_what_is_not_wanted_is_not_read(wanted):
    wanted = np.array([float(bit) for bit in wanted])
    last = 3 + int(np.flatnonzero(wanted).max(initial=0))
    a, out = np.arange(1.0, 2.0 + last), np.empty(WIDTH)  # nothing behind the last one
    copy_where(a, 3, wanted, out)
    same(out, np.where(wanted > 0, np.arange(4.0, 4.0 + WIDTH), 0.0))


@given(eight)
def test_arrays_of_float32_hold_rounded_numbers(a):
    single, out = np.zeros(WIDTH + 3, dtype=np.float32), np.empty(WIDTH)
    through_float32(a, single, out)
    with np.errstate(over="ignore"):
        same(out, a.astype(np.float32))
    same(single, [0, 0, *out, 0])


def test_an_item_is_counted_row_by_row():
    a = np.arange(12.0).reshape(3, 4)
    assert [item_at(a, at) for at in range(12)] == list(range(12))


def test_memory_outside_an_array_may_be_asked_for():
    assert ask_for(np.ones(3), 10**12) == 1.0
    assert ask_for(np.ones(3), -(10**12)) == 1.0


@given(st.integers(1, 40))
def test_an_aligned_copy_begins_on_a_cache_line(n):
    values = np.arange(float(n))
    copy = instructions.aligned_copy(values)
    same(copy, values)
    assert copy.ctypes.data % instructions.CACHE_LINE == 0
    assert not np.shares_memory(copy, values)


@given(st.lists(st.integers(-1, 9), min_size=16, max_size=16), st.sampled_from([0, 3, 8]))
def test_gathered_numbers_are_those_of_the_indices(places, at):
    array, out = np.arange(10.0) + 0.5, np.empty((2, WIDTH))
    gather(array, np.array(places, dtype=np.int32).reshape(2, 8), at, out)
    expected = [0.5 + i if i >= 0 else 0.0 for i in places[at : at + WIDTH]]
    assert out.tolist() == [expected, expected[:4] + [0.0] * 4]


@given(st.lists(st.floats(1e-300, 1e300), min_size=WIDTH, max_size=WIDTH))
def test_numbers_are_a_fraction_times_a_power_of_two(numbers):
    out = np.empty((3, WIDTH))
    taken_apart(np.array(numbers), out)
    exponent, fraction, product = out
    assert np.ldexp(fraction, exponent.astype(int)).tolist() == numbers == product.tolist()
    assert ((np.sqrt(0.5) <= fraction) & (fraction < np.sqrt(2.0))).all()
