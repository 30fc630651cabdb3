"""Naive Bayes predicts as its slow twin, which multiplies densities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import learners as naive

from streameval.compiled.kernels import kernel
from streameval.learners.bayes import class_statistics, gaussian_record, scoring
from streameval.learners.bayes.class_statistics import UNOBSERVED
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream


def assert_agrees(stream, tape):
    expected = naive.play(naive.twin(NaiveBayes(), stream), stream, tape)
    assert NaiveBayes().play(stream, tape).label.tolist() == expected


@settings(max_examples=100)
@given(strategies.cases(rows=(1, 80)))
def test_equals_its_naive_twin(case):
    assert_agrees(*case)


@settings(max_examples=150)
@given(strategies.cases(rows=(1, 60), exponents=(-150, 150), columns=8))
def test_equals_its_naive_twin_at_any_scale(case):
    assert_agrees(*case)


@settings(max_examples=50)
@given(strategies.cases(rows=(2, 30), columns=3), st.data())
def test_infinite_values_are_not_learnt_and_rule_out_every_class(case, data):
    stream, tape = case
    X = stream.X.copy()
    numeric = np.flatnonzero(stream.schema.n_values == 0)
    for column in numeric:
        rows = data.draw(st.sets(st.integers(0, len(X) - 1), max_size=3))
        X[list(rows), column] = data.draw(st.sampled_from([np.inf, -np.inf]))
    assert_agrees(Stream(X, stream.y, stream.schema), tape)


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
    assert NaiveBayes().play(stream, prequential(len(y))).label[-1] == answer
    assert_agrees(stream, prequential(len(y)))


def test_a_class_is_chosen_among_many():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 40, 400)
    X = np.column_stack([rng.normal(size=(400, 9)) + y[:, None], y % 7])
    stream = Stream(X, y, strategies.schema(40, [0] * 9 + [7]))
    assert_agrees(stream, prequential(400))


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
    assert NaiveBayes().play(stream, prequential(5)).label[-1] == 1
    assert_agrees(stream, prequential(5))


@kernel
def write_votes(stats, slot, prior, X, y, w, out):
    """Learn all rows but the last, and write the votes for the last."""
    for t in range(len(y) - 1):
        complete = class_statistics.load(stats, X[t])
        class_statistics.observe(stats, slot, y[t], w[t], X[t], complete, 1.0)
        prior[y[t]] += w[t]
    scoring.votes(stats, slot, prior, X[len(y) - 1], out)


def votes(stats, slot, stream, weights):
    k = stream.n_classes
    prior, out = np.zeros(k), np.empty(k)
    write_votes(stats, slot, prior, stream.X, stream.y, weights, out)
    return out


@settings(max_examples=60)
@given(strategies.streams(rows=(2, 40), exponents=(-3, 3)), st.integers(0, 2))
def test_votes_equal_those_of_the_naive_twin_bit_for_bit(stream, slot):
    weights = np.random.default_rng(0).choice([0.5, 1.0, 2.0], len(stream))
    found = votes(class_statistics.make(stream.schema, 3), slot, stream, weights)
    model = naive.twin(NaiveBayes(), stream)
    for x, y, w in list(zip(stream.X.tolist(), stream.y.tolist(), weights, strict=True))[:-1]:
        model.learn(x, y, float(w))
    expected = model.votes(stream.X[-1].tolist())
    assert found[: len(expected)].tolist() == expected
    assert not found[len(expected) :].any()


@kernel
def count_differences(stats, prior, X, y, w):
    """Learn all rows, and count those whose quick and exact predictions differ."""
    different = 0
    for t in range(len(y)):
        complete = class_statistics.load(stats, X[t])
        quick = scoring.label(stats, 0, prior, X[t], complete)
        different += quick != scoring.exact_label(stats, 0, prior, X[t])
        prior[y[t]] += w[t]
        class_statistics.observe(stats, 0, y[t], w[t], X[t], complete, prior[y[t]])
    return different


def _long_streams():
    rng = np.random.default_rng(7)
    n = 60_000
    X, y = rng.normal(size=(n, 10)), rng.integers(0, 3, n)
    yield "classes that are all alike", X, y
    yield "classes that are near each other", X + 0.1 * y[:, None], y
    late = X.copy()
    late[:40_000, 3] = 5.0
    yield "a constant that begins to vary late", late, y
    grows = X * np.geomspace(1.0, 1e4, n)[:, None]
    yield "ever larger values", grows, y
    outlier = X.copy()
    outlier[50_000] = 1e6
    yield "an outlier", outlier, y
    gaps = X.copy()
    gaps[rng.random(X.shape) < 1e-4] = np.nan
    yield "a few gaps", gaps, y
    yield "a class that grows rare", X + y[:, None], np.where(np.arange(n) < n / 2, y, y % 2)


@pytest.mark.parametrize("weight", [1.0, 0.7, 50.0])
@pytest.mark.parametrize(
    ("X", "y"), [pytest.param(X, y, id=name) for name, X, y in _long_streams()]
)
def test_what_is_derived_may_be_stale_but_no_prediction_changes(X, y, weight):
    assert len(y) * weight / 3 > gaussian_record.YOUTH
    stats = class_statistics.make(strategies.schema(3, [0] * 10), 1)
    w = np.full(len(y), weight)
    assert count_differences(stats, np.zeros(3), X, y.astype(np.int32), w) == 0


@kernel
def clear(stats, slot):
    class_statistics.clear(stats, slot)


def _three_slots():
    """Return a stream, and statistics of which each slot has learnt it."""
    schema = strategies.schema(3, [0, 0, 4, 0])
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=(30, 2)), rng.integers(0, 4, 30), rng.normal(size=30)])
    stream = Stream(X, rng.integers(0, 3, 30), schema)
    stats = class_statistics.make(schema, 3)
    for slot in range(3):
        votes(stats, slot, stream, np.ones(30))
    return stream, stats


def _records(stats, slot):
    """Return a slot's records, those of classes not observed too."""
    length = len(stats.empty)
    return stats.record.reshape(-1, length)[stats.start[slot] // length]


def test_a_cleared_slot_is_a_new_one_and_its_neighbours_stay():
    stream, stats = _three_slots()
    before, used = [_records(stats, slot).copy() for slot in range(3)], stats.used.copy()
    clear(stats, 1)
    np.testing.assert_array_equal(_records(stats, 1), np.tile(stats.empty, (3, 1)))
    np.testing.assert_array_equal(
        votes(stats, 1, stream, np.ones(30)),
        votes(class_statistics.make(stream.schema, 1), 0, stream, np.ones(30)),
    )
    for slot in range(3):
        np.testing.assert_array_equal(_records(stats, slot), before[slot])
    np.testing.assert_array_equal(stats.used, used)  # the records that it gave back are in use


def test_a_record_is_made_for_an_observed_class_only():
    stream, stats = _three_slots()
    fresh = class_statistics.make(stream.schema, 2)
    one_class = stream.take(stream.y == 2)
    votes(fresh, 0, one_class, np.ones(len(one_class)))
    assert (fresh.start[0] != UNOBSERVED).tolist() == [False, False, True]
    np.testing.assert_array_equal(fresh.record[: len(fresh.empty)], fresh.empty)
    one = class_statistics.used_bytes(fresh, np.array([0]))
    none = class_statistics.used_bytes(fresh, np.array([1]))
    assert one - none == fresh.empty.nbytes
    assert class_statistics.used_bytes(stats, np.arange(3)) == 3 * (none + 3 * (one - none))


def test_moved_statistics_keep_their_slots():
    stream, stats = _three_slots()
    clear(stats, 0)
    moved = class_statistics.moved(stats, stream.schema, np.array([0, 2]), 4, 2)
    np.testing.assert_array_equal(_records(moved, 0), np.tile(stats.empty, (3, 1)))
    np.testing.assert_array_equal(_records(moved, 1), _records(stats, 2))
    slots = np.array([0, 2])
    used = class_statistics.used_bytes(stats, slots)
    assert class_statistics.used_bytes(moved, np.arange(2)) == used
    np.testing.assert_array_equal(
        votes(moved, 0, stream, np.ones(30)), votes(stats, 0, stream, np.ones(30))
    )
    np.testing.assert_array_equal(_records(moved, 1), _records(stats, 2))
