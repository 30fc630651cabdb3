"""ADWIN cuts where MOA's does, and keeps the same window."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.java import java_hash
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import detectors as naive

from streameval.base.errors import ConfigError, DataError
from streameval.detectors.adwin import (
    ADWIN,
    DEVIATIONS,
    TOTAL,
    WIDTH,
    adwin_detect,
    adwin_insert,
    adwin_mean,
    adwin_start,
    adwin_trace,
)

# moa.classifiers.core.driftdetection.ADWIN of MOA 2024.07 (the jar of capymoa 0.15.1), fed with
# `inputs`: seed, delta, levels, n, real; inputs after which setInput was true; final width,
# estimation and variance; hash h <- 31 h + width over all widths, 64 bits.
MOA = [
    (
        (1, 0.002, (0.2, 0.8), 4000, False),
        [2048, 2080, 2176],
        (2000, 0.8005, 0.1596997499999999),
        327347891929766400,
    ),
    (
        (2, 0.002, (0.5, 0.4, 0.6), 6000, False),
        [2944, 3104, 4160, 4192],
        (2096, 0.5906488549618321, 0.24178278509410794),
        -1635238636296395912,
    ),
    (
        (3, 0.05, (0.9, 0.7, 0.9, 0.3), 8000, False),
        [2080, 2112, 2176, 2432, 4128, 4160, 4192, 4320, 6016, 6048],
        (2016, 0.2906746031746032, 0.20618287824389098),
        -6304703298198434752,
    ),
    (
        (4, 0.01, (0.0, 1.0, 0.5), 3000, True),
        [1024, 1056, 1088, 2048, 2080, 2112],
        (1024, 1.022795756580308, 0.08897588522872661),
        2785003979178349988,
    ),
    (
        (5, 0.002, (0.3,), 20000, False),
        [],
        (20000, 0.2984, 0.20935743999999964),
        8361950581408737552,
    ),
    (
        (6, 0.3, (0.5,), 5000, False),
        [],
        (5000, 0.4906, 0.24991164000000007),
        3785837913572354628,
    ),
]


# moa.classifiers.core.driftdetection.ADWINChangeDetector of the same jar, on the same inputs:
# positions, from 0, after which getChange was true.
MOA_CHANGES = [
    [2047, 2079, 2175],
    [4159, 4191],
    [4127, 4159, 4191, 4319],
    [1023, 1055, 1087],
    [],
    [],
]


@pytest.mark.parametrize(("case", "changes"), [*zip(MOA, MOA_CHANGES, strict=True)])
def test_cuts_widths_and_changes_are_moas(case, changes):
    stream, cuts, end, width_hash = case
    seed, delta, levels, n, real = stream
    values = np.array(list(naive.inputs(seed, levels, n, real)))
    trace = adwin_trace(values, delta)
    assert list(np.flatnonzero(trace.cut) + 1) == cuts
    assert (trace.width[-1], trace.mean[-1]) == end[:2]
    assert java_hash(trace.width) == width_hash
    assert ADWIN(delta).run(values).changes.tolist() == changes

    state = adwin_start(1, n)
    for x in values:
        adwin_insert(state, 0, x, delta)
    assert state.window[0, DEVIATIONS] / state.counts[0, WIDTH] == end[2]


# The same class as `MOA`, delta 0.9: final widths for a = 8, ..., 119 of `a` inputs u and then
# 7 a mod 63 + 1 inputs 100 + u, seed a. Cuts there hang on which shortest parts are compared.
# fmt: off
MOA_SHORT = [
    57, 10, 18, 26, 22, 30, 38, 46, 50, 58, 19, 27, 19, 27, 31, 39, 39, 47, 55, 28, 20, 36,
    52, 60, 36, 44, 52, 56, 37, 45, 53, 61, 29, 37, 45, 53, 57, 46, 54, 62, 22, 30, 38, 46,
    46, 54, 55, 63, 19, 27, 35, 47, 39, 47, 55, 64, 72, 80, 88, 28, 36, 44, 52, 56, 73, 81,
    89, 25, 29, 37, 45, 45, 57, 82, 90, 18, 26, 34, 38, 38, 46, 54, 91, 19, 27, 43, 59, 35,
    43, 51, 59, 100, 108, 116, 124, 28, 36, 44, 52, 52, 109, 117, 125, 25, 29, 37, 45, 45,
    53, 118, 126, 18,
]
# fmt: on


def test_shortest_parts_are_moas():
    result = []
    for a in range(8, 120):
        u = naive.uniforms(a)
        values = [next(u) for _ in range(a)]
        values += [100 + next(u) for _ in range(7 * a % 63 + 1)]
        result.append(int(adwin_trace(values, 0.9).width[-1]))
    assert result == MOA_SHORT


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.3, 1.0, -5.0]), st.integers(1, 300)),
        min_size=1,
        max_size=5,
    ),
    st.integers(0, 2**31 - 1),
    st.sampled_from([1e-6, 0.002, 0.5]),
)
def test_equals_its_naive_twin(phases, seed, delta):
    u = naive.uniforms(seed)
    values = [level + next(u) for level, length in phases for _ in range(length)]
    twin, rises = naive.Adwin(delta), []
    trace = adwin_trace(values, delta)
    for t, x in enumerate(values):
        before = twin.mean
        assert trace.cut[t] == twin.insert(x)
        assert (trace.width[t], trace.mean[t]) == (twin.width, twin.mean)
        if trace.cut[t] and twin.mean > before:
            rises.append(t)
    assert ADWIN(delta).run(values).changes.tolist() == rises


def test_members_of_a_pool_are_independent():
    state = adwin_start(3)
    values = list(naive.inputs(1, (0.2, 0.8), 4000, False))
    alone = adwin_trace(values)
    for x in values:
        adwin_insert(state, 1, x, 0.002)
        adwin_detect(state, 2, 1.0 - x, 0.05)
    assert state.counts[1, WIDTH] == alone.width[-1]
    assert adwin_mean(state, 1) == alone.mean[-1]
    assert np.isnan(adwin_mean(state, 0))
    assert state.counts[0, WIDTH] == 0


@pytest.mark.parametrize("n", [*range(1, 70), 127, 128, 1000, 4095, 4096, 4097])
def test_room_for_the_longest_input_is_enough(n):
    # Buckets never move beyond the last row: the pool's neighbour stays untouched.
    state = adwin_start(2, n)
    for _ in range(n):
        adwin_insert(state, 0, 1.0, 0.002)
    assert state.counts[0, WIDTH] == state.window[0, TOTAL] == n
    sizes = 2.0 ** np.arange(state.n_buckets.shape[1])
    assert state.n_buckets[0] @ sizes == n
    assert not state.bucket[1].any()
    assert not state.n_buckets[1].any()


def test_bad_input_is_named():
    with pytest.raises(DataError, match=r"ADWIN: .*one-dimensional .*finite"):
        adwin_trace([1.0, np.nan])
    with pytest.raises(ConfigError, match=r"ADWIN: .*between 0 and 1, found 1"):
        adwin_trace([1.0], 1)
