"""Which files of tests are run first, and which when there is little time."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from helpers import durations
from helpers.durations import DURATIONS, longest_first, quick, sort_of

from streameval.base.settings import ROOT
from streameval.base.sources import PACKAGE, _needs

SECONDS = {
    "a.py": {"plain": 3.0, "other": 50.0},
    "b.py": {"plain": 4.0},
    "c.py": {"plain": 1.0},
}


@pytest.mark.parametrize(
    ("sorts", "expected"),
    [
        ({"a.py": {"plain"}, "b.py": {"plain"}, "c.py": {"plain"}}, ["b.py", "a.py", "c.py"]),
        (
            {"c.py": {"plain"}, "b.py": {"plain"}, "a.py": {"plain", "other"}},
            ["a.py", "b.py", "c.py"],
        ),
        # What has not been run so far may take long.
        (
            {"a.py": {"plain"}, "c.py": {"plain", "other"}, "new.py": {"plain"}},
            ["c.py", "new.py", "a.py"],
        ),
    ],
)
def test_the_longest_files_are_first(sorts, expected):
    assert longest_first(sorts, SECONDS) == expected


@pytest.mark.parametrize(
    ("markers", "sort"),
    [({"parametrize"}, "plain"), ({"realdata", "parametrize"}, "other"), ({"workflow"}, "other")],
)
def test_tests_that_need_more_are_counted_apart(markers, sort):
    assert sort_of(markers) == sort


def rooms(files):
    return {path.parent for file in files for path in _needs(ROOT / file, PACKAGE)}


def test_quick_tests_enter_each_room_in_a_minute():
    known = {file: taken for file, taken in durations.known().items() if "plain" in taken}
    chosen = quick(known)
    assert sum(known[file]["plain"] for file in chosen) <= durations.QUICK
    assert rooms(chosen) == rooms(file for file in known if (ROOT / file).is_file())
    least = sorted(known, key=lambda file: (known[file]["plain"], file))[: len(chosen)]
    modules = [
        {path for file in files for path in _needs(ROOT / file, PACKAGE)}
        for files in (chosen, least)
    ]
    assert len(modules[0]) > len(modules[1])


def test_what_was_not_run_keeps_its_seconds(tmp_path, monkeypatch):
    first, second = "tests/test_order.py", "tests/test_changed.py"
    path = tmp_path / "durations.json"
    path.write_text(json.dumps({first: {"plain": 1, "other": 9}, "tests/gone.py": {"plain": 2}}))
    monkeypatch.setattr(durations, "DURATIONS", path)
    durations.keep({first: {"plain": 2.04}, second: {"plain": 3}})
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert kept == {first: {"plain": 2.0, "other": 9}, second: {"plain": 3}}


def test_files_that_are_too_slow_are_not_even_imported():
    known = json.loads(DURATIONS.read_text(encoding="utf-8"))
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "--quick", "--collect-only", "-q", "tests/significance"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = {line.partition(":")[0] for line in said.splitlines() if line.startswith("tests/")}
    assert found == {file for file in quick(known) if file.startswith("tests/significance/")}
