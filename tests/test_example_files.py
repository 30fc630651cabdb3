"""The example files come from their script, and the commands of the README read them."""

from __future__ import annotations

import filecmp
import json
import re
import runpy
import shutil
from pathlib import Path

import pandas as pd
import pytest
from helpers.commands import first
from helpers.pages import paths, text

import streameval as se
from streameval.base.settings import ROOT
from streameval.cli import main

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LOANS = ("loans.csv", "--target", "paid", "--time", "asked", "--label-time", "settled")
DEMAND = ("demand.csv", "--target", "count", "--drop", "time", "--delay", "23")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")
    return tmp_path / "examples"


def run(capsys, *words):
    code = main(words)
    output = capsys.readouterr()
    assert code == 0, output.err
    return output.out


def test_the_files_are_made_by_their_script(tmp_path):
    functions = runpy.run_path(str(EXAMPLES / "make.py"))
    for name in ("loans", "demand"):
        path = tmp_path / f"{name}.csv"
        functions[name]().to_csv(path, index=False, lineterminator="\n")
        assert filecmp.cmp(path, EXAMPLES / path.name, shallow=False)
        assert path.stat().st_size < 100_000


def test_open_loans_have_neither_label_nor_time():
    frame = pd.read_csv(EXAMPLES / "loans.csv")
    assert len(frame) == 2_000
    assert (frame["paid"].isna() == frame["settled"].isna()).all()
    assert 200 < frame["paid"].isna().sum() < 400
    settled = frame.dropna()
    assert (settled["settled"] >= settled["asked"]).all()


def test_loans_are_evaluated_when_their_labels_arrive(capsys, folder):
    measures = first(run(capsys, "evaluate", *LOANS, "--learner", "naive_bayes", "--json"))
    frame = pd.read_csv(folder / "loans.csv")
    assert measures["n"] == 2_000
    known = pd.to_datetime(frame["settled"]).min()
    scored = frame["paid"].notna() & (pd.to_datetime(frame["asked"]) > known)
    assert all(row["predictions"] == scored.sum() for row in measures["bins"])
    assert measures["bins"][-1]["accuracy"] > measures["bins"][0]["accuracy"] > 0.5


def test_an_own_learner_runs_over_the_loans(capsys, folder):
    words = ("--learner", "nearest_mean:NearestMean", "--learner", "hoeffding_tree", "--json")
    numbers = json.loads(run(capsys, "evaluate", *LOANS, *words))
    assert {"nearest_mean:NearestMean", "hoeffding_tree"} <= {*numbers["learners"]}


def test_a_check_of_the_loans_uses_all_labels(capsys, folder):
    numbers = json.loads(run(capsys, "check", *LOANS, "--json"))
    assert numbers["n"] == numbers["in_all"] > 1_500


def test_demand_is_predicted_a_day_ahead(capsys, folder):
    learners = ("--learner", "fimt_dd", "--learner", "amrules")
    numbers = json.loads(run(capsys, "evaluate", *DEMAND, *learners, "--json"))
    assert {"fimt_dd", "amrules"} <= {*numbers["learners"]}


def test_the_day_before_predicts_demand_well():
    """Counts are like the counts of the same hour a day before."""
    count = pd.read_csv(EXAMPLES / "demand.csv")["count"]
    day, mean = (count - count.shift(24)).abs(), (count - count.expanding().mean().shift()).abs()
    assert day.mean() < 0.75 * mean.mean()


def test_the_page_shows_the_study():
    study = (EXAMPLES / "study.yaml").read_text(encoding="utf-8").partition("\n")[2]
    page = (ROOT / "docs/howto/own_study.md").read_text(encoding="utf-8")
    assert f"```yaml\n# study.yaml\n{study}```" in page


def commands() -> list[str]:
    """The commands of the pages over the example files, but those that are shown with output."""
    pages = re.sub(
        r"```console\n\$ .*?```", "", "\n".join(map(text, map(str, paths()))), flags=re.DOTALL
    )
    calls = re.findall(r"streameval (?:evaluate|check|compare)(?:\s+(?!streameval)[^\s`]+)+", pages)
    files = [call for call in calls if "loans.csv" in call or "demand.csv" in call]
    return [" ".join(call.split()).replace("examples/", "") for call in files]


@pytest.mark.parametrize("command", commands())
def test_commands_of_the_page_run(capsys, folder, command):
    assert run(capsys, *command.split()[1:])


def test_there_are_commands_over_both_files():
    assert {name for name in ("loans", "demand") for command in commands() if name in command} == {
        *("loans", "demand")
    }


def test_the_example_files_are_read_without_a_word(folder, recwarn):
    se.read("loans.csv", "paid", time="asked", label_time="settled")
    se.read("demand.csv", "count", numeric_target=True)
    assert not [*recwarn]
