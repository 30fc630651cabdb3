"""Simulations of the three theorems of Bifet et al. (2015): each against a case that is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.detectors import LiteralAdwin
from scipy.stats import binom

from streameval.base.errors import ConfigError, DataError
from streameval.evaluation.error_simulation import dependent_errors, proportion_interval
from streameval.items.theorems import adwin_bounds, theorems
from streameval.items.theorems.adwin_bounds import cut_threshold, theorem_adwin
from streameval.items.theorems.theorems import pattern_probabilities
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.folds import RandomAllotment, split_validation
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.generators.led import Led


@settings(deadline=None)
@given(
    phases=st.lists(
        st.tuples(st.integers(1, 25), st.sampled_from((0.0, 0.1, 0.5, 0.9, 1.0))),
        min_size=1,
        max_size=4,
    ),
    seed=st.integers(0, 99),
    delta=st.sampled_from((0.01, 0.3, 0.9)),
)
def test_the_literal_adwin_is_its_twin(phases, seed, delta):
    lengths, rates = zip(*phases, strict=True)
    rate = np.repeat(rates, lengths)
    values = (np.random.default_rng(seed).random(len(rate)) < rate).astype(float)
    twin, trace = LiteralAdwin(delta), theorem_adwin(values, delta)
    for t, value in enumerate(values.tolist()):
        assert trace.cut[t] == twin.insert(value)
        assert trace.width[t] == len(twin.window)
        assert trace.mean[t] == pytest.approx(sum(twin.window) / len(twin.window))


def test_the_literal_adwin_refuses_what_is_no_confidence_or_error():
    with pytest.raises(ConfigError, match="delta between 0 and 1"):
        theorem_adwin([0.0], 1.0)
    with pytest.raises(DataError):
        theorem_adwin([math.nan], 0.1)


def test_the_needed_inputs_are_the_fewest_that_suffice():
    needed = adwin_bounds.inputs_needed(500, 0.5, 0.002)
    assert 2 * cut_threshold(500, needed, 0.002) < 0.5 <= 2 * cut_threshold(500, needed - 1, 0.002)
    with pytest.raises(ValueError, match=r"0\.1 is never detected with 10"):
        adwin_bounds.inputs_needed(10, 0.1, 0.002)


@pytest.mark.parametrize("memory", [0.0, 0.5, 0.9])
def test_errors_have_the_rate_and_the_dependence_that_are_asked_for(memory):
    errors = dependent_errors(np.random.default_rng(1), np.full(2000, 0.2), memory, 200)
    assert errors.shape == (200, 2000)
    assert errors.mean() == pytest.approx(0.2, abs=0.01)
    ones, after = errors[:, :-1].ravel(), errors[:, 1:].ravel()
    assert np.corrcoef(ones, after)[0, 1] == pytest.approx(memory, abs=0.02)


@pytest.mark.parametrize("runs", [20, 400])
def test_the_interval_of_a_proportion_by_all_outcomes(runs):
    hits = np.arange(runs + 1)
    low, high = np.array([proportion_interval(int(k), runs)[1:] for k in hits]).T
    for rate in np.linspace(0.01, 0.99, 99):
        assert binom.pmf(hits, runs, rate)[(low <= rate) & (rate <= high)].sum() >= 0.95


def test_an_interval_of_a_proportion():
    # Clopper and Pearson (1934): none of 100, upper end 1 - 0.025^(1/100).
    assert proportion_interval(0, 100) == pytest.approx((0, 0, 1 - 0.025**0.01))


def test_the_bound_is_kept_by_independent_errors_and_not_by_dependent_ones():
    table = theorems.coverage(300)
    alone = table[table["memory"] == 0]
    assert (alone["exact"] <= alone["delta"]).all()
    # Of 24 intervals of 95 %, four or more miss with probability 0.03.
    missed = (alone["exact"] < alone["low"]) | (alone["exact"] > alone["high"])
    assert missed.sum() <= 3
    assert (alone["quantile"] <= alone["bound"]).all()
    lasting = table[(table["memory"] == 0.9) & (table["error"] == 0.5)]
    assert (lasting["low"] > lasting["delta"]).all()
    assert lasting["exact"].isna().all()


def test_the_probabilities_of_the_display_are_those_of_its_generator():
    patterns, probabilities = pattern_probabilities()
    assert probabilities.sum() == pytest.approx(1)
    assert probabilities.sum(axis=0) == pytest.approx(np.full(10, 0.1))
    stream = Led(1, theorems.NOISE, irrelevant=False).stream(200_000)
    code = (stream.X @ 2.0 ** np.arange(6, -1, -1)).astype(int)
    assert (patterns[code] == stream.X).all()
    frequencies = np.bincount(code * 10 + stream.y, minlength=1280).reshape(128, 10) / len(stream)
    assert np.abs(frequencies - probabilities).sum() < 0.05


def test_true_errors_are_those_on_new_instances():
    stream = Led(3, theorems.NOISE, irrelevant=False).stream(400)
    both, probabilities = theorems._with_patterns(stream)
    errors = theorems._errors(both, prequential(400), probabilities)
    labels = NaiveBayes().run(stream, prequential(400)).label
    assert errors.estimated == pytest.approx(np.mean(labels != stream.y))
    # The model after 400 instances, on 200,000 that it has not seen.
    new = Led(3, theorems.NOISE, irrelevant=False).stream(200_400)
    op = np.where(np.arange(200_400) < 400, LEARN, PREDICT)
    tape = Tape(np.arange(200_400), op, np.ones(200_400))
    missed = np.mean(NaiveBayes().run(new, tape).label != new.y[400:])
    assert errors.end == pytest.approx(missed, abs=0.004)
    assert errors.end < errors.along < 0.9


def test_true_errors_of_a_fold_are_those_of_its_tests():
    """With a test at each instance nothing is left to interpolate."""
    stream = Led(5, theorems.NOISE, irrelevant=False).stream(60)
    both, probabilities = theorems._with_patterns(stream)
    tape = split_validation(60, 3, allotment=RandomAllotment(("a",)), tested="learnt")[0]
    errors = theorems._errors(both, tape, probabilities)
    true = []
    for time in tape.row.tolist():
        learnt = tape.row[tape.row < time]
        rows = np.concatenate((learnt, np.arange(60, 188)))
        op = np.where(rows < 60, LEARN, PREDICT)
        labels = NaiveBayes().run(both, Tape(rows, op, np.ones(len(rows)))).label
        known = np.where(labels >= 0, probabilities[np.arange(128), labels], 0)
        true.append(1 - known.sum())
    assert errors.along == pytest.approx(np.mean(true), abs=0.01)


def test_adwin_is_quiet_without_dependence_and_finds_what_the_theorem_says():
    quiet = adwin_bounds.alarms(400, 5)
    rates = quiet[(quiet["quantity"] == "steps") & (quiet["memory"] == 0)]
    assert (rates["mean"] <= rates["delta"]).all()
    lasting = quiet[(quiet["quantity"] == "steps") & (quiet["memory"] == 0.9)]
    assert (lasting["mean"] > 0.002).all()
    detected = adwin_bounds.detections(500, 5)
    wide = detected.pivot_table("mean", ["detector", "delta", "gap"], "quantity", observed=True)
    assert (wide["detected"] == 1).all()
    assert (wide["older"] > 0).all()
    assert (wide["delay"] >= 1).all()
    needed = detected.groupby(["detector", "delta", "gap"])["needed"].first()
    assert (wide["delay"] <= needed).all()


@pytest.mark.parametrize(("loud", "runs"), [(0.005, 200), (0.5, 200), (0.9, 2000)])
def test_the_interval_of_rare_shares_holds_the_truth(loud, runs):
    draws = np.random.default_rng(runs)
    shape = (200, runs)
    shares = (draws.random(shape) < loud) * draws.beta(1, 19, shape)
    truth = loud / 20
    covered = [low <= truth <= high for _, low, high in map(adwin_bounds.mean_proportion, shares)]
    assert np.mean(covered) >= 0.95 - 3 * (0.05 * 0.95 / 200) ** 0.5


def test_no_alarm_at_all_has_no_interval_of_width_0():
    mean, low, high = adwin_bounds.mean_proportion(np.zeros(200))
    assert (mean, low) == (0.0, 0.0)
    assert high == pytest.approx(proportion_interval(0, 200).high)


@pytest.mark.parametrize("law", ["exponential", "geometric", "spikes", "heaps"])
def test_the_interval_of_a_mean_of_runs_holds_the_truth(law):
    draws, shape = np.random.default_rng(11), (1000, 200)
    samples, truth = {
        "exponential": (draws.exponential(40, shape), 40),
        "geometric": (draws.geometric(0.05, shape), 20),
        "spikes": (40 + 900.0 * (draws.random(shape) < 0.01), 49),
        "heaps": (draws.choice([12, 44], p=[0.3, 0.7], size=shape), 34.4),
    }[law]
    means = [adwin_bounds.mean_of_runs(values) for values in samples]
    missed = np.mean([low > truth or high < truth for _, low, high in means])
    assert missed <= 0.05 + 3 * (0.05 * 0.95 / len(samples)) ** 0.5
    assert any(np.isnan(low) for _, low, _ in means) == (law != "heaps")


def test_equal_runs_have_no_interval():
    assert adwin_bounds.mean_of_runs(np.full(200, 44.0)) == pytest.approx(
        (44.0, np.nan, np.nan), nan_ok=True
    )


def test_checks_of_moa_are_counted_every_32nd_step(monkeypatch):
    class Trace:
        cut = np.arange(1, 321) % 64 == 0  # at every second check

    monkeypatch.setattr(adwin_bounds, "DETECTORS", {"moa": lambda errors, delta: Trace})
    rates = adwin_bounds.alarms(320, 2)
    assert (rates.loc[rates["quantity"] == "steps", "mean"] == 0.5).all()
