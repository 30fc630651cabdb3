"""``streameval detect``."""

from __future__ import annotations

import json

import pytest

from streameval.cli import main


@pytest.fixture
def run(capsys):
    def run(*words):
        code = main(["detect", "markov_ozone", "--learner", "naive_bayes", "--runs", "2", *words])
        return code, capsys.readouterr()

    return run


def test_it_prints_a_table_and_sentences(run, tmp_path):
    figure = tmp_path / "alarms.svg"
    code, printed = run("--detector", "ddm", "--detector", "every:500", "--figure", str(figure))
    assert code == 0, printed.err
    assert "every:n=500 signals 5 times." in printed.out
    assert "no_change" in printed.out
    assert figure.read_text(encoding="utf-8").startswith("<?xml")


def test_json_is_an_object(run):
    code, printed = run("--detector", "ddm", "--json")
    assert code == 0
    assert json.loads(printed.out)["learner"] == "naive_bayes"


def test_mistakes_are_said_in_a_line(run):
    code, printed = run("--detector", "adwim")
    assert code != 0
    assert "There is no detector 'adwim'" in printed.err
    code, printed = run("--detector", "ddm", "--learner", "knn")
    assert code != 0
    assert "expected one, found 2" in printed.err
