"""The command with several learners, with classes of one's own, and with other protocols."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from helpers.commands import first, json_of, json_of_first, printed, refused, run

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
    words = ("--learner", "my_learner_here:Last", "--learner", "no_change", "--json")
    out = printed(capsys, "evaluate", STREAM, *words)
    learners = json.loads(out)["learners"]
    assert (
        abs(learners["my_learner_here:Last"]["accuracy"] - learners["no_change"]["accuracy"])
        < 0.001
    )
    words = ("--learner", "my_learner_here:Last", "--wrapper", "temporally_augmented")
    printed(capsys, "evaluate", STREAM, *words)


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
        ("class Last:\n    pass\n", "needs the methods learn(x, y, w) and predict(x)"),
        ("class Last:\n    def learn(self):\n", "cannot import 'broken_here:Last'"),
        ("1 / 0\n", "cannot import 'broken_here:Last': ZeroDivisionError: division by zero"),
        (MINE.replace("return self.label", "return 1 / 0"), "failed at row 0: ZeroDivisionError"),
        (MINE.replace("return self.label", "return 'x'"), "'x' for row 0: expected a class code"),
        (MINE.replace("self, schema, seed", "self, size"), "needs a value for size"),
    ],
)
def test_mistakes_in_a_class_of_ones_own_get_one_message(capsys, here, text, said):
    (here / "broken_here.py").write_text(text, encoding="utf-8")
    sys.modules.pop("broken_here", None)
    assert said in refused(capsys, "evaluate", STREAM, "--learner", "broken_here:Last")


def test_the_installed_command_finds_it(here):
    # As the script of an installed package does, which does not look into the working folder.
    code = "import sys; sys.path[:] = [p for p in sys.path if p]; "
    code += "from streameval.__main__ import main; sys.exit(main())"
    words = [sys.executable, "-c", code, "evaluate", STREAM, "--learner", "my_learner_here:Last"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("written", "learner"),
    [
        ("my_learner_here.Last", "my_learner_here:Last"),
        ("river.tree.HoeffdingTreeClassifier:grace_period=50", "river_object"),
        ("river.tree:HoeffdingTreeClassifier:grace_period=50", "river_object"),
        ("sklearn.linear_model.Perceptron", "sklearn_object"),
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
    command = ("evaluate", STREAM, "--rows", "500", "--learner", written, "--json")
    out = printed(capsys, *command)
    result = se.evaluate(stream, {"x": objects.get(learner, learner)})
    assert first(out)["accuracy"] == result.to_dict("accuracy")["x"]["accuracy"]


def test_names_stand_for_learners_in_all_that_is_said(capsys, here):
    both = ("--learner", "hoeffding_tree", "--learner", "hoeffding_tree:grace_period=50")
    words = ("evaluate", STREAM, "--rows", "600", *both, "--name", "today", "--name", "tomorrow")
    out = printed(capsys, *words)
    assert out.split()[0] in ("today", "tomorrow")
    assert re.search(r"^ +today +tomorrow +no_change +majority$", out, re.MULTILINE)
    assert "hoeffding_tree" not in out
    plain = json_of(capsys, *words[:-4])["learners"]
    learners = json_of(capsys, *words)["learners"]
    assert [*learners] == ["today", "tomorrow", "no_change", "majority"]
    accuracy = [[row["accuracy"] for row in part.values()] for part in (learners, plain)]
    assert accuracy[0] == accuracy[1]
    tuned = ("--tune", "hoeffding_tree:grace_period=50,100", "--wrapper", "temporally_augmented")
    out = printed(capsys, *words, *tuned)
    assert "today (hoeffding_tree with grace_period=" in out
    assert "augmented" not in out.replace("temporally_augmented", "")
    verdict = printed(capsys, "compare", *words[1:])
    assert verdict.startswith(("today ", "tomorrow "))
    err = refused(capsys, *words[:-2])
    assert "--name: expected one name for each --learner, in the same order, found 1 for 2" in err
    code, out, err = run(capsys, *words[:-1], "majority")
    assert (code, "found 'majority', the name of a baseline" in err) == (2, True)


def test_a_path_without_a_class_says_so(capsys, here):
    err = refused(capsys, "evaluate", STREAM, "--learner", "sklearn.tree.DecisonTree")
    assert "sklearn.tree has no DecisonTree; did you mean" in err


def test_instances_without_a_prediction_are_counted(capsys, here):
    shy = "\n    calls = 0\n\n    def predict(self, x):\n        self.calls += 1\n"
    shy += "        return None if 100 < self.calls <= 150 else 0\n"
    (here / "my_learner_here.py").write_text(f"{MINE}\n\nclass Shy(Last):{shy}", encoding="utf-8")
    words = ("evaluate", STREAM, "--learner", "my_learner_here:Shy")
    assert json_of_first(capsys, *words)["not_predicted"] == 50
    later = ("--protocol", "reevaluation:1", "--delay", 1, "--bins", 1)
    bins = json_of_first(capsys, *words, *later)["bins"]
    # Each is predicted on arrival, and once more just before its label: 25 instances, two times.
    assert [row["missing"] for row in bins] == [25, 25, 25]
    by_age = json_of_first(capsys, *words, *later, "--by", "age")["bins"]
    assert by_age[0]["missing"] == 25
