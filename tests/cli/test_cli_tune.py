"""Tuning on the command line: options, sentences, JSON and the page."""

from __future__ import annotations

import html

import pytest
from helpers.commands import json_of, printed, refused
from helpers.own_pages import unrendered

import streameval as se

TREE = "hoeffding_tree:grace_period=50,1500"
SEA = ["sea", "--rows", "3000", "--learner", "hoeffding_tree"]
CALLED = "hoeffding_tree (grace_period=50, the best of 2 settings on the first 600 instances)"


def test_several_learners_are_tuned_on_a_prefix_of_a_given_length(capsys):
    words = ["evaluate", *SEA, "--learner=knn", "--tune", TREE, "--tune=knn:k=1,9:window=50,90"]
    assert json_of(capsys, *words, "--tune-on", "0.5")["pretrain"] == 1500
    numbers = json_of(capsys, *words, "--tune-on", "900")
    assert (numbers["pretrain"], len(numbers["tuned"])) == (900, 2)
    assert [len(tuning["trials"]) for tuning in numbers["tuned"].values()] == [2, 4]


def test_of_two_names_that_fit_the_longer_one_is_tuned(capsys):
    words = ("evaluate", "sea", "--rows", 600, "--learner", "knn", "--learner", "knn:k=3")
    (tuned,) = json_of(capsys, *words, "--tune", "knn:k=3:window=50,90")["tuned"].values()
    assert ["k" in trial for trial in tuned["trials"]] == [False, False]


@unrendered()
def test_the_page_has_all_settings_and_the_command(capsys, tmp_path):
    page = tmp_path / "page.html"
    words = ["report", *SEA, "--tune", TREE, "-o", str(page)]
    assert CALLED in printed(capsys, *words)
    text = page.read_text()
    assert TREE in text
    assert "Settings of hoeffding_tree that ran over the first 600 instances" in text
    assert (
        "The parameters of hoeffding_tree (grace_period=50) were the best of 2 settings on the "
        "first 600 instances, by accuracy. All learners and baselines learnt the first 600 "
        "instances and were scored on the other 2,400."
    ) in text


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
        (["--tune", "hoeffding_tree:50,200"], "expected NAME=VALUE,VALUE after hoeffding_tree"),
        (["--tune", TREE, "--tune", TREE], "expected one --tune for each learner"),
        (["--tune", TREE, "--tune-on", "1.5"], "a proportion between 0 and 1"),
        (["--tune-on", "0.5"], "--tune-on: expected --tune, found none"),
    ],
)
def test_errors_of_tuning_options(capsys, words, message):
    assert message in refused(capsys, "evaluate", *SEA, *words)
