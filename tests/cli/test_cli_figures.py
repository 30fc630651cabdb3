"""Figures of `streameval evaluate`."""

from __future__ import annotations

import pytest
from helpers.commands import printed, refused

import streameval as se
from streameval.drawing import results
from streameval.learners.baselines import Majority

BASELINES = ("no_change", "majority")


@pytest.mark.parametrize(("rows", "window"), [(300, 30), (5, 1)])
def test_a_figure_shows_all_over_time(capsys, tmp_path, monkeypatch, rows, window):
    arguments, draw = [], results.draw_curves

    def noted(curves, measures, learners, *more):
        arguments.append((curves, measures, learners))
        return draw(curves, measures, learners, *more)

    monkeypatch.setattr(results, "draw_curves", noted)
    words = ("markov_ozone", "--learner", "naive_bayes", "--rows", rows, "--figure")
    printed(capsys, "evaluate", *words, tmp_path / "over_time.svg")
    assert (tmp_path / "over_time.svg").read_text(encoding="utf-8").count("Naive Bayes") > 0
    ((curves, measures, learners),) = arguments
    assert measures == ["accuracy", "kappa_temporal"]
    assert learners == ["naive_bayes", *BASELINES]
    result = se.evaluate(se.load("markov_ozone").first(rows), "naive_bayes")
    expected = result.curve("accuracy", window)["majority"]
    is_shown = (curves["measure"] == "accuracy") & (curves["learner"] == "majority")
    assert curves.loc[is_shown, "value"].tolist() == expected.tolist()


def test_a_figure_over_folds_is_refused_before_anything_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(Majority, "run", lambda *_, **__: pytest.fail("ran"))
    words = ("sea", "--rows", 99, "--learner", "majority", "--figure", tmp_path / "a.svg")
    said = refused(capsys, "evaluate", *words, "--protocol", "cross_validation:3")
    assert "--figure: expected a protocol with one model" in said
    assert "found cross_validation" in said
    assert not [*tmp_path.glob("*.svg")]
