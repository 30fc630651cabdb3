"""Naive Bayes predicts as its slow twin, which multiplies densities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from helpers import strategies
from helpers.every_learner import assert_agrees
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream


@settings(max_examples=50)
@given(strategies.cases(rows=(2, 30), columns=3), st.data())
def test_infinite_values_are_not_learnt_and_rule_out_every_class(case, data):
    stream, tape = case
    X = stream.X.copy()
    numeric = np.flatnonzero(stream.schema.n_values == 0)
    for column in numeric:
        rows = data.draw(st.sets(st.integers(0, len(X) - 1), max_size=3))
        X[list(rows), column] = data.draw(st.sampled_from([np.inf, -np.inf]))
    assert_agrees(NaiveBayes(), Stream(X, stream.y, stream.schema), tape)


T, H = 1e-130, 1e135  # standard deviations whose densities are 1e129 and 1e-136


def mirrored(*centres_and_deviations):
    """Two rows of a class, at each centre minus and plus the deviation."""
    return [
        [centre + sign * deviation for centre, deviation in centres_and_deviations]
        for sign in (-1, 1)
    ]


#: Rows, labels, and the prediction of the last row: cases that products of doubles decide in
#: another way than sums of logarithms.
EXTREMES = {
    # Found by hypothesis: not the mean of a constant, but so close that the square is tiny.
    "constant near zero": ([[1.6e-149], [1.1e-149]], [1, 1], 0),
    "zero beside a constant near zero": ([[1.6e-149], [0.0]], [1, 1], 0),
    # Class 1: 1e129³ is infinite and stays so, though 1e-136³ would bring it down to 1e-21.
    # Class 0: the product is about 1.
    "overflow": (
        [
            *mirrored(*[(0, T)] * 3, *[(0, H)] * 3),
            *mirrored(*[(0, 1e-10)] * 3, *[(0, 1e10)] * 3),
            [0.0] * 6,
        ],
        [1, 1, 0, 0, 0],
        1,
    ),
    # Class 0: 1e129³ · 0 is NaN, which wins in the first place.
    "infinity times zero": (
        [
            *mirrored(*[(0, T)] * 3, (0, 1)),
            *mirrored(*[(0, 1)] * 3, (1000, 1)),
            [0.0, 0.0, 0.0, 1000.0],
        ],
        [0, 0, 1, 1, 1],
        0,
    ),
    # Class 1: 1500 factors of 0.519 are exp(-984), but the smallest double times 0.519 is
    # rounded up to itself. Class 0 is exactly 0.
    "stuck at the smallest double": (
        [*mirrored(*[(0, 0.2)] * 1500), *mirrored(*[(100, 0.2)] * 1500), [0.4] * 1500],
        [1, 1, 0, 0, 1],
        1,
    ),
}


@pytest.mark.parametrize("case", EXTREMES)
def test_extreme_products(case):
    X, y, answer = EXTREMES[case]
    stream = Stream(np.array(X), np.array(y), strategies.schema(2, [0] * len(X[0])))
    predictions = assert_agrees(NaiveBayes(), stream, prequential(len(y)))
    assert predictions.label[-1] == answer


def test_a_class_is_chosen_among_many():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 40, 400)
    X = np.column_stack([rng.normal(size=(400, 9)) + y[:, None], y % 7])
    stream = Stream(X, y, strategies.schema(40, [0] * 9 + [7]))
    assert_agrees(NaiveBayes(), stream, prequential(400))


def test_rounding_among_denormal_numbers():
    # Class 1: one half times six equal densities is 1.6 times the smallest double, which is
    # rounded to 2; a seventh brings it back to exp(-594). Class 0: between the two, by a
    # product that stays among the normal numbers.
    smallest, seventh = -1074 * math.log(2), 150.0
    densities = [(math.log(3.2) + smallest) / 6] * 6 + [seventh]
    root = math.sqrt(2 * math.pi)
    wide = mirrored(*[(0, math.exp(-density) / root / math.sqrt(2)) for density in densities])
    unit = mirrored(*[(0, 1 / root / math.sqrt(2))] * 7)
    away = math.sqrt(-(math.log(3.6) + smallest + seventh) / math.pi)
    X = np.array([*wide, *unit, [away] + [0.0] * 6])
    y = np.array([1, 1, 0, 0, 1])
    stream = Stream(X, y, strategies.schema(2, [0] * 7))
    predictions = assert_agrees(NaiveBayes(), stream, prequential(5))
    assert predictions.label[-1] == 1
