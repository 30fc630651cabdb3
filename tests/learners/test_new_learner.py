"""The walk "A new learner" of CONTRIBUTING.md, and the learner of `examples/extend/learner`."""

from __future__ import annotations

import runpy
import sys
from functools import partialmethod

import numpy as np
import pandas as pd
import pytest
from helpers import walks

import streameval as se
from streameval.base.settings import ROOT
from streameval.learners.learner import CompiledLearner
from streameval.pipeline.configuration import merged
from streameval.pipeline.plan import make_plan

#: Draws the curves of the new learner beside two others, as the pipeline does.
DRAW = """
import json
from matplotlib.colors import to_hex
from streameval.learners.registry import load_learners, make_learners
from streameval.protocols.prequential import prequential
from streameval.drawing.curves import measure_curves
from streameval.drawing.looks import learner_look, looks_apart
from streameval.base.settings import ROOT
from streameval.learners.learner import CompiledLearner
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


@pytest.fixture
def example(monkeypatch):
    """The folder of the compiled learner, as the working folder; its module is there and gone."""
    folder = ROOT / "examples" / "extend" / "learner"
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    yield folder
    sys.modules.pop("fast_mean", None)


@pytest.mark.parametrize("fading", [1.0, 0.9])
@pytest.mark.parametrize("protocol", ["prequential", "delayed:7", "bootstrap_validation:2"])
def test_the_compiled_learner_of_the_example_predicts_as_the_plain_one(example, protocol, fading):
    from fast_mean import FastMean

    plain = runpy.run_path(str(ROOT / "examples" / "nearest_mean.py"))["NearestMean"]
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4))
    y = np.where(X[:, 0] + rng.normal(size=300) < 0, "a", np.where(X[:, 1] < 0, "b", "c"))
    X[rng.random(X.shape) < 0.1] = np.nan
    frame = pd.DataFrame(X, columns=[*"stuv"]).assign(label=y)
    defaults = {"__init__": partialmethod(plain.__init__, fading=fading)}
    twin = type("Twin", (plain,), defaults)
    stream = se.from_pandas(frame, "label")
    evaluated = se.evaluate(stream, {"plain": twin, "fast": FastMean(fading=fading)}, protocol)
    predictions = evaluated.predictions
    assert predictions["plain"].nunique() == 3
    pd.testing.assert_series_equal(
        predictions["fast"], predictions["plain"], check_names=False, check_dtype=False
    )


def test_the_study_of_the_compiled_learner_is_planned(example):
    file = example / "study.yaml"
    plan = make_plan(merged([file]), decide=False, files=[file])
    row = plan.learners["fast_mean"]
    learner = row.make()
    assert isinstance(learner, CompiledLearner)
    assert (type(learner).__name__, learner.fading) == ("FastMean", 0.999)
    assert "fast_mean" in plan.learners_of("elec2", "prequential")
    assert [path.name for path in row.code()] == ["fast_mean.py"]
