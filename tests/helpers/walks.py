"""The walks of CONTRIBUTING.md, taken in a copy of the package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import yaml

from streameval.base.settings import ROOT


def blocks(title: str, language: str = r"\w*") -> list[str]:
    """Return the code blocks of the part of CONTRIBUTING.md that begins with a text."""
    walk = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition(title)[2]
    walk = re.split(r"\n##+ ", walk.lstrip("\n"))[0]
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```$", walk, re.DOTALL | re.MULTILINE)
    return [dedent(block) for block in found]


def yaml_of(block: str) -> dict[str, dict[str, object]]:
    """Return what a block of YAML says."""
    found: dict[str, dict[str, object]] = yaml.safe_load(block)
    return found


def copy_package(target: Path) -> Path:
    """Copy what the package consists of; return the folder of its modules."""
    for name in ("src", "config"):
        left_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, target / name, ignore=left_out)
    return target / "src" / "streameval"


def register(registry: Path, line: str, end: str = "    }\n)") -> None:
    """Put a line into a lazy registry, as the last one before a text, by default the end."""
    before, end, after = registry.read_text(encoding="utf-8").partition(end)
    assert end
    registry.write_text(f"{before}        {line.strip()}\n{end}{after}", encoding="utf-8")


def call(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python on the package of a copy."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "MPLBACKEND": "Agg"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def run(folder: Path, *words: str) -> str:
    """Run Python on the package of a copy without a fault; return what it prints."""
    finished = call(folder, *words)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def read(folder: Path, *words: str) -> object:
    """Run Python on the package of a copy; return the JSON that it prints."""
    return json.loads(run(folder, *words))
