"""Copies of the project for tests that run its pipeline."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from streameval.settings import ROOT


def copy_project(target: Path) -> Path:
    target.mkdir()
    for name in ("Snakefile", "environment.yml"):
        shutil.copy(ROOT / name, target)
    for name in ("workflow", "config", "profiles"):
        shutil.copytree(ROOT / name, target / name)
    shutil.copytree(ROOT / "resources" / "published", target / "resources" / "published")
    (target / "src").symlink_to(ROOT / "src")  # so that what is compiled already is found
    return target


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "snakemake", "--configfile", "config/test.yaml", *words]


def run(project: Path, environment: dict[str, str], *words: str, fails: bool = False) -> str:
    finished = subprocess.run(
        command(*words), cwd=project, env=environment, capture_output=True, text=True, check=False
    )
    output = finished.stdout + finished.stderr
    assert (finished.returncode != 0) is fails, output
    return output
