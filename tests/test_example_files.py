"""The example files come from their script, and the pages show and use them as they are."""

from __future__ import annotations

import filecmp
import re
import runpy
import shutil
from pathlib import Path

import pytest
from helpers.pages import paths, text

import streameval as se
from streameval.base.settings import ROOT
from streameval.cli import main

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")


def test_the_files_are_made_by_their_script(tmp_path):
    functions = runpy.run_path(str(EXAMPLES / "make.py"))
    for name in ("loans", "demand"):
        path = tmp_path / f"{name}.csv"
        functions[name]().to_csv(path, index=False, lineterminator="\n")
        assert filecmp.cmp(path, EXAMPLES / path.name, shallow=False)
        assert path.stat().st_size < 100_000


def test_the_page_shows_the_study():
    study = (EXAMPLES / "study.yaml").read_text(encoding="utf-8").partition("\n")[2]
    page = (ROOT / "docs/howto/own_study.md").read_text(encoding="utf-8")
    assert f"```yaml\n# study.yaml\n{study}```" in page


def commands() -> list[str]:
    """The commands over the example files in sentences of pages; `test_pages` runs the blocks."""
    sentences = "\n".join(
        re.sub(r"```console\n.*?```", "", text(str(path)), flags=re.DOTALL) for path in paths()
    )
    calls = re.findall(
        r"streameval (?:evaluate|check|compare)(?:\s+(?!streameval)[^\s`]+)+", sentences
    )
    files = [call for call in calls if "loans.csv" in call or "demand.csv" in call]
    return [" ".join(call.split()).replace("examples/", "") for call in files]


@pytest.mark.parametrize("command", commands())
def test_commands_in_sentences_run(folder, command):
    assert main(command.split()[1:]) == 0


def test_the_example_files_are_read_without_a_word(folder, recwarn):
    se.read("loans.csv", "paid", time="asked", label_time="settled")
    se.read("demand.csv", "count", numeric_target=True)
    assert not [*recwarn]
