"""Paired runs of several learners, over one tape and over shared folds."""

from __future__ import annotations

import numpy as np
import pytest

import streameval as se
from streameval.base.errors import DataError
from streameval.evaluation.folds import run_over_tapes
from streameval.evaluation.runs import RUNS as DEFAULT_RUNS
from streameval.evaluation.runs import SeededRuns, join_runs, run_folds, seeded_runs
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.ensembles.bagging import RandomForest
from streameval.learners.predictions import PredictedValues, Predictions
from streameval.protocols.folds import SCHEMES, CrossValidation, RandomAllotment
from streameval.protocols.prequential import prequential
from streameval.streams.generators.sea import Sea

LEARNERS = {"forest": RandomForest(members=3), "bayes": NaiveBayes(), "majority": Majority()}
FOLDS, RUNS = 4, 2
RULE = CrossValidation().scored_rows


def folds_of(scheme, reading, run):
    return SCHEMES[scheme](300, FOLDS, allotment=RandomAllotment(("test", run)), tested=reading)


def seeds(place, run):
    return ("test", place, run)


def literally(stream, scheme, reading):
    """Correctness of each learner, by run and fold, then row, then learner."""
    outcomes = {}
    for run in range(RUNS):
        tapes = folds_of(scheme, reading, run)
        for place, (name, learner) in enumerate(LEARNERS.items()):
            played = run_over_tapes(learner, stream, tapes, seed=seeds(place, run))
            for fold, predictions in enumerate(played):
                rows, weight = outcomes.setdefault((run, fold), {}), tapes.weight[fold]
                for row, label in zip(predictions.row, predictions.label, strict=True):
                    if weight[:row].any():  # the model has learnt a label before
                        rows.setdefault(int(row), {})[name] = bool(label == stream.y[row])
    return outcomes


