"""The walk "A new protocol" of CONTRIBUTING.md, in a copy of the package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from helpers.answers import first

from streameval.base.settings import ROOT

#: An item names the protocol; its predictions are kept under its name.
ITEM = """
import json
from pathlib import Path
from streameval.pipeline.configuration import Configuration
from streameval.pipeline.items import items_of
from streameval.protocols.registry import forms, parse
from streameval.streams.generators.sea import Sea
from streameval.evaluation.predictions import (
    prediction_file, read_predictions, write_predictions
)
from streameval.evaluation.run import run_learners

block = {"kind": "overall_measures", "streams": ["sea"], "learners": ["no_change"]}
block["protocol"] = {"name": "hold_out", "train": 7}
(item,) = items_of(Configuration({"items": {"mine": {"table1": block}}}, {})).values()
path = prediction_file("sea", item.protocol)
write_predictions(run_learners(Sea().stream(10), item.protocol, {})[0], path)
kept = read_predictions(path)
assert path.stem == f"sea.{item.protocol}"
assert item.protocol == parse("hold_out:7")
print(json.dumps({
    "file": path.name,
    "title": item.protocol.title,
    "rows": kept.row.tolist(),
    "ordinals": kept.ordinal.tolist(),
    "in forms": "hold_out" in " ".join(forms()),
}))
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of what the package consists of, with the protocol that the walk adds."""
    left_out = shutil.ignore_patterns("__pycache__")
    for name in ("src", "config", "workflow", "resources/published"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=left_out)
    walk = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walk = walk.partition("## A new protocol\n")[2].partition("\n## ")[0]
    line, module = re.findall(r" *```(?:python)?\n(.*?)\n *```", walk, re.DOTALL)
    protocols = tmp_path / "src" / "streameval" / "protocols"
    (protocols / "hold_out.py").write_text(module, encoding="utf-8")
    registry = (protocols / "registry.py").read_text(encoding="utf-8")
    first = '        "prequential": '
    added = registry.replace(first, f"        {line.strip()}\n{first}", 1)
    assert added != registry
    (protocols / "registry.py").write_text(added, encoding="utf-8")
    return tmp_path


def run(copy, *words):
    environment = os.environ | {"PYTHONPATH": str(copy / "src")}
    return subprocess.run(
        [sys.executable, *words],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_walk_adds_a_protocol(copy):
    (copy / "five.csv").write_text("x,y\n1,a\n2,b\n3,b\n4,b\n5,a\n6,b\n", encoding="utf-8")
    words = ("-m", "streameval", "evaluate", "five.csv", "--target", "y", "--json")
    words += ("--learner", "no_change", "--protocol")
    found = run(copy, *words, "hold_out:3")
    # No-Change repeats the third label, b, for the rest: b, a, b.
    assert first(found.stdout)["accuracy"] == pytest.approx(2 / 3)
    assert found.stderr == ""
    wrong = run(copy, *words, "hold_out")
    assert wrong.returncode == 2
    assert "expected a value for train (number of instances to learn from)" in wrong.stderr
    item = run(copy, "-c", ITEM)
    assert item.returncode == 0, item.stderr
    assert json.loads(item.stdout) == {
        "file": "sea.hold_out-7.parquet",
        "title": "hold-out after 7 instances",
        "rows": [7, 8, 9],
        "ordinals": [7, 8, 9],
        "in forms": True,
    }
