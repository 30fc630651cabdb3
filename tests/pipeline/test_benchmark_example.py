"""The studies in `examples/benchmark`; `test_own_study` runs their main table at a small size."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from streameval.base.settings import ROOT
from streameval.cli.run import check_setup
from streameval.evaluation.run import run_learners
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.configuration import merge_files
from streameval.pipeline.plan import make_plan
from streameval.protocols.registry import parse
from streameval.streams.making import convert

EXAMPLES = ROOT / "examples" / "benchmark"
#: Learners of CapyMOA's table that take no second.
OF_CAPYMOA = ["naive_bayes", "ht", "hat", "knn_3", "bag_5", "no_change", "majority"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the studies, in which we are."""
    monkeypatch.chdir(shutil.copytree(EXAMPLES, tmp_path / "benchmark"))
    return Path.cwd()


@pytest.mark.parametrize(
    ("name", "most"), [("study.yaml", 30), ("capymoa.yaml", 40), ("river.yaml", 40)]
)
def test_the_studies_are_short_and_their_files_right(folder, capsys, name, most):
    if name == "river.yaml":
        pytest.importorskip("river")
    assert len((folder / name).read_text(encoding="utf-8").splitlines()) <= most
    assert check_setup([folder / name], contents=True).items
    assert capsys.readouterr().err == ""


def test_the_page_shows_the_study():
    study = (EXAMPLES / "study.yaml").read_text(encoding="utf-8")
    page = (ROOT / "docs/howto/benchmark.md").read_text(encoding="utf-8")
    assert f"```yaml\n{study}```" in page


def test_published_values_of_capymoa_are_ours(folder):
    file = folder / "capymoa.yaml"
    plan = make_plan(merge_files([file]), decide=False, files=[file])
    (name,) = plan.streams
    stream = convert(plan.registry[name], plan.bundled_file(name))
    rows = plan.learners_of(name, "prequential")
    learners = {learner: LearnerSpec(**rows[learner]).make() for learner in OF_CAPYMOA}
    table, _ = run_learners(stream, parse("prequential"), learners)
    ours = {learner: 100 * (table.predicted[learner] == table.true).mean() for learner in learners}
    values = pd.read_csv(folder / "capymoa.csv", index_col="learner")["value"].str.rstrip("%")
    assert ours == pytest.approx(values.astype(float)[OF_CAPYMOA].to_dict(), abs=0.005)
