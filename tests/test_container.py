"""The recipe of the image installs the same as the Makefile, from the copied files."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch

import pytest

from streameval.base.settings import ROOT

RECIPE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HATCH = PROJECT["tool"]["hatch"]
#: Where the recipe puts the project.
PLACE = "/opt/streameval/"


def installs(text: str) -> list[str]:
    """The words of each call of pip install, without options, places and `--editable`."""
    calls = re.findall(r"pip install (.*)", text)
    return [
        " ".join(
            word.removeprefix(PLACE)
            for word in call.replace(PLACE.rstrip("/") + "\n", ".\n").split()
            if not word.startswith("--") or word == "--no-deps"
        )
        for call in (f"{call}\n" for call in calls)
    ]


def is_given(path: str) -> bool:
    """Whether Docker copies a path: the last pattern that fits decides."""
    parents = [path, *(str(parent) for parent in (ROOT / path).relative_to(ROOT).parents)]
    is_copied = True
    for line in IGNORED.splitlines():
        pattern = line.removeprefix("!")
        if line and not line.startswith("#") and any(fnmatch(p, pattern) for p in parents):
            is_copied = line.startswith("!")
    return is_copied


def test_the_image_installs_what_the_makefile_does():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    wanted = ["-r requirements.txt", "--no-deps ."]
    assert installs(RECIPE) == wanted
    assert installs(makefile)[:2] == wanted
    assert "==" not in RECIPE, "versions stand in the lists of requirements alone"


def test_the_image_has_a_python_that_the_package_asks_for():
    version = re.search(r"^FROM python:(\d+)\.(\d+)-slim", RECIPE, re.MULTILINE)
    wanted = re.search(r">=(\d+)\.(\d+)", PROJECT["project"]["requires-python"])
    assert version, RECIPE
    assert tuple(map(int, version.groups())) >= tuple(map(int, wanted.groups()))


@pytest.mark.parametrize(
    "path",
    [
        "requirements.txt",
        "pyproject.toml",
        *(part["path"] for part in HATCH["metadata"]["hooks"]["fancy-pypi-readme"]["fragments"]),
        *PROJECT["project"]["license-files"],
        *HATCH["build"]["targets"]["wheel"]["only-include"],
        *HATCH["build"]["targets"]["wheel"]["force-include"],
    ],
)
def test_docker_copies_the_files_that_the_package_is_built_from(path):
    assert is_given(path)
    assert (ROOT / path).exists()


def test_docker_copies_the_targets_of_links_of_the_workflow():
    links = [path for path in (ROOT / "workflow").rglob("*") if path.is_symlink()]
    assert links
    for link in links:
        assert is_given(str(link.resolve().relative_to(ROOT.resolve()))), link


def test_docker_is_given_no_results():
    for path in (".git", ".venv", "results", "resources/raw", "src/__pycache__"):
        assert not is_given(path), path
