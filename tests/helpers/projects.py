"""Copies of the project for tests that run its pipeline."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml

from streameval.base.settings import ROOT

#: A folder whose module makes jobs tell what they load.
WATCHED = Path(__file__).parent / "watched"


def copy_project(target: Path) -> Path:
    target.mkdir()
    for name in ("Snakefile", "environment.yml"):
        shutil.copy(ROOT / name, target)
    for name in ("workflow", "config", "profiles", "validation"):
        shutil.copytree(ROOT / name, target / name)
    for kept in ("published", "recorded"):
        shutil.copytree(ROOT / "resources" / kept, target / "resources" / kept)
    (target / "src").symlink_to(ROOT / "src")  # so that what is compiled already is found
    return target


def two_items(project: Path, **changed: object) -> Path:
    """Write a run of two items into a project, a table and a figure; its plan takes no second.

    Other keys of the figure are changed.
    """
    figure = {"kind": "measures", "streams": ["markov_ozone"], "learners": ["naive_bayes"]}
    figure |= {"measures": ["accuracy"], "window": 200, "points": 100} | changed
    published = "resources/published/zliobaite2015/elec2_literature.csv"
    table = {"kind": "literature", "streams": [], "published": published}
    items = {"two": {"table1": table | {"member": "in_bifet2013_table1"}, "fig1": figure}}
    path = project / "config" / "two.yaml"
    config = {"studies": ["two"], "data": {"offline": True}, "items": items}
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return path


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "snakemake", "--configfile", "config/test.yaml", *words]


def run(project: Path, environment: dict[str, str], *words: str, fails: bool = False) -> str:
    return _said(command(*words), project, environment, fails)


def run_with(
    configuration: Path,
    *words: str,
    cwd: Path,
    environment: dict[str, str],
    fails: bool = False,
) -> str:
    """Run another configuration than the tiny one."""
    call = [sys.executable, "-m", "snakemake", "--configfile", str(configuration), *words]
    return _said(call, cwd, environment, fails)


def _said(call: list[str], project: Path, environment: dict[str, str], fails: bool = False) -> str:
    finished = subprocess.run(
        call, cwd=project, env=environment, capture_output=True, text=True, check=False
    )
    output = finished.stdout + finished.stderr
    assert (finished.returncode != 0) is fails, output
    return output


def finish_without_running(
    folder: Path, pictures: Sequence[str], snakemake: Callable[..., str]
) -> None:
    """Make Snakemake take the results of a run in a folder, empty files, for results of its jobs.

    `snakemake` runs it with some words and returns its output; figures have all `pictures`.
    """
    for line in snakemake("-n", "--detailed-summary").splitlines():
        path, _, rule, *rest = line.split("\t") * (line.count("\t") > 5) or ["", "", ""]
        names = [f"{name}.{form}" for name in pictures for form in ("svg", "pdf")]
        for file in names if rule.startswith("draw_") else [""] if rest and rule != "rule" else []:
            (folder / path / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / path / file).touch()
    snakemake("--touch", "--forceall")


def watched(environment: dict[str, str], folder: Path) -> dict[str, str]:
    """The variables of a run whose jobs record their loaded and declared files in a folder."""
    folder.mkdir()
    found_first = [str(WATCHED), *filter(None, [environment.get("PYTHONPATH")])]
    return environment | {
        "PYTHONPATH": os.pathsep.join(found_first),
        "WATCHED_JOBS": str(folder),
    }


def jobs_told(folder: Path) -> list[dict[str, Any]]:
    """The records of the jobs of a watched run."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
