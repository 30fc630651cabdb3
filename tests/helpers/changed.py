"""Which tests an edit reaches: by the closure of imports that the pipeline's jobs depend on."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

from streameval.settings import ROOT
from streameval.sources import PACKAGE, closure

TESTS = ROOT / "tests"


def changed_files(since: str) -> set[Path]:
    """Return the files of the project that differ from a commit, new ones included."""
    calls = (
        ["git", "diff", "--name-only", since],
        ["git", "ls-files", "--others", "--exclude-standard"],
    )
    found = (subprocess.check_output(call, cwd=ROOT, text=True) for call in calls)
    return {ROOT / line for lines in found for line in lines.splitlines()}


def reached(test: Path, changed: set[Path]) -> bool:
    """Return whether a file of tests depends on one of the files that have changed.

    It does if it imports one, directly or not, if it is one, or if its text names one: the page
    of a document, a configuration, a script.
    """
    helpers = closure(test, TESTS / "helpers")
    own = {test, TESTS / "conftest.py", *helpers}
    sources = {path for file in own for path in closure(file, PACKAGE)}
    return bool((own | sources | _named(frozenset(own))) & changed)


@cache
def _named(files: frozenset[Path]) -> frozenset[Path]:
    """Return the files outside the package that texts of Python files name."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return frozenset(
        path for path in _others() if f'"{path.name}"' in text or f"/{path.name}" in text
    )


@cache
def _others() -> tuple[Path, ...]:
    listed = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    return tuple(ROOT / line for line in listed if not line.startswith(("src/", "tests/")))
