"""Measures of a re-evaluation by bin."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.binned import binned_labels, until
from hypothesis import given
from hypothesis import strategies as st
from naive import measures as naive

from streameval.errors import DataError
from streameval.evaluation.bin_measures import (
    BIN_COLUMNS,
    RULE_COLUMNS,
    bin_table,
    rule_differences,
)
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.bins import PAPER, PUBLISHED, Binned
from streameval.protocols.reevaluation import reevaluation
from streameval.streams.generators.sea import Sea


@st.composite
def cases(draw):
    """True labels of up to three classes, and what counts for a learner and for two baselines."""
    n, bins = draw(st.integers(1, 10)), draw(st.integers(0, 3))
    true = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))

    def some():
        row = st.lists(st.integers(-1, 2), min_size=bins + 2, max_size=bins + 2)
        values = np.array(draw(st.lists(row, min_size=n, max_size=n)), dtype=np.int16)
        return Binned(values, values >= 0)

    return true, some(), some(), some()


@given(cases())
def test_measures_are_those_of_the_published_program_with_missing_predictions_wrong(case):
    true, learner, _, _ = case
    found = bin_table(true, learner, 3)
    assert [*found.columns] == [*BIN_COLUMNS]
    for b, row in enumerate(found.to_dict("records")):
        predicted = learner.values[:, b].tolist()
        expected = naive.moa_evaluate(true, predicted, 3, "basic", None, missing=-1)
        np.testing.assert_allclose([row[name] for name in BIN_COLUMNS[1:5]], expected, atol=1e-12)
        calculated = sum(label >= 0 for label in predicted)
        assert (row["bin"], row["predictions"], row["calculated"]) == (b, len(true), calculated)


@given(cases())
def test_measures_against_the_baselines_of_the_same_bin(case):
    true, learner, no_change, majority = case
    found = bin_table(true, learner, 3, (no_change, majority))
    for b, row in enumerate(found.to_dict("records")):
        columns = [one.values[:, b].tolist() for one in (learner, no_change, majority)]
        expected = naive.measures(true, columns[0], 3, *columns[1:])
        for name in BIN_COLUMNS[1:5]:
            assert row[name] == pytest.approx(expected[name], nan_ok=True, abs=1e-12)


@given(cases())
def test_rules_are_compared_instance_by_instance(case):
    true, one, other, _ = case
    found = rule_differences(true, one, other)
    assert [*found.columns] == [*RULE_COLUMNS]
    for b, row in enumerate(found.to_dict("records")):
        first, second = one.values[:, b].tolist(), other.values[:, b].tolist()
        assert row["differing"] == sum(x != y for x, y in zip(first, second, strict=True))
        for name, predicted in (("accuracy", first), ("other_accuracy", second)):
            correct = sum(x == y for x, y in zip(predicted, true, strict=True))
            assert row[name] == pytest.approx(correct / len(true))


def test_a_learner_that_is_its_own_baseline_has_no_skill():
    stream, clock = Sea().stream(400), np.arange(400)
    tape, polls = reevaluation(clock, clock + 30, 5)
    true = stream.y[polls.scored]
    for rule in (PUBLISHED, PAPER):
        no_change, majority = (
            binned_labels(polls, learner.play(stream, tape).label, 10, rule)
            for learner in (NoChange(), Majority())
        )
        for binned, measure in ((no_change, "kappa_temporal"), (majority, "kappa_m")):
            found = bin_table(true, binned, 2, (no_change, majority))[measure]
            assert found.tolist() == [0.0] * 12


def test_until_a_label_only_what_has_arrived_counts():
    stream, clock = Sea().stream(400), np.arange(400)
    label_time = clock + np.random.default_rng(1).integers(0, 60, 400)
    tape, polls = reevaluation(clock, label_time, 5)
    found = until(binned_labels(polls, NaiveBayes().play(stream, tape).label, 8), 150)
    # The same if later labels never arrive.
    early = np.where(np.isin(clock, polls.scored[:150]), label_time, np.iinfo(np.int64).max)
    tape, only = reevaluation(clock, early, 5)
    expected = binned_labels(only, NaiveBayes().play(stream, tape).label, 8)
    assert only.scored.tolist() == polls.scored[:150].tolist()
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.made, expected.made)


def test_without_labels_nothing_is_measured():
    nothing = Binned(np.zeros((0, 3), dtype=np.int16), np.zeros((0, 3), dtype=bool))
    found = bin_table(np.zeros(0, dtype=int), nothing, 2)
    assert found["predictions"].tolist() == [0, 0, 0]
    assert found["accuracy"].isna().all()
    assert rule_differences(np.zeros(0, dtype=int), nothing, nothing)["accuracy"].isna().all()


def test_what_does_not_belong_together_is_refused():
    two = Binned(np.zeros((2, 3), dtype=np.int16), np.ones((2, 3), dtype=bool))
    with pytest.raises(DataError, match=r"true labels of shape \(2,\), .* found \(3,\)"):
        bin_table([0, 1, 0], two, 2)
    with pytest.raises(DataError, match=r"found shapes \(2, 3\) and \(1, 3\)"):
        rule_differences([0, 1], two, until(two, 1))
