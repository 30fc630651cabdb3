"""The profiles for other machines, and the word that their tests say where they cannot run."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
import yaml

from streameval.base.settings import ROOT


def profile(name: str) -> dict:
    return yaml.safe_load((ROOT / "profiles" / name / "profile.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["cloud", "slurm"])
def test_the_profile_repeats_the_default_one(name):
    default = profile("default")
    assert default
    assert {key: profile(name).get(key) for key in default} == default


def test_the_profile_does_not_wait_for_accounts_that_nobody_keeps():
    assert profile("slurm")["slurm-status-command"] == "squeue"


@pytest.mark.parametrize("name", ["cloud", "slurm"])
def test_each_job_asks_for_memory_and_time(name):
    assert {"mem_mb", "runtime"} <= set(profile(name)["default-resources"])


def test_jobs_of_a_cloud_find_nothing_but_storage():
    chosen = profile("cloud")
    assert chosen["shared-fs-usage"] == "none"
    assert chosen["default-storage-provider"] == "s3"
    # What differs from place to place stands in the command.
    assert not {"executor", "default-storage-prefix", "container-image"} & set(chosen)


@pytest.mark.parametrize("name", ["cloud", "slurm"])
def test_the_page_names_the_profile_and_the_list_of_its_plugins(name):
    page = {"cloud": "cloud", "slurm": "cluster"}[name]
    text = (ROOT / "docs" / "howto" / f"{page}.md").read_text(encoding="utf-8")
    assert f"--workflow-profile profiles/{name}" in text
    assert f"requirements-{name}.txt" in text


@pytest.mark.parametrize(
    ("name", "about"), [("cloud", "without a shared disk"), ("slurm", "of SLURM")]
)
def test_without_its_programs_the_test_is_skipped_in_one_line(tmp_path, name, about):
    for program in ("bash", "dirname"):
        (tmp_path / program).symlink_to(shutil.which(program))
    done = subprocess.run(
        [ROOT / "tests" / "cluster" / f"{name}.sh"],
        env=os.environ | {"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(f"The test {about} is skipped: ")
    assert done.stdout.count("\n") == 1
    assert not done.stderr
