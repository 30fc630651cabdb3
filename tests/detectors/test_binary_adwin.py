"""ADWIN of zeros and ones has the same windows as the general ADWIN, and so as MOA's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import detectors as naive

from streameval.compiled.kernels import kernel
from streameval.detectors import binary_adwin
from streameval.detectors.adwin import (
    CLOCK,
    DEVIATIONS,
    TOTAL,
    WIDTH,
    adwin_detect,
    adwin_mean,
    adwin_start,
)
from streameval.detectors.binary_adwin import binary_start

# They are parts of kernels: here Python calls them.
binary_copy = kernel(getattr(binary_adwin.binary_copy, "py_func", binary_adwin.binary_copy))
binary_detect = kernel(getattr(binary_adwin.binary_detect, "py_func", binary_adwin.binary_detect))
binary_insert = kernel(getattr(binary_adwin.binary_insert, "py_func", binary_adwin.binary_insert))
binary_mean = kernel(getattr(binary_adwin.binary_mean, "py_func", binary_adwin.binary_mean))
binary_reset = kernel(getattr(binary_adwin.binary_reset, "py_func", binary_adwin.binary_reset))
binary_window = kernel(getattr(binary_adwin.binary_window, "py_func", binary_adwin.binary_window))


def ones(draw_phases, seed):
    """Phases of (share of ones, length) in a row."""
    u = naive.uniforms(seed)
    return [next(u) < level for level, length in draw_phases for _ in range(length)]


phases = st.lists(
    st.tuples(st.sampled_from([0.0, 0.01, 0.2, 0.5, 0.9, 1.0]), st.integers(1, 700)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=100)
@given(phases, st.integers(0, 2**31 - 1), st.sampled_from([1e-6, 0.002, 0.5, 0.999]))
def test_equals_adwin(phases, seed, delta):
    state, general = binary_start(2), adwin_start(1)
    assert np.isnan(binary_mean(state, 1))
    for each in ones(phases, seed):
        said = binary_detect(state, 1, each, delta)
        assert said == adwin_detect(general, 0, float(each), delta)
        assert binary_mean(state, 1) == adwin_mean(general, 0)
        assert binary_window(state, 1) == (general.counts[0, WIDTH], general.window[0, TOTAL])
        if state.unread[1] == 1:
            assert state.deviations[1] == general.window[0, DEVIATIONS]
    assert binary_window(state, 0) == (0, 0)


def test_equals_adwin_on_short_windows():
    # A high delta cuts down to twelve inputs, which leaves rows with fewer than four buckets.
    shortest = CLOCK
    for seed in range(40):
        state, general = binary_start(1), adwin_start(1)
        for each in ones([(0.0, 100), (1.0, 70)] * 6, seed):
            assert binary_detect(state, 0, each, 0.99) == adwin_detect(
                general, 0, float(each), 0.99
            )
            assert binary_mean(state, 0) == adwin_mean(general, 0)
            if state.unread[0] == 1:
                shortest = min(shortest, binary_window(state, 0)[0])
    assert shortest < CLOCK


def test_copies_go_on_as_their_source():
    state = binary_start(3)
    first, rest = (ones([(level, 1237)], 5) for level in (0.2, 0.7))
    for each in first:
        binary_insert(state, 0, each, 0.05)
        binary_insert(state, 2, not each, 0.05)
    binary_copy(state, 0, 2)
    for each in rest:
        assert binary_insert(state, 0, each, 0.05) == binary_insert(state, 2, each, 0.05)
        assert binary_window(state, 0) == binary_window(state, 2)


def test_reset_forgets_everything():
    state, values = binary_start(2), ones([(0.9, 1500), (0.3, 1511)], 3)
    for each in values:
        binary_insert(state, 0, each, 0.05)
    binary_reset(state, 0)
    assert np.isnan(binary_mean(state, 0))
    for each in values:
        assert binary_insert(state, 0, each, 0.05) == binary_insert(state, 1, each, 0.05)
    assert binary_window(state, 0) == binary_window(state, 1)


@pytest.mark.parametrize("n", [*range(1, 70), 127, 128, 1000, 4095, 4096, 4097])
def test_room_for_the_longest_input_is_enough(n):
    state = binary_start(2, n)
    for _ in range(n):
        binary_insert(state, 0, True, 0.002)
    assert binary_window(state, 0) == (n, n)
    assert not state.bucket[1].any()
