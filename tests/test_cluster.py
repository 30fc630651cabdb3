"""The profile of a cluster."""

from __future__ import annotations

import yaml

from streameval.base.settings import ROOT


def profile(name: str) -> dict:
    return yaml.safe_load((ROOT / "profiles" / name / "profile.yaml").read_text(encoding="utf-8"))


def test_the_profile_extends_the_default_one():
    default, slurm = profile("default"), profile("slurm")
    assert default
    assert {key: slurm.get(key) for key in default} == default
    assert slurm["slurm-status-command"] == "squeue"  # accounts that nobody keeps are not awaited
    assert {"mem_mb", "runtime"} <= set(slurm["default-resources"])


def test_the_page_names_the_profile_and_the_list_of_its_plugins():
    text = (ROOT / "docs" / "howto" / "cluster.md").read_text(encoding="utf-8")
    assert "--workflow-profile profiles/slurm" in text
    assert "requirements-slurm.txt" in text
