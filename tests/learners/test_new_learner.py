"""The walk "A new learner" of CONTRIBUTING.md, in a copy of the package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from textwrap import dedent

import pytest

from streameval.settings import ROOT

#: Draws the curves of the new learner beside two others, as the pipeline does.
DRAW = """
import json
from matplotlib.colors import to_hex
from streameval.learners.registry import load_learners, make_learners
from streameval.protocols.prequential import prequential
from streameval.report.figures.curves import measure_curves
from streameval.report.looks import learner_look, looks_apart
from streameval.settings import ROOT
from streameval.streams.generators.sea import sea
from streameval.studies.measuring import windowed_measures
from streameval.studies.running import run_learners

rows = load_learners(ROOT / "config" / "learners.yaml")
names = ["no_change", "majority", "every_other"]
learners = make_learners({name: rows[name].to_dict() for name in names})
predictions, _ = run_learners(sea(500), prequential(500), learners)
curves = windowed_measures(predictions, names, ["accuracy"], window=100, points=20)
titles = {name: rows[name].title for name in names}
with looks_apart(names):
    drawn = measure_curves(
        curves, measures=["accuracy"], learners=names, titles=titles, title="SEA", simulated=False
    )
    expected = [learner_look(name).color for name in names]
(axes,) = drawn.axes
found = [to_hex(line.get_color()).upper() for line in axes.lines if len(line.get_xdata()) == 20]
print(json.dumps({"expected": expected, "found": found}))
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of what the package consists of, with a learner that the walk adds."""
    left_out = shutil.ignore_patterns("__pycache__")
    for name in ("src", "config", "workflow/schemas", "resources/published"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=left_out)
    walk = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walk = walk.partition("**A learner of the package**")[2].partition("\n#")[0]
    line, row, module = re.findall(r"( *)```(?:python)?\n(.*?)\n *```", walk, re.DOTALL)
    learners = tmp_path / "src" / "streameval" / "learners"
    (learners / "every_other.py").write_text(module[1], encoding="utf-8")
    registry = (learners / "registry.py").read_text(encoding="utf-8")
    first = '        "no_change": '
    added = registry.replace(first, f"        {line[1].strip()}\n{first}", 1)
    assert added != registry
    (learners / "registry.py").write_text(added, encoding="utf-8")
    with (tmp_path / "config" / "learners.yaml").open("a", encoding="utf-8") as rows:
        rows.write(f"\n{dedent(row[1])}\n")
    return tmp_path


def run(copy, *words):
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "MPLBACKEND": "Agg"}
    finished = subprocess.run(
        [sys.executable, *words],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def test_the_walk_adds_a_learner(copy):
    (copy / "five.csv").write_text("x,y\n1,a\n2,b\n3,b\n4,b\n5,a\n", encoding="utf-8")
    words = ("evaluate", "five.csv", "--target", "y", "--learner", "every_other", "--json")
    result = run(copy, "-m", "streameval", *words)
    assert result["accuracy"] == 4 / 5  # a b a b a
    colors = run(copy, "-c", DRAW)
    assert colors["found"] == colors["expected"]
    assert len(set(colors["expected"])) == 3
