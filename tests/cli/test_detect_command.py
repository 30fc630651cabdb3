"""``streameval detect``."""

from __future__ import annotations

import pytest
from helpers.commands import printed, refused

WORDS = ("detect", "markov_ozone", "--learner", "naive_bayes", "--runs", 2)


def test_it_draws(capsys, tmp_path):
    figure = tmp_path / "alarms.svg"
    more = ("--detector", "ddm", "--detector", "every:500", "--figure", figure)
    printed(capsys, *WORDS, *more)
    assert figure.read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--detector", "adwim"), "There is no detector 'adwim'"),
        (("--detector", "ddm", "--learner", "knn"), "expected one learner, found 2"),
    ],
)
def test_mistakes_are_said_in_a_line(capsys, more, said):
    assert said in refused(capsys, *WORDS, *more)
