"""Verdicts from files of predictions equal verdicts from paired runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from streameval.evaluation.run import run_learners
from streameval.evaluation.runs import SeededRuns, join_runs
from streameval.evaluation.seeded_tables import (
    pair_runs,
    verdicts_by_pair,
    with_common_instances,
)
from streameval.evaluation.task import REGRESSION_TASK
from streameval.evaluation.verdict_words import Region
from streameval.evaluation.verdicts import ComparisonPlan, region_from_baselines, verdicts
from streameval.learners.active_learning import run_learner
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.ensembles.bagging import RandomForest
from streameval.learners.regression.adaptive_random_forest import AdaptiveRandomForestRegressor
from streameval.learners.regression.amrules import AMRules
from streameval.learners.regression.baselines import with_regression_baselines
from streameval.protocols.registry import parse
from streameval.streams.generators.planes import Planes
from streameval.streams.generators.sea import Sea

LEARNERS = {"forest": RandomForest(members=3), "other": RandomForest(members=2)}
LEARNERS |= {"bayes": NaiveBayes(), "no_change": NoChange(), "majority": Majority()}
DRAWING = ("forest", "other")
STREAM, RUNS = Sea().stream(800), 3


@pytest.fixture(scope="module", name="tables")
def _tables():
    protocol = parse("prequential")
    return {seed: run_learners(STREAM, protocol, LEARNERS, seed)[0] for seed in range(1, RUNS + 1)}


@pytest.fixture(scope="module", name="known")
def _known():
    (tape,) = parse("prequential").tapes(STREAM)
    done = {
        name: [run_learner(learner, STREAM, tape, seed) for seed in range(1, RUNS + 1)]
        for name, learner in LEARNERS.items()
    }
    kept = np.ones(len(tape.predict_rows), bool)
    return join_runs(STREAM, tape, SeededRuns(done, frozenset(DRAWING), RUNS), kept)


def test_runs_side_by_side_are_those_of_compare(tables, known):
    built = pair_runs([*tables.values()], list(LEARNERS), DRAWING)
    for name in ("n_tested", "n_models", "both_correct", "n_correct_models"):
        assert np.array_equal(getattr(built, name), getattr(known, name)), name
    assert (built.learners, built.random_learners) == (known.learners, known.random_learners)


@pytest.mark.parametrize("rope", [None, 0.0, 0.3])
def test_verdicts_are_those_of_compare(tables, known, rope):
    plan = ComparisonPlan(parse("prequential"), Region(rope or 0.0))
    if rope is None:
        plan = replace(plan, region=region_from_baselines(known, plan.task))
    names = list(LEARNERS)
    expected = verdicts(known, names, plan)
    assert verdicts_by_pair(tables, names, dict.fromkeys(DRAWING, RUNS), rope) == expected
    assert {verdict.verdict for verdict in expected} > {
        "practically equal" if rope == 0.3 else "beats"
    }


@pytest.fixture(scope="module", name="of_numbers")
def _of_numbers():
    """Predictions of numbers by seed, of which some are missing in some runs; and their runs."""
    stream, protocol = Planes().stream(600), parse("prequential")
    drawing = {"forest": AdaptiveRandomForestRegressor(members=2), "rules": AMRules()}
    learners = with_regression_baselines(drawing)
    tables = {seed: run_learners(stream, protocol, learners, seed)[0] for seed in (1, 2)}
    for seed, name, at in ((1, "rules", slice(10, 20)), (2, "forest", slice(30, 45))):
        tables[seed].predicted[name][at] = np.nan
    (tape,) = protocol.tapes(stream)
    done = {}
    for name, learner in learners.items():
        runs = [run_learner(learner, stream, tape, seed) for seed in (1, 2)]
        for seed, run in enumerate(runs, 1):
            run.predicted[1:] = tables[seed].predicted[name]  # before any target none is scored
        done[name] = runs
    known = join_runs(stream, tape, SeededRuns(done, frozenset(drawing), 2), np.arange(600) > 0)
    return tables, known


def test_verdicts_on_numbers_are_those_of_compare(of_numbers):
    tables, known = of_numbers
    names, draws = list(known.learners), {"forest": 2, "rules": 2}
    common = with_common_instances(tables, names, draws)
    assert {len(table) for table in common.values()} == {599 - 10 - 15}
    built = pair_runs([*common.values()], names, [*draws])
    assert np.array_equal(built.instance, known.instance)
    for name in names:
        assert np.array_equal(built.errors[name], known.errors[name]), name
    plan = ComparisonPlan(
        parse("prequential"), region_from_baselines(known, REGRESSION_TASK), task=REGRESSION_TASK
    )
    actual, expected = verdicts_by_pair(common, names, draws), verdicts(known, names, plan)
    assert [verdict.sentence for verdict in actual] == [verdict.sentence for verdict in expected]
    for key in ("difference", "low", "high", "p_value", "effective_size", "rope"):
        values = [[getattr(verdict, key) for verdict in some] for some in (actual, expected)]
        assert values[0] == pytest.approx(values[1], rel=1e-12, nan_ok=True), key


def test_a_run_without_the_baselines_has_those_of_the_first(of_numbers):
    tables, _ = of_numbers
    alone = replace(tables[2], predicted={"forest": tables[2].predicted["forest"]})
    common = with_common_instances({1: tables[1], 2: alone}, ["forest"], {"forest": 2})
    for name in REGRESSION_TASK.baselines:
        assert np.array_equal(common[2].predicted[name], common[1].predicted[name])
    assert len(common[2]) == 599 - 15


def test_a_learner_that_predicts_nothing_takes_no_instance_from_others(of_numbers):
    tables, _ = of_numbers
    predicted = {**tables[1].predicted, "silent": np.full(599, np.nan)}
    common = with_common_instances({1: replace(tables[1], predicted=predicted)}, ["silent"], {})
    assert len(common[1]) == 599


def test_predictions_of_classes_stay_as_they_are(tables):
    assert with_common_instances(tables, list(LEARNERS), {}) == tables


def test_of_two_learners_that_draw_the_smaller_number_of_runs_counts(tables):
    names = ["forest", "other", "bayes"]
    few, two, three = (  # first forest and other, then forest and bayes
        verdicts_by_pair(tables, names, {"forest": forest, "other": other})
        for forest, other in ((3, 2), (2, 2), (3, 3))
    )
    assert few[0] == two[0]
    assert few[1] == three[1] != two[1]


def test_one_run_of_a_learner_that_draws_has_no_interval(tables):
    (verdict,) = verdicts_by_pair(tables, ["forest", "bayes"], {"forest": 1})
    assert np.isnan(verdict.low)
    assert verdict.reason == "forest draws at random, and one run does not cover other seeds"
