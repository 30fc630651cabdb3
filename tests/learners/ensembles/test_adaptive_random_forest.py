"""The adaptive random forest: options beyond equality with its slow twin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from streameval.learners.ensembles.adaptive_random_forest import (
    AdaptiveRandomForest,
)
from streameval.learners.predictions import NO_PREDICTION
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Attribute, Stream


def test_without_votes_it_may_make_no_prediction():
    # Nothing is learnt before the first ten predictions; of the nominal values then seen, few were.
    stream, rows = RandomTree().stream(300), np.arange(300)
    tape = Tape(rows, np.where(rows < 10, PREDICT, PREDICT | LEARN), np.ones(300))
    labels = AdaptiveRandomForest().run(stream, tape).label
    predictions = AdaptiveRandomForest(abstains=True).run(stream, tape).label
    votes = predictions != NO_PREDICTION
    assert not votes[:11].any()
    assert votes[11:].sum() > 200
    assert np.array_equal(predictions[votes], labels[votes])
    assert (labels[~votes] == 0).all()


def test_constant_inputs_follow_those_that_a_wrapper_writes():
    stream = RandomTree().stream(600)
    tape = prequential(len(stream))
    plain, padded = (AdaptiveRandomForest(members=3, constant_inputs=n) for n in (0, 2))
    schema = stream.schema
    added = (Attribute("one"), Attribute("two"))
    wider = Stream(
        np.hstack((stream.X, np.zeros((len(stream), 2)))),
        stream.y,
        replace(schema, attributes=schema.attributes + added),
    )
    assert np.array_equal(padded.run(stream, tape).label, plain.run(wider, tape).label)
    by_wrapper = [
        PredictionAugmented(learner).run(data, tape).label
        for learner, data in ((padded, stream), (plain, wider))
    ]
    assert np.array_equal(*by_wrapper)


# Read off a MOA 2024.07 forest whose -o and -m were set, for 1 to 14 attributes.
DRAWN = {
    ("size", 2): [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
    ("sqrt", 60): [1, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5],
    ("sqrt_inverse", 60): [1, 1, 1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 8, 9],
    ("percentage", 60): [1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7, 7, 8, 8],
    ("percentage", 25): [1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4],
    ("percentage", 150): list(range(1, 15)),
}


@pytest.mark.parametrize(("mode", "subspace"), DRAWN)
def test_how_many_attributes_are_drawn(mode, subspace):
    learner = AdaptiveRandomForest(subspace_mode=mode, subspace=subspace)
    assert [learner.subset_size(n) for n in range(1, 15)] == DRAWN[mode, subspace]


def test_rounding_of_the_percentage():
    # The same: 58 % of 25 is a little less than 14.5.
    learner = AdaptiveRandomForest(subspace=58)
    assert [learner.subset_size(n) for n in (25, 50)] == [14, 29]
