"""``streameval detect``."""

from __future__ import annotations

import pytest
from helpers.commands import printed, refused

WORDS = ("detect", "markov_ozone", "--learner", "naive_bayes", "--runs", 2)


def test_it_prints_a_table_and_sentences_and_draws(capsys, tmp_path):
    figure = tmp_path / "alarms.svg"
    more = ("--detector", "ddm", "--detector", "every:500", "--figure", figure)
    out = printed(capsys, *WORDS, *more)
    assert "every:n=500 signals 5 times." in out
    assert "no_change" in out
    assert figure.read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--detector", "adwim"), "There is no detector 'adwim'"),
        (("--detector", "ddm", "--learner", "knn"), "expected one, found 2"),
    ],
)
def test_mistakes_are_said_in_a_line(capsys, more, said):
    assert said in refused(capsys, *WORDS, *more)
