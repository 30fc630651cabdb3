"""One tiny run for all tests that look at a finished one: it takes as long as a hundred of them."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from helpers.projects import command, copy_project, run, watched

#: What is there when the run is killed: the last jobs, those of pictures, have begun.
MOMENT = "figures"


def finished_project(folder: Path, environment: dict[str, str]) -> Path:
    """The project of the run in a folder.

    It runs on two cores, is killed once, and goes on: a run that nothing stops is that of
    `make digests`. Beside the project, ``jobs`` has what its jobs have told, and ``killed.json``
    which files of its end were there at the kill.
    """

    def make(project: Path) -> None:
        copy_project(project)
        variables = watched(environment, folder / "jobs")
        killed = _killed_run(project, variables, MOMENT)
        run(project, variables, "--cores", "2")
        (folder / "killed.json").write_text(json.dumps(killed), encoding="utf-8")

    return _once(folder, make)


def _once(folder: Path, make: Callable[[Path], None]) -> Path:
    """A project in a folder, which the first process that asks for it makes."""
    folder.mkdir(exist_ok=True)
    project, marker = folder / "project", folder / "made"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # as long as another process makes it
        if not marker.is_file():
            assert not project.exists(), "making it has failed already, see the first error"
            make(project)
            marker.touch()
    return project


def _killed_run(project: Path, environment: dict[str, str], moment: str) -> dict[str, bool]:
    """Kill a run, with all of its jobs, as soon as a file is there."""
    process = subprocess.Popen(
        command("--cores", "2"),
        cwd=project,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while not (project / moment).exists() and process.poll() is None:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    last = project / "results" / "digests.json"
    return {"is_there": (project / moment).exists(), "has_ended": last.is_file()}
