"""The walk "A new item" of CONTRIBUTING.md, and the kinds of `examples/extend/kind`."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys

import numpy as np
import pytest
from helpers import walks

from streameval.base.settings import ROOT
from streameval.base.table_files import read_csv
from streameval.pipeline.configuration import merged
from streameval.pipeline.plan import make_plan

EXAMPLE = ROOT / "examples" / "extend" / "kind"
CSV = "hour,rain\n1,no\n2,no\n3,yes\n4,yes\n5,yes\n6,yes\n7,no\n8,yes\n"
STREAMS = "streams:\n  weather: {file: weather.csv, title: Weather, target: rain}\n"
STUDY = (EXAMPLE / "study.yaml").read_text(encoding="utf-8")


def test_an_item_is_a_block_of_yaml(tmp_path, monkeypatch):
    (block,) = walks.blocks("## A new item\n", "yaml")
    file = tmp_path / "item.yaml"
    file.write_text(block, encoding="utf-8")
    monkeypatch.chdir(tmp_path)  # where no run has decided which streams can be had
    config = {**merged([file]), "studies": "all"}
    item = make_plan(config, decide=False, files=[file]).items["beyond/persistence"]
    assert (item.kind.name, item.settings.orders) == ("dependence", 20)
    assert item.streams == ("elec2", "markov_elec2")


@pytest.mark.parametrize("longest", [1, 3, 8])
def test_expected_runs_are_the_mean_over_all_streams_of_independent_labels(longest):
    """All streams of eight labels of two classes, each with its probability."""
    kind = runpy.run_path(str(EXAMPLE / "label_runs.py"))
    n, p = 8, np.array([0.3, 0.7])
    expected = np.zeros(longest)
    for number in range(2**n):
        labels = np.array([number >> i & 1 for i in range(n)], np.int32)
        expected += np.prod(p[labels]) * kind["runs_by_length"](labels, longest)
    assert kind["expected_runs"](p, n, longest) == pytest.approx(expected)


@pytest.mark.workflow
@pytest.mark.long("Snakemake runs a study, and plans it twice")
def test_the_kinds_of_the_example_are_shown_and_run_again_when_they_are_edited(tmp_path):
    """The study of the example, of a stream that can be counted by hand."""
    folder = shutil.copytree(EXAMPLE, tmp_path / "kind")
    study = STREAMS + STUDY.replace("streams: [elec2, ozone]", "streams: [weather]")
    (folder / "study.yaml").write_text(study.replace("longest: 100", "longest: 3"))
    (folder / "weather.csv").write_text(CSV, encoding="utf-8")

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "streameval", "run", "study.yaml", *words],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("--cores", "1")
    runs = read_csv(folder / "results" / "data" / "label_runs" / "fig1" / "weather.runs.csv")
    # Runs of 2, 4, 1 and 1 labels; the one of 4 counts as 3.
    assert runs["length"].tolist() == [1, 2, 3]
    assert runs["count"].tolist() == [2, 1, 1]
    table = read_csv(folder / "results" / "tables" / "label_runs" / "table1.csv")
    assert table[["stream", "runs"]].to_numpy().tolist() == [["weather", 4]]
    # A new run begins at each of 7 places with probability 2 * 3/8 * 5/8.
    assert table["independent"].tolist() == pytest.approx([1 + 7 * 2 * 3 / 8 * 5 / 8])
    pictures = folder / "figures" / "label_runs" / "fig1"
    assert {"weather.svg", "weather.pdf"} <= {path.name for path in pictures.iterdir()}
    page = (folder / "results/summary/label_runs/label_runs.html").read_text(encoding="utf-8")
    assert "Stream weather: number of runs of equal labels" in page
    assert "those of 3 labels or more" in page
    assert "A ratio below 1 means that labels persist." in page
    assert '<a href="../../../label_runs_show.py">label_runs_show.py</a>' in page

    showing = {"Figures of label_runs: fig1", "Tables of label_runs", "Writing the pages"}
    computing = {"Tracing weather"}
    for name, expected in (
        ("label_runs_show.py", showing),
        ("label_runs.py", showing | computing),
    ):
        file = folder / name
        before = file.read_text(encoding="utf-8")
        file.write_text(f"{before}# Edited.\n", encoding="utf-8")
        planned = {line.strip() for line in run("--dry-run").splitlines()}
        assert planned & (showing | computing) == expected
        file.write_text(before, encoding="utf-8")
