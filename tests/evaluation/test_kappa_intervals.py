"""The intervals of κ, κ_t and κ_m: their values, their references, and how κ's hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import ConfigError
from streameval.evaluation.kappa_intervals import KAPPAS, chance_errors, kappa_interval
from streameval.evaluation.measurements import measure_predictions
from streameval.evaluation.predictions import PredictionTable
from streameval.significance.skill_interval import skill_interval
from streameval.significance.stream_mean import stream_mean


def table_of(n, classes, seed):
    """Sticky labels, and predictions some of which are right and some missing."""
    draws = np.random.default_rng(seed)
    true = draws.integers(0, classes, n)
    stays = draws.random(n) < 0.5
    true = true[np.maximum.accumulate(np.where(stays, 0, np.arange(n)))]
    predicted = np.where(draws.random(n) < 0.6, true, draws.integers(-1, classes, n))
    no_change = np.concatenate([[0], true[:-1]])
    majority = [np.bincount(true[:t], minlength=classes).argmax() if t else 0 for t in range(n)]
    codes = {"learner": predicted, "no_change": no_change, "majority": np.array(majority)}
    predictions = {name: labels.astype(np.int16) for name, labels in codes.items()}
    return PredictionTable(true.astype(np.int32), predictions, classes)


@given(st.integers(1, 60), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_the_errors_of_chance_are_an_influence_function(n, classes, seed):
    """The mean is 1 - p_c, and deviations are its derivatives by the weight of an instance."""
    table = table_of(n, classes, seed)
    true, predicted = table.true, table.predicted["learner"]

    def wrong_by_chance(weight):
        shares = [
            [(weight * (codes == k)).sum() / weight.sum() for k in range(classes)]
            for codes in (true, predicted)
        ]
        return 1.0 - sum(a * b for a, b in zip(*shares, strict=True))

    errors, even = chance_errors(true, predicted, classes), np.ones(n)
    assert errors.mean() == pytest.approx(wrong_by_chance(even), abs=1e-12)
    more, step = n // 2, 1e-6
    heavier = even.copy()
    heavier[more] += n * step
    slope = (wrong_by_chance(heavier) - wrong_by_chance(even)) / step
    assert errors[more] - errors.mean() == pytest.approx(slope, abs=1e-4)


@pytest.mark.parametrize("classes", [2, 3])
def test_values_are_those_of_the_measures(classes):
    table = table_of(2000, classes, 1)
    values = {
        (measurement.learner, measurement.measure): measurement.value
        for measurement in measure_predictions(table, measures=KAPPAS)
    }
    for (learner, measure), value in values.items():
        skill = kappa_interval(table, learner, measure)
        assert skill.value == pytest.approx(value, abs=1e-12)
        itself = (learner, measure) in {("no_change", "kappa_temporal"), ("majority", "kappa_m")}
        assert itself == ("equal those of the reference" in skill.reason)
        assert itself or skill.low < skill.value < skill.high


def test_the_interval_of_kappa_is_that_of_its_influence_function():
    """To first order; the inversion makes it a little longer on the side of large references."""
    table = table_of(20_000, 3, 3)
    true, predicted = table.true, table.predicted["learner"]
    chance = chance_errors(true, predicted, 3)
    skill = kappa_interval(table, "learner", "kappa")
    linear = 1.0 - ((predicted != true) - (1.0 - skill.value) * chance) / chance.mean()
    expected = stream_mean(linear + skill.value - linear.mean())
    width = expected.high - expected.low
    assert (skill.low, skill.high) == pytest.approx((expected.low, expected.high), abs=0.02 * width)


def test_a_single_predicted_class_has_a_kappa_of_0_without_interval():
    table = table_of(500, 3, 4)
    one_class = np.zeros(500, np.int16)
    constant = replace(table, predicted={**table.predicted, "learner": one_class})
    np.testing.assert_array_equal(
        chance_errors(table.true, one_class, 3), (table.true != 0).astype(float)
    )
    assert kappa_interval(constant, "learner", "kappa")[:2] == pytest.approx(
        (0.0, np.nan), nan_ok=True
    )


def test_chance_that_is_always_right_leaves_kappa_undefined():
    same = np.zeros(100, np.int32)
    names = ("learner", "no_change", "majority")
    table = PredictionTable(same, dict.fromkeys(names, same.astype(np.int16)), 1)
    for measure in KAPPAS:
        skill = kappa_interval(table, "learner", measure)
        assert np.isnan(skill.value)
        assert skill.reason
    assert len(chance_errors([], [], 2)) == 0


def test_folds_have_no_interval():
    table = replace(table_of(100, 2, 5), fold=np.repeat(np.arange(2, dtype=np.int32), 50))
    with pytest.raises(ConfigError, match="several folds"):
        kappa_interval(table, "learner", "kappa")


def test_skills_are_over_the_errors_of_the_reference_of_the_table():
    table = table_of(800, 2, 6)
    wrong = {name: labels != table.true for name, labels in table.predicted.items()}
    swapped = replace(table, majority="no_change")
    for some, measure, other in (
        (table, "kappa_temporal", "no_change"),
        (table, "kappa_m", "majority"),
        (swapped, "kappa_m", "no_change"),
    ):
        expected = skill_interval(wrong["learner"], wrong[other])
        assert kappa_interval(some, "learner", measure) == expected
