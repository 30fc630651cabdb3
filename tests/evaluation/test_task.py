"""The two tasks: known labels, gains and formats."""

from __future__ import annotations

import numpy as np
import pytest

from streameval.evaluation.task import (
    CLASSIFICATION_TASK,
    REGRESSION_TASK,
    gain_differences,
)


def test_labels_and_targets_are_known_or_not():
    codes = np.array([0, -1, 2], np.int32)
    assert CLASSIFICATION_TASK.is_known(codes).tolist() == [True, False, True]
    assert REGRESSION_TASK.is_known(np.array([0.0, np.nan, -1.0])).tolist() == [True, False, True]


@pytest.mark.parametrize("shape", [(6,), (2, 3), (1, 2, 3)])
def test_more_gain_is_better_in_any_shape(shape):
    true = np.array([0, 1, 2, 0, 1, 2]).reshape(shape)
    predicted = np.array([0, 1, 0, -1, 1, 2]).reshape(shape)
    assert CLASSIFICATION_TASK.gain(true, predicted).tolist() == (predicted == true).tolist()
    numbers = REGRESSION_TASK.gain(true.astype(float), np.where(predicted < 0, np.nan, predicted))
    assert numbers.shape == shape
    np.testing.assert_array_equal(numbers.ravel(), [0, 0, -2, np.nan, 0, 0])


def test_gains_say_what_is_measured_and_how_large_errors_are():
    right, wrong = np.array([True, False]), np.array([False, True])
    assert CLASSIFICATION_TASK.measure == "accuracy"
    assert CLASSIFICATION_TASK.series(right).tolist() == [True, False]
    assert CLASSIFICATION_TASK.losses_from_gains(right).tolist() == [False, True]
    assert gain_differences(right, wrong).tolist() == [1, -1]
    gain = np.array([-1.5, np.nan])
    assert REGRESSION_TASK.measure == "mean_absolute_error"
    np.testing.assert_array_equal(REGRESSION_TASK.series(gain), [1.5, np.nan])
    np.testing.assert_array_equal(REGRESSION_TASK.losses_from_gains(gain), [1.5, np.nan])
    np.testing.assert_array_equal(gain_differences(gain, gain), [0.0, np.nan])


@pytest.mark.parametrize(
    ("task", "losses", "reference", "expected"),
    [
        (CLASSIFICATION_TASK, [False, False, True, False], [True, True, True, False], 2 / 3),
        (CLASSIFICATION_TASK, [True] * 3, [True, False, False], -2.0),
        (CLASSIFICATION_TASK, [True], [False], np.nan),
        (REGRESSION_TASK, [1.0, 2.0, np.nan, 9.0], [4.0, 2.0, 5.0, np.nan], 0.5),
        (REGRESSION_TASK, [1.0], [0.0], np.nan),
        (REGRESSION_TASK, [np.nan], [1.0], np.nan),
    ],
)
def test_skill_is_one_less_the_ratio_of_the_losses(task, losses, reference, expected):
    assert task.skill(np.array(losses), np.array(reference)) == pytest.approx(expected, nan_ok=True)
    for name in task.baselines:
        assert task.skill_column(name).startswith(("kappa_", f"skill_over_{name}"))
