"""What a job imports that draws or lays out tables: each module is paid for in every such job."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from streameval.items import kinds
from streameval.settings import ROOT

#: What learners are compiled by, and parts of packages that few drawings and tables use.
NEVER = {"numba", "llvmlite", "seaborn", "scipy.stats", "scipy.linalg", "jsonschema", "snakemake"}
#: Drawings that share the arithmetic of their study.
WITH_STUDIES = {"streameval.items.propositions.draw_propositions"}
DRAWINGS = {kind.drawing_module for kind in kinds().values() if kind.is_figure} - WITH_STUDIES
#: Layouts of tables whose studies read frames; others measure predictions.
LAYOUTS = {
    f"streameval.items.{family}.tables"
    for family in ("dependence", "error_rates", "examples", "pending", "reevaluation")
}

CODE = """
import importlib, json, sys
head, found, _ = open(sys.argv[1], encoding="utf-8").read().partition("with job")
assert found
exec(head)
for name in sys.argv[2:]:
    importlib.import_module(name)
print(json.dumps([*sys.modules]))
"""


@pytest.mark.parametrize(
    ("script", "modules", "also"),
    [("draw", DRAWINGS, {"matplotlib"}), ("tabulate", LAYOUTS, {"pandas"})],
)
def test_jobs_that_only_show_import_nothing_that_computes(script, modules, also):
    words = [str(ROOT / "workflow" / "scripts" / f"{script}.py"), *sorted(modules)]
    ran = subprocess.run(
        [sys.executable, "-c", CODE, *words], check=True, capture_output=True, text=True
    )
    found = {*json.loads(ran.stdout)}
    assert also | modules < found
    assert found & (NEVER | ({"matplotlib"} - also)) == set()
