"""What holds for every detector of the registry."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import detectors as naive
from naive import other_detectors as others

from streameval.base.errors import DataError
from streameval.detectors.alarms import ERRORS, LOSSES, NUMBERS
from streameval.detectors.registry import DETECTORS, parse

#: Parameters that signal often on short sequences; the first ones are the defaults.
TRIED = {
    "adwin": ["adwin", "adwin:0.3"],
    "ddm": ["ddm", "ddm:5:0.5:1.5", "ddm:1:0.1:0.2", "ddm:3:0.5:0.5"],
    "eddm": ["eddm", "eddm:1:0:0.9:0.8", "eddm:10:5:0.7:0.7"],
    "hddm_a": ["hddm_a", "hddm_a:0.05:0.3", "hddm_a:0.2:0.3:false"],
    "hddm_w": ["hddm_w", "hddm_w:0.05:0.3:0.2", "hddm_w:0.01:0.1:0.1:true"],
    "kswin": ["kswin", "kswin:0.2:25:8", "kswin:0.05:12:4"],
    "page_hinkley": [
        "page_hinkley",
        "page_hinkley:1:0.05:2:0.95",
        "page_hinkley:10:0.01:3:1:rise",
        "page_hinkley:threshold=5:statistic=rise",
    ],
    "rddm": ["rddm", "rddm:10:1:2:60:20:15", "rddm:1:0.5:1:10:9:4"],
    "stepd": ["stepd", "stepd:1:0.1:0.4", "stepd:8:0.05:0.2", "stepd:8:0.05:0.2:true"],
    "chance": ["chance:0.05", "chance:0.3:2"],
    "every": ["every:1", "every:7"],
    "always": ["always"],
    "never": ["never"],
}
ALL = [text for texts in TRIED.values() for text in texts]
#: Those that keep inputs over a change, or draw.
KEEPING = {"adwin", "kswin", "rddm", "chance"}


def values_of(phases, seed, takes):
    """Numbers of phases of (level, length), of the kind that a detector takes."""
    u = naive.uniforms(seed)
    values = []
    for level, length in phases:
        for _ in range(length):
            draw = next(u)
            error = float(draw < level)
            if takes is LOSSES:
                error = min(1.0, (error + draw) / 2)
            values.append(error if takes is not NUMBERS else 3 * error - draw)
    return values


phases = st.lists(
    st.tuples(st.sampled_from([0.0, 0.02, 0.3, 0.7, 1.0]), st.integers(1, 120)),
    min_size=1,
    max_size=5,
)
each_detector = pytest.mark.parametrize("text", ALL)


def test_each_is_tried():
    assert {*TRIED} == {*DETECTORS} == {*others.TWINS}


@each_detector
@settings(max_examples=25)
@given(phases, st.integers(0, 2**31 - 1), st.booleans())
def test_each_equals_its_naive_twin(text, phases, seed, as_errors):
    detector = parse(text)
    values = values_of(phases, seed, ERRORS if as_errors else detector.valid_inputs)
    twin = others.TWINS[detector.name](seed, *dataclasses.astuple(detector))
    expected = np.array([twin.input(x) for x in values])
    result = DETECTORS[detector.name](*dataclasses.astuple(detector)).run(values, seed)
    np.testing.assert_array_equal(result.warnings, np.flatnonzero(expected[:, 0]))
    np.testing.assert_array_equal(result.changes, np.flatnonzero(expected[:, 1]))


@each_detector
@settings(max_examples=10)
@given(phases, st.integers(0, 2**31 - 1))
def test_after_a_change_it_begins_anew(text, phases, seed):
    detector = parse(text)
    if detector.name in KEEPING:
        return
    values = values_of(phases, seed, detector.valid_inputs)
    whole = detector.run(values)
    for change in whole.changes[:3]:
        rest = detector.run(values[change + 1 :])
        for first, second in zip(whole, rest, strict=True):
            assert (first[first > change] - change - 1).tolist() == second.tolist()


@pytest.mark.parametrize("name", DETECTORS)
def test_it_signals_where_errors_become_more(name):
    values = list(naive.inputs(3, (0.1,), 1500)) + list(naive.inputs(4, (0.7,), 1500))
    changes = parse(TRIED[name][0]).run(values).changes
    assert ((changes >= 1500) & (changes < 1700)).any() == (name != "never")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0, 1, 2, 0.5], r"2.0 at position 2, 2 wrong in all"),
        ([0, np.nan], "nan at position 1, 1 wrong in all"),
        ([[0, 1]], r"shape \(1, 2\)"),
        (1, r"shape \(\)"),
        (["one"], r"\['one'\]"),
        (None, "(None|shape)"),
    ],
)
def test_what_it_does_not_take_is_refused(values, message):
    expected = "EDDM: expected a one-dimensional array of zeros and ones, found "
    with pytest.raises(DataError, match=expected + message):
        parse("eddm").run(values)


@pytest.mark.parametrize("name", DETECTORS)
def test_each_takes_what_it_says(name):
    detector = parse(TRIED[name][0])
    detector.run([False, True])
    assert [part.tolist() for part in detector.run([])] == [[], []]
    for values, refusing in (([0.5, 1], [ERRORS]), ([2.0, 0], [ERRORS, LOSSES])):
        if detector.valid_inputs in refusing:
            with pytest.raises(
                DataError, match=f"{detector.title}: .* {detector.valid_inputs.text}"
            ):
                detector.run(values)
        else:
            detector.run(values)
    with pytest.raises(DataError, match="found inf at position 1"):
        detector.run([0, np.inf])
