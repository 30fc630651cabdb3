"""Batch models as learners: in Python, on the command line, and as rows of the registry."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import streameval as se
from streameval.cli import main
from streameval.learners.registry import LearnerSpec, checked_row

pytest.importorskip("sklearn")
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

PATH = "sklearn.tree.DecisionTreeClassifier"


@pytest.fixture(scope="module")
def stream():
    return se.generate("sea", rows=1500)


def test_an_object_its_class_its_path_and_its_text_are_the_same_learner(stream):
    given = {
        "object": se.retrained(DecisionTreeClassifier(), every=300, window=400),
        "class": se.retrained(DecisionTreeClassifier, every=300, window=400),
        "path": se.retrained(PATH, every=300, window=400),
        "text": f"retrained:{PATH}:300:400",
        "named": f"retrained:{PATH}:window=400:every=300",
    }
    found = se.evaluate(stream, given)
    first, *others = (found.predictions[name].tolist() for name in given)
    assert all(one == first for one in others)
    assert found.costs["fits"].iloc[:5].tolist() == [5] * 5
    assert found.to_dict("accuracy")["path"]["fits"] == 5
    assert "fits" not in found.to_dict("accuracy")["no_change"]


def test_names_have_what_is_not_usual():
    def name(*given, **options):
        return se.retrained(*given, **options).name

    assert name(PATH) == name(DecisionTreeClassifier()) == "retrained(DecisionTreeClassifier)"
    assert name(PATH, every=9) == "retrained(DecisionTreeClassifier, every=9)"
    steps = make_pipeline(StandardScaler(), LinearRegression())
    assert name(steps, window=70) == "retrained(StandardScaler | LinearRegression, window=70)"
    text = f"retrained:{PATH}:9:max_depth=2"
    (found, *_) = se.evaluate(se.generate("sea", rows=200), text).learners
    assert found == "retrained(DecisionTreeClassifier, every=9, max_depth=2)"


def test_numbers_and_delayed_labels(stream):
    planes = se.generate("planes", rows=1200)
    found = se.evaluate(planes, se.retrained(LinearRegression(), every=400))
    assert found.costs["fits"].iloc[0] == 3
    assert found.learners[0] == "retrained(LinearRegression, every=400)"
    late = se.evaluate(stream, se.retrained(PATH, every=200), delay=100)
    assert late.costs["fits"].iloc[0] == 8
    assert len(late.bins(4)) >= 4


def test_a_comparison_and_wrappers_take_it(stream):
    found = se.compare(stream, [se.retrained(PATH, every=200), "majority"])
    assert found.draws == ["retrained(DecisionTreeClassifier, every=200)"]
    assert found.runs == 5
    both = se.evaluate(stream, [se.augmented(se.retrained(PATH)), se.corrected(se.retrained(PATH))])
    assert np.isfinite(both.measures("accuracy").to_numpy()).all()


def test_models_without_partial_fit_name_the_way_out(stream):
    with pytest.raises(se.StreamevalError, match=r"no partial_fit.*retrained\("):
        se.evaluate(stream, DecisionTreeClassifier())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("retrained", r"expected retrained:CLASS\[:EVERY"),
        (f"retrained:{PATH}:1:2:3", r"expected retrained:CLASS"),
        (f"retrained:{PATH}:many", r"expected retrained:CLASS"),
        (f"retrained:{PATH}:0", r"every: expected a whole number above 0, found 0"),
        (f"retrained:{PATH}:depth=3", "unknown parameter depth"),
        (f"retrained:{PATH}:every=x", "every: expected a whole number above 0, found 'x'"),
        (f"retrained:{PATH}:every=5:6", "expected NAME=VALUE"),
        (f"retrained:{PATH}:every=5:every=6", "each name once"),
        ("hoeffding_tree:grace=5", "unknown parameter grace"),
        ("hoeffding_tree:grace_period=x", "grace_period"),
        ("hoeffding_tre:grace_period=5", "no learner 'hoeffding_tre'"),
    ],
)
def test_texts_that_are_wrong_are_refused(stream, text, message):
    with pytest.raises(se.StreamevalError, match=message):
        se.evaluate(stream, text)


def test_any_learner_takes_parameters_in_its_text(stream):
    texts = ["hoeffding_tree:grace_period=50:leaf_prediction=majority"]
    same = se.learner("hoeffding_tree", grace_period=50, leaf_prediction="majority")
    found = se.evaluate(stream, [texts[0], same])
    one, other = found.learners[:2]
    assert one == "hoeffding_tree(grace_period=50, leaf_prediction=majority)"
    assert (found.predictions[one] == found.predictions[other]).all()


def test_the_command_prints_the_number_of_fits(capsys):
    words = ["evaluate", "sea", "--rows", "1500", "--learner", f"retrained:{PATH}:500:600"]
    assert main(words) == 0
    assert re.search(r"^fits +3$", capsys.readouterr().out, re.MULTILINE)
    assert main([*words, "--json", "--learner", "no_change"]) == 0
    learners = json.loads(capsys.readouterr().out)["learners"]
    assert [one.get("fits") for one in learners.values()] == [3, None, None]


def test_rows_of_the_registry_are_checked_before_a_run():
    row = {"learner": "retrained", "title": "Batch tree", "parameters": {"model": PATH}}
    checked = checked_row(row, "learners.yaml", ("tree",))
    assert LearnerSpec(id="tree", **checked).make().every == 1000
    wrong = {**row, "parameters": {"model": PATH, "every": 0}}
    with pytest.raises(se.StreamevalError, match="every"):
        checked_row(wrong, "learners.yaml", ("tree",))
