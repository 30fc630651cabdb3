"""Noise in predictions: replaced predictions and their new labels."""

from __future__ import annotations

import numpy as np
import pytest

from streameval.evaluation.error_simulation import Noise, printed_accuracy

N = 200_000


def noisy(classes, level, accuracy=0.8, seed=1):
    """True labels, predictions of an accuracy, and the same with noise."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(classes, size=N).astype(np.int16)
    wrong = (truth + rng.integers(1, classes, size=N)) % classes
    labels = np.where(rng.random(N) < accuracy, truth, wrong).astype(np.int16)
    draws = Noise(labels, classes, np.random.default_rng(seed + 1))
    return truth, labels, draws.noisy(level)


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("level", [0.05, 1.0])
def test_accuracy_is_that_of_the_filter_and_not_the_printed_one(classes, level):
    truth, labels, changed = noisy(classes, level)
    accuracy = float(np.mean(labels == truth))
    accuracy_with_noise = np.mean(changed == truth)
    error = 4 * np.sqrt(0.25 / N)
    # Noise changes a label to one of the others.
    expected = accuracy * (1 - level) + (1 - accuracy) * level / (classes - 1)
    assert accuracy_with_noise == pytest.approx(expected, abs=error)
    if classes == 2:
        assert abs(accuracy_with_noise - printed_accuracy(accuracy, level, classes)) > error
    assert changed.dtype == np.int16
    assert level < 1 or (labels != changed).all()
    assert printed_accuracy(0.8, 0.05, 2) == pytest.approx(0.765)  # with such noise it is 0.77


def test_more_noise_replaces_more_of_the_same():
    labels = np.zeros(1000, np.int16)
    draws = Noise(labels, 7, np.random.default_rng(1))
    less, more = draws.noisy(0.2), draws.noisy(0.6)
    assert np.array_equal(more[less != 0], less[less != 0])
    assert (draws.noisy(0.0) == labels).all()
    assert (draws.noisy(1.0, np.arange(1000) < 10)[10:] == 0).all()
