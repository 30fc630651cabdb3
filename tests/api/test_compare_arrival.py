"""Comparing learners whose labels are delayed, and regressors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

import streameval as se
from streameval.base.errors import ConfigError
from streameval.evaluation.verdict_words import BEATS, LOSES_TO
from streameval.evaluation.verdicts import judge_pair

LOANS = ["naive_bayes", "majority"]
REGRESSORS = ["amrules", "target_mean"]
PLANES = se.generate("planes", rows=1500)
of_both = pytest.mark.parametrize(
    ("stream", "learners"),
    [(se.generate("sea", rows=1500), LOANS), (PLANES, REGRESSORS)],
    ids=["classes", "numbers"],
)


@of_both
@pytest.mark.parametrize("delay", [None, 200])
def test_learners_are_compared_on_arrival(stream, learners, delay):
    comparison = se.compare(stream, learners, delay=delay)
    table = se.evaluate(stream, learners[0], delay=delay).table
    for name in {*comparison.learners_and_baselines} - {*comparison.random_learners}:
        expected = np.nanmean(table.losses(name).astype(float))
        assert comparison.plan.task.error(comparison.mean(name)[0]) == pytest.approx(expected)
    assert ("predictions on arrival" in "\n".join(comparison.lines())) == (delay is not None)
    assert comparison.verdict == "beats"


@of_both
def test_a_delay_of_nothing_is_no_delay(stream, learners):
    pairs = [se.compare(stream, learners, delay=delay).pairs[0] for delay in (0, None)]
    assert pairs[0].low == pairs[1].low < pairs[0].difference


@pytest.mark.parametrize(
    "options",
    [{"protocol": "cross_validation", "delay": 3}, {"delay": 3, "ignore_label_times": True}],
)
def test_delays_exclude_folds_and_being_ignored(options):
    plain, times = se.generate("sea", rows=500), np.arange(500)
    with pytest.raises(ConfigError, match="delay"):
        se.compare(replace(plain, time=times, label_time=times + 3), LOANS, **options)
    with pytest.raises(ConfigError, match=r"delay|found none in stream 'sea'\. Leave it out"):
        se.compare(plain, LOANS, **options)


def test_the_figure_of_regressors_has_their_unit():
    axes = se.compare(se.generate("planes", rows=600), REGRESSORS).plot(points=20)
    assert "mean absolute error" in axes.get_ylabel()
    assert "points" not in axes.get_ylabel()


def test_regressors_have_no_folds():
    with pytest.raises(ConfigError, match="need prequential runs"):
        se.compare(se.generate("planes", rows=500), REGRESSORS, "cross_validation")


def _skewed(n, dependence, seed):
    """Differences of two series of dependent, skewed errors with equal expectations."""
    draws = np.random.default_rng(seed)
    kept = draws.random(n) < dependence
    kept[0] = False
    source = np.maximum.accumulate(np.where(kept, 0, np.arange(n)))
    return draws.gamma(0.5, 2.0, n)[source] - draws.lognormal(-0.5, 1.0, n)[source]


@pytest.mark.parametrize("dependence", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("n", [300, 2000])
def test_errors_with_equal_means_are_rarely_told_apart(n, dependence):
    """Gamma and lognormal errors of mean 1: 0 is excluded in at most 5 % of 300 series."""
    pairs = [judge_pair(("a", "b"), _skewed(n, dependence, seed), 0.0) for seed in range(300)]
    wrong = sum(pair.verdict in (BEATS, LOSES_TO) for pair in pairs)
    assert wrong <= binom.ppf(0.999, 300, 0.05)


@of_both
def test_differences_are_those_on_arrival(stream, learners):
    """`differences`, `over_baselines`, `compare` and bin 0 of `bins` say the same."""
    learner, base = learners if stream is not PLANES else ("target_mean", "previous_target")
    result = se.evaluate(stream, learner, delay=100)
    row, over = result.differences(base).loc[learner], result.over_baselines()[learner][base]
    pair = se.compare(stream, [learner, base], delay=100).pairs[0]
    first = result.bins(1).query("bin == 0").set_index("learner")[result.task.measure]
    expected = result.task.error(first[base]) - result.task.error(first[learner])
    assert row["instances"] == over.instances == len(stream) - 101
    for difference in (row["difference"], pair.difference, over.difference):
        assert difference == pytest.approx(expected, abs=1e-12)
    assert (row["low"], row["high"]) == (over.low, over.high) == (pair.low, pair.high)
    losses = {name: result.table.losses(name).astype(float) for name in (learner, base)}
    assert expected == pytest.approx(np.nanmean(losses[base] - losses[learner]), abs=1e-12)
