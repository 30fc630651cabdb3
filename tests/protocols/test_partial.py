"""Label budgets whose labels do not depend on the learner."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import protocols as naive
from naive import wrappers as naive_wrappers

from streameval.base.errors import ConfigError, DataError
from streameval.protocols.partial import (
    NO_INTERVAL,
    ActiveLearningTape,
    Partial,
    count_learnt_labels,
    evenly_spaced,
    label_probabilities,
)
from streameval.protocols.prequential import delayed
from streameval.protocols.registry import parse
from streameval.protocols.tape import LEARN, PREDICT

BUDGETS = st.floats(0.001, 1)


class Instances:
    """Classes and which labels are there, without inputs."""

    time = label_time = None
    n_classes = 4

    def __init__(self, y, labelled=None, name="stream"):
        y = np.asarray(y)
        self.labelled = np.ones(len(y), bool) if labelled is None else np.asarray(labelled)
        self.y, self.name = np.where(self.labelled, y, -1).astype(y.dtype), name

    def __len__(self):
        return len(self.y)


def classes(n, shares, seed=1):
    return Instances(np.random.default_rng(seed).choice(len(shares), n, p=shares))


@st.composite
def streams(draw):
    n = draw(st.integers(0, 60))
    y = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    labelled = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    return Instances(np.array(y, np.int32), np.array(labelled, bool))


@given(
    stream=streams(),
    budget=BUDGETS,
    delay=st.integers(0, 70),
    how=st.sampled_from(
        [{"strategy": "every"}, {}, {"exponent": 0.0}, {"exponent": 3.0}, {"seed": 9}]
    ),
)
def test_each_is_predicted_once_and_what_is_bought_is_learnt_as_in_the_twin(
    stream, budget, delay, how
):
    protocol = Partial(budget, delay=delay, **how)
    bought = protocol.bought_labels(stream)
    assert not (bought & ~stream.labelled).any()
    (tape,) = protocol.tapes(stream)
    result = [(row, op) for row, op, _ in naive_wrappers.events(tape)]
    assert result == naive.partly_in_turn(bought, delay)
    assert tape.predict_rows.tolist() == list(range(len(stream)))
    assert count_learnt_labels(tape) == bought[: max(len(stream) - delay, 0)].sum()
    assert (tape.weight == 1).all()


@given(n=st.integers(0, 200), share=st.fractions(Fraction(1, 1000), 1, max_denominator=1000))
def test_equal_distances_are_those_of_the_twin(n, share):
    assert evenly_spaced(n, float(share)).tolist() == naive.evenly_spaced_in_turn(n, share)


@pytest.mark.parametrize("m", [1, 2, 3, 7, 10, 49, 100, 1000, 12_345])
def test_every_nth_label_is_the_nth(m):
    result = np.flatnonzero(evenly_spaced(1_000_000, 1 / m))
    assert result.tolist() == list(range(m - 1, 1_000_000, m))


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any),
    BUDGETS,
    st.floats(0, 10),
)
def test_the_chances_of_classes_spend_the_budget_as_in_the_twin(counts, budget, exponent):
    shares = np.array(counts) / sum(counts)
    result = label_probabilities(shares, budget, exponent)
    assert ((result >= 0) & (result <= 1)).all()
    assert shares @ result == pytest.approx(budget, rel=1e-9)
    expected = naive.chances_by_halving(shares.tolist(), budget, exponent)
    assert result == pytest.approx(expected, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0, 2.0])
def test_labels_of_each_class_are_as_frequent_as_they_should_be(exponent):
    stream = classes(200_000, (0.7, 0.25, 0.05))
    bought = Partial(0.03, exponent=exponent).bought_labels(stream)
    counts = np.bincount(stream.y)
    expected = counts * label_probabilities(counts / len(stream), 0.03, exponent)
    result = np.bincount(stream.y[bought], minlength=3)
    assert np.abs(result - expected).max() < 4 * np.sqrt(expected.max())
    assert np.abs(bought.sum() - 0.03 * len(stream)) < 4 * np.sqrt(0.03 * len(stream))


@pytest.mark.parametrize("exponent", [0.0, 3.0])
def test_labels_that_are_missing_by_class_are_so_by_the_labels_so_far(exponent):
    """Other labels from row 900 on change no choice before it, but later ones."""
    stream = classes(3000, (0.7, 0.25, 0.05))
    later = Instances(np.where(np.arange(3000) < 900, stream.y, (stream.y + 1) % 4))
    protocol = Partial(0.2, exponent=exponent)
    first, second = protocol.bought_labels(stream), protocol.bought_labels(later)
    assert first[:900].tolist() == second[:900].tolist()
    assert first[900:].tolist() != second[900:].tolist()
    assert 0 < first[:900].sum() < 900


def test_labels_at_random_depend_on_the_stream_and_the_seed_and_small_budgets_are_parts():
    stream = classes(5000, (0.5, 0.5))
    each = Partial(0.1).bought_labels(stream)
    assert each.tolist() == Partial(0.1).bought_labels(Instances(1 - stream.y)).tolist()
    assert each.tolist() != Partial(0.1, seed=2).bought_labels(stream).tolist()
    assert each.tolist() != Partial(0.1).bought_labels(Instances(stream.y, name="other")).tolist()
    assert not (Partial(0.01).bought_labels(stream) & ~each).any()
    assert Partial(1.0).bought_labels(stream).all()


def test_a_budget_of_all_labels_is_delayed():
    stream = classes(50, (0.5, 0.5))
    for delay in (0, 3):
        for strategy in ("random", "every"):
            (tape,) = Partial(1, strategy, delay).tapes(stream)
            other = delayed(50, delay)
            assert [*naive_wrappers.events(tape)] == [*naive_wrappers.events(other)]


@pytest.mark.parametrize("delay", [0, 1, 5])
def test_labels_that_are_offered_have_an_event_of_their_own(delay):
    stream = Instances(np.zeros(9, np.int32), np.arange(9) != 4)
    protocol = Partial(0.5, "uncertainty", delay)
    (tape,) = protocol.tapes(stream)
    assert isinstance(tape, ActiveLearningTape)
    assert tape.queries == ("uncertainty", 0.5, 0.9, 0.01, "moa", 1)
    assert set(tape.op.tolist()) <= {PREDICT, LEARN}
    assert [(row, op) for row, op, _ in naive_wrappers.events(tape)] == naive.partly_in_turn(
        stream.labelled, delay
    )
    with pytest.raises(ConfigError, match="by the class scores of a learner"):
        protocol.bought_labels(stream)


def test_numbers_have_no_classes_to_draw_labels_by():
    stream = Instances(np.linspace(0, 1, 20))
    assert Partial(0.5).bought_labels(stream).any()
    with pytest.raises(DataError, match="exponent 0 draws labels by their class, and the target"):
        Partial(0.5, exponent=0).tapes(stream)


def test_no_interval_rests_on_a_part_of_the_labels():
    for form in (str(Partial(0.1)), Partial(0.1).file_form, "partial:0.1", "partial-0_1"):
        assert parse(form).no_interval_reason == NO_INTERVAL
    assert parse("prequential").no_interval_reason == ""
