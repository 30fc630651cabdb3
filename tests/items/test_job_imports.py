"""What a job imports that draws or lays out tables: each module is paid for in every such job."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from helpers.all_kinds import VALIDATION, all_kinds

from streameval.base.settings import ROOT

#: What learners are compiled by, and parts of packages that few drawings and tables use.
NEVER = {"numba", "llvmlite", "seaborn", "scipy.stats", "scipy.linalg", "jsonschema", "snakemake"}
#: The family whose drawings and layouts share the arithmetic of its studies.
SHARED = "streameval.items.propositions.show"
SHOWING = {kind.show_module for kind in all_kinds().values()} - {SHARED}

CODE = """
import importlib, json, sys
head, found, _ = open(sys.argv[1], encoding="utf-8").read().partition("with job")
assert found
exec(head)
sys.path.append(sys.argv[2])
for name in sys.argv[3:]:
    importlib.import_module(name)
print(json.dumps([*sys.modules]))
"""


@pytest.mark.parametrize("script", ["draw", "tabulate"])
def test_jobs_that_only_show_import_nothing_that_computes(script):
    words = [str(ROOT / "workflow" / "scripts" / f"{script}.py"), str(VALIDATION)]
    words += sorted(SHOWING)
    ran = subprocess.run(
        [sys.executable, "-c", CODE, *words], check=True, capture_output=True, text=True
    )
    modules = {*json.loads(ran.stdout)}
    assert {"matplotlib", "pandas"} | SHOWING < modules
    assert modules & NEVER == set()
