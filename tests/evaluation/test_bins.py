"""Measures of a re-evaluation by bin, and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.binned import binned_values, correct_chains, until
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
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.bins import BinnedPredictions
from streameval.protocols.reevaluation import reevaluation

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


def test_without_labels_nothing_is_measured():
    nothing = BinnedPredictions(np.zeros((0, 3), dtype=np.int16), np.zeros((0, 3), dtype=bool))
    table = bin_table(np.zeros(0, dtype=int), nothing, 2)
    assert table["predictions"].tolist() == [0, 0, 0]
    assert table["accuracy"].isna().all()
    assert rule_differences(np.zeros(0, dtype=int), nothing, nothing)["accuracy"].isna().all()
    _, prediction_events = reevaluation(np.zeros(0), np.zeros(0))
    table = bin_table(np.zeros(0), binned_values(prediction_events, np.zeros(0), 2))
    assert [*table.columns] == ["bin", *REGRESSION_MEASURES, *COUNTS]
    assert table["mean_absolute_error"].isna().all()
    assert table["predictions"].tolist() == [0] * 4


def test_what_does_not_belong_together_is_refused():
    two = BinnedPredictions(np.zeros((2, 3), dtype=np.int16), np.ones((2, 3), dtype=bool))
    with pytest.raises(DataError, match=r"true labels of shape \(2,\), .* found \(3,\)"):
        bin_table([0, 1, 0], two, 2)
    with pytest.raises(DataError, match=r"found shapes \(2, 3\) and \(1, 3\)"):
        rule_differences([0, 1], two, until(two, 1))


# --- Intervals --------------------------------------------------------------------------


def test_bands_contain_the_accuracies_of_all_bins():
    # Bins have most predictions in common, as neighbouring bins do.
    rng, inside, runs = np.random.default_rng(7), 0, 50
    for _ in range(runs):
        common = correct_chains(rng, 600, 0.7, 0.5, 1)
        separate = correct_chains(rng, 600, 0.7, 0.5, 10)
        ends = column_intervals(
            np.where(rng.random((600, 10)) < 0.7, common, separate), bounds=(0.0, 1.0)
        )
        inside += bool(((ends[:, 2] <= 0.7) & (ends[:, 3] >= 0.7)).all())
    assert inside / runs >= 0.95 - 3 * (0.95 * 0.05 / runs) ** 0.5


def test_missing_values_count_in_no_column():
    assert np.isnan(column_intervals(np.ones((500, 3), dtype=bool))).all()
    draws = np.random.default_rng(3)
    series = draws.exponential(size=(400, 3))
    series[:50, 1] = np.nan
    ends = column_intervals(series, bounds=(0.0, np.inf))
    alone = [column_intervals(column[~np.isnan(column), None])[0, :2] for column in series.T]
    assert ends[:, :2].tolist() == np.array(alone).tolist()
    assert (ends[:, 2] < ends[:, 0]).all()
    # The mean of these is positive, whatever the width of an interval.
    huge = draws.exponential(size=(100, 3)) ** 4
    expected = np.maximum(column_intervals(huge), 0.0)
    assert (expected == 0.0).any()
    np.testing.assert_array_equal(column_intervals(huge, bounds=(0.0, np.inf)), expected)
    # Where no instance has a value in all columns, nothing is known of all means together.
    series[50:, 0] = np.nan
    ends = column_intervals(series)
    assert not np.isnan(ends[1:, :2]).any()
    assert np.isnan(ends[:, 2:]).all()
