"""Rows of ``config/learners.yaml`` become learners, or clear messages."""

from __future__ import annotations

import pytest

from streameval.errors import ConfigError
from streameval.learners.baselines import MovingMajority
from streameval.learners.hoeffding_tree import HoeffdingTree
from streameval.learners.learner import Learner
from streameval.learners.registry import LEARNERS, LearnerSpec, load_learners
from streameval.settings import ROOT


class Mine(HoeffdingTree):
    """A learner outside the package."""


def write(tmp_path, text):
    path = tmp_path / "learners.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_row_that_is_shipped_makes_its_learner():
    specs = load_learners(ROOT / "config" / "learners.yaml")
    for key, spec in specs.items():
        assert spec.id == key
        learner = spec.make()
        assert isinstance(learner, Learner)
        assert learner.reference
        assert spec.title
        assert spec.citation
    assert set(LEARNERS) <= {spec.learner for spec in specs.values()}


def test_names_are_the_learners_own():
    assert all(cls.name == name for name, cls in LEARNERS.items())


def test_parameters_reach_the_learner(tmp_path):
    path = write(
        tmp_path,
        "short:\n  learner: moving_majority\n  title: Short\n  parameters: {window: 3}\n"
        "tree:\n  learner: hoeffding_tree\n  title: Tree\n",
    )
    specs = load_learners(path)
    assert list(specs) == ["short", "tree"]
    assert specs["short"].make() == MovingMajority(window=3)
    assert specs["tree"].make() == HoeffdingTree()


def test_a_dotted_path_names_a_class_outside():
    spec = LearnerSpec("mine", "test_learner_registry:Mine", "Mine", {"grace_period": 9})
    learner = spec.make()
    assert type(learner).__name__ == "Mine"
    assert learner.grace_period == 9


@pytest.mark.parametrize(
    ("learner", "parameters", "message"),
    [
        ("hoefding_tree", {}, "'x': no learner is called 'hoefding_tree'. Known are no_change, "),
        ("nowhere.to_be:Found", {}, "'x': cannot import 'nowhere.to_be:Found'"),
        ("streameval.learners.registry:Absent", {}, "cannot import .*Absent"),
        ("pathlib:Path", {}, "'pathlib:Path' is not a subclass of streameval.learners.learner"),
        ("streameval.learners.scores:write_scores", {}, "is not a subclass of"),
        ("moving_majority", {"windw": 3}, "unknown parameter windw. MovingMajority takes: window"),
        ("no_change", {"a": 1, "b": 2}, "unknown parameter a, b. NoChange takes: none"),
    ],
)
def test_wrong_rows_are_named(learner, parameters, message):
    with pytest.raises(ConfigError, match=message):
        LearnerSpec("x", learner, "X", parameters).make()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x:\n  learner: majority\n", "at x: 'title' is a required property"),
        ("x:\n  learner: majority\n  title: X\n  colour: 1\n", "at x: unknown key colour; known"),
        ("x:\n  learner: 3\n  title: X\n", "at x.learner: 3 is not of type 'string'"),
        ("X:\n  learner: majority\n  title: X\n", "'X' does not match"),
        ("{}", "at the top level"),
        ("x: {learner: majority, title: X}\nx: {}\n", "line 1: the key 'x' occurs twice"),
        ("x: [", "YAML"),
    ],
)
def test_wrong_files_are_named(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(ConfigError, match=message) as caught:
        load_learners(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.yaml: .*found none"):
        load_learners(tmp_path / "none.yaml")
