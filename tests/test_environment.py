"""The three lists of dependencies say the same."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml

from streameval.base.settings import ROOT

#: Packages that conda knows under another name.
CONDA_NAMES = {"snakemake": "snakemake-minimal"}


def pins(file: str) -> dict[str, str]:
    text = (ROOT / file).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", "-r"))]
    assert all(line.count("==") == 1 for line in lines)
    return {name.lower(): version for name, version in (line.split("==") for line in lines)}


def ranges(*groups: str) -> dict[str, str]:
    """The packages of some extras, or of the "core", with the versions that they ask for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {"core": project["dependencies"], **project["optional-dependencies"]}
    wanted = [line for group in groups for line in extras[group]]
    parts = [re.fullmatch(r"([\w.-]+)(.*)", line) for line in wanted]
    return {part[1].lower(): part[2] for part in parts if part}


def as_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


def test_every_dependency_is_pinned_within_its_range():
    groups = {
        "requirements.txt": ["core", "pipeline"],
        "requirements-docs.txt": ["docs"],
        "requirements-slurm.txt": ["slurm"],
        "requirements-test.txt": ["test", "quality", "river", "sklearn"],
    }
    for file, names in groups.items():
        pinned = pins(file)
        for name, wanted in ranges(*names).items():
            assert as_numbers(pinned[name]) >= as_numbers(wanted), name


def test_conda_has_the_same_versions():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    conda = dict(re.fullmatch(r"([\w.-]+) =(\S+)", line).groups() for line in listed[1:])
    pinned = pins("requirements.txt")
    expected = {CONDA_NAMES.get(name, name): pinned[name] for name in ranges("core", "pipeline")}
    assert conda == expected
    assert listed[0] == "python >=3.11"


@pytest.mark.parametrize(
    "file", ["requirements-docs.txt", "requirements-slurm.txt", "requirements-test.txt"]
)
def test_what_is_installed_on_top_is_not_among_what_runs(file):
    assert not set(pins("requirements.txt")) & set(pins(file))
    assert "-r requirements.txt\n" in (ROOT / file).read_text(encoding="utf-8")
