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
#: Learners of CapyMOA's table that take no second.
OF_CAPYMOA = ["naive_bayes", "ht", "hat", "knn_3", "bag_5"]


def run(folder, study, environment, *words):
    call = [sys.executable, "-m", "streameval", "run", study, "--cores", "2", *words]
    finished = subprocess.run(
        call, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout + finished.stderr


@pytest.fixture(name="folder")
def _folder(tmp_path):
    return copy_examples(tmp_path)


def copy_examples(folder):
    for path in EXAMPLES.iterdir():
        shutil.copy(path, folder)
    return folder


def user_of_the_wheel(environment, folder, place):
    """The environment of a user who has installed the built wheel, and no clone."""
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


@pytest.fixture(scope="module")
def results(environment, tmp_path_factory):
    """The results of the main table and of CapyMOA's, small, in one run from the built wheel."""
    folder = copy_examples(tmp_path_factory.mktemp("benchmark"))
    main, other = (
        yaml.safe_load((folder / f"{name}.yaml").read_text(encoding="utf-8"))
        for name in ("study", "capymoa")
    )
    main["streams"]["sea"]["rows"] = 1000
    table = main["items"]["main"]["table1"]
    table |= {"streams": ["sea"], "learners": ["naive_bayes", "leveraging_bagging"], "seeds": 2}
    of_capymoa = other["items"]["capymoa"]["table1"]
    of_capymoa["learners"] = OF_CAPYMOA
    study = other | {
        "studies": ["main", "capymoa"],
        "streams": main["streams"] | other["streams"],
        "items": {
            "main": {name: main["items"]["main"][name] for name in ("table1", "table2")},
            **other["items"],
        },
    }
    (folder / "both.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    run(
        folder,
        "both.yaml",
        user_of_the_wheel(environment, folder, tmp_path_factory.mktemp("wheel")),
    )
    return folder / "results"


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
@pytest.mark.long("two studies are run from their first jobs to their pages")
def test_published_values_of_capymoa_are_ours(results):
    table = pd.read_csv(results / "tables" / "capymoa" / "table1.csv")
    assert set(table["learner"]) == {*OF_CAPYMOA, "no_change", "majority"}
    assert set(table["agreement"]) == {"reproduced"}
    assert (table["difference"] == 0).all()


@pytest.mark.workflow
def test_the_main_table_at_a_small_size(results):
    scores = pd.read_csv(results / "data" / "main" / "table1" / "scores.csv")
    seeds = scores[scores["measure"] == "accuracy"].groupby("learner")["seed"].apply(list)
    assert seeds.to_dict() == {
        "naive_bayes": [1],
        "leveraging_bagging": [1, 2],
        "no_change": [1],
        "majority": [1],
    }
    assert "± " in read_latex((results / "tables/main/table1.tex").read_text(encoding="utf-8"))
    (digests,) = (results / "summary").glob("*/digests.json")
    digested = digests.read_text(encoding="utf-8")
    assert "tables/main/table1.csv" in digested
    assert "table2.csv" not in digested  # no two runs take the same times
    assert (results / "tables" / "main" / "table2.html").stat().st_size > 0
    assert (results.parent / "figures" / "main" / "table1" / "ranks.svg").stat().st_size > 0
    assert len([*results.rglob("predictions/**/seed-2/sea.prequential.parquet")]) == 1
