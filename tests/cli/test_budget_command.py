"""The subcommand ``budget``, and ``evaluate`` with a label budget."""

from __future__ import annotations

import pytest
from helpers.commands import json_of_first, printed, refused

STREAM = ("sea", "--rows", "1500")
SMALL = (*STREAM, "--learner", "naive_bayes", "--budget", "0.02", "--budget", "0.2", "--runs", "2")


def test_a_picture(capsys, tmp_path):
    picture = tmp_path / "budget.svg"
    printed(capsys, "budget", *SMALL, "--strategy", "every", "--figure", picture)
    assert picture.read_text().lstrip().startswith("<?xml")


def test_nothing_is_drawn_where_no_label_arrives(capsys, tmp_path):
    """Ten labels arrive within 100 instances, and a budget of 0.1 % asks for none of them."""
    picture = tmp_path / "budget.svg"
    words = ("sea", "--rows", "100", "--learner", "naive_bayes", "--strategy", "random")
    words = ("budget", *words, "--runs", "1", "--delay", "90", "--budget", "0.001")
    printed(capsys, *words)
    assert "none within the 100 instances" in refused(capsys, *words, "--figure", picture)
    assert not picture.exists()


def test_a_delay_as_long_as_the_stream_leaves_nothing_to_score(capsys):
    words = ("sea", "--rows", "100", "--learner", "naive_bayes", "--runs", "1")
    printed(capsys, "budget", *words, "--delay", "98")  # the last one is scored
    said = refused(capsys, "budget", *words, "--delay", "99")
    assert "there is nothing to score. Give a shorter delay" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--budget", "2"), "at budget: expected a number above 0 and at most 1"),
        (("--strategy", "evry"), "Did you mean 'every'"),
        (("--runs", "0"), "runs"),
    ],
)
def test_wrong_input_is_one_message(capsys, words, message):
    assert message in refused(capsys, "budget", *STREAM, "--learner", "naive_bayes", *words)


def test_evaluate_says_how_many_labels_were_learnt(capsys):
    words = ("evaluate", *STREAM, "--learner", "naive_bayes", "--protocol", "partial:0.1:every")
    assert json_of_first(capsys, *words)["labels"] == 150