@pytest.mark.parametrize("reading", ["learnt", "held_out", "all"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_counted_is_what_one_would_count(scheme, reading):
    stream = Sea().stream(300)
    runs = [folds_of(scheme, reading, run) for run in range(RUNS)]
    known = run_folds(stream, runs, LEARNERS, seeds, RULE)
    expected = literally(stream, scheme, reading)
    means = {name: known.means_by_fold(name) for name in LEARNERS}
    differences = known.differences("forest", "bayes")
    np.testing.assert_allclose(differences, means["forest"] - means["bayes"], atol=1e-15)
    np.testing.assert_array_equal(known.differences("bayes", "forest"), -differences)
    for (run, fold), rows in expected.items():
        right = {name: [row[name] for row in rows.values()] for name in LEARNERS}
        for name, values in right.items():
            assert means[name][run, fold] == np.mean(values)
        counts = known.counts("forest", "bayes")
        pairs = list(zip(right["forest"], right["bayes"], strict=True))
        assert counts.n_tested[run, fold] == len(rows)
        assert counts.first_correct[run, fold] == sum(right["forest"])
        assert counts.only_first[run, fold] == pairs.count((True, False))
        assert counts.only_second[run, fold] == pairs.count((False, True))
    series = []
    for row in range(300):
        tested = [rows[row] for rows in expected.values() if row in rows]
        if tested:
            series.append(np.mean([right["forest"] - right["bayes"] for right in tested]))
    np.testing.assert_allclose(known.advantages("forest", "bayes"), series, rtol=0, atol=1e-15)


def test_the_number_of_threads_changes_nothing():
    stream = Sea().stream(300)
    folds = [folds_of("bootstrap_validation", "learnt", run) for run in range(RUNS)]
    results = []
    for workers in (1, 3):
        steps = []
        options = {"workers": workers, "progress": steps.append}
        results.append(run_folds(stream, folds, LEARNERS, seeds, RULE, **options))
        assert sum(steps) == len(LEARNERS) * sum(len(tape) for tapes in folds for tape in tapes)
    for first, other in (results, map(side_by_side, (LEARNERS, LEARNERS), (1, 4))):
        for part in ("n_tested", "both_correct", "n_models", "n_correct_models"):
            np.testing.assert_array_equal(getattr(first, part), getattr(other, part))


def test_a_stream_that_leaves_a_fold_without_instances():
    folds = SCHEMES["split_validation"](3, 4, allotment=RandomAllotment((1,)), tested="learnt")
    with pytest.raises(DataError, match=r"each of 4 folds.* none in fold \d"):
        run_folds(Sea().stream(3), [folds], {"no_change": NoChange()}, seeds, RULE)


def side_by_side(learners, workers=1):
    stream, tape = Sea().stream(300), prequential(300)
    done = seeded_runs(stream, tape, learners, seeds, workers=workers)
    return join_runs(stream, tape, done, np.ones(300, bool))


def test_learners_that_draw_run_several_times_and_the_others_once():
    stream = Sea().stream(300)
    known = side_by_side(LEARNERS)
    assert known.random_learners == {"forest"}
    assert known.n_tested.tolist() == [[300]] * DEFAULT_RUNS
    for place, (name, learner) in enumerate(LEARNERS.items()):
        expected = []
        for run in range(DEFAULT_RUNS):
            played = run_over_tapes(learner, stream, [prequential(300)], seed=seeds(place, run))
            expected.append([np.mean(played[0].label == stream.y)])
        np.testing.assert_array_equal(known.means_by_fold(name), expected)
    assert known.differences_by_run("forest", "bayes").shape == (DEFAULT_RUNS,)
    assert known.differences_by_run("bayes", "majority").shape == (0,)
    series = known.advantages("forest", "bayes")
    assert series.mean() == pytest.approx(known.differences("forest", "bayes").mean())
    known = side_by_side({name: LEARNERS[name] for name in ("bayes", "majority")})
    assert known.n_tested.shape == (1, 1)
    assert not known.random_learners


@pytest.mark.parametrize(
    ("scheme", "reading", "expected"),
    [
        ("cross_validation", "learnt", 3 / 4),
        ("split_validation", "held_out", 1 / 4),
        ("bootstrap_validation", "all", 1 - np.exp(-1)),
    ],
)
def test_how_much_a_model_learns(scheme, reading, expected):
    known = run_folds(Sea().stream(300), [folds_of(scheme, reading, 0)], LEARNERS, seeds, RULE)
    assert known.learnt_proportion == pytest.approx(expected, abs=0.04)


def drawn(task, y, draws):
    """Predictions of a run, every tenth of which is missing."""
    rows, missing = np.arange(len(y), dtype=np.int32), draws.random(len(y)) < 0.1
    if task is CLASSIFICATION_TASK:
        label = np.where(missing, -1, draws.integers(0, 2, len(y))).astype(np.int16)
        return Predictions(rows, label, 2, seconds=2.0)
    value = np.where(missing, np.nan, y + draws.normal(size=len(y)))
    return PredictedValues(rows, value, seconds=2.0)


@pytest.mark.parametrize("task", [CLASSIFICATION_TASK, REGRESSION_TASK], ids=["classes", "numbers"])
def test_runs_over_one_tape_literally(task):
    """In classification a missing prediction is wrong; in regression it is left out."""
    draws, n, is_numeric = np.random.default_rng(5), 60, task is REGRESSION_TASK
    stream = se.generate("planes" if is_numeric else "sea", rows=n)
    y, tape, kept = stream.y, prequential(n), draws.random(n) < 0.8
    done = {name: [drawn(task, y, draws) for _ in range(3)] for name in "ab"}
    known = join_runs(stream, tape, SeededRuns(done, frozenset("a"), 3), kept)
    assert (known.learners, known.learnt_proportion) == (("a", "b"), 1.0)
    assert (known.random_learners, known.seconds) == ({"a"}, {"a": 6.0, "b": 6.0})
    a, b = (
        np.array([task.gain(y, run.predicted)[kept] for run in runs]).astype(float)
        for runs in done.values()
    )
    sign = -1.0 if is_numeric else 1.0
    predicted = ~np.isnan(a + b).any(axis=0)
    assert predicted.all() is not is_numeric
    assert known.n_tested.tolist() == [[predicted.sum()]] * 3
    rows = np.flatnonzero(kept)[predicted]
    assert known.n_models.tolist() == (3 * np.isin(np.arange(n), rows)).tolist()
    gains = a[:, predicted]
    np.testing.assert_allclose(known.means_by_fold("a"), sign * gains.mean(axis=1)[:, None])
    np.testing.assert_allclose(known.values("a"), sign * gains.mean(axis=0), atol=1e-15)
    gaps = (a - b)[:, predicted]
    np.testing.assert_allclose(known.advantages("a", "b"), gaps.mean(axis=0), atol=1e-15)
    np.testing.assert_allclose(known.differences("a", "b")[:, 0], gaps.mean(axis=1), atol=1e-15)
    np.testing.assert_array_equal(
        known.differences_by_run("a", "b"), known.differences("a", "b")[:, 0]
    )
    assert known.differences_by_run("b", "b").shape == (0,)
    errors = [(0.0 if is_numeric else 1.0) - each[:, predicted] for each in (a, b)]
    by_instance, by_run = known.paired_errors("a", "b")
    np.testing.assert_allclose(by_instance, [losses.mean(axis=0) for losses in errors], atol=1e-15)
    np.testing.assert_allclose(by_run, [losses.mean(axis=1) for losses in errors], atol=1e-15)
    if is_numeric:
        with pytest.raises(DataError, match="numbers of a and b"):
            known.counts("a", "b")
    else:
        counts = known.counts("a", "b")
        assert counts.first_correct[:, 0].tolist() == a.sum(axis=1).tolist()
        assert counts.only_second[:, 0].tolist() == ((b > a).sum(axis=1)).tolist()


def test_numbers_that_nobody_predicts_are_not_compared():
    stream, rows, none = se.generate("planes", rows=4), np.arange(4, dtype=np.int32), np.nan
    values = {"a": [none] * 4, "b": [1.0, none, 2.0, 3.0], "c": [none, 1.0, none, none]}
    done = {name: [PredictedValues(rows, np.array(column))] for name, column in values.items()}
    for names, silent in (("ab", "that a predict"), ("bc", "that b and c predict")):
        seeded = SeededRuns({name: done[name] for name in names}, frozenset(), 1)
        with pytest.raises(DataError, match=silent):
            join_runs(stream, prequential(4), seeded, np.ones(4, bool))
    with pytest.raises(DataError, match="none in fold 1"):
        join_runs(stream, prequential(4), SeededRuns(done, frozenset(), 1), np.zeros(4, bool))
