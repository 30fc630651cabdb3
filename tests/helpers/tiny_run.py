"""One tiny run for all tests that look at a finished one: it takes as long as a hundred of them."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

from helpers.projects import copy_project, run, watched


def finished_project(folder: Path, environment: dict[str, str]) -> Path:
    """The project of the run in a folder; beside it, ``jobs`` has the records of its jobs."""

    def make(project: Path) -> None:
        copy_project(project)
        run(project, watched(environment, folder / "jobs"), "--cores", "2")

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
