"""Runs that are killed or interrupted: a plain rerun goes on, and nothing of a live run is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from helpers.projects import copy_project, run_with, two_items

pytestmark = pytest.mark.workflow

#: What is computed in these tests, and the file that shows that the job is at it.
PREDICTIONS = "results/predictions/two/markov_ozone.prequential.parquet"
AT_IT = "logs/evaluate_learners/markov_ozone.prequential.log"
#: A learner that trains as long as there is a file "wait".
LEARNER = """
import time
from pathlib import Path

class Waiting:
    def learn(self, x, y, w):
        while Path("wait").exists():
            time.sleep(0.05)

    def predict(self, x):
        return 0
"""


class Project:
    """A project with a job that lasts as long as a test wants."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = copy_project(folder / "project"), environment
        self.study = two_items(self.folder, learners=["waiting"])
        with self.study.open("a", encoding="utf-8") as file:
            file.write('learners: {waiting: {learner: "my_waiting:Waiting"}}\n')
        (self.study.parent / "my_waiting.py").write_text(LEARNER, encoding="utf-8")
        self.waits = self.folder / "wait"
        self.predictions = self.folder / PREDICTIONS
        self.locks = self.folder / ".snakemake" / "locks"

    def start(self) -> subprocess.Popen[bytes]:
        """Start a run, and return as soon as it runs learners."""
        self.waits.touch()
        (self.folder / AT_IT).unlink(missing_ok=True)
        words = ["--configfile", str(self.study), "--cores", "2", PREDICTIONS]
        process = subprocess.Popen(
            [sys.executable, "-m", "snakemake", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            # Shells have what they start in the background ignore interrupts.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        while not (self.folder / AT_IT).is_file():
            assert process.poll() is None
            time.sleep(0.05)
        return process

    def run(self, *words: str, fails: bool = False) -> str:
        """Run the study to its end, and return what Snakemake says."""
        words = ("--cores", "2", *words)
        return run_with(
            self.study, *words, cwd=self.folder, environment=self.environment, fails=fails
        )

    def jobs(self) -> list[str]:
        """The processes that run scripts of the project."""
        lines = [
            " ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])
        ]
        return [line for line in lines if f"{self.folder}/.snakemake/scripts" in line]


@pytest.fixture(scope="module")
def project(tmp_path_factory, environment):
    """One for all: each test goes on where the one before it has stopped."""
    return Project(tmp_path_factory.mktemp("resume"), environment)


def test_ctrl_c_ends_a_run(project):
    process = project.start()
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait() != 0
    assert not project.predictions.exists()


def test_a_live_run_keeps_its_locks_and_a_plain_rerun_goes_on_after_ctrl_c(project):
    process = project.start()
    try:
        refused = project.run(PREDICTIONS, fails=True)
        assert "lock" in refused
        assert f"Another run is at work in this folder (process {process.pid})." in refused
        assert "evaluate_learners" in project.run("-n", PREDICTIONS)
        assert list(project.locks.iterdir())
    finally:
        project.waits.unlink()
        assert process.wait() == 0
    assert project.predictions.is_file()


def test_no_job_outlives_its_run_and_a_plain_rerun_goes_on(project):
    project.predictions.unlink()
    process = project.start()
    assert project.jobs()
    os.kill(process.pid, signal.SIGKILL)  # and not its jobs
    process.wait()
    assert list(project.locks.iterdir())
    for _ in range(100):
        if not project.jobs():
            break
        time.sleep(0.1)
    assert not project.jobs()
    project.waits.unlink()
    (project.folder / "results" / ".part-dead").mkdir(parents=True)
    project.run(PREDICTIONS)
    assert project.predictions.is_file()
    assert not list(project.folder.rglob(".part-*"))
    assert "Nothing to be done" in project.run("-n", PREDICTIONS)


def test_nothing_is_left_of_what_is_deleted(project):
    table = project.folder / "results" / "tables" / "two" / "table1.csv"
    project.run("results/tables/two/table1.csv")
    assert (table.parent / ".digests" / "table1.csv.sha256").is_file()
    project.run("--delete-all-output")
    left = [path for name in ("results", "figures") for path in (project.folder / name).rglob("*")]
    assert not left
    resources = {path.name for path in (project.folder / "resources").iterdir()}
    assert resources == {"published", "recorded"}
