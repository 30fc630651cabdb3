"""The walks "A new item" and "A new kind" of CONTRIBUTING.md."""

from __future__ import annotations

import shutil

import pytest
from helpers import walks

from streameval.base.settings import ROOT
from streameval.base.table_files import read_csv
from streameval.pipeline.configuration import merged
from streameval.pipeline.plan import make_plan

MODULES = ("__init__.py", "label_runs.py", "show.py")
CSV = "hour,rain\n1,no\n2,no\n3,yes\n4,yes\n5,yes\n6,yes\n7,no\n8,yes\n"


def test_an_item_is_a_block_of_yaml(tmp_path, monkeypatch):
    (block,) = walks.blocks("## A new item\n", "yaml")
    file = tmp_path / "item.yaml"
    file.write_text(block, encoding="utf-8")
    monkeypatch.chdir(tmp_path)  # where no run has decided which streams can be had
    config = {**merged([file]), "studies": "all"}
    item = make_plan(config, decide=False, files=[file]).items["beyond/persistence"]
    assert (item.kind.name, item.settings.orders) == ("dependence", 20)
    assert item.streams == ("elec2", "markov_elec2")


@pytest.fixture
def copy(tmp_path):
    """A copy of the project with the kind that the walk adds, and a study that uses it."""
    *parts, own = walks.blocks("## A new kind\n", "(?:python|yaml)")
    family = walks.copy_package(tmp_path) / "items" / "label_runs"
    family.mkdir()
    for name, part in zip(MODULES, parts, strict=True):
        (family / name).write_text(part, encoding="utf-8")
    for name in ("workflow", "profiles"):
        shutil.copytree(ROOT / name, tmp_path / name, dirs_exist_ok=True)
    for name in ("Snakefile", "environment.yml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "mine.yaml").write_text(own, encoding="utf-8")
    (tmp_path / "weather.csv").write_text(CSV, encoding="utf-8")
    return tmp_path


@pytest.mark.workflow
def test_the_walk_adds_a_kind(copy):
    walks.run(copy, "-m", "streameval.items.document")
    described = (copy / "config" / "kinds.md").read_text(encoding="utf-8")
    assert "## label_runs\n\nHistogram of the lengths of runs of equal labels. It" in described
    assert "| `longest` | whole number from 1 | `50` | Length of the last bar" in described
    page = "results/summary/mine/mine.html"
    words = ("--cores", "1", "--configfile", "mine.yaml", "--", page)
    walks.run(copy, "-m", "snakemake", *words)
    runs = read_csv(copy / "results" / "data" / "mine" / "fig1" / "weather.runs.csv")
    # Runs of 2, 4, 1 and 1 labels; the one of 4 counts as 3.
    assert runs.to_dict("list") == {"length": [1, 2, 3], "count": [2, 1, 1]}
    drawn = copy / "figures" / "mine" / "fig1"
    assert {"weather.svg", "weather.pdf"} <= {path.name for path in drawn.iterdir()}
    shown = (copy / page).read_text(encoding="utf-8")
    assert "the last bar counts those of 3 or more" in shown
