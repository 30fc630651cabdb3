"""`streameval evaluate --scores`, where there are none."""

from __future__ import annotations

from helpers.commands import refused


def test_regressors_are_refused(capsys):
    words = ("bike", "--learner", "fimt_dd", "--scores")
    assert "--scores: expected classifiers, found regressors" in refused(capsys, "evaluate", *words)
