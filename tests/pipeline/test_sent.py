"""Which files are sent to machines that share no disk with that of the run."""

from __future__ import annotations

import shutil

import pytest
from helpers.configurations import add_row, put

from streameval.base.settings import ROOT
from streameval.pipeline import sent
from streameval.pipeline.plan import make_plan


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_clone_is_sent_without_its_results(config, here):
    shutil.copytree(ROOT / "config", here / "config")
    kept = here / "src" / "streameval" / "__pycache__"
    kept.mkdir(parents=True)
    for name in (
        "src/streameval/base/errors.py",
        "src/streameval/__pycache__/kernel",
        "results/one.csv",
    ):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).touch()
    found = sent.sent(make_plan(config, decide=True), here)
    assert {"config/streams.yaml", "src/streameval/base/errors.py"} <= set(found)
    assert not {path for path in found if path.startswith("results/") or "__pycache__" in path}


def test_an_installed_project_is_not_sent_but_files_of_ones_own_are(config, here):
    add_row(config, here, {"learner": "predictions_file", "parameters": {"file": "{stream}.csv"}})
    put(config, "items.bifet2013.fig2.learners", ["mine"])
    put(config, "items.bifet2013.fig2.streams", ["ozone"])
    (here / "ozone.csv").write_text("label\n", encoding="utf-8")
    found = sent.sent(make_plan(config, decide=True), ROOT)
    assert set(found) == {"learners.yaml", "ozone.csv"}
