"""Objects with ``update`` and ``drift_detected`` signal as when they are called directly."""

from __future__ import annotations

import importlib

import pytest
from naive import detectors as naive

from streameval.base.errors import ConfigError, DataError
from streameval.detectors.registry import parse

drift = importlib.import_module("river.drift")
binary = importlib.import_module("river.drift.binary")

VALUES = [*naive.inputs(5, (0.1, 0.6, 0.2, 0.9), 600)]
MODELS = {
    "KSWIN": lambda: drift.KSWIN(alpha=0.01, seed=3),
    "PageHinkley": lambda: drift.PageHinkley(mode="up", threshold=5),
    "DDM": binary.DDM,
    "EDDM": lambda: binary.EDDM(warm_start=10),
    "HDDMW": lambda: binary.HDDMW(two_sided_test=True),
}


@pytest.mark.parametrize("name", MODELS)
def test_alarms_are_those_of_the_object(name):
    model, expected = MODELS[name](), ([], [])
    for t, x in enumerate(VALUES):
        # River's detectors of errors take truth values.
        model.update(x if name in ("KSWIN", "PageHinkley") else bool(x))
        if model.drift_detected:
            expected[1].append(t)
        elif getattr(model, "warning_detected", False):
            expected[0].append(t)
    unused = MODELS[name]()
    detector = parse(unused)
    assert expected[1]
    for _ in range(2):  # the object is left alone
        assert tuple(part.tolist() for part in detector.run(VALUES)) == expected
    assert str(detector) == type(unused).__name__


class Own:
    """A detector of one's own."""

    drift_detected = False

    def update(self, x):
        if x > 0.99:
            raise RuntimeError("too large")
        self.drift_detected = x > 0.5


def test_a_detector_needs_two_names():
    assert parse(Own()).run([0.1, 0.7, 0.2]).changes.tolist() == [1]
    with pytest.raises(DataError, match=r"Own .* 1.0 at position 1: RuntimeError: too large"):
        parse(Own()).run([0.0, 1.0])
    assert parse(Own).run([0.1, 0.7, 0.2]).changes.tolist() == [1]  # a class is an object of it


class WithMethods:
    """A detector whose flags are methods: as objects they are always true."""

    def update(self, x):
        self.last = x

    def drift_detected(self):
        return self.last > 0.8

    def warning_detected(self):
        return self.last > 0.5


def test_flags_that_are_methods_are_called():
    alarms = parse(WithMethods()).run([0.1, 0.7, 0.2, 0.9])
    assert (alarms.warnings.tolist(), alarms.changes.tolist()) == ([1], [3])


def of_interface(*names):
    return type("Elsewhere", (), dict.fromkeys(names, False))()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (
            ("add_element", "detected_change", "detected_warning_zone"),
            r"without update\(x\) and drift_detected; it has add_element, detected_change, detec",
        ),
        (("update", "drift", "status"), "without drift_detected; it has drift, status."),
        ((), r"without update\(x\) and drift_detected\. Write a class"),
    ],
)
def test_objects_of_other_interfaces_are_refused_with_what_is_missing(names, message):
    with pytest.raises(ConfigError, match=rf"found <.*of type Elsewhere, {message}"):
        parse(of_interface(*names))
