"""Runs that are killed or interrupted: a plain rerun goes on, and nothing of a live run is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from helpers.projects import command, copy_project, run

pytestmark = pytest.mark.workflow

#: What is computed in these tests, and the file that shows that the job is at it.
PREDICTIONS = "results/predictions/markov_ozone.prequential.parquet"
AT_IT = "logs/evaluate_learners/markov_ozone.prequential.log"


def start(project: Path, environment: dict[str, str], *words: str) -> subprocess.Popen[bytes]:
    """Start a run, and return as soon as it runs learners."""
    (project / AT_IT).unlink(missing_ok=True)
    process = subprocess.Popen(
        command("--cores", "2", *words, PREDICTIONS),
        cwd=project,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # Shells have what they start in the background ignore interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not (project / AT_IT).is_file():
        assert process.poll() is None
        time.sleep(0.05)
    return process


def jobs(project: Path) -> list[str]:
    """The processes that run scripts of a project."""
    lines = [
        " ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])
    ]
    return [line for line in lines if f"{project}/.snakemake/scripts" in line]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """One for all: each test goes on where the one before it has stopped."""
    return copy_project(tmp_path_factory.mktemp("resume") / "project")


def test_ctrl_c_ends_a_run(project, environment):
    process = start(project, environment)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait() != 0
    assert not (project / PREDICTIONS).exists()


def test_a_live_run_keeps_its_locks_and_a_plain_rerun_goes_on_after_ctrl_c(project, environment):
    process = start(project, environment)
    os.killpg(process.pid, signal.SIGSTOP)  # it is there, for as long as this takes
    try:
        refused = run(project, environment, "--cores", "2", PREDICTIONS, fails=True)
        assert "lock" in refused
        assert f"Another run is at work in this folder (process {process.pid})." in refused
        assert "evaluate_learners" in run(project, environment, "--cores", "2", "-n", PREDICTIONS)
        assert list((project / ".snakemake" / "locks").iterdir())
    finally:
        os.killpg(process.pid, signal.SIGCONT)
        assert process.wait() == 0
    assert (project / PREDICTIONS).is_file()


def test_no_job_outlives_its_run_and_a_plain_rerun_goes_on(project, environment):
    (project / PREDICTIONS).unlink()
    process = start(project, environment)
    assert jobs(project)
    os.kill(process.pid, signal.SIGKILL)  # and not its jobs
    process.wait()
    assert list((project / ".snakemake" / "locks").iterdir())
    for _ in range(100):
        if not jobs(project):
            break
        time.sleep(0.1)
    assert not jobs(project)
    (project / "results" / ".part-dead").mkdir(parents=True)
    run(project, environment, "--cores", "2", PREDICTIONS)
    assert (project / PREDICTIONS).is_file()
    assert not list(project.rglob(".part-*"))
    assert "Nothing to be done" in run(project, environment, "--cores", "2", "-n", PREDICTIONS)
