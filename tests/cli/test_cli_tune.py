"""Tuning on the command line: options, sentences, JSON and the page."""

from __future__ import annotations

import html
import json

import pytest
from helpers.commands import json_of, json_of_first, printed, refused
from helpers.own_pages import unrendered

import streameval as se

TREE = "hoeffding_tree:grace_period=50,1500"
SEA = ["sea", "--rows", "3000", "--learner", "hoeffding_tree"]
CALLED = "hoeffding_tree (grace_period=50, the best of 2 settings on the first 600 instances)"


def test_evaluate_scores_instances_after_those_for_tuning(capsys):
    numbers = json_of_first(capsys, "evaluate", *SEA, "--tune", TREE)
    stream = se.generate("sea", rows=3000)
    tuning = se.tune(stream, "hoeffding_tree", {"grace_period": [50, 1500]})
    assert numbers["tuned"] == {"hoeffding_tree(grace_period=50)": tuning.to_dict()}
    assert (numbers["n"], numbers["pretrain"]) == (3000, 600)
    expected = se.evaluate(stream, tuning).measures("accuracy")["accuracy"].iloc[0]
    assert numbers["accuracy"] == expected


def test_compare_tunes_several_learners_on_a_prefix_of_a_given_length(capsys):
    words = [
        "compare",
        *SEA,
        "--learner",
        "knn",
        "--tune",
        TREE,
        "--tune",
        "knn:k=1,9:window=50,90",
    ]
    assert json_of(capsys, *words, "--tune-on", "0.5")["pretrain"] == 1500
    numbers = json_of(capsys, *words, "--tune-on", "900")
    assert (numbers["pretrain"], len(numbers["tuned"])) == (900, 2)
    assert [len(tuning["trials"]) for tuning in numbers["tuned"].values()] == [2, 4]
    assert numbers["confidence_sequence"]["instances"] == 2100


def test_wrapped_learners_are_tuned(capsys):
    words = ["evaluate", *SEA, "--wrapper", "temporally_augmented:1", "--tune", TREE]
    (name,) = json_of(capsys, *words)["tuned"]
    assert name.startswith("hoeffding_tree:temporally_augmented:1(grace_period=")


def test_parameters_of_a_model_that_is_retrained_are_tuned(capsys):
    pytest.importorskip("sklearn")
    learner = "retrained:sklearn.tree.DecisionTreeClassifier:300"
    words = ["evaluate", "sea", "--rows", "2000", "--learner", learner]
    text = printed(capsys, *words, "--tune", f"{learner}:max_depth=1,4:window=100,400", "--json")
    (tuned,) = json.loads(text)["tuned"].values()
    assert tuned["learner"] == "retrained(DecisionTreeClassifier, every=300)"
    assert [trial["max_depth"] for trial in tuned["trials"]] == [1, 1, 4, 4]


@unrendered()
def test_the_page_has_all_settings_and_the_command(capsys, tmp_path):
    page = tmp_path / "page.html"
    words = ["report", *SEA, "--tune", TREE, "-o", str(page)]
    assert CALLED in printed(capsys, *words)
    text = page.read_text()
    assert TREE in text
    assert "Settings of hoeffding_tree that ran over the first 600 instances" in text
    assert "3,000 instances, scored on the last 2,400" in text
    methods = text[text.index("Methods, to copy") :]
    assert (
        "The parameters of hoeffding_tree (grace_period=50) were the best of 2 settings on the "
        "first 600 instances, by accuracy. All learners and baselines learnt the first 600 "
        "instances and were scored on the other 2,400."
    ) in methods


@unrendered()
def test_a_page_from_python_says_how_to_tune_again(tmp_path):
    stream = se.generate("sea", rows=2000)
    tuning = se.tune(stream, "hoeffding_tree", {"grace_period": [50, 300]}, 500)
    se.write_report(se.compare(stream, [tuning, "knn"]), tmp_path / "page.html")
    line = "se.tune(stream, 'hoeffding_tree', {'grace_period': [50, 300]}, 500), 'knn'"
    assert line in html.unescape((tmp_path / "page.html").read_text())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tune", "knn:k=1,2"], "expected one of the learners, hoeffding_tree"),
        (["--tune", "hoeffding_tree"], "expected one of the learners, hoeffding_tree"),
        (["--tune", "hoeffding_tree:grace_period=50"], "two settings or more"),
        (["--tune", "hoeffding_tree:50,200"], "expected NAME=VALUE,VALUE after hoeffding_tree"),
        (["--tune", "hoeffding_tree:k=1,2"], "unknown parameter k"),
        (["--tune", "hoeffding_tree:grace_period=a,b"], "expected a whole number"),
        (["--tune", TREE, "--tune", TREE], "expected one --tune for each learner"),
        (["--tune", TREE, "--tune-on", "1.5"], "a proportion between 0 and 1"),
        (["--tune", TREE, "--tune-on", "50"], "at least 100 instances to tune on"),
        (["--tune-on", "0.5"], "--tune-on: expected --tune, found none"),
        (["--tune", TREE, "--protocol", "cross_validation:3"], "a protocol with one model"),
    ],
)
def test_errors_of_tuning_options(capsys, words, message):
    assert message in refused(capsys, "evaluate", *SEA, *words)
