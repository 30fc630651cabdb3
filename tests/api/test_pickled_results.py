"""Results can be pickled and read again, fresh or used, whatever they are about."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import streameval as se

SEA = se.generate("sea", rows=300)
NUMBERS = se.from_arrays(SEA.X, SEA.X.sum(axis=1) + np.arange(300) % 7, numeric_target=True)

RESULTS = {
    "classes": lambda: se.evaluate(SEA, "naive_bayes", scores=True),
    "delayed": lambda: se.evaluate(SEA, "naive_bayes", delay=20),
    "folds": lambda: se.evaluate(SEA, "naive_bayes", "cross_validation:5"),
    "numbers": lambda: se.evaluate(NUMBERS, "target_mean", intervals=0.9),
    "comparison": lambda: se.compare(SEA, ["naive_bayes", "ddm_nb"]),
    "comparison of numbers": lambda: se.compare(NUMBERS, ["fimt_dd", "target_mean"]),
    "detection": lambda: se.detect(SEA, "naive_bayes", ["ddm"]),
    "check": lambda: se.check(SEA),
    "budget": lambda: se.budget(SEA, "naive_bayes", [0.1], "every", runs=1),
}


@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_a_pickled_result_says_the_same(make):
    result = make()
    fresh = pickle.loads(pickle.dumps(result))
    text, content = str(result), result.to_dict()  # what is measured is kept
    used = pickle.loads(pickle.dumps(result))
    for loaded in (fresh, used):
        assert str(loaded) == text
        np.testing.assert_equal(loaded.to_dict(), content)
