"""How often the tests of series reject a true null hypothesis, and where they must not be used.

Two learners of equal expectation are compared over 1,000 instances in 2,000 runs. Each case says
how often a test rejects at 5 %: as often as stated, or by how much too rarely or too often.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.signal import lfilter
from test_kfold_interval import fold_sums

from streameval.significance.kfold_interval import kfold_interval
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL

RUNS, N = 2_000, 1_000
#: Three standard errors of a proportion of 5 % of the runs: 1.5 points.
ERROR = 3 * math.sqrt(LEVEL * (1 - LEVEL) / RUNS)


def independent(draws):
    """1, 0, -1: one learner alone is correct for a fifth of the instances."""
    return draws.choice([-1.0, 0.0, 1.0], p=[0.1, 0.8, 0.1], size=(RUNS, N))


def autoregressive(draws, phi):
    noise = draws.standard_normal((RUNS, N + 200))
    return lfilter([1], [1, -phi], noise, axis=-1)[:, 200:]


def in_runs(draws, stay):
    """1, 0, -1 in runs: each value repeats the one before with a probability of `stay`."""
    fresh = independent(draws)
    changes = draws.random((RUNS, N)) > stay
    last = np.maximum.accumulate(np.where(changes, np.arange(N), 0), axis=1)
    return np.take_along_axis(fresh, last, axis=1)


def binned(draws):
    """The means of 1,000 bins of 20 instances in short runs."""
    noise = draws.standard_normal((RUNS, N, 20))
    series = lfilter([1], [1, -0.5], noise.reshape(RUNS, -1), axis=-1)
    return series.reshape(RUNS, N, 20).mean(axis=-1)


def moving(draws):
    """Independent values whose mean moves from 0.3 to -0.3: their expectation over all is 0."""
    return draws.standard_normal((RUNS, N)) + np.where(np.arange(N) < N // 2, 0.3, -0.3)


STREAMS = {
    "independent": independent,
    "AR(1) 0.5": lambda draws: autoregressive(draws, 0.5),
    "AR(1) 0.9": lambda draws: autoregressive(draws, 0.9),
    "runs 0.5": lambda draws: in_runs(draws, 0.5),
    "runs 0.9": lambda draws: in_runs(draws, 0.9),
    "bins": binned,
    "moving mean": moving,
}


@cache
def stream(name):
    return STREAMS[name](np.random.default_rng(list(STREAMS).index(name)))


def size(test, name):
    """Proportion of runs in which a test rejects."""
    values = stream(name)
    if test == "kfold":
        sums = fold_sums(values, np.arange(N) % 10, 10)
        return np.mean(kfold_interval(sums).p_value < LEVEL)
    return np.mean(TESTS[test](values).p_value < LEVEL)


@pytest.mark.parametrize("test", ["diebold_mariano", "series_t", "fluctuation"])
@pytest.mark.parametrize("name", ["independent", "AR(1) 0.5", "runs 0.5", "bins"])
def test_short_dependence_is_allowed_for(test, name):
    assert abs(size(test, name) - LEVEL) <= ERROR


@pytest.mark.parametrize("name", ["AR(1) 0.9", "runs 0.9"])
def test_only_diebold_mariano_has_its_size_where_dependence_is_long(name):
    assert abs(size("diebold_mariano", name) - LEVEL) <= ERROR
    for test in ("series_t", "fluctuation"):
        assert LEVEL + ERROR < size(test, name) < 0.16


def test_a_mean_that_moves_hides_from_all_but_the_fluctuation_test():
    for test in ("diebold_mariano", "series_t"):
        assert size(test, "moving mean") < 0.01
    assert size("fluctuation", "moving mean") > 0.9  # rightly: its null is 0 at all times


def test_the_interval_of_folds_needs_independent_instances():
    assert abs(size("kfold", "independent") - LEVEL) <= ERROR
    assert size("kfold", "AR(1) 0.5") > 0.2
    assert size("kfold", "runs 0.9") > 0.6


def test_an_e_process_is_about_conditional_expectations():
    # Much less than the level at a fixed length: the price of looking at any time.
    assert size("e_process", "independent") < LEVEL / 5
    # The next value of a run is known before: its conditional expectation is not 0.
    assert size("e_process", "runs 0.5") > 0.1
    assert size("e_process", "runs 0.9") > 0.8
