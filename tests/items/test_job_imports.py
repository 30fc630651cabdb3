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


#: Jobs that read no tables: pandas takes most of the time that such a job needs.
WITHOUT_TABLES = ["check_failures", "convert_stream", "digest_results", "write_run"]


def imported(script, *modules):
    """The modules that the script of a job imports, after it has imported some by name."""
    words = [str(ROOT / "workflow" / "scripts" / f"{script}.py"), str(VALIDATION), *modules]
    ran = subprocess.run(
        [sys.executable, "-c", CODE, *words], check=True, capture_output=True, text=True
    )
    return {*json.loads(ran.stdout)}


@pytest.mark.parametrize("script", WITHOUT_TABLES)
def test_jobs_without_tables_do_not_import_pandas(script):
    assert not imported(script) & {"pandas", "matplotlib", "numba"}


@pytest.mark.parametrize("script", ["draw", "tabulate"])
def test_jobs_that_only_show_import_nothing_that_computes(script):
    modules = imported(script, *sorted(SHOWING))
    assert {"matplotlib", "pandas"} | SHOWING < modules
    assert modules & NEVER == set()
