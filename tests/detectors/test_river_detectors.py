"""River's detectors signal as they do when River is called directly."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest
from naive import detectors as naive

from streameval.detectors.registry import parse
from streameval.errors import ConfigError, DataError

drift = importlib.import_module("river.drift")
binary = importlib.import_module("river.drift.binary")

VALUES = [*naive.inputs(5, (0.1, 0.6, 0.2, 0.9), 1200)]
MODELS = {
    "river:ADWIN": drift.ADWIN,
    "river:KSWIN:alpha=0.01:seed=3": lambda: drift.KSWIN(alpha=0.01, seed=3),
    "river:drift.PageHinkley:mode=up:threshold=5": lambda: drift.PageHinkley(
        mode="up", threshold=5
    ),
    "river:DDM": binary.DDM,
    "river:drift.binary.HDDMW:two_sided_test=true": lambda: binary.HDDMW(two_sided_test=True),
    "river:river.drift.binary.EDDM:warm_start=10": lambda: binary.EDDM(warm_start=10),
}


def alarms_of(model):
    """Its warnings and changes."""
    found = ([], [])
    for t, x in enumerate(VALUES):
        model.update(x)
        if model.drift_detected:
            found[1].append(t)
        elif getattr(model, "warning_detected", False):
            found[0].append(t)
    return found


@pytest.mark.parametrize("text", MODELS)
def test_alarms_are_rivers(text):
    detector, expected = parse(text), alarms_of(MODELS[text]())
    assert expected[1]
    assert tuple(part.tolist() for part in detector.run(VALUES)) == expected
    assert tuple(part.tolist() for part in parse(MODELS[text]()).run(VALUES)) == expected
    assert str(detector) == text.replace(" ", "")
    assert parse(text) == detector


def test_an_object_is_left_alone():
    model = drift.KSWIN(seed=3)
    detector = parse(model)
    first, second = (detector.run(VALUES).changes.tolist() for _ in range(2))
    assert first == second != []
    assert model.n == 0
    assert str(detector) == "river:KSWIN"


@pytest.mark.parametrize("setting", ["river:KSWIN", drift.KSWIN()])
def test_the_seed_of_the_run_is_that_of_a_detector_without_one(setting):
    detector = parse(setting)
    one, again, other = (detector.run(VALUES, seed).changes.tolist() for seed in (1, 1, 2))
    assert one == again != other
    assert alarms_of(drift.KSWIN(seed=1))[1] == one


class Own:
    """A detector of one's own."""

    def __init__(self):
        self.drift_detected = False

    def update(self, x):
        if x > 0.99:
            raise RuntimeError("too large")
        self.drift_detected = x > 0.5


def test_a_detector_of_ones_own_needs_two_names():
    assert parse(Own()).run([0.1, 0.7, 0.2]).changes.tolist() == [1]
    with pytest.raises(DataError, match=r"river:Own .* 1.0 at position 1: RuntimeError: too large"):
        parse(Own()).run([0.0, 1.0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("river:KSVIN", r"River has no detector 'KSVIN'; it has ADWIN, .*'KSWIN'\?"),
        ("river", "River has no detector ''; it has ADWIN"),
        ("river:KSWIN:beta=3", "unknown parameter beta. KSWIN takes: alpha, window_size"),
        ("river:KSWIN:0.1", "'0.1' has no name. Write river:KSWIN:alpha=0.01"),
        ("river:KSWIN:alpha=0.1:alpha=0.2", "two values for alpha"),
        ("river:KSWIN:alpha=7", "river.drift.KSWIN: Alpha must be between 0 and 1"),
        ("river:drift.binary.HDDM", "river.drift.binary has no HDDM; did you mean"),
        ("river:tree.HoeffdingTreeClassifier", "no drift detector: expected an object with upd"),
        ("river:nothing.There", "cannot import 'river.nothing.There'"),
    ],
)
def test_what_is_no_detector_of_river_is_refused(text, message):
    with pytest.raises(ConfigError, match=message):
        parse(text)


def test_binary_detectors_take_errors():
    with pytest.raises(DataError, match=r"river:DDM: .*zeros and ones, found 0.5 at "):
        parse("river:DDM").run([0, 0.5])
    assert not len(parse("river:ADWIN").run([0, 0.5]).changes)


class NoRiver:
    """A finder of modules to which River is not installed."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "river":
            raise ModuleNotFoundError("No module named 'river'", name=name)


def test_without_river_it_says_how_to_install_it(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "river"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [NoRiver, *sys.meta_path])
    for text in ("river:KSWIN", "river:drift.KSWIN"):
        with pytest.raises(ConfigError, match=r'River is not installed. .*"streameval\[river\]"'):
            parse(text)


#: Where River and MOA compute the same. River's detectors of both directions reset with a signal.
SAME = {
    "hddm_a:two_sided=false": "river:HDDMA",
    "page_hinkley:min_instances=31:threshold=5:statistic=rise": (
        "river:PageHinkley:mode=up:threshold=5.0"
    ),
}


@pytest.mark.parametrize(("ours", "rivers"), SAME.items())
@pytest.mark.parametrize("seed", range(5))
def test_rivers_detectors_of_the_same_rule_signal_at_the_same_places(ours, rivers, seed):
    values = np.array([*naive.inputs(seed, (0.1, 0.3, 0.05, 0.6, 0.2), 4000)])
    found, expected = parse(ours).run(values), parse(rivers).run(values)
    assert found.changes.tolist() == expected.changes.tolist() != []
    assert found.warnings.tolist() == expected.warnings.tolist()
