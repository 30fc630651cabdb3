"""Measures of a re-evaluation by bin, and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.binned import binned_labels, binned_values, correct_chains, until
from hypothesis import given
from hypothesis import strategies as st
from naive import measures as naive

from streameval.base.errors import DataError
from streameval.evaluation.bins import (
    COUNTS,
    RULE_COLUMNS,
    bin_measures,
    bin_table,
    column_intervals,
    rule_differences,
)
from streameval.evaluation.roles import CLASSIFICATION_BASELINES
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.bins import PAPER, PUBLISHED, BinnedPredictions
from streameval.protocols.reevaluation import reevaluation
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE
from streameval.streams.generators.sea import Sea

MEASURES = ("accuracy", "kappa", "kappa_temporal", "kappa_m")


@st.composite
def cases(draw):
    """True labels of up to three classes, and binned predictions of three learners."""
    n, bins = draw(st.integers(1, 10)), draw(st.integers(0, 3))
    true = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))

    def some():
        row = st.lists(st.integers(-1, 2), min_size=bins + 2, max_size=bins + 2)
        values = np.array(draw(st.lists(row, min_size=n, max_size=n)), dtype=np.int16)
        return BinnedPredictions(values, values >= 0)

    return true, some(), some(), some()


@given(cases())
def test_measures_are_those_of_the_published_program_with_missing_predictions_wrong(case):
    true, learner, _, _ = case
    table = bin_table(true, learner, 3)
    assert [*table.columns] == ["bin", *MEASURES, *COUNTS]
    for b, row in enumerate(table.to_dict("records")):
        predicted = learner.values[:, b].tolist()
        expected = naive.moa_evaluate(true, predicted, 3, "basic", None, missing=-1)
        np.testing.assert_allclose([row[name] for name in MEASURES], expected, atol=1e-12)
        calculated = sum(label >= 0 for label in predicted)
        assert (row["bin"], row["predictions"], row["calculated"]) == (b, len(true), calculated)
        assert row["missing"] == len(true) - calculated


def over_baselines(true, classes, **counted):
    """Measures of the first one, with skills over No-Change and Majority."""
    gains = {
        name: CLASSIFICATION_TASK.gain(np.array(true)[:, None], binned.values)
        for name, binned in counted.items()
    }
    (name, learner_bins), *_ = counted.items()
    return bin_measures(
        CLASSIFICATION_TASK,
        {name: [bin_table(true, learner_bins, classes)]},
        gains,
        CLASSIFICATION_BASELINES,
    )


@given(cases())
def test_measures_against_the_baselines_of_the_same_bin(case):
    true, learner, no_change, majority = case
    table = over_baselines(true, 3, learner=learner, no_change=no_change, majority=majority)
    for b, row in enumerate(table.to_dict("records")):
        columns = [binned.values[:, b].tolist() for binned in (learner, no_change, majority)]
        expected = naive.measures(true, columns[0], 3, *columns[1:])
        of = {"kappa_temporal": "kappa_temporal_delayed", "kappa_m": "kappa_m_delayed"}
        for name in MEASURES:
            value = row[of.get(name, name)]
            assert value == pytest.approx(expected[name], nan_ok=True, abs=1e-12)


@given(cases())
def test_rules_are_compared_instance_by_instance(case):
    true, published, other, _ = case
    table = rule_differences(true, published, other)
    assert [*table.columns] == [*RULE_COLUMNS]
    for b, row in enumerate(table.to_dict("records")):
        first, second = published.values[:, b].tolist(), other.values[:, b].tolist()
        assert row["differing"] == sum(x != y for x, y in zip(first, second, strict=True))
        for name, predicted in (("accuracy", first), ("other_accuracy", second)):
            correct = sum(x == y for x, y in zip(predicted, true, strict=True))
            assert row[name] == pytest.approx(correct / len(true))


def test_a_learner_that_is_its_own_baseline_has_no_skill():
    stream, clock = Sea().stream(400), np.arange(400)
    tape, prediction_events = reevaluation(clock, clock + 30, 5)
    true = stream.y[prediction_events.labelled_rows]
    for rule in (PUBLISHED, PAPER):
        no_change, majority = (
            binned_labels(prediction_events, learner.run(stream, tape).label, 10, rule)
            for learner in (NoChange(), Majority())
        )
        both = {"no_change": no_change, "majority": majority}
        for name, skill in (("no_change", "kappa_temporal"), ("majority", "kappa_m")):
            skills = over_baselines(true, 2, **{name: both[name], **both})[f"{skill}_delayed"]
            assert skills.tolist() == [0.0] * 12


def test_until_a_label_only_what_has_arrived_counts():
    stream, clock = Sea().stream(400), np.arange(400)
    label_time = clock + np.random.default_rng(1).integers(0, 60, 400)
    tape, prediction_events = reevaluation(clock, label_time, 5)
    early_bins = until(
        binned_labels(prediction_events, NaiveBayes().run(stream, tape).label, 8), 150
    )
    # The same if later labels never arrive.
    early = np.where(
        np.isin(clock, prediction_events.labelled_rows[:150]), label_time, np.iinfo(np.int64).max
    )
    tape, only = reevaluation(clock, early, 5)
    expected = binned_labels(only, NaiveBayes().run(stream, tape).label, 8)
    assert only.labelled_rows.tolist() == prediction_events.labelled_rows[:150].tolist()
    np.testing.assert_array_equal(early_bins.values, expected.values)
    np.testing.assert_array_equal(early_bins.is_new, expected.is_new)


def test_without_labels_nothing_is_measured():
    nothing = BinnedPredictions(np.zeros((0, 3), dtype=np.int16), np.zeros((0, 3), dtype=bool))
    table = bin_table(np.zeros(0, dtype=int), nothing, 2)
    assert table["predictions"].tolist() == [0, 0, 0]
    assert table["accuracy"].isna().all()
    assert rule_differences(np.zeros(0, dtype=int), nothing, nothing)["accuracy"].isna().all()


def test_what_does_not_belong_together_is_refused():
    two = BinnedPredictions(np.zeros((2, 3), dtype=np.int16), np.ones((2, 3), dtype=bool))
    with pytest.raises(DataError, match=r"true labels of shape \(2,\), .* found \(3,\)"):
        bin_table([0, 1, 0], two, 2)
    with pytest.raises(DataError, match=r"found shapes \(2, 3\) and \(1, 3\)"):
        rule_differences([0, 1], two, until(two, 1))


def test_a_bin_of_numbers_without_any_prediction_has_none():
    _, prediction_events = reevaluation(np.zeros(0), np.zeros(0))
    table = bin_table(np.zeros(0), binned_values(prediction_events, np.zeros(0), 2))
    assert [*table.columns] == ["bin", *REGRESSION_MEASURES, *COUNTS]
    assert table["mean_absolute_error"].isna().all()
    assert table["predictions"].tolist() == [0] * 4


# --- Intervals --------------------------------------------------------------------------


#: Simulated series for each case; three standard errors of a coverage of 95 % are 0.053.
SERIES = 150


@pytest.mark.parametrize("accuracy", [0.5, 0.8])
@pytest.mark.parametrize("dependence", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("n", [60, 250, 1000, 5000])
def test_intervals_contain_the_accuracy_of_the_process(n, dependence, accuracy):
    rng = np.random.default_rng(round(n + 10 * dependence))
    ends = column_intervals(correct_chains(rng, n, accuracy, dependence, SERIES), bounds=(0.0, 1.0))
    low, high = ends[~np.isnan(ends[:, 0]), :2].T
    # A chain has (1 + dependence) / (1 - dependence) times the variance of independent values.
    effective = n * (1 - dependence) / (1 + dependence)
    if effective < MIN_EFFECTIVE_SIZE / 2:
        assert len(low) == 0  # no interval rather than one that is too narrow
        return
    assert len(low) >= (0.9 if effective > 2 * MIN_EFFECTIVE_SIZE else 0.1) * SERIES
    assert ((low >= 0) & (low < high) & (high <= 1)).all()
    inside = np.mean((low <= accuracy) & (accuracy <= high))
    assert inside >= 0.95 - 3 * (0.95 * 0.05 / len(low)) ** 0.5


def test_bands_contain_the_accuracies_of_all_bins():
    # Bins have most predictions in common, as neighbouring bins do.
    rng, inside, runs = np.random.default_rng(7), 0, 100
    for _ in range(runs):
        common = correct_chains(rng, 600, 0.7, 0.5, 1)
        separate = correct_chains(rng, 600, 0.7, 0.5, 10)
        ends = column_intervals(
            np.where(rng.random((600, 10)) < 0.7, common, separate), bounds=(0.0, 1.0)
        )
        inside += bool(((ends[:, 2] <= 0.7) & (ends[:, 3] >= 0.7)).all())
    assert inside / runs >= 0.95 - 3 * (0.95 * 0.05 / runs) ** 0.5


def test_where_nothing_varies_there_is_no_interval():
    ends = column_intervals(np.ones((500, 3), dtype=bool))
    assert np.isnan(ends).all()


def test_missing_values_count_in_no_column():
    draws = np.random.default_rng(3)
    series = draws.exponential(size=(400, 3))
    series[:50, 1] = np.nan
    ends = column_intervals(series, bounds=(0.0, np.inf))
    alone = [column_intervals(column[~np.isnan(column), None])[0, :2] for column in series.T]
    assert ends[:, :2].tolist() == np.array(alone).tolist()
    assert (ends[:, 2] < ends[:, 0]).all()
    # Where no instance has a value in all columns, nothing is known of all means together.
    series[50:, 0] = np.nan
    ends = column_intervals(series)
    assert not np.isnan(ends[1:, :2]).any()
    assert np.isnan(ends[:, 2:]).all()
