"""Comparing learners whose labels are delayed, and regressors."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

import streameval as se
from streameval.base.errors import ConfigError
from streameval.evaluation.verdict_words import FIRST, SECOND
from streameval.evaluation.verdicts import judge_pair
from streameval.significance.stream_mean import stream_mean

LOANS = ["naive_bayes", "majority"]
REGRESSORS = ["amrules", "target_mean"]
PLANES = se.generate("planes", rows=3000)
of_both = pytest.mark.parametrize(
    ("stream", "learners"),
    [(se.generate("sea", rows=3000), LOANS), (PLANES, REGRESSORS)],
    ids=["classes", "numbers"],
)


@of_both
@pytest.mark.parametrize("delay", [None, 200])
def test_learners_are_compared_on_arrival(stream, learners, delay):
    found = se.compare(stream, learners, delay=delay)
    table = se.evaluate(stream, learners[0], delay=delay).table
    for name in {*found.with_baselines} - {*found.draws}:
        expected = np.nanmean(table.losses(name).astype(float))
        assert found.plan.task.error(found.mean(name)[0]) == pytest.approx(expected)
    assert ("predictions on arrival" in "\n".join(found.lines())) == (delay is not None)
    assert found.verdict == "beats"


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


def test_regressors_are_compared_by_their_errors():
    found = se.compare(PLANES, REGRESSORS)
    pair = found.pairs[0]
    errors = {name: found._known.errors[name].mean(axis=0) for name in REGRESSORS}
    series = errors["target_mean"] - errors["amrules"]
    known = ~np.isnan(series)
    assert pair.difference == pytest.approx(series[known].mean())
    margin = 0.02 * found.mean("target_mean")[0]  # the better baseline
    assert found.plan.rope == pytest.approx(margin)
    text = "\n".join(found.lines(more=True))
    assert "in mean absolute error, by how much A's is lower" in " ".join(text.split())
    assert "over previous target" in text
    assert max(map(len, text.splitlines())) <= 100
    json.dumps(found.to_dict(more=True), allow_nan=False)


def test_the_skill_of_a_regressor_is_about_what_both_predict():
    """No target is known at the first instance, which is not scored."""
    stream = se.generate("planes", rows=1000)
    found = se.compare(stream, ["target_mean", "previous_target"])
    table = se.evaluate(stream, "target_mean").table
    own, other = (table.losses(name) for name in ("target_mean", "previous_target"))
    assert len(own) == np.count_nonzero(~np.isnan(other)) == 999
    skill = found.skill("target_mean", "previous_target")
    assert skill.value == pytest.approx(1.0 - own.mean() / other.mean())
    assert skill.low < skill.value < skill.high


def test_regressors_that_draw_run_several_times():
    found = se.compare(se.generate("planes", rows=600), ["amrules", "previous_target"])
    assert found.draws in (["amrules"], [])
    assert found.runs == (5 if found.draws else 1)


def test_the_figure_of_regressors_has_their_unit():
    axes = se.compare(se.generate("planes", rows=600), REGRESSORS).plot(points=20)
    assert "mean absolute error" in axes.get_ylabel()
    assert "points" not in axes.get_ylabel()


def test_regressors_have_no_folds():
    with pytest.raises(ConfigError, match="rest on prequential runs"):
        se.compare(se.generate("planes", rows=500), REGRESSORS, "cross_validation")


def _skewed(n, dependence, seed):
    """Differences of two series of dependent, skewed errors with equal expectations."""
    draws = np.random.default_rng(seed)
    kept = draws.random(n) < dependence
    kept[0] = False
    source = np.maximum.accumulate(np.where(kept, 0, np.arange(n)))
    return draws.gamma(0.5, 2.0, n)[source] - draws.lognormal(-0.5, 1.0, n)[source]


@pytest.mark.parametrize("dependence", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("n", [300, 1000, 5000])
def test_errors_with_equal_means_are_rarely_told_apart(n, dependence):
    """Gamma and lognormal errors of mean 1: 0 is excluded in at most 5 % of 300 series."""
    found = [judge_pair(("a", "b"), _skewed(n, dependence, seed), 0.0) for seed in range(300)]
    wrong = sum(one.verdict in (FIRST, SECOND) for one in found)
    assert wrong <= binom.ppf(0.999, 300, 0.05)


def test_the_interval_of_skewed_errors_is_that_of_a_stream():
    series = _skewed(1000, 0.0, 1)
    found = judge_pair(("a", "b"), series, 0.0)
    assert (found.low, found.high) == stream_mean(series)[1:3]


@of_both
def test_differences_are_those_on_arrival(stream, learners):
    """`differences`, `over_baselines`, `compare` and bin 0 of `bins` say the same."""
    own, base = learners if stream is not PLANES else ("target_mean", "previous_target")
    result = se.evaluate(stream, own, delay=100)
    found, over = result.differences(base).loc[own], result.over_baselines()[own][base]
    pair = se.compare(stream, [own, base], delay=100).pairs[0]
    first = result.bins(1).query("bin == 0").set_index("learner")[result.task.measure]
    expected = result.task.error(first[base]) - result.task.error(first[own])
    assert found["instances"] == over.instances == len(stream) - 101
    for one in (found["difference"], pair.difference, over.difference):
        assert one == pytest.approx(expected, abs=1e-12)
    assert (found["low"], found["high"]) == (over.low, over.high) == (pair.low, pair.high)
    losses = {name: result.table.losses(name).astype(float) for name in (own, base)}
    assert expected == pytest.approx(np.nanmean(losses[base] - losses[own]), abs=1e-12)
