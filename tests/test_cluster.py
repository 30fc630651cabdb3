"""The profile of a cluster, and the word that its test says where it cannot run."""

from __future__ import annotations

import os
import shutil
import subprocess

import yaml

from streameval.base.settings import ROOT


def profile(name: str) -> dict:
    return yaml.safe_load((ROOT / "profiles" / name / "profile.yaml").read_text(encoding="utf-8"))


def test_the_profile_repeats_the_default_one():
    default = profile("default")
    assert default
    assert {key: profile("slurm").get(key) for key in default} == default


def test_the_profile_does_not_wait_for_accounts_that_nobody_keeps():
    assert profile("slurm")["slurm-status-command"] == "squeue"


def test_each_job_asks_for_memory_and_time():
    assert {"mem_mb", "runtime"} <= set(profile("slurm")["default-resources"])


def test_the_page_names_the_profile_and_the_list_of_its_plugins():
    text = (ROOT / "docs" / "howto" / "cluster.md").read_text(encoding="utf-8")
    assert "--workflow-profile profiles/slurm" in text
    assert "requirements-slurm.txt" in text


def test_without_its_programs_the_test_is_skipped_in_one_line(tmp_path):
    for program in ("bash", "dirname"):
        (tmp_path / program).symlink_to(shutil.which(program))
    done = subprocess.run(
        [ROOT / "tests" / "cluster" / "slurm.sh"],
        env=os.environ | {"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("The test of SLURM is skipped: ")
    assert done.stdout.count("\n") == 1
    assert not done.stderr
