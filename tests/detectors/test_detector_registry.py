"""Detectors by name: texts and settings that stand for them."""

from __future__ import annotations

import dataclasses
import re
from contextlib import suppress

import pytest
from helpers.declared import right
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import ConfigError
from streameval.detectors.adwin import ADWIN
from streameval.detectors.baselines import Every
from streameval.detectors.ddm import DDM
from streameval.detectors.registry import DETECTORS, detector_forms, parse
from streameval.detectors.stepd import STEPD


def test_each_is_registered_under_its_name():
    for name, detector in DETECTORS.items():
        assert name == detector.name
        assert re.fullmatch("[a-z][a-z0-9_]*", name)
        assert detector.reference
        assert detector.title
        assert detector.__doc__
        assert all(declared.description for declared in detector.declared_parameters())


@st.composite
def detectors(draw):
    """Any detector with some of its parameters, if they do not contradict each other."""
    detector = draw(st.sampled_from([*DETECTORS.values()]))
    parameters = {
        declared.name: draw(right(declared, most=20))
        for declared in detector.declared_parameters()
        if declared.is_required or draw(st.booleans())
    }
    with suppress(ConfigError):
        return detector(**parameters)
    return detector()  # all that contradict each other have defaults


@given(detectors())
def test_all_ways_to_write_a_detector_mean_the_same(detector):
    assert parse(detector) == parse(str(detector)) == detector
    assert hash(detector) == hash(parse(str(detector)))
    assert parse({"name": detector.name, **dataclasses.asdict(detector)}) == detector
    values = [str(value) for value in dataclasses.astuple(detector)]
    assert not values or parse(":".join([detector.name, *values])) == detector


def test_texts_name_what_differs_from_the_defaults():
    assert str(ADWIN()) == "adwin"
    assert str(ADWIN(0.05)) == "adwin:delta=0.05"
    assert str(Every(500)) == "every:n=500"
    assert str(STEPD(rises_only=True)) == "stepd:rises_only=true"
    assert str(DDM(drift_level=4)) == "ddm:drift_level=4.0"


def test_forms_say_how_they_are_written():
    assert len(detector_forms()) == len(DETECTORS)
    assert {
        "adwin[:DELTA]",
        "every:N",
        "never",
        "chance:PROBABILITY[:MIN_INSTANCES]",
    } < {*detector_forms()}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("adwim", r"There is no detector 'adwim'; there are adwin\[:DELTA\], .*'adwin'\?"),
        ("every", "Detector every: expected a value for n .* Write every:N"),
        ({"delta": 0.1}, r"Detector: expected the key name, found delta. Write \{name: adwin, del"),
        (
            5,
            r"Detector: expected a name, a mapping, or an object with update.*, found 5 of type",
        ),
    ],
)
def test_what_is_no_detector_is_refused(setting, message):
    with pytest.raises(ConfigError, match=message):
        parse(setting)
