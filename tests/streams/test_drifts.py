"""Injected drifts, and where the concepts of generated streams change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import ConfigError, DataError
from streameval.base.seeds import generator
from streameval.streams.drifts import (
    CHANGES,
    Drift,
    equidistant_drifts,
    in_second_concept,
    with_drifts,
)
from streameval.streams.generators import make_generator
from streameval.streams.registry import FileSpec, load_registry
from streameval.streams.stream import Attribute, Schema, Stream
from streameval.streams.variants import variant


def make(labels, columns=3, values=None, classes=("a", "b", "c")):
    n = len(labels)
    X = np.column_stack([np.arange(n) + 1000.0 * j for j in range(columns)])
    schema = Schema(tuple(Attribute(f"x{j}", values) for j in range(columns)), "class", classes)
    return Stream(X, np.array(labels), schema, "s")


def original(stream):
    """Row of each instance in the stream of `make`."""
    return (stream.X % 1000).astype(int)


LABELS = [0] * 60 + [1] * 30 + [2] * 10


def test_two_classes_exchange_their_labels_in_the_new_concept_only():
    drifting = with_drifts(make(LABELS), "relabelled", [Drift(40), Drift(70)])
    rows = original(drifting)[:, 0]
    assert sorted(rows) == list(range(100))
    was = np.array(LABELS)[rows]
    is_new = (np.arange(100) >= 40) & (np.arange(100) < 70)
    assert (drifting.y[~is_new] == was[~is_new]).all()
    assert (drifting.y[is_new] == np.array([1, 0, 2])[was[is_new]]).all()


def test_each_input_takes_the_place_of_another_one():
    drifting = with_drifts(make(LABELS), "permuted", [Drift(50)])
    assert (drifting.X[:50] // 1000 == [0, 1, 2]).all()
    places = np.unique(drifting.X[50:] // 1000, axis=0)
    assert len(places) == 1
    assert sorted(places[0]) == [0, 1, 2]
    assert (places[0] != [0, 1, 2]).all()
    rows = original(drifting)
    assert (rows == rows[:, :1]).all()
    assert (drifting.y == np.array(LABELS)[rows[:, 0]]).all()


def test_inputs_with_other_values_are_not_exchanged():
    values = (("u", "v"), None, ("u", "v"), None, ("w",))
    schema = Schema(
        tuple(Attribute(f"x{j}", names) for j, names in enumerate(values)), "c", ("a", "b")
    )
    X = np.tile([0.0, 7.0, 1.0, 8.0, 0.0], (10, 1))
    stream = Stream(X, np.arange(10) % 2, schema)
    drifting = with_drifts(stream, "permuted", [Drift(5)])
    assert (drifting.X[5:] == [1.0, 8.0, 0.0, 7.0, 0.0]).all()


def test_classes_exchange_their_frequencies():
    stream = make(LABELS * 50)
    drifting = with_drifts(stream, "reweighted", [Drift(2500)])
    before = np.bincount(drifting.y[:2500], minlength=3) / 2500
    after = np.bincount(drifting.y[2500:], minlength=3) / 2500
    assert before == pytest.approx([0.6, 0.3, 0.1], abs=0.04)  # four standard errors of 0.01
    assert after == pytest.approx([0.1, 0.3, 0.6], abs=0.04)
    rows = (drifting.X[:, 0]).astype(int)
    assert (drifting.y == stream.y[rows]).all()
    # No instance is drawn a second time before all of its class were drawn.
    for code in range(3):
        times = np.bincount(rows[drifting.y == code], minlength=len(stream))[stream.y == code]
        assert times.max() - times.min() <= 2  # once more in either concept


@pytest.mark.parametrize("change", CHANGES)
def test_the_same_seed_gives_the_same_stream(change):
    stream = make(LABELS)
    first, again, other = (with_drifts(stream, change, [Drift(50, 9)], seed) for seed in (1, 1, 2))
    assert first.digest == again.digest
    assert first.digest != other.digest


@given(st.integers(10, 200), st.integers(1, 4), st.data())
def test_concepts_take_turns(n, drifts, data):
    width = data.draw(st.integers(0, max(n // (drifts + 1) - 1, 0)))
    places = equidistant_drifts(n, drifts, width) if width < n // (drifts + 1) else ()
    is_new = in_second_concept(n, places, generator("test", n))
    end, turn = 0, False
    for drift in [*places, Drift(n)]:
        assert (is_new[end : drift.start] == turn).all()
        end, turn = drift.start + drift.width, not turn


def test_the_new_concept_comes_gradually():
    counts = sum(
        in_second_concept(400, [Drift(100, 199)], generator("gradual", i)) for i in range(2000)
    )
    # The probability in row t of the transition is (t + 1) / 200; five standard errors.
    expected = np.clip((np.arange(400) - 99) / 200, 0, 1)
    assert np.abs(counts / 2000 - expected).max() < 5 * 0.5 / np.sqrt(2000)


@pytest.mark.parametrize(
    ("n", "drifts", "width"), [(10, 0, 0), (10, 10, 0), (100, 3, 25), (100, 1, -1)]
)
def test_drifts_that_do_not_fit_are_refused(n, drifts, width):
    with pytest.raises(ConfigError, match="distance between drifts"):
        equidistant_drifts(n, drifts, width)


@pytest.mark.parametrize("drifts", [[Drift(0)], [Drift(100)], [Drift(5, 5), Drift(10)]])
def test_drifts_out_of_place_are_refused(drifts):
    with pytest.raises(ConfigError, match="starts from 1 to 99, in order"):
        with_drifts(make(LABELS), "relabelled", drifts)


def test_changes_that_would_change_nothing_are_refused():
    numeric = Stream(np.zeros((9, 2)), np.zeros(9), Schema((Attribute("x"), Attribute("z")), "y"))
    refused = [
        (make([0] * 9), "relabelled", "found one"),
        (make([0, 1, 2] * 3), "reweighted", "found all equal"),
        (make([0, 1, 2] * 3, columns=1), "permuted", "found none"),
        (numeric, "relabelled", "numeric target"),
        (numeric, "reweighted", "numeric target"),
    ]
    for stream, change, text in refused:
        with pytest.raises(DataError, match=text):
            with_drifts(stream, change, [Drift(4)])
    assert len(with_drifts(numeric, "permuted", [Drift(4)])) == 9
    with pytest.raises(ConfigError, match="relabelled, permuted, reweighted"):
        with_drifts(make(LABELS), "rotated", [Drift(4)])


def test_instances_without_labels_are_left_out():
    drifting = variant(make([*LABELS, -1, -1]), "relabelled:1:3:5")
    assert (len(drifting), drifting.name) == (100, "s:relabelled:1:3:5")


def test_drifts_of_nested_concepts_are_where_their_instances_come():
    sea = {"generator": "sea"}
    inner = {"generator": "concept_drift", "before": sea, "after": sea, "position": 50, "width": 0}
    late = make_generator(
        "concept_drift", {"before": sea, "after": inner, "position": 100, "width": 0}
    )
    # MOA counts instances from one: instance number 100 is the first of the new stream.
    assert late.drifts(1000) == (Drift(99), Drift(148))
    assert late.drifts(120) == (Drift(99),)
    early = make_generator(
        "concept_drift", {"before": inner, "after": sea, "position": 100, "width": 20}
    )
    assert early.drifts(1000)[0] == Drift(49)
    assert early.drifts(1000)[1] == Drift(89, 20)


def test_a_stream_that_moves_all_the_time_has_no_known_drifts():
    assert make_generator("hyperplane", {"magnitude": 0.1}).drifts(100) is None
    assert make_generator("hyperplane", {}).drifts(100) == ()
    assert make_generator("random_rbf_drift", {"speed": 0.1}).drifts(100) is None
    assert make_generator("random_rbf_drift", {"speed": 0.1, "drifting": 0}).drifts(100) == ()
    markov = {"priors": [1, 1], "persistence": 0.7, "attributes": 2}
    assert make_generator("markov", markov).drifts(100) is None
    assert make_generator("markov", {**markov, "drift": 0}).drifts(100) == ()
    moving = {"generator": "hyperplane", "magnitude": 0.1}
    both = {"before": {"generator": "hyperplane"}, "after": moving}
    assert make_generator("concept_drift", both).drifts(100) is None


def test_the_registry_knows_the_drifts_of_insects():
    registry = load_registry()
    spec = registry["insects_abrupt"]
    assert isinstance(spec, FileSpec)
    # Souza et al. (2020): where the temperature was changed.
    assert [drift.start for drift in spec.known_drifts()] == [14352, 19500, 33240, 38682, 39510]
    assert registry["elec2"].known_drifts() is None
    # docs of led_delayed: at 3,750 and 11,250, the third is after the end.
    centres = [
        drift.start + drift.width // 2 + 1 for drift in registry["led_delayed"].known_drifts()
    ]
    assert centres == [3750, 11250]
