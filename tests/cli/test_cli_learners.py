"""The command with several learners, with classes of one's own, and with other protocols."""

from __future__ import annotations

import sys

import pytest
from helpers.commands import json_of, json_of_first, printed, refused, run

import streameval as se

MINE = """
class Last:
    def __init__(self, schema, seed):
        self.label, self.classes = None, schema.classes

    def learn(self, x, y, w):
        self.label = y

    def predict(self, x):
        return self.label
"""
STREAM = "markov_ozone"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A working folder with a class of one's own, which Python does not look into."""
    (tmp_path / "my_learner_here.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each])
    monkeypatch.delitem(sys.modules, "my_learner_here", raising=False)
    return tmp_path


def test_a_class_in_the_working_folder_is_found(capsys, here):
    words = ("evaluate", STREAM, "--learner", "my_learner_here:Last")
    learners = json_of(capsys, *words, "--learner", "no_change")["learners"]
    own, baseline = (learners[name]["accuracy"] for name in ("my_learner_here:Last", "no_change"))
    assert own == pytest.approx(baseline, abs=0.001)
    printed(capsys, *words, "--wrapper", "temporally_augmented")


def test_the_working_folder_is_looked_at_last(capsys, here):
    (here / "colorsys.py").write_text(MINE, encoding="utf-8")
    sys.modules.pop("colorsys", None)
    err = refused(capsys, "evaluate", STREAM, "--learner", "colorsys:Last")
    assert "colorsys has no Last" in err
    assert sys.path[-1] == str(here)
    run(capsys, "evaluate", STREAM, "--learner", "my_learner_here:Last")
    assert sys.path.count(str(here)) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class Last:\n    def learn(self):\n", "cannot import 'broken_here:Last'"),
        (MINE.replace("return self.label", "return 1 / 0"), "failed at row 0: ZeroDivisionError"),
    ],
)
def test_mistakes_in_a_class_of_ones_own_get_one_message(capsys, here, text, said):
    (here / "broken_here.py").write_text(text, encoding="utf-8")
    sys.modules.pop("broken_here", None)
    assert said in refused(capsys, "evaluate", STREAM, "--learner", "broken_here:Last")


@pytest.mark.parametrize(
    ("written", "learner"),
    [
        ("my_learner_here.Last", "my_learner_here:Last"),
        ("river.tree.HoeffdingTreeClassifier:grace_period=50", "river_object"),
        ("sklearn.linear_model:Perceptron", "sklearn_object"),
        (
            "retrained:sklearn.tree:DecisionTreeClassifier:200:max_depth=2",
            "retrained:sklearn.tree.DecisionTreeClassifier:200:max_depth=2",
        ),
    ],
)
def test_classes_with_a_dot_or_a_colon_are_the_same_learner(capsys, here, written, learner):
    tree = pytest.importorskip("river.tree")
    linear_model = pytest.importorskip("sklearn.linear_model")
    stream = se.load(STREAM).first(500)
    objects = {
        "river_object": tree.HoeffdingTreeClassifier(grace_period=50),
        "sklearn_object": linear_model.Perceptron(),
    }
    numbers = json_of_first(capsys, "evaluate", STREAM, "--rows", 500, "--learner", written)
    result = se.evaluate(stream, {"x": objects.get(learner, learner)})
    assert numbers["accuracy"] == result.to_dict("accuracy")["x"]["accuracy"]


def test_names_stand_for_learners_in_sentences(capsys):
    both = ("--learner", "hoeffding_tree", "--learner", "hoeffding_tree:grace_period=50")
    words = ("evaluate", STREAM, "--rows", "600", *both, "--name", "today", "--name", "tomorrow")
    tuned = ("--tune", "hoeffding_tree:grace_period=50,100", "--wrapper", "temporally_augmented")
    out = printed(capsys, *words, *tuned)
    assert "today (hoeffding_tree with grace_period=" in out
    assert "augmented" not in out.replace("temporally_augmented", "")
    err = refused(capsys, *words[:-2])
    assert "--name: expected one name for each --learner, in the same order, found 1 for 2" in err
    err = refused(capsys, *words[:-1], "majority")
    assert "found 'majority', the name of a baseline" in err
