"""Error rates of tests and intervals, simulated under true null hypotheses.

They hold as stated only for some series: the others show where a test must not be used.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.signal import lfilter
from scipy.stats import binom
from test_kfold_interval import fold_sums
from test_skill_interval import errors_of

from streameval.significance.confidence_sequence import confidence_sequence
from streameval.significance.e_process import e_process
from streameval.significance.kfold_interval import kfold_interval
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL
from streameval.significance.skill_interval import skill_interval
from streameval.significance.stream_mean import stream_mean

RUNS, N = 2_000, 1_000


def three_errors(n):
    """Three standard errors of the proportion of `n` runs that a test of this level rejects."""
    return 3 * math.sqrt(LEVEL * (1 - LEVEL) / n)


ERROR = three_errors(RUNS)  # 1.5 points


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


PATHS, TIMES = 1_000, 2_000
PATH_ERROR = three_errors(PATHS)


def changing_variance(draws):
    """Martingale differences whose size depends on the one before."""
    values, chance = np.zeros((PATHS, TIMES)), np.full(PATHS, 0.3)
    for t in range(TIMES):
        differ = draws.random(PATHS) < chance
        values[:, t] = np.where(differ, draws.choice([-1.0, 1.0], size=PATHS), 0.0)
        chance = np.where(differ, 0.9, 0.05)
    return values


def skewed(draws):
    """Rare large losses against frequent small gains, the worst case of bounded means."""
    return np.where(draws.random((PATHS, TIMES)) < 0.02, -0.98, 0.02)


@pytest.mark.parametrize("series", [changing_variance, skewed])
def test_an_e_process_rejects_a_true_null_at_any_time_no_more_often_than_stated(series):
    for path in e_process(series(np.random.default_rng(1))):
        assert np.mean(path.max(axis=-1) >= math.log(1 / LEVEL)) <= LEVEL + PATH_ERROR


def test_all_intervals_of_a_confidence_sequence_hold_the_mean_of_expectations():
    """Differences that repeat: their conditional expectation follows the one before."""
    draws, last = np.random.default_rng(3), np.zeros(PATHS)
    values, expected = np.zeros((2, PATHS, TIMES))
    for t in range(TIMES):
        expected[:, t] = 0.6 * last
        other = draws.choice([-1.0, 0.0, 1.0], p=[0.1, 0.8, 0.1], size=PATHS)
        last = values[:, t] = np.where(draws.random(PATHS) < 0.6, last, other)
    result = confidence_sequence(values)
    mean = np.cumsum(expected, axis=1) / np.arange(1, TIMES + 1)
    held = ((result.low <= mean + 1e-12) & (mean <= result.high + 1e-12)).all(axis=1)
    assert held.mean() >= 1 - LEVEL - PATH_ERROR


@pytest.mark.parametrize("proportion", [0.7, 0.95])
@pytest.mark.parametrize(("n", "dependence"), [(60, 0.0), (250, 0.5), (1000, 0.9), (5000, 0.9)])
def test_at_most_one_of_twenty_intervals_of_a_mean_misses_it(n, dependence, proportion):
    """Of 400 series, by more than sampling error: one of a thousand such counts is larger."""
    missed = 0
    for seed in range(400):
        draws = np.random.default_rng(seed)
        starts = np.where(draws.random(n) >= dependence, np.arange(n), 0)
        series = (draws.random(n) < proportion)[np.maximum.accumulate(starts)]
        result = stream_mean(series.astype(np.float64))
        missed += result.low > proportion or result.high < proportion
    assert missed <= binom.ppf(0.999, 400, LEVEL)


@pytest.mark.parametrize(("dependence", "n"), [(0.0, 1500), (0.9, 4000)])
def test_intervals_hold_the_true_skill(dependence, n):
    # By their symmetry the mean errors have the ratio 0.8: the true skill is 0.2.
    draws, tries = np.random.default_rng(5), 300
    intervals = [skill_interval(*errors_of(draws, n, dependence, 0.8)) for _ in range(tries)]
    missed = sum(not each.low <= 0.2 <= each.high for each in intervals)
    assert missed <= binom.ppf(0.999, tries, LEVEL)


@pytest.mark.parametrize("counts", [(42, 18), (30, 18, 12), (3000, 1500, 400, 100)])
def test_labels_in_random_order_are_called_dependent_as_rarely_as_stated(counts):
    draws, labels = np.random.default_rng(5), np.repeat(np.arange(len(counts)), counts)
    p_values = [TESTS["label_order"](draws.permutation(labels)).p_value for _ in range(1_000)]
    assert np.mean(np.array(p_values) <= LEVEL) <= LEVEL + three_errors(1_000)
