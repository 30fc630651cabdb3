"""Verdicts from files of predictions are those of runs side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from streameval.evaluation.run import run_learners
from streameval.evaluation.runs import Seeded, runs_of
from streameval.evaluation.seeded_tables import side_by_side, verdicts_by_pair
from streameval.evaluation.verdict_words import Region
from streameval.evaluation.verdicts import ComparisonPlan, region_among, verdicts
from streameval.learners.asking import played
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.ensembles.bagging import RandomForest
from streameval.protocols.registry import parse
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
        name: [played(learner, STREAM, tape, seed) for seed in range(1, RUNS + 1)]
        for name, learner in LEARNERS.items()
    }
    kept = np.ones(len(tape.predict_rows), bool)
    return runs_of(STREAM, tape, Seeded(done, frozenset(DRAWING), RUNS), kept)


def test_runs_side_by_side_are_those_of_compare(tables, known):
    built = side_by_side([*tables.values()], list(LEARNERS), DRAWING)
    for name in ("tested", "models", "both", "right_models"):
        assert np.array_equal(getattr(built, name), getattr(known, name)), name
    assert (built.learners, built.draws) == (known.learners, known.draws)


@pytest.mark.parametrize("rope", [None, 0.0, 0.3])
def test_verdicts_are_those_of_compare(tables, known, rope):
    plan = ComparisonPlan(parse("prequential"), Region(rope or 0.0))
    if rope is None:
        plan = replace(plan, region=region_among(known, plan.task))
    names = list(LEARNERS)
    expected = verdicts(known, names, plan)
    assert verdicts_by_pair(tables, names, dict.fromkeys(DRAWING, RUNS), rope) == expected
    assert {one.verdict for one in expected} > {"practically equal" if rope == 0.3 else "beats"}


def test_of_two_learners_that_draw_the_smaller_number_of_runs_counts(tables):
    names = ["forest", "other", "bayes"]
    few = {one.first + one.second: one for one in
           verdicts_by_pair(tables, names, {"forest": 3, "other": 2})}  # fmt: skip
    two = {one.first + one.second: one for one in
           verdicts_by_pair(tables, names, {"forest": 2, "other": 2})}  # fmt: skip
    three = {one.first + one.second: one for one in
             verdicts_by_pair(tables, names, {"forest": 3, "other": 3})}  # fmt: skip
    assert few["forestother"] == two["forestother"]
    assert few["forestbayes"] == three["forestbayes"] != two["forestbayes"]


def test_one_run_of_a_learner_that_draws_has_no_interval(tables):
    (one,) = verdicts_by_pair(tables, ["forest", "bayes"], {"forest": 1})
    assert np.isnan(one.low)
    assert one.reason == "forest draws at random, and one run does not cover other seeds"
