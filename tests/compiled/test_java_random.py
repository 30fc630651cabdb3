from __future__ import annotations

import numpy as np
import pytest
from helpers.java import java_hash
from hypothesis import given
from hypothesis import strategies as st
from naive import generators as naive

from streameval.compiled import java_random

LONGS = st.integers(-(2**63), 2**63 - 1)


# Printed by java.util.Random of OpenJDK 17.0.15: the first two of nextInt(), nextDouble() and
# nextGaussian(), and nextInt(10) then nextInt(16), each from a new Random(seed).
FIRST_DRAWS = {
    1: (
        (-1155869325, 431529176),
        (0.7308781907032909, 0.41008081149220166),
        (1.561581040188955, -0.6081826070068602),
        (5, 1),
    ),
    42: (
        (-1170105035, 234785527),
        (0.7275636800328681, 0.6832234717598454),
        (1.1419053154730547, 0.9194079489827879),
        (0, 0),
    ),
    -5: (
        (1156638822, 1560933443),
        (0.26930095796932485, 0.33409239863837237),
        (-1.2205675173074388, -0.8777731685139304),
        (1, 5),
    ),
    2**47: (
        (991999072, 1423528248),
        (0.23096777992607642, 0.7405364082209053),
        (-0.8513628369118306, 0.7611867412284761),
        (6, 5),
    ),
    2**63 - 1: (
        (1155099827, 1887904451),
        (0.26894263088050496, 0.012269981921235296),
        (1.7853314409882288, -0.9204169061847902),
        (3, 7),
    ),
    -(2**63): (
        (-1155484576, -723955400),
        (0.730967787376657, 0.24053641567148587),
        (0.8025330637390305, -0.9015460884175122),
        (0, 13),
    ),
}


@pytest.mark.parametrize("seed", FIRST_DRAWS)
def test_first_draws_are_those_of_java(seed):
    integers, doubles, gaussians, bounded = FIRST_DRAWS[seed]
    state = java_random.java_random(seed)
    assert tuple(java_random.next_bits(state, 32) for _ in integers) == integers
    java_random.reseed(state, seed)
    assert tuple(java_random.next_double(state) for _ in doubles) == doubles
    java_random.reseed(state, seed)
    assert tuple(java_random.next_gaussian(state) for _ in gaussians) == gaussians
    java_random.reseed(state, seed)
    assert (java_random.next_int(state, 10), java_random.next_int(state, 16)) == bounded


# OpenJDK 17.0.15: hash of 20,000 rounds of nextInt(1 + i % 1000), nextInt((1 << 30) + 1 + i)
# (which rejects nearly half of its draws), nextDouble(), nextGaussian(), nextInt().
@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (1, 4148457572116724008),
        (42, -3987627860928784224),
        (-5, -6198797416924165405),
        (2**47, 2967955913273366786),
        (2**63 - 1, -3079842781910378329),
        (-(2**63), -8306579566079851944),
    ],
)
def test_long_mixed_runs_are_those_of_java(seed, expected):
    state = java_random.java_random(seed)
    values = []
    for i in range(20_000):
        values.append(java_random.next_int(state, 1 + i % 1000))
        values.append(java_random.next_int(state, (1 << 30) + 1 + i))
        values.append(java_random.next_double(state))
        values.append(java_random.next_gaussian(state))
        values.append(java_random.next_bits(state, 32))
    assert java_hash(values) == expected


# OpenJDK 17.0.15: hash of StrictMath.log of 100,000 doubles of new Random(7), and of
# 1 + (u - 0.5) * 1e-5. The C library's logarithm differs in 7 % of the former.
@pytest.mark.parametrize(
    ("near_one", "expected"), [(False, -6108503060355080607), (True, 7852223639710095455)]
)
def test_strict_log_is_that_of_java(near_one, expected):
    state = java_random.java_random(7)
    draws = [java_random.next_double(state) for _ in range(100_000)]
    arguments = [1.0 + (u - 0.5) * 1e-5 if near_one else u for u in draws]
    assert java_hash(java_random.strict_log(x) for x in arguments) == expected


# OpenJDK 17.0.15, MOA 24.07: hash of 20,000 draws of MiscUtils.poisson(mean, new Random(1)).
@pytest.mark.parametrize(
    ("mean", "expected"),
    [
        (0.5, -5648059143048924405),
        (1.0, -6728964136507260302),
        (6.0, 8852618505943941881),
        (99.9, -4855916425079713911),
        (100.0, -196604345670988143),
        (250.25, 7680023230913328036),
    ],
)
def test_poisson_is_that_of_moa(mean, expected):
    state, table = java_random.java_random(1), java_random.poisson_table(mean)
    assert java_hash(java_random.poisson(state, table) for _ in range(20_000)) == expected


OPERATIONS = st.one_of(
    st.tuples(st.just("next_bits"), st.integers(1, 32)),
    st.tuples(st.just("next_int"), st.integers(1, 2**31 - 1)),
    st.tuples(st.just("next_double")),
    st.tuples(st.just("next_gaussian")),
    st.tuples(st.just("poisson"), st.floats(1e-6, 300.0)),
)


@given(LONGS, st.lists(OPERATIONS, max_size=30))
def test_kernels_agree_with_the_twin(seed, operations):
    state, twin = java_random.java_random(seed), naive.JavaRandom(seed)
    for name, *arguments in operations:
        expected = (
            [java_random.poisson_table(mean) for mean in arguments]
            if name == "poisson"
            else arguments
        )
        sample = getattr(java_random, name)(state, *expected)
        assert sample == getattr(twin, name)(*arguments), (name, arguments)


@given(st.floats(2.3e-308, 1e308))
def test_strict_log_agrees_with_the_twin(x):
    assert java_random.strict_log(x) == naive.strict_log(x)


@given(st.floats(-1e-5, 1e-5))
def test_strict_log_agrees_with_the_twin_near_one(offset):
    assert java_random.strict_log(1.0 + offset) == naive.strict_log(1.0 + offset)


@given(LONGS)
def test_reseeding_forgets_the_kept_gaussian(seed):
    state = java_random.java_random(seed)
    java_random.next_gaussian(state)
    java_random.reseed(state, seed)
    np.testing.assert_array_equal(state, java_random.java_random(seed))


def test_the_rows_of_a_pool_are_generators_of_their_own():
    pool = np.stack([java_random.java_random(seed) for seed in (1, 2, 1)])
    assert java_random.next_gaussian(pool[0]) == java_random.next_gaussian(pool[2])
    np.testing.assert_array_equal(pool[0], pool[2])
    np.testing.assert_array_equal(pool[1], java_random.java_random(2))


def test_poisson_tables_end_where_the_series_does():
    table = java_random.poisson_table(1.0)
    table[1] = 1e300  # a threshold that no sum reaches
    assert java_random.poisson(java_random.java_random(1), table) == 99
