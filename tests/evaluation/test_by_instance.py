"""A table of predictions and paired runs give equal results on the same predictions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streameval as se
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.runs import SeededRuns, join_runs
from streameval.learners.predictions import PredictedValues, Predictions
from streameval.protocols.prequential import prequential

N, NAMES = 300, ("a", "b")
NUMBERS, CLASSES = se.generate("planes", rows=N), se.generate("sea", rows=N)


def made(stream, draws, missing):
    """Predictions of two learners, some of numbers missing."""
    if stream.n_classes:
        return {name: draws.integers(-1, 2, N).astype(np.int16) for name in NAMES}
    predicted = {name: stream.y + draws.normal(size=N) for name in NAMES}
    for values in predicted.values():
        values[draws.random(N) < missing] = np.nan
    return predicted


def side_by_side(stream, predicted):
    """The table of predictions, and one run of each learner."""
    rows, k = np.arange(N, dtype=np.int32), stream.n_classes
    runs = {
        name: [Predictions(rows, values, k) if k else PredictedValues(rows, values)]
        for name, values in predicted.items()
    }
    table = PredictionTable(stream.y, predicted, stream.n_classes, rows, groups=stream.groups)
    every = np.ones(N, np.bool_)
    return table.complete_cases(), join_runs(
        stream, prequential(N), SeededRuns(runs, frozenset(), 1), every
    )


@pytest.mark.parametrize("entities", [0, 4])
@pytest.mark.parametrize("stream", [CLASSES, NUMBERS], ids=["classes", "numbers"])
@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.1]))
def test_a_table_and_a_run_say_the_same(stream, entities, seed, missing):
    draws = np.random.default_rng(seed)
    stream = stream.grouped(draws.integers(0, entities, N)) if entities else stream
    table, known = side_by_side(stream, made(stream, draws, missing))
    for name in NAMES:
        _same(table.estimate(name), known.estimate(name))
    _same(table.difference(*NAMES), known.difference(*NAMES))
    _same(table.skill(*NAMES), known.skill(*NAMES))
    np.testing.assert_array_equal(table.compared_mask(*NAMES), known.compared_mask(*NAMES))


def _same(first, other):
    numbers, same = ([x for x in each if isinstance(x, float)] for each in (first, other))
    np.testing.assert_allclose(numbers, same, atol=1e-9)
    assert first.reason == other.reason
    assert getattr(first, "signs", None) == getattr(other, "signs", None)
