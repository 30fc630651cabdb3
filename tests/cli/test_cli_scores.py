"""`streameval evaluate --scores`, where there are none."""

from __future__ import annotations

import pytest
from helpers.commands import refused


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("sea", "--rows", 100, "--learner", "naive_bayes", "--chunk-rows", 50),
            "--scores: expected a stream in one go",
        ),
        (("bike", "--learner", "fimt_dd"), "--scores: expected learners that predict classes"),
    ],
)
def test_pieces_and_regressors_are_refused(capsys, words, said):
    assert said in refused(capsys, "evaluate", *words, "--scores")
