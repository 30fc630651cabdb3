"""Which measures have intervals: of results and comparisons, and on pages."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.own_pages import unrendered

import streameval as se
from streameval.api.measure_intervals import (
    ONE_RUN,
    SKEWED,
    estimate_with_interval,
    estimates_with_intervals,
    measure_intervals,
)
from streameval.base.errors import ConfigError
from streameval.evaluation.coverage import MAX_CLASS_PROPORTION
from streameval.evaluation.kappa_intervals import KAPPAS
from streameval.pages.own_data import build_page
from streameval.pages.report import collect_findings
from streameval.significance.skill_interval import skill_interval
from streameval.significance.stream_mean import Sample

BASELINES = {"kappa_temporal": "no_change", "kappa_m": "majority"}
LEARNERS = ["naive_bayes", "random_forest"]


@pytest.fixture(scope="module")
def stream():
    return se.generate("sea", rows=2000)


@pytest.fixture(scope="module")
def result(stream):
    return se.evaluate(stream, LEARNERS)


@pytest.fixture(scope="module")
def compared(stream):
    return se.compare(stream, LEARNERS)


def skewed(frequent, rows=1500):
    """A stream with so many labels in one class, to the row."""
    draws = np.random.default_rng(1)
    y = np.arange(rows) >= round(frequent * rows)
    draws.shuffle(y)
    return se.from_arrays(draws.normal(size=(rows, 2)) + y[:, None], y, name="skewed")


@pytest.mark.parametrize("measure", ["accuracy", *KAPPAS])
def test_a_level_is_the_measure_with_its_interval(result, measure):
    values = result.measures(measure)[measure]
    for name in result.learners:
        estimate = result.estimate(name, measure)
        assert estimate.mean == pytest.approx(values[name], abs=1e-12)
        assert (estimate.low < estimate.mean < estimate.high) != bool(estimate.reason)
    assert result.estimate("naive_bayes") == result.estimate("naive_bayes", "accuracy")


def test_a_level_of_numbers_is_an_error_or_a_skill():
    result = se.evaluate(se.generate("planes", rows=3000), "amrules", seasonal=5)
    skills = result.skills().set_index(["learner", "baseline"])
    for base in result.baselines:
        estimate = result.estimate("amrules", f"skill_over_{base}")
        assert (estimate.mean, estimate.low, estimate.high) == tuple(
            skills.loc[("amrules", base), ["skill", "low", "high"]]
        )
    assert result.estimate("amrules") == result.estimate("amrules", "mean_absolute_error")
    with pytest.raises(ConfigError, match=r"measure 'kappa'.*skill_over_target_mean"):
        result.estimate("amrules", "kappa")


def test_other_measures_and_folds_have_no_level(result, stream):
    with pytest.raises(ConfigError, match=r"measure 'macro_f1'.*kappa_temporal"):
        result.estimate("naive_bayes", "macro_f1")
    folds = se.evaluate(stream, "naive_bayes", "cross_validation:3")
    for measure in ("accuracy", "kappa_m"):
        with pytest.raises(ConfigError, match="several folds"):
            folds.estimate("naive_bayes", measure)


def test_a_skill_over_one_run_is_the_kappa_of_the_result(result, compared):
    for name in ("naive_bayes", "no_change", "majority"):
        for measure, baseline in BASELINES.items():
            skill, estimate = compared.skill(name, baseline), result.estimate(name, measure)
            assert skill == pytest.approx(
                (estimate.mean, estimate.low, estimate.high, estimate.reason), nan_ok=True
            )
    with pytest.raises(ConfigError, match=r"baseline 'naive_bayes'.*no_change"):
        compared.skill("majority", "naive_bayes")


def test_a_skill_over_runs_covers_seeds(compared):
    """Literally: the mean errors of all runs, and what differs between these."""
    assert compared.random_learners == ["random_forest"]
    for baseline in BASELINES.values():
        errors, other = (1.0 - compared._runs.values(name) for name in ("random_forest", baseline))
        of_runs = [1.0 - accuracies.mean() for accuracies in compared.by_fold("random_forest")]
        of_baseline = [1.0 - compared.by_fold(baseline).mean()] * compared.runs
        expected = skill_interval(Sample(errors, of_runs), Sample(other, of_baseline))
        assert compared.skill("random_forest", baseline) == pytest.approx(expected)
        alone = skill_interval(errors, other)
        assert expected.low < alone.low < alone.high < expected.high


def test_regressors_have_skills_by_their_errors():
    """Their estimates are left alone: the rule is about accuracy."""
    result = se.evaluate(se.generate("planes", rows=5000), ["amrules", "previous_target"])
    compared = se.compare(result.stream, result.requested_learners)
    errors, of_baseline = (compared.estimate(name).mean for name in ("amrules", "target_mean"))
    skill = compared.skill("amrules", "target_mean")
    assert skill.value == pytest.approx(1.0 - errors / of_baseline)
    assert skill.low < skill.value < skill.high
    estimates = estimates_with_intervals(compared)
    assert estimates == {name: compared.estimate(name) for name in compared.learners_and_baselines}


def test_pages_show_what_keeps_to_the_rule(result, compared):
    estimates, kappas = estimates_with_intervals(compared), measure_intervals(result, compared)
    assert estimates == {name: compared.estimate(name) for name in compared.learners_and_baselines}
    for name in compared.learners_and_baselines:
        for measure, baseline in BASELINES.items():
            expected = compared.skill(name, baseline)[:3]
            assert kappas[name][measure] == pytest.approx(expected, nan_ok=True)
        estimate = result.estimate(name, "kappa")
        # κ is of one run, which does not cover seeds; that of Majority broke the rule.
        has_one = name not in {"random_forest", "majority"}
        ends = (estimate.low, estimate.high) if has_one else (np.nan, np.nan)
        assert kappas[name]["kappa"] == pytest.approx((estimate.mean, *ends), nan_ok=True)
    assert not np.isnan([estimates[name].low for name in estimates]).any()


def test_one_run_of_a_learner_that_draws_has_no_interval(stream, result):
    alone = se.compare(stream, LEARNERS, runs=1)
    estimates, kappas = estimates_with_intervals(alone), measure_intervals(result, alone)
    assert estimates["random_forest"].reason == ONE_RUN
    assert np.isnan([*estimates["random_forest"][1:4]]).all()
    assert estimates["random_forest"].mean == alone.estimate("random_forest").mean
    assert not estimates["naive_bayes"].reason
    for measure in BASELINES:
        assert np.isnan(kappas["random_forest"][measure][1:]).all()
        assert not np.isnan(kappas["naive_bayes"][measure]).any()
    estimate = estimate_with_interval(alone, "random_forest", result.estimate("random_forest"))
    assert estimate.reason == ONE_RUN


@pytest.mark.parametrize("more", [0.0, 0.01])
def test_a_frequent_class_leaves_accuracy_without_interval(more):
    result = se.evaluate(skewed(MAX_CLASS_PROPORTION + more), ["naive_bayes", "hoeffding_tree"])
    rare = se.compare(result.stream, result.requested_learners)
    estimates = estimates_with_intervals(rare)
    for name in rare.learners:
        assert estimates[name].reason == (SKEWED if more else "")
        assert np.isnan(estimates[name].low) == bool(more)
    for name in ("no_change", "majority"):
        assert estimates[name] == rare.estimate(name)


def test_a_page_says_why_there_is_no_interval(result, compared):
    content = collect_findings(result.request, result=result, comparison=compared)
    for run in (content.order.original, content.order.shuffled):
        assert (
            estimate_with_interval(compared, "random_forest", run.estimate("random_forest")).reason
            == ONE_RUN
        )
    estimate = estimate_with_interval(
        compared, "naive_bayes", content.order.original.estimate("naive_bayes")
    )
    assert estimate == result.estimate("naive_bayes")
    with unrendered():
        text = build_page([content]).html()
        assert text.count(f"random_forest (order of the stream): no interval, as {ONE_RUN}.") == 1
        assert "In simulated streams" in text
        numbers = se.evaluate(se.generate("planes", rows=500), "amrules")
        of_numbers = collect_findings(numbers.request, result=numbers)
        assert "In simulated streams" not in build_page([of_numbers]).html()
    assert np.isnan(
        [
            value[1:]
            for row in measure_intervals(numbers, of_numbers.comparison).values()
            for value in row.values()
        ]
    ).all()
