"""Running learners under any protocol: positions of predictions and measures."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from helpers.numbers import with_numbers
from helpers.strategies import streams
from hypothesis import given
from hypothesis import strategies as st
from naive import protocols as naive
from naive.wrappers import events

from streameval.base.errors import ConfigError, DataError
from streameval.evaluation.differences import paired_differences
from streameval.evaluation.folds import run_over_tapes
from streameval.evaluation.measurements import overall_measures, windowed_measures
from streameval.evaluation.run import run_learners
from streameval.evaluation.tallies import fading_tally_of
from streameval.items.performance.estimates import estimate_measures
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.ddm import DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.regression.baselines import PreviousTarget, TargetMean
from streameval.learners.regression.fimt_dd import FimtDD
from streameval.protocols.prequential import prequential
from streameval.protocols.registry import parse
from streameval.protocols.tape import PREDICT, Tape
from streameval.streams.generators.sea import Sea

TEXTS = st.sampled_from(
    ["prequential", "prequential:5", "delayed:0", "delayed:3", "delayed:200"]
    + [
        f"{scheme}:3:{tested}:{allotment}"
        for scheme in ("cross_validation", "split_validation", "bootstrap_validation")
        for tested in ("all", "held_out", "learnt")
        for allotment in ("at_random", "in_turn")
    ]
)
ALONE = {"naive_bayes": NaiveBayes(), "no_change": NoChange(), "majority": Majority()}
OF_NUMBERS = {"tree": FimtDD(), "previous_target": PreviousTarget(), "target_mean": TargetMean()}


def by_fold(table):
    folds = range(0 if table.fold is None else table.fold.max(initial=-1) + 1)
    parts = [dataclasses.replace(table.select(table.fold == fold), fold=None) for fold in folds]
    return [table] if table.fold is None else parts


@given(stream=streams(), text=TEXTS, of_numbers=st.booleans())
def test_each_prediction_is_that_of_its_fold_alone(stream, text, of_numbers):
    protocol, learners = parse(text), OF_NUMBERS if of_numbers else ALONE
    stream = with_numbers(stream) if of_numbers else stream
    # Of classes, the baselines are added.
    given_learners = learners if of_numbers else {"naive_bayes": NaiveBayes()}
    table, costs = run_learners(stream, protocol, given_learners)
    tapes = protocol.tapes(stream)
    parts = by_fold(table)
    parts += [None] * (len(tapes) - len(parts))  # folds without any prediction at the end
    as_moa = text.startswith(("prequential", "delayed:0")) or "in_turn" in text
    for tape, part in zip(tapes, parts, strict=True):
        known = np.ones(len(stream), dtype=bool)
        if of_numbers or not as_moa:
            known[:] = naive.scored_rows(events(tape), len(stream))
        alone = {name: learner.run(stream, tape) for name, learner in learners.items()}
        for name, predictions in alone.items():
            labels = [] if part is None else part.predicted[name]
            expected = predictions.predicted[known[predictions.row]]
            np.testing.assert_array_equal(labels, expected)
        if part is not None:
            rows = tape.predict_rows
            assert part.row.tolist() == rows[known[rows]].tolist()
            assert (tape.row[part.ordinal] == part.row).all()
            assert ((tape.op[part.ordinal] & PREDICT) != 0).all()
            assert (np.diff(part.ordinal) > 0).all()
    assert (table.true == stream.y[table.row]).all()
    assert table.protocol == str(protocol)
    assert [cost.learner for cost in costs] == [*learners]
    handled = sum(len(set(tape.row.tolist())) for tape in tapes)
    assert {cost.instances for cost in costs} == {handled}


@given(n=st.integers(1, 40), delay=st.integers(0, 50))
def test_an_ordinal_counts_what_came_before(n, delay):
    table, _ = run_learners(Sea().stream(n), parse(f"delayed:{delay}"), {})
    if delay == 0:  # one event predicts and learns
        assert table.ordinal.tolist() == list(range(n))
        return
    in_turn = naive.delayed_in_turn(n, delay)
    expected = [at for at, (_, what) in enumerate(in_turn) if what == "predict"]
    assert table.ordinal.tolist() == expected[delay + 1 :]
    assert table.row.tolist() == list(range(delay + 1, n))
    assert table.fold is None


def test_times_are_those_of_the_rows():
    stream = dataclasses.replace(Sea().stream(9), time=np.arange(9) * 10)
    table, _ = run_learners(stream, parse("cross_validation:3:held_out:in_turn"), {})
    assert table.row.tolist() == [0, 3, 6, 1, 4, 7, 2, 5, 8]
    assert table.fold.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert table.time.tolist() == [10 * row for row in table.row.tolist()]
    assert run_learners(Sea().stream(9), parse("prequential"), {})[0].time is None


def test_a_tape_will_do():
    tape = Tape([0, 0, 1, 2], [1, 2, 3, 1], [1, 1, 1, 1])
    table, costs = run_learners(Sea().stream(4), tape, {})
    assert table.protocol == ""
    assert (table.row.tolist(), table.ordinal.tolist()) == ([0, 1, 2], [0, 2, 3])
    assert [cost.instances for cost in costs] == [3, 3]


def test_baselines_are_run_unless_they_are_given():
    stream = Sea().stream(300)
    alone, _ = run_learners(stream, parse("prequential"), {})
    assert [*alone.predicted] == ["no_change", "majority"]
    given_first = {"majority": Majority(), "naive_bayes": NaiveBayes()}
    table, _ = run_learners(stream, parse("prequential"), given_first)
    assert [*table.predicted] == ["majority", "naive_bayes", "no_change"]


def test_the_baselines_of_kappas_are_run_over_the_same_tapes():
    stream = Sea().stream(500)
    for text in ("delayed:20", "cross_validation:4:held_out"):
        table, _ = run_learners(stream, parse(text), {"naive_bayes": NaiveBayes()})
        values = overall_measures(table).set_index(["learner", "measure"])["value"]
        assert values["no_change", "kappa_temporal"] == 0
        assert values["majority", "kappa_m"] == 0
        right = {name: (labels == table.true).mean() for name, labels in table.predicted.items()}
        expected = (right["naive_bayes"] - right["no_change"]) / (1 - right["no_change"])
        assert values["naive_bayes", "kappa_temporal"] == pytest.approx(expected, abs=1e-12)
    late, _ = run_learners(stream, parse("delayed:20"), {})
    assert late.predicted["no_change"].tolist() == stream.y[:-21].tolist()


def test_overall_measures_count_all_folds_together():
    stream = Sea().stream(400)
    table, _ = run_learners(stream, parse("cross_validation:4:all"), {"naive_bayes": NaiveBayes()})
    assert len(table) == 1600 - 5  # three folds learn row 0; the other one, row 1
    measured = overall_measures(table, ["naive_bayes"]).set_index("measure")["value"]
    of_folds = [(p.predicted["naive_bayes"] == p.true).sum() for p in by_fold(table)]
    assert measured["accuracy"] == pytest.approx(sum(of_folds) / len(table), abs=1e-12)


def test_a_window_over_several_folds_is_refused():
    table, _ = run_learners(Sea().stream(100), parse("cross_validation:4:all"), {})
    message = (
        "expected predictions in one sequence, found predictions of several folds .*prequential"
    )
    with pytest.raises(ConfigError, match=f"sliding window: {message}"):
        windowed_measures(table, ["majority"], ["accuracy"], window=10, points=5)
    with pytest.raises(ConfigError, match=f"fading weights: {message}"):
        fading_tally_of(table, "majority", 0.1, np.array([5]))
    with pytest.raises(ConfigError, match=message):
        estimate_measures(table, ["majority"], ["accuracy"], window=10, smoothing=0.1)
    with pytest.raises(ConfigError, match=f"Intervals of differences: {message}"):
        paired_differences(table)
    (first, *_) = by_fold(table)
    assert len(windowed_measures(first, ["majority"], ["accuracy"], window=10, points=5))


def test_folds_share_a_seed_or_have_their_own():
    stream, protocol = Sea().stream(500), parse("cross_validation:3:allotment=in_turn")
    learner = DDMRandom(alarm_probability=0.05)
    for seed in (5, ("study", 5)):
        expected = run_over_tapes(learner, stream, protocol.tapes(stream), seed=seed)
        table, _ = run_learners(stream, protocol, {"x": learner}, seed)
        labels = [part.predicted["x"].tolist() for part in by_fold(table)]
        assert labels == [part.label.tolist() for part in expected]


def test_what_is_announced_is_all_folds_together():
    announced, events = {}, []
    protocol, stream = parse("cross_validation:3:all:in_turn"), Sea().stream(300)
    table, costs = run_learners(
        *(stream, protocol, {"x": NaiveBayes()}, 1, announced.__setitem__),
        progress=events.append,
    )
    assert [*announced] == ["x", "no_change", "majority"]
    assert (announced["x"].label == table.predicted["x"]).all()
    assert (announced["x"].row == table.row).all()
    assert costs[0].seconds == announced["x"].seconds
    alone = [NaiveBayes().run(stream, tape) for tape in protocol.tapes(stream)]
    assert announced["x"].model_bytes == sum(run.model_bytes for run in alone)
    assert sum(events) == 3 * sum(map(len, protocol.tapes(stream)))


def test_ids_and_tapes_are_checked_before_any_run():
    ran = []

    class Listening(NoChange):
        def run(self, *arguments, **options):
            ran.append(arguments)
            return super().run(*arguments, **options)

    with pytest.raises(ConfigError, match="called time"):
        run_learners(Sea().stream(5), prequential(5), {"x": Listening(), "time": NoChange()})
    with pytest.raises(DataError, match="refers to rows"):
        run_learners(Sea().stream(5), prequential(9), {"x": NoChange()})
    assert not ran
