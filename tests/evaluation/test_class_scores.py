"""Class scores of several learners: kept scores, tapes and skills."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from naive import protocols as naive
from naive.wrappers import events

from streameval.base.errors import ConfigError
from streameval.evaluation.class_scores import (
    ALL_SCORE_MEASURES,
    SCORE_SKILLS,
    ScoreTable,
    measure_scores,
    run_with_class_scores,
    windowed_score_measures,
)
from streameval.evaluation.roles import FORECAST_BASELINES
from streameval.evaluation.run import run_learners
from streameval.learners.baselines import NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.label_forecasts import LabelProportions, LabelTransitions
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.measures.forecasts import brier_losses, log_losses
from streameval.protocols.prequential import Delayed, Prequential, prequential
from streameval.protocols.registry import parse
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import NO_LABEL, Stream

LEARNERS = {"bayes": NaiveBayes(), "corrected": TemporalCorrection(NaiveBayes())}


@pytest.fixture(scope="module")
def stream():
    return RandomTree(classes=3).stream(600)


@pytest.fixture(scope="module")
def scored(stream):
    return run_with_class_scores(stream, parse("prequential"), LEARNERS)


def test_labels_and_costs_are_those_of_a_run_without_scores(stream, scored):
    table, costs, kept = scored
    expected, expected_costs = run_learners(stream, parse("prequential"), LEARNERS)
    assert [*table.predicted] == [*expected.predicted]
    for name, labels in expected.predicted.items():
        np.testing.assert_array_equal(table.predicted[name], labels)
    assert [cost.learner for cost in costs] == [cost.learner for cost in expected_costs]
    assert {*kept.scores} == {*LEARNERS, *FORECAST_BASELINES}
    np.testing.assert_array_equal(kept.true, stream.y)


@pytest.mark.parametrize(
    "protocol", [parse("prequential"), Delayed(40), parse("cross_validation:3:all")], ids=str
)
def test_scores_are_those_of_each_learner_on_the_tapes(stream, protocol):
    _, _, kept = run_with_class_scores(stream, protocol, LEARNERS, 5)
    baselines = (LabelProportions(), LabelTransitions())
    every = LEARNERS | {baseline.name: baseline for baseline in baselines}
    assert [*kept.scores] == [*every]
    for name, learner in every.items():
        folds = []
        for tape in protocol.tapes(stream):
            predictions = learner.run(stream, tape, 5, scores=True)
            known = np.ones(600, bool)
            if protocol != Prequential():
                known[:] = naive.scored_rows(events(tape), 600)
            folds.append(predictions.scores[known[predictions.row]])
        np.testing.assert_array_equal(kept.scores[name], np.concatenate(folds))
    assert kept.has_folds == protocol.has_folds


def test_only_what_is_asked_for_and_has_a_label_is_kept(stream):
    y = stream.y.copy()
    y[::7] = NO_LABEL
    gaps = Stream(stream.X, y, stream.schema)
    which = np.arange(600) % 2 == 0
    _, _, kept = run_with_class_scores(gaps, parse("prequential"), LEARNERS, 1, which)
    _, _, everything = run_with_class_scores(gaps, parse("prequential"), LEARNERS)
    known = y != NO_LABEL
    np.testing.assert_array_equal(everything.true, y[known])
    np.testing.assert_array_equal(kept.true, y[known & which])
    for name, table in everything.scores.items():
        np.testing.assert_array_equal(kept.scores[name], table[which[known]])


def test_a_baseline_that_is_given_is_not_run_twice(stream):
    table, costs, kept = run_with_class_scores(
        stream, prequential(600), {"label_proportions": LabelProportions(1.0)}
    )
    assert [*kept.scores] == ["label_proportions", "label_transitions"]
    assert "label_proportions" in table.predicted
    assert [cost.learner for cost in costs] == ["label_proportions", "no_change", "majority"]
    assert kept.scores["label_proportions"][1].max() == pytest.approx(2 / 4)  # (1 + 1) / (1 + 3)


def test_skills_are_one_less_the_ratio_of_losses_and_0_over_oneself(scored):
    kept = scored[2]
    values = {
        (measurement.learner, measurement.measure): measurement.value
        for measurement in measure_scores(kept)
    }
    at_each = windowed_score_measures(kept, FORECAST_BASELINES, [*SCORE_SKILLS], 50, 600)
    for baseline in FORECAST_BASELINES:
        for loss, losses in (("log_loss", log_losses), ("brier", brier_losses)):
            name = f"{loss}_skill_over_{baseline}"
            assert values[baseline, name] == 0
            rows = at_each[(at_each["learner"] == baseline) & (at_each["measure"] == name)]
            assert (rows["value"] == 0).all()
            assert len(rows) == 551
            mine, reference = (losses(kept.forecasts(x)).mean() for x in ("bayes", baseline))
            assert values["bayes", name] == pytest.approx(1 - mine / reference)


def test_measures_are_by_learner_and_as_named(scored):
    names = ["corrected", "bayes"], ["brier", "auc"]
    measurements = measure_scores(scored[2], *names)
    assert [(each.learner, each.measure) for each in measurements] == [*product(*names)]
    reason = "it is defined for two classes only: auc_one_vs_one and "
    assert measurements[1].reason.startswith(reason)
    assert np.isnan(measurements[1].value)
    every = {measurement.measure for measurement in measure_scores(scored[2], ["bayes"])}
    assert every == {*ALL_SCORE_MEASURES}


def test_the_last_window_of_all_gives_the_values_of_all(scored):
    names = [*ALL_SCORE_MEASURES]
    tidy = windowed_score_measures(scored[2], ["bayes"], names, 600, 10)
    overall = {
        measurement.measure: measurement.value
        for measurement in measure_scores(scored[2], ["bayes"])
    }
    assert tidy["instance"].unique().tolist() == [600]
    for name, value in zip(tidy["measure"], tidy["value"], strict=True):
        assert value == pytest.approx(overall[name], rel=1e-12, nan_ok=True)


def test_a_skill_over_no_loss_is_undefined():
    certain = np.tile(np.array([1, 0], np.float32), (5, 1))
    names = ("sure", *FORECAST_BASELINES)
    table = ScoreTable(np.zeros(5, np.int32), dict.fromkeys(names, certain))
    (measurement,) = measure_scores(table, ["sure"], ["brier_skill_over_label_transitions"])
    assert np.isnan(measurement.value)
    assert measurement.reason == "the baseline has no loss"
    empty = ScoreTable(np.zeros(0, np.int32), dict.fromkeys(names, certain[:0]))
    (measurement,) = measure_scores(empty, ["sure"], ["brier_skill_over_label_transitions"])
    assert measurement.reason == "there are no predictions"


def test_folds_are_no_sequence(stream):
    _, _, kept = run_with_class_scores(
        stream, parse("split_validation:2:all"), {"no_change": NoChange()}
    )
    with pytest.raises(ConfigError, match=r"sliding window: .* scores of several folds"):
        windowed_score_measures(kept, ["no_change"], ["brier"], 10, 10)
