"""The studies in `examples/benchmark`, run as their user does, at a small size."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest
import yaml
from helpers.distributions import build
from helpers.latex import read_latex

from streameval.base.settings import ROOT
from streameval.base.sources import cache_folder
from streameval.cli.run import check_setup

EXAMPLES = ROOT / "examples" / "benchmark"


def run(folder, study, environment, *words):
    call = [sys.executable, "-m", "streameval", "run", study, "--cores", "2", *words]
    finished = subprocess.run(
        call, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout + finished.stderr


@pytest.fixture(name="folder")
def _folder(tmp_path):
    for path in EXAMPLES.iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path


@pytest.fixture(name="from_wheel")
def _from_wheel(environment, folder, tmp_path_factory):
    """The environment of a user who has installed the built wheel, and no clone."""
    place = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(build(ROOT, place / "built", "wheel")[".whl"]) as archive:
        archive.extractall(place / "packages")
    # The same sources: what the clone has compiled is theirs, too.
    (place / "kernels").mkdir()
    (place / "kernels" / "streameval").symlink_to(cache_folder())
    variables = environment | {"PYTHONPATH": str(place / "packages")}
    variables |= {"NUMBA_CACHE_DIR": str(place / "kernels")}
    code = "import streameval; print(streameval.__file__)"
    where = subprocess.check_output([sys.executable, "-c", code], cwd=folder, env=variables)
    assert Path(where.decode().strip()).is_relative_to(place / "packages")
    return variables


@pytest.mark.parametrize(
    ("name", "most"), [("study.yaml", 30), ("capymoa.yaml", 40), ("river.yaml", 40)]
)
def test_the_studies_are_short_and_their_files_right(folder, monkeypatch, capsys, name, most):
    if name == "river.yaml":
        pytest.importorskip("river")
    assert len((folder / name).read_text(encoding="utf-8").splitlines()) <= most
    monkeypatch.chdir(folder)
    assert check_setup([folder / name], contents=True).items
    assert capsys.readouterr().err == ""


def test_the_page_shows_the_study():
    study = (EXAMPLES / "study.yaml").read_text(encoding="utf-8")
    page = (ROOT / "docs/howto/benchmark.md").read_text(encoding="utf-8")
    assert f"```yaml\n{study}```" in page


@pytest.mark.workflow
@pytest.mark.long("a study is run from its first job to its page")
def test_published_values_of_capymoa_are_ours(folder, environment):
    study = yaml.safe_load((folder / "capymoa.yaml").read_text(encoding="utf-8"))
    item = study["items"]["capymoa"]["table1"]
    item["learners"] = ["naive_bayes", "ht", "hat", "knn_3", "bag_5"]  # within seconds
    (folder / "capymoa.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    run(folder, "capymoa.yaml", environment)
    table = pd.read_csv(folder / "results" / "tables" / "capymoa" / "table1.csv")
    assert set(table["learner"]) == {*item["learners"], "no_change", "majority"}
    assert set(table["agreement"]) == {"reproduced"}
    assert (table["difference"] == 0).all()


@pytest.mark.workflow
@pytest.mark.long("a study is run from its first job to its page")
def test_the_main_table_at_a_small_size_from_the_wheel(folder, from_wheel):
    study = yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))
    study["seeds"] = 2
    study["streams"]["sea"]["rows"] = 1000
    item = study["items"]["main"]["table1"]
    item |= {"streams": ["sea"], "learners": ["naive_bayes", "leveraging_bagging"]}
    study["items"]["main"] = {name: study["items"]["main"][name] for name in ("table1", "table2")}
    (folder / "study.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    run(folder, "study.yaml", from_wheel)
    results = folder / "results"
    scores = pd.read_csv(results / "data" / "main" / "table1" / "scores.csv")
    seeds = scores[scores["measure"] == "accuracy"].groupby("learner")["seed"].apply(list)
    assert seeds.to_dict() == {
        "naive_bayes": [1],
        "leveraging_bagging": [1, 2],
        "no_change": [1],
        "majority": [1],
    }
    assert "± " in read_latex((results / "tables/main/table1.tex").read_text(encoding="utf-8"))
    digests = (results / "summary" / "main" / "digests.json").read_text(encoding="utf-8")
    assert "tables/main/table1.csv" in digests
    assert "table2.csv" not in digests  # no two runs take the same times
    assert (results / "tables" / "main" / "table2.html").stat().st_size > 0
    assert (folder / "figures" / "main" / "table1" / "ranks.svg").stat().st_size > 0
    assert len([*results.rglob("predictions/**/seed-2/sea.prequential.parquet")]) == 1
