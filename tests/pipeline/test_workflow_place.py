"""The workflow finds its own files from wherever, and by whatever Snakefile, it is called."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from helpers.projects import copy_project, two_items

from streameval.base.settings import ROOT

pytestmark = pytest.mark.workflow

#: Cheap to make, and it needs the package, the configuration and the published numbers.
TABLE = "results/tables/two/table1.csv"


@pytest.fixture(scope="module")
def environment():
    """As in a shell of somebody who knows nothing of this project's package."""
    names = {"STREAMEVAL_DATA", "PYTHONPATH", "STREAMEVAL_RUN"}
    return {key: value for key, value in os.environ.items() if key not in names}


@pytest.fixture
def project(tmp_path):
    """A copy of the project with a package of its own, marked, as its results must come from it."""
    project = copy_project(tmp_path / "project")
    (project / "src").unlink()
    shutil.copytree(ROOT / "src", project / "src", ignore=shutil.ignore_patterns("kernels-*"))
    tables = project / "src" / "streameval" / "view" / "files.py"
    text = tables.read_text(encoding="utf-8")
    tell = f"import sys\nif '/scripts/' in sys.argv[0]:\n    print('from', {str(project)!r})\n"
    tables.write_text(text + tell, encoding="utf-8")
    two_items(project)
    return project


@pytest.fixture
def elsewhere(tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def snakemake(
    folder: Path, environment: dict[str, str], *words: str | Path, python: str = sys.executable
) -> str:
    finished = subprocess.run(
        [python, "-m", "snakemake", *map(str, words)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    output = finished.stdout + finished.stderr
    assert finished.returncode == 0, output
    return output


def config_of(project: Path) -> list[str | Path]:
    return ["--configfile", project / "config" / "two.yaml", "--cores", "1"]


def test_the_inner_snakefile_with_another_directory(project, elsewhere, environment):
    words = [*config_of(project), "--snakefile", "workflow/Snakefile", "--directory", elsewhere]
    said = snakemake(project, environment, *words, TABLE)
    assert f"from {project}" in said  # and not from the package that is installed
    assert (elsewhere / TABLE).is_file()
    assert not (project / "results").exists()
    assert "profiles/default" in said  # that of the project


def deploy(
    project: Path, folder: Path, snakefile: str, renamed: str = "", prefix: str = ""
) -> list[str]:
    """Write what the catalog's deployment writes, and return how to call it."""
    shutil.copytree(project / "config", folder / "config")
    (folder / "workflow").mkdir()
    below = f"    prefix:\n        {prefix!r}\n" if prefix else ""
    (folder / "workflow" / "Snakefile").write_text(
        'configfile: "config/config.yaml"\n\n\n'
        f"module streameval:\n    snakefile:\n        {snakefile}\n"
        f"    config:\n        config\n{below}\n\nuse rule * from streameval{renamed}\n",
        encoding="utf-8",
    )
    return ["--configfile", "config/two.yaml", "--cores", "1"]


def test_as_a_module_of_another_workflow_with_other_names_and_folders(
    project, elsewhere, environment
):
    snakefile = repr(str(project / "workflow/Snakefile"))
    words = deploy(project, elsewhere, snakefile, " as streameval_*", "below/")
    said = snakemake(elsewhere, environment, *words, f"below/{TABLE}")
    assert "streameval_tabulate_" in said
    assert f"from {project}" in said
    assert (elsewhere / "below" / TABLE).is_file()
    assert not (elsewhere / "results").exists()


def test_as_a_module_from_a_git_host(project, elsewhere, environment, tmp_path):
    # As if Snakemake had cloned it: there is no network in a test.
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"], ["tag", "v1"]):
        subprocess.run([*git, *words], cwd=project, check=True)
    cache = tmp_path / "cache" / "snakemake" / "snakemake" / "source-cache"
    clone = cache / "snakemake-git-cache" / "github.com" / "them" / "streameval"
    subprocess.run([*git, "clone", "-q", "--bare", project, clone], check=True)
    there = 'github("them/streameval", path="workflow/Snakefile", tag="v1")'
    words = deploy(project, elsewhere, there)
    shutil.move(project, tmp_path / "gone")
    said = snakemake(
        elsewhere, environment | {"XDG_CACHE_HOME": str(tmp_path / "cache")}, *words, TABLE
    )
    assert f"from {project}" in said  # as the copy says that was unpacked
    assert (elsewhere / TABLE).is_file()


def test_from_another_folder_without_an_installed_package(
    project, elsewhere, environment, tmp_path
):
    # Everything that is installed here, but for the package.
    venv.create(tmp_path / "bare", symlinks=True)
    python = tmp_path / "bare" / "bin" / "python"
    (site,) = (tmp_path / "bare" / "lib").glob("python*/site-packages")
    for path in Path(pytest.__file__).parents[1].iterdir():
        if "streameval" not in path.name:
            (site / path.name).symlink_to(path)
    alone = [python, "-c", "import streameval"]
    assert subprocess.run(alone, env=environment, capture_output=True, check=False).returncode
    words = ["--snakefile", project / "Snakefile", *config_of(project), TABLE]
    assert f"from {project}" in snakemake(elsewhere, environment, *words, python=str(python))
    assert (elsewhere / TABLE).is_file()


def test_another_package_that_is_loaded_already_is_refused(project, environment):
    snakefile = project / "Snakefile"
    foreign = f"import sys\nsys.path.insert(0, {str(ROOT / 'src')!r})\nimport streameval\n\n\n"
    snakefile.write_text(foreign + snakefile.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(AssertionError, match="package streameval of this project"):
        snakemake(project, environment, *config_of(project), "--dry-run")
