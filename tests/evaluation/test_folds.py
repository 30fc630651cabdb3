"""Folds: who learns and who is tested on what."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import protocols as naive_protocols

from streameval.base.errors import ConfigError, DataError
from streameval.evaluation.folds import run_over_tapes, seed_of_fold
from streameval.learners.bayes.ddm import DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.folds import (
    SCHEMES,
    RandomAllotment,
    RoundRobinAllotment,
    cross_validation,
)
from streameval.streams.generators.sea import Sea

TESTED = ("all", "held_out", "learnt")


@given(
    n=st.integers(0, 40),
    folds=st.integers(2, 6),
    scheme=st.sampled_from([*SCHEMES]),
    tested=st.sampled_from(TESTED),
    seed=st.integers(0, 2**40),
)
def test_folds_in_turn_are_those_of_the_literal_loop(n, folds, scheme, tested, seed):
    tapes = SCHEMES[scheme](n, folds, allotment=RoundRobinAllotment(seed), tested=tested)
    expected = naive_protocols.folds_in_turn(n, folds, scheme, tested, seed)
    assert len(tapes) == folds
    for tape, events in zip(tapes, expected, strict=True):
        assert [*zip(tape.row, tape.op, tape.weight, strict=True)] == events


@pytest.mark.parametrize("scheme", ["cross_validation", "split_validation"])
def test_instances_come_to_folds_with_equal_probability(scheme):
    n = 100_000
    sizes = [
        len(tape) for tape in SCHEMES[scheme](n, allotment=RandomAllotment((1,)), tested="learnt")
    ]
    share = np.array(sizes) / n
    expected = 0.9 if scheme == "cross_validation" else 0.1
    # Five standard errors of a share.
    assert np.abs(share - expected).max() < 5 * math.sqrt(0.09 / n)


@pytest.mark.parametrize("allotment", [RandomAllotment((1,)), RoundRobinAllotment()])
def test_weights_of_the_bootstrap_are_poisson_numbers(allotment):
    n = 100_000
    weight = SCHEMES["bootstrap_validation"](n, 10, allotment=allotment).weight
    for value in range(6):
        p = math.exp(-1) / math.factorial(value)
        share = (weight == value).mean(axis=1)
        assert np.abs(share - p).max() < 5 * math.sqrt(p * (1 - p) / n)
    # Folds are independent of one another.
    correlation = np.corrcoef(weight)[np.triu_indices(10, 1)]
    assert np.abs(correlation).max() < 5 / math.sqrt(n)


def test_some_of_the_folds():
    folds = cross_validation(9, 3, allotment=RoundRobinAllotment())
    assert [tape.row.tolist() for tape in folds[1:]] == [folds[f].row.tolist() for f in (1, 2)]
    assert folds[-1].weight.tolist() == [1, 1, 0] * 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "at least 2 folds, found 9 and 1"),
        ({"n": -1}, "found -1 and 10"),
        ({"tested": "some"}, "one of all, held_out, learnt, found 'some'"),
    ],
)
def test_mistakes_are_errors(options, message):
    with pytest.raises(ConfigError, match=message):
        cross_validation(**{"n": 9, "allotment": RoundRobinAllotment()} | options)


# --- Playing them -----------------------------------------------------------------------


def labels(predictions):
    return [fold.label.tolist() for fold in predictions]


def test_folds_share_a_seed_or_have_their_own():
    # Random alarms on equal tapes: only the seeds tell the folds apart.
    stream, learner, key = Sea().stream(2000), DDMRandom(alarm_probability=0.01), ("study", 5)
    tapes = [cross_validation(2000, 2, allotment=RoundRobinAllotment())[0]] * 3
    first, second, third = labels(run_over_tapes(learner, stream, tapes, seed=5))
    assert first == second == third
    seeds = [seed_of_fold(key, fold) for fold in range(3)]
    expected = [learner.run(stream, tapes[0], seed).label.tolist() for seed in seeds]
    assert expected[0] != expected[1] != expected[2] != expected[0]
    for workers in (1, 2, 7):
        events = []
        by_fold = run_over_tapes(
            learner, stream, tapes, workers=workers, seed=key, progress=events.append
        )
        assert labels(by_fold) == expected
        assert sum(events) == sum(map(len, tapes))


def test_tapes_are_made_when_a_learner_runs_over_them():
    class Counted(list):
        def __getitem__(self, fold):
            accesses.append(fold)
            return super().__getitem__(fold)

    accesses = []
    tapes = Counted(cross_validation(20, 3, allotment=RoundRobinAllotment()))
    run_over_tapes(
        NaiveBayes(), Sea().stream(20), tapes, progress=lambda _: accesses.append("played")
    )
    assert accesses == [0, "played", 1, "played", 2, "played"]


def test_a_fold_that_fails_stops_the_others():
    folds = cross_validation(20, 12, allotment=RoundRobinAllotment())  # the stream has fewer rows
    with pytest.raises(DataError, match="refers to rows"):
        run_over_tapes(NaiveBayes(), Sea().stream(10), folds, workers=2)
    with pytest.raises(ConfigError, match="at least one worker, found 0"):
        run_over_tapes(NaiveBayes(), Sea().stream(20), folds, workers=0)
