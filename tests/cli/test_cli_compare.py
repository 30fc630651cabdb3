"""The subcommand ``compare``."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path

import pytest
from helpers.commands import json_of, printed, refused, run

import streameval as se

BOTH = ("--learner", "naive_bayes", "--learner", "majority")
#: A comma, a quote and line breaks in values and names, as spreadsheets write them.
COLOURS = ('"light, red"', '"so-called\r\n""blue"""')
LABELS = ("no", '"yes\nindeed"')
CSV = '"the\nsize",colour,label\r\n' + "".join(
    f"{i % 7},{COLOURS[i % 3 == 0]},{LABELS[i % 7 > 3]}\r\n" for i in range(400)
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes(CSV.encode())
    return path


def test_names_with_line_breaks_break_no_line(capsys, table):
    out = printed(capsys, "compare", table, "--target", "label", *BOTH)
    target, _, sentences = out.partition("\n\n")
    assert target.startswith("The target of mine is 'label', with 2 classes: no, ")
    assert sentences.startswith("naive_bayes beats majority by ")
    assert max(map(len, out.splitlines())) <= 100
    assert all(line == line.rstrip() for line in out.splitlines())


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_the_figure_is_drawn(capsys, table, tmp_path, ending):
    path = tmp_path / f"difference.{ending}"
    words = ("compare", table, "--target", "label", *BOTH, "--figure", path)
    printed(capsys, *words)
    assert path.stat().st_size > 5000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (BOTH[:2], "Expected two or more learners to compare, found 1."),
        ((*BOTH, "--protocol", "bootstrap_validation:1"), "expected a whole number from 2"),
        ((*BOTH, "--protocol", "prequential:folds=3"), "unknown key 'folds'; known are pretrain"),
        ((*BOTH, "--protocol", "bootstrap"), "There is no protocol 'bootstrap'; there are preq"),
        (
            (*BOTH, "--protocol", "bootstrap_validation:tested=test"),
            "at tested: expected one of all, held_out, learnt",
        ),
        ((*BOTH, "--protocol", "delayed:3"), "--delay for delayed labels"),
        ((*BOTH, "--rope", "nan"), "rope: expected a difference in accuracy from 0 to 1"),
        ((*BOTH, "--runs", "0"), "runs: expected a whole number above 0 and at most"),
        ((*BOTH, "--cores", "0"), "cores: expected a whole number above 0, found 0"),
        ((*BOTH, "--figure", "a.jpeg"), "--figure: expected a file that ends in .svg, .pdf, .png"),
        ((*BOTH, "--figure", "no/such/a.svg"), "--figure: there is no folder 'no/such'"),
        ((*BOTH, "--protocol", "split_validation:400"), "found none in fold"),
        ((*BOTH[:2], "--learner", "naive_baye"), "Did you mean 'naive_bayes'"),
    ],
)
def test_mistakes_are_one_line(capsys, table, words, said):
    assert said in refused(capsys, "compare", table, "--target", "label", *words)


@pytest.mark.parametrize("words", [("compare", "--figure", "a.svg"), ("report", "-o", "a.html")])
def test_a_folder_that_cannot_be_written_to_is_named_before_anything_is_read(
    capsys, monkeypatch, words
):
    def refuse(**_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    command, *output = words
    err = refused(capsys, command, "missing.csv", "--target", "label", *BOTH, *output)
    assert err == f"streameval: {Path.cwd()}: Read-only file system.\n"


def test_a_numeric_target_is_for_regressors(capsys, tmp_path):
    path = tmp_path / "price.arff"
    head = "@relation prices\n@attribute a numeric\n@attribute price numeric\n@data\n"
    path.write_text(head + "".join(f"{i % 7},{i * i % 11}.5\n" for i in range(300)), "utf-8")
    assert "Learner 'naive_bayes' predicts classes" in refused(capsys, "compare", path, *BOTH)
    mixed = ("--learner", "fimt_dd", "--learner", "amrules", "--learner", "knn")
    assert "expected only classifiers or only regressors" in refused(
        capsys, "compare", path, *mixed
    )


def test_the_same_learner_twice_and_a_class_of_the_users_own(capsys, table, tmp_path, monkeypatch):
    (tmp_path / "only_mine.py").write_text(
        "class First:\n    def learn(self, x, y, w): pass\n    def predict(self, x): return 0\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    words = ("compare", table, "--target", "label", "--json")
    names = ("random_forest", "random_forest", "only_mine:First")
    out = printed(capsys, *words, *(word for name in names for word in ("--learner", name)))
    numbers = json.loads(out)
    assert [*numbers["learners"]] == ["random_forest", "random_forest 2", "only_mine:First"]
    assert len(numbers["pairs"]) == 3


def test_help_names_the_choices(capsys):
    with pytest.raises(SystemExit):
        run(capsys, "compare", "--help")
    text = re.sub(r"\s+", " ", capsys.readouterr().out)
    for word in (
        "bootstrap_validation",
        "held_out",
        "at_random",
        "in_turn",
        "MOA",
        "--figure",
        "--rope",
    ):
        assert word in text


def test_delays_are_options_as_those_of_evaluate(capsys):
    numbers = json_of(capsys, "compare", "markov_elec2", *BOTH, "--delay", 48)
    assert numbers["n"] == len(se.load("markov_elec2"))
    said = refused(capsys, "compare", "markov_elec2", *BOTH, "--bins", 3)
    assert "expected delayed labels" in said
