"""The walk "A new learner" of CONTRIBUTING.md, in a copy of the package."""

from __future__ import annotations

import pytest
from helpers import walks

#: Draws the curves of the new learner beside two others, as the pipeline does.
DRAW = """
import json
from matplotlib.colors import to_hex
from streameval.learners.registry import load_learners, make_learners
from streameval.protocols.prequential import prequential
from streameval.drawing.curves import measure_curves
from streameval.drawing.looks import learner_look, looks_apart
from streameval.base.settings import ROOT
from streameval.streams.generators.sea import Sea
from streameval.evaluation.measurements import windowed
from streameval.evaluation.run import run_learners

rows = load_learners(ROOT / "config" / "learners.yaml")
names = ["no_change", "majority", "every_other"]
learners = make_learners({name: rows[name].to_dict() for name in names})
predictions, _ = run_learners(Sea().stream(500), prequential(500), learners)
curves = windowed(predictions, names, ["accuracy"], window=100, points=20)
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
    """A copy of the package with the learner that the walk adds."""
    line, row, module = walks.blocks("**A learner of the package**")
    learners = walks.copy_package(tmp_path) / "learners"
    (learners / "every_other.py").write_text(module, encoding="utf-8")
    walks.register(learners / "registry.py", line, "        },\n        (REGRESSION,)")
    with (tmp_path / "config" / "learners.yaml").open("a", encoding="utf-8") as rows:
        rows.write(f"\n{row}")
    return tmp_path


def test_the_walk_adds_a_learner(copy):
    (copy / "five.csv").write_text("x,y\n1,a\n2,b\n3,b\n4,b\n5,a\n", encoding="utf-8")
    words = ("evaluate", "five.csv", "--target", "y", "--learner", "every_other", "--json")
    result = walks.read(copy, "-m", "streameval", *words)
    assert result["learners"]["every_other"]["accuracy"] == 4 / 5  # a b a b a
    colors = walks.read(copy, "-c", DRAW)
    assert colors["found"] == colors["expected"]
    assert len(set(colors["expected"])) == 3
