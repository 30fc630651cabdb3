"""The origin of results: what jobs write into their logs, and what a run makes of it."""

import json
import os
import shlex

import pytest

from streameval import __version__
from streameval.base.provenance import versions
from streameval.base.settings import ROOT
from streameval.pipeline import origins
from streameval.pipeline.origins import (
    COMMAND,
    ORIGIN,
    JobOrigin,
    announce_origin,
    announced_origin,
    origin_of,
    origin_summary,
)
from streameval.pipeline.runs import RUN_VARIABLE, job, time_of

PLACES = [("tables", "tabulate_*"), ("studies", "studies/*")]


@pytest.fixture(autouse=True)
def without_run(monkeypatch):
    for name in (RUN_VARIABLE, ORIGIN, COMMAND):
        monkeypatch.delenv(name, raising=False)


def test_jobs_write_the_origin_that_their_run_announces(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(origins, "commit_of", lambda folder: "abc" if folder == ROOT else "def")
    monkeypatch.setenv(COMMAND, "streameval run 'my study.yaml'")
    announce_origin(ROOT, ["--cores", "2"])
    monkeypatch.setenv(ORIGIN, os.environ[ORIGIN])  # taken back at the end of the test
    with job("logs/studies/first.log") as log:
        log.info("at work")
    origin = origin_of(tmp_path / "logs/studies/first.log")
    assert origin.command == "streameval run 'my study.yaml'"
    assert (origin.commit, origin.study_commit) == ("abc", "def")
    assert origin.versions == versions()
    assert origin.versions["streameval"] == __version__
    assert time_of(tmp_path / "logs/studies/first.log") is not None


def test_without_a_command_of_ours_it_is_that_of_snakemake(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["--cores", "2", "--config", "studies=[a, b]"]
    announce_origin(ROOT, words)
    assert shlex.split(announced_origin()["command"]) == ["snakemake", *words]
    assert set(os.environ[ORIGIN]) <= set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%._-~"
    )


def test_a_run_in_the_clone_itself_has_one_commit(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(origins, "commit_of", lambda folder: "abc")
    announce_origin(ROOT, [])
    assert announced_origin()["study_commit"] == ""


def test_a_log_without_an_origin_is_left_out(tmp_path):
    logs = tmp_path / "logs"
    (logs / "studies").mkdir(parents=True)
    (logs / "studies/old.log").write_text("INFO streameval: done\n", encoding="utf-8")
    (logs / "studies/torn.log").write_text(
        'INFO streameval: origin: {"begun": 1}\n', encoding="utf-8"
    )
    assert origins.read_origins(logs, PLACES) == []
    assert origin_summary([])["jobs"] == 0


def test_jobs_of_several_commits_are_counted():
    about = {"command": "c", "study_commit": "", "processor": "p"}
    first = JobOrigin("2026-01-02T00:00:00+00:00", commit="a", versions={"numpy": "2.1"}, **about)
    second = JobOrigin("2026-01-05T00:00:00+00:00", commit="b", versions={"numpy": "2.2"}, **about)
    summary = origin_summary([second, first, second])
    assert summary["jobs"] == 3
    assert summary["begun"] == [first.begun, second.begun]
    assert summary["commit"] == {"a": 1, "b": 2}
    assert summary["versions"] == {"numpy": {"2.1": 1, "2.2": 2}}
    assert json.loads(json.dumps(summary)) == summary
