"""The subcommands ``budget`` and ``detect``."""

from __future__ import annotations

from helpers.commands import printed, refused

BUDGET = ("budget", "sea", "--rows", "100", "--learner", "naive_bayes", "--runs", "1")


def test_nothing_is_drawn_where_no_label_arrives(capsys, tmp_path):
    """Ten labels arrive within 100 instances, and a budget of 0.1 % asks for none of them."""
    picture = tmp_path / "budget.svg"
    words = (*BUDGET, "--strategy", "random", "--delay", "90", "--budget", "0.001")
    printed(capsys, *words)
    assert "none within the 100 instances" in refused(capsys, *words, "--figure", picture)
    assert not picture.exists()


def test_a_delay_as_long_as_the_stream_leaves_nothing_to_score(capsys):
    printed(capsys, *BUDGET, "--delay", "98")  # the last one is scored
    said = refused(capsys, *BUDGET, "--delay", "99")
    assert "there is nothing to score. Give a shorter delay" in said


def test_detect_has_one_learner(capsys):
    words = ("detect", "sea", "--rows", "9", "--detector", "ddm", "--learner=knn", "--learner=knn")
    assert "expected one learner, found 2" in refused(capsys, *words)
