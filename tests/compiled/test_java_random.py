from __future__ import annotations

import numpy as np
import pytest
from helpers.java import java_hash
from hypothesis import given
from hypothesis import strategies as st
from naive import generators as naive

from streameval.compiled import java_random

LONGS = st.integers(-(2**63), 2**63 - 1)


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


@given(st.floats(2.3e-308, 1e308) | st.floats(1.0 - 1e-5, 1.0 + 1e-5))
def test_strict_log_agrees_with_the_twin(x):
    assert java_random.strict_log(x) == naive.strict_log(x)


@given(LONGS)
def test_reseeding_forgets_the_kept_gaussian(seed):
    state = java_random.java_random(seed)
    java_random.next_gaussian(state)
    java_random.reseed(state, seed)
    np.testing.assert_array_equal(state, java_random.java_random(seed))


def test_poisson_tables_end_where_the_series_does():
    table = java_random.poisson_table(1.0)
    table[1] = 1e300  # a threshold that no sum reaches
    assert java_random.poisson(java_random.java_random(1), table) == 99
