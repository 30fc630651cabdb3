"""`streameval evaluate --scores`."""

from __future__ import annotations

import json

import numpy as np
import pytest
from helpers.commands import run

import streameval as se
from streameval.evaluation.scored import ALL_SCORE_MEASURES

OVER = ("S(proportions)", "S(transitions)")
BY_BIN = [
    *("auc_one_vs_rest", "log_loss", "log_loss_skill_over_label_proportions"),
    *("log_loss_skill_over_label_transitions", "brier"),
]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Labels that the input tells in nine of ten instances, a class at the end that is rare."""
    random = np.random.default_rng(5)
    labels = random.integers(0, 2, 400)
    labels[390:] = 2
    inputs = np.where(random.random(400) < 0.9, labels, 1) + 0.01 * random.random(400)
    path = tmp_path_factory.mktemp("scores") / "mine.csv"
    rows = "".join(f"{x},{'abc'[y]}\n" for x, y in zip(inputs, labels, strict=True))
    path.write_text(f"x,label\n{rows}", encoding="utf-8")
    return path


def said(capsys, *words):
    code, out, err = run(capsys, "evaluate", *words)
    assert (code, err) == (0, "")
    return out


def rows(out):
    """Return the rows of the table of scores, by title."""
    block = out[out.index("class scores") :].partition("\n\n")[0].splitlines()
    width = block[0].index("naive_bayes")
    return {
        line[:width].strip(): line[width:].split() for line in block if "undefined:" not in line
    }


def words_for(table, *more):
    return (table, "--target", "label", "--learner", "naive_bayes", *more)


def test_the_table_comes_after_the_usual_one(capsys, table):
    usual = said(capsys, *words_for(table))
    out = said(capsys, *words_for(table, "--scores"))
    lines = [line for line in usual.splitlines() if "per second" not in line]
    assert all(line in out for line in lines)
    found = rows(out)
    result = se.evaluate(se.read(table, "label"), "naive_bayes", scores=True)
    assert found["class scores"] == result.scores().index.tolist()
    for name in ("auc_one_vs_one", "auc_one_vs_rest", "log_loss", "brier"):
        shown = [f"{value:.4f}" for value in result.scores(name)[name]]
        assert found[ALL_SCORE_MEASURES[name].title] == shown
    # Three classes: neither the area of two, nor the three highest of three.
    assert not {"Area under the ROC curve", "Top-3 accuracy"} & {*found}
    assert "undefined" not in out


def test_json_has_all_measures(capsys, table):
    found = json.loads(said(capsys, *words_for(table, "--scores", "--json")))["scores"]
    result = se.evaluate(se.read(table, "label"), "naive_bayes", scores=True)
    for learner, values in result.scores().to_dict("index").items():
        assert {*found[learner]} == {*values}
        for name, value in values.items():
            assert found[learner][name] == (None if np.isnan(value) else value)
    assert "scores" not in json.loads(said(capsys, *words_for(table, "--json")))


def test_delayed_scores_are_on_arrival(capsys, table):
    out = said(capsys, *words_for(table, "--scores", "--delay", "20"))
    found = rows(out.replace("class scores, on arrival", "class scores            "))
    result = se.evaluate(se.read(table, "label"), "naive_bayes", delay=20, scores=True)
    assert found["Brier score"] == [f"{value:.4f}" for value in result.scores("brier")["brier"]]
    as_json = json.loads(said(capsys, *words_for(table, "--scores", "--delay", "20", "--json")))
    assert as_json["scores"]["naive_bayes"]["brier"] == result.scores("brier").iat[0, 0]


def test_delayed_scores_are_also_by_bin(capsys, table):
    words = words_for(table, "--scores", "--delay", "20", "--bins", "3")
    out = said(capsys, *words)
    result = se.evaluate(se.read(table, "label"), "naive_bayes", delay=20, scores=True)
    found = result.score_bins(bins=3).set_index(["bin", "learner"])
    lines = out[out.index("Class scores by bin") :].splitlines()
    assert lines[1].split() == ["bin", "AUC", "log", "loss", *OVER, "Brier"]
    learners = [*result.scores().index]
    rows = iter(lines[2:])
    for learner in learners:
        for b in range(5):
            line = next(rows)
            assert line.startswith(learner if not b else " ")
            expected = found.loc[(b, learner), BY_BIN]
            shown = [f"{x:z.4f}".replace("-", "−") for x in expected]
            assert line.removeprefix(learner).split() == [str(b), *shown]
    by_bin = json.loads(said(capsys, *words, "--json"))["scores_by_bin"]
    assert [*by_bin] == learners
    assert [row["bin"] for row in by_bin["naive_bayes"]] == [0, 1, 2, 3, 4]
    brier = [row["brier"] for row in by_bin["naive_bayes"]]
    assert brier == found["brier"].unstack()["naive_bayes"].tolist()
    by_age = said(capsys, *words, "--by", "age")
    assert "Class scores by bin" not in by_age


def test_what_is_undefined_has_a_reason(capsys, tmp_path):
    path = tmp_path / "short.csv"
    path.write_text("x,label\n1,a\n2,a\n3,b\n", encoding="utf-8")
    out = said(
        capsys, path, "--target", "label", "--learner", "majority", "--rows", "2", "--scores"
    )
    assert "Area under the ROC curve is undefined: there is only one true class." in out


def test_pieces_and_regressors_are_refused(capsys, table):
    code, out, err = run(capsys, "evaluate", *words_for(table, "--scores", "--chunk-rows", "50"))
    assert (code, out) == (2, "")
    assert "--scores: expected a stream in one go" in err
    code, out, err = run(capsys, "evaluate", "bike", "--learner", "fimt_dd", "--scores")
    assert (code, out) == (2, "")
    assert "--scores: expected learners that predict classes" in err
