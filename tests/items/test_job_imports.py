"""What a job imports that draws or lays out tables: each module is paid for in every such job."""

from __future__ import annotations

import json
import subprocess
import sys

from helpers.all_kinds import VALIDATION, all_kinds

from streameval.base.settings import ROOT

#: What learners are compiled by, and parts of packages that few drawings and tables use.
NEVER = {"numba", "llvmlite", "seaborn", "scipy.stats", "scipy.linalg", "jsonschema", "snakemake"}
#: The family whose drawings and layouts share the arithmetic of its studies.
SHARED = "streameval.items.propositions.show"
SHOWING = {kind.show_module for kind in all_kinds().values()} - {SHARED}

CODE = """
import importlib, json, pathlib, sys
validation, scripts, modules = json.loads(sys.argv[1])
sys.path.append(validation)
for script in scripts:
    head, found, _ = pathlib.Path(script).read_text(encoding="utf-8").partition("with job")
    assert found
    exec(head)
for module in modules:
    importlib.import_module(module)
print(json.dumps([*sys.modules]))
"""


def imported(scripts, modules=()):
    """The modules that the scripts of jobs import, after they have imported some by name."""
    paths = [str(ROOT / "workflow" / "scripts" / f"{name}.py") for name in scripts]
    words = [sys.executable, "-c", CODE, json.dumps([str(VALIDATION), paths, [*modules]])]
    return {*json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)}


def test_jobs_without_tables_do_not_import_pandas():
    """It takes most of the time that such a job needs."""
    scripts = ["check_failures", "convert_stream", "digest_results", "write_run"]
    assert not imported(scripts) & {"pandas", "matplotlib", "numba"}


def test_jobs_that_only_show_import_nothing_that_computes():
    modules = imported(["draw", "tabulate"], sorted(SHOWING))
    assert {"matplotlib", "pandas"} | SHOWING < modules
    assert modules & NEVER == set()
