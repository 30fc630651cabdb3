"""Signs of measures over all windows, beside a count by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.evaluation.predictions import PredictionTable
from streameval.items.performance import SIGN_COUNTS
from streameval.items.performance.measures import count_signs


def table(true, predicted) -> PredictionTable:
    true = np.array(true, dtype=np.int32)
    labels = {"a": predicted, "no_change": np.roll(true, 1), "majority": np.zeros(len(true))}
    return PredictionTable(true, {k: np.array(v, dtype=np.int16) for k, v in labels.items()}, 2)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=5, max_size=30))
def test_signs_are_those_of_each_window(pairs):
    true, predicted = zip(*pairs, strict=True)
    counts = count_signs(table(true, predicted), ["a"], ["accuracy", "kappa_m"], 5)
    assert tuple(counts) == SIGN_COUNTS
    accuracy, kappa = counts.to_dict("records")
    by_hand = {}
    for end in range(5, len(pairs) + 1):
        part = pairs[end - 5 : end]
        right = sum(t == p for t, p in part)
        majority = sum(t == 0 for t, _ in part)
        by_hand[end] = (right / 5, (right - majority) / (5 - majority) if majority < 5 else None)
    values = {end: value for end, (_, value) in by_hand.items() if value is not None}
    below = [end for end, value in values.items() if value < 0]
    assert kappa["windows"] == accuracy["windows"] == len(pairs) - 4
    assert kappa["defined"] == len(values)
    assert kappa["below"] == len(below)
    assert kappa["above"] == sum(value > 0 for value in values.values())
    if below:
        assert (kappa["first_below"], kappa["last_below"]) == (below[0], below[-1])
        least = min(by_hand[end][0] for end in below)
        np.testing.assert_allclose(accuracy["least_beside"], least)
    else:
        assert np.isnan([kappa["first_below"], kappa["last_below"], accuracy["least_beside"]]).all()
